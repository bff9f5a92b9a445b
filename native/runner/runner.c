/*
 * The runner; see runner.h.
 *
 * Theory of operation. A process brings the engine up once, empty. A run reads one frame, runs one program
 * and sends one terminal frame. Whatever ends the run early (a limit, the host, a trap of the engine) unwinds
 * to one point below, from wherever the guest was; from there on only native memory is looked at. Nothing is
 * mapped, opened or allocated after runner_after_clone().
 */
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "bootstrap.h"
#include "bridge.h"
#include "encode.h"
#include "engine.h"
#include "guest_values.h"
#include "host_functions.h"
#include "outcome.h"
#include "program.h"
#include "random_state.h"
#include "rehearsal.h"
#include "rejections.h"
#include "run_limits.h"
#include "runner_process.h"
#include "seed.h"
#include "stop.h"
#include "terminal_frame.h"
#include "tool_calls.h"

/* Where code-bridge-v1 has the socket in a child. */
#define BRIDGE_DESCRIPTOR 3

/* The engine's own stack of 1 MiB has room for this much recursion; the rest is for what it does about too
 * much of it. */
#define STACK_MAXIMUM_BYTES (UINT64_C(900) * 1024)

/* A program that makes less garbage than this is not collected at all: most end before. */
#define COLLECTION_BYTES (UINT64_C(4) << 20)

static struct runner_ceilings ceilings;
static uint64_t engine_bytes;      /* what the initialised engine has allocated */
static uint64_t footprint_bytes;   /* of its linear memory */

/* Linear memory beside the heap's limit: texts on their way in and out, and what the allocator cannot use. */
static uint64_t slack_for(uint64_t memory_bytes) {
  return memory_bytes / 8 + 4 * (ceilings.max_frame_bytes + 1) + (UINT64_C(2) << 20);
}

static guest_value call_host(const char *name, size_t length, uint32_t argument_count,
                             guest_address arguments) {
  if (length > 1 && name[0] == TOOL_FUNCTION_PREFIX)
    return tool_calls_call(name, length, argument_count, arguments);
  return host_functions_call(name, length, argument_count, arguments);
}

static int complain(char *error, size_t error_size, const char *what) {
  snprintf(error, error_size, "%s: %s", what, strerror(errno));
  return -1;
}

/* Everything of the initialisation that calls the engine. 0, or -1 with a sentence. */
static int start_engine(char *error, size_t error_size) {
  const char *failed = NULL;
  if (BOUNDARY_SET() != BOUNDARY_FIRST) {
    snprintf(error, error_size, "the engine stopped while it was initialised: %s",
             stop_causes ? "a signal asked for that" : boundary_trap_reason);
    return -1;
  }
  if (engine_start(call_host) != 0 || guest_values_start() != 0) {
    failed = "the engine did not start: it has no memory";
  } else if (GUEST_CALL(JS_AddIntrinsicDOMException, engine_context) != 0 ||
             GUEST_CALL(JS_AddIntrinsicAToB, engine_context) != 0) {
    failed = "the engine did not start: it has no memory";
  } else if (bootstrap_run() != 0) {
    failed = "the bootstrap failed: this is not the engine that it was written for";
  } else if (random_state_find() != 0) {
    failed = "the state of Math.random is not where it was: clones would give the same numbers";
  }
  if (failed) {
    snprintf(error, error_size, "%s", failed);
    return -1;
  }
  engine_promise_rejection = rejections_note;
  GUEST_RUN(qjs_set_promise_rejection_handler, 1u);
  engine_bytes = GUEST_CALL(qjs_get_allocated_size);
  footprint_bytes = ENGINE_EXPORT_memory(&engine)->size;
  return 0;
}

