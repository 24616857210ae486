// In an instruction, tabs and repeated spaces separate the mnemonic from its operands and mean nothing else.
#include "analysis/common/instruction_text.h"

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

} // namespace analysis
