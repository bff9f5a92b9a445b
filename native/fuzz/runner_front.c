/*
 * Fuzz target: the whole runner with the real engine, as a host on the other end of its socket sees it. No sandbox.
 *
 * A process runs one program, so each input is run in a child, forked from an initialised parent as a zygote does. The
 * child leaves its coverage counters in shared memory, and the parent takes them over: libFuzzer sees them as its own. The
 * runner's C is instrumented, the translated engine is not.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "boundary.h"
#include "bridge.h"
#include "claim.h"
#include "clock.h"
#include "runner.h"
#include "runner_conversation.h"
#include "stop.h"
#include "stream_script.h"

#define BRIDGE_DESCRIPTOR 3
#define OUTPUT_MAXIMUM ((size_t)4 << 20)

/* An execution takes 20 ms at most, and a host that does not read 200 ms more; the rest is for a busy machine. */
#define HANG_NS (INT64_C(10) * NANOSECONDS_PER_SECOND)
/* How long the host waits for the runner to say something, before it goes on. */
#define AWAIT_NS (INT64_C(8) * NANOSECONDS_PER_MILLISECOND)
/* Without this the runs of a runner that waits for its host would last for ever. */
#define PATIENCE_NS (INT64_C(60) * NANOSECONDS_PER_MILLISECOND)

static const struct runner_ceilings ceilings = {
    .memory_bytes = 4 << 20,
    .stack_bytes = 1 << 20,
    .timeout_ms = 20,
    .cpu_ms = 0,
    .max_calls = 16,
    .max_concurrent_calls = 4,
    .max_frame_bytes = 8 << 10,
    .max_result_bytes = 6 << 10,
    .max_log_bytes = 4 << 10,
};

/* Of the linker: what the compiler's instrumentation counts in. */
extern uint8_t __start___sancov_cntrs[] __attribute__((visibility("hidden")));
extern uint8_t __stop___sancov_cntrs[] __attribute__((visibility("hidden")));

int LLVMFuzzerRunDriver(int *argument_count, char ***arguments, int (*target)(const uint8_t *data, size_t size));

static uint8_t *shared_counters;
static uint8_t *output;

static size_t counter_bytes(void) { return (size_t)(__stop___sancov_cntrs - __start___sancov_cntrs); }

/* A run as its host sees it. */
struct conversation {
  pid_t child;
  int bridge, diagnostics; /* -1: closed */
  size_t output_length, diagnosis_length;
  char diagnosis[8192];
  bool reads, sends, hung_up;
  int64_t started_at;
};

__attribute__((noreturn)) static void be_the_runner(int bridge, int diagnostics) {
  /* libFuzzer has replaced the handlers of runner_initialise() by its own. */
  claim(boundary_catch_faults() == 0 && stop_install(bridge_look_at_host) == 0, "the handlers can be installed");
  claim(dup2(diagnostics, STDERR_FILENO) >= 0 && dup2(bridge, BRIDGE_DESCRIPTOR) >= 0, "descriptors can be moved");
  claim(close_range(BRIDGE_DESCRIPTOR + 1, ~0u, 0) == 0, "descriptors can be closed");
  claim(runner_after_clone() == 0, "a clone can be prepared");
  int status = runner_execute(BRIDGE_DESCRIPTOR);
  memcpy(shared_counters, __start___sancov_cntrs, counter_bytes());
  _exit(status);
}

static void begin(struct conversation *conversation) {
  int bridge[2], diagnostics[2];
  claim(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, bridge) == 0, "there are descriptors for a socket pair");
  claim(pipe2(diagnostics, O_CLOEXEC | O_NONBLOCK) == 0, "there are descriptors for a pipe");
  memset(shared_counters, 0, counter_bytes());
  stop_block_signals(); /* so that none meets a child whose handlers are still libFuzzer's */
  pid_t child = fork();
  claim(child >= 0, "a process can be forked");
  if (child == 0) be_the_runner(bridge[1], diagnostics[1]);
  stop_unblock_signals();
  close(bridge[1]);
  close(diagnostics[1]);
  *conversation = (struct conversation){.child = child,
                                        .bridge = bridge[0],
                                        .diagnostics = diagnostics[0],
                                        .reads = true,
                                        .sends = true,
                                        .started_at = clock_monotonic()};
}

/* Shows what the child has said, for whoever reads the report of a finding. */
static void claim_of(const struct conversation *conversation, bool is_true, const char *sentence) {
  if (is_true) return;
  fprintf(stderr, "--- output:\n%.*s\n--- stderr:\n%s\n---\n", (int)conversation->output_length, output, conversation->diagnosis);
  claim(false, sentence);
}

static void take_output(struct conversation *conversation) {
  ssize_t count = recv(conversation->bridge, output + conversation->output_length,
                       OUTPUT_MAXIMUM - conversation->output_length, MSG_DONTWAIT);
  if (count > 0) {
    conversation->output_length += (size_t)count;
    claim_of(conversation, conversation->output_length < OUTPUT_MAXIMUM, "a run's output is bounded");
  } else if (count == 0 || errno != EAGAIN) {
    close(conversation->bridge);
    conversation->bridge = -1;
  }
}

static void take_diagnosis(struct conversation *conversation) {
  size_t room = sizeof conversation->diagnosis - 1 - conversation->diagnosis_length;
  char excess[4096];
  char *to = room ? conversation->diagnosis + conversation->diagnosis_length : excess;
  ssize_t count = read(conversation->diagnostics, to, room ? room : sizeof excess);
  if (count > 0 && room) conversation->diagnosis_length += (size_t)count;
  if (count == 0) {
    close(conversation->diagnostics);
    conversation->diagnostics = -1;
  }
}

/* Serves the child for at most so long, until it has sent something or there is room to send: whichever of these is asked
 * for. False when the time has passed or nothing can come any more. */
