#include "plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What has been read, and whether all of it was there. After a failure everything reads as zero. */
struct reader {
  char *at, *end;
  bool failed;
};

static char *take(struct reader *reader, size_t length) {
  if (reader->failed || (size_t)(reader->end - reader->at) < length) {
    reader->failed = true;
    return NULL;
  }
  char *start = reader->at;
  reader->at += length;
  return start;
}

static uint32_t take_number(struct reader *reader) {
  uint32_t number = 0;
  const char *bytes = take(reader, sizeof number);
  if (bytes) memcpy(&number, bytes, sizeof number);
  return number;
}

static uint64_t take_long(struct reader *reader) {
  uint64_t number = 0;
  const char *bytes = take(reader, sizeof number);
  if (bytes) memcpy(&number, bytes, sizeof number);
  return number;
}

/* A NUL follows each text, so that it can stay where it is. */
static char *take_text(struct reader *reader, size_t *length) {
  size_t size = take_number(reader);
  char *text = take(reader, size + 1);
  *length = 0;
  if (!text || text[size] != '\0') {
    reader->failed = true;
    return "";
  }
  *length = size;
  return text;
}

/* One without a NUL in it: what is before that would be another path, or another argument, than was meant. */
static char *take_string(struct reader *reader) {
  size_t length;
  char *text = take_text(reader, &length);
  if (strlen(text) != length) reader->failed = true;
  return text;
}

/* A count of things that each take at least `smallest` bytes: more than can be there is refused before it is allocated. */
static uint32_t take_count(struct reader *reader, size_t smallest) {
  uint32_t count = take_number(reader);
  if (count > (size_t)(reader->end - reader->at) / smallest) {
    reader->failed = true;
    return 0;
  }
  return count;
}

static char **take_strings(struct reader *reader) {
  uint32_t count = take_count(reader, sizeof(uint32_t) + 1);
  char **strings = calloc(count + 1u, sizeof *strings);
  if (!strings) {
    reader->failed = true;
    return NULL;
  }
  for (uint32_t i = 0; i < count; i++) strings[i] = take_string(reader);
  return strings;
}

static void take_operations(struct reader *reader, struct plan *plan) {
  plan->operation_count = take_count(reader, 32);
  plan->operations = calloc(plan->operation_count + 1u, sizeof *plan->operations);
  if (!plan->operations) {
    reader->failed = true;
    return;
  }
  for (uint32_t i = 0; i < plan->operation_count; i++) {
    struct operation *operation = &plan->operations[i];
    operation->kind = take_number(reader);
    operation->flags = take_number(reader);
    operation->a = take_long(reader);
    operation->b = take_long(reader);
    operation->target = take_string(reader);
    operation->text = take_text(reader, &operation->text_length);
    if (operation->kind != OPERATION_FILE && strlen(operation->text) != operation->text_length) reader->failed = true;
    operation->tree = -1;
  }
}

static char *read_all(int descriptor, size_t *size) {
  struct stat status;
  if (fstat(descriptor, &status) < 0 || status.st_size <= 0 || (size_t)status.st_size > PLAN_LARGEST) return NULL;
  *size = (size_t)status.st_size;
  char *bytes = malloc(*size);
  for (size_t have = 0; bytes && have < *size;) {
    ssize_t length = pread(descriptor, bytes + have, *size - have, (off_t)have);
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) return NULL;
    have += (size_t)length;
  }
  return bytes;
}

const char *plan_read(int descriptor, struct plan *plan) {
  size_t size = 0;
  char *bytes = read_all(descriptor, &size);
  close(descriptor);
  if (!bytes) return "the plan cannot be read, or is too large";
  struct reader reader = {.at = bytes, .end = bytes + size};
  if (take_number(&reader) != PLAN_MAGIC || take_number(&reader) != PLAN_VERSION) return "this is no plan of this version";
  plan->flags = take_number(&reader);
  for (unsigned i = 0; i < LIMIT_COUNT; i++) plan->limits[i] = take_long(&reader);
  plan->root_bytes = take_long(&reader);
  plan->root_entries = take_long(&reader);
  plan->executable = take_string(&reader);
  plan->directory = take_string(&reader);
  plan->arguments = take_strings(&reader);
  plan->environment = take_strings(&reader);
  take_operations(&reader, plan);
  plan->preserved_count = take_count(&reader, sizeof(uint32_t));
  uint32_t *preserved = calloc(plan->preserved_count + 1u, sizeof *preserved);
  if (!preserved) return "out of memory";
  for (uint32_t i = 0; i < plan->preserved_count; i++) preserved[i] = take_number(&reader);
  plan->preserved = preserved;
  plan->tool = take_string(&reader);
  plan->tool_arguments = take_strings(&reader);
  plan->tool_environment = take_strings(&reader);
  plan->tool_options = take_text(&reader, &plan->tool_options_length);
  return reader.failed || reader.at != reader.end ? "the plan is damaged" : NULL;
}