int runner_initialise(const struct runner_ceilings *process_ceilings, char *error, size_t error_size) {
  ceilings = *process_ceilings;
  const char *refused = run_limits_out_of_range(&ceilings);
  if (refused) {
    snprintf(error, error_size, "out-of-range: the ceiling of %s is more than this machine can represent",
             refused);
    return -1;
  }
  /* What the engine occupies when it is empty, generously: the module starts with 1.1 MiB. */
  uint64_t memory_bytes = (UINT64_C(8) << 20) + ceilings.memory_bytes + slack_for(ceilings.memory_bytes);
  if (memory_bytes > WASM_MEMORY_MAXIMUM_BYTES) memory_bytes = WASM_MEMORY_MAXIMUM_BYTES;
  if (encode_prepare(ceilings.max_frame_bytes) != 0 ||
      tool_calls_prepare((uint32_t)ceilings.max_concurrent_calls) != 0 || bridge_prepare(&ceilings) != 0) {
    return complain(error, error_size, "the buffers cannot be mapped");
  }
  if (wasm_runtime_reserve(memory_bytes) != 0)
    return complain(error, error_size, "the engine's memory cannot be mapped");
  if (boundary_catch_faults() != 0 || stop_install(bridge_look_at_host) != 0) {
    return complain(error, error_size, "the signal handlers cannot be installed");
  }
  if (start_engine(error, error_size) != 0) return -1;
  if (wasm_runtime_seal() != 0)
    return complain(error, error_size, "the function table cannot be made read-only");
  return 0;
}

int runner_prepare_process(int descriptor) {
  /* So that no read or write waits outside of ppoll. A socket has no other flags that this could clear. */
  if (fcntl(descriptor, F_SETFL, O_NONBLOCK) != 0) return -1;
  /* They are let through in waits, and while a program runs. */
  stop_block_signals();
  return random_state_reseed();
}

static void lift(uint64_t *ceiling, uint64_t least) {
  if (*ceiling < least) *ceiling = least;
}

void runner_lift_ceilings(void) {
  ceilings.cpu_ms = 0;
  lift(&ceilings.timeout_ms, 5000);
  lift(&ceilings.max_calls, 2);
  lift(&ceilings.max_result_bytes, 64);
}

int runner_after_clone(void) {
  rehearsal_apply();
  return runner_prepare_process(BRIDGE_DESCRIPTOR);
}

static void apply_limits(void) {
  const uint64_t *limits = bridge_execution.limits.value;
  uint64_t memory = limits[LIMIT_MEMORY_BYTES];
  uint64_t stack =
      limits[LIMIT_STACK_BYTES] < STACK_MAXIMUM_BYTES ? limits[LIMIT_STACK_BYTES] : STACK_MAXIMUM_BYTES;
  uint64_t collection = memory / 4 < COLLECTION_BYTES ? memory / 4 : COLLECTION_BYTES;
  wasm_runtime_set_limit(ENGINE_EXPORT_memory(&engine), footprint_bytes + memory + slack_for(memory));
  GUEST_RUN(qjs_set_memory_limit, (u32)(engine_bytes + memory));
  GUEST_RUN(qjs_set_max_stack_size, (u32)stack);
  GUEST_RUN(qjs_set_gc_threshold, (u32)(engine_bytes + collection));
}

static void fail_for_trap(void) {
  if (engine_out_of_memory) {
    outcome_fail("memory", "the program reached its memory limit of %llu bytes",
                 (unsigned long long)bridge_execution.limits.value[LIMIT_MEMORY_BYTES]);
  } else {
    outcome_fail("javascript", "the engine had to stop the program: %s", boundary_trap_reason);
  }
}

int runner_execute(int descriptor) {
  int refused = bridge_receive_execution(descriptor);
  if (refused >= 0) return refused;
  switch (BOUNDARY_SET()) {
    case BOUNDARY_FIRST:
      stop_unblock_signals();
      apply_limits();
      if (bridge_execution.seed.at) seed_apply(bridge_execution.seed);
      program_run();
      break;
    case BOUNDARY_STOPPED:
      /* A signal that came together with the first cause waits since: a cancel has precedence over a deadline. */
      stop_unblock_signals();
      outcome_fail("internal", "the run was stopped for no known cause");
      break;
    case BOUNDARY_TRAPPED: fail_for_trap(); break;
  }
  terminal_frame_apply_causes();
  return terminal_frame_send();
}
