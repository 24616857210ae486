// What becomes a diagnostic, but for what follows from a region's numbers. Each has a stable code.
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

/// Of the parser (`parse-error`) or of a marker (`marker-error`), when its offsets are the buffer's own.
wire::Finding findingOf(const mca::Diagnostic &diagnostic);

/// A compiler's error (`compile-error`), on its line when that is in the buffer `path`, else on the first line.
wire::Finding findingOf(const CompilerDiagnostic &diagnostic, const std::string &path, const TextLines &lines);

/// The numbers are another CPU's (`borrowed-model`); none when the CPU has a model of its own, or none at all.
std::optional<wire::Finding> modelFinding(const mca::Target &target, const TextLines &lines);

/// Markers written as `asm volatile` that keep a loop from being vectorized, as clang's remarks on their very lines say
/// (`marker-stops-vectorizer`).
std::vector<wire::Finding> markerFindings(const std::vector<LoopRemark> &remarks, const std::string &path,
                                          const TextLines &lines);

/// Loops without a line in the buffer, all in one finding (`loops-elsewhere`) that points at the first of them.
wire::Finding elsewhereFinding(const std::vector<LoopElsewhere> &loops, const TextLines &lines);

/// On the first line of the buffer: about the whole of it.
wire::Finding wholeFileFinding(const TextLines &lines, wire::Severity severity, std::string code, std::string message);

} // namespace analysis
