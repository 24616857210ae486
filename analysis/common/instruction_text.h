// Texts of instructions and names of units. The worker compares them and the server shows them, so both need the same.
#pragma once

#include <cstdint>
#include <string>

namespace analysis {

/// An instruction's text in one line with single spaces.
std::string flatText(std::string text);

/// The mnemonic of an instruction's text, which may be empty.
std::string mnemonicOf(const std::string &text);

/// The name of one unit: the resource's, followed by "." and the unit's number if it has several.
std::string unitName(const std::string &resource, uint32_t unit, uint32_t unitsOfResource);

} // namespace analysis
