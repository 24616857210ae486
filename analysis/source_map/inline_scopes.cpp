#include "analysis/source_map/inline_scopes.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugAbbrev.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugRangeList.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugRnglists.h"
#include "llvm/DebugInfo/DWARF/DWARFDie.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <optional>
#include <queue>

namespace analysis {
namespace {

// Far beyond what compilers write: one table of abbreviations serves all units of a text, the fullest entries have some
// twenty attributes, and inlining goes some dozens deep.
constexpr size_t kMaxTables = 16;
constexpr size_t kMaxAttributes = 128;
constexpr uint32_t kMaxDepth = 256;
constexpr size_t kMaxListEntries = 4'000'000;
constexpr size_t kMaxNameBytes = 16u << 20;
constexpr unsigned kMaxFailures = 100;

constexpr const char *kSections[] = {"debug_info",   "debug_abbrev",   "debug_str",  "debug_str_offsets",
                                     "debug_ranges", "debug_rnglists", "debug_addr", "debug_line_str"};

std::string elfName(const char *section) {
  return std::string(".") + section;
}

/// Names have at most 16 bytes there.
std::string machOName(const char *section) {
  return (std::string("__") + section).substr(0, 16);
}

std::string_view dataOf(const mca::Program &program, const char *section) {
  const std::string_view data = program.data(elfName(section));
  return data.empty() ? program.data(machOName(section)) : data;
}

/// Some instructions, half-open, that a scope holds.
struct Range {
  uint32_t begin;
  uint32_t end;
  uint32_t scope;
};

/// The innermost scope of each instruction. Scopes come after those around them: of several, the last one counts.
std::vector<uint32_t> innermost(std::vector<Range> ranges, size_t instructions) {
  std::sort(ranges.begin(), ranges.end(), [](const Range &a, const Range &b) { return a.begin < b.begin; });
  const auto isOuter = [](const Range &a, const Range &b) { return a.scope < b.scope; };
  std::priority_queue<Range, std::vector<Range>, decltype(isOuter)> open(isOuter);
  std::vector<uint32_t> scopes(instructions, InlineScopes::kNone);
  auto next = ranges.begin();
  for (uint32_t i = 0; i < instructions; ++i) {
    for (; next != ranges.end() && next->begin == i; ++next)
      open.push(*next);
    while (!open.empty() && open.top().end <= i)
      open.pop();
    if (!open.empty())
      scopes[i] = open.top().scope;
  }
  return scopes;
}

} // namespace

/// Reads the units of one program.
class ScopeReader {
public:
  explicit ScopeReader(const mca::Program &program);
  InlineScopes run();

private:
  using Die = llvm::DWARFDie;
  bool isReadable();
  bool isReadable(llvm::DWARFUnit &unit);
  void readUnit(llvm::DWARFUnit &unit);
  uint32_t addScope(Die die, uint32_t parent);
  void addRanges(Die die, uint32_t scope);
  llvm::Expected<llvm::DWARFAddressRangesVector> rangesOf(Die die);
  llvm::Expected<llvm::DWARFAddressRangesVector> listAt(llvm::DWARFUnit &unit, uint64_t offset);
  uint32_t functionOf(Die die);
  std::string nameOf(Die die);
  bool gaveUp() const { return failures_ > kMaxFailures || listEntries_ > kMaxListEntries; }

