/* What the command was started with: its descriptors, its memory, who it is. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

#include "probe_command.h"

static void descriptors(char **unused) {
  (void)unused;
  char open_ones[4096] = "";
  size_t length = 0;
  for (int number = 0; number < 1024 && length < sizeof open_ones - 8; number++)
    if (fcntl(number, F_GETFD) >= 0)
      length += (size_t)snprintf(open_ones + length, sizeof open_ones - length, length ? " %d" : "%d", number);
  report_text("open", open_ones);
}

static size_t occurrences(const char *from, const char *to, const char *marker) {
  size_t count = 0, length = strlen(marker);
  for (const char *at = from; (at = memmem(at, (size_t)(to - at), marker, length)); at += length) count++;
  return count;
}

/* The marker comes backwards, so that the argument itself is not found. */
static void memory(char **arguments) {
  size_t length = arguments[0] ? strlen(arguments[0]) : 0;
  char *marker = calloc(1, length + 1);
  for (size_t i = 0; marker && i < length; i++) marker[i] = arguments[0][length - 1 - i];
  size_t variables = 0;
  for (char **each = environ; *each; each++) variables++;
  report_number("variables", (long long)variables);

  FILE *maps = fopen("/proc/self/maps", "re");
  if (!maps) return report("maps", -1);
  char row[512];
  size_t found = 0, stacks = 0;
  while (fgets(row, sizeof row, maps)) {
    unsigned long from, to;
    if (!strstr(row, "[stack]") || sscanf(row, "%lx-%lx", &from, &to) != 2) continue;
    stacks++;
    found += occurrences((const char *)from, (const char *)to, marker);
  }
  fclose(maps);
  report_number("stacks", (long long)stacks);
  report_number("of the host", (long long)found);
  free(marker);
}

static void identity(char **unused) {
  (void)unused;
  uid_t user[3];
  gid_t group[3];
  if (getresuid(&user[0], &user[1], &user[2]) < 0 || getresgid(&group[0], &group[1], &group[2]) < 0)
    return report("ids", -1);
  report_text("users", text("%u %u %u", user[0], user[1], user[2]));
  report_text("groups", text("%u %u %u", group[0], group[1], group[2]));
  report_number("secure", (long long)getauxval(AT_SECURE));
}

/* Says that it is there, and stays until the host has looked at it. */
static void stay(char **unused) {
  (void)unused;
  report("here", 0);
  send_reports();
  wait_for_host();
}

const struct probe state_probes[] = {
    {"descriptors", descriptors},
    {"memory", memory},
    {"identity", identity},
    {"stay", stay},
    {NULL, NULL},
};
