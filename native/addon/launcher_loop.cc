// The launcher's turns on the event loop: what is ready, as events for JavaScript, until it is over.
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstring>

#include "control/steps.h"
#include "launcher.h"
#include "launcher_process.h"

namespace {

constexpr int kEventsPerWake = 128;
constexpr int kKillWaitMs = 1000;

// True if it ended within the bound; then it is no more.
bool reap_in_time(Descriptor& process) {
  pollfd waiting{.fd = process.get(), .events = POLLIN, .revents = 0};
  int status;
  if (::poll(&waiting, 1, kKillWaitMs) != 1 || !reap(process, &status)) return false;
  process.reset();
  return true;
}

void kill_and_reap(Descriptor& process) {
  if (!process) return;
  syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0);
  if (!reap_in_time(process)) process.reset();
}

template <typename Packet>
const Packet* as(const char* bytes, size_t length) {
  return length == sizeof(Packet) ? reinterpret_cast<const Packet*>(bytes) : nullptr;
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
  control_.reset();
  // The one outside has gone by itself, or goes when nothing of the launcher is left.
  bool ends_by_itself = static_cast<bool>(inside_);
  kill_and_reap(inside_);
  if (!outside_ || !ends_by_itself || !reap_in_time(outside_)) kill_and_reap(outside_);
  epoll_.reset();
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

void Launcher::collect(EventBatch& batch) {
  epoll_event events[kEventsPerWake];
  int count = epoll_wait(epoll_.get(), events, kEventsPerWake, 0);
  bool has_ended = false;
  int wait_status = 0;
  for (int i = 0; i < count; i++) {
    uint64_t tag = events[i].data.u64;
    if (tag == kControlTag) {
      on_control(batch);
    } else if (tag == kOutsideTag) {
      if (!reap(outside_, &wait_status)) continue;
      outside_.reset();
      has_ended = true;
      on_control(batch);  // it may have handed over to one inside
    } else if (tag == kInsideTag) {
      if (!reap(inside_, &wait_status)) continue;
      inside_.reset();
      has_ended = true;
    } else {
      uint32_t number = static_cast<uint32_t>(tag);
      auto found = sandboxes_.find(number);
      if (found == sandboxes_.end()) continue;
      if (tag & Sandbox::kDiagnosticsTag)
        found->second->on_diagnostics(buffer_.get(), kReadBufferBytes, batch);
      else
        found->second->on_bridge(events[i].events, buffer_.get(), kReadBufferBytes, batch);
      finish(number, batch);
    }
  }
  // Whichever of the two is the last: nothing of the launcher is left then, and its status says how it ended.
  if (has_ended && !inside_ && !outside_) on_launcher_gone(wait_status, batch);
}

void Launcher::on_control(EventBatch& batch) {
  alignas(control_ready) char bytes[sizeof(control_ready)];
  union {
    cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } ancillary;
  while (control_) {
    iovec part{bytes, sizeof bytes};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = &ancillary;
    message.msg_controllen = sizeof ancillary;
    ssize_t length = recvmsg(control_.get(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (length < 0 && errno == EINTR) continue;
    if (length < 0 && errno == EAGAIN) return;
    if (length <= 0) {  // its end is reported by its pidfd
      control_.reset();
      return;
    }
    std::vector<Descriptor> descriptors;
    if (cmsghdr* header = CMSG_FIRSTHDR(&message); header && header->cmsg_type == SCM_RIGHTS) {
      int number;
      memcpy(&number, CMSG_DATA(header), sizeof number);
      descriptors.emplace_back(number);
    }
    on_packet(bytes, static_cast<size_t>(length), std::move(descriptors), batch);
  }
}

void Launcher::on_packet(const char* bytes, size_t length, std::vector<Descriptor> descriptors, EventBatch& batch) {
  uint32_t type = 0;
  memcpy(&type, bytes, std::min(length, sizeof type));
  if (type == CONTROL_SPAWNED || type == CONTROL_SPAWN_FAILED) on_answered(batch);
  if (type == CONTROL_SPAWNED) {
    auto* spawned = as<control_spawned>(bytes, length);
    auto found = spawned ? sandboxes_.find(spawned->sandbox) : sandboxes_.end();
    if (found == sandboxes_.end()) return;
    if (!descriptors.empty()) found->second->set_pidfd(std::move(descriptors[0]));
    batch.add(Event::kSpawned, spawned->sandbox);
  } else if (type == CONTROL_EXITED) {
    auto* exited = as<control_exited>(bytes, length);
    auto found = exited ? sandboxes_.find(exited->sandbox) : sandboxes_.end();
    if (found == sandboxes_.end()) return;
    found->second->on_exited(exited, buffer_.get(), kReadBufferBytes, batch);
    finish(exited->sandbox, batch);
  } else if (type == CONTROL_SPAWN_FAILED) {
    auto* failed = as<control_spawn_failed>(bytes, length);
    if (!failed || sandboxes_.erase(failed->sandbox) == 0) return;
    batch.add(Event::kSpawnFailed, failed->sandbox, {double(failed->step), double(failed->error)});
  } else if (type == CONTROL_STARTED && !descriptors.empty() && !inside_) {
    inside_ = std::move(descriptors[0]);
    if (!watch(inside_, kInsideTag)) kill_and_reap(inside_);  // and the end of `outside_` then says that all is over
  } else if (type == CONTROL_READY) {
    if (auto* ready = as<control_ready>(bytes, length)) batch.add(Event::kReady, 0, ready_facts(batch, *ready));
  } else if (type == CONTROL_FAILED) {
    if (auto* failed = as<control_failed>(bytes, length))
      batch.add(Event::kFailed, 0,
                batch.object({{"step", batch.number(failed->step)},
                              {"errno", batch.number(failed->error)},
                              {"detail", batch.text(failed->detail, sizeof failed->detail)}}));
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

void Launcher::on_launcher_gone(int wait_status, EventBatch& batch) {
  waiting_.clear();
  on_control(batch);  // what it reported before it went
  control_.reset();
  std::vector<uint32_t> numbers;
  for (auto& [number, sandbox] : sandboxes_) numbers.push_back(number);
  for (uint32_t number : numbers) {
    sandboxes_[number]->on_exited(nullptr, buffer_.get(), kReadBufferBytes, batch);
    finish(number, batch);
  }
  batch.add(Event::kLauncherExited, 0, batch.number(wait_status));
  is_gone_ = true;
}

void Launcher::finish(uint32_t number, EventBatch& batch) {
  auto found = sandboxes_.find(number);
  if (found != sandboxes_.end() && found->second->finish(batch)) sandboxes_.erase(found);
}
