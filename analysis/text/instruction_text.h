// Texts of instructions and names of units. The worker compares them and the server shows them, so both need the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace analysis {

/// An instruction's text in one line with single spaces.
std::string flatText(std::string text);

/// The mnemonic of an instruction's text, which may be empty.
std::string mnemonicOf(const std::string &text);

/// The name of one unit: the resource's, followed by "." and the unit's number if it has several.
std::string unitName(const std::string &resource, uint32_t unit, uint32_t unitsOfResource);

/// A port of an Intel CPU, as LLVM's models name it: SKLPort5, SPRPort11, LNLPVPort02. Intel's manuals use the number
/// alone.
struct PortName {
  std::string_view family; ///< the text before "Port": "SKL"
  std::string_view number; ///< the digits after it: "5", "02"
};

/// The parts of a port's name; none if the name has another form.
std::optional<PortName> portNameOf(std::string_view name);

} // namespace analysis
