// The words of the findings that the worker makes.
#pragma once

#include "analysis/wire/messages.h"

#include <string>

namespace lsp::wording {

/// In lower case, without a full stop.
std::string messageOf(const analysis::wire::Finding &finding);

/// Gives a finding of the worker its message, and its related places theirs.
void putIntoWords(analysis::wire::Finding &finding);

} // namespace lsp::wording
