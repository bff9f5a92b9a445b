/*
 * Removes a directory whatever is in it, with no more rights than whoever put it there. Each directory in it is moved to its top
 * before it is emptied: so two descriptors are enough for any depth, no path ever grows, and no link is followed.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "command.h"
#include "launcher/launcher.h"

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

/* Its owner may do anything with it from here on. A descriptor, or -1. */
static int open_writable_directory(int parent, const char *name) {
  int place = openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (place < 0) return -1;
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", place);
  (void)chmod(path, 0700);
  int directory = openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  close(place);
  return directory;
}

static DIR *list_of(int directory) {
  int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return copy < 0 ? NULL : fdopendir(copy);
}

static const char *next_name(DIR *list) {
  for (struct dirent *entry; (entry = readdir(list));)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) return entry->d_name;
  return NULL;
}

static bool move_up(int directory, const char *name, int top) {
  static unsigned long last;
  int moved = open_writable_directory(directory, name); /* without which its ".." could not be changed */
  if (moved >= 0) close(moved);
  for (;;) {
    char fresh[32];
    snprintf(fresh, sizeof fresh, "%lu", ++last);
    if (syscall(SYS_renameat2, directory, name, top, fresh, RENAME_NOREPLACE) == 0) return true;
    if (errno != EEXIST) return false;
  }
}

/* Whether nothing of it is left. */
static bool remove_flat(int top, const char *name) {
  int directory = open_writable_directory(top, name);
  DIR *list = directory < 0 ? NULL : list_of(directory);
  for (const char *entry; list && (entry = next_name(list));)
    if (unlinkat(directory, entry, 0) < 0 && errno == EISDIR) (void)move_up(directory, entry, top);
  if (list) closedir(list);
  if (directory >= 0) close(directory);
  return unlinkat(top, name, AT_REMOVEDIR) == 0;
}

int remove_directory(const char *path) {
  if (is_root_outside()) leave_root();
  int top = open_writable_directory(AT_FDCWD, path);
  /* What is moved up may or may not be listed in the same turn; a turn that removes nothing is the last. */
  for (bool goes_on = top >= 0; goes_on;) {
    goes_on = false;
    DIR *list = list_of(top);
    for (const char *entry; list && (entry = next_name(list));)
      if (unlinkat(top, entry, 0) == 0 || remove_flat(top, entry)) goes_on = true;
    if (list) closedir(list);
  }
  if (top >= 0) close(top);
  /* The directory that it is in may be somebody else's, who then removes it, empty. */
  return rmdir(path) == 0 || errno == EACCES || errno == ENOENT ? 0 : 1;
}
