// Statements about pointers in C and C++, `// mca: alias p, q`, by the variables' names.
//
// clang's assembly with full debug information says at the start of each block which registers hold which variables
// (`#DEBUG_VALUE: f:p <- $rdi`). A statement becomes one about registers if the loop's first block has each of its
// names in exactly one register. A pointer that the compiler has replaced by another value, such as a sum with an
// index that it keeps instead, is in none, and nothing is guessed.
#pragma once

#include "analysis/regions/region.h"
#include "analysis/source_map/text_lines.h"

#include <string>
#include <vector>

namespace analysis {

struct PointerComment {
  bool meet = true; ///< `alias`; false for `distinct`
  std::vector<std::string> names;
  wire::ByteRange at; ///< from the keyword to the last name
};

struct NamedPointers {
  std::vector<mca::PointerStatement> statements; ///< about registers; begin and end are those of the comment
  std::vector<wire::Finding> findings;           ///< comments that hold for no loop, or whose names are in no register
};

/// A comment holds for the loops and marked regions whose lines contain it, otherwise for those of the next line below
/// it that has any.
NamedPointers findNamedPointers(const std::vector<PointerComment> &comments, const mca::Program &program,
                                std::span<const Region> regions, const TextLines &lines);

} // namespace analysis
