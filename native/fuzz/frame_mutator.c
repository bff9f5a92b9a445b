/*
 * Makes new inputs of the runner_front target from old ones: mostly by lines, so that what comes out is still a sequence
 * of frames; inside the program of an `execute` frame by pieces of JavaScript; and by the host's other actions. Knows
 * nothing of how an input is carried out.
 */
#include <stdbool.h>
#include <string.h>

#include "stream_script.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define V "{\"version\":\"code-bridge-v1\",\"type\":"
#define LIMITS "\"limits\":{\"maxToolCalls\":4,\"maxResultBytes\":2000,\"timeoutMs\":20}"
#define ALL_LIMITS                                                                                                  \
  "\"limits\":{\"maxToolCalls\":3,\"maxResultBytes\":100,\"timeoutMs\":20,\"memoryBytes\":1000000,"                 \
  "\"stackBytes\":50000,\"cpuMs\":9,\"maxLogBytes\":90,\"maxConcurrentToolCalls\":2}"
#define FEATURES \
  "\"features\":[\"parallel-tools\",\"console\",\"limits\",\"undefined\",\"errors\",\"tool-paths\",\"timers\",\"web\",\"seed\"]"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static const char *const frames[] = {
    V "\"execute\",\"executionId\":\"e\",\"code\":\"return 1\",\"tools\":[]," LIMITS "}\n",
    V "\"execute\",\"executionId\":\"e\",\"code\":\"return tools.a({n:1})\",\"tools\":[{\"name\":\"a\"}]," LIMITS "}\n",
    V "\"execute\",\"executionId\":\"e\",\"code\":\"const r = await Promise.all([tools.a({}), tools.b({})]); "
      "console.log(r); return r\",\"tools\":[{\"name\":\"a\"},{\"name\":\"b\"}]," FEATURES "," ALL_LIMITS "}\n",
    V "\"execute\",\"executionId\":\"e\",\"seed\":\"s\",\"code\":\"throw new Error(await tools['a.b']())\","
      "\"tools\":[{\"name\":\"a.b\"},{\"name\":\"a.c\"}]," FEATURES "," LIMITS "}\n",
    V "\"tool.result\",\"id\":1,\"ok\":true,\"result\":{\"a\":[1,\"x\"]}}\n",
    V "\"tool.result\",\"id\":2,\"ok\":true}\n",
    V "\"tool.result\",\"id\":1,\"ok\":false,\"error\":{\"code\":\"C\",\"message\":\"m\"}}\n",
    V "\"cancel\",\"executionId\":\"e\"}\n",
};

static const char *const waiting_frames[] = {
    "\xFFw" V "\"tool.result\",\"id\":1,\"ok\":true,\"result\":{\"__proto__\":[null,-0,1e400,\"\\ud800\"]}}\n",
    "\xFFw" V "\"tool.result\",\"id\":2,\"ok\":true,\"result\":\"\"}\n\xFFw",
    "\xFFw" V "\"tool.result\",\"id\":1,\"ok\":false,\"error\":{\"code\":\"C\",\"message\":\"m\"}}\n\xFFw",
    "\xFFw" V "\"cancel\",\"executionId\":\"e\"}\n",
};

/* None has a character that a JSON string would need to escape. */
static const char *const code_pieces[] = {
    "return ", "await ", "throw ", ";", ",", "(", ")", "{", "}", "[", "]", "=>", "...", "?.", "??", "=", "+", "**", "`",
    "for(;;);", "for(;;)await 0;", "while(1)", "try{", "}catch(e){", "}finally{", "function f(){f()}f();", "class A{}",
    "async()=>{", "yield ", "new ", "delete ", "typeof ", "tools.a({n:1})", "tools.a()", "tools.b({s:'x'.repeat(99)})",
    "tools['a.b']({})", "tools.a({f(){}})", "tools.a(1)", "tools", "Promise.all([", "Promise.reject(", "Promise.race([",
    "new Promise(()=>{})", ".then(x=>x)", "console.log(", "console.error({a:[1]})", "console.log('x'.repeat(1e5));",
    "new Error('m')", "Error.captureStackTrace", "new Proxy({},{get(){throw 1}})", "({get x(){throw 1}})", "toJSON(){}",
    "({toJSON(){return this}})", "__proto__:", "({__proto__:null})", "Object.prototype.x=1;", "new Map([[1,2]])",
    "new Set('ab')", "new Date(NaN)", "new Date(0)", "1n", "7n**9999n", "Symbol()", "NaN", "-0", "undefined", "null",
    "'\xF0\x9F\x98\x80'", "'\xE2\x80\xA8'", "new Array(1e9)+''", "new Array(1e6).fill(0)", "'x'.repeat(1e8)",
    "/(a+)+$/.test('aaaaaaaaaaaaaaaaaaaaaaaaa!')", "[3,1,2].sort(()=>f())", "JSON.stringify(", "JSON.parse('[')",
    "new Uint8Array(9)", "new SharedArrayBuffer(8)", "Atomics.wait(", "eval('1')", "new Function('return 1')()",
    "globalThis.tools=1;", "setTimeout(()=>{},1)", "import('x')", "with(a)", "a={};a.a=a;", "for(let i=0;i<9;i++)",
    "structuredClone({})", "new WeakRef({})", "Array.prototype.toJSON=()=>{throw 1};", "Math.random()", "Date.now()",
};

