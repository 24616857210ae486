// Goldens: source with everything that the product says about it spliced in as comments, below the lines concerned.
//
//     # LLVM-MCA-BEGIN dot
//     #  ^ hint: IPC 1.29 · 3.1 cyc
//     #  | finding 1-20: information resource-bottleneck: dot: limited by …
//     #  |   line 4: mulss (%rdi), %xmm0: SKLPort0 for 1.00 cycles
//     #  | region dot (marker) to line 9: 5 instructions, …
//
// Such a line starts with the comment that the first line starts with, two blanks and `^` or `|`; without these lines
// the golden is the source. Columns count bytes from 1 and are half-open.
#pragma once

#include "tests/shown.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace goldens {

struct Annotation {
  uint32_t line = 0; ///< 0-based: what it stands below
  std::string text;  ///< with its `^` or `|`; may have several lines
};
using Annotations = std::vector<Annotation>;

/// What an editor gets: hints and findings.
Annotations annotationsOf(const analysis::Shown &result, std::string_view text);
/// The same from the server's answers, with columns in UTF-8.
Annotations annotationsOf(const nlohmann::json &hints, const nlohmann::json &diagnostics, const std::string &uri);
/// What only the library tells: target, regions and notes.
Annotations summariesOf(const analysis::Shown &result, std::string_view text);

/// Without the annotations.
std::string sourceOf(std::string_view golden);
/// Without the annotations that summariesOf() makes.
std::string editorPartOf(std::string_view golden);
std::string splice(std::string_view source, Annotations annotations);

} // namespace goldens
