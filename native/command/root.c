/*
 * The root of one command: an empty tmpfs, in which the plan's operations make mount points and mount what is granted.
 *
 * Nothing here follows a link. Below a granted path other processes, of the host or of an earlier command, may change
 * names at any moment; every operation opens its target component by component, works on that descriptor, and fails on a
 * link. Mounts hold on to what they were mounted on, whatever becomes of its name.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "launcher/launcher.h"
#include "mount_api.h"

/* File systems in which mount points may be made: the root and the temporaries, which all are this command's own. */
static dev_t *own_devices;
static unsigned own_device_count;

/* Two things that hide what they are mounted on: nobody can read them, and on a read-only mount nobody can change that. */
static int hidden_directory, hidden_file;

static bool is_own(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) < 0) return false;
  for (unsigned i = 0; i < own_device_count; i++)
    if (own_devices[i] == status.st_dev) return true;
  return false;
}

static void own(int descriptor, const struct operation *operation) {
  struct stat status;
  dev_t *grown = realloc(own_devices, (own_device_count + 1) * sizeof *grown);
  if (!grown || fstat(descriptor, &status) < 0) launcher_fail(STEP_MOUNT_TEMPORARY, errno, operation ? operation->target : "/");
  own_devices = grown;
  own_devices[own_device_count++] = status.st_dev;
}

enum make { MAKE_NOTHING, MAKE_DIRECTORY, MAKE_FILE };

/*
 * Opens a path of the new root as O_PATH, without following a link. What is missing is made if `make` says what: only in
 * file systems of our own.
 * A descriptor, or -1 with errno.
 */
static int open_target(const char *path, enum make make, mode_t mode) {
  int at = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  char *copy = strdup(path), *rest = copy;
  for (char *name; at >= 0 && copy && (name = strsep(&rest, "/"));) {
    if (*name == '\0') continue;
    while (rest && *rest == '/') rest++;
    bool last = !rest || *rest == '\0';
    int flags = O_PATH | O_NOFOLLOW | O_CLOEXEC | (last ? 0 : O_DIRECTORY);
    int next = openat(at, name, flags);
    if (next < 0 && errno == ENOENT && make != MAKE_NOTHING && is_own(at)) {
      bool as_file = last && make == MAKE_FILE;
      int made = as_file ? openat(at, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
                         : mkdirat(at, name, last ? mode : 0755);
      if (made >= 0 && as_file) close(made);
      if (made >= 0 || errno == EEXIST) next = openat(at, name, flags);
    }
    int error = errno;
    close(at);
    errno = error;
    at = next;
  }
  int error = errno;
  free(copy);
  errno = error;
  struct stat status;
  if (at < 0) return -1;
  if (fstat(at, &status) == 0 && !S_ISLNK(status.st_mode)) return at;
  close(at);
  errno = ELOOP;
  return -1;
}

static void attach(int tree, int target, enum confinement_step step, const struct operation *operation) {
  if (attach_tree(tree, target) < 0) launcher_fail(step, errno, operation->target);
  close(tree);
  close(target);
}

static bool is_directory(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode);
}

static void make_directory(const struct operation *operation) {
  int directory = open_target(operation->target, MAKE_DIRECTORY, (mode_t)operation->a);
  if (directory < 0) launcher_fail(STEP_MAKE_ENTRY, errno, operation->target);
  close(directory);
}

static void make_file(const struct operation *operation) {
  int target = open_target(operation->target, MAKE_FILE, 0600);
  if (target < 0 || !is_own(target)) launcher_fail(STEP_MAKE_ENTRY, target < 0 ? errno : EEXIST, operation->target);
  close(target);
  int file = open(operation->target, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0 || write(file, operation->text, operation->text_length) != (ssize_t)operation->text_length ||
      fchmod(file, (mode_t)operation->a) < 0)
    launcher_fail(STEP_MAKE_ENTRY, errno, operation->target);
  close(file);
}

/* Opens the directory of the operation's target; `name` is the rest, and part of the target. */
static int open_parent(const struct operation *operation, enum make make, enum confinement_step step, const char **name) {
  const char *slash = strrchr(operation->target, '/');
  char *path = slash ? strndup(operation->target, (size_t)(slash - operation->target)) : NULL;
  if (!path) launcher_fail(step, EINVAL, operation->target);
  int parent = open_target(path, make, 0755);
  if (parent < 0) launcher_fail(step, errno, operation->target);
  free(path);
  *name = slash + 1;
  return parent;
}

static void make_link(const struct operation *operation) {
  const char *name;
  int parent = open_parent(operation, MAKE_DIRECTORY, STEP_MAKE_ENTRY, &name);
  if (!is_own(parent)) launcher_fail(STEP_MAKE_ENTRY, EEXIST, operation->target);
  if (symlinkat(operation->text, parent, name) < 0) launcher_fail(STEP_MAKE_ENTRY, errno, operation->target);
  close(parent);
}

static void grant(struct operation *operation) {
  enum make make = is_directory(operation->tree) ? MAKE_DIRECTORY : MAKE_FILE;
  int target = open_target(operation->target, make, make == MAKE_DIRECTORY ? 0755 : 0444);
  if (target < 0) launcher_fail(STEP_GRANT, errno, operation->target);
  attach(operation->tree, target, STEP_GRANT, operation);
}

