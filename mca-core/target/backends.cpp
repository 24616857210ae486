// One table entry per backend that LLVM was built with, generated from LLVM's .def files.
#include "mca-core/target/backends.h"

#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"

#include <array>
#include <mutex>

namespace mca {
namespace {

void initializeNothing() {}

// Not every backend has an assembly parser or llvm-mca support of its own. These templates do nothing by default, and
// LLVM's .def files specialise them for the backends that have one.
enum class Backend {
#define LLVM_TARGET(name) name,
#include "llvm/Config/Targets.def"
};

template <Backend>
constexpr auto kParserInit = &initializeNothing;
template <Backend>
constexpr auto kMcaInit = &initializeNothing;
#define LLVM_ASM_PARSER(name)                                                                                          \
  template <>                                                                                                          \
  constexpr auto kParserInit<Backend::name> = &LLVMInitialize##name##AsmParser;
#include "llvm/Config/AsmParsers.def"
#define LLVM_TARGETMCA(name)                                                                                           \
  template <>                                                                                                          \
  constexpr auto kMcaInit<Backend::name> = &LLVMInitialize##name##TargetMCA;
#include "llvm/Config/TargetMCAs.def"

struct Entry {
  std::string_view name;
  void (*info)();
  void (*machineCode)();
  void (*parser)();
  void (*mca)();
  std::once_flag once{};

  void initialize() {
    std::call_once(once, [this] {
      info();
      machineCode();
      parser();
      mca();
    });
  }
};

std::array kEntries = {
#define LLVM_TARGET(name)                                                                                              \
  Entry{#name, &LLVMInitialize##name##TargetInfo, &LLVMInitialize##name##TargetMC, kParserInit<Backend::name>,         \
        kMcaInit<Backend::name>},
#include "llvm/Config/Targets.def"
};

std::string_view backendOf(llvm::Triple::ArchType arch) {
  using llvm::Triple;
  switch (arch) {
  case Triple::x86:
  case Triple::x86_64:
    return "X86";
  case Triple::aarch64:
  case Triple::aarch64_be:
  case Triple::aarch64_32:
    return "AArch64";
  case Triple::arm:
  case Triple::armeb:
  case Triple::thumb:
  case Triple::thumbeb:
    return "ARM";
  case Triple::riscv32:
  case Triple::riscv64:
    return "RISCV";
  case Triple::ppc:
  case Triple::ppcle:
  case Triple::ppc64:
  case Triple::ppc64le:
    return "PowerPC";
  case Triple::systemz:
    return "SystemZ";
  case Triple::mips:
  case Triple::mipsel:
  case Triple::mips64:
  case Triple::mips64el:
    return "Mips";
  case Triple::amdgcn:
  case Triple::r600:
    return "AMDGPU";
  default:
    return {};
  }
}

} // namespace

void initializeBackend(const llvm::Triple &triple, std::string_view arch) {
  const std::string_view name = backendOf(arch.empty() ? triple.getArch() : llvm::Triple::getArchTypeForLLVMName(arch));
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
