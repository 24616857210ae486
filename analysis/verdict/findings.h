// Findings: what becomes a diagnostic. Each has a stable code.
#pragma once

#include "analysis/compile/compile.h"
#include "analysis/source_map/text_lines.h"
#include "analysis/verdict/present.h"
#include "analysis/wording/region_text.h"
#include "mca-core/assembly/markers.h"

#include <optional>
#include <string>
#include <vector>

namespace analysis {

/// Of the parser (`parse-error`) or of a marker (`marker-error`), when its offsets are the buffer's own.
wire::Finding findingOf(const mca::Diagnostic &diagnostic);

/// A compiler's error (`compile-error`), on its line when that is in the buffer `path`, else on the first line.
wire::Finding findingOf(const CompilerDiagnostic &diagnostic, const std::string &path, const TextLines &lines);

/// A region's verdict, on the line of its hint, with the instructions concerned as related places. Only for a region
/// that has a verdict.
wire::Finding findingOf(const AnalysedRegion &analysed, const TextLines &lines);

/// A region that got slower by more than `percent` (`region-slower`), on the line of its hint; none when it did not.
std::optional<wire::Finding> slowerFinding(const AnalysedRegion &analysed, uint32_t percent, const TextLines &lines);

/// RISC-V: a region with a vector type that is assumed (`assumed-vector-type`), on the line of its hint; none
/// otherwise.
std::optional<wire::Finding> vectorTypeFinding(const Region &region, const TextLines &lines);

/// The numbers are another CPU's (`borrowed-model`); none when the CPU has a model of its own, or none at all.
std::optional<wire::Finding> modelFinding(const mca::Target &target, const TextLines &lines);

/// The functions that a loop calls and that are not simulated (`call`), in one finding on the line of its hint, with
/// the calls as related places; none for a loop without calls.
std::optional<wire::Finding> callFinding(const mca::Target &target, const mca::Program &program,
                                         const AnalysedLoop &loop, const LoopNumbers &numbers, const TextLines &lines);

/// Each computed jump (`indirect-jump`) of a path through a loop with these numbers, on its line, with what it does to
/// the numbers.
std::vector<wire::Finding> jumpFindings(const mca::Target &target, const mca::Program &program,
                                        const LoopNumbers &numbers, const AnalysedRegion &path, const TextLines &lines);

/// Markers written as `asm volatile` that keep a loop from being vectorized, as clang's remarks on their very lines say
/// (`marker-stops-vectorizer`).
std::vector<wire::Finding> markerFindings(const std::vector<LoopRemark> &remarks, const std::string &path,
                                          const TextLines &lines);

/// Loops without a line in the buffer, all in one finding (`loops-elsewhere`) that points at the first of them.
wire::Finding elsewhereFinding(const std::vector<LoopElsewhere> &loops, const TextLines &lines);

/// On the first line of the buffer: about the whole of it.
wire::Finding wholeFileFinding(const TextLines &lines, wire::Severity severity, std::string code, std::string message);

} // namespace analysis