static bool serve(struct conversation *conversation, int64_t until, bool wants_room) {
  struct pollfd pollers[] = {
      {.fd = conversation->bridge, .events = (short)((conversation->reads ? POLLIN : 0) | (wants_room ? POLLOUT : 0))},
      {.fd = conversation->diagnostics, .events = POLLIN},
  };
  if (!conversation->reads && !wants_room) pollers[0].fd = -1;
  if (conversation->bridge < 0 && conversation->diagnostics < 0) return false;
  int64_t left = until - clock_monotonic();
  if (left <= 0) return false;
  struct timespec time = {left / NANOSECONDS_PER_SECOND, left % NANOSECONDS_PER_SECOND};
  if (ppoll(pollers, 2, &time, NULL) <= 0) return false;
  if (pollers[1].revents) take_diagnosis(conversation);
  if (conversation->reads && pollers[0].revents & (POLLIN | POLLHUP | POLLERR)) take_output(conversation);
  return true;
}

static void send_bytes(void *context, const uint8_t *bytes, size_t count) {
  struct conversation *conversation = context;
  int64_t until = clock_monotonic() + PATIENCE_NS;
  while (count > 0 && conversation->sends && conversation->bridge >= 0) {
    ssize_t sent = send(conversation->bridge, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0) {
      bytes += sent;
      count -= (size_t)sent;
    } else if (errno != EAGAIN || !serve(conversation, until, true)) {
      conversation->sends = false; /* the runner is gone, or does not read: both are its right */
    }
  }
}

static void hang_up(struct conversation *conversation) {
  conversation->hung_up = true;
  if (conversation->bridge >= 0) close(conversation->bridge);
  conversation->bridge = -1;
}

static void act(void *context, enum script_action action) {
  struct conversation *conversation = context;
  switch (action) {
    case SCRIPT_CUT: break; /* what was sent so far was a write of its own */
    case SCRIPT_AWAIT: {
      size_t before = conversation->output_length;
      int64_t until = clock_monotonic() + AWAIT_NS;
      while (conversation->output_length == before && serve(conversation, until, false)) continue;
      break;
    }
    case SCRIPT_HALF_CLOSE:
      conversation->sends = false;
      if (conversation->bridge >= 0) (void)shutdown(conversation->bridge, SHUT_WR);
      break;
    case SCRIPT_HANG_UP: hang_up(conversation); break;
    case SCRIPT_TERMINATE: (void)kill(conversation->child, SIGTERM); break;
    case SCRIPT_STOP_READING: conversation->reads = false; break;
    default: break;
  }
}

/* Until the child has closed everything; a child that does not end is a finding. */
static int hear_out(struct conversation *conversation) {
  int64_t patience = clock_monotonic() + PATIENCE_NS, hanging = conversation->started_at + HANG_NS;
  while (conversation->bridge >= 0 || conversation->diagnostics >= 0) {
    if (!conversation->reads && conversation->diagnostics < 0) {
      hang_up(conversation); /* a host that does not read is not told when the runner closes the socket */
      continue;
    }
    bool is_patient = clock_monotonic() < patience;
    if (serve(conversation, is_patient ? patience : hanging, false)) continue;
    if (is_patient) act(conversation, SCRIPT_HALF_CLOSE);
    if (clock_monotonic() < hanging) continue;
    (void)kill(conversation->child, SIGKILL);
    claim_of(conversation, false, "a run ends");
  }
  int status = 0;
  while (waitpid(conversation->child, &status, 0) < 0) claim(errno == EINTR, "the child can be waited for");
  return status;
}

static int try_input(const uint8_t *data, size_t size) {
  struct conversation conversation;
  begin(&conversation);
  struct script_performer performer = {send_bytes, act, &conversation};
  script_perform(data, size, &performer);
  int status = hear_out(&conversation);
  for (size_t i = 0; i < counter_bytes(); i++) __start___sancov_cntrs[i] |= shared_counters[i];
  claim_of(&conversation, WIFEXITED(status), "a run ends by itself, and not by a signal");
  struct runner_end end = {
      .output = output,
      .output_length = conversation.output_length,
      .diagnosis = conversation.diagnosis,
      .exit_status = WEXITSTATUS(status),
      .heard_out = conversation.reads && !conversation.hung_up,
  };
  const char *broken = runner_conversation_broken(&end, ceilings.max_frame_bytes);
  claim_of(&conversation, !broken, broken);
  return 0;
}

static struct {
  int count;
  char **texts;
  uintptr_t frame; /* of main() */
} arguments;

/* Children of a runner do not have the stack that exec made. The address sanitizer looks at it, and so they get it back. */
static void keep_first_stack(void) {
  uintptr_t start = arguments.frame & ~(uintptr_t)4095, end = (getauxval(AT_EXECFN) | 4095) + 1;
  claim(madvise((void *)start, end - start, MADV_DOFORK) == 0, "children can have the first stack");
}

static int fuzz(void *unused) {
  (void)unused;
  keep_first_stack();
  char error[256];
  if (runner_initialise(&ceilings, error, sizeof error) != 0) {
    fprintf(stderr, "the runner did not start: %s\n", error);
    return 1;
  }
  output = mmap(NULL, OUTPUT_MAXIMUM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  shared_counters = mmap(NULL, counter_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  claim(output != MAP_FAILED && shared_counters != MAP_FAILED, "there is memory for the host");
  return LLVMFuzzerRunDriver(&arguments.count, &arguments.texts, try_input);
}

int main(int argument_count, char **argument_texts) {
  arguments.count = argument_count;
  arguments.texts = argument_texts;
  arguments.frame = (uintptr_t)__builtin_frame_address(0);
  runner_on_guest_stack(fuzz, NULL);
}
