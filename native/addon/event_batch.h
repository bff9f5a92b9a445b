// What happened in one turn, for JavaScript: one flat array, and so one call into it, however many sandboxes had news.
#pragma once

#include <node_api.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <utility>

// Mirrored by src/executor/addon.ts.
enum class Event : uint32_t {
  kData = 1,       // payload: Buffer
  kEnd,            // the sandbox closed its half of the bridge, and everything that it sent was delivered
  kDrained,        // what was queued for the sandbox has gone to the kernel
  kDiagnostics,    // payload: Buffer
  kSpawned,
  kSpawnFailed,    // payload: [step, errno]
  // payload: [lost, waitStatus, failedStep, failedErrno, cpuUserUs, cpuSystemUs, peakRssBytes, minorFaults, majorFaults,
  // voluntarySwitches, involuntarySwitches, diagnosticsBytes, bytesIn, bytesOut]
  kExited,
  kReady,          // of the launcher; payload: facts
  kFailed,         // of the launcher; payload: {step, errno, detail}
  kLauncherExited,  // payload: wait status
};

// It builds its values by the plain C interface, and notes that a call failed instead of throwing: the loop of a thread that
// ends still turns when no JavaScript can run any more, and node-addon-api aborts the process if it must throw then.
class EventBatch {
 public:
  explicit EventBatch(napi_env env) : env_(env) { check(napi_create_array(env_, &events_)); }

  void add(Event event, uint32_t sandbox) { add(event, sandbox, undefined()); }
  void add(Event event, uint32_t sandbox, napi_value payload) {
    append(number(static_cast<double>(event)));
    append(number(sandbox));
    append(payload);
  }
  void add(Event event, uint32_t sandbox, std::initializer_list<double> numbers) {
    napi_value payload = nullptr;
    check(napi_create_array_with_length(env_, numbers.size(), &payload));
    uint32_t index = 0;
    for (double each : numbers) set(payload, index++, number(each));
    add(event, sandbox, payload);
  }

  napi_value undefined() {
    napi_value value = nullptr;
    check(napi_get_undefined(env_, &value));
    return value;
  }
  napi_value number(double from) {
    napi_value value = nullptr;
    check(napi_create_double(env_, from, &value));
    return value;
  }
  // The characters up to a NUL, at most `capacity`.
  napi_value text(const char* from, size_t capacity) {
    napi_value value = nullptr;
    check(napi_create_string_utf8(env_, from, strnlen(from, capacity), &value));
    return value;
  }
  napi_value buffer(const void* from, size_t length) {
    napi_value value = nullptr;
    check(napi_create_buffer_copy(env_, length, from, nullptr, &value));
    return value;
  }
  napi_value object(std::initializer_list<std::pair<const char*, napi_value>> members) {
    napi_value value = nullptr;
    check(napi_create_object(env_, &value));
    for (auto [name, member] : members)
      if (!failed_) check(napi_set_named_property(env_, value, name, member));
    return value;
  }

  bool empty() const { return length_ == 0; }
  // True once a value could not be made: then the batch is good for nothing.
  bool failed() const { return failed_; }
  napi_value events() const { return events_; }

 private:
  void check(napi_status status) { failed_ = failed_ || status != napi_ok; }
  void set(napi_value array, uint32_t index, napi_value value) {
    if (!failed_) check(napi_set_element(env_, array, index, value));
  }
  void append(napi_value value) { set(events_, length_++, value); }

  napi_env env_;
  napi_value events_ = nullptr;
  uint32_t length_ = 0;
  bool failed_ = false;
};
