/* Log frames; see console_log.h. */
#include "console_log.h"

#include "bridge.h"
#include "guest_values.h"

/* What follows the text in a log frame, at its longest. */
#define TAIL_BYTES 64u

/* The limit of bytes does not bound empty lines. A host keeps no more (src/bridge/log-meter.ts). */
#define LINES_MAXIMUM 10000u

static const char *const levels[] = {"log", "info", "warn", "error", "debug"};

static uint64_t used_bytes, sequence;
static bool truncated;

static void send(uint32_t level, const uint8_t *text, size_t length) {
  uint64_t room = bridge_execution.limits.value[LIMIT_MAX_LOG_BYTES] - used_bytes;
  bool is_full = sequence == LINES_MAXIMUM;
  size_t shown = is_full ? 0 : length < room ? length : (size_t)room;
  while (shown < length && shown > 0 && (text[shown] & 0xC0) == 0x80)
    shown--; /* not in the middle of a character */
  struct text frame;
  bridge_begin_frame(&frame, "log");
  text_raw(&frame, ",\"level\":\"");
  text_raw(&frame, levels[level]);
  text_raw(&frame, "\",\"text\":");
  /* A frame is a limit too, since escapes are longer than what they stand for. */
  struct text part = text_in(frame.at, text_room(&frame) > TAIL_BYTES ? text_room(&frame) - TAIL_BYTES : 0);
  size_t sent = text_json_string_cut(&part, text, shown);
  frame.at = part.at;
  text_raw(&frame, ",\"seq\":");
  text_unsigned(&frame, sequence);
  truncated = is_full || sent < length;
  if (truncated) text_raw(&frame, ",\"truncated\":true");
  used_bytes += sent;
  if (bridge_commit_frame(&frame)) sequence++;
}

guest_value console_log_call(uint32_t argument_count, guest_address arguments) {
  if (argument_count >= 2 && !truncated) {
    uint32_t level = (uint32_t)guest_argument(arguments, 0);
    struct guest_text text = guest_text_of(guest_argument(arguments, 1));
    if (!text.address) return GUEST_EXCEPTION;
    send(level < sizeof levels / sizeof *levels ? level : 0, guest_bytes(text.address, text.length),
         text.length);
    guest_text_free(text);
  }
  return GUEST_VALUE(GUEST_TAG_BOOL, !truncated);
}
