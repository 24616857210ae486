// A timeline that fits a hover: editors wrap a code block at about 85 columns and show about 13 rows.
#pragma once

#include "analysis/wire/region.h"

#include <string>

namespace lsp::wording {

/// At most 80 columns × 12 rows, of the first iterations: one row is the ruler's, one may be the note's about what is
/// left out. For a simulation with a row.
std::string timelineForHover(const analysis::wire::Simulation &simulation);

} // namespace lsp::wording
