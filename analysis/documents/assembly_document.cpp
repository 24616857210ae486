// The function around a place as it was assembled: labels and instructions, with what the scheduling model says of
// each.
#include "analysis/documents/document.h"

#include "analysis/regions/caveats.h"
#include "analysis/regions/function_names.h"
#include "analysis/verdict/verdict.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCSymbol.h"

#include <algorithm>
#include <numeric>

namespace analysis {
namespace {

constexpr uint32_t kMaxInstructions = 5000; // no document has more lines
constexpr uint32_t kBefore = 100;           // instructions that are shown before the place in a longer function
constexpr double kVisiblePressure = 0.005;  // what llvm-mca prints

struct InstructionRange {
  uint32_t begin = 0;
  uint32_t end = 0; ///< half-open
};

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

class ListingMaker {
public:
  ListingMaker(const DocumentSources &sources, wire::Listing &listing)
      : sources_(sources), program_(*sources.program), listing_(listing) {}

  void make(uint32_t offset);

private:
  std::optional<uint32_t> instructionAt(uint32_t offset) const;
  InstructionRange functionAround(uint32_t instruction) const;
  void describe(InstructionRange range);
  void findShownLabels(InstructionRange range);
  void addLabels(uint32_t instruction);
  void addInstruction(uint32_t instruction);
  std::string textOf(uint32_t instruction) const;
  uint32_t lineOf(uint32_t instruction) const;
  /// The buffer is the assembly itself.
  bool isAssembly() const { return sources_.lines.text() == program_.text(); }

  const DocumentSources &sources_;
  const mca::Program &program_;
  wire::Listing &listing_;
  mca::Report report_;
  llvm::DenseMap<uint32_t, uint32_t> positions_; ///< in the report, by instruction
  std::vector<size_t> units_;                    ///< that an instruction shown takes
  llvm::DenseSet<const llvm::MCSymbol *> named_; ///< by an instruction or a table
  std::unique_ptr<llvm::MCInstPrinter> printer_;
};

/// In the buffer, 1-based; 0 when it has none.
uint32_t ListingMaker::lineOf(uint32_t instruction) const {
  const std::optional<SourcePlace> place = sources_.map->placeOf(instruction);
  return place ? place->line : 0;
}

/// One of the region at the offset, else of the line that has any and is closest.
std::optional<uint32_t> ListingMaker::instructionAt(uint32_t offset) const {
  if (const auto regions = regionsAt(sources_, offset); !regions.empty())
    return *llvm::min_element(sources_.regions[regions.front()].region->instructions);
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

/// Where nothing is declared a function, a label may as well be a loop's: it is the whole text then.
InstructionRange ListingMaker::functionAround(uint32_t instruction) const {
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

void ListingMaker::describe(InstructionRange range) {
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
    if (report_.pressure.perIteration[unit] >= kVisiblePressure) {
      units_.push_back(unit);
      listing_.units.push_back(unitName(report_.pressure.units[unit]));
    }
}

/// Compilers write many labels for the debugger's sake alone.
void ListingMaker::findShownLabels(InstructionRange range) {
  for (uint32_t i = range.begin; i < range.end; ++i)
    for (const llvm::MCOperand &operand : program_.instructions()[i].inst)
      if (operand.isExpr())
        addSymbols(operand.getExpr(), named_);
  for (const mca::TableEntry &entry : program_.tableEntries())
    addSymbols(entry.value, named_);
}

void ListingMaker::addLabels(uint32_t instruction) {
  const auto labels = program_.labels();
  const auto comesBefore = [](const mca::Label &label, uint32_t i) { return label.instruction < i; };
  for (auto it = std::lower_bound(labels.begin(), labels.end(), instruction, comesBefore);
       it != labels.end() && it->instruction == instruction; ++it)
    if (!it->symbol->isTemporary() || named_.contains(it->symbol))
      listing_.rows.push_back({.text = std::string(it->name) + ":",
                               .isLabel = true,
                               .line = isAssembly() ? sources_.lines.lineOf(it->offset) + 1 : 0});
}

std::string ListingMaker::textOf(uint32_t instruction) const {
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

void ListingMaker::addInstruction(uint32_t instruction) {
  wire::ListingRow &row = listing_.rows.emplace_back();
  row.text = textOf(instruction);
  row.line = lineOf(instruction);
  for (uint32_t i = 0; i < sources_.regions.size(); ++i)
    if (*llvm::min_element(sources_.regions[i].region->instructions) == instruction)
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

void ListingMaker::make(uint32_t offset) {
  listing_.comment = sources_.target->asmInfo().getCommentString().str();
  const std::optional<uint32_t> instruction = instructionAt(offset);
  if (!instruction)
    return;
  listing_.function = FunctionNames(program_).nameOf(*instruction);
  const InstructionRange range = functionAround(*instruction);
  describe(range);
  findShownLabels(range);
  printer_ = sources_.target->createPrinter(program_.syntaxVariant());
  for (uint32_t i = range.begin; i < range.end; ++i) {
    addLabels(i);
    addInstruction(i);
  }
}

} // namespace

void makeListing(const DocumentSources &sources, wire::View &view) {
  ListingMaker(sources, view.listing).make(view.request.offset);
}

} // namespace analysis
