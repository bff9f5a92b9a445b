/* code-runner: the runner as a program of its own, under any launcher that gives it a socket. Confines
 * nothing. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

#include "command_line.h"
#include "diagnostics.h"
#include "runner.h"
#include "runner_process.h"

static struct command_line command;

static int run(void *unused) {
  (void)unused;
  char error[256];
  if (runner_initialise(&command.ceilings, error, sizeof error) != 0) {
    diagnose("%s", error);
    return 1;
  }
  if (runner_prepare_process(command.descriptor) != 0) {
    diagnose("the process could not be prepared: %s", strerror(errno));
    return 1;
  }
  return runner_execute(command.descriptor);
}

static bool is_stream_socket(int descriptor) {
  int type = 0;
  socklen_t size = sizeof type;
  return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

int main(int argument_count, char **arguments) {
  int status = command_line_read(&command, argument_count, arguments);
  if (status >= 0) return status;
  if (!is_stream_socket(command.descriptor)) {
    diagnose("descriptor %d is no stream socket: start code-runner with one end of a socket pair there",
             command.descriptor);
    return 2;
  }
  runner_on_guest_stack(run, NULL);
}
