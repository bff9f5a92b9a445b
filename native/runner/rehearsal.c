/* Which pages a run writes; see rehearsal.h. */
#include "rehearsal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "boundary.h"
#include "engine.h"
#include "mapping.h"
#include "runner.h"
#include "runner_process.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#define PAGE ((uintptr_t)4096)
#define BRIDGE_DESCRIPTOR 3

/* Of each mapping that a run may use, this much is looked at: a small program uses only the start. */
#define LOOKED_AT_BYTES ((size_t)64 << 10)

/* How far below and above the frame of the rehearsal the frames of a run may be. */
#define STACK_BELOW_BYTES (16 * PAGE)
#define STACK_ABOVE_BYTES (2 * PAGE)

/* Pages that lie this close are populated in one call, with the one between them. */
#define GAP_BYTES PAGE

/* What most programs do: a few tools at once, a little data, a line of log. */
#define EXECUTE                                                                                                       \
  "{\"version\":\"code-bridge-v1\",\"type\":\"execute\",\"executionId\":\"rehearsal\",\"code\":\""                     \
  "const [a, b] = await Promise.all([tools.a({ id: 1 }), tools.b({ id: 2 })]);"                                       \
  "console.log('rows', a.rows.length);"                                                                               \
  "const total = a.rows.filter(({ n }) => n > 1).map(({ n }) => n * b.factor).reduce((sum, n) => sum + n, 0);"        \
  "return { total };\",\"tools\":[{\"name\":\"a\"},{\"name\":\"b\"}],\"features\":[\"parallel-tools\",\"console\","  \
  "\"limits\",\"undefined\",\"errors\",\"tool-paths\",\"timers\",\"web\",\"seed\"],"                                 \
  "\"limits\":{\"maxToolCalls\":2,\"maxResultBytes\":64,\"timeoutMs\":5000}}\n"
#define RESULT(id, result) \
  "{\"version\":\"code-bridge-v1\",\"type\":\"tool.result\",\"id\":" id ",\"ok\":true,\"result\":" result "}\n"
/* One by one: where only one call may be open, the second comes when the first has its answer. */
static const struct {
  const char *call, *result;
} exchanges[] = {
    {"\"id\":1,\"name\":\"a\"", RESULT("1", "{\"rows\":[{\"n\":1},{\"n\":2},{\"n\":3}]}")},
    {"\"id\":2,\"name\":\"b\"", RESULT("2", "{\"factor\":2}")},
};
#define EXPECTED "\"result\":{\"total\":10}"

extern char __data_start, _end; /* of the linker: our own statics */

static struct range {
  uintptr_t start;
  size_t length;
} written[96];
static unsigned written_count;

static void add_page(uintptr_t page) {
  struct range *last = written_count ? &written[written_count - 1] : NULL;
  if (last && page >= last->start && page <= last->start + last->length + GAP_BYTES) {
    last->length = page + PAGE - last->start;
  } else if (written_count < sizeof written / sizeof *written) {
    written[written_count++] = (struct range){page, PAGE};
  }
}

struct region {
  uintptr_t start;
  size_t length;
  void *before; /* a copy */
};

/* Where a run may write. The number of regions, at most `maximum`. */
static unsigned find_regions(struct region *regions, unsigned maximum) {
  wasm_rt_memory_t *memory = ENGINE_EXPORT_memory(&engine);
  uintptr_t statics = (uintptr_t)&__data_start & ~(PAGE - 1);
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0) & ~(PAGE - 1);
  unsigned count = 0;
  regions[count++] = (struct region){statics, ((uintptr_t)&_end - statics + PAGE - 1) & ~(PAGE - 1), NULL};
  regions[count++] = (struct region){(uintptr_t)memory->data, memory->size, NULL};
  uintptr_t above = boundary_stack_end() - frame < STACK_ABOVE_BYTES ? boundary_stack_end() - frame : STACK_ABOVE_BYTES;
  regions[count++] = (struct region){frame - STACK_BELOW_BYTES, STACK_BELOW_BYTES + above, NULL};
  void *start;
  size_t length;
  for (unsigned i = 0; count < maximum && mapping_at(i, &start, &length); i++) {
    if (length > LOOKED_AT_BYTES) length = LOOKED_AT_BYTES;
    regions[count++] = (struct region){(uintptr_t)start, length & ~(PAGE - 1), NULL};
  }
  return count;
}

/* In the child: runs, and writes the address of each page that has changed to `report`. */
__attribute__((noreturn)) static void rehearse(int bridge, int report) {
  struct region regions[24];
  unsigned count = find_regions(regions, sizeof regions / sizeof *regions);
  for (unsigned i = 0; i < count; i++) {
    regions[i].before = mmap(NULL, regions[i].length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (regions[i].before == MAP_FAILED) _exit(1);
    memcpy(regions[i].before, (void *)regions[i].start, regions[i].length);
  }
  if (dup2(bridge, BRIDGE_DESCRIPTOR) < 0 || runner_after_clone() != 0) _exit(1);
  runner_lift_ceilings();
  int status = runner_execute(BRIDGE_DESCRIPTOR);
  for (unsigned i = 0; i < count; i++) {
    for (size_t at = 0; at < regions[i].length; at += PAGE) {
      uintptr_t page = regions[i].start + at;
      if (memcmp((char *)regions[i].before + at, (void *)page, PAGE) == 0) continue;
      if (write(report, &page, sizeof page) != sizeof page) _exit(1);
    }
  }
  _exit(status);
}

/* The host's side: until the child closes its end. True if the program gave what it should. */
static bool host(int bridge) {
  char received[4096];
  size_t length = 0;
  unsigned answered = 0;
  if (write(bridge, EXECUTE, sizeof EXECUTE - 1) != sizeof EXECUTE - 1) return false;
  for (;;) {
    ssize_t count = read(bridge, received + length, sizeof received - length);
    if (count <= 0) break;
    length += (size_t)count;
    while (answered < sizeof exchanges / sizeof *exchanges &&
           memmem(received, length, exchanges[answered].call, strlen(exchanges[answered].call))) {
      const char *result = exchanges[answered++].result;
      if (write(bridge, result, strlen(result)) != (ssize_t)strlen(result)) return false;
    }
  }
  return memmem(received, length, EXPECTED, sizeof EXPECTED - 1) != NULL;
}

int runner_rehearse(char *error, size_t error_size) {
  int bridge[2], report[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, bridge) != 0 || pipe2(report, O_CLOEXEC) != 0) {
    snprintf(error, error_size, "the rehearsal has no descriptors: %s", strerror(errno));
    return -1;
  }
  pid_t child = fork();
  if (child == 0) rehearse(bridge[1], report[1]);
  close(bridge[1]);
  close(report[1]);
  bool is_right = child > 0 && host(bridge[0]);
  close(bridge[0]); /* if the program still runs, this cancels it */
  uintptr_t page;
  while (read(report[0], &page, sizeof page) == sizeof page) add_page(page);
  close(report[0]);
  int status = 0;
  if (child > 0) (void)waitpid(child, &status, 0);
  if (is_right && status == 0) return 0;
  snprintf(error, error_size, "the rehearsal failed: %s", child < 0 ? strerror(errno) : "the engine cannot run a small program");
  return -1;
}

void rehearsal_apply(void) {
  for (unsigned i = 0; i < written_count; i++) {
    (void)madvise((void *)written[i].start, written[i].length, MADV_POPULATE_WRITE);
  }
}