  const size_t instructions_;
  std::unique_ptr<llvm::DWARFContext> context_;
  std::vector<uint64_t> tables_; // offsets of those that are fine
  InlineScopes result_;
  std::vector<uint32_t> depth_; // by scope
  std::vector<Range> ranges_;
  llvm::DenseMap<uint64_t, uint32_t> functions_; // offset of the function's entry -> its name
  size_t nameBytes_ = 0;
  size_t listEntries_ = 0; // of range lists, those read several times included
  unsigned failures_ = 0;
};

ScopeReader::ScopeReader(const mca::Program &program) : instructions_(program.instructions().size()) {
  llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> sections;
  for (const char *name : kSections)
    sections[name] = llvm::MemoryBuffer::getMemBuffer(dataOf(program, name), name,
                                                      /*RequiresNullTerminator=*/false);
  const llvm::MCAsmInfo &assembler = *program.context().getAsmInfo();
  const auto ignore = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
  context_ = llvm::DWARFContext::create(sections, static_cast<uint8_t>(assembler.getCodePointerSize()),
                                        assembler.isLittleEndian(), ignore, ignore);
}

InlineScopes ScopeReader::run() {
  if (!isReadable())
    return {};
  for (const auto &unit : context_->info_section_units())
    if (!unit->isTypeUnit() && !gaveUp())
      readUnit(*unit);
  if (gaveUp() || ranges_.empty())
    return {};
  result_.scopeOf_ = innermost(std::move(ranges_), instructions_);
  return std::move(result_);
}

/// Whether all units are as compilers write them. An entry may refer to any of them, so that one bad unit spoils all.
bool ScopeReader::isReadable() {
  for (const auto &unit : context_->info_section_units())
    if (!isReadable(*unit))
      return false;
  return true;
}

/// LLVM looks an abbreviation up in one step only when their codes are consecutive, and goes through all attributes of
/// an entry, some of which take no bytes.
bool ScopeReader::isReadable(llvm::DWARFUnit &unit) {
  if (std::find(tables_.begin(), tables_.end(), unit.getAbbreviationsOffset()) != tables_.end())
    return true;
  const llvm::DWARFAbbreviationDeclarationSet *table = unit.getAbbreviations();
  if (!table || table->getFirstAbbrCode() == UINT32_MAX || tables_.size() == kMaxTables)
    return false;
  for (const llvm::DWARFAbbreviationDeclaration &abbreviation : *table)
    if (abbreviation.getNumAttributes() > kMaxAttributes)
      return false;
  tables_.push_back(unit.getAbbreviationsOffset());
  return true;
}

void ScopeReader::readUnit(llvm::DWARFUnit &unit) {
  std::vector<uint32_t> scopes; // the innermost one of each entry; parents come first
  for (const llvm::DWARFDebugInfoEntry &entry : unit.dies()) {
    if (gaveUp())
      return;
    const std::optional<uint32_t> parent = entry.getParentIdx();
    uint32_t scope = parent && *parent < scopes.size() ? scopes[*parent] : InlineScopes::kNone;
    if (entry.getTag() == llvm::dwarf::DW_TAG_inlined_subroutine)
      scope = addScope(Die(&unit, &entry), scope);
    scopes.push_back(scope);
  }
}

uint32_t ScopeReader::addScope(Die die, uint32_t parent) {
  const uint32_t depth = parent == InlineScopes::kNone ? 0 : depth_[parent] + 1;
  if (depth == kMaxDepth)
    return parent;
  const auto number = [&](llvm::dwarf::Attribute attribute) {
    return static_cast<uint32_t>(llvm::dwarf::toUnsigned(die.find(attribute), 0));
  };
  const auto scope = static_cast<uint32_t>(result_.scopes_.size());
  result_.scopes_.push_back({.call = {.file = number(llvm::dwarf::DW_AT_call_file),
                                      .line = number(llvm::dwarf::DW_AT_call_line),
                                      .column = number(llvm::dwarf::DW_AT_call_column)},
                             .parent = parent,
                             .function = functionOf(die)});
  depth_.push_back(depth);
  addRanges(die, scope);
  return scope;
}

void ScopeReader::addRanges(Die die, uint32_t scope) {
  llvm::Expected<llvm::DWARFAddressRangesVector> ranges = rangesOf(die);
  if (!ranges) {
    ++failures_;
    llvm::consumeError(ranges.takeError());
    return;
  }
  for (const llvm::DWARFAddressRange &range : *ranges) {
    const uint64_t end = std::min<uint64_t>(range.HighPC, instructions_);
    if (range.LowPC < end)
      ranges_.push_back({static_cast<uint32_t>(range.LowPC), static_cast<uint32_t>(end), scope});
  }
}

llvm::Expected<llvm::DWARFAddressRangesVector> ScopeReader::rangesOf(Die die) {
  llvm::DWARFUnit &unit = *die.getDwarfUnit();
  if (const std::optional<llvm::DWARFFormValue> list = die.find(llvm::dwarf::DW_AT_ranges)) {
    std::optional<uint64_t> offset = list->getAsSectionOffset();
    if (list->getForm() == llvm::dwarf::DW_FORM_rnglistx)
      offset = unit.getRnglistOffset(static_cast<uint32_t>(list->getRawUValue()));
    return offset ? listAt(unit, *offset) : llvm::createStringError("no such range list");
  }
  return die.getAddressRanges();
}

/// As DWARFUnit::findRnglistFromOffset(), but lists that overlap, entry by entry, cannot cost their square.
llvm::Expected<llvm::DWARFAddressRangesVector> ScopeReader::listAt(llvm::DWARFUnit &unit, uint64_t offset) {
  if (unit.getVersion() < 5) {
    llvm::DWARFDebugRangeList list;
    if (llvm::Error error = unit.extractRangeList(offset, list))
      return error;
    listEntries_ += list.getEntries().size();
    return list.getAbsoluteRanges(unit.getBaseAddress());
  }
  const llvm::DWARFObject &object = context_->getDWARFObj();
  const llvm::DWARFDataExtractor data(object, object.getRnglistsSection(), context_->isLittleEndian(),
                                      unit.getAddressByteSize());
  llvm::DWARFDebugRnglistTable table;
  llvm::Expected<llvm::DWARFDebugRnglist> list = table.findList(data, offset);
  if (!list)
    return list.takeError();
  listEntries_ += list->getEntries().size();
  return list->getAbsoluteRanges(unit.getBaseAddress(), unit);
}

uint32_t ScopeReader::functionOf(Die die) {
  const Die origin = die.getAttributeValueAsReferencedDie(llvm::dwarf::DW_AT_abstract_origin);
  if (!origin.isValid())
    return InlineScopes::kNone;
  const auto [known, isNew] = functions_.try_emplace(origin.getOffset(), InlineScopes::kNone);
  if (!isNew)
    return known->second;
  if (std::string name = nameOf(origin); !name.empty()) {
    known->second = static_cast<uint32_t>(result_.names_.size());
    result_.names_.push_back(std::move(name));
  }
  return known->second;
}

/// A member function has its name in the declaration that the definition refers to.
std::string ScopeReader::nameOf(Die die) {
  constexpr int kMaxReferences = 3;
  for (int i = 0; i < kMaxReferences && die.isValid() && nameBytes_ <= kMaxNameBytes; ++i) {
    if (const auto value = die.find(llvm::dwarf::DW_AT_name)) {
      const llvm::StringRef name = llvm::dwarf::toStringRef(value);
      failures_ += name.empty();
      nameBytes_ += name.size();
      return name.str();
    }
    const Die declaration = die.getAttributeValueAsReferencedDie(llvm::dwarf::DW_AT_specification);
    die =
        declaration.isValid() ? declaration : die.getAttributeValueAsReferencedDie(llvm::dwarf::DW_AT_abstract_origin);
  }
  return {};
}

std::vector<std::string> InlineScopes::sections() {
  std::vector<std::string> names;
  for (const char *section : kSections) {
    names.push_back(elfName(section));
    names.push_back(machOName(section));
  }
  return names;
}

InlineScopes InlineScopes::read(const mca::Program &program) {
  if (dataOf(program, "debug_info").empty())
    return {};
  return ScopeReader(program).run();
}

llvm::SmallVector<CallSite, 8> InlineScopes::callsAround(uint32_t instruction) const {
  llvm::SmallVector<CallSite, 8> calls;
  for (uint32_t scope = scopeOf(instruction); scope != kNone; scope = scopes_[scope].parent)
    calls.push_back(scopes_[scope].call);
  return calls;
}

std::string_view InlineScopes::nameOf(const Scope &scope) const {
  return scope.function == kNone ? std::string_view() : std::string_view(names_[scope.function]);
}

} // namespace analysis
