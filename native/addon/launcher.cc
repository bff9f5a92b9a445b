// The launcher as a JavaScript object: its constructor and its methods. What happens on the event loop is in launcher_loop.cc.
#include "launcher.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "launcher_process.h"

namespace {

Napi::Error to_javascript(Napi::Env env, const std::system_error& error) {
  Napi::Error result = Napi::Error::New(env, error.what());
  result.Set("errno", Napi::Number::New(env, error.code().value()));
  result.Set("code", Napi::String::New(env, uv_err_name(-error.code().value())));
  return result;
}

}  // namespace

Napi::Function Launcher::define(Napi::Env env) {
  return DefineClass(env, "Launcher",
                     {
                         InstanceMethod<&Launcher::configure>("configure"),
                         InstanceMethod<&Launcher::run_command>("runCommand"),
                         InstanceMethod<&Launcher::spawn>("spawn"),
                         InstanceMethod<&Launcher::write>("write"),
                         InstanceMethod<&Launcher::pending>("pending"),
                         InstanceMethod<&Launcher::end_input>("endInput"),
                         InstanceMethod<&Launcher::set_paused>("setPaused"),
                         InstanceMethod<&Launcher::set_diagnostics_paused>("setDiagnosticsPaused"),
                         InstanceMethod<&Launcher::close_output>("closeOutput"),
                         InstanceMethod<&Launcher::read_at_exit>("readAtExit"),
                         InstanceMethod<&Launcher::pid>("pid"),
                         InstanceMethod<&Launcher::demote>("demote"),
                         InstanceMethod<&Launcher::send_signal>("sendSignal"),
                         InstanceMethod<&Launcher::launcher_pid>("launcherPid"),
                         InstanceMethod<&Launcher::keep_alive>("keepAlive"),
                         InstanceMethod<&Launcher::close>("close"),
                         InstanceMethod<&Launcher::kill>("kill"),
                     });
}

// new Launcher(binary: string, mode: 'zygote' | 'command', diagnosticsLimit: number, onEvents: (events) => void)
Launcher::Launcher(const Napi::CallbackInfo& info) : Napi::ObjectWrap<Launcher>(info) {
  Napi::Env env = info.Env();
  diagnostics_limit_ = static_cast<uint64_t>(info[2].As<Napi::Number>().Int64Value());
  on_events_ = Napi::Persistent(info[3].As<Napi::Function>());
  async_context_ = std::make_unique<Napi::AsyncContext>(env, "wardenpool.Launcher");
  buffer_ = std::make_unique_for_overwrite<char[]>(kReadBufferBytes);

  try {
    epoll_ = Descriptor(epoll_create1(EPOLL_CLOEXEC));
    if (!epoll_) throw std::system_error(errno, std::generic_category(), "epoll_create1");
    std::string mode = info[1].As<Napi::String>().Utf8Value();
    is_command_ = mode == "command";
    LauncherProcess process = start_launcher(info[0].As<Napi::String>().Utf8Value(), mode);
    outside_ = std::move(process.outside);
    outside_pid_ = process.pid;
    control_ = std::move(process.control);
    if (!watch(outside_, kOutsideTag) || !watch(control_, kControlTag))
      throw std::system_error(errno, std::generic_category(), "epoll_ctl for the launcher's descriptors");
  } catch (const std::system_error& error) {
    shut_down();
    throw to_javascript(env, error);
  }

  watch_ = start_watch(env, this);
}

Launcher::~Launcher() { shut_down(); }

int Launcher::send_packet(const void* packet, size_t length, const std::vector<int>& descriptors) {
  iovec part{const_cast<void*>(packet), length};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  // new aligns it for any type, a cmsghdr among them.
  std::vector<char> ancillary(CMSG_SPACE(descriptors.size() * sizeof(int)));
  if (!descriptors.empty()) {
    auto* header = reinterpret_cast<cmsghdr*>(ancillary.data());
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
    memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size() * sizeof(int));
    message.msg_control = ancillary.data();
    message.msg_controllen = ancillary.size();
  }
  return sendmsg(control_.get(), &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? errno : 0;
}

namespace {

// It ended before it was told anything: what it said last is still to be read, and its end to be reported.
bool has_ended(int send_error) { return send_error == EPIPE || send_error == ECONNRESET; }

}  // namespace

