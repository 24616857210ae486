// Wait reasons as text: one row per instruction, with its wait in cycles per iteration and the reasons, largest first.
#include "mca-core/views/text.h"

#include "llvm/Support/FormattedStream.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace mca {
namespace {

constexpr unsigned kWaitColumn = 7, kTextColumn = 15, kReasonColumn = 44;
constexpr size_t kLongestText = kReasonColumn - kTextColumn - 2;
constexpr size_t kMaxReasons = 4;

/// Returns an instruction on one line, without tabs.
std::string flatText(const std::string &text) {
  std::string flat;
  for (const char c : text)
    if (c != '\t' && c != ' ')
      flat += c;
    else if (!flat.empty() && flat.back() != ' ')
      flat += ' ';
  return flat;
}

std::string shortened(std::string text) {
  if (text.size() > kLongestText)
    text = text.substr(0, kLongestText - 3) + "...";
  return text;
}

/// Returns "[2] imull".
std::string nameOf(const Report &report, uint32_t instruction) {
  const std::string text = flatText(report.instructions[instruction].text);
  return "[" + std::to_string(instruction) + "] " + text.substr(0, text.find(' '));
}

std::string withProducer(const Report &report, const std::string &words, const char *link, const WaitReason &reason) {
  return reason.by == kNoInstruction ? words : words + link + nameOf(report, reason.by);
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
  std::string text = "for " + firstNames(reason.what);
  if (!reason.holders.empty())
    text += ", held by " + nameOf(report, reason.holders.front().instruction);
  if (reason.holders.size() > 1)
    text += " and others";
  return text;
}

} // namespace

std::string describeWait(const Report &report, const WaitReason &reason) {
  switch (reason.kind) {
  case WaitKind::RegisterFile:
    return "at dispatch: no free physical register";
  case WaitKind::RetireTokens:
    return "at dispatch: the reorder buffer is full";
  case WaitKind::SchedulerFull:
    return "at dispatch: the scheduler is full";
  case WaitKind::LoadQueue:
    return "at dispatch: the load queue is full";
  case WaitKind::StoreQueue:
    return "at dispatch: the store queue is full";
  case WaitKind::Group:
    return "at dispatch: a unit without a queue is taken";
  case WaitKind::Register:
    return withProducer(report, "for " + (reason.what.empty() ? "a register" : reason.what), " from ", reason);
  case WaitKind::Memory:
    return withProducer(report, "in memory order", " behind ", reason);
  case WaitKind::Resource:
    return resourceText(report, reason);
  case WaitKind::WriteBack:
    return withProducer(report, "to write its result", " after ", reason);
  case WaitKind::TargetRule:
    return "for a rule of the target's own";
  case WaitKind::RetireOrder:
    return withProducer(report, "in retire order", " behind ", reason);
  case WaitKind::RetireWidth:
    return "to retire: no more retire in a cycle";
  }
  return "";
}

void printWaitReasons(llvm::raw_ostream &stream, const Report &report) {
  llvm::formatted_raw_ostream out(stream);
  const auto cycles = [&](uint64_t sum) {
    const std::string text = formatRounded(double(sum) / report.summary.iterations, 1);
    return std::string(text.size() < 5 ? 5 - text.size() : 0, ' ') + text;
  };
  out << "\n\nWait reasons (cycles per iteration; instructions wait at the same time):\n\n";
  out << "Index";
  out.PadToColumn(kWaitColumn) << " Wait";
  out.PadToColumn(kTextColumn) << "Instruction";
  out.PadToColumn(kReasonColumn) << "Reasons\n";
  for (size_t i = 0; i < report.waits->instructions.size(); ++i) {
    const InstructionWaits &waits = report.waits->instructions[i];
    out << '[' << i << ']';
    out.PadToColumn(kWaitColumn) << cycles(waits.cycles);
    out.PadToColumn(kTextColumn) << shortened(flatText(report.instructions[i].text));
    size_t shown = 0;
    for (const WaitReason &reason : waits.reasons) {
      // Omits reasons that round to zero or are small compared to the rest.
      if (reason.cycles * 20 < report.summary.iterations || shown == kMaxReasons)
        break;
      out << (shown++ ? "\n" : "");
      out.PadToColumn(kReasonColumn) << cycles(reason.cycles) << ' ' << describeWait(report, reason);
    }
    out << '\n';
  }
}

} // namespace mca
