/*
 * The system calls that no command may make, as data: the filter is compiled from these lists, and so are its documentation
 * (docs/system-calls.md) and its tests. Everything else is allowed: a command may be any program. What is refused is what
 * reaches out of a sandbox, builds another one, or has been the way out of many.
 *
 * A list is given two macros, by which its reader says what becomes of an entry; the launcher's binary has no reason in it.
 *   REFUSE(number, name, error, reason)         every call fails with this errno
 *   RESTRICT(number, name, arguments, reason)   so described arguments fail with EPERM: restrict_NAME() of command_filter.c
 * Errno is EPERM, or ENOSYS where programs know how to do without. The numbers of calls that are newer than the headers may be
 * stand here themselves; they are the same on every 64-bit architecture.
 */
#ifndef WARDENPOOL_REFUSED_CALLS_H
#define WARDENPOOL_REFUSED_CALLS_H

#include <errno.h>
#include <sys/syscall.h>

/* Numbers from here on were not thought of, and do not exist (ENOSYS): new calls, and the whole x32 interface. */
#define FIRST_UNKNOWN_CALL 463

#define REFUSED_NAMESPACE_CALLS(REFUSE, RESTRICT)                                                                     \
  RESTRICT(SYS_clone, clone, "flags with a new namespace",                                                            \
           "with capabilities in a namespace, most of the kernel can be reached (CVE-2022-0185, CVE-2023-32233)")     \
  REFUSE(435, clone3, ENOSYS, "its flags are in memory, where no filter can look; the C library falls back to clone") \
  REFUSE(SYS_unshare, unshare, EPERM, "as clone with a new namespace (CVE-2022-0492)")                                \
  REFUSE(SYS_setns, setns, EPERM, "into namespaces of others, by a descriptor")                                       \
  REFUSE(SYS_mount, mount, EPERM, "another view of the files (CVE-2021-3493, CVE-2023-0386)")                         \
  REFUSE(SYS_umount2, umount2, EPERM, "takes away what hides or protects a path")                                     \
  REFUSE(SYS_pivot_root, pivot_root, EPERM, "another root")                                                           \
  REFUSE(SYS_chroot, chroot, EPERM, "another root; the classic way out of one")                                       \
  REFUSE(428, open_tree, EPERM, "a copy of mounts, without what is mounted on them")                                  \
  REFUSE(429, move_mount, EPERM, "as mount")                                                                          \
  REFUSE(430, fsopen, EPERM, "a new file system (CVE-2022-0185)")                                                     \
  REFUSE(431, fsconfig, EPERM, "a new file system (CVE-2022-0185)")                                                   \
  REFUSE(432, fsmount, EPERM, "a new file system")                                                                    \
  REFUSE(433, fspick, EPERM, "changes a mounted file system")                                                         \
  REFUSE(442, mount_setattr, EPERM, "makes what is read-only writable")                                               \
  REFUSE(457, statmount, EPERM, "tells of the host's mounts")                                                         \
  REFUSE(458, listmount, EPERM, "tells of the host's mounts")

