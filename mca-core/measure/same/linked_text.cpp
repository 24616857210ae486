#include "mca-core/measure/same/linked_text.h"

#include "mca-core/assembly/assembled_object.h"
#include "mca-core/measure/child_layout.h"
#include "mca-core/measure/forbidden.h"
#include "mca-core/measure/harness.h"
#include "mca-core/measure/same/provided_functions.h"
#include "mca-core/target/input_file.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ExecutionEngine/JITSymbol.h"
#include "llvm/ExecutionEngine/RuntimeDyld.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstring>

namespace mca::measure {
namespace {

using llvm::object::ELFObjectFileBase;
using llvm::object::ELFSymbolRef;
using llvm::object::SectionRef;

constexpr uint64_t kCodeAddress = kImageAddress + offsetof(Image, code);
constexpr uint64_t kMaxIncludedBytes = 64u << 20;
constexpr size_t kMaxExternals = 512;
constexpr uint64_t kExternalsAddress = 0x5800'0000, kExternalBytes = 1 << 20; ///< of each
static_assert(kCellsAddress + kMaxCellsBytes + kExternalBytes <= kExternalsAddress);
static_assert(kExternalsAddress + kMaxExternals * kExternalBytes < uint64_t{1} << 31);

/// Gives sections their places, in this process and in the child.
class Places final : public llvm::RuntimeDyld::MemoryManager {
public:
  struct Section {
    uint8_t *content = nullptr;
    size_t bytes = 0;
    uint64_t address = 0; ///< in the child
  };

  uint8_t *allocateCodeSection(uintptr_t bytes, unsigned alignment, unsigned, llvm::StringRef) override {
    return allocate(code_, bytes, alignment);
  }
  uint8_t *allocateDataSection(uintptr_t bytes, unsigned alignment, unsigned, llvm::StringRef name,
                               bool isReadOnly) override {
    return allocate(isReadOnly || name == ".got" ? code_ : data_, bytes, alignment);
  }
  bool allowStubAllocation() const override { return false; } // each call reaches its function
  void registerEHFrames(uint8_t *, uint64_t, size_t) override {}
  void deregisterEHFrames() override {}
  bool finalizeMemory(std::string *) override { return false; }

  bool fits() const {
    return code_.end <= kCodeAddress + Image::kCodeBytes && data_.end <= kDataAddress + LinkedText::kMaxDataBytes;
  }
  /// The address follows from what is allocated, so this is for all sections since the last call.
  void assignTo(llvm::RuntimeDyld &linker) {
    for (const Area *area : {&code_, &data_})
      for (const Section &section : llvm::drop_begin(area->sections, area->assigned))
        linker.mapSectionAddress(section.content, section.address);
    code_.assigned = code_.sections.size();
    data_.assigned = data_.sections.size();
  }
  std::vector<uint8_t> code() const { return contentOf(code_); }
  std::vector<uint8_t> data() const { return contentOf(data_); }

private:
  struct Area {
    uint64_t begin = 0, end = begin;
    std::vector<Section> sections;
    size_t assigned = 0;
  };

  uint8_t *allocate(Area &area, size_t bytes, unsigned alignment) {
    const llvm::Align align(std::max(alignment, 1u));
    auto *const content = static_cast<uint8_t *>(memory_.Allocate(std::max<size_t>(bytes, 1), align));
    const uint64_t address = llvm::alignTo(area.end, align);
    area.sections.push_back({content, bytes, address});
    area.end = address + bytes;
    return content;
  }

  static std::vector<uint8_t> contentOf(const Area &area) {
    std::vector<uint8_t> content(area.end - area.begin);
    for (const Section &section : area.sections)
      std::copy_n(section.content, section.bytes,
                  content.begin() + static_cast<ptrdiff_t>(section.address - area.begin));
    return content;
  }

  Area code_{.begin = kCodeAddress}, data_{.begin = kDataAddress};
  llvm::BumpPtrAllocator memory_;
};

/// Gives names that an object file does not define their addresses.
class Names final : public llvm::JITSymbolResolver {
public:
  void lookup(const LookupSet &names, OnResolvedFunction onResolved) override {
    LookupResult found;
    for (const llvm::StringRef name : names)
      found[name] = {addressOf(name), llvm::JITSymbolFlags::Exported};
    onResolved(std::move(found));
  }
  /// Weak definitions of the object file itself are used.
  llvm::Expected<LookupSet> getResponsibilitySet(const LookupSet &names) override { return names; }

