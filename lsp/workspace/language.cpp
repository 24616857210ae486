// Tables of names, as the VS Code marketplace, Neovim, Emacs and Sublime Text use them.
#include "lsp/workspace/language.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <string>

namespace lsp {
namespace {

using analysis::wire::Language;

constexpr std::string_view kAssembly[] = {"asm", "asm-collection", "asm-intel-x86-generic", "assembly", "assembler",
                                          "gas", "gnuas", "gas-asm", "asm_gas", "s", "mca-assembly",
                                          // names of one architecture
                                          "x86", "x86asm", "x86-asm", "x86_64", "x86-64", "arm", "arm64", "armv7",
                                          "armv8", "aarch64", "riscv", "riscv32", "riscv64", "mips", "mips64", "ppc",
                                          "ppcasm", "powerpc", "systemz", "sparc", "loongarch"};

/// Not analysed whatever the suffix is: a `.s` file may be armasm's, whose directives GNU as does not know.
constexpr std::string_view kForeign[] = {"nasm",          "masm",        "yasm",     "fasm",          "tasm",
                                         "armasm",        "objective-c", "objc",     "objective-cpp", "objcpp",
                                         "objective-c++", "cuda",        "cuda-cpp", "hlsl",          "opencl"};

constexpr std::string_view kAssemblySuffixes[] = {"s", "S", "sx", "asm"};
constexpr std::string_view kCxxSuffixes[] = {"cc", "cpp", "cxx", "c++", "C", "hpp", "hh", "hxx",
                                             // sources of modules
                                             "cppm", "ixx", "ccm", "cxxm", "c++m"};

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

} // namespace

std::optional<Language> languageOfPath(std::string_view path) {
  const size_t dot = path.rfind('.');
  if (dot == std::string_view::npos || path.find('/', dot) != std::string_view::npos)
    return std::nullopt;
  const std::string_view suffix = path.substr(dot + 1);
  if (contains(kAssemblySuffixes, suffix))
    return Language::Assembly;
  if (suffix == "c" || suffix == "h")
    return Language::C;
  return contains(kCxxSuffixes, suffix) ? std::optional(Language::Cxx) : std::nullopt;
}

std::optional<Language> languageOf(std::string_view languageId, std::string_view path) {
  std::string id(languageId);
  std::ranges::transform(id, id.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (contains(kAssembly, id))
    return Language::Assembly;
  if (id == "c")
    return Language::C;
  if (id == "cpp" || id == "c++" || id == "cxx")
    return Language::Cxx;
  // The suffix decides about assembly alone, which many editors have no name for.
  const bool isAssembly = !contains(kForeign, id) && languageOfPath(path) == Language::Assembly;
  return isAssembly ? std::optional(Language::Assembly) : std::nullopt;
}

bool isPreprocessed(std::string_view path) {
  return path.ends_with(".S") || path.ends_with(".sx");
}

} // namespace lsp
