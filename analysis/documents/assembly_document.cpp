// The function around a place as it was assembled: labels, source lines as comments, and behind each instruction what
// the scheduling model says of it.
#include "analysis/documents/document.h"

#include "analysis/regions/caveats.h"
#include "analysis/regions/function_names.h"
#include "analysis/verdict/verdict.h"
#include "analysis/wording/region_text.h"
#include "analysis/wording/verdict_text.h"
#include "analysis/wording/words.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCSymbol.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <numeric>

namespace analysis {
namespace {

constexpr uint32_t kMaxInstructions = 5000; // no document has more lines
constexpr uint32_t kBefore = 100;           // instructions that are shown before the place in a longer function
constexpr size_t kTextColumns = 48;
constexpr size_t kCellColumns = 6;
constexpr double kVisiblePressure = 0.005; // what llvm-mca prints

struct InstructionRange {
  uint32_t begin = 0;
  uint32_t end = 0; ///< half-open
};

std::string rightAligned(std::string text, size_t columns) {
  text.insert(0, text.size() < columns ? columns - text.size() : 0, ' ');
  return text;
}

void addSymbols(const llvm::MCExpr *expression, llvm::DenseSet<const llvm::MCSymbol *> &symbols) {
  if (const auto *symbol = llvm::dyn_cast<llvm::MCSymbolRefExpr>(expression))
    symbols.insert(&symbol->getSymbol());
  else if (const auto *unary = llvm::dyn_cast<llvm::MCUnaryExpr>(expression))
    addSymbols(unary->getSubExpr(), symbols);
  else if (const auto *specified = llvm::dyn_cast<llvm::MCSpecifierExpr>(expression))
    addSymbols(specified->getSubExpr(), symbols);
  else if (const auto *binary = llvm::dyn_cast<llvm::MCBinaryExpr>(expression)) {
    addSymbols(binary->getLHS(), symbols);
    addSymbols(binary->getRHS(), symbols);
  }
}

class AssemblyWriter {
public:
  AssemblyWriter(const DocumentSources &sources, DocumentWriter &out)
      : sources_(sources), program_(*sources.program), out_(out),
        comment_(sources.target->asmInfo().getCommentString().str() + " ") {}

  void write(uint32_t offset);

private:
  std::optional<uint32_t> instructionAt(uint32_t offset) const;
  InstructionRange functionAround(uint32_t instruction) const;
  void describe(InstructionRange range);
  void findShownLabels(InstructionRange range);
  void writeHeader(uint32_t offset, uint32_t instruction);
  void writeLabels(uint32_t instruction);
  void writeLoops(uint32_t instruction);
  void writeSourceLine(uint32_t instruction);
  void writeInstruction(uint32_t instruction);
  std::string textOf(uint32_t instruction) const;
  std::string numbersOf(uint32_t instruction) const;
  std::optional<uint32_t> bufferLine(uint32_t instruction) const;
  /// The buffer is the assembly itself.
  bool isAssembly() const { return sources_.lines.text() == program_.text(); }