  void provide(llvm::StringRef name, uint64_t address) { provided_[name] = address; }
  const std::vector<std::string> &externals() const { return externals_; }

private:
  uint64_t addressOf(llvm::StringRef name) {
    if (const auto provided = provided_.find(name); provided != provided_.end())
      return provided->second;
    externals_.push_back(name.str());
    return kExternalsAddress + (externals_.size() - 1) * kExternalBytes;
  }

  llvm::StringMap<uint64_t> provided_;
  std::vector<std::string> externals_;
};

/// What RuntimeDyld does not know ends the process, so only these are let through to it.
std::optional<std::string> whyNotRelocatable(const ELFObjectFileBase &object) {
  using namespace llvm::ELF;
  constexpr uint64_t kKnown[] = {R_X86_64_NONE,      R_X86_64_64,           R_X86_64_PC64,  R_X86_64_32,
                                 R_X86_64_32S,       R_X86_64_PC32,         R_X86_64_PLT32, R_X86_64_GOTPCREL,
                                 R_X86_64_GOTPCRELX, R_X86_64_REX_GOTPCRELX};
  constexpr uint64_t kThreadLocal[] = {R_X86_64_TPOFF32,  R_X86_64_TPOFF64,         R_X86_64_GOTTPOFF,
                                       R_X86_64_TLSGD,    R_X86_64_TLSLD,           R_X86_64_DTPOFF32,
                                       R_X86_64_DTPOFF64, R_X86_64_GOTPC32_TLSDESC, R_X86_64_TLSDESC_CALL};
  for (const SectionRef section : object.sections())
    for (const llvm::object::RelocationRef relocation : section.relocations()) {
      if (llvm::is_contained(kThreadLocal, relocation.getType()))
        return "it has thread-local variables";
      if (!llvm::is_contained(kKnown, relocation.getType()))
        return "it needs an address of an unusual kind";
    }
  return std::nullopt;
}

/// Decodes all code of an object file, and looks for what may not run.
class CodeCheck {
public:
  CodeCheck(const Target &target, const ELFObjectFileBase &object)
      : target_(target), object_(object),
        context_(target.triple(), &target.asmInfo(), &target.registers(), &target.subtarget()),
        decoder_(target.backend().createMCDisassembler(target.subtarget(), context_)) {}

  std::optional<std::string> findForbidden() const {
    if (!decoder_)
      return "the target has no disassembler";
    for (const SectionRef section : object_.sections())
      if (section.isText())
        if (auto reason = check(llvm::cantFail(section.getContents())))
          return reason;
    return std::nullopt;
  }

private:
  std::optional<std::string> check(llvm::StringRef bytes) const {
    uint64_t size = 0;
    for (uint64_t at = 0; at < bytes.size(); at += size) {
      llvm::MCInst inst;
      if (decoder_->getInstruction(inst, size, llvm::arrayRefFromStringRef(bytes.drop_front(at)), at, llvm::nulls()) !=
              llvm::MCDisassembler::Success ||
          size == 0)
        return "its code has bytes that are no instruction";
      if (auto reason = whyForbidden(target_.instructions().getName(inst.getOpcode())))
        return reason;
    }
    return std::nullopt;
  }

  const Target &target_;
  const ELFObjectFileBase &object_;
  llvm::MCContext context_;
  std::unique_ptr<llvm::MCDisassembler> decoder_;
};

class Linker {
public:
  explicit Linker(const Target &target) : target_(target) {}

  Result<LinkedText> link(llvm::StringRef text, llvm::StringRef function) {
    LinkedText linked;
    auto provided = add(providedFunctions(kImageAddress + harness().left), /*isChecked=*/false);
    if (!provided)
      return Failure{provided.message()};
    for (const auto &[name, symbol] : provided->linker->getSymbolTable())
      names_.provide(name, symbol.getAddress());
    linked.entry = provided->linker->getSymbol("mca.enter").getAddress();
    auto own = add(text, /*isChecked=*/true);
    if (!own)
      return Failure{own.message()};
    if (!isFunction(*own->object, function))
      return Failure{"there is no function '" + function.str() + "'"};
    linked.function = own->linker->getSymbol(function).getAddress();
    linked.variables = variablesOf(*own);
    linked.code = places_.code();
    linked.data = places_.data();
    linked.externals = names_.externals();
    return linked;
  }

private:
  struct Loaded {
    llvm::SmallVector<char, 0> bytes;
    std::unique_ptr<ELFObjectFileBase> object;
    std::unique_ptr<llvm::RuntimeDyld> linker;
  };