#define REFUSED_KERNEL_CALLS(REFUSE, RESTRICT)                                                                        \
  REFUSE(SYS_add_key, add_key, EPERM, "keyrings are in no namespace (CVE-2017-15274)")                                \
  REFUSE(SYS_request_key, request_key, EPERM, "the kernel runs a program of the host for it")                         \
  REFUSE(SYS_keyctl, keyctl, EPERM, "keyrings are in no namespace (CVE-2016-0728)")                                   \
  REFUSE(SYS_bpf, bpf, EPERM, "programs in the kernel (CVE-2017-16995, CVE-2021-3490)")                               \
  REFUSE(SYS_perf_event_open, perf_event_open, EPERM, "looks into the kernel and others (CVE-2013-2094)")             \
  REFUSE(SYS_userfaultfd, userfaultfd, EPERM, "stops the kernel in the middle of a copy: races become certain")       \
  REFUSE(447, memfd_secret, EPERM, "memory that nobody can account for or look into")                                 \
  REFUSE(425, io_uring_setup, ENOSYS, "calls that no filter sees (CVE-2021-41073, CVE-2022-29582, CVE-2023-2598)")    \
  REFUSE(426, io_uring_enter, ENOSYS, "as io_uring_setup")                                                            \
  REFUSE(427, io_uring_register, ENOSYS, "as io_uring_setup")                                                         \
  RESTRICT(SYS_socket, socket, "family other than AF_UNIX, AF_INET, AF_INET6",                                        \
           "some forty protocols that hardly anybody tests (AF_PACKET: CVE-2020-14386, AF_VSOCK: CVE-2021-26708, "    \
           "AF_ALG: CVE-2019-8912, AF_NETLINK: CVE-2024-1086)")                                                       \
  RESTRICT(SYS_socketpair, socketpair, "family other than AF_UNIX", "as socket (AF_TIPC: CVE-2021-43267)")            \
  RESTRICT(SYS_ioctl, ioctl, "request TIOCSTI or TIOCLINUX",                                                          \
           "bytes pushed into a terminal are read by the caller's shell (CVE-2017-5226, CVE-2023-1523)")              \
  RESTRICT(SYS_personality, personality, "persona other than 0 and 0xffffffff",                                       \
           "would turn address randomisation off, or what is readable into executable")

#define REFUSED_PROCESS_CALLS(REFUSE, RESTRICT)                                                                       \
  REFUSE(SYS_ptrace, ptrace, EPERM, "other processes, the launcher among them (CVE-2019-13272)")                      \
  REFUSE(SYS_process_vm_readv, process_vm_readv, EPERM, "memory of other processes")                                  \
  REFUSE(SYS_process_vm_writev, process_vm_writev, EPERM, "memory of other processes")                                \
  REFUSE(SYS_kcmp, kcmp, EPERM, "compares what other processes have; orders kernel addresses")                        \
  REFUSE(438, pidfd_getfd, EPERM, "descriptors of other processes")                                                   \
  REFUSE(440, process_madvise, EPERM, "memory of other processes")                                                    \
  RESTRICT(SYS_prlimit64, prlimit64, "a new limit for PID 1",                                                         \
           "the launcher is of the same user: a limit on its CPU time would kill it before it cleaned up")

/* A file in the workspace of a root host is root's: with a set-id bit it would be a way up, for others outside. */
#define REFUSED_FILE_CALLS(REFUSE, RESTRICT)                                                                          \
  REFUSE(SYS_open_by_handle_at, open_by_handle_at, EPERM, "files by handle, past every mount (Docker's 'Shocker')")   \
  REFUSE(SYS_name_to_handle_at, name_to_handle_at, EPERM, "makes the handles")                                        \
  RESTRICT(SYS_fchmod, fchmod, "mode with a set-id bit", "a way up for others outside")                               \
  RESTRICT(SYS_fchmodat, fchmodat, "mode with a set-id bit", "a way up for others outside")                           \
  RESTRICT(452, fchmodat2, "mode with a set-id bit", "a way up for others outside")                                   \
  RESTRICT(SYS_mknodat, mknodat, "mode with a set-id bit", "a way up for others outside")                             \
  RESTRICT(SYS_openat, openat, "a new file with a set-id bit", "a way up for others outside")                         \
  REFUSE(437, openat2, ENOSYS, "its mode is in memory, where no filter can look; programs fall back to openat")

