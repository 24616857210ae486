// Whether the text of a compile_commands.json may be handed to LLVM's parser, which reads YAML by recursion and keeps
// an object for each value: a hostile text could end the process, or have it take any amount of memory.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace analysis {

/// A database has three levels: the list, an entry, its arguments.
inline constexpr size_t kDeepestDatabase = 16;
/// Names and values. 500,000 entries have as many; LLVM needs about 150 bytes for each.
inline constexpr size_t kMaxDatabaseStrings = 3'000'000;

/// Why the text is not read, to follow "cannot be read: "; empty if it may be. Reads characters only, from the first to
/// the last: what is accepted has only the characters of JSON outside of its strings, but need not be JSON.
std::string whyRefused(llvm::StringRef database);

} // namespace analysis
