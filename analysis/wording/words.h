// The small words of all texts: numbers, lists, registers, units, iterations and what an instruction waits for.
#pragma once

#include "analysis/wire/messages.h"

#include <cstdint>
#include <string>
#include <vector>

namespace analysis {

/// A number as llvm-mca rounds it: half up, to so many decimals.
std::string decimals(double value, int digits);

/// "a, b and 2 more": of several names at most so many.
std::string listOf(const std::vector<std::string> &names, size_t most);

/// A register's name as it stands in a sentence: "xmm0" of "%xmm0", "register 3" of PowerPC's "3".
std::string registerInWords(const std::string &printed);

/// An instruction's text in one line with single spaces.
std::string flatText(std::string text);

/// The mnemonic of an instruction's text, which may be empty.
std::string mnemonicOf(const std::string &text);

/// The name of one unit: the resource's, with the unit's number when there are several.
std::string unitName(const std::string &resource, uint32_t unit, uint32_t unitsOfResource);

/// Of what the cycles of one iteration of the machine code are: "per iteration", "per 4 iterations" of the source's
/// loop. `sourceIterations` is that of RegionSummary.
std::string perIterations(uint32_t sourceIterations);

/// "for xmm0", "for room in the reorder buffer".
std::string phraseOf(const wire::Wait &wait);

} // namespace analysis
