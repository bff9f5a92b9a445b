/* A strict check of one JSON object; see json_scan.h. */
#include "json_scan.h"

#include <string.h>

#include "json_key_set.h"
#include "json_string.h"
#include "utf8.h"

struct scanner {
  const uint8_t *text, *at, *end;
  struct json_key *keys;
  uint32_t key_count;
  uint32_t depth;
  uint32_t first_key[JSON_NESTING_MAXIMUM]; /* per level: where its keys begin; only meaningful for objects */
  uint8_t is_object[JSON_NESTING_MAXIMUM];
  const char *error;
};

static bool refuse(struct scanner *scanner, const char *error) {
  scanner->error = error;
  return false;
}

static void skip_space(struct scanner *scanner) {
  const uint8_t *at = scanner->at;
  while (at < scanner->end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) at++;
  scanner->at = at;
}

static bool is_hex(uint8_t byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
}

/* At a backslash. */
static bool scan_escape(struct scanner *scanner) {
  const uint8_t *at = scanner->at + 1;
  if (at == scanner->end) return refuse(scanner, "a string is not closed");
  if (*at == 'u') {
    if (scanner->end - at < 5 || !is_hex(at[1]) || !is_hex(at[2]) || !is_hex(at[3]) || !is_hex(at[4])) {
      return refuse(scanner, "a \\u escape needs four hexadecimal digits");
    }
    scanner->at = at + 5;
    return true;
  }
  if (*at == 0 || !strchr("\"\\/bfnrt", *at)) return refuse(scanner, "a string has an unknown escape");
  scanner->at = at + 1;
  return true;
}

/* At the opening quote; goes behind the closing one. */
static bool scan_string(struct scanner *scanner) {
  scanner->at++;
  while (scanner->at < scanner->end) {
    uint8_t byte = *scanner->at;
    if (byte == '"') {
      scanner->at++;
      return true;
    }
    if (byte == '\\') {
      if (!scan_escape(scanner)) return false;
    } else if (byte < 0x20) {
      return refuse(scanner, byte == 0 ? "it contains a NUL byte" : "a string contains a control character");
    } else if (byte < 0x80) {
      scanner->at++;
    } else {
      size_t length = utf8_sequence_length(scanner->at, scanner->end);
      if (length == 0) return refuse(scanner, "it is not valid UTF-8");
      scanner->at += length;
    }
  }
  return refuse(scanner, "a string is not closed");
}

static bool scan_digits(struct scanner *scanner) {
  const uint8_t *start = scanner->at;
  while (scanner->at < scanner->end && *scanner->at >= '0' && *scanner->at <= '9') scanner->at++;
  return scanner->at > start || refuse(scanner, "a number is malformed");
}

static bool scan_number(struct scanner *scanner) {
  if (*scanner->at == '-') scanner->at++;
  if (scanner->at < scanner->end && *scanner->at == '0') {
    scanner->at++;
  } else if (!scan_digits(scanner)) {
    return false;
  }
  if (scanner->at < scanner->end && *scanner->at == '.') {
    scanner->at++;
    if (!scan_digits(scanner)) return false;
  }
  if (scanner->at < scanner->end && (*scanner->at == 'e' || *scanner->at == 'E')) {
    scanner->at++;
    if (scanner->at < scanner->end && (*scanner->at == '+' || *scanner->at == '-')) scanner->at++;
    if (!scan_digits(scanner)) return false;
  }
  return true;
}

static bool scan_word(struct scanner *scanner, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(scanner->end - scanner->at) < length || memcmp(scanner->at, word, length) != 0) {
    return refuse(scanner, "it contains what is no JSON value");
  }
  scanner->at += length;
  return true;
}

/* At the first byte of a value that is neither an object nor an array. */
static bool scan_scalar(struct scanner *scanner) {
  switch (*scanner->at) {
    case '"': return scan_string(scanner);
    case 't': return scan_word(scanner, "true");
    case 'f': return scan_word(scanner, "false");
    case 'n': return scan_word(scanner, "null");
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9': return scan_number(scanner);
    case 0: return refuse(scanner, "it contains a NUL byte");
    default: return refuse(scanner, "it contains what is no JSON value");
  }
}

static bool open_container(struct scanner *scanner) {
  if (scanner->depth == JSON_NESTING_MAXIMUM) return refuse(scanner, "it is nested deeper than 512 levels");
  scanner->is_object[scanner->depth] = *scanner->at == '{';
  scanner->first_key[scanner->depth] = scanner->key_count;
  scanner->depth++;
  scanner->at++;
  return true;
}

