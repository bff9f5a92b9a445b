/*
 * The calls that can be made to fail: every one by which the launcher, a sandbox before its last step, or the addon asks the kernel or
 * the C library for something that it may be refused. With each, what it returns when it fails. The linker is told to wrap these names
 * (binding.gyp reads this file).
 */
#ifndef WARDENPOOL_CALLS_H
#define WARDENPOOL_CALLS_H

#define CALLS(CALL) \
  CALL(access, -1) CALL(chdir, -1) CALL(chmod, -1) CALL(dup2, -1) CALL(dup3, -1) CALL(epoll_create1, -1) CALL(epoll_ctl, -1) \
  CALL(epoll_wait, -1) CALL(fchmod, -1) CALL(fcntl64, -1) CALL(flock, -1) CALL(fstat64, -1) CALL(fstatat64, -1) \
  CALL(fstatvfs64, -1) CALL(getgroups, -1) CALL(getrandom, -1) CALL(getrlimit64, -1) CALL(ioctl, -1) CALL(lseek64, -1) \
  CALL(madvise, -1) CALL(memfd_create, -1) CALL(mkdir, -1) CALL(mkdirat, -1) CALL(mmap64, -1) CALL(mount, -1) CALL(mprotect, -1) \
  CALL(mremap, -1) CALL(open64, -1) CALL(openat64, -1) CALL(pipe2, -1) CALL(poll, -1) CALL(ppoll, -1) CALL(prctl, -1) \
  CALL(pread64, -1) CALL(read, -1) CALL(recv, -1) CALL(recvmsg, -1) CALL(rmdir, -1) CALL(send, -1) CALL(sendmsg, -1) \
  CALL(setdomainname, -1) CALL(setgroups, -1) CALL(sethostname, -1) CALL(setitimer, -1) CALL(setpgid, -1) CALL(setresgid, -1) \
  CALL(setresuid, -1) CALL(setrlimit64, -1) CALL(setsid, -1) CALL(sigaction, -1) CALL(sigaltstack, -1) CALL(sigprocmask, -1) \
  CALL(socket, -1) CALL(socketpair, -1) CALL(statvfs64, -1) CALL(statx, -1) CALL(symlinkat, -1) CALL(umount2, -1) CALL(unlink, -1) \
  CALL(unlinkat, -1) CALL(wait4, -1) CALL(waitid, -1) CALL(waitpid, -1) \
  CALL(calloc, 0) CALL(fdopendir, 0) CALL(fopen64, 0) CALL(malloc, 0) CALL(realloc, 0) CALL(strdup, 0) CALL(strndup, 0)

/* Those that wrappers.c has written out, since they do more than fail. */
#define OTHER_CALLS(CALL) CALL(clock_gettime, -1) CALL(clone, -1) CALL(execve, -1) CALL(fork, -1) CALL(syscall, -1) CALL(write, -1)

#endif
