/*
 * The launcher's other mode: one command, in a sandbox of its own.
 *
 * Theory of operation. The host sends one request: a plan, and the descriptors that the command is to have. Outside, as
 * the user that the host is, granted paths are opened where the host is root; then root is left for good. Inside a new set of
 * namespaces, as PID 1, the launcher pivots into an empty tmpfs, carries out the plan's operations, seals the root, gives up
 * everything, and clones the command as PID 2. The exec is part of the spawn: the host hears of SPAWNED when it has worked.
 *
 * Then it waits for the command, reaping whatever is orphaned to it. When the command is over, everything else in the
 * namespace is killed and reaped before the host is told. It ends then, or when the control socket does.
 *
 * With PLAN_TOOL another program makes namespaces and root (tool.c), and executes this binary in them, which goes on from
 * there: it takes the same request, with the same descriptors, from the same socket.
 *
 * Without PLAN_NAMESPACES there is no sandbox, for a plan that asks for none. The launcher then adopts what the command leaves
 * behind, and kills it.
 */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <linux/capability.h>
#include <unistd.h>

#include "launcher/channel.h"
#include "launcher/launcher.h"
#include "mount_api.h"

/* The only sandbox of this launcher; the host's number for it. */
#define COMMAND_NUMBER 1u

static struct plan plan;
static struct descriptors descriptors;

/* It stays in the socket: whoever serves it then takes it with drop_request(). */
static void read_request(void) {
  int plan_file;
  const char *wrong = look_at_request(&descriptors, &plan_file);
  if (wrong) launcher_fail(STEP_RECEIVE_CONFIGURATION, 0, wrong);
  if (plan_file < 0) _exit(0); /* the host is gone */
  wrong = plan_read(plan_file, &plan);
  if (!wrong && plan.preserved_count != descriptors.preserved_count)
    wrong = "the plan numbers other descriptors than there are";
  if (wrong) launcher_fail(STEP_READ_PLAN, 0, wrong);
}

/* Its descriptors were received already; those that are still in the packet go with it. */
static void drop_request(void) {
  uint32_t type;
  if (recv(CONTROL_DESCRIPTOR, &type, sizeof type, 0) < 0) launcher_fail(STEP_RECEIVE_CONFIGURATION, errno, NULL);
}

/* Detached, since it can be made only while the host's own is still in sight. -1 where that one is masked. */
static int detached_proc(void) {
  int context = (int)syscall(SYS_fsopen, "proc", 1u /* close on exec */);
  if (context < 0) return -1;
  int mounted = -1;
  if (syscall(SYS_fsconfig, context, 6u /* create */, NULL, NULL, 0) == 0)
    mounted = (int)syscall(SYS_fsmount, context, 1u,
                           ATTRIBUTE_READ_ONLY | ATTRIBUTE_NO_SET_UID | ATTRIBUTE_NO_DEVICES | ATTRIBUTE_NO_EXECUTE);
  close(context);
  return mounted;
}

/* Programs serve themselves on 127.0.0.1; in a network namespace of its own it reaches nothing else. */
static void bring_up_loopback(void) {
  struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP};
  int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (any < 0 && (errno == EAFNOSUPPORT || errno == EPROTONOSUPPORT)) return; /* a kernel without IPv4 */
  if (any < 0 || ioctl(any, SIOCSIFFLAGS, &request) < 0) launcher_fail(STEP_LOOPBACK, errno, NULL);
  close(any);
}

/* Returns whether there is a procfs. */
static bool enter_own_root(bool grants_are_open) {
  clone_inside(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP |
               (plan.flags & PLAN_NETWORK ? CLONE_NEWNET : 0u));
  map_identity();
  make_mounts_private();
  if (!grants_are_open) clone_grants(&plan, false);
  int proc = detached_proc();
  char options[96];
  snprintf(options, sizeof options, "size=%llu,nr_inodes=%llu,mode=0755", (unsigned long long)plan.root_bytes,
           (unsigned long long)plan.root_entries);
  pivot_into_empty_root(options);
  umask(0);
  launcher_undo = release_places;
  build_root(&plan, proc);
  if (!(plan.flags & PLAN_WRITABLE_ROOT)) write_protect_root();
  forget_host_name();
  if (plan.flags & PLAN_NETWORK) bring_up_loopback();
  return proc >= 0;
}

/* What a tool left of the bounding set. */
static uint32_t bounding_set_size(void) {
  uint32_t size = 0;
  for (int capability = 0, set; (set = prctl(PR_CAPBSET_READ, capability, 0, 0, 0)) >= 0; capability++) size += (uint32_t)set;
  return size;
}

/*
 * In a sandbox that a tool made. That it has a PID namespace is not left to trust: everything that can be seen is killed at the
 * end. Securebits cannot be locked there, as no capability is left; with no_new_privs none can be had.
 */
