/*
 * A denied path that did not exist when the plan was made, below what the command cannot write. Nothing can be mounted on it, and
 * nothing needs to be; but the host may have changed names since, so that it is looked for once more, where the command
 * would find it. What the host makes there later is the command's to see.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "launcher/launcher.h"

void expect_absent(const struct operation *operation) {
  int at = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  char *copy = strdup(operation->target), *rest = copy;
  if (at < 0 || !copy) launcher_fail(STEP_ABSENT, errno, operation->target);
  for (char *name; (name = strsep(&rest, "/"));) {
    if (*name == '\0') continue;
    int next = openat(at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    int error = errno;
    close(at);
    at = next;
    if (at < 0 && (error == ENOENT || error == ENOTDIR)) break;
    struct stat status;
    if (at < 0 || fstat(at, &status) < 0) launcher_fail(STEP_ABSENT, error, operation->target);
    if (S_ISLNK(status.st_mode)) launcher_fail(STEP_ABSENT, ELOOP, operation->target);
  }
  free(copy);
  if (at >= 0) launcher_fail(STEP_ABSENT, EEXIST, operation->target);
}
