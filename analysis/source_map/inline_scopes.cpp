// Broken DWARF yields no scopes at all: a few wrong ones would put hints on wrong lines.
#include "analysis/source_map/inline_scopes.h"

#include "analysis/source_map/dwarf.h"

#include <algorithm>
#include <queue>

namespace analysis {
namespace {

/// Compilers inline some dozens deep. A deeper call counts as a part of the call around it.
constexpr uint32_t kMaxDepth = 256;

/// Instructions of a scope, half-open.
struct Range {
  uint32_t begin;
  uint32_t end;
  uint32_t scope;
};

/// The innermost scope of each instruction. A scope has a higher number than those around it, so that the highest of
/// several is the innermost.
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
  explicit ScopeReader(const mca::Program &program) : instructions_(program.instructions().size()), dwarf_(program) {}

  InlineScopes run() {
    units_ = dwarf_.units();
    for (const Dwarf::Unit &unit : units_)
      if (!readUnit(unit))
        return {};
    if (ranges_.empty() || dwarf_.gaveUp())
      return {};
    result_.scopeOf_ = innermost(std::move(ranges_), instructions_);
    return std::move(result_);
  }

private:
  /// Reads the unit's entries, each of which comes before its children (DWARF 5, 2.3). False if one cannot be read.
  bool readUnit(const Dwarf::Unit &unit) {
    std::vector<uint32_t> around; // the scope of each open list of children
    uint64_t offset = unit.first;
    do {
      const std::optional<Dwarf::Entry> entry = dwarf_.entryAt(unit, offset);
      if (!entry)
        return false;
      offset = entry->next;
      if (entry->tag == llvm::dwarf::DW_TAG_null) {
        if (!around.empty())
          around.pop_back();
        continue;
      }
      std::optional<uint32_t> scope = around.empty() ? InlineScopes::kNone : around.back();
      if (entry->tag == llvm::dwarf::DW_TAG_inlined_subroutine)
        scope = addScope(unit, *entry, *scope);
      if (!scope)
        return false;
      if (entry->hasChildren)
        around.push_back(*scope);
    } while (!around.empty());
    return true;
  }

  /// Returns the new scope; none if its ranges cannot be read.
  std::optional<uint32_t> addScope(const Dwarf::Unit &unit, const Dwarf::Entry &entry, uint32_t parent) {
    const uint32_t depth = parent == InlineScopes::kNone ? 0 : depth_[parent] + 1;
    if (depth == kMaxDepth)
      return parent;
    const std::optional<std::vector<Dwarf::Range>> ranges = dwarf_.rangesOf(unit, entry);
    if (!ranges)
      return std::nullopt;
    const auto scope = static_cast<uint32_t>(result_.scopes_.size());
    for (const Dwarf::Range &range : *ranges) {
      const uint64_t end = std::min<uint64_t>(range.end, instructions_);
      if (range.begin < end)
        ranges_.push_back({static_cast<uint32_t>(range.begin), static_cast<uint32_t>(end), scope});
    }
    result_.scopes_.push_back(
        {.call = {.file = static_cast<uint32_t>(entry.numberOf(llvm::dwarf::DW_AT_call_file)),
                  .line = static_cast<uint32_t>(entry.numberOf(llvm::dwarf::DW_AT_call_line)),
                  .column = static_cast<uint32_t>(entry.numberOf(llvm::dwarf::DW_AT_call_column))},
         .parent = parent,
         .function = functionOf(unit, entry)});
    depth_.push_back(depth);
    return scope;
  }

  /// The unit that holds an offset; mostly `near`.
  const Dwarf::Unit *unitOf(const Dwarf::Unit &near, uint64_t offset) const {
    if (offset >= near.begin && offset < near.end)
      return &near;
    const auto after =
        llvm::upper_bound(units_, offset, [](uint64_t at, const Dwarf::Unit &unit) { return at < unit.begin; });
    return after == units_.begin() ? nullptr : &*std::prev(after);
  }

  /// The name of the inlined function, read once for all its calls: an index for names_.
  uint32_t functionOf(const Dwarf::Unit &unit, const Dwarf::Entry &entry) {
    const Dwarf::Value *origin = entry.find(llvm::dwarf::DW_AT_abstract_origin);
    const std::optional<uint64_t> offset = origin ? dwarf_.referenceOf(unit, *origin) : std::nullopt;
    if (!offset || *offset >= UINT32_MAX)
      return InlineScopes::kNone;
    const auto [known, isNew] = functions_.try_emplace(*offset, InlineScopes::kNone);
    if (!isNew)
      return known->second;
    if (const llvm::StringRef name = nameAt(unit, *offset); !name.empty()) {
      known->second = static_cast<uint32_t>(result_.names_.size());
      result_.names_.push_back(name.str());
    }
    return known->second;
  }

  /// A member function's name is in its declaration, to which its definition refers (DWARF 5, 2.13.2).
  llvm::StringRef nameAt(const Dwarf::Unit &near, uint64_t offset) {
    constexpr int kMaxReferences = 3;
    const Dwarf::Unit *unit = &near;
    for (int i = 0; i < kMaxReferences; ++i) {
      unit = unitOf(*unit, offset);
      const std::optional<Dwarf::Entry> entry = unit ? dwarf_.entryAt(*unit, offset) : std::nullopt;
      if (!entry)
        return {};
      if (const Dwarf::Value *name = entry->find(llvm::dwarf::DW_AT_name))
        return dwarf_.stringOf(*unit, *name);
      const Dwarf::Value *reference = entry->find(llvm::dwarf::DW_AT_specification);
      if (!reference)
        reference = entry->find(llvm::dwarf::DW_AT_abstract_origin);
      const std::optional<uint64_t> next = reference ? dwarf_.referenceOf(*unit, *reference) : std::nullopt;
      if (!next)
        return {};
      offset = *next;
    }
    return {};
  }

  const size_t instructions_;
  Dwarf dwarf_;
  std::vector<Dwarf::Unit> units_;
  InlineScopes result_;
  std::vector<uint32_t> depth_; // by scope
  std::vector<Range> ranges_;
  llvm::DenseMap<uint64_t, uint32_t> functions_; // offset of the function's entry -> its name
};

std::vector<std::string> InlineScopes::sections() {
  return Dwarf::sections();
}

InlineScopes InlineScopes::read(const mca::Program &program) {
  return ScopeReader(program).run();
}

} // namespace analysis
