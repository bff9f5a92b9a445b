#include "sandbox.h"

#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "launcher_process.h"

namespace {

// More than buffers of pipes and sockets hold: a bound for what is read of a sandbox that is over.
constexpr size_t kMostLeftBytes = 64 * 1024 * 1024;

// The queue gives memory back once this much of it has been sent.
constexpr size_t kCompactAfter = 64 * 1024;

// Longest wait for a sandbox that was killed, when nobody else waits for it any more.
constexpr int kDeathWaitMs = 1000;

// A descriptor that nothing is wanted from must leave the set: epoll reports a hang-up whether it is asked for or not.
bool watch(int epoll, const Descriptor& descriptor, uint64_t tag, uint32_t wanted, uint32_t& interest) {
  if (!descriptor || wanted == interest) return true;
  epoll_event event{.events = wanted, .data = {.u64 = tag}};
  int operation = interest == 0 ? EPOLL_CTL_ADD : wanted == 0 ? EPOLL_CTL_DEL : EPOLL_CTL_MOD;
  if (epoll_ctl(epoll, operation, descriptor.get(), &event) < 0) return false;
  interest = wanted;
  return true;
}

// The kernel takes or gives nothing now and may later: a buffer is full or empty, or it is short of memory. Anything else is the end.
bool may_work_later(int error) {
  return error == EAGAIN || error == EINTR || error == ENOBUFS || error == ENOMEM;
}

// Both directions are over, and not only what the other end sends.
bool is_hung_up(const Descriptor& socket) {
  pollfd state{.fd = socket.get(), .events = 0, .revents = 0};
  return ::poll(&state, 1, 0) == 1 && (state.revents & (POLLHUP | POLLERR | POLLNVAL));
}

}  // namespace

Sandbox::Sandbox(uint32_t number, int epoll, Descriptor bridge, Descriptor diagnostics, uint64_t diagnostics_limit)
    : number_(number),
      epoll_(epoll),
      bridge_(std::move(bridge)),
      diagnostics_(std::move(diagnostics)),
      diagnostics_limit_(diagnostics_limit) {
  if (!watch_bridge() || !watch_diagnostics())
    throw std::system_error(errno, std::generic_category(), "epoll_ctl for a sandbox's descriptors");
}

// Closing a descriptor takes it out of the epoll set: no other process holds these.
Sandbox::~Sandbox() = default;

bool Sandbox::watch_bridge() {
  bool is_read = exited_ || !(paused_ || read_at_exit_ || input_ended_);
  return watch(epoll_, bridge_, number_, (is_read ? EPOLLIN : 0u) | (pending() > 0 ? EPOLLOUT : 0u), interest_);
}

bool Sandbox::watch_diagnostics() {
  return watch(epoll_, diagnostics_, number_ | kDiagnosticsTag, diagnostics_paused_ ? 0u : EPOLLIN,
               diagnostics_interest_);
}

// A change of what is watched needs no memory but for what was not watched; then the end of the sandbox still reads it.
void Sandbox::update_interest() {
  (void)watch_bridge();
  (void)watch_diagnostics();
}

bool Sandbox::write(const char* bytes, size_t length) {
  if (!bridge_ || output_closed_ || end_requested_) return false;
  if (pending() == 0) {
    ssize_t sent = send(bridge_.get(), bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && !may_work_later(errno)) {
      output_closed_ = true;  // the reader is gone; its end may be about to be reported
      return false;
    }
    size_t taken = sent < 0 ? 0 : static_cast<size_t>(sent);
    bytes_in_ += taken;
    bytes += taken;
    length -= taken;
  }
  if (length > 0) {
    queue_.append(bytes, length);
    update_interest();
  }
  return true;
}

