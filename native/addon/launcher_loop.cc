// The launcher's turns on the event loop: what is ready, as events for JavaScript, until it is over.
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "control/steps.h"
#include "launcher.h"
#include "launcher_process.h"

namespace {

constexpr int kEventsPerWake = 128;

// Of a sandbox, in one turn, `kReadBufferBytes` each. A command has the turn to itself.
constexpr int kReadsOfCommand = 4, kReadsOfSandbox = 1;

// Of all sandboxes that are bulky, in one turn; one buffer may go beyond. Each is charged for a small frame at least.
constexpr uint64_t kBulkyBytesPerTurn = 16 * 1024, kLeastCharge = 1024;
constexpr int kKillWaitMs = 1000;

// How often a packet is asked for again that the kernel had no memory to hand over. It is not given up lightly: one that says which
// process the launcher has become is all that is known of that process.
constexpr int kMostShortages = 100;

// True if it is over, within the bound.
bool ends_in_time(const Descriptor& process) {
  pollfd waiting{.fd = process.get(), .events = POLLIN, .revents = 0};
  return ::poll(&waiting, 1, kKillWaitMs) == 1;
}

void send_kill(const Descriptor& process) {
  if (process) syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0);
}

void kill_and_reap(Descriptor& process) {
  if (!process) return;
  send_kill(process);
  int status;
  if (ends_in_time(process)) reap(process, &status);
  process.reset();
}

napi_value ready_facts(EventBatch& batch, const control_ready& ready) {
  auto filter = [&](const control_instruction* code, uint32_t length) {
    return batch.buffer(code, std::min<size_t>(length, CONTROL_FILTER_CAPACITY) * sizeof *code);
  };
  return batch.object({
      {"userId", batch.number(ready.user_id)},
      {"groupId", batch.number(ready.group_id)},
      {"landlockAbi", batch.number(ready.landlock_abi)},
      {"supplementaryGroups", batch.number(ready.supplementary_groups)},
      {"procfs", batch.number(ready.procfs)},
      {"boundingSet", batch.number(ready.bounding_set)},
      {"runnerVersion", batch.text(ready.runner_version, sizeof ready.runner_version)},
      {"engineVersion", batch.text(ready.engine_version, sizeof ready.engine_version)},
      {"zygoteFilter", filter(ready.zygote_filter, ready.zygote_filter_length)},
      {"runnerFilter", filter(ready.runner_filter, ready.runner_filter_length)},
  });
}

void add_failure(EventBatch& batch, const control_failed& failed) {
  batch.add(Event::kFailed, 0,
            batch.object({{"step", batch.number(failed.step)},
                          {"errno", batch.number(failed.error)},
                          {"detail", batch.text(failed.detail, sizeof failed.detail)}}));
}

}  // namespace

Launcher::Watch* Launcher::start_watch(Napi::Env env, Launcher* launcher) {
  uv_loop_t* loop = nullptr;
  napi_get_uv_event_loop(env, &loop);
  auto* watch = new Watch{.poll = {}, .launcher = launcher};
  watch->poll.data = watch;
  uv_poll_init(loop, &watch->poll, launcher->epoll_.get());
  uv_poll_start(&watch->poll, UV_READABLE, [](uv_poll_t* poll, int, int) {
    static_cast<Watch*>(poll->data)->launcher->on_wake();  // never after uv_poll_stop
  });
  // An idle launcher keeps no process alive: who waits for a sandbox calls keepAlive().
  uv_unref(reinterpret_cast<uv_handle_t*>(&watch->poll));
  // A thread that ends takes its launcher along.
  auto on_thread_end = [](napi_async_cleanup_hook_handle, void* pointer) {
    if (Launcher* launcher = static_cast<Watch*>(pointer)->launcher) launcher->shut_down();
  };
  napi_add_async_cleanup_hook(env, on_thread_end, watch, &watch->cleanup);
  return watch;
}

void Launcher::close_watch(Watch* watch) {
  watch->launcher = nullptr;
  uv_poll_stop(&watch->poll);
  uv_close(reinterpret_cast<uv_handle_t*>(&watch->poll), [](uv_handle_t* handle) {
    auto* closed = static_cast<Watch*>(handle->data);
    napi_remove_async_cleanup_hook(closed->cleanup);
    delete closed;
  });
}

bool Launcher::watch(const Descriptor& descriptor, uint64_t tag) {
  epoll_event event{.events = EPOLLIN, .data = {.u64 = tag}};
  return epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor.get(), &event) == 0;
}

void Launcher::shut_down() {
  if (watch_) close_watch(std::exchange(watch_, nullptr));
  sandboxes_.clear();
  waiting_.clear();
  // Before it has handed over, it must not do so any more; afterwards it has gone by itself, or goes when nothing of the launcher is left.
  if (!inside_) send_kill(outside_);
  send_kill(inside_);
  if (outside_ && !ends_in_time(outside_)) send_kill(outside_);
  is_to_end_ = true;
  for (Packet packet; receive(packet);)
    if (packet.is<control_started>(CONTROL_STARTED)) (void)on_started(packet);
  if (outside_ && ends_in_time(outside_)) reap_outside();
  control_.reset();
  kill_and_reap(inside_);
  outside_.reset();
  epoll_.reset();
}

