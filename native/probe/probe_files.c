/* Files: single operations on paths that the test names, and attacks that need many of them. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "probe_command.h"

/* The result of the last open, closed again. */
static long closed(int descriptor) {
  if (descriptor >= 0) close(descriptor);
  return descriptor;
}

static long read_file(const char *path, const char *unused) {
  (void)unused;
  char byte;
  int file = open(path, O_RDONLY | O_NONBLOCK);
  long result = file < 0 ? -1 : read(file, &byte, 1);
  int error = errno;
  closed(file);
  errno = error;
  return result;
}

static long list(const char *path, const char *unused) {
  (void)unused;
  DIR *directory = opendir(path);
  if (!directory) return -1;
  errno = 0;
  long result = readdir(directory) || errno == 0 ? 0 : -1;
  closedir(directory);
  return result;
}

static long write_file(const char *path, const char *unused) {
  (void)unused;
  return closed(open(path, O_WRONLY | O_NONBLOCK));
}
static long overwrite(const char *path, const char *unused) {
  (void)unused;
  int file = open(path, O_WRONLY | O_APPEND);
  long result = file < 0 ? -1 : write(file, "x", 1);
  closed(file);
  return result;
}
static long create(const char *path, const char *unused) {
  (void)unused;
  return closed(open(path, O_WRONLY | O_CREAT | O_EXCL, 0644));
}
static long make_directory(const char *path, const char *unused) { return (void)unused, mkdir(path, 0755); }
static long remove_file(const char *path, const char *unused) { return (void)unused, unlink(path); }
static long remove_directory(const char *path, const char *unused) { return (void)unused, rmdir(path); }
static long change_mode(const char *path, const char *unused) { return (void)unused, chmod(path, 0777); }
static long cut(const char *path, const char *unused) { return (void)unused, truncate(path, 0); }
static long touch(const char *path, const char *unused) {
  (void)unused;
  return utimensat(AT_FDCWD, path, NULL, 0);
}
static long set_attribute(const char *path, const char *unused) {
  (void)unused;
  return setxattr(path, "user.probe", "1", 1, 0);
}
static long temporary_file(const char *path, const char *unused) {
  (void)unused;
  return closed(open(path, O_WRONLY | O_TMPFILE, 0600));
}
static long make_fifo(const char *path, const char *unused) { return (void)unused, mkfifo(path, 0600); }
static long make_device(const char *path, const char *unused) {
  (void)unused;
  return mknod(path, S_IFCHR | 0600, 0x103); /* null */
}
static long move(const char *from, const char *to) { return rename(from, to); }
static long exchange(const char *from, const char *to) {
  return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 2u);
}
static long hard_link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, AT_SYMLINK_FOLLOW); }
static long soft_link(const char *to, const char *path) { return symlink(to, path); }
/* `path`, seen from a descriptor of `directory`. */
static long open_at(const char *directory, const char *path) {
  int at = open(directory, O_PATH);
  if (at < 0) return -1;
  long result = closed(openat(at, path, O_RDONLY));
  int error = errno;
  closed(at);
  errno = error;
  return result;
}
/* Opens `path` without reading it, and then for writing by its name among the descriptors. */
static long reopen(const char *path, const char *unused) {
  (void)unused;
  int at = open(path, O_PATH);
  if (at < 0) return -1;
  long result = closed(open(text("/proc/self/fd/%d", at), O_WRONLY | O_NONBLOCK));
  int error = errno;
  closed(at);
  errno = error;
  return result;
}

static const struct {
  const char *name;
  int paths;
  long (*attempt)(const char *path, const char *other);
} operations[] = {
    {"read", 1, read_file}, {"list", 1, list}, {"write", 1, write_file}, {"overwrite", 1, overwrite},
    {"create", 1, create}, {"mkdir", 1, make_directory}, {"unlink", 1, remove_file}, {"rmdir", 1, remove_directory},
    {"chmod", 1, change_mode}, {"truncate", 1, cut}, {"touch", 1, touch}, {"xattr", 1, set_attribute},
    {"tmpfile", 1, temporary_file}, {"fifo", 1, make_fifo}, {"device", 1, make_device}, {"reopen", 1, reopen},
    {"rename", 2, move}, {"exchange", 2, exchange}, {"link", 2, hard_link}, {"symlink", 2, soft_link},
    {"openat", 2, open_at},
};

/* An operation and its paths, again and again. "wait" tells the host what came of the ones before, and waits for it. */
static void files(char **arguments) {
  while (*arguments) {
    const char *name = *arguments++;
    if (strcmp(name, "wait") == 0) {
      send_reports();
      wait_for_host();
    }
    for (unsigned i = 0; i < sizeof operations / sizeof operations[0]; i++) {
      if (strcmp(operations[i].name, name) != 0) continue;
      const char *path = *arguments ? *arguments++ : "";
      const char *other = operations[i].paths == 2 && *arguments ? *arguments++ : NULL;
      errno = 0;
      long result = operations[i].attempt(path, other);
      int error = errno;
      const char *attempt = other ? text("%s %s %s", name, path, other) : text("%s %s", name, path);
      errno = error;
      report(attempt, result);
    }
  }
}