static bool check_what_tool_made(void) {
  if (getpid() != 1) launcher_fail(STEP_TOOL, 0, "it made no PID namespace");
  if (geteuid() != UNPRIVILEGED_ID) launcher_fail(STEP_TOOL, 0, "it did not map the user");
  check_root(&plan);
  identity.bounding_set = bounding_set_size();
  for (uint32_t i = 0; i < plan.operation_count; i++)
    if (plan.operations[i].kind == OPERATION_PROC) return true;
  return false;
}

/* Returns the ABI of Landlock that the command will be under. */
static uint32_t give_up_rights(struct filter *filter, bool is_inside) {
  if (!is_inside && clear_bounding_set() < 0) launcher_fail(STEP_CLEAR_BOUNDING_SET, errno, NULL);
  if (!is_inside && lock_securebits() < 0) launcher_fail(STEP_LOCK_SECUREBITS, errno, NULL);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) launcher_fail(STEP_NO_NEW_PRIVILEGES, errno, NULL);
  uint32_t landlock_abi;
  descriptors.ruleset = command_ruleset(&plan, &landlock_abi);
  if (build_command_filter(filter) < 0) launcher_fail(STEP_BUILD_COMMAND_FILTER, 0, "a seccomp filter outgrew its buffer");
  /* To take places away again, it has to unmount what hides them. */
  if (keep_capabilities(holds_places() ? 1ull << CAP_SYS_ADMIN : 0) < 0)
    launcher_fail(STEP_COMMAND_LAUNCHER_CAPABILITIES, errno, NULL);
  return landlock_abi;
}

static void send_ready(uint32_t landlock_abi, bool procfs, const struct filter *filter) {
  static struct control_ready ready;
  ready.type = CONTROL_READY;
  ready.user_id = identity.user_id;
  ready.group_id = identity.group_id;
  ready.supplementary_groups = identity.supplementary_groups;
  ready.bounding_set = identity.bounding_set;
  ready.landlock_abi = landlock_abi;
  ready.procfs = procfs;
  ready.runner_filter_length = filter->length;
  memcpy(ready.runner_filter, filter->code, sizeof ready.runner_filter);
  /* A host that does not know how the command is confined would not know either that it runs. */
  if (send_packet(&ready, sizeof ready, -1) < 0) launcher_fail(STEP_CLONE_COMMAND, errno, "the host could not be told of its sandbox");
}

/* Its PID; 0 if it could not be executed, which the host then knows. */
static pid_t start_command(const struct filter *filter) {
  int report[2] = {-1, -1}, pidfd = -1;
  pid_t pid = -1, launcher = getpid();
  struct step_report failure = {0, STEP_OPEN_REPORT_PIPE, 0};
  if (pipe2(report, O_CLOEXEC) == 0) {
    failure.step = STEP_CLONE_COMMAND;
    pid = (pid_t)syscall(SYS_clone, CLONE_PIDFD | SIGCHLD, NULL, &pidfd, NULL, 0);
  }
  if (pid == 0) execute_command(&plan, &descriptors, report[1], filter, launcher);
  failure.error = errno;
  close(report[1]);
  /* The end of the pipe is the exec. */
  ssize_t length = pid < 0 ? (ssize_t)sizeof failure : 0;
  if (pid > 0) do length = read(report[0], &failure, sizeof failure);
    while (length < 0 && errno == EINTR);
  close(report[0]);
  if (length == sizeof failure) {
    const struct control_spawn_failed failed = {CONTROL_SPAWN_FAILED, COMMAND_NUMBER, failure.step, failure.error};
    (void)send_packet(&failed, sizeof failed, -1);
    return 0;
  }
  const struct control_spawned spawned = {CONTROL_SPAWNED, COMMAND_NUMBER};
  /* One that the host has no pidfd of, it could not stop. */
  if (send_packet(&spawned, sizeof spawned, pidfd) < 0) (void)kill(pid, SIGKILL);
  return pid;
}

#define CHILDREN "/proc/thread-self/children"

/*
 * What is left of the command: in a PID namespace all of it; else what is our child, and with each that dies its own children
 * become ours. A child that was not waited for keeps its number.
 */
static void kill_the_rest(void) {
  if (plan.flags & PLAN_NAMESPACES) {
    (void)kill(-1, SIGKILL);
    return;
  }
  FILE *children = fopen(CHILDREN, "re");
  int orphan;
  while (children && fscanf(children, "%d", &orphan) == 1) (void)kill(orphan, SIGKILL);
  if (children) fclose(children);
}

/* They are the command's alone: as long as we held them, whoever reads them would never see an end. */
static void close_command_descriptors(void) {
  const int given[] = {descriptors.bridge, descriptors.input, descriptors.output, descriptors.diagnostics,
                       descriptors.ruleset};
  for (unsigned i = 0; i < sizeof given / sizeof given[0]; i++) /* one may be there twice; closing it again is harmless */
    if (given[i] > CONTROL_DESCRIPTOR) close(given[i]);
  for (uint32_t i = 0; i < descriptors.preserved_count; i++) close(descriptors.preserved[i]);
}

