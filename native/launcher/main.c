/*
 * The launcher.
 *
 * Theory of operation. The host executes this binary with an empty environment, constant arguments and its end of a
 * control socket as descriptor 3. The process that the host started (outside) drops root if it has it, and clones the
 * process that stays (inside): PID 1 of a new PID namespace in a new, empty set of all other namespaces. Inside, it
 * pivots into an empty read-only root, brings up the engine, gives up everything that no sandbox needs, and from then
 * on is a zygote: it clones one sandbox per SPAWN, reaps it and reports its end. Where the host asked for sandboxes without
 * namespaces it stays in the host's; what confines them then is all of the rest.
 *
 * Nothing of any run is ever in this process's memory: no path, no program, no result. It ends when the control
 * socket does, when its parent does, or by SIGKILL; the kernel then kills all that is in its PID namespace.
 *
 * In its other mode it serves one command: see native/command/command.c.
 *
 * It knows nothing of JavaScript or JSON; the runner, linked in, is behind runner.h.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "command/command.h"
#include "launcher.h"
#include "runner/runner.h"
#include "seccomp_filter.h"
#include "survey.h"

_Static_assert(sizeof(struct runner_ceilings) == CONTROL_CEILINGS * sizeof(uint64_t),
               "CONFIGURE carries exactly the runner's ceilings");

void (*launcher_undo)(void);

void launcher_fail(enum confinement_step step, int error, const char *detail) {
  struct control_failed message = {.type = CONTROL_FAILED, .step = step, .error = error};
  if (detail) snprintf(message.detail, sizeof message.detail, "%s", detail);
  if (launcher_undo) launcher_undo();
  /* A request that is left unread would reset the connection, and the host would never see the message. */
  char unread;
  while (recv(CONTROL_DESCRIPTOR, &unread, 1, MSG_DONTWAIT) > 0)
    ;
  (void)!send(CONTROL_DESCRIPTOR, &message, sizeof message, MSG_DONTWAIT | MSG_NOSIGNAL);
  _exit(1);
}

static void on_child_signal(int signal_number) {
  (void)signal_number; /* only there to end ppoll() */
}

/* The mask and ignored signals were inherited from whoever started the host. */
void reset_signals(void) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++)
    if (number != SIGKILL && number != SIGSTOP) (void)sigaction(number, &action, NULL); /* refused: glibc's own two */
  action.sa_handler = on_child_signal;
  if (sigaction(SIGCHLD, &action, NULL) < 0) launcher_fail(STEP_SET_SIGNALS, errno, NULL);
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGCHLD); /* let through in ppoll() only */
  if (sigprocmask(SIG_SETMASK, &mask, NULL) < 0) launcher_fail(STEP_SET_SIGNALS, errno, NULL);
}

static struct control_configure receive_configuration(void) {
  struct control_configure configuration;
  ssize_t length = recv(CONTROL_DESCRIPTOR, &configuration, sizeof configuration, MSG_TRUNC);
  if (length < 0) launcher_fail(STEP_RECEIVE_CONFIGURATION, errno, NULL);
  if (length == 0) _exit(0); /* the host is gone */
  if (length != sizeof configuration || configuration.type != CONTROL_CONFIGURE ||
      configuration.version != CONTROL_VERSION)
    launcher_fail(STEP_RECEIVE_CONFIGURATION, 0, "the host speaks another version of the control protocol");
  return configuration;
}

static void send_ready(uint32_t landlock_abi) {
  struct control_ready ready = {
      .type = CONTROL_READY,
      .user_id = identity.user_id,
      .group_id = identity.group_id,
      .landlock_abi = landlock_abi,
      .supplementary_groups = identity.supplementary_groups,
      .bounding_set = identity.bounding_set,
      .zygote_filter_length = zygote_filter.length,
      .runner_filter_length = runner_filter.length,
  };
  snprintf(ready.runner_version, sizeof ready.runner_version, "%s", RUNNER_VERSION);
  snprintf(ready.engine_version, sizeof ready.engine_version, "%s", runner_engine_version());
  memcpy(ready.zygote_filter, zygote_filter.code, sizeof ready.zygote_filter);
  memcpy(ready.runner_filter, runner_filter.code, sizeof ready.runner_filter);
  struct iovec part = {.iov_base = &ready, .iov_len = sizeof ready};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1}; /* sendmsg: the filter in force knows no other send */
  if (sendmsg(CONTROL_DESCRIPTOR, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) _exit(0);
}

static int launch(void *unused) {
  (void)unused;
  prctl(PR_SET_NAME, "wardenpool"); /* executed by descriptor, it would else have that descriptor's number for a name */
  struct control_configure configuration = receive_configuration();
  bool has_namespaces = configuration.namespaces != CONTROL_NAMESPACES_NONE;
  if (has_namespaces) {
    enter_namespaces();
    enter_empty_root();
  } else {
    enter_without_namespaces();
  }
  reset_signals();

  struct runner_ceilings ceilings;
  memcpy(&ceilings, configuration.ceilings, sizeof ceilings);
  char error[sizeof((struct control_failed *)0)->detail];
  if (runner_initialise(&ceilings, error, sizeof error) < 0) launcher_fail(STEP_INITIALISE_ENGINE, 0, error);
  if (runner_rehearse(error, sizeof error) < 0) launcher_fail(STEP_REHEARSE, 0, error);

  prepare_to_serve();
  struct sandbox_settings settings = {
      .namespaces = configuration.namespaces, .cpu_ms = ceilings.cpu_ms, .launcher = getpid()};
  uint32_t landlock_abi = harden_launcher(&settings);
  if (!has_namespaces && !reaper_is_there()) _exit(1); /* it went before this process asked to die with it */
  send_ready(landlock_abi);
  serve_sandboxes(&settings);
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "probe") == 0) return 0; /* a command that needs nothing and does nothing */
  if (argc == 3 && strcmp(argv[1], "remove") == 0) return remove_directory(argv[2]);
  if (argc == 2 && (strcmp(argv[1], "command") == 0 || strcmp(argv[1], "command-inside") == 0)) {
    prctl(PR_SET_NAME, "wardenpool");
    serve_command(strcmp(argv[1], "command-inside") == 0);
  }
  if (argc == 2 && strcmp(argv[1], "survey") == 0) return survey();
  if (argc != 2 || strcmp(argv[1], "zygote") != 0) {
    fputs("wardenpool-launcher is started by wardenpool itself; to run a program, use: wardenpool exec\n", stderr);
    return 2;
  }
  runner_on_guest_stack(launch, NULL);
}
