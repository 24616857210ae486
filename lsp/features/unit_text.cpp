// Ports of one digit are joined, others stand alone.
#include "lsp/features/unit_text.h"

#include "analysis/common/port_name.h"
#include "analysis/wording/words.h"

#include <algorithm>

namespace lsp::features {
namespace {

using analysis::decimals;

constexpr size_t kWords = 3;

} // namespace

std::string shortUnits(const std::vector<analysis::wire::ResourceUse> &pressure) {
  std::string ports;
  std::vector<std::string> words;
  for (const analysis::wire::ResourceUse &use : pressure) {
    const std::optional<analysis::PortName> port = analysis::portNameOf(use.name);
    if (port && port->number.size() == 1)
      ports += port->number;
    else
      words.push_back(port ? "p" + std::string(port->number) : use.name);
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