// configure(namespaces: number, ceilings: number[]): makes it a zygote; kReady or kFailed follows. Once.
Napi::Value Launcher::configure(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  control_configure configuration{};
  configuration.type = CONTROL_CONFIGURE;
  configuration.version = CONTROL_VERSION;
  configuration.namespaces = info[0].As<Napi::Number>().Uint32Value();
  Napi::Array ceilings = info[1].As<Napi::Array>();
  if (ceilings.Length() != CONTROL_CEILINGS) throw Napi::TypeError::New(env, "ceilings: wrong number of entries");
  for (uint32_t i = 0; i < CONTROL_CEILINGS; i++)
    configuration.ceilings[i] = static_cast<uint64_t>(ceilings.Get(i).As<Napi::Number>().Int64Value());
  if (int error = send_packet(&configuration, sizeof configuration, {}); error != 0 && !has_ended(error))
    throw to_javascript(env, std::system_error(error, std::generic_category(), "send of the configuration to the launcher"));
  return env.Undefined();
}

namespace {

// The plan of a command as a file in memory, which a packet can carry whatever its size.
Descriptor plan_file(const char* bytes, size_t length) {
  Descriptor file(memfd_create("wardenpool-plan", MFD_CLOEXEC));
  if (!file) throw std::system_error(errno, std::generic_category(), "memfd_create for the plan");
  for (size_t written = 0; written < length;) {
    ssize_t count = ::write(file.get(), bytes + written, length - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw std::system_error(errno, std::generic_category(), "write of the plan");
    written += static_cast<size_t>(count);
  }
  return file;
}

std::vector<int> numbers(const Napi::Value& value) {
  Napi::Array array = value.As<Napi::Array>();
  std::vector<int> result;
  for (uint32_t i = 0; i < array.Length(); i++) result.push_back(array.Get(i).As<Napi::Number>().Int32Value());
  return result;
}

}  // namespace

// runCommand(plan: Buffer, inherited: number[], preserved: number[]): number. The number of the command's sandbox. `inherited`: what
// its descriptors 0, 1 and 2 are; if it is empty, it has a bridge at 3 and a diagnostics pipe instead. kReady and kSpawned follow,
// or kFailed, or kSpawnFailed. Once.
Napi::Value Launcher::run_command(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  try {
    auto fail = [](const char* what) { throw std::system_error(errno, std::generic_category(), what); };
    auto bytes = info[0].As<Napi::Buffer<char>>();
    std::vector<int> inherited = numbers(info[1]), preserved = numbers(info[2]);
    Descriptor plan = plan_file(bytes.Data(), bytes.Length());
    control_command request{.type = CONTROL_COMMAND,
                            .version = CONTROL_VERSION,
                            .io = inherited.empty() ? CONTROL_IO_DUPLEX : CONTROL_IO_INHERIT,
                            .preserved = static_cast<uint32_t>(preserved.size())};
    std::vector<int> descriptors{plan.get()};
    Descriptor our_bridge, their_bridge, our_diagnostics, their_diagnostics;
    if (inherited.empty()) {
      int bridge[2], diagnostics[2];
      if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, bridge) < 0) fail("socketpair for the command's bridge");
      our_bridge = Descriptor(bridge[0]), their_bridge = Descriptor(bridge[1]);
      // Blocking at the command's end, as programs expect of their stderr: here it is always read, whatever becomes of it.
      if (pipe2(diagnostics, O_CLOEXEC) < 0) fail("pipe2 for the command's diagnostics");
      our_diagnostics = Descriptor(diagnostics[0]), their_diagnostics = Descriptor(diagnostics[1]);
      if (fcntl(our_diagnostics.get(), F_SETFL, O_NONBLOCK) < 0) fail("fcntl of the command's diagnostics");
      descriptors.insert(descriptors.end(), {their_bridge.get(), their_diagnostics.get()});
    } else {
      descriptors.insert(descriptors.end(), inherited.begin(), inherited.end());
    }
    descriptors.insert(descriptors.end(), preserved.begin(), preserved.end());
    uint32_t number = ++last_number_;
    auto sandbox = std::make_unique<Sandbox>(number, epoll_.get(), std::move(our_bridge), std::move(our_diagnostics),
                                             diagnostics_limit_);
    if (int error = send_packet(&request, sizeof request, descriptors); error != 0 && !has_ended(error))
      throw std::system_error(error, std::generic_category(), "sendmsg of the command to its launcher");
    sandboxes_.emplace(number, std::move(sandbox));
    return Napi::Number::New(env, number);
  } catch (const std::system_error& error) {
    throw to_javascript(env, error);
  }
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
    SpawnRequest request{number, std::move(their_bridge), std::move(their_diagnostics)};
    if (unanswered_ >= kUnansweredMaximum) {
      waiting_.push_back(std::move(request));
    } else {
      if (int error = send_request(request); error != 0)
        throw std::system_error(error, std::generic_category(), "sendmsg to the launcher");
      unanswered_++;
    }
    sandboxes_.emplace(number, std::move(sandbox));
    return Napi::Number::New(env, number);
  } catch (const std::system_error& error) {
    throw to_javascript(env, error);
  }
}

