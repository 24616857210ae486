// A timeline that fits into a hover: editors wrap a code block at about 85 columns and show about 13 rows.
#pragma once

#include "lsp/wording/words.h"

#include <string>

namespace lsp::wording {

/// The first iterations in at most 80 columns and 12 rows. The first row is a ruler; the last one may count the
/// instructions that are left out. The simulation must have a timeline.
std::string timelineForHover(const wire::Simulation &simulation);

} // namespace lsp::wording
