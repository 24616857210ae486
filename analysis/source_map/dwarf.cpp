// Sections of the standard are those of DWARF 5; versions 2 to 4 differ in the header of a unit and in the list of
// ranges.
#include "analysis/source_map/dwarf.h"

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/Support/LEB128.h"

#include <algorithm>

namespace analysis {
namespace {

using namespace llvm::dwarf;

/// An address that no code has.
constexpr uint64_t kNowhere = UINT64_MAX;

std::string elfName(llvm::StringRef section) {
  return ("." + section).str();
}

/// A name in Mach-O has at most 16 bytes (section::sectname in mach-o/loader.h).
std::string machOName(llvm::StringRef section) {
  return ("__" + section).str().substr(0, 16);
}

constexpr llvm::StringRef kSections[] = {"debug_info",        "debug_abbrev", "debug_str",      "debug_line_str",
                                         "debug_str_offsets", "debug_ranges", "debug_rnglists", "debug_addr"};

llvm::StringRef dataOf(const mca::Program &program, llvm::StringRef section) {
  const std::string_view data = program.data(elfName(section));
  return data.empty() ? program.data(machOName(section)) : data;
}

} // namespace

/// A cursor that reads forward from a place in a section. A read beyond the section's end fails; from then on every
/// read returns zero.
class Dwarf::Bytes {
public:
  Bytes(llvm::StringRef section, uint64_t offset, bool isLittleEndian)
      : section_(section), at_(offset), littleEndian_(isLittleEndian), failed_(offset > section.size()) {}

  bool failed() const { return failed_; }
  uint64_t at() const { return at_; }
  void fail() { failed_ = true; }

  bool skip(uint64_t count) {
    failed_ |= failed_ || count > section_.size() - at_;
    at_ += failed_ ? 0 : count;
    return !failed_;
  }
  /// An unsigned number of 0 to 8 bytes: some forms have 3.
  uint64_t number(unsigned size) {
    if (!skip(size))
      return 0;
    uint64_t value = 0;
    for (unsigned i = 0; i < size; ++i)
      value = value << 8 | static_cast<unsigned char>(section_[littleEndian_ ? at_ - 1 - i : at_ - size + i]);
    return value;
  }
  uint64_t uleb128() { return leb128(llvm::decodeULEB128); }
  int64_t sleb128() { return leb128(llvm::decodeSLEB128); }
  /// The text up to a null byte, which is skipped.
  llvm::StringRef string() {
    const size_t end = failed_ ? llvm::StringRef::npos : section_.find('\0', at_);
    failed_ = end == llvm::StringRef::npos;
    if (failed_)
      return {};
    const llvm::StringRef text = section_.slice(at_, end);
    at_ = end + 1;
    return text;
  }

private:
  template <typename T>
  T leb128(T (*decode)(const uint8_t *, unsigned *, const uint8_t *, const char **)) {
    if (failed_)
      return 0;
    unsigned size = 0;
    const char *error = nullptr;
    const T value = decode(section_.bytes_begin() + at_, &size, section_.bytes_end(), &error);
    failed_ = error != nullptr;
    at_ += failed_ ? 0 : size;
    return failed_ ? 0 : value;
  }