static bool close_container(struct scanner *scanner) {
  scanner->depth--;
  scanner->at++;
  if (!scanner->is_object[scanner->depth]) return true;
  uint32_t first = scanner->first_key[scanner->depth];
  bool repeated = json_has_repeated_key(scanner->text, scanner->keys + first, scanner->key_count - first);
  scanner->key_count = first;
  return !repeated || refuse(scanner, "an object has the same key twice");
}

/* At a key; goes behind its colon, and records the key. */
static bool scan_key(struct scanner *scanner, struct json_span *key) {
  if (scanner->at == scanner->end || *scanner->at != '"') return refuse(scanner, "an object lacks a key");
  key->at = scanner->at;
  if (!scan_string(scanner)) return false;
  key->length = (size_t)(scanner->at - key->at);
  scanner->keys[scanner->key_count++] = json_key_of(scanner->text, *key);
  skip_space(scanner);
  if (scanner->at == scanner->end || *scanner->at != ':') return refuse(scanner, "a key lacks its colon");
  scanner->at++;
  return true;
}

static struct json_member *wanted(struct json_member *members, size_t count, struct json_span key) {
  bool is_escaped = memchr(key.at, '\\', key.length) != NULL;
  for (size_t i = 0; i < count; i++) {
    size_t length = strlen(members[i].key);
    if (is_escaped ? json_string_is(key, members[i].key)
                   : key.length == length + 2 && memcmp(key.at + 1, members[i].key, length) == 0)
      return &members[i];
  }
  return NULL;
}

static char closing(const struct scanner *scanner) {
  return scanner->is_object[scanner->depth - 1] ? '}' : ']';
}

/* Scans from the outermost brace to its partner, without recursion. */
static bool scan_object(struct scanner *scanner, struct json_member *members, size_t member_count) {
  struct json_member *member = NULL; /* the wanted one whose value is being scanned */
  const uint8_t *value = NULL; /* where that value began */
  bool first = true; /* just behind an opening brace or bracket */
  if (!open_container(scanner)) return false;
  while (scanner->depth > 0) {
    skip_space(scanner);
    if (scanner->at == scanner->end) return refuse(scanner, "it ends in the middle of an object or array");
    if (*scanner->at == closing(scanner)) {
      if (!close_container(scanner)) return false;
      first = false;
    } else {
      if (!first) {
        if (*scanner->at != ',') return refuse(scanner, "a comma is missing between two values");
        scanner->at++;
        skip_space(scanner);
      }
      if (scanner->is_object[scanner->depth - 1]) {
        struct json_span key;
        if (!scan_key(scanner, &key)) return false;
        skip_space(scanner);
        if (scanner->depth == 1) {
          member = wanted(members, member_count, key);
          value = scanner->at;
        }
      }
      if (scanner->at == scanner->end) return refuse(scanner, "a value is missing");
      if (*scanner->at == '{' || *scanner->at == '[') {
        if (!open_container(scanner)) return false;
        first = true;
        continue;
      }
      if (!scan_scalar(scanner)) return false;
      first = false;
    }
    if (scanner->depth == 1 && member) {
      member->value = (struct json_span){value, (size_t)(scanner->at - value)};
      member = NULL;
    }
  }
  return true;
}

const char *json_scan(const uint8_t *text, size_t length, struct json_key *keys, struct json_member *members,
                      size_t member_count) {
  struct scanner scanner; /* not cleared: of the stack arrays only the levels in use are ever read */
  scanner.text = scanner.at = text;
  scanner.end = text + length;
  scanner.keys = keys;
  scanner.key_count = 0;
  scanner.depth = 0;
  scanner.error = NULL;
  for (size_t i = 0; i < member_count; i++) members[i].value = (struct json_span){NULL, 0};
  skip_space(&scanner);
  if (scanner.at == scanner.end || *scanner.at != '{') return "it is not a JSON object";
  if (!scan_object(&scanner, members, member_count)) return scanner.error;
  skip_space(&scanner);
  return scanner.at == scanner.end ? NULL : "something follows the JSON object";
}

bool json_scan_is_number(const uint8_t *text, size_t length) {
  struct scanner scanner;
  scanner.text = scanner.at = text;
  scanner.end = text + length;
  scanner.error = NULL;
  return length > 0 && scan_number(&scanner) && scanner.at == scanner.end;
}
