#include "launcher.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "launcher_process.h"

namespace {

// Tags of what is no sandbox; a sandbox's number has 32 bits, and one more says which descriptor of it.
constexpr uint64_t kControlTag = uint64_t{1} << 40;
constexpr uint64_t kOutsideTag = uint64_t{2} << 40;
constexpr uint64_t kInsideTag = uint64_t{3} << 40;

constexpr int kEventsPerWake = 128;
constexpr int kKillWaitMs = 1000;

void kill_and_reap(Descriptor& process) {
  if (!process) return;
  syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0);
  pollfd waiting{.fd = process.get(), .events = POLLIN, .revents = 0};
  int status;
  if (::poll(&waiting, 1, kKillWaitMs) == 1) reap(process, &status);
  process.reset();
}

Napi::Error to_javascript(Napi::Env env, const std::system_error& error) {
  Napi::Error result = Napi::Error::New(env, error.what());
  result.Set("errno", Napi::Number::New(env, error.code().value()));
  result.Set("code", Napi::String::New(env, uv_err_name(-error.code().value())));
  return result;
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
      {"runnerVersion", batch.text(ready.runner_version, sizeof ready.runner_version)},
      {"engineVersion", batch.text(ready.engine_version, sizeof ready.engine_version)},
      {"zygoteFilter", filter(ready.zygote_filter, ready.zygote_filter_length)},
      {"runnerFilter", filter(ready.runner_filter, ready.runner_filter_length)},
  });
}

}  // namespace

Napi::Function Launcher::define(Napi::Env env) {
  return DefineClass(env, "Launcher",
                     {
                         InstanceMethod<&Launcher::spawn>("spawn"),
                         InstanceMethod<&Launcher::write>("write"),
                         InstanceMethod<&Launcher::pending>("pending"),
                         InstanceMethod<&Launcher::end_input>("endInput"),
                         InstanceMethod<&Launcher::set_paused>("setPaused"),
                         InstanceMethod<&Launcher::pid>("pid"),
                         InstanceMethod<&Launcher::send_signal>("sendSignal"),
                         InstanceMethod<&Launcher::launcher_pid>("launcherPid"),
                         InstanceMethod<&Launcher::keep_alive>("keepAlive"),
                         InstanceMethod<&Launcher::close>("close"),
                         InstanceMethod<&Launcher::kill>("kill"),
                     });
}

