// One table entry per backend that LLVM was built with. LLVM's .def files generate it, because LLVM's own
// InitializeAllTargets() cannot leave any out.
#include "mca-core/target/backends.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"

#include <array>
#include <mutex>

namespace mca {
namespace {

void initializeNothing() {}

// Not every backend has an assembly parser, a disassembler or llvm-mca support of its own, and LLVM's .def files list
// only those that do. So these templates do nothing by default and are specialised for the backends that are listed.
enum class Backend {
#define LLVM_TARGET(name) name,
#include "llvm/Config/Targets.def"
};

template <Backend>
constexpr auto kParserInit = &initializeNothing;
template <Backend>
constexpr auto kDisassemblerInit = &initializeNothing;
template <Backend>
constexpr auto kMcaInit = &initializeNothing;
#define LLVM_ASM_PARSER(name)                                                                                          \
  template <>                                                                                                          \
  constexpr auto kParserInit<Backend::name> = &LLVMInitialize##name##AsmParser;
#include "llvm/Config/AsmParsers.def"
#define LLVM_DISASSEMBLER(name)                                                                                        \
  template <>                                                                                                          \
  constexpr auto kDisassemblerInit<Backend::name> = &LLVMInitialize##name##Disassembler;
#include "llvm/Config/Disassemblers.def"
#define LLVM_TARGETMCA(name)                                                                                           \
  template <>                                                                                                          \
  constexpr auto kMcaInit<Backend::name> = &LLVMInitialize##name##TargetMCA;
#include "llvm/Config/TargetMCAs.def"

/// A backend, and the functions that register its parts. A concurrent caller waits in call_once until they are
/// complete.
struct Entry {
  llvm::StringRef name;
  void (*initializers[5])();
  std::once_flag once{};

  void initialize() {
    std::call_once(once, [this] {
      for (const auto initializer : initializers)
        initializer();
    });
  }
};

std::array kEntries = {
#define LLVM_TARGET(name)                                                                                              \
  Entry{#name,                                                                                                         \
        {&LLVMInitialize##name##TargetInfo, &LLVMInitialize##name##TargetMC, kParserInit<Backend::name>,               \
         kDisassemblerInit<Backend::name>, kMcaInit<Backend::name>}},
#include "llvm/Config/Targets.def"
};

/// Returns the LLVM_TARGET name of the backend; empty for rare targets. LLVM knows this only after it has initialised
/// the backend.
llvm::StringRef backendOf(llvm::Triple::ArchType arch) {
  return llvm::StringSwitch<llvm::StringRef>(llvm::Triple::getArchTypePrefix(arch))
      .Case("x86", "X86")
      .Case("aarch64", "AArch64")
      .Case("arm", "ARM")
      .Case("riscv", "RISCV")
      .Case("ppc", "PowerPC")
      .Case("s390x", "SystemZ")
      .Case("mips", "Mips")
      .Cases({"amdgcn", "r600"}, "AMDGPU")
      .Default({});
}

} // namespace

void initializeBackend(const llvm::Triple &triple, std::string_view arch) {
  const llvm::StringRef name = backendOf(arch.empty() ? triple.getArch() : llvm::Triple::getArchTypeForLLVMName(arch));
  for (Entry &entry : kEntries)
    if (entry.name == name)
      return entry.initialize();
  // A rare or unknown target: the registry must see every name before it can answer.
  initializeAllBackends();
}

void initializeAllBackends() {
  for (Entry &entry : kEntries)
    entry.initialize();
}

} // namespace mca
