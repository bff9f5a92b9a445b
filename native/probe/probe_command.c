/*
 * A command that is an attacker: for tests only, never shipped. It is run in a sandbox as any command is, with the name of a
 * probe and its arguments, and says on descriptor 3 what came of it. It must not know which end is the right one.
 */
#include "probe_command.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROTOCOL 3

static FILE *output;
static char *line;
static size_t line_length;

static void begin_line(void) {
  output = open_memstream(&line, &line_length);
  if (!output) _exit(120);
  putc('{', output);
}

static void put_string(const char *string) {
  putc('"', output);
  for (const unsigned char *at = (const unsigned char *)string; *at; at++) {
    if (*at == '"' || *at == '\\') fprintf(output, "\\%c", *at);
    else if (*at < 0x20 || *at > 0x7e) fprintf(output, "\\u%04x", *at);
    else putc(*at, output);
  }
  putc('"', output);
}

static void put_name(const char *name) {
  if (ftell(output) > 1) putc(',', output);
  put_string(name);
  putc(':', output);
}

void report_text(const char *attempt, const char *value) {
  put_name(attempt);
  put_string(value);
}

void report_number(const char *attempt, long long number) {
  put_name(attempt);
  fprintf(output, "%lld", number);
}

void report(const char *attempt, long result) {
  const char *name = result >= 0 ? "ok" : strerrorname_np(errno);
  report_text(attempt, name ? name : "an unknown errno");
}

void report_end(const char *attempt, int wait_status) {
  char end[32];
  if (WIFSIGNALED(wait_status)) snprintf(end, sizeof end, "SIG%s", sigabbrev_np(WTERMSIG(wait_status)));
  else snprintf(end, sizeof end, "code %d", WEXITSTATUS(wait_status));
  report_text(attempt, end);
}

void send_reports(void) {
  fputs("}\n", output);
  fclose(output);
  for (size_t sent = 0; sent < line_length;) {
    ssize_t length = write(PROTOCOL, line + sent, line_length - sent);
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) _exit(121);
    sent += (size_t)length;
  }
  free(line);
  begin_line();
}

void wait_for_host(void) {
  char unused[64];
  while (read(PROTOCOL, unused, sizeof unused) != 0)
    ;
}

const char *text(const char *format, ...) {
  static char buffers[4][8192];
  static unsigned next;
  char *buffer = buffers[next++ % 4];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(buffer, sizeof buffers[0], format, arguments);
  va_end(arguments);
  return buffer;
}

int main(int count, char **arguments) {
  const struct probe *const lists[] = {call_probes, file_probes, network_probes, process_probes, state_probes};
  begin_line();
  for (size_t i = 0; count > 1 && i < sizeof lists / sizeof lists[0]; i++)
    for (const struct probe *probe = lists[i]; probe->name; probe++)
      if (strcmp(probe->name, arguments[1]) == 0) {
        probe->attempt(arguments + 2);
        send_reports();
        return 0;
      }
  fprintf(stderr, "there is no probe %s\n", count > 1 ? arguments[1] : "without a name");
  return 2;
}
