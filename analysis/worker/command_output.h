// What the worker's commands print: notes a line each, and on a terminal the progress in one line that is replaced.
#pragma once

#include "analysis/text/visible_text.h"

#include <cstdio>
#include <string>
#include <unistd.h>

namespace analysis {

class CommandOutput {
public:
  void note(const std::string &text) {
    std::fprintf(stderr, "%smca-lsp: %s\n", hasProgress_ ? "\r\x1b[K" : "", visibleText(text).c_str());
    hasProgress_ = false;
  }
  void progress(const std::string &text) {
    if (isTerminal_)
      std::fprintf(stderr, "\r\x1b[Kmca-lsp: %s", visibleText(text).c_str());
    hasProgress_ = isTerminal_;
  }
  /// The path of what was made; nothing for standard output.
  void finish(const std::string &path) {
    if (hasProgress_)
      std::fputs("\r\x1b[K", stderr);
    if (path != "-")
      std::printf("%s\n", path.c_str());
  }

private:
  const bool isTerminal_ = isatty(STDERR_FILENO) != 0;
  bool hasProgress_ = false;
};

} // namespace analysis