void Sandbox::flush() {
  while (pending() > 0) {
    ssize_t sent = send(bridge_.get(), queue_.data() + queue_start_, pending(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && may_work_later(errno)) break;  // the next turn, or once there is room
    if (sent < 0) {
      output_closed_ = true;
      queue_start_ = queue_.size();
      break;
    }
    queue_start_ += static_cast<size_t>(sent);
    bytes_in_ += static_cast<size_t>(sent);
  }
  if (pending() == 0) {
    std::string().swap(queue_);
    queue_start_ = 0;
  } else if (queue_start_ > kCompactAfter) {
    queue_.erase(0, queue_start_);
    queue_start_ = 0;
  }
}

void Sandbox::end_input() {
  end_requested_ = true;
  if (bridge_ && pending() == 0) shutdown(bridge_.get(), SHUT_WR);
}

void Sandbox::set_paused(bool paused) {
  paused_ = paused;
  update_interest();
}

void Sandbox::set_diagnostics_paused(bool paused) {
  diagnostics_paused_ = paused;
  update_interest();
}

void Sandbox::close_output() {
  if (bridge_) shutdown(bridge_.get(), SHUT_RD);
  set_paused(false);
}

void Sandbox::read_at_exit() {
  read_at_exit_ = true;
  update_interest();
}

size_t Sandbox::read_bridge(char* buffer, size_t size, EventBatch& batch) {
  ssize_t length;
  do length = recv(bridge_.get(), buffer, size, MSG_DONTWAIT);
  while (length < 0 && errno == EINTR);
  if (length < 0 && may_work_later(errno)) return 0;
  if (length <= 0) {
    // ECONNRESET means that it closed with our bytes unread; what it sent itself was delivered before.
    on_bridge_end(batch, length == 0 && !exited_ && !is_hung_up(bridge_));
    return 0;
  }
  bytes_out_ += static_cast<size_t>(length);
  batch.add(Event::kData, number_, batch.buffer(buffer, static_cast<size_t>(length)));
  return static_cast<size_t>(length);
}

// `half`: it may still read what is written to it.
void Sandbox::on_bridge_end(EventBatch& batch, bool half) {
  if (!input_ended_) batch.add(Event::kEnd, number_);
  input_ended_ = true;
  if (half) return;
  bridge_.reset();
  interest_ = 0;
  std::string().swap(queue_);
  queue_start_ = 0;
}

size_t Sandbox::read_diagnostics(char* buffer, size_t size, EventBatch& batch) {
  ssize_t length;
  do length = read(diagnostics_.get(), buffer, size);
  while (length < 0 && errno == EINTR);
  if (length < 0 && errno == EAGAIN) return 0;
  if (length <= 0) {
    diagnostics_.reset();
    diagnostics_interest_ = 0;
    return 0;
  }
  uint64_t room = diagnostics_limit_ - std::min(diagnostics_limit_, diagnostics_bytes_);
  size_t delivered = std::min<uint64_t>(room, static_cast<uint64_t>(length));
  if (delivered > 0) batch.add(Event::kDiagnostics, number_, batch.buffer(buffer, delivered));
  diagnostics_bytes_ += static_cast<uint64_t>(length);
  return static_cast<size_t>(length);
}

void Sandbox::on_bridge(uint32_t epoll_events, char* buffer, size_t size, int reads, EventBatch& batch) {
  if (!bridge_) return;
  if (pending() > 0 && (epoll_events & (EPOLLOUT | EPOLLERR | EPOLLHUP))) {
    flush();
    if (pending() == 0 && !output_closed_) batch.add(Event::kDrained, number_);
    if (pending() == 0 && end_requested_) shutdown(bridge_.get(), SHUT_WR);
  }
  if ((exited_ || !(paused_ || read_at_exit_ || input_ended_)) && (epoll_events & (EPOLLIN | EPOLLERR | EPOLLHUP)))
    while (reads-- > 0 && read_bridge(buffer, size, batch) == size)
      ;
  update_interest();
}

void Sandbox::on_diagnostics(char* buffer, size_t size, EventBatch& batch) {
  if (diagnostics_) read_diagnostics(buffer, size, batch);
}

void Sandbox::on_exited(const control_exited* report, char* buffer, size_t size, EventBatch& batch) {
  exited_ = true;
  if (report) report_ = *report;
  else await_death();
  pidfd_.reset();
  update_interest();
  // What is left is in the kernel's buffers; a reader that paused the bridge gets it all the same.
  size_t length = 1;
  for (size_t left = kMostLeftBytes; diagnostics_ && length > 0 && left >= length; left -= length)
    length = read_diagnostics(buffer, size, batch);
  length = 1;
  for (size_t left = kMostLeftBytes; bridge_ && length > 0 && left >= length; left -= length)
    length = read_bridge(buffer, size, batch);
  // Somebody outside may have been given the other ends, and could hold them for ever.
  diagnostics_.reset();
  if (bridge_) on_bridge_end(batch, false);
}

// As a rule it is dead by now: see reaper.c for who sees to it, and for what is left to do if that process was killed.
void Sandbox::await_death() {
  if (!send_signal(SIGKILL)) return;
  pollfd waiting{.fd = pidfd_.get(), .events = POLLIN, .revents = 0};
  ::poll(&waiting, 1, kDeathWaitMs);
}

bool Sandbox::finish(EventBatch& batch) {
  if (!exited_) return false;
  control_exited report = report_.value_or(control_exited{});
  batch.add(Event::kExited, number_,
            {report_ ? 0.0 : 1.0, static_cast<double>(report.wait_status), static_cast<double>(report.failed_step),
             static_cast<double>(report.failed_error), static_cast<double>(report.cpu_user_us),
             static_cast<double>(report.cpu_system_us), static_cast<double>(report.peak_rss_bytes),
             static_cast<double>(report.minor_faults), static_cast<double>(report.major_faults),
             static_cast<double>(report.voluntary_switches), static_cast<double>(report.involuntary_switches),
             static_cast<double>(diagnostics_bytes_), static_cast<double>(bytes_in_), static_cast<double>(bytes_out_)});
  return true;
}

bool Sandbox::send_signal(int signal_number) {
  return pidfd_ && syscall(SYS_pidfd_send_signal, pidfd_.get(), signal_number, nullptr, 0) == 0;
}

int Sandbox::pid() const { return pid_of(pidfd_); }
