// The words of words.h.
#include "lsp/wording/words.h"

#include "analysis/common/counts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace lsp::wording {
namespace {

/// Of a long list of resources the first two.
std::string firstNames(const std::string &names) {
  const auto commas = static_cast<size_t>(std::count(names.begin(), names.end(), ','));
  if (commas < 2)
    return names;
  return names.substr(0, names.find(',', names.find(',') + 1)) + analysis::andMore(commas + 1, 2);
}

} // namespace

std::string registerInWords(const std::string &printed) {
  const std::string name = printed.substr(std::min(printed.find_first_not_of('%'), printed.size()));
  if (name.empty())
    return "a register";
  const bool isNumber = name.find_first_not_of("0123456789") == std::string::npos;
  return (isNumber ? "register " : "") + name;
}

std::string perIterations(uint32_t sourceIterations) {
  if (sourceIterations == 0)
    return "per iteration of the machine code";
  return sourceIterations == 1 ? "per iteration" : "per " + std::to_string(sourceIterations) + " iterations";
}

std::string phraseOf(const analysis::wire::Wait &wait) {
  using analysis::wire::WaitKind;
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

std::string padded(std::string text, size_t columns) {
  text.resize(std::max(text.size(), columns), ' ');
  return text;
}

std::string rightAligned(std::string text, size_t columns) {
  text.insert(0, text.size() < columns ? columns - text.size() : 0, ' ');
  return text;
}

} // namespace lsp::wording
