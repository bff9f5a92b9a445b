/*
 * A runner that is an attacker: linked into the launcher around the real one, for tests only, never shipped. It stands where a
 * runner would that a program has taken over: after the last confinement step, in a process with a real engine, with all that
 * a sandbox has left. It must not know which end is the right one.
 *
 * The linker puts the two functions below in the place of the runner's own (--wrap). It reads one line from the bridge, the name
 * of an attack and its arguments, and says what came of it in lines of JSON, objects from attempt to end. Most attacks are over
 * before they can say anything. In a pool, which sends frames, it floods: see flood.c.
 */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "attacker.h"
#include "runner/runner.h"

#define BRIDGE 3

int __real_runner_execute(int fd);
int __real_runner_rehearse(char *error, size_t error_size);

static char line[16384];
static size_t length;
static char scratch[SCRATCH_BYTES];

long raw_call(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vsnprintf(line + length, sizeof line - length, format, arguments);
  va_end(arguments);
  length += (size_t)count;
  if (length >= sizeof line) _exit(120);
}

static void put_name(const char *name) { put("%s\"%s\":", length > 1 ? "," : "", name); }

void report_text(const char *attempt, const char *text) {
  put_name(attempt);
  put("\"%s\"", text);
}

void report_hexadecimal(const char *attempt, uint64_t value) {
  put_name(attempt);
  put("\"%016llx\"", (unsigned long long)value);
}

void report_number(const char *attempt, long long number) {
  put_name(attempt);
  put("%lld", number);
}

void report(const char *attempt, long result) {
  const char *name = result >= 0 ? "ok" : strerrorname_np((int)-result);
  report_text(attempt, name ? name : "an unknown errno");
}

void send_reports(void) {
  put("}\n");
  for (size_t sent = 0; sent < length;) {
    struct pollfd bridge = {.fd = BRIDGE, .events = POLLOUT};
    (void)ppoll(&bridge, 1, NULL, NULL);
    ssize_t count = write(BRIDGE, line + sent, length - sent);
    if (count < 0 && errno != EAGAIN) _exit(121);
    if (count > 0) sent += (size_t)count;
  }
  length = 0;
  put("{");
}

void wait_for_host(void) {
  char unused[64];
  struct pollfd bridge = {.fd = BRIDGE, .events = POLLIN};
  for (;;) {
    (void)ppoll(&bridge, 1, NULL, NULL);
    if (read(BRIDGE, unused, sizeof unused) == 0) return;
  }
}

long argument_value(const char *word) {
  if (word[0] == '=') return (long)(word + 1);
  if (word[0] == '#') return (long)scratch;
  return word[0] == '-' ? strtol(word, NULL, 0) : (long)strtoul(word, NULL, 0);
}

/* One line, in as many pieces as it comes in. False if there is none. */
static bool read_request(char *request, size_t size) {
  struct pollfd bridge = {.fd = BRIDGE, .events = POLLIN};
  for (size_t got = 0; got < size;) {
    (void)ppoll(&bridge, 1, NULL, NULL);
    ssize_t count = read(BRIDGE, request + got, size - got);
    if (count < 0 && errno == EAGAIN) continue;
    if (count <= 0) return false;
    got += (size_t)count;
    char *end = memchr(request, '\n', got);
    if (!end) continue;
    *end = '\0';
    return true;
  }
  return false;
}

static bool is_rehearsal;

int __wrap_runner_rehearse(char *error, size_t error_size) {
  is_rehearsal = true; /* for the child that it makes, which is to be the runner itself */
  int result = __real_runner_rehearse(error, error_size);
  is_rehearsal = false;
  return result;
}

int __wrap_runner_execute(int fd) {
  static char request[8192];
  static char *words[512];
  const struct attack *const lists[] = {call_attacks,      descriptor_attacks, memory_attacks,
                                        processor_attacks, signal_attacks,     second_wall_attacks};
  if (is_rehearsal) return __real_runner_execute(fd);
  if (!read_request(request, sizeof request)) return 2;
  if (request[0] == '{') return flood(request);
  size_t count = 0;
  char *rest = request;
  for (char *word; count + 1 < sizeof words / sizeof words[0] && (word = strsep(&rest, " "));) words[count++] = word;
  put("{");
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
    for (const struct attack *attack = lists[i]; attack->name; attack++)
      if (strcmp(attack->name, words[0]) == 0) {
        attack->attempt(words + 1);
        send_reports();
        return 0;
      }
  return 3;
}
