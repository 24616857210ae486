// The log, on standard error: editors show it as "server output". Each situation has one channel:
//
//   situation                                            channel
//   ---------------------------------------------------  -------------------------------------------------------------
//   the user's code is wrong, slow or not understood     diagnostic on the line
//   the user's set-up is wrong (worker, settings, CPU)   one window/showMessage with a way out
//   a request cannot be served                           an error response, by the protocol's code
//   the client broke the protocol                        error response to a request, and logError
//   our own bug, a worker's death                        logError; the rest goes on
//   for a bug report                                     logInfo: lifecycle, jobs, restarts
//   for a debugging session                              logVerbose: every message, every schedule
#pragma once

#include <string_view>

namespace lsp {

enum class LogLevel { Error, Info, Verbose };

/// Lines above this level are dropped. Info at first.
void setLogLevel(LogLevel level);

/// Writes one line, with its level and the local time; a reader may have it on a terminal (visible_text.h).
void writeLog(LogLevel level, std::string_view line);

inline void logError(std::string_view line) {
  writeLog(LogLevel::Error, line);
}
inline void logInfo(std::string_view line) {
  writeLog(LogLevel::Info, line);
}
inline void logVerbose(std::string_view line) {
  writeLog(LogLevel::Verbose, line);
}

} // namespace lsp
