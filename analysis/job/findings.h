// The findings about text and set-up as data: codes, places, sentences with their operands. The server puts them into
// words (lsp/wording/sentences.h), and makes those about the numbers of a region (lsp/wording/findings.h).
#pragma once

#include "analysis/compile/compile.h"
#include "analysis/regions/region.h"
#include "analysis/source_map/text_lines.h"
#include "mca-core/assembly/markers.h"
#include "mca-core/target/target.h"

#include <optional>
#include <string>
#include <vector>

namespace analysis {

/// A diagnostic of the parser (`parse-error`) or of a marker (`marker-error`). Its offsets must be those of the buffer.
wire::Finding findingOf(const mca::Diagnostic &diagnostic);

/// A compiler's error (`compile-error`), on its line if that is in the buffer `path`. An error in another file is on
/// the first line, with the place as a related one.
wire::Finding findingOf(const CompilerDiagnostic &diagnostic, const std::string &path, const TextLines &lines);

/// The scheduling model was written for another CPU (`borrowed-model`), or several share it and LLVM does not say whose
/// it is. No finding if the CPU has a model of its own, or none at all.
std::optional<wire::Finding> modelFinding(const mca::Target &target, const TextLines &lines);

/// Markers written as `asm volatile` that keep a loop from being vectorized (`marker-stops-vectorizer`): clang reports
/// the reason in a remark on the marker's own line.
std::vector<wire::Finding> markerFindings(const std::vector<VectorizerDecision> &decisions, const std::string &path,
                                          const TextLines &lines);

/// One finding (`loops-elsewhere`) for all loops without a line in the buffer; the first ones are its related places.
wire::Finding elsewhereFinding(const std::vector<LoopElsewhere> &loops, const TextLines &lines);

/// A finding about the whole file, on its first line.
wire::Finding wholeFileFinding(const TextLines &lines, const char *code, std::string message);
wire::Finding wholeFileFinding(const TextLines &lines, const char *code, wire::Words words);

} // namespace analysis
