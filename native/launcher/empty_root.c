/*
 * Inside: id maps first, since a namespace without them cannot create another; then a root with nothing in it.
 * All of this needs the capabilities that the clone into a new user namespace gave, and none of it is undone later.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "launcher.h"

/* Inside, the user is 65534 whoever it is outside: uid 0 exists on neither side, and nothing tells the host's ids. */
#define INSIDE_ID 65534

static void write_file(enum confinement_step step, const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) launcher_fail(step, errno, NULL);
  ssize_t length = (ssize_t)strlen(text);
  if (write(file, text, (size_t)length) != length) launcher_fail(step, errno, NULL);
  close(file);
}

void map_identity(void) {
  char map[64];
  write_file(STEP_DENY_SETGROUPS, "/proc/self/setgroups", "deny");
  snprintf(map, sizeof map, "%u %u 1\n", INSIDE_ID, identity.user_id);
  write_file(STEP_MAP_USER, "/proc/self/uid_map", map);
  snprintf(map, sizeof map, "%u %u 1\n", INSIDE_ID, identity.group_id);
  write_file(STEP_MAP_GROUP, "/proc/self/gid_map", map);
}

void make_mounts_private(void) {
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) launcher_fail(STEP_PRIVATE_MOUNTS, errno, NULL);
}

#define ROOT_FLAGS (MS_NOSUID | MS_NODEV | MS_NOEXEC)

void pivot_into_empty_root(const char *options) {
  /* Any directory does as a mount point, in this namespace only; /proc is there, or the maps had not been written. */
  if (mount("none", "/proc", "tmpfs", ROOT_FLAGS, options) < 0) launcher_fail(STEP_MOUNT_EMPTY_ROOT, errno, NULL);
  if (chdir("/proc") < 0) launcher_fail(STEP_MOUNT_EMPTY_ROOT, errno, NULL);
  /* With both arguments the same, the old root ends up on top of the new one, and is detached from there. */
  if (syscall(SYS_pivot_root, ".", ".") < 0) launcher_fail(STEP_PIVOT_ROOT, errno, NULL);
  if (umount2(".", MNT_DETACH) < 0) launcher_fail(STEP_DETACH_OLD_ROOT, errno, NULL);
  if (chdir("/") < 0) launcher_fail(STEP_DETACH_OLD_ROOT, errno, NULL);
}

void write_protect_root(void) {
  if (mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | ROOT_FLAGS, NULL) < 0)
    launcher_fail(STEP_READ_ONLY_ROOT, errno, NULL);
}

void forget_host_name(void) {
  if (sethostname("sandbox", 7) < 0 || setdomainname("", 0) < 0) launcher_fail(STEP_SET_HOST_NAME, errno, NULL);
}

void enter_empty_root(void) {
  map_identity();
  make_mounts_private();
  pivot_into_empty_root("size=4k,nr_inodes=1,mode=0555");
  /* The file system itself, and not only this mount of it: nothing else is on it. */
  if (mount(NULL, "/", NULL, MS_REMOUNT | MS_RDONLY | ROOT_FLAGS, NULL) < 0) launcher_fail(STEP_READ_ONLY_ROOT, errno, NULL);
  forget_host_name();
  if (setsid() < 0) launcher_fail(STEP_NEW_SESSION, errno, NULL);
}