bool Launcher::reap_one(Descriptor& process) {
  int status;
  if (!reap(process, &status)) return false;
  if (status != 0) wait_status_ = status;  // who hands over, and who is another's child, has none to tell
  process.reset();
  return true;
}

bool Launcher::reap_outside() {
  bool has_handed_over = has_handed_over_;
  if (!has_handed_over) kill_group(outside_pid_);
  if (!reap_one(outside_)) return false;
  if (!has_handed_over) reap_group(outside_pid_);
  return true;
}

void Launcher::on_wake() {
  napi_env env = Env();
  napi_handle_scope scope;
  if (napi_open_handle_scope(env, &scope) != napi_ok) return shut_down();
  EventBatch batch(env);
  collect(batch);
  bool is_over = batch.failed() || (!batch.empty() && !deliver(env, batch.events()));
  napi_close_handle_scope(env, scope);
  // The launcher is gone and has been reported; or the thread is ending and runs no JavaScript any more, although its loop
  // still turns: nobody is left to report to.
  if (is_over || is_gone_) shut_down();
}

// False if no JavaScript can run. What the listener throws is an uncaught exception of the thread.
bool Launcher::deliver(napi_env env, napi_value events) {
  napi_value receiver, listener, exception;
  if (napi_get_global(env, &receiver) != napi_ok) return false;
  if (napi_get_reference_value(env, on_events_, &listener) != napi_ok) return false;
  napi_status status = napi_make_callback(env, *async_context_, receiver, listener, 1, &events, nullptr);
  if (status != napi_pending_exception) return status == napi_ok;
  return napi_get_and_clear_last_exception(env, &exception) == napi_ok && napi_fatal_exception(env, exception) == napi_ok;
}

uint64_t Launcher::serve(const epoll_event& ready, EventBatch& batch) {
  uint32_t number = static_cast<uint32_t>(ready.data.u64);
  auto found = sandboxes_.find(number);
  if (found == sandboxes_.end()) return 0;
  Sandbox& sandbox = *found->second;
  uint64_t before = sandbox.moved_bytes();
  sandbox.last_turn = turn_;
  if (ready.data.u64 & Sandbox::kDiagnosticsTag)
    sandbox.on_diagnostics(buffer_.get(), kReadBufferBytes, batch);
  else
    sandbox.on_bridge(ready.events, buffer_.get(), kReadBufferBytes, is_command_ ? kReadsOfCommand : kReadsOfSandbox, batch);
  uint64_t moved = sandbox.moved_bytes() - before;
  finish(number, batch);
  return moved;
}

// What a sandbox sends costs this thread time, up to some milliseconds for a buffer of small frames. So that a flood of some
// does not make the others wait, the bulky share a part of each turn, those first that have waited longest; what is ready
// and not taken is ready again in the next.
void Launcher::serve_bulky(std::vector<Waiting>& waiting, EventBatch& batch) {
  std::sort(waiting.begin(), waiting.end(), [](const Waiting& one, const Waiting& other) { return one.since < other.since; });
  uint64_t served = 0;
  for (const Waiting& each : waiting) {
    if (served >= kBulkyBytesPerTurn) break;
    served += std::max(serve(*each.ready, batch), kLeastCharge);
  }
}

void Launcher::collect(EventBatch& batch) {
  epoll_event events[kEventsPerWake];
  int count = epoll_wait(epoll_.get(), events, kEventsPerWake, 0);
  bool has_ended = false;
  std::vector<Waiting> bulky;
  turn_++;
  for (int i = 0; i < count; i++) {
    uint64_t tag = events[i].data.u64;
    if (tag == kControlTag) {
      on_control(batch);
    } else if (tag == kOutsideTag) {
      on_control(batch);  // it may have handed over to one inside
      has_ended = reap_outside() || has_ended;
    } else if (tag == kInsideTag) {
      has_ended = reap_one(inside_) || has_ended;
    } else {
      auto found = sandboxes_.find(static_cast<uint32_t>(tag));
      if (found == sandboxes_.end()) continue;
      if (found->second->is_bulky())
        bulky.push_back({found->second->last_turn, &events[i]});
      else
        serve(events[i], batch);
    }
  }
  serve_bulky(bulky, batch);
  // Whichever of the two is the last: nothing of the launcher is left then.
  if (has_ended && !inside_ && !outside_) on_launcher_gone(batch);
}

