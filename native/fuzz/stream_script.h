/*
 * The input of the runner_front target: a byte stream of the host, with the host's other actions in between.
 *
 * A byte 0xFF, which no UTF-8 has, makes the next byte an action; everything else is sent as it is.
 */
#ifndef WARDENPOOL_STREAM_SCRIPT_H
#define WARDENPOOL_STREAM_SCRIPT_H

#include <stddef.h>
#include <stdint.h>

#define SCRIPT_ESCAPE 0xFF

enum script_action {
  SCRIPT_CUT = 's',        /* ends a write here */
  SCRIPT_AWAIT = 'w',      /* waits, not for long, until the runner has sent something */
  SCRIPT_HALF_CLOSE = 'c', /* sends no more */
  SCRIPT_HANG_UP = 'x',    /* neither sends nor reads any more */
  SCRIPT_TERMINATE = 't',  /* SIGTERM */
  SCRIPT_STOP_READING = 'n',
};

#define SCRIPT_ACTIONS "swcxtn"

/* Called for each part of a script, in order: bytes to send, or an action. */
struct script_performer {
  void (*send)(void *context, const uint8_t *bytes, size_t count);
  void (*act)(void *context, enum script_action action);
  void *context;
};

static inline void script_perform(const uint8_t *script, size_t size, const struct script_performer *performer) {
  size_t start = 0, at = 0;
  while (at < size) {
    if (script[at] != SCRIPT_ESCAPE) {
      at++;
      continue;
    }
    if (at > start) performer->send(performer->context, script + start, at - start);
    if (at + 1 < size) performer->act(performer->context, (enum script_action)script[at + 1]);
    start = at += 2;
  }
  if (size > start) performer->send(performer->context, script + start, size - start);
}

#endif
