// Whether the text of a compile_commands.json may be handed to a parser. LLVM's reads YAML by recursion and keeps an
// object for each value: a hostile text could end the process, or have it take any amount of memory. mca-lsp applies
// the same limits before it lists the files of a run: what one of them refuses, the other must not use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace analysis {

/// The size limit of a compile_commands.json.
inline constexpr uint64_t kMaxDatabaseBytes = 256u << 20;
/// A database has three levels: the list, an entry, its arguments.
inline constexpr size_t kDeepestDatabase = 16;
/// Names and values. 500,000 entries have as many; LLVM needs about 150 bytes for each.
inline constexpr size_t kMaxDatabaseStrings = 3'000'000;

/// Why the text is not read, to follow "cannot be read: "; empty if it may be. Reads characters only, from the first to
/// the last: what is accepted has only the characters of JSON outside of its strings, but need not be JSON.
std::string whyRefused(std::string_view database);

/// The text with the character that it means in place of each pair of escaped surrogates, `\ud83d\ude00` (RFC 8259,
/// section 7). LLVM's parser takes each half for a character of its own, so no file would have the name.
std::string withoutSurrogates(std::string_view database);

} // namespace analysis
