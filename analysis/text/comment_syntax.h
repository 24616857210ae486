// The syntax of comments that control the analysis: `# LLVM-MCA-BEGIN name`, `# LLVM-MCA-END name`, instruments such as
// `# LLVM-MCA-LATENCY 14`, settings such as `# mca: cpu=znver4`, and traces such as `# mca: trace (.L3 T .)x100`. The
// worker reads them, and the server completes and writes them. How markers form regions is llvm-mca's rule
// (mca-core/assembly/markers.h).
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace analysis::comments {

// ---- markers and instruments ---------------------------------------------------------------------------------------

inline constexpr std::string_view kMarkerPrefix = "LLVM-MCA-";
/// The words after the prefix. The instruments' names are LLVM's (RISCVLMULInstrument::DESC_NAME and the like).
inline constexpr std::string_view kBegin = "BEGIN", kEnd = "END", kLatency = "LATENCY",
                                  kVectorMultiplier = "RISCV-LMUL", kVectorWidth = "RISCV-SEW";

inline constexpr std::string_view kBeginMarker = "LLVM-MCA-BEGIN", kEndMarker = "LLVM-MCA-END",
                                  kLatencyMarker = "LLVM-MCA-LATENCY", kVectorMultiplierMarker = "LLVM-MCA-RISCV-LMUL",
                                  kVectorWidthMarker = "LLVM-MCA-RISCV-SEW";

/// The values that LLVM's RISCVInstrumentManager accepts.
inline constexpr std::array<std::string_view, 7> kVectorMultipliers{"M1", "M2", "M4", "M8", "MF2", "MF4", "MF8"};
inline constexpr std::array<std::string_view, 4> kVectorWidths{"E8", "E16", "E32", "E64"};

// ---- settings ------------------------------------------------------------------------------------------------------

inline constexpr std::string_view kSettings = "mca:";
/// The keys of `key=value`.
inline constexpr std::string_view kCpu = "cpu", kTriple = "triple", kFeatures = "features", kIterations = "iterations",
                                  kSyntax = "syntax", kTripCount = "n";
inline constexpr std::array kSettingKeys{kCpu, kTriple, kFeatures, kIterations, kSyntax, kTripCount};
/// The values of kSyntax.
inline constexpr std::string_view kIntelSyntax = "intel", kAttSyntax = "att";
/// The words that start a statement about branches instead.
inline constexpr std::string_view kTrace = "trace", kPath = "path";
/// The word that starts a statement about measuring, which mca-core/measure reads.
inline constexpr std::string_view kMeasure = "measure";
inline constexpr std::string_view kCpuAssignment = "cpu=";

/// The offset after `mca:` in a line that has only a comment with settings; npos for other lines.
size_t settingsBegin(std::string_view line);

/// The words of a comment, without the characters that close it, also if these follow a word directly. The views are
/// into `text`.
std::vector<std::string_view> wordsOf(std::string_view text);

// ---- comments ------------------------------------------------------------------------------------------------------

inline constexpr std::string_view kBlank = " \t";
/// The characters that open comments in LLVM's assembly dialects (MCAsmInfo::getCommentString()) and in C.
inline constexpr std::string_view kOpening = "#/;@!*|";
inline constexpr std::string_view kOpeningOrBlank = "#/;@!*| \t";
/// C's comments, which LLVM's AsmLexer accepts, too.
inline constexpr std::string_view kLineOpening = "//", kBlockOpening = "/*", kBlockClosing = "*/";

/// The characters that make the rest of a line of assembly a comment: `//` for AArch64, `@` for ARM, `!` for SPARC, `#`
/// for other targets.
std::string_view assemblyOpening(std::string_view triple);

/// The offset of the characters that open the comment whose text begins at `inside`; npos if there are none.
size_t commentBegin(std::string_view line, size_t inside);

/// The end of the comment's text on this line, without trailing blanks.
size_t commentEnd(std::string_view line, size_t inside);

} // namespace analysis::comments
