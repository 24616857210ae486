// Marker comments in C and C++ source: `// LLVM-MCA-BEGIN name` … `// LLVM-MCA-END`.
//
// They are comments, so they change nothing in the generated code, unlike `asm volatile` markers, which stop the
// vectoriser. The rules of names, nesting and overlap are those of markers in assembly.
#pragma once

#include "analysis/wire/messages.h"
#include "mca-core/assembly/markers.h"

namespace analysis {

struct SourceMarkers {
  std::vector<mca::MarkerRegion> regions; ///< offsets in the source
  std::vector<mca::Diagnostic> diagnostics;
};

/// Reads the comments with clang's lexer, so that a marker in a string is none. One after `#if 0` counts: the lexer
/// alone sees no directives. `source` must be followed by a NUL byte.
SourceMarkers findSourceMarkers(std::string_view source, wire::Language language);

} // namespace analysis
