// Whether two runs of the compiler made the same of a text.
#pragma once

#include "analysis/compile/compile.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/xxhash.h"

#include <string>
#include <string_view>

namespace analysis {

using Fingerprint = llvm::XXH128_hash_t;

Fingerprint fingerprintOf(std::string_view text);

/// Equal for results whose functions are the same byte by byte and in the same order, line directives included, whose
/// other definitions are the same in any order, and whose remarks are.
Fingerprint fingerprintOf(const CompileResult &result);

/// Equal for results whose `functions` (symbols) are the same but for the numbers that labels and files have in the
/// whole text, and have the same remarks in the optimization record. Of a function that is not there, no text is
/// compared.
Fingerprint fingerprintOf(const CompileResult &result, llvm::ArrayRef<std::string> functions);

} // namespace analysis
