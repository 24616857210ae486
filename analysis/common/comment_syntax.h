// The comments in a buffer that speak to the analysis: `# LLVM-MCA-BEGIN name`, `# LLVM-MCA-END name`, instruments such
// as `# LLVM-MCA-LATENCY 14`, and settings such as `# mca: cpu=znver4`. The worker reads them, and the server completes
// and writes them; both know their words from here. What regions the markers make is llvm-mca's rule
// (mca-core/assembly/markers.h).
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace analysis::comments {

// ---- markers and instruments ---------------------------------------------------------------------------------------

inline constexpr std::string_view kMarkerPrefix = "LLVM-MCA-";
/// What follows the prefix.
inline constexpr std::string_view kBegin = "BEGIN", kEnd = "END", kLatency = "LATENCY",
                                  kVectorMultiplier = "RISCV-LMUL", kVectorWidth = "RISCV-SEW";

inline constexpr std::string_view kBeginMarker = "LLVM-MCA-BEGIN", kEndMarker = "LLVM-MCA-END",
                                  kLatencyMarker = "LLVM-MCA-LATENCY", kVectorMultiplierMarker = "LLVM-MCA-RISCV-LMUL",
                                  kVectorWidthMarker = "LLVM-MCA-RISCV-SEW";

/// The values of LLVM's RISCVInstrumentManager.
inline constexpr std::array<std::string_view, 7> kVectorMultipliers{"M1", "M2", "M4", "M8", "MF2", "MF4", "MF8"};
inline constexpr std::array<std::string_view, 4> kVectorWidths{"E8", "E16", "E32", "E64"};

// ---- settings ------------------------------------------------------------------------------------------------------

inline constexpr std::string_view kSettings = "mca:";
/// The keys of `key=value`.
inline constexpr std::string_view kCpu = "cpu", kTriple = "triple", kFeatures = "features", kIterations = "iterations";
inline constexpr std::array kSettingKeys{kCpu, kTriple, kFeatures, kIterations};
inline constexpr std::string_view kCpuAssignment = "cpu=";

/// Where the words after `mca:` begin, on a line that holds nothing but a comment with settings; npos on other lines.
size_t settingsBegin(std::string_view line);

/// The words of a comment, without the characters that close it. They are parts of `text`.
std::vector<std::string_view> wordsOf(std::string_view text);

// ---- comments ------------------------------------------------------------------------------------------------------

inline constexpr std::string_view kBlank = " \t";
/// Characters that comments open with, in the assembly dialects of LLVM and in C.
inline constexpr std::string_view kOpening = "#/;@!*|";
inline constexpr std::string_view kOpeningOrBlank = "#/;@!*| \t";
/// C's comments, which LLVM's assembly dialects have, too.
inline constexpr std::string_view kLineOpening = "//", kBlockOpening = "/*", kBlockClosing = "*/";

/// What opens a comment that takes the rest of a line of assembly: `//` for AArch64, `@` for ARM, `!` for SPARC, `#`
/// for other targets.
std::string_view assemblyOpening(std::string_view triple);

/// Where the comment opens whose text begins at `inside`; npos if none does.
size_t commentBegin(std::string_view line, size_t inside);

/// The end of the comment's text on this line, without the blanks before it.
size_t commentEnd(std::string_view line, size_t inside);

} // namespace analysis::comments
