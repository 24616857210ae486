// A reader for the entries of a program's DWARF, versions 2 to 5, limited to what it takes to find inlined calls.
//
// LLVM's reader (DWARFContext) trusts its input: a skipped form that ends beyond its section makes it read out of
// bounds, and overlapping lists of ranges make it quadratic. Our input is a user's buffer, which may be half written.
// So every read here is checked against the end of its section, and all work is counted: a compiler's output is read a
// few times over, and beyond that the reader gives up.
//
// Addresses are indices of instructions (mca::Program::data()).
#pragma once

#include "mca-core/assembly/program.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/BinaryFormat/Dwarf.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace analysis {

class Dwarf {
public:
  /// An attribute of an entry as it is written: a number, an index, or an offset.
  struct Value {
    llvm::dwarf::Attribute attribute;
    llvm::dwarf::Form form;
    uint64_t number = 0; ///< of an inline string: its offset in .debug_info
  };

  struct Entry {
    llvm::dwarf::Tag tag = llvm::dwarf::DW_TAG_null; ///< DW_TAG_null at the end of a list of children
    bool hasChildren = false;
    uint64_t next = 0; ///< offset of the following entry: its first child, if it has any
    llvm::SmallVector<Value, 16> values;

    const Value *find(llvm::dwarf::Attribute attribute) const {
      const auto found = llvm::find_if(values, [&](const Value &value) { return value.attribute == attribute; });
      return found == values.end() ? nullptr : found;
    }
    /// The attribute's number; 0 without it.
    uint64_t numberOf(llvm::dwarf::Attribute attribute) const {
      const Value *value = find(attribute);
      return value ? value->number : 0;
    }
  };

  struct Abbreviation {
    struct Attribute {
      llvm::dwarf::Attribute attribute;
      llvm::dwarf::Form form;
      int64_t constant = 0; ///< of DW_FORM_implicit_const
    };
    llvm::dwarf::Tag tag = llvm::dwarf::DW_TAG_null;
    bool hasChildren = false;
    std::vector<Attribute> attributes;
  };
  using Abbreviations = llvm::DenseMap<uint64_t, Abbreviation>;

  struct Unit {
    uint64_t begin = 0; ///< offsets of the unit, half-open
    uint64_t end = 0;
    uint64_t first = 0; ///< offset of its first entry
    llvm::dwarf::FormParams forms{};
    const Abbreviations *abbreviations = nullptr;
    uint64_t baseAddress = 0;
    uint64_t addressBase = 0; ///< offsets of its parts of the tables that have indices
    uint64_t stringBase = 0;
    uint64_t rangesBase = 0;
  };

  /// Half-open.
  struct Range {
    uint64_t begin;
    uint64_t end;
  };

  /// Prefixes of the sections to keep (ParseOptions::keepData).
  static std::vector<std::string> sections();

  explicit Dwarf(const mca::Program &program);

  /// The units of full compilations; none if one of them cannot be read.
  std::vector<Unit> units();
  /// The entry at an offset in the unit; none if it cannot be read.
  std::optional<Entry> entryAt(const Unit &unit, uint64_t offset);
  /// The instructions of the entry, in any order; no value if they cannot be read.
  std::optional<std::vector<Range>> rangesOf(const Unit &unit, const Entry &entry);
  /// The offset of the entry that an attribute refers to, in this unit or another; none if it is no plain offset.
  std::optional<uint64_t> referenceOf(const Unit &unit, const Value &value) const;
  /// The text of an attribute, which belongs to the program; empty if it cannot be read.
  llvm::StringRef stringOf(const Unit &unit, const Value &value);
  /// Whether more work was requested than any compiler's DWARF needs. Nothing more is read then.
  bool gaveUp() const { return work_ > maxWork_; }

private:
  class Bytes;

  bool spend(uint64_t work) {
    work_ += work;
    return !gaveUp();
  }
  bool readHeader(Bytes &bytes, Unit &unit, bool &isCompilation);
  bool readBases(Unit &unit);
  const Abbreviations *abbreviationsAt(uint64_t offset);
  bool readAbbreviation(Bytes &bytes, uint64_t code, Abbreviations &table);
  uint64_t readValue(Bytes &bytes, const Unit &unit, const Abbreviation::Attribute &attribute);
  std::optional<uint64_t> tableEntry(llvm::StringRef table, uint64_t base, uint64_t index, unsigned size) const;
  std::optional<uint64_t> addressOf(const Unit &unit, const Value &value) const;
  std::optional<uint64_t> addressAt(const Unit &unit, uint64_t index) const;
  std::optional<std::vector<Range>> rangeList(const Unit &unit, uint64_t offset);
  std::optional<std::vector<Range>> rangeList5(const Unit &unit, const Value &list);
  std::optional<Range> rangeEntry(Bytes &bytes, const Unit &unit, uint64_t kind, uint64_t base) const;

  llvm::StringRef info_, abbreviations_, strings_, lineStrings_, stringOffsets_, ranges_, rangeLists_, addresses_;
  bool littleEndian_;
  std::map<uint64_t, std::unique_ptr<Abbreviations>> tables_; // by offset; null: unreadable
  uint64_t work_ = 0;
  uint64_t maxWork_ = 0;
};

} // namespace analysis
