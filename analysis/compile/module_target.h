// For which CPU a module of LLVM is compiled: attributes of its functions say so. What clang's front end made for one
// CPU can be optimized for another, if nothing but these attributes depends on the CPU.
#pragma once

#include "analysis/compile/invocation.h"

#include <optional>
#include <string>
#include <string_view>

namespace analysis {

/// The attributes of a function; empty if it has none of the name.
struct TargetAttributes {
  std::string cpu;
  std::string tuneCpu;
  std::string features;         ///< sorted: "+avx,+avx2"
  std::string widestVectorBits; ///< "prefer-vector-width"
  bool operator==(const TargetAttributes &) const = default;
};

/// Of functions that name no target themselves. `invocation` has a compiler.
TargetAttributes targetAttributesOf(const Invocation &invocation);

/// What the flags of two commands for one file differ in.
enum class FlagDifference : uint8_t {
  FrontEnd, ///< something that clang's front end reads
  Target,   ///< the CPU or its features, and maybe the optimizer
  Optimizer ///< only what follows the front end: -O2 or -O3, whether to vectorize, the CPU to tune for
};
/// Both have a compiler. Only x86-64 has differences of the target.
FlagDifference differenceOf(const Invocation &one, const Invocation &other);

/// Whether the module, as text, has something that the front end translates by what the CPU has: wide vectors, halves,
/// atomic accesses of 16 bytes.
bool dependsOnTarget(std::string_view module);

/// The module with other target attributes. No value if one of its functions has others than `from`.
std::optional<std::string> retargeted(std::string_view module, const TargetAttributes &from,
                                      const TargetAttributes &to);

} // namespace analysis
