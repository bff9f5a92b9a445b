/*
 * The host's loop; see host.h.
 *
 * One ppoll() waits for everything: for the bridge of a sandbox that runs, and for the process of one that has sent
 * its last frame, so that the end of its bridge, which comes just before, wakes nobody. Nothing else blocks. All
 * that the loop writes, its stack apart, lies in memory that clones do not get: a page that they shared would be
 * copied after each clone.
 */
#include "host.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "failure.h"
#include "launcher/launcher.h"
#include "runner/clock.h"
#include "sandbox.h"

/* Longer than a program may run at most: no wait is endless. */
static const struct timespec longest_silence = {.tv_sec = 65};

/* An execution at a time. */
struct slot {
  struct sandbox running, ahead;
  bool is_settled; /* the last frame has come; what is left is the end of the process */
  long execution;  /* its number */
  int64_t started_at;
  uint8_t *input;
  size_t received, searched; /* bytes of the frame that is arriving, and those in which its end is not */
  uint8_t *output;
  size_t written, sent; /* bytes in `output`, and those that the kernel has taken */
};

struct host {
  const struct workload *workload;
  struct measurement *measurement;
  struct part_report *report;
  struct pollfd *polled; /* one for each slot */
  size_t input_bytes, output_bytes;
  unsigned slot_count, busy;
  bool is_warm;
  struct slot slots[];
};

static void *map(size_t size) {
  void *memory = map_for_zygote_only(size);
  if (!memory) fail_with_errno("cannot map memory for the host");
  return memory;
}

struct host *host_make(const struct workload *workload, unsigned slots, bool warm) {
  struct host *host = map(sizeof *host + slots * sizeof *host->slots);
  host->workload = workload;
  host->slot_count = slots;
  host->is_warm = warm;
  host->polled = map(slots * sizeof *host->polled);
  host->input_bytes = default_ceilings.max_frame_bytes + 1;
  host->output_bytes = (default_ceilings.max_frame_bytes + 1) * (default_ceilings.max_concurrent_calls + 1);
  for (unsigned i = 0; i < slots; i++) {
    host->slots[i].input = map(host->input_bytes);
    host->slots[i].output = map(host->output_bytes);
  }
  return host;
}

/* Room for more output, behind what is not sent yet. */
static struct text output_of(const struct host *host, struct slot *slot) {
  if (slot->sent == slot->written) slot->sent = slot->written = 0;
  return text_in(slot->output + slot->written, host->output_bytes - slot->written);
}

