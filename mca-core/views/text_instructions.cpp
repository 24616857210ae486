// The instruction info as text: a table with one row per instruction and optional columns.
#include "mca-core/views/text.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormattedStream.h"
#include "llvm/Support/raw_ostream.h"

namespace mca {
namespace {

struct Column {
  const char *title;
  unsigned width;
  unsigned indent; ///< of the values, relative to the column
  void (*print)(llvm::raw_ostream &, const InstructionInfo &);
  bool numbered = true; ///< explained by a number above the table; otherwise, the title heads the column
};

template <bool InstructionInfo::*Flag, char Mark>
void printFlag(llvm::raw_ostream &out, const InstructionInfo &info) {
  out << (info.*Flag ? Mark : ' ');
}

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

void printEncoding(llvm::raw_ostream &out, const InstructionInfo &info) {
  for (const uint8_t byte : info.encoding)
    out << llvm::format("%02x ", byte);
}

constexpr Column kAlways[] = {
    {"#uOps", 7, 1, [](llvm::raw_ostream &out, const InstructionInfo &info) { out << info.microOps; }},
    {"Latency", 7, 1, [](llvm::raw_ostream &out, const InstructionInfo &info) { out << info.latency; }},
    {"RThroughput", 7, 0,
     [](llvm::raw_ostream &out, const InstructionInfo &info) { out << formatRounded(info.reciprocalThroughput, 2); }},
    {"MayLoad", 7, 1, printFlag<&InstructionInfo::mayLoad, '*'>},
    {"MayStore", 7, 1, printFlag<&InstructionInfo::mayStore, '*'>},
    {"HasSideEffects (U)", 7, 1, printFlag<&InstructionInfo::hasSideEffects, 'U'>},
};
constexpr Column kScheduling[] = {
    {"Bypass Latency", 7, 1,
     [](llvm::raw_ostream &out, const InstructionInfo &info) { out << info.scheduling->bypassLatency; }},
    {"Resources (<Name> | <Name>[<ReleaseAtCycle>] | <Name>[<AcquireAtCycle>,<ReleaseAtCycle])", 43, 0,
     printResourceUses},
    {"LLVM Opcode Name", 27, 0,
     [](llvm::raw_ostream &out, const InstructionInfo &info) { out << info.scheduling->opcode; }},
};
constexpr Column kBarriers[] = {
    {"LoadBarrier", 7, 1, printFlag<&InstructionInfo::loadBarrier, '*'>},
    {"StoreBarrier", 7, 1, printFlag<&InstructionInfo::storeBarrier, '*'>},
};
constexpr Column kEncodings[] = {
    {"Encoding Size", 7, 1, [](llvm::raw_ostream &out, const InstructionInfo &info) { out << info.encoding.size(); }},
    {"Encodings:", 30, 0, printEncoding, false},
};
constexpr Column kInstructions[] = {
    {"Instructions:", 0, 0, [](llvm::raw_ostream &out, const InstructionInfo &info) { out << info.text; }, false},
};

std::vector<Column> columnsFor(const InstructionColumns &wanted) {
  std::vector<Column> columns;
  const auto add = [&](const auto &more) { columns.insert(columns.end(), std::begin(more), std::end(more)); };
  add(kAlways);
  if (wanted.scheduling)
    add(kScheduling);
  if (wanted.barriers)
    add(kBarriers);
  if (wanted.encodings)
    add(kEncodings);
  add(kInstructions);
  return columns;
}

void printResourceList(llvm::formatted_raw_ostream &out, const Report &report) {
  out << "\n\nResources:\n";
  for (size_t i = 0; i < report.resources.size(); ++i) {
    const ResourceDescription &resource = report.resources[i];
    out << '[' << i << ']';
    out.PadToColumn(6) << "- " << resource.name << ':' << resource.units;
    for (size_t member = 0; member < resource.members.size(); ++member) {
      if (member == 0)
        out.PadToColumn(20);
      out << (member ? ", " : "") << resource.members[member];
    }
    out << '\n';
  }
}

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
  const std::vector<Column> columns = columnsFor(wanted);
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
    if (wanted.scheduling)
      out << '\t' << info.scheduling->comment;
    out << '\n';
  }
}

} // namespace mca
