// The forms of resource names in LLVM's models, and what is cut off each.
#include "lsp/wording/resource_names.h"

#include "analysis/common/counts.h"
#include "analysis/common/instruction_text.h"

#include <algorithm>
#include <numeric>
#include <string_view>

namespace lsp::wording {
namespace {

constexpr size_t kMostCharacters = 14; ///< of several names; as long as "ALU.0 and 2 more" is about

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool isNumber(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), isDigit);
}

/// Without the digits that it begins with.
std::string_view withoutDigits(std::string_view text) {
  return text.substr(std::find_if_not(text.begin(), text.end(), isDigit) - text.begin());
}

/// "p5" of "SKLPort5", "v2" of "LNLPVPort02"; empty when the name has another form.
std::string portOf(std::string_view name) {
  const std::optional<analysis::PortName> port = analysis::portNameOf(name);
  if (!port)
    return {};
  const size_t significant = std::min(port->number.find_first_not_of('0'), port->number.size() - 1);
  return (port->family.ends_with('V') ? "v" : "p") + std::string(port->number.substr(significant));
}

/// What follows `word` and, with `withDigits`, the digits after it. The whole name if that is nothing that begins with
/// a letter, or if the word is not in it.
std::string_view after(std::string_view name, std::string_view word, bool withDigits) {
  const size_t at = name.find(word);
  if (at == std::string_view::npos)
    return name;
  std::string_view rest = name.substr(at + word.size());
  const std::string_view unnumbered = withoutDigits(rest);
  if (withDigits && unnumbered.size() == rest.size())
    return name;
  rest = withDigits ? unnumbered : rest;
  return rest.empty() || !isLetter(rest.front()) ? name : rest;
}

} // namespace

std::string shortResourceName(const std::string &name) {
  if (const std::string port = portOf(name); !port.empty())
    return port;
  if (const std::string_view unit = after(name, "Unit", /*withDigits=*/false); unit != name)
    return std::string(unit);
  if (const std::string_view unit = after(name, "SiFive", /*withDigits=*/true); unit != name)
    return std::string(unit);
  if (name.starts_with("Zn"))
    return std::string(after(name, "Zn", /*withDigits=*/true));
  const size_t underscore = name.find('_');
  const bool isPower = underscore != std::string::npos && underscore + 1 < name.size() && name.front() == 'P' &&
                       isNumber(std::string_view(name).substr(1, underscore - 1));
  return isPower ? name.substr(underscore + 1) : name;
}

std::string shortResourceNames(const std::vector<std::string> &names) {
  std::vector<std::string> shortNames;
  for (const std::string &name : names)
    shortNames.push_back(shortResourceName(name));
  const auto isDigitPort = [](const std::string &name) {
    return name.size() == 2 && name[0] == 'p' && isDigit(name[1]);
  };
  if (std::all_of(shortNames.begin(), shortNames.end(), isDigitPort)) {
    std::string ports;
    for (const std::string &name : shortNames)
      ports += name[1];
    std::sort(ports.begin(), ports.end());
    return "p" + ports;
  }
  const std::string all =
      std::accumulate(shortNames.begin(), shortNames.end(), std::string(), [](std::string so, const std::string &name) {
        return std::move(so) + (so.empty() ? "" : ",") + name;
      });
  return shortNames.size() > 1 && all.size() > kMostCharacters
             ? shortNames.front() + analysis::andMore(shortNames.size(), 1)
             : all;
}

} // namespace lsp::wording
