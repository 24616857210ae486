// The words for what the worker is doing.
#pragma once

#include "analysis/wire/messages.h"

#include <string>

namespace lsp::features {

/// "compiling", "parsing", "looking for regions" or "simulating".
inline std::string stageText(const analysis::wire::Progress &progress) {
  switch (progress.stage) {
  case analysis::wire::Stage::Compiling:
    return "compiling";
  case analysis::wire::Stage::Parsing:
    return "parsing";
  case analysis::wire::Stage::FindingRegions:
    return "looking for regions";
  case analysis::wire::Stage::Simulating:
    return "simulating";
  }
  return "working";
}

} // namespace lsp::features