// demote(cpuMs: number): sandboxes that have used so much give way to the others. Of no consequence if it cannot be sent now.
Napi::Value Launcher::demote(const Napi::CallbackInfo& info) {
  control_demote packet{.type = CONTROL_DEMOTE, .cpu_ms = info[0].As<Napi::Number>().Uint32Value()};
  if (control_) (void)send_packet(&packet, sizeof packet, {});
  return info.Env().Undefined();
}

int Launcher::send_request(const SpawnRequest& request) {
  control_spawn packet{.type = CONTROL_SPAWN, .sandbox = request.number};
  return send_packet(&packet, sizeof packet, {request.bridge.get(), request.diagnostics.get()});
}

Sandbox* Launcher::find(const Napi::CallbackInfo& info) {
  auto found = sandboxes_.find(info[0].As<Napi::Number>().Uint32Value());
  return found == sandboxes_.end() ? nullptr : found->second.get();
}

// write(number, text: string | Buffer): boolean. False if the sandbox is over, or no longer reads.
Napi::Value Launcher::write(const Napi::CallbackInfo& info) {
  Sandbox* sandbox = find(info);
  if (!sandbox) return Napi::Boolean::New(info.Env(), false);
  if (info[1].IsBuffer()) {
    auto bytes = info[1].As<Napi::Buffer<char>>();
    return Napi::Boolean::New(info.Env(), sandbox->write(bytes.Data(), bytes.Length()));
  }
  size_t length = 0;
  napi_get_value_string_utf8(info.Env(), info[1], nullptr, 0, &length);
  text_.resize(length);
  napi_get_value_string_utf8(info.Env(), info[1], text_.data(), length + 1, &length);
  bool is_read = sandbox->write(text_.data(), length);
  if (text_.capacity() > kReadBufferBytes) std::string().swap(text_);
  return Napi::Boolean::New(info.Env(), is_read);
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

// setDiagnosticsPaused(number, paused: boolean)
Napi::Value Launcher::set_diagnostics_paused(const Napi::CallbackInfo& info) {
  if (Sandbox* sandbox = find(info)) sandbox->set_diagnostics_paused(info[1].As<Napi::Boolean>().Value());
  return info.Env().Undefined();
}

// closeOutput(number): nothing that the sandbox still sends over its bridge is wanted.
Napi::Value Launcher::close_output(const Napi::CallbackInfo& info) {
  if (Sandbox* sandbox = find(info)) sandbox->close_output();
  return info.Env().Undefined();
}

// readAtExit(number): what the sandbox still sends is read when it has ended.
Napi::Value Launcher::read_at_exit(const Napi::CallbackInfo& info) {
  if (Sandbox* sandbox = find(info)) sandbox->read_at_exit();
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

// launcherPid(): number. Until it has entered its namespaces, that of the process that was started. 0 if it is not known.
Napi::Value Launcher::launcher_pid(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), pid_of(inside_ ? inside_ : outside_));
}

// keepAlive(whether: boolean): whether the thread's event loop goes on as long as there may be events. At first: no.
Napi::Value Launcher::keep_alive(const Napi::CallbackInfo& info) {
  if (watch_) {
    auto* handle = reinterpret_cast<uv_handle_t*>(&watch_->poll);
    info[0].As<Napi::Boolean>().Value() ? uv_ref(handle) : uv_unref(handle);
  }
  return info.Env().Undefined();
}

// close(): asks the launcher to end, by ending the control socket; kLauncherExited follows. One that is still on its way in is killed,
// since it has yet to say by that socket which process it is.
Napi::Value Launcher::close(const Napi::CallbackInfo& info) {
  if (inside_) control_.reset();
  else kill_all();
  return info.Env().Undefined();
}

// kill(): ends the launcher and everything in it by SIGKILL; kLauncherExited follows.
Napi::Value Launcher::kill(const Napi::CallbackInfo& info) {
  kill_all();
  return info.Env().Undefined();
}

void Launcher::kill_all() {
  is_to_end_ = true;
  // The one outside has gone by itself, or stays until nothing of the launcher is left.
  const Descriptor& process = inside_ ? inside_ : outside_;
  if (process) syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0);
}
