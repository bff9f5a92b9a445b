/*
 * The processes that do the work; see parts.h.
 *
 * Each has one end of a socket pair as the descriptor at which a launcher has its control socket, and as standard
 * error: once confined, it cannot write to a file. On the other end arrive a pidfd of the process that stays, which
 * the launcher's own code sends, then the word that it is prepared, and whenever something goes wrong, what. What it
 * hears there is the word to begin.
 */
#include "parts.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "control/control.h"
#include "failure.h"
#include "part.h"

struct part {
  int socket;
  int process; /* pidfd, -1 as long as there is none */
};

static struct part parts[PROCESSES_MAXIMUM];
static unsigned part_count;

static void start_part(const struct options *options, unsigned index, const struct workload *workload,
                       struct measurement *measurement) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) fail_with_errno("cannot make a socket pair");
  pid_t child = fork();
  if (child < 0) fail_with_errno("cannot fork a process that clones sandboxes");
  if (child == 0) {
    if (dup2(pair[1], CONTROL_DESCRIPTOR) < 0 || dup2(CONTROL_DESCRIPTOR, STDERR_FILENO) < 0)
      fail_with_errno("cannot place the control socket");
    unsigned in_flight = options->in_flight / options->processes + (index < options->in_flight % options->processes);
    part_run(options, in_flight, workload, measurement, &measurement->reports[index]);
  }
  close(pair[1]);
  parts[part_count++] = (struct part){.socket = pair[0], .process = -1};
}

enum packet { PACKET_NONE, PACKET_STARTED, PACKET_PREPARED, PACKET_COMPLAINT };

/* The next packet of a process; none if it has ended. Complaints go to standard error. */
static enum packet receive(struct part *part) {
  union {
    struct control_started started;
    char complaint[FAILURE_BYTES];
  } packet;
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } ancillary;
  struct iovec place = {.iov_base = &packet, .iov_len = sizeof packet};
  struct msghdr message = {
      .msg_iov = &place, .msg_iovlen = 1, .msg_control = &ancillary, .msg_controllen = sizeof ancillary};
  ssize_t length = recvmsg(part->socket, &message, MSG_CMSG_CLOEXEC);
  if (length <= 0) return PACKET_NONE;
  const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_type == SCM_RIGHTS) {
    memcpy(&part->process, CMSG_DATA(header), sizeof part->process);
    return PACKET_STARTED;
  }
  if (length == 1) return PACKET_PREPARED;
  (void)!write(STDERR_FILENO, packet.complaint, (size_t)length);
  return PACKET_COMPLAINT;
}

static bool begin(void) {
  for (unsigned i = 0; i < part_count; i++)
    if (receive(&parts[i]) != PACKET_STARTED || receive(&parts[i]) != PACKET_PREPARED) return false;
  for (unsigned i = 0; i < part_count; i++)
    if (send(parts[i].socket, "!", 1, MSG_NOSIGNAL) != 1) return false;
  return true;
}

/* A process that was not told to begin sees the end of its socket; one that works must be killed. */
static void stop(void) {
  for (unsigned i = 0; i < part_count; i++) {
    if (parts[i].process >= 0) (void)syscall(SYS_pidfd_send_signal, parts[i].process, SIGKILL, NULL, 0);
    shutdown(parts[i].socket, SHUT_WR);
  }
}

void parts_run(const struct options *options, const struct workload *workload, struct measurement *measurement) {
  for (unsigned i = 0; i < options->processes; i++) start_part(options, i, workload, measurement);
  bool is_well = begin();
  if (!is_well) stop();
  int status;
  /* Both of each: the process outside, which ends at once, and the one inside. */
  while (wait4(-1, &status, __WALL, NULL) > 0 || errno == EINTR) {
    if (status == 0 || !is_well) continue;
    is_well = false;
    stop();
  }
  for (unsigned i = 0; i < part_count; i++)
    while (receive(&parts[i]) != PACKET_NONE)
      ;
  if (!is_well) fail("a process that clones sandboxes did not get to its end");
}
