#include "analysis/verdict/resource_names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace analysis {
namespace {

constexpr size_t kMostCharacters = 14; ///< of several names; as long as "ALU.0 and 2 more" is about

/// "p5" of "SKLPort5", "v2" of "LNLPVPort02"; empty when the name has another form.
std::string portOf(llvm::StringRef name) {
  const size_t at = name.rfind("Port");
  if (at == llvm::StringRef::npos || at == 0)
    return {};
  llvm::StringRef number = name.drop_front(at + 4);
  if (number.empty() || !llvm::all_of(number, llvm::isDigit))
    return {};
  number = number.ltrim('0');
  const char *const kind = name.take_front(at).ends_with("V") ? "v" : "p";
  return kind + (number.empty() ? "0" : number.str());
}

/// What is behind `word` and the digits that follow it; all of it when that is nothing or the word is not there.
llvm::StringRef behind(llvm::StringRef name, llvm::StringRef word, bool withDigits) {
  const size_t at = name.find(word);
  if (at == llvm::StringRef::npos)
    return name;
  llvm::StringRef rest = name.drop_front(at + word.size());
  const llvm::StringRef unnumbered = rest.ltrim("0123456789");
  if (withDigits && unnumbered.size() == rest.size())
    return name;
  rest = withDigits ? unnumbered : rest;
  return rest.empty() || !llvm::isAlpha(rest.front()) ? name : rest;
}

} // namespace

std::string shortResourceName(const std::string &name) {
  if (const std::string port = portOf(name); !port.empty())
    return port;
  const llvm::StringRef whole(name);
  if (const llvm::StringRef unit = behind(whole, "Unit", /*withDigits=*/false); unit != whole)
    return unit.str();
  if (const llvm::StringRef unit = behind(whole, "SiFive", /*withDigits=*/true); unit != whole)
    return unit.str();
  if (whole.starts_with("Zn"))
    return behind(whole, "Zn", /*withDigits=*/true).str();
  const auto [cpu, unit] = whole.split('_');
  const bool isPower = cpu.size() > 1 && cpu.front() == 'P' && llvm::all_of(cpu.drop_front(), llvm::isDigit);
  return isPower && !unit.empty() ? unit.str() : name;
}

std::string shortResourceNames(const std::vector<std::string> &names) {
  std::vector<std::string> shortNames;
  for (const std::string &name : names)
    shortNames.push_back(shortResourceName(name));
  const auto isDigitPort = [](const std::string &name) {
    return name.size() == 2 && name[0] == 'p' && llvm::isDigit(name[1]);
  };
  if (llvm::all_of(shortNames, isDigitPort)) {
    std::string ports;
    for (const std::string &name : shortNames)
      ports += name[1];
    std::sort(ports.begin(), ports.end());
    return "p" + ports;
  }
  const std::string all = llvm::join(shortNames, ",");
  return shortNames.size() > 1 && all.size() > kMostCharacters
             ? shortNames.front() + " and " + std::to_string(shortNames.size() - 1) + " more"
             : all;
}

} // namespace analysis
