// Wait reasons as text: one row per instruction, with its wait in cycles per iteration and the reasons, largest first.
//
// llvm-mca has no such view. Its bottleneck analysis reports which kind of pressure a loop has; this one reports the
// instructions that wait, and the instructions that they wait for.
#include "mca-core/views/text.h"
#include "mca-core/views/text_parts.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/FormattedStream.h"

#include <algorithm>
#include <iterator>

namespace mca {
namespace {

// The reasons start where the text of most instructions ends; longer ones are shortened, because a table that is out of
// line is harder to read than three dots.
constexpr unsigned kWaitColumn = 7, kTextColumn = 15, kReasonColumn = 44;
constexpr size_t kLongestText = kReasonColumn - kTextColumn - 2;
constexpr size_t kMaxReasons = 4; ///< of an instruction; the rest is small

/// Returns an instruction with single spaces instead of tabs and runs of blanks, and none at the start.
std::string flatText(const std::string &text) {
  std::string flat;
  for (const char c : text)
    if (c != '\t' && c != ' ')
      flat += c;
    else if (!flat.empty() && flat.back() != ' ')
      flat += ' ';
  return flat;
}

/// Shortens a text to the width of its column.
std::string shortened(const std::string &text) {
  return text.size() > kLongestText ? text.substr(0, kLongestText - 3) + "..." : text;
}

/// Returns "[2] imull": the index tells apart instructions with the same mnemonic.
std::string nameOf(const Report &report, uint32_t instruction) {
  const std::string text = flatText(report.instructions[instruction].text);
  return "[" + std::to_string(instruction) + "] " + text.substr(0, text.find(' '));
}

/// Returns the first two names of a long list of resources.
std::string firstNames(const std::string &names) {
  const size_t more = static_cast<size_t>(std::count(names.begin(), names.end(), ','));
  if (more < 2)
    return names;
  return names.substr(0, names.find(',', names.find(',') + 1)) + " and " + std::to_string(more - 1) + " more";
}

/// Names the instruction that held the units in the most cycles, and mentions others.
std::string resourceText(const Report &report, const WaitReason &reason) {
  std::string text = firstNames(reason.what);
  if (!reason.holders.empty())
    text += ", held by " + nameOf(report, reason.holders.front().instruction);
  if (reason.holders.size() > 1)
    text += " and others";
  return text;
}

/// The words for a reason. `link` comes before the instruction that it waited for, if one can be named.
struct ReasonWords {
  const char *words;
  const char *link = nullptr;
};
/// By WaitKind.
constexpr ReasonWords kReasonWords[] = {
    {"at dispatch: no free physical register"},
    {"at dispatch: the reorder buffer is full"},
    {"at dispatch: the scheduler is full"},
    {"at dispatch: the load queue is full"},
    {"at dispatch: the store queue is full"},
    {"at dispatch: a unit without a queue is taken"},
    {"for ", " from "}, // and the register
    {"in memory order", " behind "},
    {"for "}, // and the resources
    {"to write its result", " after "},
    {"for a rule of the target's own"},
    {"in retire order", " behind "},
    {"to retire: no more retire in a cycle"},
};
static_assert(std::size(kReasonWords) == kWaitKinds);

} // namespace

std::string describeWait(const Report &report, const WaitReason &reason) {
  const auto [words, link] = kReasonWords[static_cast<unsigned>(reason.kind)];
  if (reason.kind == WaitKind::Resource)
    return words + resourceText(report, reason);
  std::string text = words;
  if (reason.kind == WaitKind::Register)
    text += reason.what.empty() ? "a register" : reason.what;
  return link && reason.by != kNoInstruction ? text + link + nameOf(report, reason.by) : text;
}

std::string formatWait(uint64_t cycles, uint64_t executions) {
  return llvm::formatv("{0,5}", formatRounded(double(cycles) / double(executions), 1));
}

void printWaitTable(llvm::raw_ostream &stream, const Report &report, const std::string &heading,
                    std::span<const uint64_t> executions, std::span<const std::string> notes) {
  llvm::formatted_raw_ostream out(stream);
  out << "\n\n" << heading << "\n\nIndex";
  out.PadToColumn(kWaitColumn) << " Wait";
  out.PadToColumn(kTextColumn) << "Instruction";
  out.PadToColumn(kReasonColumn) << "Reasons\n";
  for (size_t i = 0; i < report.waits->instructions.size(); ++i) {
    if (!executions[i])
      continue;
    const InstructionWaits &waits = report.waits->instructions[i];
    out << '[' << i << ']';
    out.PadToColumn(kWaitColumn) << formatWait(waits.cycles, executions[i]);
    out.PadToColumn(kTextColumn) << shortened(flatText(report.instructions[i].text));
    size_t shown = 0;
    const auto nextLine = [&]() -> llvm::raw_ostream & {
      out << (shown++ ? "\n" : "");
      return out.PadToColumn(kReasonColumn);
    };
    for (const WaitReason &reason : waits.reasons) {
      // Omits reasons that round to zero, that is, of less than 0.05 cycles, and those after the largest ones.
      if (reason.cycles * 20 < executions[i] || shown == kMaxReasons)
        break;
      nextLine() << formatWait(reason.cycles, executions[i]) << ' ' << describeWait(report, reason);
    }
    if (!notes.empty() && !notes[i].empty())
      nextLine() << notes[i];
    out << '\n';
  }
}

void printWaitReasons(llvm::raw_ostream &out, const Report &report) {
  printWaitTable(out, report, "Wait reasons (cycles per iteration; instructions wait at the same time):",
                 std::vector<uint64_t>(report.waits->instructions.size(), report.summary.iterations));
}

} // namespace mca