  Result<Loaded> add(llvm::StringRef text, bool isChecked) {
    Loaded loaded;
    auto bytes = assembleObject(target_, text, regularFiles(kMaxIncludedBytes));
    if (!bytes)
      return Failure{bytes.message()};
    loaded.bytes = std::move(*bytes);
    auto object = llvm::object::ObjectFile::createELFObjectFile(
        llvm::MemoryBufferRef(llvm::StringRef(loaded.bytes.data(), loaded.bytes.size()), "assembled text"));
    if (!object)
      return Failure{llvm::toString(object.takeError())};
    loaded.object.reset(llvm::cast<ELFObjectFileBase>(object->release()));
    if (auto reason = isChecked ? CodeCheck(target_, *loaded.object).findForbidden() : std::nullopt)
      return Failure{std::move(*reason)};
    if (auto reason = whyNotRelocatable(*loaded.object))
      return Failure{std::move(*reason)};
    if (std::string error = load(loaded); !error.empty())
      return Failure{std::move(error)};
    return loaded;
  }

  std::string load(Loaded &loaded) {
    loaded.linker = std::make_unique<llvm::RuntimeDyld>(places_, names_);
    loaded.linker->loadObject(*loaded.object);
    if (!places_.fits())
      return "its variables or its code need too much memory";
    if (!loaded.linker->hasError()) {
      places_.assignTo(*loaded.linker);
      loaded.linker->resolveRelocations();
    }
    if (loaded.linker->hasError())
      return loaded.linker->getErrorString().str();
    return names_.externals().size() > kMaxExternals ? "it uses too much that other files define" : "";
  }

  static bool isFunction(const ELFObjectFileBase &object, llvm::StringRef name) {
    return llvm::any_of(object.symbols(), [&](const ELFSymbolRef symbol) {
      const auto section = llvm::cantFail(symbol.getSection());
      return section != object.section_end() && section->isText() && llvm::cantFail(symbol.getName()) == name;
    });
  }

  static std::vector<LinkedVariable> variablesOf(const Loaded &loaded) {
    std::vector<LinkedVariable> variables;
    const uint64_t end = kDataAddress + LinkedText::kMaxDataBytes;
    for (const ELFSymbolRef symbol : loaded.object->symbols()) {
      const llvm::StringRef name = llvm::cantFail(symbol.getName());
      const uint64_t address = name.empty() ? 0 : loaded.linker->getSymbol(name).getAddress();
      const bool isData = symbol.getELFType() == llvm::ELF::STT_OBJECT && symbol.getSize() > 0;
      if (isData && address >= kDataAddress && address + symbol.getSize() <= end)
        variables.push_back({name.str(), address, symbol.getSize(), hasAddresses(*loaded.object, symbol)});
    }
    std::ranges::sort(variables, {}, &LinkedVariable::name);
    return variables;
  }

  static bool hasAddresses(const ELFObjectFileBase &object, const ELFSymbolRef &variable) {
    const auto section = llvm::cantFail(variable.getSection());
    const uint64_t begin = llvm::cantFail(variable.getValue());
    for (const SectionRef relocations : object.sections()) {
      if (llvm::cantFail(relocations.getRelocatedSection()) != section)
        continue;
      for (const llvm::object::RelocationRef relocation : relocations.relocations())
        if (relocation.getOffset() >= begin && relocation.getOffset() < begin + variable.getSize())
          return true;
    }
    return false;
  }

  const Target &target_;
  Places places_;
  Names names_;
};

} // namespace

const std::string *LinkedText::externalAt(uint64_t address) const {
  const uint64_t index = (address - kExternalsAddress) / kExternalBytes;
  return address >= kExternalsAddress && index < externals.size() ? &externals[index] : nullptr;
}

Result<LinkedText> linkText(const Target &target, llvm::StringRef text, llvm::StringRef function) {
  return Linker(target).link(text, function);
}

} // namespace mca::measure
