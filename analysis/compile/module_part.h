// The part of a module of LLVM that decides what code some of its functions get.
//
// A loop that is compiled again and again, each time a little differently, needs nothing of the file but its function
// and what is called from there. The optimizer looks at a definition that only this module sees (a static function,
// say) from all places that use it, so these belong to the part, too, with what they call in turn.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace analysis {

/// What is emitted of functions that each module has that uses them (templates, inline functions).
enum class Copies : uint8_t {
  Wanted, ///< the wanted functions alone; the others are optimized only as far as their callers see it
  All     ///< as the part is to be linked
};

/// `bitcode`: of a module before any optimization. The part, as text with the order of uses, in which the optimizer
/// works. No value if the bitcode is none, or has none of `functions` (symbols) or not all, or if code for the target
/// depends on all that the module defines.
std::optional<std::string> partOf(std::string_view bitcode, llvm::ArrayRef<std::string> functions,
                                  Copies copies = Copies::Wanted);

} // namespace analysis
