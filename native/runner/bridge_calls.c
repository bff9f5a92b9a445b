/* The tool calls that are open, and the answers that have arrived for them; see bridge_calls.h. */
#include "bridge_calls.h"

#include "frame_input.h"
#include "mapping.h"

/* An answer must be for an open call, and is noted once: there are never more of them than open calls. */
struct waiting_answer {
  uint32_t slot;
  bool ok;
  struct {
    uint64_t position; /* in the input: buffers move */
    size_t length;     /* 0: no text */
  } spans[2];
};

static struct {
  uint64_t id; /* 0: the slot is free */
  bool answered;
} *slots;

static struct waiting_answer *answers; /* a ring */
static uint32_t capacity;              /* of both */
static uint32_t first_answer, answer_count;
static uint32_t open_maximum, open_count;
static uint32_t slots_used; /* all slots that are not free lie below it */
static uint64_t last_id;

int bridge_calls_prepare(uint32_t maximum) {
  capacity = maximum;
  slots = map_table(capacity * sizeof *slots);
  answers = map_table(capacity * sizeof *answers);
  return slots && answers ? 0 : -1;
}

void bridge_calls_start(uint32_t maximum) { open_maximum = maximum < capacity ? maximum : capacity; }

uint32_t bridge_calls_maximum(void) { return open_maximum; }
uint32_t bridge_open_calls(void) { return open_count; }
uint64_t bridge_calls_made(void) { return last_id; }

uint32_t bridge_open_call(uint64_t *id) {
  uint32_t slot = 0;
  while (slot < slots_used && slots[slot].id != 0) slot++;
  if (slot == slots_used) slots_used++;
  slots[slot].id = *id = ++last_id;
  slots[slot].answered = false;
  open_count++;
  return slot;
}

static void close_call(uint32_t slot) {
  slots[slot].id = 0;
  open_count--;
  while (slots_used > 0 && slots[slots_used - 1].id == 0) slots_used--;
}

bool bridge_calls_answer(uint64_t id, const struct bridge_arrival *arrival) {
  for (uint32_t slot = 0; slot < slots_used; slot++) {
    if (slots[slot].id != id || slots[slot].answered) continue;
    slots[slot].answered = true;
    struct waiting_answer *answer = &answers[(first_answer + answer_count++) % capacity];
    answer->slot = slot;
    answer->ok = arrival->ok;
    for (int i = 0; i < 2; i++) {
      answer->spans[i].length = arrival->spans[i].at ? arrival->spans[i].length : 0;
      answer->spans[i].position = arrival->spans[i].at ? frame_input_position(arrival->spans[i].at) : 0;
    }
    return true;
  }
  return false;
}

bool bridge_calls_answered(void) { return answer_count > 0; }

void bridge_calls_release(void) {
  if (answer_count == 0) {
    first_answer = 0; /* so that the same page is used again */
    frame_input_release_taken();
  } else {
    const struct waiting_answer *answer = &answers[first_answer];
    /* The text of the first waiting answer begins a few bytes into its frame: all before it is free. */
    uint64_t position = UINT64_MAX;
    for (int i = 0; i < 2; i++) {
      if (answer->spans[i].length > 0 && answer->spans[i].position < position)
        position = answer->spans[i].position;
    }
    if (position != UINT64_MAX) frame_input_release(position);
  }
}

static struct json_span span_of(const struct waiting_answer *answer, int index) {
  if (answer->spans[index].length == 0) return (struct json_span){NULL, 0};
  return (struct json_span){frame_input_at(answer->spans[index].position), answer->spans[index].length};
}

bool bridge_next_answer(struct bridge_answer *next) {
  if (answer_count == 0) return false;
  const struct waiting_answer *answer = &answers[first_answer];
  *next = (struct bridge_answer){.slot = answer->slot, .ok = answer->ok};
  if (answer->ok) {
    next->result = span_of(answer, 0);
  } else {
    next->code = span_of(answer, 0);
    next->message = span_of(answer, 1);
  }
  return true;
}

void bridge_close_answered(void) {
  close_call(answers[first_answer].slot);
  first_answer = (first_answer + 1) % capacity;
  answer_count--;
}