/* Root in a container may be without it, and then opens what is granted as anybody else does: inside its user namespace. */
static bool may_clone_mounts(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct data[2];
  return syscall(SYS_capget, &header, data) == 0 && (data[0].effective & (1u << CAP_SYS_ADMIN));
}

static uint64_t microseconds(struct timeval time) {
  return (uint64_t)time.tv_sec * 1000000u + (uint64_t)time.tv_usec;
}

static void add_usage(struct control_exited *total, const struct rusage *usage) {
  total->cpu_user_us += microseconds(usage->ru_utime);
  total->cpu_system_us += microseconds(usage->ru_stime);
  uint64_t peak = (uint64_t)usage->ru_maxrss * 1024u;
  if (peak > total->peak_rss_bytes) total->peak_rss_bytes = peak;
  total->minor_faults += (uint64_t)usage->ru_minflt;
  total->major_faults += (uint64_t)usage->ru_majflt;
  total->voluntary_switches += (uint64_t)usage->ru_nvcsw;
  total->involuntary_switches += (uint64_t)usage->ru_nivcsw;
}

/* Orphans that are reaped before the control socket is looked at again: a command can make them as fast as they go. */
#define REAPED_AT_ONCE 64

/* Waits for the command or for the end of the control socket; then for everything else, killed. False if the host is gone. */
static bool supervise(pid_t command, struct control_exited *exited) {
  sigset_t none;
  sigemptyset(&none);
  bool host_is_there = true, is_over = false;
  int reaped = 0;
  while (!is_over && host_is_there) {
    /* No request follows the first: whatever there is to read, is the end. */
    struct pollfd control = {.fd = CONTROL_DESCRIPTOR, .events = POLLIN};
    const struct timespec at_once = {0, 0};
    if (ppoll(&control, 1, reaped == REAPED_AT_ONCE ? &at_once : NULL, &none) > 0) host_is_there = false;
    int status;
    struct rusage usage;
    pid_t pid;
    for (reaped = 0; reaped < REAPED_AT_ONCE && (pid = wait4(-1, &status, WNOHANG | __WALL, &usage)) > 0; reaped++) {
      add_usage(exited, &usage);
      if (pid == command) exited->wait_status = status, is_over = true;
    }
  }
  for (;;) {
    kill_the_rest();
    int status;
    struct rusage usage;
    pid_t pid = wait4(-1, &status, __WALL, &usage);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) break; /* ECHILD: nothing is left */
    add_usage(exited, &usage);
  }
  return host_is_there;
}

/* With each of its children that dies, the children of that one become the launcher's; so all of them can be found. */
static void adopt_orphans(void) {
  if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0) launcher_fail(STEP_SUBREAPER, errno, NULL);
  if (access(CHILDREN, R_OK) < 0) launcher_fail(STEP_SUBREAPER, errno, CHILDREN);
  /* The user's, who may have given them to everything that it starts. */
  if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0) launcher_fail(STEP_SUBREAPER, errno, NULL);
}

void serve_command(bool is_inside) {
  if (is_inside) read_noted_grants();
  close_inherited();
  raise_oom_score();
  read_request();
  if (plan.flags & PLAN_TOOL && !is_inside) serve_tool(&plan);
  drop_request();
  bool is_root = is_root_outside(), makes_namespaces = plan.flags & PLAN_NAMESPACES && !is_inside;
  bool opens_as_root = makes_namespaces && is_root && may_clone_mounts();
  if (opens_as_root) clone_grants(&plan, true);
  if (is_root) leave_root();
  note_identity();
  bool procfs = false;
  if (is_inside)
    procfs = check_what_tool_made();
  else if (makes_namespaces)
    procfs = enter_own_root(opens_as_root);
  else
    adopt_orphans();
  if (getsid(0) != getpid() && setsid() < 0) launcher_fail(STEP_NEW_SESSION, errno, NULL);
  reset_signals();
  static struct filter filter;
  uint32_t landlock_abi = plan.flags & PLAN_FILTER ? give_up_rights(&filter, is_inside) : 0;
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) launcher_fail(STEP_NOT_DUMPABLE, errno, NULL);
  /* Where a place is held, or orphans are to be killed, it has work to do once the host is gone; else nothing. */
  if (plan.flags & PLAN_NAMESPACES && !holds_places() && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
    launcher_fail(STEP_PARENT_DEATH_SIGNAL, errno, NULL);
  send_ready(landlock_abi, procfs, &filter);

  struct control_exited exited = {.type = CONTROL_EXITED, .sandbox = COMMAND_NUMBER};
  pid_t command = start_command(&filter);
  close_command_descriptors();
  if (command != 0 && supervise(command, &exited)) {
    release_places();
    (void)send_packet(&exited, sizeof exited, -1);
  }
  release_places();
  _exit(0);
}
