// Names such as SKLPort0, HWPort23 and ICXPort15 end in "Port" and digits in the models of LLVM's X86 backend.
#include "lsp/features/unit_text.h"

#include "lsp/features/number_text.h"

#include <string_view>

namespace lsp::features {
namespace {

constexpr size_t kWords = 3;

/// The digits behind "Port", when the name ends with them.
std::string_view portNumber(std::string_view name) {
  constexpr std::string_view kPort = "Port";
  const size_t last = name.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last + 1 == name.size() || !name.substr(0, last + 1).ends_with(kPort))
    return {};
  return name.substr(last + 1);
}

} // namespace

std::string shortUnits(const std::vector<analysis::wire::ResourceUse> &pressure) {
  std::string ports;
  std::vector<std::string> words;
  for (const analysis::wire::ResourceUse &use : pressure) {
    const std::string_view number = portNumber(use.name);
    if (number.size() == 1)
      ports += number;
    else
      words.push_back(number.empty() ? use.name : "p" + std::string(number));
  }
  if (!ports.empty())
    words.insert(words.begin(), "p" + ports);
  std::string text;
  for (size_t i = 0; i < std::min(words.size(), kWords); ++i)
    text += (i ? " " : "") + words[i];
  return words.size() > kWords ? text + " +" + std::to_string(words.size() - kWords) : text;
}

std::string unitsWithCycles(const std::vector<analysis::wire::ResourceUse> &pressure) {
  std::string text;
  for (const analysis::wire::ResourceUse &use : pressure)
    text += (text.empty() ? "" : ", ") + use.name + " " + decimals(use.perIteration, 2);
  return text;
}

} // namespace lsp::features