  const DocumentSources &sources_;
  const mca::Program &program_;
  DocumentWriter &out_;
  std::string comment_;
  mca::Report report_;
  llvm::DenseMap<uint32_t, uint32_t> positions_; ///< in the report, by instruction
  std::vector<size_t> units_;                    ///< that an instruction shown takes
  llvm::DenseSet<const llvm::MCSymbol *> named_; ///< by an instruction or a table
  std::unique_ptr<llvm::MCInstPrinter> printer_;
  std::optional<uint32_t> lastLine_;
};

std::optional<uint32_t> AssemblyWriter::bufferLine(uint32_t instruction) const {
  const std::optional<SourcePlace> place = sources_.map->placeOf(instruction);
  return place && place->line ? std::optional(place->line - 1) : std::nullopt;
}

/// One of the region at the offset, else of the line that has any and is closest.
std::optional<uint32_t> AssemblyWriter::instructionAt(uint32_t offset) const {
  if (const auto regions = regionsAt(sources_, offset); !regions.empty())
    return *llvm::min_element(regions.front().region->instructions);
  const int64_t line = sources_.lines.lineOf(offset);
  std::optional<uint32_t> closest;
  int64_t distance = 0;
  for (uint32_t i = 0; i < program_.instructions().size(); ++i)
    if (const std::optional<uint32_t> own = bufferLine(i); own && (!closest || std::abs(*own - line) < distance)) {
      closest = i;
      distance = std::abs(*own - line);
    }
  return closest;
}

/// Where nothing is declared a function, a label may as well be a loop's: it is the whole text then.
InstructionRange AssemblyWriter::functionAround(uint32_t instruction) const {
  const auto count = static_cast<uint32_t>(program_.instructions().size());
  InstructionRange range{0, count};
  const bool declared =
      llvm::any_of(program_.labels(), [&](const mca::Label &label) { return program_.isFunction(*label.symbol); });
  if (declared) {
    const FunctionNames functions(program_);
    range.begin = functions.startOf(instruction);
    range.end = instruction + 1;
    while (range.end < count && functions.indexOf(range.end) == functions.indexOf(instruction))
      ++range.end;
  }
  if (range.end - range.begin > kMaxInstructions) {
    range.begin = std::max(range.begin, instruction - std::min(instruction, kBefore));
    range.end = std::min(range.end, range.begin + kMaxInstructions);
  }
  return range;
}

void AssemblyWriter::describe(InstructionRange range) {
  std::vector<uint32_t> instructions(range.end - range.begin);
  std::iota(instructions.begin(), instructions.end(), range.begin);
  mca::SimulationOptions options;
  options.callLatency = kCallLatency;
  options.instructionTables = true;
  mca::Result<mca::Simulation> tables = sources_.simulator->simulate(program_, instructions, options);
  if (!tables)
    return;
  for (uint32_t i = 0; i < tables->instructions.size(); ++i)
    positions_[range.begin + tables->instructions[i]] = i;
  report_ = std::move(tables->report);
  for (size_t unit = 0; unit < report_.pressure.units.size(); ++unit)
    if (report_.pressure.perIteration[unit] >= kVisiblePressure)
      units_.push_back(unit);
}

/// Compilers write many labels for the debugger's sake alone.
void AssemblyWriter::findShownLabels(InstructionRange range) {
  for (uint32_t i = range.begin; i < range.end; ++i)
    for (const llvm::MCOperand &operand : program_.instructions()[i].inst)
      if (operand.isExpr())
        addSymbols(operand.getExpr(), named_);
  for (const mca::TableEntry &entry : program_.tableEntries())
    addSymbols(entry.value, named_);
}

void AssemblyWriter::writeHeader(uint32_t offset, uint32_t instruction) {
  const wire::TargetSummary &target = sources_.summary.target;
  const std::string function = FunctionNames(program_).nameOf(instruction);
  out_.line(comment_ + (function.empty() ? "" : function + ", ") + llvm::sys::path::filename(sources_.path).str() +
                ", line " + std::to_string(sources_.lines.lineOf(offset) + 1),
            sources_.lines.lineOf(offset));
  out_.line(comment_ + "CPU: " + target.cpu + " (" + target.cpuOrigin + "); " + target.modelOrigin);
  if (!target.commandOrigin.empty())
    out_.line(comment_ + "Compile command: " + target.commandOrigin);
  out_.line(comment_ + "Behind each instruction: latency and reciprocal throughput in cycles, then cycles on");
  std::string legend;
  for (size_t i = 0; i < units_.size(); ++i)
    legend += " [" + std::to_string(i) + "] " + unitName(report_.pressure.units[units_[i]]);
  out_.line(comment_ + legend);
}

void AssemblyWriter::writeLabels(uint32_t instruction) {
  const auto labels = program_.labels();
  const auto comesBefore = [](const mca::Label &label, uint32_t i) { return label.instruction < i; };
  for (auto it = std::lower_bound(labels.begin(), labels.end(), instruction, comesBefore);
       it != labels.end() && it->instruction == instruction; ++it)
    if (!it->symbol->isTemporary() || named_.contains(it->symbol))
      out_.line(std::string(it->name) + ":",
                isAssembly() ? std::optional(sources_.lines.lineOf(it->offset)) : std::nullopt);
}

void AssemblyWriter::writeLoops(uint32_t instruction) {
  for (const DocumentSources::Shown &shown : sources_.regions) {
    if (*llvm::min_element(shown.region->instructions) != instruction)
      continue;
    const wire::RegionSummary &summary = *shown.summary;
    const std::string bottleneck = bottleneckOf(summary);
    const std::string doubt = summary.caveats.empty() ? "" : "≈ ";
    const std::string bound = summary.calls.empty() ? "" : "; " + lowerBoundInWords(summary.calls);
    out_.line(comment_ + (summary.name.empty() ? "region" : summary.name) + ": " + doubt +
                  (summary.calls.empty() ? "IPC " + decimals(summary.ipc, 2) + ", " : "at least ") +
                  decimals(summary.cyclesPerIteration, 1) + " cycles " + perIterations(summary.sourceIterations) +
                  bound + (bottleneck.empty() ? "" : "; " + bottleneck),
              sources_.lines.lineOf(shown.region->anchor));
  }
}

void AssemblyWriter::writeSourceLine(uint32_t instruction) {
  const std::optional<uint32_t> line = bufferLine(instruction);
  if (isAssembly() || !line || line == lastLine_)
    return;
  lastLine_ = line;
  const wire::ByteRange at = sources_.lines.content(*line);
  std::string text(sources_.lines.text().substr(at.begin, at.end - at.begin));
  std::replace(text.begin(), text.end(), '\t', ' ');
  out_.line(comment_ + std::to_string(*line + 1) + ": " + text, line);
}

std::string AssemblyWriter::textOf(uint32_t instruction) const {
  std::string printed;
  llvm::raw_string_ostream stream(printed);
  printer_->printInst(&program_.instructions()[instruction].inst, 0, "", sources_.target->subtarget(), stream);
  const auto [mnemonic, operands] = llvm::StringRef(printed).trim().split('\t');
  std::string text = "\t" + mnemonic.str();
  if (!operands.empty()) {
    text.resize(std::max(text.size() + 1, size_t{9}), ' ');
    text += operands;
  }
  std::replace(text.begin() + 1, text.end(), '\t', ' ');
  return text;
}

std::string AssemblyWriter::numbersOf(uint32_t instruction) const {
  const auto position = positions_.find(instruction);
  if (position == positions_.end())
    return "no scheduling data";
  const mca::InstructionInfo &info = report_.instructions[position->second];
  std::string numbers = rightAligned(std::to_string(info.latency), 3) +
                        rightAligned(decimals(info.reciprocalThroughput, 2), kCellColumns) + " ";
  for (const size_t unit : units_) {
    const double pressure = report_.pressure.at(position->second, unit);
    numbers += rightAligned(pressure >= kVisiblePressure ? decimals(pressure, 2) : "-", kCellColumns);
  }
  return numbers;
}

void AssemblyWriter::writeInstruction(uint32_t instruction) {
  std::string text = textOf(instruction);
  text.resize(std::max(text.size() + 1, kTextColumns), ' ');
  out_.line(text + comment_ + numbersOf(instruction), bufferLine(instruction));
}

void AssemblyWriter::write(uint32_t offset) {
  const std::optional<uint32_t> instruction = instructionAt(offset);
  if (!instruction)
    return out_.line(comment_ + "no instruction belongs to a line of the buffer");
  const InstructionRange range = functionAround(*instruction);
  describe(range);
  findShownLabels(range);
  printer_ = sources_.target->createPrinter(program_.syntaxVariant());
  writeHeader(offset, *instruction);
  for (uint32_t i = range.begin; i < range.end && !out_.full(); ++i) {
    writeLabels(i);
    writeLoops(i);
    writeSourceLine(i);
    writeInstruction(i);
  }
}

} // namespace

void writeAssembly(const DocumentSources &sources, uint32_t offset, DocumentWriter &out) {
  AssemblyWriter(sources, out).write(offset);
}

} // namespace analysis
