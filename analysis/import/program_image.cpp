// The ELF file is hostile input: LLVM checks its tables, and what it finds broken is left out.
#include "analysis/import/program_image.h"

#include "analysis/files/regular_file.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/TargetParser/SubtargetFeature.h"

namespace analysis {
namespace {

using llvm::object::ELFObjectFile;

/// The file is mapped, not copied. Larger programs consist of debug information, which is not needed.
constexpr uint64_t kMaxProgramBytes = uint64_t{16} << 30;
constexpr uint64_t kPage = 4096; // the smallest that a segment can be mapped in

/// Calls `visit` with the file in its real class: 32 or 64 bits, little or big endian.
template <typename Visitor>
void visitElf(const llvm::object::ObjectFile &object, Visitor visit) {
  using namespace llvm::object;
  if (const auto *file = llvm::dyn_cast<ELFObjectFile<ELF64LE>>(&object))
    visit(file->getELFFile());
  else if (const auto *file = llvm::dyn_cast<ELFObjectFile<ELF32LE>>(&object))
    visit(file->getELFFile());
  else if (const auto *file = llvm::dyn_cast<ELFObjectFile<ELF64BE>>(&object))
    visit(file->getELFFile());
  else if (const auto *file = llvm::dyn_cast<ELFObjectFile<ELF32BE>>(&object))
    visit(file->getELFFile());
}

/// The value, or nothing and a dropped error.
template <typename T>
std::optional<T> valueOf(llvm::Expected<T> expected) {
  if (expected)
    return std::move(*expected);
  llvm::consumeError(expected.takeError());
  return std::nullopt;
}

} // namespace

BlockMap readBlockMap(const llvm::object::ObjectFile &file, std::optional<unsigned> section) {
  auto maps = valueOf(llvm::cast<llvm::object::ELFObjectFileBase>(file).readBBAddrMap(section));
  BlockMap blocks;
  for (llvm::object::BBAddrMap &map : maps ? *maps : std::vector<llvm::object::BBAddrMap>())
    for (llvm::object::BBAddrMap::BBRangeEntry &range : map.BBRanges)
      if (!range.BBEntries.empty())
        blocks.try_emplace(range.BaseAddress, std::move(range.BBEntries));
  return blocks;
}

mca::Result<std::unique_ptr<ProgramImage>> ProgramImage::open(const std::string &path) {
  const OpenRegularFile file = openRegularFile(path, kMaxProgramBytes);
  if (!file.failure.empty())
    return mca::Failure{path + ": " + file.failure};
  auto buffer = llvm::MemoryBuffer::getOpenFile(file.descriptor.get(), path, file.stamp.size,
                                                /*RequiresNullTerminator=*/false);
  if (!buffer)
    return mca::Failure{path + ": " + buffer.getError().message()};
  auto object = valueOf(llvm::object::ObjectFile::createELFObjectFile((*buffer)->getMemBufferRef()));
  const auto *elf = object ? llvm::dyn_cast<llvm::object::ELFObjectFileBase>(object->get()) : nullptr;
  if (!elf || (elf->getEType() != llvm::ELF::ET_EXEC && elf->getEType() != llvm::ELF::ET_DYN))
    return mca::Failure{path + ": this is no ELF program"};
  std::unique_ptr<ProgramImage> image(new ProgramImage);
  image->path_ = path;
  image->buffer_ = std::move(*buffer);
  image->object_ = std::move(*object);
  if (!image->hasWholeSymbolTables())
    return mca::Failure{path + ": its symbol tables do not lie within the file"};
  image->isMovable_ = elf->getEType() == llvm::ELF::ET_DYN;
  image->readSegments();
  image->readBuildId();
  image->readFunctions();
  return image;
}

std::string ProgramImage::features() const {
  const auto features = valueOf(object_->getFeatures());
  return features ? features->getString() : std::string();
}

/// LLVM counts symbols by the size that a section's header claims, and checks each of them when it is read: a table of
/// 2^64 - 1 bytes would take for ever.
bool ProgramImage::hasWholeSymbolTables() const {
  bool isWhole = true;
  visitElf(*object_, [&](const auto &file) {
    const auto sections = valueOf(file.sections());
    if (!sections)
      return;
    for (const auto &section : *sections)
      if (section.sh_type == llvm::ELF::SHT_SYMTAB || section.sh_type == llvm::ELF::SHT_DYNSYM)
        isWhole &= valueOf(file.symbols(&section)).has_value();
  });
  return isWhole;
}

void ProgramImage::readSegments() {
  firstCode_ = ~uint64_t{0};
  visitElf(*object_, [&](const auto &file) {
    const auto headers = valueOf(file.program_headers());
    if (!headers)
      return;
    for (const auto &header : *headers) {
      if (header.p_type != llvm::ELF::PT_LOAD)
        continue;
      segments_.push_back({header.p_vaddr, header.p_offset, header.p_filesz});
      if (header.p_flags & llvm::ELF::PF_X)
        firstCode_ = std::min<uint64_t>(firstCode_, header.p_vaddr);
    }
  });
}

std::optional<uint64_t> ProgramImage::addressOf(uint64_t fileOffset) const {
  for (const Segment &segment : segments_)
    if (fileOffset >= segment.offset - segment.offset % kPage && fileOffset < segment.offset + segment.size)
      return segment.address - segment.offset + fileOffset;
  return std::nullopt;
}

void ProgramImage::readBuildId() {
  visitElf(*object_, [&](const auto &file) {
    const auto headers = valueOf(file.program_headers());
    if (!headers)
      return;
    for (const auto &header : *headers) {
      if (header.p_type != llvm::ELF::PT_NOTE)
        continue;
      llvm::Error error = llvm::Error::success();
      for (const auto &note : file.notes(header, error))
        if (note.getName() == "GNU" && note.getType() == llvm::ELF::NT_GNU_BUILD_ID)
          buildId_ = llvm::toHex(note.getDesc(header.p_align), /*LowerCase=*/true);
      llvm::consumeError(std::move(error));
    }
  });
}

void ProgramImage::readFunctions() {
  const auto &elf = llvm::cast<llvm::object::ELFObjectFileBase>(*object_);
  // The lowest bit of a function's address says that it is Thumb code.
  const uint64_t mask = elf.getEMachine() == llvm::ELF::EM_ARM ? ~uint64_t{1} : ~uint64_t{0};
  for (const llvm::object::ELFSymbolRef symbol : elf.symbols()) {
    const auto type = valueOf(symbol.getType());
    const auto name = valueOf(symbol.getName());
    const auto value = valueOf(symbol.getAddress());
    const auto section = valueOf(symbol.getSection());
    if (!type || *type != llvm::object::SymbolRef::ST_Function || !name || name->empty() || !value || !section ||
        *section == elf.section_end())
      continue;
    const auto contents = valueOf((*section)->getContents());
    const uint64_t address = *value & mask, start = (*section)->getAddress();
    if (!contents || address < start || address - start >= contents->size())
      continue;
    const llvm::StringRef rest = contents->drop_front(address - start);
    const uint64_t size = symbol.getSize();
    functions_[*name].push_back({*name, address, size ? rest.take_front(size) : rest, size != 0});
    names_.try_emplace(address, *name);
  }
}

llvm::ArrayRef<ProgramFunction> ProgramImage::functionsNamed(llvm::StringRef name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? llvm::ArrayRef<ProgramFunction>() : llvm::ArrayRef(found->second);
}

} // namespace analysis