static void mount_temporary(const struct operation *operation) {
  char options[96];
  snprintf(options, sizeof options, "size=%llu,nr_inodes=%llu,mode=0700", (unsigned long long)operation->a,
           (unsigned long long)operation->b);
  int target = open_target(operation->target, MAKE_DIRECTORY, 0700);
  if (target < 0) launcher_fail(STEP_MOUNT_TEMPORARY, errno, operation->target);
  close(target);
  if (mount("tmpfs", operation->target, "tmpfs", MS_NOSUID | MS_NODEV, options) < 0)
    launcher_fail(STEP_MOUNT_TEMPORARY, errno, operation->target);
  int mounted = open_target(operation->target, MAKE_NOTHING, 0);
  own(mounted, operation);
  close(mounted);
}

static void mount_proc(const struct operation *operation, int proc) {
  if (proc < 0) return; /* refused under a masked /proc; the host was told */
  int target = open_target(operation->target, MAKE_DIRECTORY, 0555);
  if (target < 0) launcher_fail(STEP_MOUNT_PROC, errno, operation->target);
  attach(proc, target, STEP_MOUNT_PROC, operation);
}

static void hide(const struct operation *operation) {
  int target = open_target(operation->target, MAKE_NOTHING, 0);
  if (target < 0) launcher_fail(STEP_HIDE, errno, operation->target);
  int tree = clone_tree(is_directory(target) ? hidden_directory : hidden_file);
  const struct mount_attributes attributes = {
      .set = ATTRIBUTE_READ_ONLY | ATTRIBUTE_NO_SET_UID | ATTRIBUTE_NO_DEVICES | ATTRIBUTE_NO_EXECUTE};
  if (tree < 0 || set_tree_attributes(tree, &attributes) < 0) launcher_fail(STEP_HIDE, errno, operation->target);
  attach(tree, target, STEP_HIDE, operation);
}

/* Mounts a path on itself, which alone keeps it from being renamed or removed. */
static void mount_on_itself(const struct operation *operation, enum confinement_step step, uint64_t attributes_to_set) {
  int target = open_target(operation->target, MAKE_NOTHING, 0);
  if (target < 0) launcher_fail(step, errno, operation->target);
  int tree = clone_tree(target);
  const struct mount_attributes attributes = {.set = attributes_to_set};
  if (tree < 0 || set_tree_attributes(tree, &attributes) < 0) launcher_fail(step, errno, operation->target);
  attach(tree, target, step, operation);
}

static void hold_target(const struct operation *operation) {
  const char *name;
  int parent = open_parent(operation, MAKE_NOTHING, STEP_HOLD_PLACE, &name);
  hold_place(parent, name, operation->target);
}

static void carry_out(struct operation *operation, int proc) {
  switch (operation->kind) {
    case OPERATION_DIRECTORY:
      return make_directory(operation);
    case OPERATION_FILE:
      return make_file(operation);
    case OPERATION_LINK:
      return make_link(operation);
    case OPERATION_GRANT:
      return grant(operation);
    case OPERATION_TEMPORARY:
      return mount_temporary(operation);
    case OPERATION_PROC:
      return mount_proc(operation, proc);
    case OPERATION_HIDE:
      return hide(operation);
    case OPERATION_WRITE_PROTECT:
      return mount_on_itself(operation, STEP_WRITE_PROTECT, ATTRIBUTE_READ_ONLY);
    case OPERATION_PIN:
      return mount_on_itself(operation, STEP_PIN, ATTRIBUTE_NO_SET_UID);
    case OPERATION_HOLD_PLACE:
      return hold_target(operation);
    case OPERATION_ABSENT:
      return expect_absent(operation);
    default:
      launcher_fail(STEP_READ_PLAN, 0, "an operation of the plan has no meaning");
  }
}

#define HIDDEN_DIRECTORY "/.hidden-directory"
#define HIDDEN_FILE "/.hidden-file"

void build_root(struct plan *plan, int proc) {
  int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (root < 0) launcher_fail(STEP_MAKE_ENTRY, errno, "/");
  own(root, NULL);
  close(root);
  int file = open(HIDDEN_FILE, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0000);
  if (file < 0 || mkdir(HIDDEN_DIRECTORY, 0000) < 0) launcher_fail(STEP_HIDE, errno, "/");
  close(file);
  hidden_file = open(HIDDEN_FILE, O_PATH | O_CLOEXEC);
  hidden_directory = open(HIDDEN_DIRECTORY, O_PATH | O_CLOEXEC);
  if (hidden_file < 0 || hidden_directory < 0) launcher_fail(STEP_HIDE, errno, "/");

  for (uint32_t i = 0; i < plan->operation_count; i++) carry_out(&plan->operations[i], proc);

  close(hidden_file);
  close(hidden_directory);
  if (unlink(HIDDEN_FILE) < 0 || rmdir(HIDDEN_DIRECTORY) < 0) launcher_fail(STEP_HIDE, errno, "/");
}