static void send_output(struct slot *slot) {
  if (slot->sent == slot->written) return;
  ssize_t count =
      send(slot->running.bridge, slot->output + slot->sent, slot->written - slot->sent, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (count > 0) slot->sent += (size_t)count;
  /* Where the reader is gone, the end of its bridge says the same. */
  else if (errno != EAGAIN && errno != EPIPE && errno != ECONNRESET) fail_with_errno("cannot send to a sandbox");
}

/* Begins the next execution, if one is left. */
static void start(struct host *host, struct slot *slot) {
  slot->execution = measurement_take(host->measurement);
  if (slot->execution < 0) return;
  host->busy++;
  slot->is_settled = false;
  slot->received = slot->searched = 0;
  if (host->is_warm && slot->ahead.pid == 0) slot->ahead = sandbox_clone();
  slot->started_at = clock_monotonic();
  slot->running = host->is_warm ? slot->ahead : sandbox_clone();
  struct text output = output_of(host, slot);
  text_bytes(&output, host->workload->execute, host->workload->execute_length);
  slot->written += text_length(&output);
  send_output(slot);
  if (host->is_warm) slot->ahead = sandbox_clone();
}

/* The process is about to end, or has ended. */
static void finish(struct host *host, struct slot *slot) {
  struct rusage usage;
  struct sandbox *sandbox = &slot->running;
  char excess;
  bool is_settled = slot->is_settled;
  if (is_settled && read(sandbox->bridge, &excess, sizeof excess) != 0)
    fail("a runner did not end with its last frame");
  int status = sandbox_reap(sandbox, &usage);
  if (!is_settled || status != 0) sandbox_fail_for_end(status);
  host->measurement->latencies[slot->execution] = clock_monotonic() - slot->started_at;
  struct part_report *report = host->report;
  report->sandbox_cpu_us += (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000u +
                            (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  report->minor_faults += (uint64_t)usage.ru_minflt;
  report->context_switches += (uint64_t)(usage.ru_nvcsw + usage.ru_nivcsw);
  host->busy--;
}

/* Takes all whole frames; what is left of the input moves to its front. */
static void take_frames(struct host *host, struct slot *slot) {
  uint8_t *frame = slot->input, *end = slot->input + slot->received, *newline;
  struct text output = output_of(host, slot);
  while ((newline = memchr(frame + slot->searched, '\n', (size_t)(end - frame) - slot->searched))) {
    if (slot->is_settled) fail("a frame followed the last one");
    slot->is_settled = workload_take_frame(host->workload, frame, (size_t)(newline - frame), &output);
    frame = newline + 1;
    slot->searched = 0;
  }
  slot->written += text_length(&output);
  slot->received = slot->searched = (size_t)(end - frame);
  if (frame > slot->input && slot->received > 0) memmove(slot->input, frame, slot->received);
  if (slot->received == host->input_bytes) fail("a runner sent a frame that is longer than a frame may be");
  if (slot->is_settled && slot->received > 0) fail("bytes followed the last frame");
}

static void receive(struct host *host, struct slot *slot) {
  ssize_t count = read(slot->running.bridge, slot->input + slot->received, host->input_bytes - slot->received);
  if (count < 0 && errno != ECONNRESET) fail_with_errno("cannot read from a sandbox");
  if (count <= 0) {
    finish(host, slot); /* which says why there is no last frame */
    return;
  }
  slot->received += (size_t)count;
  take_frames(host, slot);
  send_output(slot);
}

static struct pollfd poll_of(const struct slot *slot) {
  if (slot->running.pid == 0) return (struct pollfd){.fd = -1};
  if (slot->is_settled) return (struct pollfd){.fd = slot->running.process, .events = POLLIN};
  short events = slot->sent < slot->written ? POLLIN | POLLOUT : POLLIN;
  return (struct pollfd){.fd = slot->running.bridge, .events = events};
}

static void serve(struct host *host, struct slot *slot, short events) {
  if (slot->is_settled) {
    finish(host, slot);
    start(host, slot);
    return;
  }
  if (events & POLLOUT) send_output(slot);
  if (events & (POLLIN | POLLHUP | POLLERR)) receive(host, slot);
}

void host_run(struct host *host, struct measurement *measurement, struct part_report *report) {
  host->measurement = measurement;
  host->report = report;
  int64_t cpu = clock_cpu();
  report->started_at = clock_monotonic();
  for (unsigned i = 0; i < host->slot_count; i++) start(host, &host->slots[i]);
  while (host->busy > 0) {
    for (unsigned i = 0; i < host->slot_count; i++) host->polled[i] = poll_of(&host->slots[i]);
    int ready = ppoll(host->polled, host->slot_count, &longest_silence, NULL);
    if (ready < 0) fail_with_errno("cannot wait for sandboxes");
    if (ready == 0) fail("no sandbox has said anything for %ld s", (long)longest_silence.tv_sec);
    for (unsigned i = 0; i < host->slot_count; i++)
      if (host->polled[i].revents) serve(host, &host->slots[i], host->polled[i].revents);
  }
  report->ended_at = clock_monotonic();
  report->host_cpu = clock_cpu() - cpu;
}

void host_close(struct host *host) {
  for (unsigned i = 0; i < host->slot_count; i++)
    if (host->slots[i].ahead.pid > 0) sandbox_discard(&host->slots[i].ahead);
}