bool Launcher::receive(Packet& packet) {
  union {
    cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } ancillary;
  int shortages = 0;
  while (control_) {
    iovec part{packet.bytes, sizeof packet.bytes};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = &ancillary;
    message.msg_controllen = sizeof ancillary;
    ssize_t length = recvmsg(control_.get(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    // ECONNRESET, once: it ended with a packet of ours unread. What it had said itself is still to be read.
    if (length < 0 && (errno == EINTR || errno == ECONNRESET)) continue;
    if (length < 0 && errno == EAGAIN) return false;
    if (length < 0 && (errno == ENOMEM || errno == ENOBUFS) && shortages++ < kMostShortages) continue;
    if (length <= 0) {  // its end is reported by its pidfd
      control_.reset();
      return false;
    }
    packet.length = static_cast<size_t>(length);
    packet.descriptor.reset();
    // Where this process has no descriptor left, the packet comes without.
    if (cmsghdr* header = CMSG_FIRSTHDR(&message); header && header->cmsg_type == SCM_RIGHTS) {
      int number;
      memcpy(&number, CMSG_DATA(header), sizeof number);
      packet.descriptor = Descriptor(number);
    }
    return true;
  }
  return false;
}

void Launcher::on_control(EventBatch& batch) {
  for (Packet packet; receive(packet);) on_packet(packet, batch);
}

// 0, or the errno for which the process that stays was killed at once: it could not be waited for.
int Launcher::on_started(Packet& packet) {
  int child = packet.as<control_started>()->child;
  if (has_handed_over_) return 0;
  has_handed_over_ = true;
  inside_ = std::move(packet.descriptor);
  if (!inside_) {
    if (child > 0) kill_and_reap_child(child);
    return child > 0 ? EMFILE : 0;  // without a child it is the process outside that stays
  }
  if (is_to_end_) send_kill(inside_);
  if (watch(inside_, kInsideTag)) return 0;
  int error = errno;
  kill_and_reap(inside_);
  return error;
}

void Launcher::on_spawned(Packet& packet, EventBatch& batch) {
  auto found = sandboxes_.find(packet.as<control_spawned>()->sandbox);
  if (found == sandboxes_.end()) return;
  if (packet.descriptor) {
    found->second->set_pidfd(std::move(packet.descriptor));
    batch.add(Event::kSpawned, found->first);
  } else if (is_command_) {
    kill_all();  // it runs, and could not be stopped
  } else {
    // It has been given nothing yet, and ends when it sees its bridge closed.
    batch.add(Event::kSpawnFailed, found->first, {double(STEP_CLONE_SANDBOX), double(EMFILE)});
    sandboxes_.erase(found);
  }
}

void Launcher::on_packet(Packet& packet, EventBatch& batch) {
  uint32_t type = packet.type();
  if (type == CONTROL_SPAWNED || type == CONTROL_SPAWN_FAILED) on_answered(batch);
  if (packet.is<control_spawned>(CONTROL_SPAWNED)) {
    on_spawned(packet, batch);
  } else if (packet.is<control_exited>(CONTROL_EXITED)) {
    auto* exited = packet.as<control_exited>();
    auto found = sandboxes_.find(exited->sandbox);
    if (found == sandboxes_.end()) return;
    found->second->on_exited(exited, buffer_.get(), kReadBufferBytes, batch);
    finish(exited->sandbox, batch);
  } else if (packet.is<control_spawn_failed>(CONTROL_SPAWN_FAILED)) {
    auto* failed = packet.as<control_spawn_failed>();
    if (sandboxes_.erase(failed->sandbox) == 0) return;
    batch.add(Event::kSpawnFailed, failed->sandbox, {double(failed->step), double(failed->error)});
  } else if (packet.is<control_started>(CONTROL_STARTED)) {
    if (int error = on_started(packet); error != 0)
      add_failure(batch, {.type = CONTROL_FAILED, .step = STEP_CLONE_NAMESPACES, .error = error, .detail = "its pidfd was lost"});
  } else if (packet.is<control_ready>(CONTROL_READY)) {
    batch.add(Event::kReady, 0, ready_facts(batch, *packet.as<control_ready>()));
  } else if (packet.is<control_failed>(CONTROL_FAILED)) {
    add_failure(batch, *packet.as<control_failed>());
  }
}

void Launcher::on_answered(EventBatch& batch) {
  if (unanswered_ > 0) unanswered_--;
  while (control_ && unanswered_ < kUnansweredMaximum && !waiting_.empty()) {
    SpawnRequest request = std::move(waiting_.front());
    waiting_.pop_front();
    int error = send_request(request);
    if (error == 0) {
      unanswered_++;
    } else if (error != EPIPE && error != ECONNRESET) {  // else the launcher is gone, and with it all of its sandboxes
      sandboxes_.erase(request.number);
      batch.add(Event::kSpawnFailed, request.number, {double(STEP_CLONE_SANDBOX), double(error)});
    }
  }
}

void Launcher::on_launcher_gone(EventBatch& batch) {
  waiting_.clear();
  on_control(batch);  // what it reported before it went
  control_.reset();
  std::vector<uint32_t> numbers;
  for (auto& [number, sandbox] : sandboxes_) numbers.push_back(number);
  for (uint32_t number : numbers) {
    sandboxes_[number]->on_exited(nullptr, buffer_.get(), kReadBufferBytes, batch);
    finish(number, batch);
  }
  batch.add(Event::kLauncherExited, 0, batch.number(wait_status_));
  is_gone_ = true;
}

void Launcher::finish(uint32_t number, EventBatch& batch) {
  auto found = sandboxes_.find(number);
  if (found != sandboxes_.end() && found->second->finish(batch)) sandboxes_.erase(found);
}
