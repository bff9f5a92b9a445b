// One sandbox as the host holds it: its end of the bridge, its diagnostics pipe, its pidfd, and the bytes between.
// It moves opaque bytes; it does not know what they mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "control/control.h"
#include "descriptor.h"
#include "event_batch.h"

class Sandbox {
 public:
  // `bridge` and `diagnostics` may be none. Throws std::system_error if a descriptor cannot be watched. `diagnostics_limit`: bytes of diagnostics that are delivered; what comes after is read, counted and dropped.
  Sandbox(uint32_t number, int epoll, Descriptor bridge, Descriptor diagnostics, uint64_t diagnostics_limit);
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;

  // Sends what the kernel takes and queues the rest. False if the sandbox no longer reads.
  bool write(const char* bytes, size_t length);
  // Half-closes once everything queued is sent.
  void end_input();
  // Stops, or goes on, reading from the bridge: the kernel's buffers then fill, and the sandbox waits.
  void set_paused(bool paused);
  // The same for its diagnostics.
  void set_diagnostics_paused(bool paused);
  // What the sandbox still sends is for nobody: its next write fails, as that to a pipe without a reader.
  void close_output();
  // Nothing is expected from it any more: what it still sends is read when it has ended, and wakes nobody before.
  void read_at_exit();
  // Bytes queued.
  size_t pending() const { return queue_.size() - queue_start_; }

  void set_pidfd(Descriptor pidfd) { pidfd_ = std::move(pidfd); }
  bool send_signal(int signal_number);
  // As the host numbers it; 0 if it is not known (yet, or any more).
  int pid() const;

  // `reads`: at most so many times `size` bytes.
  void on_bridge(uint32_t epoll_events, char* buffer, size_t size, int reads, EventBatch& batch);
  void on_diagnostics(char* buffer, size_t size, EventBatch& batch);
  // The launcher's report of the end; `nullptr` if the launcher is gone, and the sandbox with it.
  void on_exited(const control_exited* report, char* buffer, size_t size, EventBatch& batch);
  // True once the end was reported and every byte before it delivered: the last event is then in the batch.
  bool finish(EventBatch& batch);

  // Bytes, both ways and diagnostics.
  uint64_t moved_bytes() const { return bytes_in_ + bytes_out_ + diagnostics_bytes_; }
  // It has moved more than most programs ever do, and takes turns with the others that have.
  bool is_bulky() const { return moved_bytes() >= kBulkyBytes; }
  // Of its launcher: the last in which it was served.
  uint64_t last_turn = 0;

  // What epoll carries for each descriptor: the sandbox's number, and which of the two it is.
  static constexpr uint64_t kDiagnosticsTag = uint64_t{1} << 32;

 private:
  void flush();
  void update_interest();
  bool watch_bridge();
  bool watch_diagnostics();
  void on_bridge_end(EventBatch& batch, bool half);
  // Without a report of its end.
  void await_death();
  // The bytes that one read gave; 0 if there were none, or it was the end.
  size_t read_bridge(char* buffer, size_t size, EventBatch& batch);
  size_t read_diagnostics(char* buffer, size_t size, EventBatch& batch);

  static constexpr uint64_t kBulkyBytes = 64 * 1024;

  uint32_t number_;
  int epoll_;
  Descriptor bridge_, diagnostics_, pidfd_;
  std::string queue_;
  size_t queue_start_ = 0;
  uint32_t interest_ = 0, diagnostics_interest_ = 0;
  uint64_t bytes_in_ = 0, bytes_out_ = 0;  // as the sandbox sees it
  bool paused_ = false, output_closed_ = false, end_requested_ = false, input_ended_ = false;
  bool diagnostics_paused_ = false;
  bool read_at_exit_ = false;
  uint64_t diagnostics_limit_, diagnostics_bytes_ = 0;
  bool exited_ = false;
  std::optional<control_exited> report_;
};