/* All need a capability as well, and a command has none. */
#define REFUSED_MACHINE_CALLS(REFUSE, RESTRICT)                                                                       \
  REFUSE(SYS_kexec_load, kexec_load, EPERM, "another kernel")                                                         \
  REFUSE(SYS_kexec_file_load, kexec_file_load, EPERM, "another kernel")                                               \
  REFUSE(SYS_init_module, init_module, EPERM, "code in the kernel")                                                   \
  REFUSE(SYS_finit_module, finit_module, EPERM, "code in the kernel")                                                 \
  REFUSE(SYS_delete_module, delete_module, EPERM, "code in the kernel")                                               \
  REFUSE(SYS_reboot, reboot, EPERM, "the machine")                                                                    \
  REFUSE(SYS_swapon, swapon, EPERM, "the machine's memory")                                                           \
  REFUSE(SYS_swapoff, swapoff, EPERM, "the machine's memory")                                                         \
  REFUSE(SYS_acct, acct, EPERM, "the machine's accounting")                                                           \
  REFUSE(SYS_quotactl, quotactl, EPERM, "the machine's quotas")                                                       \
  REFUSE(443, quotactl_fd, EPERM, "the machine's quotas")                                                             \
  REFUSE(SYS_syslog, syslog, EPERM, "the kernel's log, with its addresses")                                           \
  REFUSE(SYS_settimeofday, settimeofday, EPERM, "the machine's clock")                                                \
  REFUSE(SYS_clock_settime, clock_settime, EPERM, "the machine's clock")                                              \
  REFUSE(SYS_clock_adjtime, clock_adjtime, EPERM, "the machine's clock")                                              \
  REFUSE(SYS_adjtimex, adjtimex, EPERM, "the machine's clock")                                                        \
  REFUSE(SYS_sethostname, sethostname, EPERM, "the machine's name")                                                   \
  REFUSE(SYS_setdomainname, setdomainname, EPERM, "the machine's name")                                               \
  REFUSE(SYS_vhangup, vhangup, EPERM, "takes the terminal from everybody")                                            \
  REFUSE(SYS_fanotify_init, fanotify_init, EPERM, "sees, and can hold up, what others open")                          \
  REFUSE(SYS_nfsservctl, nfsservctl, EPERM, "gone from the kernel")                                                   \
  REFUSE(SYS_lookup_dcookie, lookup_dcookie, EPERM, "tells paths of the host; gone from the kernel")

/* Of x86-64 only. */
#define REFUSED_X86_64_CALLS(REFUSE, RESTRICT)                                                                        \
  RESTRICT(SYS_chmod, chmod, "mode with a set-id bit", "a way up for others outside")                                 \
  RESTRICT(SYS_mknod, mknod, "mode with a set-id bit", "a way up for others outside")                                 \
  RESTRICT(SYS_creat, creat, "mode with a set-id bit", "a way up for others outside")                                 \
  RESTRICT(SYS_open, open, "a new file with a set-id bit", "a way up for others outside")                             \
  REFUSE(SYS_modify_ldt, modify_ldt, EPERM, "segments of its own, 16-bit ones too (CVE-2017-17053)")                  \
  REFUSE(SYS_iopl, iopl, EPERM, "the machine's ports")                                                                \
  REFUSE(SYS_ioperm, ioperm, EPERM, "the machine's ports")                                                            \
  REFUSE(SYS_uselib, uselib, EPERM, "gone from use (CVE-2004-1235)")                                                  \
  REFUSE(SYS__sysctl, _sysctl, EPERM, "gone from the kernel")                                                         \
  REFUSE(SYS_create_module, create_module, EPERM, "gone from the kernel")                                             \
  REFUSE(SYS_get_kernel_syms, get_kernel_syms, EPERM, "gone from the kernel")                                         \
  REFUSE(SYS_query_module, query_module, EPERM, "gone from the kernel")

#if defined(__x86_64__)
#define REFUSED_ARCHITECTURE_CALLS REFUSED_X86_64_CALLS
#else
#define REFUSED_ARCHITECTURE_CALLS(REFUSE, RESTRICT)
#endif

#define REFUSED_CALLS(REFUSE, RESTRICT)         \
  REFUSED_NAMESPACE_CALLS(REFUSE, RESTRICT)     \
  REFUSED_KERNEL_CALLS(REFUSE, RESTRICT)        \
  REFUSED_PROCESS_CALLS(REFUSE, RESTRICT)       \
  REFUSED_FILE_CALLS(REFUSE, RESTRICT)          \
  REFUSED_MACHINE_CALLS(REFUSE, RESTRICT)       \
  REFUSED_ARCHITECTURE_CALLS(REFUSE, RESTRICT)

#endif
