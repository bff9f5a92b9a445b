/* Instructions: those that are the kernel's, those that trap, and those that tell something. */
#include <string.h>
#include <unistd.h>

#include "attacker.h"

static void halt(void) { __asm__ volatile("hlt"); }
static void interrupts_off(void) { __asm__ volatile("cli"); }
static void port_in(void) { __asm__ volatile("inb $0x80, %%al" : : : "rax"); }
static void port_out(void) { __asm__ volatile("outb %%al, $0x80" : : : "memory"); }
static void read_register(void) { __asm__ volatile("rdmsr" : : "c"(0xc0000082) : "rax", "rdx"); }
static void write_register(void) { __asm__ volatile("wrmsr" : : "c"(0xc0000082), "a"(0), "d"(0)); }
static void control_register(void) { __asm__ volatile("movq %%cr4, %%rax" : : : "rax"); }
static void debug_register(void) { __asm__ volatile("movq %%rax, %%dr7" : : "a"(0)); }
static void load_table(void) {
  static const struct {
    uint16_t limit;
    uint64_t base;
  } __attribute__((packed)) table = {0, 0};
  __asm__ volatile("lgdt %0" : : "m"(table));
}
static void swap_base(void) { __asm__ volatile("swapgs"); }
static void from_call(void) { __asm__ volatile("sysretq"); }
static void invalidate(void) { __asm__ volatile("invd" : : : "memory"); }
static void breakpoint(void) { __asm__ volatile("int3"); }
static void undefined(void) { __asm__ volatile("ud2"); }
static void other_gate(void) { __asm__ volatile("int $0x81"); }
static void gate_of_faults(void) { __asm__ volatile("int $0x0e"); }
/* A trap after the next instruction, from which there is no handler to come back. */
static void single_step(void) { __asm__ volatile("pushfq\n\torq $0x100, (%%rsp)\n\tpopfq\n\tnop" : : : "cc", "memory"); }
static void kernel_segment(void) { __asm__ volatile("movw %%ax, %%ss" : : "a"(0x18)); }

static const struct {
  const char *name;
  void (*execute)(void);
} instructions[] = {
    {"hlt", halt}, {"cli", interrupts_off}, {"in", port_in}, {"out", port_out}, {"rdmsr", read_register},
    {"wrmsr", write_register}, {"mov-from-cr4", control_register}, {"mov-to-dr7", debug_register}, {"lgdt", load_table},
    {"swapgs", swap_base}, {"sysret", from_call}, {"invd", invalidate}, {"int3", breakpoint}, {"ud2", undefined},
    {"int-0x81", other_gate}, {"int-0x0e", gate_of_faults}, {"popf-trap", single_step}, {"mov-to-ss", kernel_segment},
};

static void instruction(char **arguments) {
  for (unsigned i = 0; i < sizeof instructions / sizeof instructions[0]; i++)
    if (strcmp(instructions[i].name, arguments[0]) == 0) {
      instructions[i].execute();
      report_text("result", "executed");
      return;
    }
  _exit(122);
}

/* The privilege for ports and the switch for interrupts, as far as popf changes them. */
static void flags(char **arguments) {
  (void)arguments;
  uint64_t after;
  __asm__ volatile("pushfq\n\torq $0x3000, (%%rsp)\n\tandq $~0x200, (%%rsp)\n\tpopfq\n\tpushfq\n\tpopq %0"
                   : "=r"(after)
                   :
                   : "cc", "memory");
  report_number("privilege for ports", (long long)(after >> 12 & 3));
  report_number("interrupts", (long long)(after >> 9 & 1));
}

static void clock(char **arguments) {
  (void)arguments;
  uint64_t first = __builtin_ia32_rdtsc(), second = __builtin_ia32_rdtsc();
  report_text("time stamps", second > first ? "count" : "stand still");
}

const struct attack processor_attacks[] = {
    {"instruction", instruction},
    {"flags", flags},
    {"clock", clock},
    {NULL, NULL},
};
