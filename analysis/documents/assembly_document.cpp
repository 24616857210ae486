// The function around a place as it was assembled: labels and instructions, with the latency, throughput and pressure
// that the scheduling model has for each.
#include "analysis/documents/document.h"

#include "analysis/regions/caveats.h"
#include "analysis/regions/function_names.h"
#include "analysis/verdict/describe.h"
#include "analysis/verdict/verdict.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCSymbol.h"

#include <algorithm>

namespace analysis {
namespace {

constexpr uint32_t kMaxInstructions = 5000; // a document has at most 5,000 lines
constexpr uint32_t kBefore = 100;           // of a longer function, the instructions before the place

/// Half-open.
struct InstructionRange {
  uint32_t begin = 0;
  uint32_t end = 0;
};

/// Collects the symbols in an operand's expression, such as the label of a jump or `table+8`.
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

/// Makes one listing. Numbers come from a run over the whole range at once, so that units have the same columns in all
/// rows.
class ListingMaker {
public:
  ListingMaker(const DocumentSources &sources, wire::Listing &listing)
      : sources_(sources), program_(*sources.program), listing_(listing),
        isAssembly_(sources.lines.text() == program_.text()),
        printer_(sources.target->createPrinter(program_.syntaxVariant())) {}

  void make(uint32_t offset) {
    listing_.comment = sources_.target->asmInfo().getCommentString().str();
    const std::optional<uint32_t> instruction = instructionAt(offset);
    if (!instruction)
      return;
    listing_.function = FunctionNames(program_).nameOf(*instruction);
    const InstructionRange range = functionAround(*instruction);
    describe(range);
    findShownLabels(range);
    for (uint32_t i = range.begin; i < range.end; ++i) {
      addLabels(i);
      addInstruction(i);
    }
  }

private:
  /// In the buffer, 1-based; 0 if the instruction has none.
  uint32_t lineOf(uint32_t instruction) const {
    const std::optional<SourcePlace> place = sources_.map->placeOf(instruction);
    return place ? place->line : 0;
  }

  uint32_t beginOf(uint32_t region) const { return *llvm::min_element(sources_.regions[region].region->instructions); }

  /// The first instruction of the region at the offset, otherwise one of the nearest line that has any.
  std::optional<uint32_t> instructionAt(uint32_t offset) const {
    if (const auto regions = regionsAt(sources_, offset); !regions.empty())
      return beginOf(regions.front());
    const int64_t line = int64_t{sources_.lines.lineOf(offset)} + 1;
    std::optional<uint32_t> closest;
    int64_t distance = 0;
    for (uint32_t i = 0; i < program_.instructions().size(); ++i)
      if (const uint32_t own = lineOf(i); own && (!closest || std::abs(own - line) < distance)) {
        closest = i;
        distance = std::abs(own - line);
      }
    return closest;
  }

  /// The whole text if it declares no function: a label may then as well be a loop's. A long function is shown from a
  /// little before the instruction.
  InstructionRange functionAround(uint32_t instruction) const {
    const auto count = static_cast<uint32_t>(program_.instructions().size());
    InstructionRange range{0, count};
    if (llvm::any_of(program_.labels(), [&](const mca::Label &label) { return program_.isFunction(*label.symbol); })) {
      const FunctionNames functions(program_);
      range = {functions.startOf(instruction), instruction + 1};
      while (range.end < count && functions.indexOf(range.end) == functions.indexOf(instruction))
        ++range.end;
    }
    if (range.end - range.begin > kMaxInstructions) {
      range.begin = std::max(range.begin, instruction - std::min(instruction, kBefore));
      range.end = std::min(range.end, range.begin + kMaxInstructions);
    }
    return range;
  }

  /// Looks up the numbers of all instructions, and the units that any of them uses. If that fails, the listing is shown
  /// without numbers.
  void describe(InstructionRange range) {
    mca::SimulationOptions options;
    options.callLatency = kCallLatency;
    options.instructionTables = true; // as llvm-mca's: every instruction by itself, without a simulation
    const auto instructions = llvm::to_vector(llvm::seq(range.begin, range.end));
    options.calibration = sources_.calibration;
    mca::Result<mca::Simulation> tables = sources_.simulator->simulate(program_, instructions, options);
    if (!tables && std::exchange(options.calibration, nullptr))
      tables = sources_.simulator->simulate(program_, instructions, options);
    if (!tables)
      return;
    for (uint32_t i = 0; i < tables->instructions.size(); ++i)
      positions_[range.begin + tables->instructions[i]] = i;
    report_ = std::move(tables->report);
    for (size_t unit = 0; unit < report_.pressure.units.size(); ++unit)
      if (report_.pressure.perIteration[unit] >= kVisiblePressure) {
        units_.push_back(unit);
        listing_.units.push_back(unitName(report_.pressure.units[unit]));
      }
  }

  /// Compilers write many temporary labels for debug information alone: only those are shown that an instruction or a
  /// jump table names.
  void findShownLabels(InstructionRange range) {
    for (uint32_t i = range.begin; i < range.end; ++i)
      for (const llvm::MCOperand &operand : program_.instructions()[i].inst)
        if (operand.isExpr())
          addSymbols(operand.getExpr(), named_);
    for (const mca::TableEntry &entry : program_.tableEntries())
      addSymbols(entry.value, named_);
  }

  /// The labels before an instruction. Labels are sorted by instruction.
  void addLabels(uint32_t instruction) {
    for (const mca::Label &label :
         std::ranges::equal_range(program_.labels(), instruction, {}, &mca::Label::instruction))
      if (!label.symbol->isTemporary() || named_.contains(label.symbol))
        listing_.rows.push_back({.text = std::string(label.name) + ":",
                                 .isLabel = true,
                                 .line = isAssembly_ ? sources_.lines.lineOf(label.offset) + 1 : 0});
  }

  /// LLVM prints a tab before the mnemonic and another one before the operands. The second one becomes spaces: at least
  /// one, and nine columns for tab and mnemonic together.
  std::string textOf(uint32_t instruction) const {
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

  void addInstruction(uint32_t instruction) {
    wire::ListingRow &row = listing_.rows.emplace_back();
    row.text = textOf(instruction);
    row.line = lineOf(instruction);
    for (uint32_t i = 0; i < sources_.regions.size(); ++i)
      if (beginOf(i) == instruction)
        row.regions.push_back(i);
    const auto position = positions_.find(instruction);
    row.hasData = position != positions_.end();
    if (!row.hasData)
      return;
    const mca::InstructionInfo &info = report_.instructions[position->second];
    row.latency = info.latency;
    row.reciprocalThroughput = info.reciprocalThroughput;
    for (const size_t unit : units_)
      row.pressure.push_back(report_.pressure.at(position->second, unit));
  }

  const DocumentSources &sources_;
  const mca::Program &program_;
  wire::Listing &listing_;
  const bool isAssembly_;                        ///< the buffer is the assembly itself, and not C or C++
  mca::Report report_;                           ///< of the instructions that have scheduling data
  llvm::DenseMap<uint32_t, uint32_t> positions_; ///< instruction of the program to position in the report
  std::vector<size_t> units_;                    ///< that an instruction in the listing uses
  llvm::DenseSet<const llvm::MCSymbol *> named_; ///< by an instruction or a table
  std::unique_ptr<llvm::MCInstPrinter> printer_;
};

} // namespace

void makeListing(const DocumentSources &sources, wire::View &view) {
  ListingMaker(sources, view.listing).make(view.request.offset);
}

} // namespace analysis
