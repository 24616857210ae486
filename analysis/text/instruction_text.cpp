// In an instruction, tabs and repeated spaces separate the mnemonic from its operands and mean nothing else.
#include "analysis/text/instruction_text.h"

#include <algorithm>

namespace analysis {

std::string flatText(std::string text) {
  std::replace(text.begin(), text.end(), '\t', ' ');
  const auto repeats = [](char a, char b) { return a == ' ' && b == ' '; };
  text.erase(std::unique(text.begin(), text.end(), repeats), text.end());
  return text;
}

std::string mnemonicOf(const std::string &text) {
  return text.substr(0, text.find_first_of("\t "));
}

std::string unitName(const std::string &resource, uint32_t unit, uint32_t unitsOfResource) {
  return unitsOfResource > 1 ? resource + "." + std::to_string(unit) : resource;
}

std::optional<PortName> portNameOf(std::string_view name) {
  constexpr std::string_view kPort = "Port";
  const size_t at = name.rfind(kPort);
  if (at == std::string_view::npos || at == 0)
    return std::nullopt;
  const std::string_view number = name.substr(at + kPort.size());
  if (number.empty() || number.find_first_not_of("0123456789") != std::string_view::npos)
    return std::nullopt;
  return PortName{name.substr(0, at), number};
}

} // namespace analysis
