// How far the functions of C and C++ source reach, read from its tokens alone.
//
// A brace opens a function's body when parameters stand before it and no keyword of a statement or a class does. Where
// declarations stand (a file, a namespace, a class) little more than that is needed; inside of a body the same words
// may be a macro's loop, and only lambdas, the members of local classes and what begins like a declaration (GNU C's
// nested functions) are functions. A function that a macro's expansion makes has no extent.
#pragma once

#include "analysis/regions/nested_extents.h"
#include "analysis/regions/source_tokens.h"

namespace analysis {

struct FunctionExtent {
  wire::ByteRange extent; ///< from the first word of its head to the brace that closes it; of a lambda the braces
  wire::ByteRange name;   ///< the last word of it; empty for a lambda
  std::vector<uint32_t> ownCalls; ///< offsets in its body where it calls what has its own name, ascending
};

using FunctionExtents = NestedExtents<FunctionExtent>;

FunctionExtents findFunctionExtents(SourceTokens &tokens);

} // namespace analysis
