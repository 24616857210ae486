// The instruction info as text: a table with one row per instruction and optional columns (InstructionInfoView in
// LLVM).
//
// The columns are data, because llvm-mca numbers them by position: an optional column changes the numbers after it.
#include "mca-core/views/text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormattedStream.h"

namespace mca {
namespace {

struct Column {
  const char *title;
  void (*print)(llvm::raw_ostream &, const InstructionInfo &);
  bool InstructionColumns::*wanted = nullptr; ///< null: always
  unsigned width = 7;
  unsigned indent = 1;  ///< of the values, relative to the column
  bool numbered = true; ///< explained by a number above the table; otherwise, the title heads the column
};

/// Prints the mark if the flag is set.
template <bool InstructionInfo::*Flag, char Mark>
void printFlag(llvm::raw_ostream &out, const InstructionInfo &info) {
  out << (info.*Flag ? Mark : ' ');
}

/// A use of one cycle is a name alone. A use that starts at issue has its length, a later one both of its cycles.
void printResourceUses(llvm::raw_ostream &out, const InstructionInfo &info) {
  const char *separator = "";
  for (const SchedulingDetails::ResourceUse &use : info.scheduling->resources) {
    out << separator << use.resource;
    separator = ",";
    if (use.releaseAtCycle > 1 && use.acquireAtCycle > 0)
      out << '[' << use.acquireAtCycle << ',' << use.releaseAtCycle << ']';
    else if (use.releaseAtCycle > 1)
      out << '[' << use.releaseAtCycle << ']';
  }
}

/// Two digits and a blank for each byte, the last one included.
void printEncoding(llvm::raw_ostream &out, const InstructionInfo &info) {
  for (const uint8_t byte : info.encoding)
    out << llvm::format("%02x ", byte);
}

template <auto Member>
void printMember(llvm::raw_ostream &out, const InstructionInfo &info) {
  out << info.*Member;
}

/// llvm-mca's columns in its order.
constexpr Column kColumns[] = {
    {"#uOps", printMember<&InstructionInfo::microOps>},
    {"Latency", printMember<&InstructionInfo::latency>},
    {.title = "RThroughput",
     .print = [](auto &out, const auto &info) { out << formatRounded(info.reciprocalThroughput, 2); },
     .indent = 0},
    {"MayLoad", printFlag<&InstructionInfo::mayLoad, '*'>},
    {"MayStore", printFlag<&InstructionInfo::mayStore, '*'>},
    {"HasSideEffects (U)", printFlag<&InstructionInfo::hasSideEffects, 'U'>},
    {"Bypass Latency", [](auto &out, const auto &info) { out << info.scheduling->bypassLatency; },
     &InstructionColumns::scheduling},
    {"Resources (<Name> | <Name>[<ReleaseAtCycle>] | <Name>[<AcquireAtCycle>,<ReleaseAtCycle])", printResourceUses,
     &InstructionColumns::scheduling, 43, 0},
    {"LLVM Opcode Name", [](auto &out, const auto &info) { out << info.scheduling->opcode; },
     &InstructionColumns::scheduling, 27, 0},
    {"LoadBarrier", printFlag<&InstructionInfo::loadBarrier, '*'>, &InstructionColumns::barriers},
    {"StoreBarrier", printFlag<&InstructionInfo::storeBarrier, '*'>, &InstructionColumns::barriers},
    {"Encoding Size", [](auto &out, const auto &info) { out << info.encoding.size(); }, &InstructionColumns::encodings},
    {"Encodings:", printEncoding, &InstructionColumns::encodings, 30, 0, false},
    {"Instructions:", printMember<&InstructionInfo::text>, nullptr, 0, 0, false},
};

/// Prints the resources with their units, and the members of groups: the names that the column of resources uses.
void printResourceList(llvm::formatted_raw_ostream &out, const Report &report) {
  out << "\n\nResources:\n";
  for (size_t i = 0; i < report.resources.size(); ++i) {
    const ResourceDescription &resource = report.resources[i];
    out << '[' << i << ']';
    out.PadToColumn(6) << "- " << resource.name << ':' << resource.units;
    if (!resource.members.empty())
      out.PadToColumn(20) << llvm::join(resource.members, ", ");
    out << '\n';
  }
}

/// Prints the list of numbered columns, and the line above the table that repeats the numbers.
void printHeadings(llvm::formatted_raw_ostream &out, const std::vector<Column> &columns) {
  out << "\n\nInstruction Info:\n";
  unsigned number = 0;
  for (const Column &column : columns)
    if (column.numbered)
      out << '[' << ++number << "]: " << column.title << '\n';
  out << '\n';
  unsigned start = 0;
  number = 0;
  for (const Column &column : columns) {
    if (start)
      out.PadToColumn(start);
    if (column.numbered)
      out << '[' << ++number << ']';
    else
      out << column.title;
    start += column.width;
  }
  out << '\n';
}

} // namespace

void printInstructionInfo(llvm::raw_ostream &stream, const Report &report, const InstructionColumns &wanted) {
  std::vector<Column> columns;
  llvm::copy_if(kColumns, std::back_inserter(columns),
                [&](const Column &column) { return !column.wanted || wanted.*column.wanted; });
  llvm::formatted_raw_ostream out(stream);
  if (wanted.scheduling)
    printResourceList(out, report);
  printHeadings(out, columns);
  for (const InstructionInfo &info : report.instructions) {
    unsigned start = 0;
    for (const Column &column : columns) {
      out.PadToColumn(start + column.indent);
      column.print(out, info);
      start += column.width;
    }
    // llvm-mca ends each row with a tab in this mode, even without a comment.
    if (wanted.scheduling)
      out << '\t' << info.scheduling->comment;
    out << '\n';
  }
}

} // namespace mca
