/* A second opinion on JSON; see json_oracle.h. By recursive descent, which 512 levels cannot exhaust. */
#include "json_oracle.h"

#include <stdlib.h>
#include <string.h>

#define DEEPEST 512

struct parser {
  const uint8_t *at, *end;
  unsigned depth;
};

/* A key, as code units. */
struct key {
  uint16_t *units;
  size_t count;
};

static bool take(struct parser *parser, char byte) {
  if (parser->at == parser->end || *parser->at != (uint8_t)byte) return false;
  parser->at++;
  return true;
}

static void skip_white(struct parser *parser) {
  while (take(parser, ' ') || take(parser, '\t') || take(parser, '\n') || take(parser, '\r')) continue;
}

/* The code point at `at` and its length in `length`; -1 if there is no character of UTF-8. Decodes first, judges then. */
static int32_t code_point_at(const uint8_t *at, const uint8_t *end, size_t *length) {
  static const int32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  uint8_t lead = *at;
  *length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
  if (*length == 0 || (size_t)(end - at) < *length) return -1;
  int32_t value = *length == 1 ? lead : lead & (0x7F >> *length);
  for (size_t i = 1; i < *length; i++) {
    if (at[i] >> 6 != 2) return -1;
    value = value << 6 | (at[i] & 0x3F);
  }
  if (value < smallest[*length] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return -1;
  return value;
}

static int hex_digit(uint8_t byte) {
  const char *digits = "00112233445566778899aAbBcCdDeEfF";
  const char *found = byte ? strchr(digits, byte) : NULL;
  return found ? (int)(found - digits) / 2 : -1;
}

/* Behind a backslash. One code unit, or -1. */
static int32_t parse_escape(struct parser *parser) {
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  if (take(parser, 'u')) {
    int32_t unit = 0;
    for (int i = 0; i < 4; i++) {
      int digit = parser->at < parser->end ? hex_digit(*parser->at++) : -1;
      if (digit < 0) return -1;
      unit = unit * 16 + digit;
    }
    return unit;
  }
  for (size_t i = 0; letters[i]; i++) {
    if (take(parser, letters[i])) return meanings[i];
  }
  return -1;
}

/* `units` may be NULL. */
static bool parse_string(struct parser *parser, uint16_t *units, size_t *count) {
  *count = 0;
  if (!take(parser, '"')) return false;
  while (parser->at < parser->end && *parser->at != '"') {
    int32_t value;
    if (take(parser, '\\')) {
      value = parse_escape(parser);
      if (value < 0) return false;
    } else {
      size_t length;
      value = code_point_at(parser->at, parser->end, &length);
      if (value < 0x20) return false;
      parser->at += length;
    }
    uint16_t pair[2] = {(uint16_t)value, 0};
    size_t pair_count = 1;
    if (value > 0xFFFF) {
      pair[0] = (uint16_t)(0xD800 + ((value - 0x10000) >> 10));
      pair[1] = (uint16_t)(0xDC00 + ((value - 0x10000) & 0x3FF));
      pair_count = 2;
    }
    if (units) memcpy(units + *count, pair, pair_count * sizeof *pair);
    *count += pair_count;
  }
  return take(parser, '"');
}

static bool parse_digits(struct parser *parser) {
  const uint8_t *start = parser->at;
  while (parser->at < parser->end && *parser->at >= '0' && *parser->at <= '9') parser->at++;
  return parser->at > start;
}

static bool parse_number(struct parser *parser) {
  (void)take(parser, '-');
  if (!take(parser, '0') && !parse_digits(parser)) return false;
  if (take(parser, '.') && !parse_digits(parser)) return false;
  if (take(parser, 'e') || take(parser, 'E')) {
    if (!take(parser, '+')) (void)take(parser, '-');
    return parse_digits(parser);
  }
  return true;
}

static bool parse_word(struct parser *parser, const char *word) {
  for (; *word; word++) {
    if (!take(parser, *word)) return false;
  }
  return true;
}

static bool parse_value(struct parser *parser);

static bool parse_array(struct parser *parser) {
  skip_white(parser);
  if (take(parser, ']')) return true;
  do {
    if (!parse_value(parser)) return false;
  } while (take(parser, ','));
  return take(parser, ']');
}

static bool is_among(const struct key *keys, size_t count, const struct key *key) {
  for (size_t i = 0; i < count; i++) {
    if (keys[i].count == key->count && memcmp(keys[i].units, key->units, key->count * sizeof *key->units) == 0) return true;
  }
  return false;
}

static bool parse_members(struct parser *parser, struct key **keys, size_t *key_count) {
  do {
    skip_white(parser);
    struct key key = {malloc((size_t)(parser->end - parser->at + 1) * sizeof(uint16_t)), 0};
    bool good = parse_string(parser, key.units, &key.count) && !is_among(*keys, *key_count, &key);
    *keys = realloc(*keys, (*key_count + 1) * sizeof **keys);
    key.units = realloc(key.units, key.count * sizeof(uint16_t) + 1);
    (*keys)[(*key_count)++] = key;
    if (!good) return false;
    skip_white(parser);
    if (!take(parser, ':') || !parse_value(parser)) return false;
  } while (take(parser, ','));
  return take(parser, '}');
}

static bool parse_object(struct parser *parser) {
  skip_white(parser);
  if (take(parser, '}')) return true;
  struct key *keys = NULL;
  size_t key_count = 0;
  bool good = parse_members(parser, &keys, &key_count);
  for (size_t i = 0; i < key_count; i++) free(keys[i].units);
  free(keys);
  return good;
}

/* A value, and the white space around it. */
static bool parse_value(struct parser *parser) {
  skip_white(parser);
  if (parser->at == parser->end) return false;
  bool good;
  size_t ignored;
  switch (*parser->at) {
    case '{':
    case '[':
      if (parser->depth == DEEPEST) return false;
      parser->depth++;
      good = *parser->at++ == '{' ? parse_object(parser) : parse_array(parser);
      parser->depth--;
      break;
    case '"': good = parse_string(parser, NULL, &ignored); break;
    case 't': good = parse_word(parser, "true"); break;
    case 'f': good = parse_word(parser, "false"); break;
    case 'n': good = parse_word(parser, "null"); break;
    default: good = parse_number(parser);
  }
  skip_white(parser);
  return good;
}

bool json_oracle_accepts(const uint8_t *text, size_t length) {
  struct parser parser = {text, text + length, 0};
  skip_white(&parser);
  return parser.at < parser.end && *parser.at == '{' && parse_value(&parser) && parser.at == parser.end;
}

size_t json_oracle_decode(const uint8_t *text, size_t length, uint16_t *units) {
  struct parser parser = {text, text + length, 0};
  size_t count = 0;
  (void)parse_string(&parser, units, &count);
  return count;
}