static uint32_t state;

static uint32_t below(uint32_t bound) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return bound ? state % bound : 0;
}

/* Replaces `removed` bytes at `at`. The new size, or the old one if it does not fit. */
static size_t splice(uint8_t *data, size_t size, size_t max_size, size_t at, size_t removed, const void *bytes, size_t count) {
  if (size - removed + count > max_size) return size;
  memmove(data + at + count, data + at + removed, size - at - removed);
  if (count > 0) memcpy(data + at, bytes, count);
  return size - removed + count;
}

struct piece {
  size_t at, length;
};

/* One of the lines, its newline included. */
static struct piece random_line(const uint8_t *data, size_t size) {
  size_t target = below((uint32_t)size), start = target, end = target;
  while (start > 0 && data[start - 1] != '\n') start--;
  while (end < size && data[end] != '\n') end++;
  return (struct piece){start, end - start + (end < size)};
}

/* The text of the first program, between its quotes. Nothing of length 0 if there is none. */
static struct piece program_of(const uint8_t *data, size_t size) {
  static const char key[] = "\"code\":\"";
  const uint8_t *found = memmem(data, size, key, sizeof key - 1);
  if (!found) return (struct piece){0, 0};
  size_t start = (size_t)(found - data) + sizeof key - 1, end = start;
  while (end < size && data[end] != '"' && data[end] != '\n') end += data[end] == '\\' ? 2 : 1;
  return (struct piece){start, end <= size ? end - start : 0};
}

static size_t mutate_program(uint8_t *data, size_t size, size_t max_size) {
  struct piece program = program_of(data, size);
  if (program.length == 0) return LLVMFuzzerMutate(data, size, max_size);
  size_t from = below((uint32_t)program.length + 1);
  size_t removed = below(3) ? 0 : below((uint32_t)(program.length - from) + 1);
  if (below(8) == 0) return splice(data, size, max_size, program.at + from, removed, NULL, 0);
  if (below(6) == 0) { /* a copy of a part of itself */
    uint8_t copy[64];
    size_t start = below((uint32_t)program.length);
    size_t count = 1 + below(sizeof copy - 1);
    if (count > program.length - start) count = program.length - start;
    memcpy(copy, data + program.at + start, count);
    return splice(data, size, max_size, program.at + from, removed, copy, count);
  }
  const char *text = code_pieces[below(COUNT(code_pieces))];
  return splice(data, size, max_size, program.at + from, removed, text, strlen(text));
}

static size_t mutate_bytes_of_line(uint8_t *data, size_t size, size_t max_size) {
  uint8_t line[4096];
  struct piece piece = random_line(data, size);
  if (piece.length == 0 || piece.length > sizeof line / 2) return LLVMFuzzerMutate(data, size, max_size);
  memcpy(line, data + piece.at, piece.length);
  size_t length = LLVMFuzzerMutate(line, piece.length, sizeof line);
  return splice(data, size, max_size, piece.at, piece.length, line, length);
}

static size_t move_line(uint8_t *data, size_t size, size_t max_size) {
  uint8_t line[4096];
  struct piece piece = random_line(data, size);
  if (piece.length > sizeof line) return size;
  memcpy(line, data + piece.at, piece.length);
  if (below(3)) size = splice(data, size, max_size, piece.at, piece.length, NULL, 0);
  if (below(4) == 0) return size;
  struct piece target = random_line(data, size);
  return splice(data, size, max_size, size ? target.at : 0, 0, line, piece.length);
}

static size_t insert_frame(uint8_t *data, size_t size, size_t max_size) {
  bool waits = below(2);
  const char *frame = waits ? waiting_frames[below(COUNT(waiting_frames))] : frames[below(COUNT(frames))];
  struct piece line = random_line(data, size);
  size_t at = waits ? line.at + line.length : line.at;
  return splice(data, size, max_size, at, below(4) ? 0 : size - at, frame, strlen(frame));
}

static size_t insert_action(uint8_t *data, size_t size, size_t max_size) {
  /* Waits and cuts lead on; what ends a run is rarer. */
  const char *actions = below(4) ? "sw" : SCRIPT_ACTIONS;
  uint8_t action[2] = {SCRIPT_ESCAPE, (uint8_t)actions[below((uint32_t)strlen(actions))]};
  return splice(data, size, max_size, below((uint32_t)size + 1), 0, action, sizeof action);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  state = seed * 2654435761u + 1;
  if (size == 0) return insert_frame(data, size, max_size);
  switch (below(10)) {
    case 0:
    case 1:
    case 2:
    case 3: return mutate_program(data, size, max_size);
    case 4:
    case 5: return mutate_bytes_of_line(data, size, max_size);
    case 6: return move_line(data, size, max_size);
    case 7: return insert_frame(data, size, max_size);
    case 8: return insert_action(data, size, max_size);
    default: return LLVMFuzzerMutate(data, size, max_size);
  }
}
