// What the operating system and LLVM are told so that this process dies in known ways, and never takes the server
// along.
#pragma once

#include <cstdint>
#include <functional>

namespace analysis {

/// Bounds the private memory of this process, in bytes. Programs that it starts can have more.
void limitMemory(uint64_t bytes);

/// Makes LLVM's fatal errors and failed allocations end the process with their status, at once and without a dump.
void exitOnFatalErrors();

/// What libraries write to standard error from now on goes nowhere, unless the process aborts: LLVM warns there of what
/// our findings say. We use say().
void divertStandardError();

/// Forgets what was diverted, for good.
void dropDiverted();

/// Writes a line to where standard error led at the start.
void say(const char *text);

/// A server that goes away is seen as the end of its socket, not as a signal.
void ignoreBrokenPipes();

/// Runs `work` on a detached thread whose stack is large enough for LLVM's recursive parsers; an overflow of it ends
/// the process. False when there can be no such thread.
bool startWithLargeStack(std::function<void()> work);

} // namespace analysis
