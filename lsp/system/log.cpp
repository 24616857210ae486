// Lines in the form that clangd made usual: `I[10:12:31.123] message`, local time.
#include "lsp/system/log.h"

#include "analysis/text/visible_text.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>
#include <unistd.h>

namespace lsp {
namespace {

LogLevel currentLevel = LogLevel::Info;

} // namespace

void setLogLevel(LogLevel level) {
  currentLevel = level;
}

void writeLog(LogLevel level, std::string_view line) {
  if (level > currentLevel)
    return;
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  std::tm local{};
  localtime_r(&seconds, &local);
  char stamp[32];
  const int length = std::snprintf(stamp, sizeof stamp, "%c[%02d:%02d:%02d.%03d] ", "EIV"[static_cast<int>(level)],
                                   local.tm_hour, local.tm_min, local.tm_sec, static_cast<int>(millis));
  std::string text(stamp, static_cast<size_t>(length));
  text.append(analysis::visibleText(line)).push_back('\n');
  // One call, so that a line of a worker, which has the same standard error, does not land inside of it.
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
}

} // namespace lsp
