/*
 * Values of the guest, made and taken apart: strings, properties, errors, calls.
 *
 * Every value that is returned belongs to the caller; GUEST_EXCEPTION means that the engine has an exception
 * pending. Nothing here looks anything up in what a program can change. Knows nothing of tools or frames.
 */
#ifndef WARDENPOOL_GUEST_VALUES_H
#define WARDENPOOL_GUEST_VALUES_H

#include "engine.h"
#include "json_scan.h"

/* Attributes of a property, as the engine has them. */
enum guest_attribute {
  GUEST_CONFIGURABLE = 1 << 0,
  GUEST_WRITABLE = 1 << 1,
  GUEST_ENUMERABLE = 1 << 2,
};

/* Property names that are used on every run. */
struct guest_names {
  guest_atom to_json, name, message, code, stack, length;
};
extern struct guest_names guest_names;

/* A block of guest memory for results that come by pointer. Read what a call left before the next one. */
extern guest_address guest_scratch;
#define GUEST_SCRATCH_BYTES 64u

/* Makes scratch memory and names. 0, or -1 if the engine has no memory for them. */
int guest_values_start(void);

/* The number that a value is; 0 if it is none. */
double guest_number(guest_value value);

void guest_free(guest_value value);

/* A copy of bytes in guest memory, with a NUL behind them; 0 if there is no memory. Free with wasm_free. */
guest_address guest_copy(const void *bytes, size_t length);

/* A string of UTF-8 bytes, lone surrogates as three bytes each. */
guest_value guest_string(const void *bytes, size_t length);

guest_atom guest_atom_of(const char *name);

/* Calls a function with `undefined` as this; the arguments stay the caller's. */
guest_value guest_call(guest_value function, int count, const guest_value *arguments);

/* Calls a function with a `this` and one argument, which stay the caller's. */
guest_value guest_call_method(guest_value function, guest_value self, guest_value argument);

/* Defines a property, enumerable and nothing else, of an object that is our own. Takes the value over. False, with an
 * exception pending, if that is one, or there is no memory. */
bool guest_define(guest_value object, const char *name, guest_value value);

/* The property `name` of an object that is our own. */
guest_value guest_own_property(guest_value object, const char *name);

/* A new Error, whose stack is that of the caller in the guest. */
guest_value guest_error(void);

/* Gives an error its message and, unless that is empty, its code. False, with an exception pending, if there
 * is no memory. */
bool guest_describe_error(guest_value error, const void *message, size_t message_length, const void *code,
                          size_t code_length);

/* A new TypeError. */
guest_value guest_type_error(const char *message);

/* The text of a string (or what any primitive converts to), as bytes of guest memory, until
 * guest_text_free(). */
struct guest_text {
  guest_address address; /* 0: an exception is pending */
  uint32_t length;
};
struct guest_text guest_text_of(guest_value value);
struct guest_text guest_text_of_atom(guest_atom atom);
void guest_text_free(struct guest_text text);

/* An argument of a function that the engine calls. It stays the engine's. */
static inline guest_value guest_argument(guest_address arguments, uint32_t index) {
  return guest_load_u64(guest_load_u32(arguments + 4u * index));
}

/* Bytes of guest memory. */
struct guest_span {
  guest_address address;
  uint32_t length; /* 0: no bytes, and no address */
};

/* Where the bytes of a Uint8Array are, until the guest runs. None, if it is no such array. */
struct guest_span guest_uint8_array(guest_value array);

/* Takes the pending exception. */
guest_value guest_take_exception(void);

/* What kind of object it is, by its class, which a program cannot change. */
enum guest_kind {
  GUEST_KIND_OTHER, /* an object whose properties are its value */
  GUEST_KIND_ARRAY,
  GUEST_KIND_FUNCTION,
  GUEST_KIND_ERROR,
  GUEST_KIND_REGEXP,
  GUEST_KIND_PROMISE,
  GUEST_KIND_MAP,
  GUEST_KIND_SET,
  GUEST_KIND_WEAK,
  GUEST_KIND_BINARY, /* typed arrays, their buffers, DataView */
  GUEST_KIND_BOXED_NUMBER, /* new Number(1); likewise below */
  GUEST_KIND_BOXED_STRING,
  GUEST_KIND_BOXED_BOOLEAN,
  GUEST_KIND_BOXED_UNFIT, /* Object(1n), Object(Symbol()) */
  GUEST_KIND_DATE,
  GUEST_KIND_DOM_EXCEPTION,
  GUEST_KIND_COUNT,
};
enum guest_kind guest_kind_of(guest_value object);

/* The name under which scripts of the bootstrap call it: `kindOf(object)`, a number of enum guest_kind; -1 for proxies. */
#define GUEST_KIND_OF_FUNCTION "kindOf"
guest_value guest_kind_of_call(uint32_t argument_count, guest_address arguments);

/* Learns the class of `sample`. */
void guest_learn_kind(guest_value sample, enum guest_kind kind);

#endif
