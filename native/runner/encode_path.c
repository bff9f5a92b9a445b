/* Where an encoding has got to; see encode_path.h. */
#include "encode_path.h"

#include <stdio.h>

#include "guest_values.h"
#include "text.h"

/* The engine's table: a flag and an atom per name, four bytes each. */
#define NAME_ENTRY_BYTES 8u
#define NAME_ENTRY_ATOM 4u

guest_atom encode_level_atom(const struct encode_level *level) {
  return guest_load_u32(level->names + (u32)level->index * NAME_ENTRY_BYTES + NAME_ENTRY_ATOM);
}

guest_value encode_level_key(const struct encode_level *levels, uint32_t depth) {
  if (depth == 0) return guest_string("", 0);
  const struct encode_level *level = &levels[depth - 1];
  if (!level->is_array) return GUEST_CALL(JS_AtomToString, engine_context, encode_level_atom(level));
  char digits[24];
  int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)level->index);
  return guest_string(digits, (size_t)length);
}

static bool is_identifier(const uint8_t *name, uint32_t length) {
  for (uint32_t i = 0; i < length; i++) {
    uint8_t byte = name[i];
    bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' || byte == '$';
    if (!letter && (i == 0 || byte < '0' || byte > '9')) return false;
  }
  return length > 0;
}

static bool append_name(struct text *path, guest_atom atom) {
  struct guest_text name = guest_text_of_atom(atom);
  if (!name.address) {
    guest_free(guest_take_exception());
    return text_raw(path, ".?");
  }
  const uint8_t *bytes = guest_bytes(name.address, name.length);
  bool fits;
  if (is_identifier(bytes, name.length)) {
    fits = text_raw(path, ".") && text_bytes(path, bytes, name.length);
  } else {
    fits = text_raw(path, "[") && text_json_string(path, bytes, name.length) && text_raw(path, "]");
  }
  guest_text_free(name);
  return fits;
}

void encode_path_write(const struct encode_level *levels, uint32_t depth, char *path, size_t size) {
  static const char ellipsis[] = "...";
  struct text text = text_in(path, size - sizeof ellipsis);
  bool fits = text_raw(&text, "$");
  for (uint32_t i = 0; i < depth && fits; i++) {
    if (levels[i].is_array) {
      fits = text_raw(&text, "[") && text_unsigned(&text, levels[i].index) && text_raw(&text, "]");
    } else {
      fits = append_name(&text, encode_level_atom(&levels[i]));
    }
  }
  memcpy(text.at, fits ? "" : ellipsis, fits ? 1 : sizeof ellipsis);
}
