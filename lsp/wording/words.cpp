// How registers and waits are named in a sentence, and how text is fitted into columns.
#include "lsp/wording/words.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lsp::wording {
namespace {

/// Wait::what lists all resources that were busy together; a sentence names two of them.
std::string firstNames(const std::string &names) {
  const auto commas = static_cast<size_t>(std::ranges::count(names, ','));
  if (commas < 2)
    return names;
  return names.substr(0, names.find(',', names.find(',') + 1)) + analysis::andMore(commas + 1, 2);
}

bool beginsCharacter(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; // UTF-8: 10xxxxxx continues a character
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

std::string phraseOf(const wire::Wait &wait) {
  using wire::WaitKind;
  if (wait.kind == WaitKind::Register)
    return "for " + registerInWords(wait.what);
  if (wait.kind == WaitKind::Memory)
    return "for an earlier " + (wait.what.empty() ? "load or store" : wait.what);
  if (wait.kind == WaitKind::Resource)
    return "for " + firstNames(wait.what);
  // By WaitKind; empty for the kinds above.
  constexpr std::array kPhrases{
      "for a free physical register",
      "for room in the reorder buffer",
      "for room in the scheduler",
      "for room in the load queue",
      "for room in the store queue",
      "for a unit without a queue",
      "",
      "",
      "",
      "for an earlier instruction to write its result",
      "for a rule of the target's own",
      "for an earlier instruction to retire",
      "for its turn to retire",
  };
  static_assert(kPhrases.size() == static_cast<size_t>(WaitKind::RetireWidth) + 1);
  return kPhrases[static_cast<size_t>(wait.kind)];
}

size_t columnsOf(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, beginsCharacter));
}

std::string clipped(std::string text, size_t columns, std::string_view mark) {
  if (columnsOf(text) <= columns)
    return text;
  size_t end = 0;
  for (size_t begun = 0; begun < columns; ++end)
    begun += beginsCharacter(text[end]);
  return text.replace(end - 1, std::string::npos, mark); // the last character that would fit makes room for the mark
}

std::string percent(double share) {
  return share > 0 && share < 0.01 ? "under 1 %" : std::to_string(std::lround(share * 100)) + " %";
}

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t end = digits.size(); end > 3;)
    digits.insert(end -= 3, 1, ',');
  return digits;
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
