/*
 * A sandbox that another program makes. The launcher starts it as the user that the sandbox is to be, and the program executes
 * this binary again as PID 1 of what it made. The request stays in the control socket, for that one to take: so no
 * descriptor of the command ever passes through the program, and what it is told goes by descriptors that only it has.
 *
 * This process stays to say why there is no sandbox, if there is none. It must not know which program it is.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "launcher/launcher.h"

/* The program inherits it, at the next free number. */
static void expect_number(int descriptor, int number) {
  if (descriptor < 0) launcher_fail(STEP_START_TOOL, errno, NULL);
  if (descriptor != number) launcher_fail(STEP_START_TOOL, 0, "a descriptor has another number than the program was told");
}

static void give_text(const char *text, size_t length, int number) {
  int file = memfd_create("wardenpool", 0);
  expect_number(file, number);
  if (write(file, text, length) != (ssize_t)length || lseek(file, 0, SEEK_SET) < 0)
    launcher_fail(STEP_START_TOOL, errno, NULL);
}

/* While still root, if it was: its user may not be allowed to open this binary, where it is. */
static void open_descriptors(const struct plan *plan) {
  close_inherited(); /* those of the request */
  give_text(plan->tool_options, plan->tool_options_length, TOOL_OPTIONS);
  expect_number(open("/proc/self/exe", O_RDONLY), TOOL_LAUNCHER);
  expect_number(note_grants(plan), TOOL_NOTES);
  int number = TOOL_FILES;
  for (uint32_t i = 0; i < plan->operation_count; i++) {
    const struct operation *operation = &plan->operations[i];
    if (operation->kind == OPERATION_FILE) give_text(operation->text, operation->text_length, number++);
  }
}

/*
 * The host is gone. What the program has cloned, and not told to end with it yet, would wait for ever: so all of them go, and this
 * process too. The host does the same when this process is killed.
 */
static void end_all(int signal) {
  (void)signal;
  (void)kill(0, SIGKILL);
}

static void end_all_with_host(void) {
  struct sigaction action = {.sa_handler = end_all};
  sigset_t termination;
  sigemptyset(&termination);
  sigaddset(&termination, SIGTERM);
  if (sigaction(SIGTERM, &action, NULL) < 0 || sigprocmask(SIG_UNBLOCK, &termination, NULL) < 0 ||
      prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0) < 0)
    launcher_fail(STEP_PARENT_DEATH_SIGNAL, errno, NULL);
}

static void become_unprivileged(void) {
  if (is_root_outside()) leave_root();
  if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0) launcher_fail(STEP_SUBREAPER, errno, NULL);
  if (setsid() < 0) launcher_fail(STEP_NEW_SESSION, errno, NULL); /* and a process group, of all that the program starts */
  reset_signals();
  /* A set-uid program would act with rights that neither the host nor the sandbox has. */
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) launcher_fail(STEP_NO_NEW_PRIVILEGES, errno, NULL);
  if (chdir("/") < 0) launcher_fail(STEP_START_TOOL, errno, "/");
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) launcher_fail(STEP_NOT_DUMPABLE, errno, NULL);
  end_all_with_host();
}

__attribute__((noreturn)) static void execute_tool(const struct plan *plan, int messages, pid_t launcher) {
  static const char cannot_execute[] = "it could not be executed";
  sigset_t none;
  sigemptyset(&none);
  (void)sigprocmask(SIG_SETMASK, &none, NULL);
  if (dup2(messages, STDERR_FILENO) >= 0 && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 && getppid() == launcher) {
    (void)execve(plan->tool, plan->tool_arguments, plan->tool_environment);
    (void)!write(STDERR_FILENO, cannot_execute, sizeof cannot_execute - 1);
  }
  _exit(STEP_FAILED_EXIT_CODE);
}

/* What the program says, as much of it as fits, until everything that it started is over. */
static void listen_to(int messages, char *text, size_t size) {
  size_t length = 0;
  struct pollfd watched[] = {{.fd = messages, .events = POLLIN}, {.fd = CONTROL_DESCRIPTOR, .events = 0}};
  for (;;) {
    if (ppoll(watched, 2, NULL, NULL) < 0) continue; /* EINTR */
    if (watched[1].revents) end_all(0);
    if (!watched[0].revents) continue;
    char more[512];
    ssize_t count = read(messages, more, sizeof more);
    if (count == 0 || (count < 0 && errno != EINTR)) break;
    for (ssize_t i = 0; i < count && length + 1 < size; i++) text[length++] = more[i];
  }
  while (length > 0 && text[length - 1] == '\n') length--;
  text[length] = '\0';
}

void serve_tool(const struct plan *plan) {
  open_descriptors(plan);
  become_unprivileged();
  int messages[2];
  if (pipe2(messages, O_CLOEXEC) < 0) launcher_fail(STEP_START_TOOL, errno, NULL);
  pid_t launcher = getpid(), tool = fork();
  if (tool < 0) launcher_fail(STEP_START_TOOL, errno, NULL);
  if (tool == 0) execute_tool(plan, messages[1], launcher);
  close(messages[1]);
  static char text[sizeof((struct control_failed *)0)->detail];
  listen_to(messages[0], text, sizeof text);
  int status = 0, tool_status = -1;
  for (pid_t pid; (pid = wait4(-1, &status, __WALL, NULL)) > 0 || errno == EINTR;)
    if (pid == tool) tool_status = status;
  /* It ends with 0 just if the one inside did, which has then taken the request and reported everything. */
  char byte;
  bool was_taken = recv(CONTROL_DESCRIPTOR, &byte, 1, MSG_DONTWAIT) <= 0;
  if (tool_status != 0 || !was_taken)
    launcher_fail(STEP_TOOL, 0, *text ? text : WIFSIGNALED(tool_status) ? "it was killed" : "it ended without saying why");
  _exit(0);
}
