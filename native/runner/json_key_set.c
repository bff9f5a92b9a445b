/*
 * Finds repeated keys by sorting: first by hash, then, where hashes are equal, by content. Sorting needs no
 * secret to be safe from keys that were chosen to collide, as a hash table would.
 */
#include "json_key_set.h"

#include "json_string.h"

/* Up to here comparing all pairs is faster than sorting, and almost every object is this small. */
#define FEW_KEYS 8

struct json_key json_key_of(const uint8_t *text, struct json_span key) {
  uint32_t hash = 2166136261u; /* FNV-1a */
  struct json_string_reader reader = json_string_open(key);
  for (int byte = json_string_next(&reader); byte >= 0; byte = json_string_next(&reader)) {
    hash = (hash ^ (uint32_t)byte) * 16777619u;
  }
  return (struct json_key){hash, (uint32_t)(key.at - text), (uint32_t)key.length};
}

static int compare(const uint8_t *text, const struct json_key *one, const struct json_key *other) {
  if (one->hash != other->hash) return one->hash < other->hash ? -1 : 1;
  return json_string_compare((struct json_span){text + one->offset, one->length},
                             (struct json_span){text + other->offset, other->length});
}

static void sift_down(const uint8_t *text, struct json_key *keys, size_t root, size_t count) {
  struct json_key moving = keys[root];
  for (;;) {
    size_t child = root * 2 + 1;
    if (child >= count) break;
    if (child + 1 < count && compare(text, &keys[child], &keys[child + 1]) < 0) child++;
    if (compare(text, &moving, &keys[child]) >= 0) break;
    keys[root] = keys[child];
    root = child;
  }
  keys[root] = moving;
}

/* Heapsort: in place, no recursion, no bad case. */
static void sort(const uint8_t *text, struct json_key *keys, size_t count) {
  for (size_t root = count / 2; root-- > 0;) sift_down(text, keys, root, count);
  for (size_t last = count - 1; last > 0; last--) {
    struct json_key largest = keys[0];
    keys[0] = keys[last];
    keys[last] = largest;
    sift_down(text, keys, 0, last);
  }
}

bool json_has_repeated_key(const uint8_t *text, struct json_key *keys, size_t count) {
  if (count <= FEW_KEYS) {
    for (size_t i = 1; i < count; i++) {
      for (size_t j = 0; j < i; j++) {
        if (compare(text, &keys[i], &keys[j]) == 0) return true;
      }
    }
    return false;
  }
  sort(text, keys, count);
  for (size_t i = 1; i < count; i++) {
    if (compare(text, &keys[i - 1], &keys[i]) == 0) return true;
  }
  return false;
}
