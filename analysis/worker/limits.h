// Process-wide settings of the operating system and LLVM. They make this process end in known ways (exit_status.h), and
// keep its failures from the server.
#pragma once

#include <cstdint>
#include <functional>

namespace analysis {

/// Limits the private memory of this process, in bytes. Programs that it starts may raise their own limit.
void limitMemory(uint64_t bytes);

/// Makes LLVM's fatal errors and failed allocations end the process at once, with an exit status of their own and
/// without a stack dump.
void exitOnFatalErrors();

/// Redirects standard error, where LLVM repeats as warnings what our findings report. The text is kept for the case
/// that the process aborts, and then printed. Our own messages go through say().
void divertStandardError();

/// Discards the redirected text. Call it after each job.
void dropDiverted();

/// Writes a line to the original standard error.
void say(const char *text);

/// Makes a write to a closed socket an error (EPIPE), not a signal: if the server is gone, the main thread sees the end
/// of the socket.
void ignoreBrokenPipes();

/// Runs `work` on a detached thread whose stack is large enough for LLVM's recursive parsers. A stack overflow would
/// end the process. Returns false if there is no memory for the thread.
bool startWithLargeStack(std::function<void()> work);

} // namespace analysis
