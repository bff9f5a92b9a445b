// A launcher and all of its sandboxes, on the event loop of the thread that made it.
//
// Everything that can be waited for sits in one epoll set, and the loop watches that set alone: a turn costs one
// epoll_wait and one call into JavaScript however many sandboxes had news, and a sandbox costs no libuv handle.
#pragma once

#include <napi.h>
#include <sys/epoll.h>
#include <uv.h>

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "control/control.h"
#include "descriptor.h"
#include "event_batch.h"
#include "sandbox.h"

class Launcher : public Napi::ObjectWrap<Launcher> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit Launcher(const Napi::CallbackInfo& info);
  ~Launcher() override;

 private:
  Napi::Value configure(const Napi::CallbackInfo& info);
  Napi::Value run_command(const Napi::CallbackInfo& info);
  Napi::Value spawn(const Napi::CallbackInfo& info);
  Napi::Value write(const Napi::CallbackInfo& info);
  Napi::Value pending(const Napi::CallbackInfo& info);
  Napi::Value end_input(const Napi::CallbackInfo& info);
  Napi::Value set_paused(const Napi::CallbackInfo& info);
  Napi::Value set_diagnostics_paused(const Napi::CallbackInfo& info);
  Napi::Value close_output(const Napi::CallbackInfo& info);
  Napi::Value read_at_exit(const Napi::CallbackInfo& info);
  Napi::Value pid(const Napi::CallbackInfo& info);
  Napi::Value demote(const Napi::CallbackInfo& info);
  Napi::Value send_signal(const Napi::CallbackInfo& info);
  Napi::Value launcher_pid(const Napi::CallbackInfo& info);
  Napi::Value keep_alive(const Napi::CallbackInfo& info);
  Napi::Value close(const Napi::CallbackInfo& info);
  Napi::Value kill(const Napi::CallbackInfo& info);

  // Sends a packet with descriptors beside it. 0, or an errno.
  int send_packet(const void* packet, size_t length, const std::vector<int>& descriptors);
  bool watch(const Descriptor& descriptor, uint64_t tag);
  void on_wake();
  bool deliver(napi_env env, napi_value events);
  // One turn: what is ready now, as events.
  void collect(EventBatch& batch);
  // What one sandbox has now: the bytes that it was. Nothing for one that is gone.
  uint64_t serve(const epoll_event& ready, EventBatch& batch);
  // A sandbox that is ready, and the turn in which it was served last.
  struct Waiting {
    uint64_t since;
    const epoll_event* ready;
  };
  // As many as one turn has room for.
  void serve_bulky(std::vector<Waiting>& waiting, EventBatch& batch);
  // What the launcher says, one packet at a time.
  struct Packet {
    alignas(control_ready) char bytes[sizeof(control_ready)];
    size_t length = 0;
    Descriptor descriptor;  // none if none came along, or there was no room for it

    uint32_t type() const { return *reinterpret_cast<const uint32_t*>(bytes); }
    template <typename Body>
    bool is(uint32_t of_type) const { return length == sizeof(Body) && type() == of_type; }
    template <typename Body>
    const Body* as() const { return reinterpret_cast<const Body*>(bytes); }
  };
  // False if there is none, now or ever.
  bool receive(Packet& packet);
  void on_control(EventBatch& batch);
  void on_packet(Packet& packet, EventBatch& batch);
  int on_started(Packet& packet);
  void on_spawned(Packet& packet, EventBatch& batch);
  // True if it was over, and is reaped.
  bool reap_one(Descriptor& process);
  // The same for `outside_`, which is over, and for what it has cloned and not told of.
  bool reap_outside();
  void kill_all();
  void on_launcher_gone(EventBatch& batch);
  void finish(uint32_t number, EventBatch& batch);

  // A request for a sandbox, with the ends that it takes along.
  struct SpawnRequest {
    uint32_t number;
    Descriptor bridge, diagnostics;
  };
  // 0, or an errno.
  int send_request(const SpawnRequest& request);
  // The launcher has answered one: the next may be sent.
  void on_answered(EventBatch& batch);
  Sandbox* find(const Napi::CallbackInfo& info);
  // Ends the launcher now, waits for it within a bound, and stops watching. Nothing is reported any more.
  void shut_down();

  // Tags of what is no sandbox, in the epoll set; a sandbox's number has 32 bits, and one more says which descriptor of it.
  static constexpr uint64_t kControlTag = uint64_t{1} << 40;
  static constexpr uint64_t kOutsideTag = uint64_t{2} << 40;
  static constexpr uint64_t kInsideTag = uint64_t{3} << 40;

  static constexpr size_t kReadBufferBytes = 64 * 1024;

  // Sent and not answered. Enough that the launcher never waits for the host; a socket holds some hundreds.
  static constexpr size_t kUnansweredMaximum = 32;

  // `outside_` is the process that was started, `inside_` the one that serves; see launcher_process.h for which of them stays.
  Descriptor epoll_, control_, outside_, inside_;
  int outside_pid_ = 0;
  bool is_command_ = false;
  bool has_handed_over_ = false;
  // Whoever wanted its end, wants that of what it hands over to as well.
  bool is_to_end_ = false;
  // Of whichever of the two did not end by handing over.
  int wait_status_ = 0;
  // The watch on `epoll_`. It outlives this object: libuv gives a handle back only on a later turn, and the thread must not
  // end, nor this library be unloaded, before it has.
  struct Watch {
    uv_poll_t poll;
    Launcher* launcher;  // nullptr once it is closing
    napi_async_cleanup_hook_handle cleanup = nullptr;
  };
  static Watch* start_watch(Napi::Env env, Launcher* launcher);
  static void close_watch(Watch* watch);
  Watch* watch_ = nullptr;
  Napi::FunctionReference on_events_;
  std::unique_ptr<Napi::AsyncContext> async_context_;
  uint64_t diagnostics_limit_ = 0;
  uint32_t last_number_ = 0;
  uint64_t turn_ = 0;
  std::unordered_map<uint32_t, std::unique_ptr<Sandbox>> sandboxes_;
  // The launcher clones one after the other. Those behind the first few wait here, since a socket holds only so many.
  std::deque<SpawnRequest> waiting_;
  size_t unanswered_ = 0;
  bool is_gone_ = false;
  std::unique_ptr<char[]> buffer_;
  std::string text_;  // a string on its way from JavaScript; kept, so that its memory is
};
