// The words of words.h.
#include "analysis/wording/words.h"

#include "analysis/common/counts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace analysis {
namespace {

/// Of a long list of resources the first two.
std::string firstNames(const std::string &names) {
  const auto commas = static_cast<size_t>(std::count(names.begin(), names.end(), ','));
  if (commas < 2)
    return names;
  return names.substr(0, names.find(',', names.find(',') + 1)) + andMore(commas + 1, 2);
}

} // namespace

std::string decimals(double value, int digits) {
  const double scale = std::pow(10, digits);
  std::string text(400, '\0'); // the largest double has 309 digits
  text.resize(std::snprintf(text.data(), text.size(), "%.*f", digits, std::floor(value * scale + 0.5) / scale));
  return text;
}

std::string listOf(const std::vector<std::string> &names, size_t most) {
  std::string text;
  const size_t named = std::min(names.size(), most);
  for (size_t i = 0; i < named; ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text + andMore(names.size(), most);
}

std::string registerInWords(const std::string &printed) {
  const std::string name = printed.substr(std::min(printed.find_first_not_of('%'), printed.size()));
  if (name.empty())
    return "a register";
  const bool isNumber = name.find_first_not_of("0123456789") == std::string::npos;
  return (isNumber ? "register " : "") + name;
}

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

std::string perIterations(uint32_t sourceIterations) {
  if (sourceIterations == 0)
    return "per iteration of the machine code";
  return sourceIterations == 1 ? "per iteration" : "per " + std::to_string(sourceIterations) + " iterations";
}

std::string phraseOf(const wire::Wait &wait) {
  using wire::WaitKind;
  switch (wait.kind) {
  case WaitKind::RegisterFile:
    return "for a free physical register";
  case WaitKind::RetireTokens:
    return "for room in the reorder buffer";
  case WaitKind::SchedulerFull:
    return "for room in the scheduler";
  case WaitKind::LoadQueue:
    return "for room in the load queue";
  case WaitKind::StoreQueue:
    return "for room in the store queue";
  case WaitKind::Group:
    return "for a unit without a queue";
  case WaitKind::Register:
    return "for " + registerInWords(wait.what);
  case WaitKind::Memory:
    return "for an earlier " + (wait.what.empty() ? "load or store" : wait.what);
  case WaitKind::Resource:
    return "for " + firstNames(wait.what);
  case WaitKind::WriteBack:
    return "for an earlier instruction to write its result";
  case WaitKind::TargetRule:
    return "for a rule of the target's own";
  case WaitKind::RetireOrder:
    return "for an earlier instruction to retire";
  case WaitKind::RetireWidth:
    return "for its turn to retire";
  }
  return "";
}

} // namespace analysis