// new Launcher(binary: string, strict: boolean, ceilings: number[], diagnosticsLimit: number, onEvents: (events) => void)
Launcher::Launcher(const Napi::CallbackInfo& info) : Napi::ObjectWrap<Launcher>(info) {
  Napi::Env env = info.Env();
  control_configure configuration{};
  configuration.type = CONTROL_CONFIGURE;
  configuration.version = CONTROL_VERSION;
  configuration.strict = info[1].As<Napi::Boolean>().Value();
  Napi::Array ceilings = info[2].As<Napi::Array>();
  if (ceilings.Length() != CONTROL_CEILINGS) throw Napi::TypeError::New(env, "ceilings: wrong number of entries");
  for (uint32_t i = 0; i < CONTROL_CEILINGS; i++)
    configuration.ceilings[i] = static_cast<uint64_t>(ceilings.Get(i).As<Napi::Number>().Int64Value());
  diagnostics_limit_ = static_cast<uint64_t>(info[3].As<Napi::Number>().Int64Value());
  on_events_ = Napi::Persistent(info[4].As<Napi::Function>());
  async_context_ = std::make_unique<Napi::AsyncContext>(env, "wardenpool.Launcher");
  buffer_ = std::make_unique_for_overwrite<char[]>(kReadBufferBytes);

  try {
    epoll_ = Descriptor(epoll_create1(EPOLL_CLOEXEC));
    if (!epoll_) throw std::system_error(errno, std::generic_category(), "epoll_create1");
    LauncherProcess process = start_launcher(info[0].As<Napi::String>().Utf8Value());
    outside_ = std::move(process.outside);
    control_ = std::move(process.control);
    if (!watch(outside_, kOutsideTag) || !watch(control_, kControlTag))
      throw std::system_error(errno, std::generic_category(), "epoll_ctl for the launcher's descriptors");
    if (send(control_.get(), &configuration, sizeof configuration, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
      throw std::system_error(errno, std::generic_category(), "send of the configuration to the launcher");
  } catch (const std::system_error& error) {
    shut_down();
    throw to_javascript(env, error);
  }

  watch_ = start_watch(env, this);
}

Launcher::~Launcher() { shut_down(); }

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
  control_.reset();
  kill_and_reap(outside_);
  kill_and_reap(inside_);
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
  // The thread is ending and runs no JavaScript any more, although its loop still turns: nobody is left to report to.
  if (is_over) shut_down();
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
  bool gone = false;
  int wait_status = 0;
  for (int i = 0; i < count; i++) {
    uint64_t tag = events[i].data.u64;
    if (tag == kControlTag) {
      on_control(batch);
    } else if (tag == kOutsideTag) {
      int status = 0;
      if (!reap(outside_, &status)) continue;
      outside_.reset();
      // It hands over to the launcher's PID 1 and exits; if there is no such process, nobody is left.
      on_control(batch);
      if (!inside_) gone = true, wait_status = status;
    } else if (tag == kInsideTag) {
      if (!reap(inside_, &wait_status)) continue;
      inside_.reset();
      gone = true;
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
  if (gone) on_launcher_gone(wait_status, batch);
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

void Launcher::on_launcher_gone(int wait_status, EventBatch& batch) {
  on_control(batch);  // what it reported before it went
  control_.reset();
  std::vector<uint32_t> numbers;
  for (auto& [number, sandbox] : sandboxes_) numbers.push_back(number);
  for (uint32_t number : numbers) {
    sandboxes_[number]->on_exited(nullptr, buffer_.get(), kReadBufferBytes, batch);
    finish(number, batch);
  }
  batch.add(Event::kLauncherExited, 0, batch.number(wait_status));
}

void Launcher::finish(uint32_t number, EventBatch& batch) {
  auto found = sandboxes_.find(number);
  if (found != sandboxes_.end() && found->second->finish(batch)) sandboxes_.erase(found);
}

// spawn(): number. The sandbox's number; kSpawned or kSpawnFailed follows.
Napi::Value Launcher::spawn(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  try {
    auto fail = [](const char* what) { throw std::system_error(errno, std::generic_category(), what); };
    if (!control_) throw std::system_error(EPIPE, std::generic_category(), "the launcher is gone");
    int bridge[2], diagnostics[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, bridge) < 0) fail("socketpair for a sandbox's bridge");
    Descriptor our_bridge(bridge[0]), their_bridge(bridge[1]);
    // Non-blocking at both ends: a sandbox that floods its diagnostics loses them, and stalls nobody.
    if (pipe2(diagnostics, O_CLOEXEC | O_NONBLOCK) < 0) fail("pipe2 for a sandbox's diagnostics");
    Descriptor our_diagnostics(diagnostics[0]), their_diagnostics(diagnostics[1]);

    uint32_t number = ++last_number_;
    auto sandbox = std::make_unique<Sandbox>(number, epoll_.get(), std::move(our_bridge), std::move(our_diagnostics),
                                             diagnostics_limit_);
    control_spawn request{.type = CONTROL_SPAWN, .sandbox = number};
    iovec part{&request, sizeof request};
    union {
      cmsghdr header;
      char bytes[CMSG_SPACE(2 * sizeof(int))];
    } ancillary{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = &ancillary;
    message.msg_controllen = sizeof ancillary;
    ancillary.header.cmsg_level = SOL_SOCKET;
    ancillary.header.cmsg_type = SCM_RIGHTS;
    ancillary.header.cmsg_len = CMSG_LEN(2 * sizeof(int));
    int theirs[2] = {their_bridge.get(), their_diagnostics.get()};
    memcpy(CMSG_DATA(&ancillary.header), theirs, sizeof theirs);
    if (sendmsg(control_.get(), &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) fail("sendmsg to the launcher");
    sandboxes_.emplace(number, std::move(sandbox));
    return Napi::Number::New(env, number);
  } catch (const std::system_error& error) {
    throw to_javascript(env, error);
  }
}

Sandbox* Launcher::find(const Napi::CallbackInfo& info) {
  auto found = sandboxes_.find(info[0].As<Napi::Number>().Uint32Value());
  return found == sandboxes_.end() ? nullptr : found->second.get();
}

// write(number, text: string | Buffer)
Napi::Value Launcher::write(const Napi::CallbackInfo& info) {
  Sandbox* sandbox = find(info);
  if (!sandbox) return info.Env().Undefined();
  if (info[1].IsBuffer()) {
    auto bytes = info[1].As<Napi::Buffer<char>>();
    sandbox->write(bytes.Data(), bytes.Length());
    return info.Env().Undefined();
  }
  size_t length = 0;
  napi_get_value_string_utf8(info.Env(), info[1], nullptr, 0, &length);
  text_.resize(length);
  napi_get_value_string_utf8(info.Env(), info[1], text_.data(), length + 1, &length);
  sandbox->write(text_.data(), length);
  if (text_.capacity() > kReadBufferBytes) std::string().swap(text_);
  return info.Env().Undefined();
}

// pending(number): number. The bytes that wait here for the kernel to take them.
Napi::Value Launcher::pending(const Napi::CallbackInfo& info) {
  Sandbox* sandbox = find(info);
  return Napi::Number::New(info.Env(), sandbox ? sandbox->pending() : 0);
}

// endInput(number): half-closes the bridge towards the sandbox.
Napi::Value Launcher::end_input(const Napi::CallbackInfo& info) {
  if (Sandbox* sandbox = find(info)) sandbox->end_input();
  return info.Env().Undefined();
}

// setPaused(number, paused: boolean)
Napi::Value Launcher::set_paused(const Napi::CallbackInfo& info) {
  if (Sandbox* sandbox = find(info)) sandbox->set_paused(info[1].As<Napi::Boolean>().Value());
  return info.Env().Undefined();
}

// pid(number): number. 0 if it is not known.
Napi::Value Launcher::pid(const Napi::CallbackInfo& info) {
  Sandbox* sandbox = find(info);
  return Napi::Number::New(info.Env(), sandbox ? sandbox->pid() : 0);
}

// sendSignal(number, signal: number): boolean. False if the sandbox is over.
Napi::Value Launcher::send_signal(const Napi::CallbackInfo& info) {
  Sandbox* sandbox = find(info);
  return Napi::Boolean::New(info.Env(), sandbox && sandbox->send_signal(info[1].As<Napi::Number>().Int32Value()));
}

// launcherPid(): number. 0 if it is not known.
Napi::Value Launcher::launcher_pid(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), pid_of(inside_));
}

// keepAlive(whether: boolean): whether the thread's event loop goes on as long as there may be events. At first: no.
Napi::Value Launcher::keep_alive(const Napi::CallbackInfo& info) {
  if (watch_) {
    auto* handle = reinterpret_cast<uv_handle_t*>(&watch_->poll);
    info[0].As<Napi::Boolean>().Value() ? uv_ref(handle) : uv_unref(handle);
  }
  return info.Env().Undefined();
}

// close(): asks the launcher to end, by ending the control socket; kLauncherExited follows.
Napi::Value Launcher::close(const Napi::CallbackInfo& info) {
  control_.reset();
  return info.Env().Undefined();
}

// kill(): ends the launcher and everything in it by SIGKILL; kLauncherExited follows.
Napi::Value Launcher::kill(const Napi::CallbackInfo& info) {
  for (const Descriptor* process : {&inside_, &outside_})
    if (*process) syscall(SYS_pidfd_send_signal, process->get(), SIGKILL, nullptr, 0);
  return info.Env().Undefined();
}
