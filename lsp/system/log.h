// The log, on standard error: what an editor shows as "server output".
//
//   situation                                            channel
//   ---------------------------------------------------  -------------------------------------------------------------
//   the user's code is wrong, slow or not understood     diagnostic on the line
//   the user's set-up is wrong (worker, settings, CPU)   one window/showMessage with a way out
//   a request cannot be served                           an error response, by the protocol's code
//   the client broke the protocol                        error response if it asked something, and logError
//   our own bug, a worker's death                        logError; the rest goes on
//   what a maintainer wants in a bug report              logInfo: lifecycle, jobs, restarts
//   what only a debugging session wants                  logVerbose: every message, every schedule
#pragma once

#include <string_view>

namespace lsp {

enum class LogLevel { Error, Info, Verbose };

/// Lines above this level are dropped. Info at first.
void setLogLevel(LogLevel level);

void logError(std::string_view line);
void logInfo(std::string_view line);
void logVerbose(std::string_view line);

} // namespace lsp
