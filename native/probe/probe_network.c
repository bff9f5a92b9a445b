/* Ways to somebody outside: sockets of each kind, and descriptors sent over the protocol. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "probe_command.h"

static void connect_to(const char *attempt, const void *address, socklen_t length) {
  int made = socket(((const struct sockaddr *)address)->sa_family, SOCK_STREAM, 0);
  report(attempt, made < 0 ? -1 : connect(made, address, length));
  if (made >= 0) close(made);
}

/* An abstract name ends where its address does; a whole one is filled up with zeros, as libuv binds it. */
enum unix_name { BY_PATH, ABSTRACT, ABSTRACT_WHOLE };

static void to_unix(const char *attempt, const char *name, enum unix_name kind) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t length = strlen(name), before = kind != BY_PATH;
  if (length + 1 >= sizeof address.sun_path) return report_text(attempt, "the name is too long");
  memcpy(address.sun_path + before, name, length);
  size_t end = offsetof(struct sockaddr_un, sun_path) + before + length;
  connect_to(attempt, &address, (socklen_t)(kind == ABSTRACT_WHOLE ? sizeof address : end));
}

/* Pairs of a kind and an address: tcp PORT, tcp6 PORT, internet IP, abstract NAME, whole-abstract NAME, path PATH. */
static void connects(char **arguments) {
  for (; arguments[0] && arguments[1]; arguments += 2) {
    const char *kind = arguments[0], *where = arguments[1];
    if (strcmp(kind, "tcp") == 0) {
      struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(where))};
      address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      connect_to(kind, &address, sizeof address);
    } else if (strcmp(kind, "tcp6") == 0) {
      struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)atoi(where)),
                                     .sin6_addr = IN6ADDR_LOOPBACK_INIT};
      connect_to(kind, &address, sizeof address);
    } else if (strcmp(kind, "internet") == 0) {
      struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(53)};
      inet_pton(AF_INET, where, &address.sin_addr);
      connect_to(kind, &address, sizeof address);
    } else {
      bool is_whole = strcmp(kind, "whole-abstract") == 0;
      to_unix(kind, where, is_whole ? ABSTRACT_WHOLE : strcmp(kind, "abstract") == 0 ? ABSTRACT : BY_PATH);
    }
  }
}

static void interfaces(char **unused) {
  (void)unused;
  char names[1024] = "";
  size_t length = 0;
  int any = socket(AF_INET, SOCK_DGRAM, 0);
  for (int index = 1; index <= 256; index++) {
    struct ifreq request = {.ifr_ifindex = index};
    if (ioctl(any, SIOCGIFNAME, &request) < 0 || length > sizeof names - 32) continue;
    length += (size_t)snprintf(names + length, sizeof names - length, length ? " %s" : "%s", request.ifr_name);
  }
  report_text("names", names);
  struct ifreq down = {.ifr_name = "lo", .ifr_flags = 0};
  report("loopback down", ioctl(any, SIOCSIFFLAGS, &down));
}

/* Listens for the siblings, and stays. */
static void listens(char **arguments) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path + 1, arguments[0] ? arguments[0] : "", sizeof address.sun_path - 2);
  int made = socket(AF_UNIX, SOCK_STREAM, 0);
  socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(address.sun_path + 1));
  report("bind", bind(made, (struct sockaddr *)&address, length));
  report("listen", listen(made, 8));
  struct sockaddr_in loopback = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t loopback_length = sizeof loopback;
  int tcp = socket(AF_INET, SOCK_STREAM, 0);
  report("bind to the loopback", bind(tcp, (struct sockaddr *)&loopback, sizeof loopback));
  report("listen on the loopback", listen(tcp, 8));
  if (getsockname(tcp, (struct sockaddr *)&loopback, &loopback_length) == 0)
    report_number("port", ntohs(loopback.sin_port));
  send_reports();
  wait_for_host();
}

/* As many descriptors as one message takes, some times over. */
static void sends_descriptors(char **unused) {
  (void)unused;
  enum { COUNT = 200, MESSAGES = 10 };
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(COUNT * sizeof(int))];
  } ancillary = {.bytes = {0}};
  struct iovec part = {.iov_base = " ", .iov_len = 1};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &ancillary, .msg_controllen = sizeof ancillary};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(COUNT * sizeof(int));
  int root = open("/", O_RDONLY | O_DIRECTORY);
  for (int i = 0; i < COUNT; i++) memcpy(CMSG_DATA(header) + (size_t)i * sizeof(int), &root, sizeof root);
  int sent = 0;
  while (sent < MESSAGES && sendmsg(3, &message, 0) == 1) sent++;
  report_number("sent", sent);
  send_reports();
  wait_for_host();
}

const struct probe network_probes[] = {
    {"connects", connects},
    {"interfaces", interfaces},
    {"listens", listens},
    {"sends-descriptors", sends_descriptors},
    {NULL, NULL},
};