  llvm::StringRef section_;
  uint64_t at_;
  bool littleEndian_;
  bool failed_;
};

std::vector<std::string> Dwarf::sections() {
  std::vector<std::string> names;
  for (const llvm::StringRef section : kSections)
    llvm::append_values(names, elfName(section), machOName(section));
  return names;
}

Dwarf::Dwarf(const mca::Program &program)
    : info_(dataOf(program, "debug_info")), abbreviations_(dataOf(program, "debug_abbrev")),
      strings_(dataOf(program, "debug_str")), lineStrings_(dataOf(program, "debug_line_str")),
      stringOffsets_(dataOf(program, "debug_str_offsets")), ranges_(dataOf(program, "debug_ranges")),
      rangeLists_(dataOf(program, "debug_rnglists")), addresses_(dataOf(program, "debug_addr")),
      littleEndian_(program.context().getAsmInfo()->isLittleEndian()) {
  // A compiler's DWARF is read about once. Attributes without bytes, and names that are read again for each function,
  // are the exceptions.
  constexpr uint64_t kLeast = 1u << 16, kTimes = 16;
  maxWork_ = kLeast + kTimes * (info_.size() + abbreviations_.size() + strings_.size() + lineStrings_.size() +
                                ranges_.size() + rangeLists_.size());
}

// ---- units and abbreviations ---------------------------------------------------------------------------------------

std::vector<Dwarf::Unit> Dwarf::units() {
  std::vector<Unit> units;
  Bytes bytes(info_, 0, littleEndian_);
  while (bytes.at() < info_.size()) {
    Unit unit;
    bool isCompilation = false;
    if (!spend(1) || !readHeader(bytes, unit, isCompilation))
      return {};
    if (isCompilation) {
      unit.abbreviations = abbreviationsAt(bytes.number(unit.forms.getDwarfOffsetByteSize()));
      if (!unit.abbreviations || !readBases(unit))
        return {};
      units.push_back(unit);
    }
    bytes = Bytes(info_, unit.end, littleEndian_);
  }
  return units;
}

/// DWARF 5, 7.5.1 and 7.4. If the unit is a compilation, `bytes` is then at the offset of its abbreviations.
bool Dwarf::readHeader(Bytes &bytes, Unit &unit, bool &isCompilation) {
  constexpr uint64_t kLongFormat = 0xffffffff;
  unit.begin = bytes.at();
  uint64_t length = bytes.number(4);
  unit.forms.Format = length == kLongFormat ? DWARF64 : DWARF32;
  if (length == kLongFormat)
    length = bytes.number(8);
  if (bytes.failed() || length > info_.size() - bytes.at())
    return false;
  unit.end = bytes.at() + length;
  unit.forms.Version = static_cast<uint16_t>(bytes.number(2));
  if (unit.forms.Version < 2 || unit.forms.Version > 5)
    return false;
  const unsigned offsetSize = unit.forms.getDwarfOffsetByteSize();
  isCompilation = true;
  if (unit.forms.Version == 5) {
    isCompilation = bytes.number(1) == DW_UT_compile;
    unit.forms.AddrSize = static_cast<uint8_t>(bytes.number(1));
    unit.first = bytes.at() + offsetSize;
  } else {
    Bytes last(info_, bytes.at() + offsetSize, littleEndian_);
    unit.forms.AddrSize = static_cast<uint8_t>(last.number(1));
    unit.first = last.at();
  }
  const bool knowsAddresses = unit.forms.AddrSize == 4 || unit.forms.AddrSize == 8;
  return !bytes.failed() && (!isCompilation || (knowsAddresses && unit.first <= unit.end));
}

/// The unit's first entry has the offsets of its parts of the tables (7.26 to 7.28). They are read before DW_AT_low_pc,
/// which may be an index into such a table.
bool Dwarf::readBases(Unit &unit) {
  const std::optional<Entry> entry = entryAt(unit, unit.first);
  if (!entry)
    return false;
  unit.addressBase = entry->numberOf(DW_AT_addr_base);
  unit.stringBase = entry->numberOf(DW_AT_str_offsets_base);
  unit.rangesBase = entry->numberOf(DW_AT_rnglists_base);
  if (const Value *low = entry->find(DW_AT_low_pc))
    unit.baseAddress = addressOf(unit, *low).value_or(0);
  return true;
}

const Dwarf::Abbreviations *Dwarf::abbreviationsAt(uint64_t offset) {
  // Usually all units of a text have the same table.
  const auto [known, isNew] = tables_.try_emplace(offset);
  if (!isNew)
    return known->second.get();
  auto table = std::make_unique<Abbreviations>();
  Bytes bytes(abbreviations_, offset, littleEndian_);
  bool isGood = true;
  while (const uint64_t code = isGood ? bytes.uleb128() : 0)
    isGood = readAbbreviation(bytes, code, *table);
  if (isGood && !bytes.failed())
    known->second = std::move(table);
  return known->second.get();
}

/// DWARF 5, 7.5.3.
bool Dwarf::readAbbreviation(Bytes &bytes, uint64_t code, Abbreviations &table) {
  if (code > UINT32_MAX || !spend(1))
    return false;
  Abbreviation &abbreviation = table[code];
  abbreviation = {};
  abbreviation.tag = static_cast<Tag>(bytes.uleb128());
  abbreviation.hasChildren = bytes.number(1) == DW_CHILDREN_yes;
  while (spend(1) && !bytes.failed()) {
    Abbreviation::Attribute attribute{static_cast<llvm::dwarf::Attribute>(bytes.uleb128()),
                                      static_cast<Form>(bytes.uleb128())};
    if (attribute.form == DW_FORM_implicit_const)
      attribute.constant = bytes.sleb128();
    if (!attribute.attribute && !attribute.form)
      return !bytes.failed();
    abbreviation.attributes.push_back(attribute);
  }
  return false;
}

// ---- entries and their attributes ----------------------------------------------------------------------------------

std::optional<Dwarf::Entry> Dwarf::entryAt(const Unit &unit, uint64_t offset) {
  if (offset < unit.first || offset >= unit.end || !spend(1))
    return std::nullopt;
  Bytes bytes(info_.take_front(unit.end), offset, littleEndian_);
  Entry entry;
  if (const uint64_t code = bytes.uleb128()) {
    const auto abbreviation = unit.abbreviations->find(std::min<uint64_t>(code, UINT32_MAX));
    if (abbreviation == unit.abbreviations->end() || !spend(abbreviation->second.attributes.size()))
      return std::nullopt;
    entry.tag = abbreviation->second.tag;
    entry.hasChildren = abbreviation->second.hasChildren;
    for (const Abbreviation::Attribute &attribute : abbreviation->second.attributes)
      entry.values.push_back({attribute.attribute, attribute.form, readValue(bytes, unit, attribute)});
  }
  entry.next = bytes.at();
  return bytes.failed() ? std::nullopt : std::optional(std::move(entry));
}

/// DWARF 5, 7.5.6. Blocks and expressions are skipped: we need none.
uint64_t Dwarf::readValue(Bytes &bytes, const Unit &unit, const Abbreviation::Attribute &attribute) {
  const uint64_t offset = bytes.at();
  if (attribute.form == DW_FORM_implicit_const)
    return static_cast<uint64_t>(attribute.constant);
  if (const std::optional<uint8_t> size = getFixedFormByteSize(attribute.form, unit.forms); size && *size <= 8)
    return bytes.number(*size);
  switch (attribute.form) {
  case DW_FORM_data16:
    bytes.skip(16);
    return 0;
  case DW_FORM_string:
    spend(bytes.string().size());
    return offset;
  case DW_FORM_sdata:
    return static_cast<uint64_t>(bytes.sleb128());
  case DW_FORM_block1:
  case DW_FORM_block2:
  case DW_FORM_block4:
    bytes.skip(bytes.number(attribute.form == DW_FORM_block1 ? 1 : attribute.form == DW_FORM_block2 ? 2 : 4));
    return 0;
  case DW_FORM_block:
  case DW_FORM_exprloc:
    bytes.skip(bytes.uleb128());
    return 0;
  case DW_FORM_udata:
  case DW_FORM_ref_udata:
  case DW_FORM_strx:
  case DW_FORM_addrx:
  case DW_FORM_loclistx:
  case DW_FORM_rnglistx:
  case DW_FORM_GNU_addr_index:
  case DW_FORM_GNU_str_index:
    return bytes.uleb128();
  default: // a form without a known size: the rest of the entry cannot be found
    bytes.fail();
    return 0;
  }
}

std::optional<uint64_t> Dwarf::referenceOf(const Unit &unit, const Value &value) const {
  if (value.form == DW_FORM_ref_addr) // in any unit; the others are relative to this one
    return value.number;
  const bool isRelative =
      llvm::is_contained({DW_FORM_ref1, DW_FORM_ref2, DW_FORM_ref4, DW_FORM_ref8, DW_FORM_ref_udata}, value.form);
  return isRelative ? std::optional(unit.begin + value.number) : std::nullopt;
}

/// The entry with this index in a unit's part of a table of numbers.
std::optional<uint64_t> Dwarf::tableEntry(llvm::StringRef table, uint64_t base, uint64_t index, unsigned size) const {
  Bytes bytes(table, base + index * size, littleEndian_);
  const uint64_t entry = bytes.number(size);
  return bytes.failed() ? std::nullopt : std::optional(entry);
}

llvm::StringRef Dwarf::stringOf(const Unit &unit, const Value &value) {
  llvm::StringRef section = strings_;
  std::optional<uint64_t> offset = value.number;
  if (value.form == DW_FORM_string)
    section = info_;
  else if (value.form == DW_FORM_line_strp)
    section = lineStrings_;
  else if (llvm::is_contained({DW_FORM_strx, DW_FORM_strx1, DW_FORM_strx2, DW_FORM_strx3, DW_FORM_strx4}, value.form))
    offset = tableEntry(stringOffsets_, unit.stringBase, value.number, unit.forms.getDwarfOffsetByteSize());
  else if (value.form != DW_FORM_strp)
    return {};
  if (!offset)
    return {};
  Bytes bytes(section, *offset, littleEndian_);
  const llvm::StringRef text = bytes.string();
  // Without a null byte the whole rest of the section was searched.
  spend(bytes.failed() && *offset < section.size() ? section.size() - *offset : text.size());
  return text;
}

// ---- addresses and ranges ------------------------------------------------------------------------------------------

std::optional<uint64_t> Dwarf::addressAt(const Unit &unit, uint64_t index) const {
  return tableEntry(addresses_, unit.addressBase, index, unit.forms.AddrSize);
}

std::optional<uint64_t> Dwarf::addressOf(const Unit &unit, const Value &value) const {
  if (value.form == DW_FORM_addr)
    return value.number;
  const bool isIndex =
      llvm::is_contained({DW_FORM_addrx, DW_FORM_addrx1, DW_FORM_addrx2, DW_FORM_addrx3, DW_FORM_addrx4}, value.form);
  return isIndex ? addressAt(unit, value.number) : std::nullopt;
}

/// DWARF 5, 2.17. DW_AT_high_pc is an address or, in another form, a size.
std::optional<std::vector<Dwarf::Range>> Dwarf::rangesOf(const Unit &unit, const Entry &entry) {
  if (const Value *list = entry.find(DW_AT_ranges))
    return unit.forms.Version < 5 ? rangeList(unit, list->number) : rangeList5(unit, *list);
  const Value *low = entry.find(DW_AT_low_pc), *high = entry.find(DW_AT_high_pc);
  if (!low || !high)
    return std::vector<Range>();
  const std::optional<uint64_t> begin = addressOf(unit, *low);
  if (!begin)
    return std::nullopt;
  return std::vector<Range>{{*begin, addressOf(unit, *high).value_or(*begin + high->number)}};
}

/// DWARF 4, 2.17.3: pairs of offsets from a base. A pair whose first half is all ones sets the base, and two zeros end
/// the list.
std::optional<std::vector<Dwarf::Range>> Dwarf::rangeList(const Unit &unit, uint64_t offset) {
  const unsigned size = unit.forms.AddrSize;
  const uint64_t ones = size == 8 ? UINT64_MAX : UINT32_MAX;
  uint64_t base = unit.baseAddress;
  std::vector<Range> found;
  for (Bytes bytes(ranges_, offset, littleEndian_); spend(1);) {
    const uint64_t begin = bytes.number(size), end = bytes.number(size);
    if (bytes.failed())
      return std::nullopt;
    if (begin == 0 && end == 0)
      return found;
    if (begin == ones)
      base = end;
    else
      found.push_back({base + begin, base + end});
  }
  return std::nullopt;
}

/// DWARF 5, 2.17.3 and 7.25. An index refers to the offsets at the list's base, which are relative to that base.
std::optional<std::vector<Dwarf::Range>> Dwarf::rangeList5(const Unit &unit, const Value &list) {
  uint64_t offset = list.number;
  if (list.form == DW_FORM_rnglistx) {
    const auto entry = tableEntry(rangeLists_, unit.rangesBase, offset, unit.forms.getDwarfOffsetByteSize());
    if (!entry)
      return std::nullopt;
    offset = unit.rangesBase + *entry;
  }
  uint64_t base = unit.baseAddress;
  std::vector<Range> found;
  for (Bytes bytes(rangeLists_, offset, littleEndian_); spend(1);) {
    const uint64_t kind = bytes.number(1);
    if (bytes.failed())
      return std::nullopt;
    if (kind == DW_RLE_end_of_list)
      return found;
    if (kind == DW_RLE_base_address || kind == DW_RLE_base_addressx)
      base = kind == DW_RLE_base_address ? bytes.number(unit.forms.AddrSize)
                                         : addressAt(unit, bytes.uleb128()).value_or(kNowhere);
    else if (const std::optional<Range> range = rangeEntry(bytes, unit, kind, base))
      found.push_back(*range);
    else
      return std::nullopt;
  }
  return std::nullopt;
}

/// An entry with a range. Its ends are addresses, indices of addresses, or offsets from the base; or the end is a
/// length.
std::optional<Dwarf::Range> Dwarf::rangeEntry(Bytes &bytes, const Unit &unit, uint64_t kind, uint64_t base) const {
  const auto address = [&] { return bytes.number(unit.forms.AddrSize); };
  const auto indexed = [&] { return addressAt(unit, bytes.uleb128()).value_or(kNowhere); };
  uint64_t begin = 0;
  switch (kind) { // braces read their elements in order
  case DW_RLE_startx_endx:
    return Range{indexed(), indexed()};
  case DW_RLE_offset_pair:
    return Range{base + bytes.uleb128(), base + bytes.uleb128()};
  case DW_RLE_start_end:
    return Range{address(), address()};
  case DW_RLE_startx_length:
    begin = indexed();
    break;
  case DW_RLE_start_length:
    begin = address();
    break;
  default:
    return std::nullopt;
  }
  return Range{begin, begin + bytes.uleb128()};
}

} // namespace analysis
