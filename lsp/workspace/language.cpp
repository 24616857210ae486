// Tables of names, as the VS Code marketplace, Neovim, Emacs and Sublime Text use them.
#include "lsp/workspace/language.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace lsp {
namespace {

using analysis::wire::Language;

constexpr std::string_view kAssembly[] = {"asm",      "asm-collection", "asm-intel-x86-generic",
                                          "assembly", "assembler",      "gas",
                                          "gnuas",    "gas-asm",        "s",
                                          "x86",      "x86asm",         "x86-asm",
                                          "x86_64",   "x86-64",         "arm",
                                          "arm64",    "armv7",          "armv8",
                                          "aarch64",  "riscv",          "riscv32",
                                          "riscv64",  "mips",           "mips64",
                                          "ppc",      "ppcasm",         "powerpc",
                                          "systemz",  "sparc",          "loongarch",
                                          "asm_gas"};

constexpr std::string_view kForeign[] = {"nasm",          "masm",        "yasm",     "fasm",          "tasm",
                                         "armasm",        "objective-c", "objc",     "objective-cpp", "objcpp",
                                         "objective-c++", "cuda",        "cuda-cpp", "hlsl",          "opencl"};

template <size_t N>
bool contains(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

} // namespace

std::optional<Language> languageOfPath(std::string_view path) {
  const size_t dot = path.rfind('.');
  if (dot == std::string_view::npos || path.find('/', dot) != std::string_view::npos)
    return std::nullopt;
  const std::string_view suffix = path.substr(dot + 1);
  constexpr std::string_view kAssemblySuffixes[] = {"s", "S", "sx", "asm"};
  constexpr std::string_view kCxxSuffixes[] = {"cc", "cpp", "cxx", "c++", "C", "hpp", "hh", "hxx"};
  if (contains(kAssemblySuffixes, suffix))
    return Language::Assembly;
  if (suffix == "c" || suffix == "h")
    return Language::C;
  return contains(kCxxSuffixes, suffix) ? std::optional(Language::Cxx) : std::nullopt;
}

std::optional<Language> languageOf(std::string_view languageId, std::string_view path) {
  std::string id(languageId);
  for (char &c : id)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (contains(kAssembly, id))
    return Language::Assembly;
  if (id == "c")
    return Language::C;
  if (id == "cpp" || id == "c++" || id == "cxx")
    return Language::Cxx;
  if (contains(kForeign, id))
    return std::nullopt;
  const auto bySuffix = languageOfPath(path);
  return bySuffix == Language::Assembly ? bySuffix : std::nullopt;
}

bool isPreprocessed(std::string_view path) {
  return path.ends_with(".S") || path.ends_with(".sx");
}

} // namespace lsp
