/*
 * Whether the root that a tool made is what the plan says. A tool looks paths of the host up by their names, and follows links;
 * while it does so, whoever may write below a granted path could put a link where a rule names a file. So the launcher notes
 * outside what each granted path is, with no link followed, and looks inside whether that is what was mounted, at every place
 * that the plan names. What is mounted stays: after the look nothing can be exchanged any more.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "command.h"
#include "launcher/launcher.h"

/* Of what a grant is of, in the order of the plan's grants. */
struct file_identity {
  uint64_t device, inode;
};

int note_grants(const struct plan *plan) {
  int file = memfd_create("wardenpool", 0);
  if (file < 0) launcher_fail(STEP_START_TOOL, errno, NULL);
  for (uint32_t i = 0; i < plan->operation_count; i++) {
    const struct operation *operation = &plan->operations[i];
    if (operation->kind != OPERATION_GRANT) continue;
    int source = open_without_links(operation->text);
    struct stat status;
    if (source < 0 || fstat(source, &status) < 0) launcher_fail(STEP_CLONE_GRANT, errno, operation->text);
    close(source);
    const struct file_identity identity = {status.st_dev, status.st_ino};
    if (write(file, &identity, sizeof identity) != (ssize_t)sizeof identity) launcher_fail(STEP_START_TOOL, errno, NULL);
  }
  return file;
}

static struct file_identity *noted;
static size_t noted_count;

void read_noted_grants(void) {
  struct stat status;
  if (fstat(TOOL_NOTES, &status) < 0) launcher_fail(STEP_TOOL, errno, "it did not pass a descriptor on");
  size_t size = (size_t)status.st_size;
  noted = malloc(size + 1);
  if (!noted || pread(TOOL_NOTES, noted, size, 0) != (ssize_t)size) launcher_fail(STEP_TOOL, errno, NULL);
  noted_count = size / sizeof *noted;
}

static void expect(bool condition, enum confinement_step step, const struct operation *operation) {
  if (!condition) launcher_fail(step, 0, operation->target);
}

/* Something is mounted exactly there. Returns a descriptor of it. */
static int open_mounted(const struct operation *operation, enum confinement_step step, struct statx *status) {
  int target = open_without_links(operation->target);
  if (target < 0 || statx(target, "", AT_EMPTY_PATH, STATX_BASIC_STATS, status) < 0)
    launcher_fail(step, errno, operation->target);
  expect(status->stx_attributes & STATX_ATTR_MOUNT_ROOT, step, operation);
  return target;
}

static bool is_read_only(int target) {
  struct statvfs status;
  return fstatvfs(target, &status) == 0 && status.f_flag & ST_RDONLY;
}

static void check_grant(const struct operation *operation, const struct file_identity *identity) {
  struct statx status;
  int target = open_mounted(operation, STEP_GRANT, &status);
  expect(makedev(status.stx_dev_major, status.stx_dev_minor) == identity->device && status.stx_ino == identity->inode, STEP_GRANT,
         operation);
  expect(operation->flags & (GRANT_WRITE | GRANT_DEVICES) || is_read_only(target), STEP_GRANT, operation);
  close(target);
}

/* An empty directory that nobody may enter, or a device that cannot be opened there; neither can be changed. */
static void check_hidden(const struct operation *operation) {
  struct statx status;
  int target = open_mounted(operation, STEP_HIDE, &status);
  bool is_closed = S_ISDIR(status.stx_mode) ? (status.stx_mode & 0777) == 0 : S_ISCHR(status.stx_mode);
  struct statvfs mount;
  expect(is_closed && fstatvfs(target, &mount) == 0 && mount.f_flag & ST_RDONLY && mount.f_flag & ST_NODEV, STEP_HIDE,
         operation);
  close(target);
}

void check_root(const struct plan *plan) {
  struct statvfs root;
  if (!(plan->flags & PLAN_WRITABLE_ROOT) && (statvfs("/", &root) < 0 || !(root.f_flag & ST_RDONLY)))
    launcher_fail(STEP_READ_ONLY_ROOT, 0, NULL);
  size_t grants = 0;
  for (uint32_t i = 0; i < plan->operation_count; i++) {
    const struct operation *operation = &plan->operations[i];
    struct statx status;
    switch (operation->kind) {
      case OPERATION_GRANT:
        expect(grants < noted_count, STEP_GRANT, operation);
        check_grant(operation, &noted[grants++]);
        break;
      case OPERATION_HIDE:
        check_hidden(operation);
        break;
      case OPERATION_WRITE_PROTECT: {
        int target = open_mounted(operation, STEP_WRITE_PROTECT, &status);
        expect(is_read_only(target), STEP_WRITE_PROTECT, operation);
        close(target);
        break;
      }
      case OPERATION_PIN:
        close(open_mounted(operation, STEP_PIN, &status));
        break;
      case OPERATION_TEMPORARY:
        close(open_mounted(operation, STEP_MOUNT_TEMPORARY, &status));
        break;
      case OPERATION_ABSENT:
        expect_absent(operation);
        break;
      default:
        break; /* only in what is this command's own */
    }
  }
}
