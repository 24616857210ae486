// The worker's steps in words: in the client's progress, in the log, and in the finding that reports its death.
#pragma once

#include "analysis/wire/messages.h"

#include <iterator>

namespace lsp::features {

/// "compiling", "parsing", "looking for regions" or "simulating".
inline std::string stageText(const analysis::wire::Progress &progress) {
  constexpr const char *kTexts[] = {"compiling", "parsing", "looking for regions", "simulating"}; // by wire::Stage
  const auto stage = static_cast<size_t>(progress.stage);
  return stage < std::size(kTexts) ? kTexts[stage] : "working"; // a worker that is about to crash may send anything
}

} // namespace lsp::features