/* Looks at one path so many times, and says everything that it began with. */
static void watch(char **arguments) {
  char seen[16][17];
  unsigned count = 0;
  int rounds = arguments[0] && arguments[1] ? atoi(arguments[1]) : 0;
  for (int round = 0; round < rounds; round++) {
    char start[17] = "";
    int file = open(arguments[0], O_RDONLY);
    if (file < 0) continue;
    ssize_t length = read(file, start, sizeof start - 1);
    close(file);
    if (length <= 0) continue;
    start[strcspn(start, "\n")] = '\0';
    unsigned i = 0;
    while (i < count && strcmp(seen[i], start) != 0) i++;
    if (i == count && count < 16) strcpy(seen[count++], start);
  }
  for (unsigned i = 0; i < count; i++) report(seen[i], 0);
}

/* Every call that can give a file a set-id bit, in one directory; and whether any file there has one afterwards. */
static void set_id(char **arguments) {
  if (!arguments[0] || chdir(arguments[0]) < 0) return report("chdir", -1);
  closed(creat("plain", 0755));
  int file = open("plain", O_RDWR);
  const mode_t bits[] = {S_ISUID, S_ISGID};
  const char *const names[] = {"set-user-id", "set-group-id"};
  for (int i = 0; i < 2; i++) {
    mode_t mode = bits[i] | 0755;
#define TRY(what, call) report(text("%s %s", names[i], what), (call))
#if defined(__x86_64__)
    TRY("chmod", syscall(SYS_chmod, "plain", mode));
    TRY("open", closed((int)syscall(SYS_open, text("open-%d", i), O_WRONLY | O_CREAT, mode)));
    TRY("open O_TMPFILE", closed((int)syscall(SYS_open, ".", O_WRONLY | O_TMPFILE, mode)));
    TRY("creat", closed((int)syscall(SYS_creat, text("creat-%d", i), mode)));
    TRY("mknod", syscall(SYS_mknod, text("mknod-%d", i), S_IFREG | mode, 0));
#endif
    TRY("fchmod", syscall(SYS_fchmod, file, mode));
    TRY("fchmodat", syscall(SYS_fchmodat, AT_FDCWD, "plain", mode));
    TRY("fchmodat2", syscall(452, AT_FDCWD, "plain", mode, 0));
    TRY("openat", closed((int)syscall(SYS_openat, AT_FDCWD, text("openat-%d", i), O_WRONLY | O_CREAT, mode)));
    TRY("openat O_TMPFILE", closed((int)syscall(SYS_openat, AT_FDCWD, ".", O_WRONLY | O_TMPFILE, mode)));
    TRY("mknodat", syscall(SYS_mknodat, AT_FDCWD, text("mknodat-%d", i), S_IFREG | mode, 0));
    const unsigned long long how[3] = {O_WRONLY | O_CREAT, mode, 0};
    TRY("openat2", closed((int)syscall(437, AT_FDCWD, text("openat2-%d", i), how, sizeof how)));
    int bound = socket(AF_UNIX, SOCK_STREAM, 0);
    TRY("a socket's mode", fchmod(bound, mode));
    closed(bound);
#undef TRY
  }
  /* A program with CAP_SETUID in its file: revision 2, effective. */
  const unsigned capability[5] = {0x02000001u, 1u << 7, 0, 0, 0};
  report("file capability", fsetxattr(file, "security.capability", capability, sizeof capability, 0));
  closed(file);
  int with_bits = 0;
  DIR *directory = opendir(".");
  for (struct dirent *entry; directory && (entry = readdir(directory));) {
    struct stat status;
    if (lstat(entry->d_name, &status) == 0 && S_ISREG(status.st_mode) && (status.st_mode & (S_ISUID | S_ISGID)))
      with_bits += strncmp(entry->d_name, "of-the-host", 11) != 0;
  }
  if (directory) closedir(directory);
  report_number("files with such a bit", with_bits);
}

/* For the host, not for a sandbox: exchanges what two paths are, until it is killed. Neither is ever missing. */
static void swaps(char **arguments) {
  long result = arguments[0] && arguments[1] ? exchange(arguments[0], arguments[1]) : -1;
  report("swapped", result);
  send_reports();
  while (result == 0) result = exchange(arguments[0], arguments[1]);
}

static void fill(char **arguments) {
  if (!arguments[0] || chdir(arguments[0]) < 0) return report("chdir", -1);
  static const char block[65536];
  int file = open("large", O_WRONLY | O_CREAT | O_EXCL, 0600);
  long long bytes = 0;
  ssize_t written = 0;
  while (file >= 0 && bytes < (1ll << 32) && (written = write(file, block, sizeof block)) > 0) bytes += written;
  report("the last write", written);
  report_number("bytes", bytes);
  unlink("large");
  closed(file);
  int entries = 0;
  while (entries < 1000000 && closed(open(text("entry-%d", entries), O_WRONLY | O_CREAT | O_EXCL, 0600)) >= 0) entries++;
  report("the last entry", -1);
  report_number("entries", entries);
}

#define MEMORY_KEY 0x57415244

/* Memory that other processes find by a number. */
static void shared_memory(char **arguments) {
  bool makes = arguments[0] && strcmp(arguments[0], "make") == 0;
  report("shmget", shmget(MEMORY_KEY, 4096, makes ? IPC_CREAT | 0666 : 0));
}

const struct probe file_probes[] = {
    {"files", files}, {"watch", watch}, {"swaps", swaps}, {"set-id", set_id}, {"fill", fill},
    {"shared-memory", shared_memory}, {NULL, NULL},
};
