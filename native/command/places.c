/*
 * Held places: denied paths that do not exist, where an empty directory stands for as long as a command runs, so that nothing
 * else can be made there; removed afterwards.
 *
 * Commands that run at the same time may hold the same place. Whoever holds it has a shared lock on it; whoever lets go of it
 * removes it if it gets the lock for itself alone, and so was the last. Were it removed earlier, the mounts of the others on it
 * would go too. The mode says what it is: a place that a launcher left behind when it was killed is taken over by the next.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "launcher/launcher.h"

/* Mirrored by PLACE_MODE of src/executor/command/disk.ts. A directory that is its owner's alone needs no sticky bit: nobody sets it. */
#define PLACE_MODE (S_ISVTX | 0700)

/* A place is locked by one alone for no longer than its removal takes: milliseconds between attempts, and how many. */
#define ATTEMPT_MS 5
#define ATTEMPTS 400

static struct place {
  int parent, directory;
  const char *target, *name;
} *places;
static unsigned place_count;

bool holds_places(void) { return place_count > 0; }

static bool is_at(int directory, int parent, const char *name) {
  struct stat itself, there;
  return fstat(directory, &itself) == 0 && fstatat(parent, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
         itself.st_dev == there.st_dev && itself.st_ino == there.st_ino;
}

/* Makes it, or shares it. -1 with errno; EAGAIN: it is just being removed by another. */
static int take_place(int parent, const char *name) {
  if (mkdirat(parent, name, PLACE_MODE) < 0 && errno != EEXIST) return -1;
  int directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (directory < 0) {
    if (errno == ENOENT) errno = EAGAIN;
    return -1;
  }
  struct stat status;
  int error = 0;
  if (fstat(directory, &status) < 0) error = errno;
  else if ((status.st_mode & 07777) != PLACE_MODE) error = EEXIST; /* somebody made it since the plan was made */
  else if (flock(directory, LOCK_SH | LOCK_NB) < 0) error = errno;
  else if (!is_at(directory, parent, name)) error = EAGAIN;
  if (error == 0) return directory;
  close(directory);
  errno = error;
  return -1;
}

void hold_place(int parent, const char *name, const char *target) {
  int directory;
  for (int attempt = 0; (directory = take_place(parent, name)) < 0; attempt++) {
    if (errno != EAGAIN || attempt == ATTEMPTS) launcher_fail(STEP_HOLD_PLACE, errno, target);
    (void)nanosleep(&(struct timespec){.tv_nsec = ATTEMPT_MS * 1000000L}, NULL);
  }
  struct place *grown = realloc(places, (place_count + 1) * sizeof *grown);
  if (grown) places = grown;
  const char *copy = strdup(name);
  if (!grown || !copy) launcher_fail(STEP_HOLD_PLACE, ENOMEM, target);
  places[place_count++] = (struct place){parent, directory, target, copy};
}

void release_places(void) {
  /* The deepest first. Whatever became of a place, nothing but an empty directory is removed. */
  while (place_count > 0) {
    const struct place *place = &places[--place_count];
    while (umount2(place->target, MNT_DETACH | UMOUNT_NOFOLLOW) == 0)
      ;
    if (flock(place->directory, LOCK_EX | LOCK_NB) == 0 && is_at(place->directory, place->parent, place->name))
      (void)unlinkat(place->parent, place->name, AT_REMOVEDIR);
    close(place->directory);
    close(place->parent);
  }
}
