/*
 * What the parts of the attacking command share. Each probe tries one kind of attack and reports what came of each attempt; all of
 * it together is one line of JSON, an object from attempt to end.
 */
#ifndef WARDENPOOL_PROBE_COMMAND_H
#define WARDENPOOL_PROBE_COMMAND_H

#include <stddef.h>

struct probe {
  const char *name;
  /* `arguments` end with NULL. */
  void (*attempt)(char **arguments);
};

/* Lists that end with an entry without a name. */
extern const struct probe call_probes[], file_probes[], network_probes[], process_probes[], state_probes[];

/* `result` as system calls return it: a negative one is reported as the name of errno, any other as "ok". */
void report(const char *attempt, long result);
void report_number(const char *attempt, long long number);
void report_text(const char *attempt, const char *text);
/* How a child ended: "code 0", or the name of the signal, as in "SIGSYS". */
void report_end(const char *attempt, int wait_status);
/* Sends what was reported so far as a line of its own, so that the host knows how far it came. */
void send_reports(void);
/* Waits until the host half-closes the protocol. */
void wait_for_host(void);

/* A text that stays until four more are made. */
__attribute__((format(printf, 1, 2))) const char *text(const char *format, ...);

#endif
