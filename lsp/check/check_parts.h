// What was compiled as a part of several files of a run, put together: a header, or a source that others include.
//
// Each file of the run that holds loops of such a part reports what its own code is worth there. What becomes of one
// loop statement in one function (CheckRegion::instance) is taken from the first of them that has it, in the order of
// the run; the others are counted: those with the same numbers, and those with other ones. So a loop is reported once,
// and how the files were dealt out to workers or shards makes no difference.
#pragma once

#include "lsp/check/check_document.h"

#include <vector>

namespace lsp::features {

/// Takes the parts off `files` and gives them put together, by their names; one that was compiled for several targets
/// is there for each of them that something is taken from. What a file of the run reports of itself by its own command
/// is not reported again: through others there is what these make otherwise of it.
std::vector<protocol::CheckFile> takeParts(std::vector<protocol::CheckFile> &files);

} // namespace lsp::features
