// The names of processor resources, short enough for the margin.
#pragma once

#include "analysis/wire/messages.h"

#include <string>
#include <vector>

namespace lsp::features {

/// The units in use, numbered ports in one word: "p015" for SKLPort0, SKLPort1 and SKLPort5. Other names stay as the
/// model has them; beyond three words "+2" counts the rest.
std::string shortUnits(const std::vector<analysis::wire::ResourceUse> &pressure);

/// "SKLPort0 0.50, SKLPort1 0.50", in cycles.
std::string unitsWithCycles(const std::vector<analysis::wire::ResourceUse> &pressure);

} // namespace lsp::features
