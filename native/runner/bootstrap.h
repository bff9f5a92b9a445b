/* Readies an empty engine for programs: runs the scripts of guest/, once per process, before it is cloned. */
#ifndef WARDENPOOL_BOOTSTRAP_H
#define WARDENPOOL_BOOTSTRAP_H

#include "bridge_features.h"
#include "engine.h"

/* What the bootstrap hands to us; no program can reach it or change it. */
struct bootstrap {
  guest_value inspect;     /* function (value): a string that describes it; never throws */
  guest_value causes;      /* function (error): what it was caused by, as a string to put behind its message; never throws */
  guest_value rejection;   /* function (reason): the same of the reason of a rejection, with the reason itself */
  guest_value time_of;     /* function (date): its time value, NaN if it is invalid */
  guest_value source_of;   /* Function.prototype.toString as a function (of) */
  guest_value random;      /* Math.random */
  guest_value add_tool_paths; /* function (tools): adds the paths of dotted names */
  guest_value next_timer;  /* function (): when the next timer is to run, milliseconds since the run began, or undefined */
  guest_value run_timer;   /* function (): runs it; throws what its callback throws */
};
extern struct bootstrap bootstrap;

/* 0, or -1 if the script failed: then the engine is not the one it was written for. */
int bootstrap_run(void);

/* Takes the globals away that belong to features which this run was not granted. 0, or -1. */
int bootstrap_withdraw_features(feature_set features);

#endif
