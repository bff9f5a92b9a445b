/*
 * Every step of confinement, numbered, in the order in which it is taken; 42 to 44 stand in for 16 to 25 where there are
 * no namespaces. A failed launch says which step failed. The first list is taken once per launcher, the second in each
 * sandbox after it was cloned.
 */
#ifndef WARDENPOOL_STEPS_H
#define WARDENPOOL_STEPS_H

#define LAUNCHER_STEPS(STEP)                                                                  \
  STEP(10, RECEIVE_CONFIGURATION, "receive the configuration")                                \
  STEP(11, CLOSE_INHERITED, "close inherited descriptors")                                    \
  STEP(12, RAISE_OOM_SCORE, "raise oom_score_adj, so that the kernel takes a sandbox first")  \
  STEP(13, DROP_GROUPS, "drop the supplementary groups of root")                              \
  STEP(14, SWITCH_GROUP, "switch to an unprivileged group")                                   \
  STEP(15, SWITCH_USER, "switch to an unprivileged user")                                     \
  STEP(16, CLONE_NAMESPACES, "create user, mount, PID, network, IPC, UTS and cgroup namespaces") \
  STEP(17, DENY_SETGROUPS, "deny setgroups in the user namespace")                            \
  STEP(18, MAP_USER, "map the user into the user namespace")                                  \
  STEP(19, MAP_GROUP, "map the group into the user namespace")                                \
  STEP(20, PRIVATE_MOUNTS, "make all mounts private")                                         \
  STEP(21, MOUNT_EMPTY_ROOT, "mount an empty root")                                           \
  STEP(22, PIVOT_ROOT, "pivot into the empty root")                                           \
  STEP(23, DETACH_OLD_ROOT, "detach the old root")                                            \
  STEP(24, READ_ONLY_ROOT, "make the root read-only")                                         \
  STEP(25, SET_HOST_NAME, "replace the host name")                                            \
  STEP(26, NEW_SESSION, "start a session of its own")                                         \
  STEP(27, SET_SIGNALS, "set signal dispositions")                                            \
  STEP(28, INITIALISE_ENGINE, "initialise the engine")                                        \
  STEP(29, REHEARSE, "rehearse a small program")                                              \
  STEP(30, OPEN_REPORT_PIPE, "open the pipe for failed steps")                                \
  STEP(31, MAP_TABLES, "map the tables of sandboxes and reports")                             \
  STEP(32, LIMIT_RESOURCES, "set resource limits")                                            \
  STEP(33, CLEAR_BOUNDING_SET, "empty the capability bounding and ambient sets")              \
  STEP(34, LOCK_SECUREBITS, "lock securebits")                                                \
  STEP(35, NO_NEW_PRIVILEGES, "set no_new_privs")                                             \
  STEP(36, LANDLOCK, "enter an empty Landlock domain")                                        \
  STEP(37, NOT_DUMPABLE, "become not dumpable")                                               \
  STEP(38, BUILD_FILTERS, "build the seccomp filters")                                        \
  STEP(39, LAUNCHER_CAPABILITIES, "keep only CAP_SYS_ADMIN, to clone PID namespaces")         \
  STEP(40, PARENT_DEATH_SIGNAL, "ask to die with the host")                                   \
  STEP(41, ZYGOTE_FILTER, "install the launcher's seccomp filter")                             \
  STEP(42, BECOME_SUBREAPER, "become the reaper of the sandboxes whose launcher has died")      \
  STEP(43, CLONE_LAUNCHER, "clone the launcher's process")                                      \
  STEP(44, LEAVE_DIRECTORY, "leave the host's working directory")

#define SANDBOX_STEPS(STEP)                                                                   \
  STEP(50, CLONE_SANDBOX, "clone the sandbox into its PID namespace")                         \
  STEP(51, PLACE_DESCRIPTORS, "place descriptors 0 to 3")                                     \
  STEP(52, SANDBOX_SESSION, "start a session of its own in a strict sandbox")                      \
  STEP(53, PREPARE_RUNNER, "reseed and prepare the runner")                                   \
  STEP(54, SANDBOX_BOUNDING_SET, "empty the bounding set of the sandbox's user namespace")    \
  STEP(55, SANDBOX_SECUREBITS, "lock securebits in the sandbox's user namespace")             \
  STEP(56, SANDBOX_LIMITS, "set the sandbox's resource limits")                               \
  STEP(57, DROP_CAPABILITIES, "drop all capabilities")                                        \
  STEP(58, SANDBOX_DEATH_SIGNAL, "ask to die with the launcher")                              \
  STEP(59, CLOSE_DESCRIPTORS, "close all descriptors above 3")                                \
  STEP(60, RUNNER_FILTER, "install the runner's seccomp filter")

/* Of a launcher that serves one command: after 10 to 25 where they apply, in the order of the plan's operations. */
#define COMMAND_LAUNCHER_STEPS(STEP)                                                           \
  STEP(70, READ_PLAN, "read the command's plan")                                              \
  STEP(71, CLONE_GRANT, "open a granted path")                                                \
  STEP(72, MAP_OWNER, "map the owner of a granted path to the sandbox's user")                \
  STEP(73, MAKE_ENTRY, "make an entry of the sandbox's root")                                 \
  STEP(74, GRANT, "mount a granted path")                                                     \
  STEP(75, MOUNT_TEMPORARY, "mount a private temporary directory")                            \
  STEP(76, MOUNT_PROC, "mount procfs")                                                        \
  STEP(77, HIDE, "hide a denied path")                                                        \
  STEP(78, WRITE_PROTECT, "write-protect a path")                                             \
  STEP(79, PIN, "keep a directory above a protected path in place")                           \
  STEP(80, HOLD_PLACE, "hold the place of a denied path that does not exist")                 \
  STEP(81, LOOPBACK, "bring up the loopback interface")                                       \
  STEP(82, SUBREAPER, "adopt the processes that the command leaves behind")                   \
  STEP(83, COMMAND_LANDLOCK, "enter a Landlock domain")                                       \
  STEP(84, BUILD_COMMAND_FILTER, "build the command's seccomp filter")                        \
  STEP(85, COMMAND_LAUNCHER_CAPABILITIES, "drop the launcher's capabilities")                 \
  STEP(86, START_TOOL, "start the program that makes the sandbox")                            \
  STEP(87, TOOL, "have the sandbox made") \
  STEP(88, ABSENT, "find that a denied path still does not exist")

#define COMMAND_STEPS(STEP)                                                                   \
  STEP(90, CLONE_COMMAND, "clone the command's process")                                      \
  STEP(91, PLACE_COMMAND_DESCRIPTORS, "place the command's descriptors")                      \
  STEP(92, COMMAND_SESSION, "start a session of its own")                                     \
  STEP(93, COMMAND_LIMITS, "set the command's resource limits")                               \
  STEP(94, COMMAND_CAPABILITIES, "drop all capabilities of the command")                      \
  STEP(95, ENTER_DIRECTORY, "enter the working directory")                                    \
  STEP(96, COMMAND_FILTER, "install the command's seccomp filter")                            \
  STEP(97, EXECUTE, "execute the command")

#define DECLARE_STEP(number, name, text) STEP_##name = number,
enum confinement_step {
  LAUNCHER_STEPS(DECLARE_STEP) SANDBOX_STEPS(DECLARE_STEP) COMMAND_LAUNCHER_STEPS(DECLARE_STEP) COMMAND_STEPS(DECLARE_STEP)
};
#undef DECLARE_STEP

#endif
