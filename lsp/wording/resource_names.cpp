// The forms of resource names in LLVM's models (llvm/lib/Target/*/*Sched*.td), and how each is shortened.
#include "lsp/wording/resource_names.h"

#include "analysis/text/counts.h"
#include "analysis/text/instruction_text.h"

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace lsp::wording {
namespace {

constexpr size_t kMostCharacters = 14; // of several names; about as long as "ALU.0 and 2 more"

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The rest after the digits that it begins with.
std::string_view withoutDigits(std::string_view text) {
  return text.substr(std::ranges::find_if_not(text, isDigit) - text.begin());
}

/// "p5" for "SKLPort5", "v2" for "LNLPVPort02"; empty for a name of another form.
std::string portOf(std::string_view name) {
  const std::optional<analysis::PortName> port = analysis::portNameOf(name);
  if (!port)
    return {};
  const size_t significant = std::min(port->number.find_first_not_of('0'), port->number.size() - 1);
  return (port->family.ends_with('V') ? "v" : "p") + std::string(port->number.substr(significant));
}

/// "p015" for "SPRPort00_01_05" and "p0,6,11" for "SPRPort00_06_11": LLVM's groups of ports, which limit a loop where
/// its rows are laid under a documented profile. Empty for a name of another form.
std::string portsOf(std::string_view name) {
  constexpr std::string_view kPort = "Port";
  const size_t at = name.find(kPort);
  if (at == std::string_view::npos || at == 0 || name.find('_', at) == std::string_view::npos)
    return {};
  std::vector<std::string> ports;
  std::string_view rest = name.substr(at + kPort.size());
  for (bool isMore = true; isMore;) {
    const size_t end = rest.find('_');
    std::string_view number = rest.substr(0, end);
    if (number.empty() || !std::ranges::all_of(number, isDigit))
      return {};
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size() - 1));
    ports.emplace_back(number);
    isMore = end != std::string_view::npos;
    rest.remove_prefix(isMore ? end + 1 : rest.size());
  }
  const bool hasLong = std::ranges::any_of(ports, [](const std::string &number) { return number.size() > 1; });
  return "p" + boost::algorithm::join(ports, hasLong ? "," : "");
}

/// The rest after `word` and, with `withDigits`, the digits that must follow it. The whole name if the word is not in
/// it, or if the rest does not begin with a letter and so is no name.
std::string_view after(std::string_view name, std::string_view word, bool withDigits) {
  const size_t at = name.find(word);
  if (at == std::string_view::npos)
    return name;
  const std::string_view numbered = name.substr(at + word.size());
  const std::string_view rest = withDigits ? withoutDigits(numbered) : numbered;
  const bool lacksDigits = withDigits && rest.size() == numbered.size();
  return lacksDigits || rest.empty() || !isLetter(rest.front()) ? name : rest;
}

} // namespace

std::string shortResourceName(const std::string &name) {
  if (const std::string port = portOf(name); !port.empty())
    return port;
  if (std::string ports = portsOf(name); !ports.empty())
    return ports;
  if (const std::string_view unit = after(name, "Unit", /*withDigits=*/false); unit != name)
    return std::string(unit);
  if (const std::string_view unit = after(name, "SiFive", /*withDigits=*/true); unit != name)
    return std::string(unit);
  if (name.starts_with("Zn"))
    return std::string(after(name, "Zn", /*withDigits=*/true));
  // POWER: "P9_ALU", "P10_BF".
  const size_t underscore = name.find('_');
  const bool isPower = underscore != std::string::npos && underscore > 1 && underscore + 1 < name.size() &&
                       name.front() == 'P' && std::all_of(name.begin() + 1, name.begin() + underscore, isDigit);
  return isPower ? name.substr(underscore + 1) : name;
}

std::string shortResourceNames(const std::vector<std::string> &names) {
  std::vector<std::string> shortNames;
  for (const std::string &name : names)
    shortNames.push_back(shortResourceName(name));
  const auto isDigitPort = [](const std::string &name) {
    return name.size() == 2 && name[0] == 'p' && isDigit(name[1]);
  };
  if (std::ranges::all_of(shortNames, isDigitPort)) {
    std::string ports;
    for (const std::string &name : shortNames)
      ports += name[1];
    std::ranges::sort(ports);
    return "p" + ports;
  }
  const std::string all = boost::algorithm::join(shortNames, ",");
  return shortNames.size() > 1 && all.size() > kMostCharacters
             ? shortNames.front() + analysis::andMore(shortNames.size(), 1)
             : all;
}

} // namespace lsp::wording
