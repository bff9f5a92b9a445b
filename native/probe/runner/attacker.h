/*
 * What the parts of the attacking runner share. It has no allocator, no stdio and no library call that would ask the kernel for
 * more than a runner may: what it says goes through one buffer to descriptor 3.
 */
#ifndef WARDENPOOL_ATTACKER_H
#define WARDENPOOL_ATTACKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct attack {
  const char *name;
  /* `arguments`: the words after the name, and then NULL. May die, or not return. */
  void (*attempt)(char **arguments);
};

/* Lists that end with an entry without a name. */
extern const struct attack call_attacks[], descriptor_attacks[], memory_attacks[], processor_attacks[], signal_attacks[],
    second_wall_attacks[];

/* As the command's: see native/probe/probe_command.h. */
void report(const char *attempt, long result); /* as raw_call() gives it */
void report_text(const char *attempt, const char *text);
void report_hexadecimal(const char *attempt, uint64_t value);
void report_number(const char *attempt, long long number);
void send_reports(void);
/* Waits until the host half-closes the bridge, for ever if it does not. */
void wait_for_host(void);

/* Without the C library: a result, or a negated errno. */
long raw_call(long number, long a, long b, long c, long d, long e, long f);

/* A number in any notation of C; "=TEXT" is the address of TEXT, and "#" that of `SCRATCH_BYTES` bytes of zero. */
long argument_value(const char *word);
#define SCRATCH_BYTES 4096

/* "flood DESCRIPTOR BYTES", somewhere in a frame: writes as many bytes. Returns the exit code. */
int flood(const char *frame);

/* Whether the kernel can read there: asked by a call that changes nothing. */
bool is_readable(uintptr_t address);

#endif
