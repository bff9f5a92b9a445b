/* Reads strings, numbers and containers out of good JSON; see json_string.h. */
#include "json_string.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

struct json_string_reader json_string_open(struct json_span string) {
  return (struct json_string_reader){.at = string.at + 1, .end = string.at + string.length - 1};
}

static uint32_t hex_value(const uint8_t *digits) {
  uint32_t value = 0;
  for (int i = 0; i < 4; i++) {
    uint8_t digit = digits[i];
    value = value << 4 | (uint32_t)(digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
  }
  return value;
}

/* At a backslash: the code point that the escape stands for, a pair of surrogates taken together. */
static uint32_t read_escape(struct json_string_reader *reader) {
  const uint8_t *at = reader->at;
  reader->at += 2;
  switch (at[1]) {
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'u': break;
    default: return at[1];
  }
  uint32_t unit = hex_value(at + 2);
  reader->at = at + 6;
  if (unit < 0xD800 || unit > 0xDBFF || reader->end - reader->at < 6 || at[6] != '\\' || at[7] != 'u')
    return unit;
  uint32_t low = hex_value(at + 8);
  if (low < 0xDC00 || low > 0xDFFF) return unit;
  reader->at = at + 12;
  return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
}

int json_string_next(struct json_string_reader *reader) {
  if (reader->given < reader->ready) return reader->bytes[reader->given++];
  if (reader->at == reader->end) return -1;
  if (*reader->at != '\\') return *reader->at++;
  reader->ready = (uint8_t)utf8_encode(read_escape(reader), reader->bytes);
  reader->given = 1;
  return reader->bytes[0];
}

size_t json_string_decode(struct json_span string, uint8_t *out) {
  struct json_string_reader reader = json_string_open(string);
  uint8_t *start = out;
  while (reader.at < reader.end) {
    const uint8_t *escape = memchr(reader.at, '\\', (size_t)(reader.end - reader.at));
    size_t plain = (size_t)((escape ? escape : reader.end) - reader.at);
    memcpy(out, reader.at, plain);
    out += plain;
    reader.at += plain;
    if (escape) out += utf8_encode(read_escape(&reader), out);
  }
  return (size_t)(out - start);
}

int json_string_compare(struct json_span one, struct json_span other) {
  struct json_string_reader left = json_string_open(one);
  struct json_string_reader right = json_string_open(other);
  for (;;) {
    int left_byte = json_string_next(&left);
    int right_byte = json_string_next(&right);
    if (left_byte != right_byte) return left_byte < right_byte ? -1 : 1;
    if (left_byte < 0) return 0;
  }
}

bool json_is_string(struct json_span value) { return value.at && *value.at == '"'; }
bool json_is_object(struct json_span value) { return value.at && *value.at == '{'; }
bool json_is_array(struct json_span value) { return value.at && *value.at == '['; }

bool json_string_is(struct json_span value, const char *text) {
  if (!json_is_string(value)) return false;
  struct json_string_reader reader = json_string_open(value);
  for (; *text; text++) {
    if (json_string_next(&reader) != (uint8_t)*text) return false;
  }
  return json_string_next(&reader) < 0;
}

/* What almost every frame has: digits, few enough for 64 bits. */
static bool is_plain_integer(struct json_span value, uint64_t *number) {
  if (!value.at || value.length > 19) return false;
  *number = 0;
  for (size_t i = 0; i < value.length; i++) {
    if (value.at[i] < '0' || value.at[i] > '9') return false;
    *number = *number * 10 + (uint64_t)(value.at[i] - '0');
  }
  return value.length > 0;
}

bool json_is_integer(struct json_span value, uint64_t minimum, uint64_t *result) {
  if (is_plain_integer(value, result)) return *result >= minimum;
  char digits[64]; /* more of them than any limit has use for */
  if (!value.at || value.length >= sizeof digits ||
      !(*value.at == '-' || (*value.at >= '0' && *value.at <= '9')))
    return false;
  memcpy(digits, value.at, value.length);
  digits[value.length] = 0;
  double number = strtod(digits, NULL);
  if (number != floor(number) || number < (double)minimum) return false;
  *result = number < 18446744073709551615.0 ? (uint64_t)number : UINT64_MAX;
  return true;
}

struct json_walk json_walk(struct json_span container) {
  return (struct json_walk){container.at + 1, container.at + container.length - 1};
}

static void skip_separators(struct json_walk *walk) {
  while (walk->at < walk->end && strchr(" \t\n\r,:", *walk->at)) walk->at++;
}

static const uint8_t *end_of_string(const uint8_t *at) {
  for (at++; *at != '"'; at++) {
    if (*at == '\\') at++;
  }
  return at + 1;
}

static struct json_span take_value(struct json_walk *walk) {
  const uint8_t *start = walk->at;
  const uint8_t *at = start;
  size_t depth = 0;
  do {
    if (*at == '"') {
      at = end_of_string(at);
    } else if (*at == '{' || *at == '[') {
      depth++;
      at++;
    } else if (*at == '}' || *at == ']') {
      depth--;
      at++;
    } else if (depth > 0) {
      at++;
    } else {
      while (at < walk->end && !strchr(" \t\n\r,]}", *at)) at++;
    }
  } while (depth > 0);
  walk->at = at;
  return (struct json_span){start, (size_t)(at - start)};
}

bool json_next_element(struct json_walk *walk, struct json_span *value) {
  skip_separators(walk);
  if (walk->at >= walk->end) return false;
  *value = take_value(walk);
  return true;
}

bool json_next_member(struct json_walk *walk, struct json_span *key, struct json_span *value) {
  return json_next_element(walk, key) && json_next_element(walk, value);
}

struct json_span json_member_of(struct json_span object, const char *key) {
  struct json_walk walk = json_walk(object);
  struct json_span name, value;
  while (json_next_member(&walk, &name, &value)) {
    if (json_string_is(name, key)) return value;
  }
  return (struct json_span){NULL, 0};
}
