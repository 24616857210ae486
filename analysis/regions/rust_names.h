// Rust's names of functions.
//
// Its older mangling is that of C++ with escapes for what C++ has not, and with a hash as the last part of each name,
// which no reader needs. LLVM's demangler takes it for C++. Rust's newer mangling (`_R…`) it knows, but not the
// suffixes of copies.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace analysis {

/// "core::ptr::drop_in_place<alloc::string::String>" of a mangled name, or of the demangled one with its hash
/// ("core::ptr::drop_in_place::h0123456789abcdef"); nothing if the name is neither.
std::optional<std::string> rustName(llvm::StringRef symbol);

} // namespace analysis
