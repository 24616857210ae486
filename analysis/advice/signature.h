// The types of a function's parameters, read from its words, so that two versions of it can be called with the same
// random arguments. Only C's own number types and one-dimensional arrays of them are known; anything else is refused.
#pragma once

#include "analysis/regions/function_extents.h"
#include "analysis/regions/source_tokens.h"
#include "analysis/wire/advice.h"

namespace analysis {

/// Of the function whose body has the offset. `symbol` and `assembly` stay empty.
wire::RunnableFunction signatureAt(std::string_view source, wire::Language language, const FunctionExtents &functions,
                                   uint32_t offset);

} // namespace analysis
