// Starts a launcher without forking Node: a fork copies the page tables of a process of hundreds of megabytes.
#pragma once

#include <string>

#include "descriptor.h"

struct LauncherProcess {
  // pidfd of the process started here. It hands over to the launcher's PID 1 and exits; where there are no namespaces it stays
  // until the launcher and all of its sandboxes have ended.
  Descriptor outside;
  int pid;               // of the same process
  Descriptor control;  // our end of the control socket, non-blocking
};

// Executes `binary` in a mode ("zygote", "command") with an empty environment, /dev/null as its descriptors 0-2 and its end of the control socket as 3.
// Throws std::system_error naming the call that failed.
LauncherProcess start_launcher(const std::string& binary, const std::string& mode);

// Waits for a child by its pidfd, without blocking. True once it was reaped; `status` is then as wait4() has it.
bool reap(const Descriptor& pidfd, int* status);

// Kills and reaps children of ours that a process which we started has cloned, and has not told us of. `group`: its process group,
// which is its number; it must be over, and not reaped yet, so that the number is nobody else's.
void kill_group(int group);
// What is left of it, once that process is reaped. Within a bound.
void reap_group(int group);
// The same for one child, by its number.
void kill_and_reap_child(int pid);

// The process that a pidfd stands for, as this process's PID namespace numbers it; 0 if it is over or unknown.
int pid_of(const Descriptor& pidfd);
