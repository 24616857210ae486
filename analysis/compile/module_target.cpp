#include "analysis/compile/module_target.h"

#include "analysis/compile/has_word.h"

#include "clang/Basic/TargetOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/TargetParser/Triple.h"

#include <span>
#include <utility>
#include <vector>

namespace analysis {
namespace {

using llvm::StringRef;

/// The widest vector that every x86-64 passes in a register.
constexpr unsigned kWidestBits = 128;

constexpr StringRef kCpu = "target-cpu", kTune = "tune-cpu", kFeatures = "target-features",
                    kWidest = "prefer-vector-width";

// ---- flags ---------------------------------------------------------------------------------------------------------

/// What the front end is called with, without the flags that only the optimizer reads, and those of the target.
struct FrontEndFlags {
  std::vector<std::string> target, rest;
};

FrontEndFlags frontEndFlagsOf(const clang::CompilerInvocation &compiler) {
  FrontEndFlags flags;
  const std::vector<std::string> all = compiler.getCC1CommandLine();
  for (size_t i = 0; i < all.size(); ++i) {
    const StringRef flag = all[i];
    if (flag == "-tune-cpu")
      ++i;
    else if ((flag == "-target-cpu" || flag == "-target-feature") && i + 1 < all.size())
      flags.target.push_back(all[++i]);
    else if (flag != "-O2" && flag != "-O3" && flag != "-vectorize-loops" && flag != "-vectorize-slp" &&
             !flag.starts_with("-mprefer-vector-width="))
      flags.rest.push_back(flag.str());
  }
  return flags;
}

// ---- text of a module ----------------------------------------------------------------------------------------------

bool isWordByte(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '@' || c == '%' || c == '"' || c == '$';
}

unsigned bitsOf(StringRef type) {
  unsigned bits = 0;
  if (type.consume_front("i") && !type.consumeInteger(10, bits))
    return bits;
  // Of other types, none has more.
  return type.starts_with("float") ? 32 : 64;
}

/// Whether the line has "<8 x float>" or the like.
bool hasWideVector(StringRef line) {
  for (size_t at = line.find('<'); at != StringRef::npos; at = line.find('<', at + 1)) {
    StringRef rest = line.substr(at + 1);
    unsigned count = 0;
    if (rest.starts_with("vscale"))
      return true;
    if (!rest.consumeInteger(10, count) && rest.consume_front(" x ") && uint64_t{count} * bitsOf(rest) > kWidestBits)
      return true;
  }
  return false;
}

/// Whether the front end translates something in the line by what the CPU has.
bool dependsOnTargetIn(StringRef line) {
  if (line.contains("@__atomic_"))
    return true;
  if (line.contains("i128") && (line.contains("atomic") || line.contains("cmpxchg")))
    return true;
  return hasWideVector(line) || hasWord(line, "half", isWordByte) || hasWord(line, "bfloat", isWordByte);
}

/// Takes `"key"="value"` out of the attributes. False if they have another value.
bool take(std::string &attributes, StringRef key, const std::string &value) {
  const std::string begin = (" \"" + key + "\"=\"").str();
  const size_t at = attributes.find(begin);
  if (at == std::string::npos)
    return value.empty();
  const size_t end = attributes.find('"', at + begin.size());
  if (end == std::string::npos || StringRef(attributes).slice(at + begin.size(), end) != value)
    return false;
  attributes.erase(at, end + 1 - at);
  return true;
}

/// `line` is "attributes #3 = { … }". Functions that are only called by their instructions' attributes have none.
bool retarget(std::string &line, const TargetAttributes &from, const TargetAttributes &to) {
  if (line.find((" \"" + kCpu + "\"=").str()) == std::string::npos)
    return line.find((" \"" + kFeatures + "\"=").str()) == std::string::npos;
  if (!take(line, kCpu, from.cpu) || !take(line, kTune, from.tuneCpu) || !take(line, kFeatures, from.features) ||
      !take(line, kWidest, from.widestVectorBits))
    return false;
  const size_t end = line.rfind(" }");
  if (end == std::string::npos)
    return false;
  std::string added;
  for (const auto &[key, value] :
       {std::pair(kCpu, &to.cpu), {kFeatures, &to.features}, {kTune, &to.tuneCpu}, {kWidest, &to.widestVectorBits}})
    if (!value->empty())
      added += (" \"" + key + "\"=\"" + *value + "\"").str();
  line.insert(end, added);
  return true;
}

} // namespace

TargetAttributes targetAttributesOf(const Invocation &invocation) {
  const clang::TargetOptions &target = invocation.compiler->getTargetOpts();
  std::vector<std::string> features = target.Features;
  llvm::sort(features);
  return {.cpu = target.CPU,
          .tuneCpu = target.TuneCPU,
          .features = llvm::join(features, ","),
          .widestVectorBits = invocation.compiler->getCodeGenOpts().PreferVectorWidth};
}

FlagDifference differenceOf(const Invocation &one, const Invocation &other) {
  const FrontEndFlags a = frontEndFlagsOf(*one.compiler), b = frontEndFlagsOf(*other.compiler);
  const auto optimizes = [](const Invocation &invocation) {
    const clang::CodeGenOptions &options = invocation.compiler->getCodeGenOpts();
    return options.OptimizationLevel >= 2 && options.OptimizeSize == 0;
  };
  if (a.rest != b.rest || !optimizes(one) || !optimizes(other))
    return FlagDifference::FrontEnd;
  if (a.target == b.target)
    return FlagDifference::Optimizer;
  const llvm::Triple triple(one.compiler->getTargetOpts().Triple);
  // OpenMP's aligned clause means the CPU's widest vector.
  const bool isPossible = triple.getArch() == llvm::Triple::x86_64 && !one.compiler->getLangOpts().OpenMP;
  return isPossible ? FlagDifference::Target : FlagDifference::FrontEnd;
}

bool dependsOnTarget(std::string_view module) {
  return llvm::any_of(llvm::split(StringRef(module), '\n'), dependsOnTargetIn);
}

std::optional<std::string> retargeted(std::string_view module, const TargetAttributes &from,
                                      const TargetAttributes &to) {
  std::string result;
  result.reserve(module.size() + 4096);
  for (const StringRef line : llvm::split(StringRef(module).rtrim('\n'), '\n')) {
    if (!line.starts_with("attributes #")) {
      result.append(line.data(), line.size());
    } else {
      std::string attributes = line.str();
      if (!retarget(attributes, from, to))
        return std::nullopt;
      result += attributes;
    }
    result += '\n';
  }
  return result;
}

} // namespace analysis
