// Merges what several files of a run report of one part: a header, or a source that others include.
//
// Each file of the run whose code holds loops of such a part reports them for its own code. For one loop statement in
// one function (CheckRegion::instance) the numbers of the first of these files, in the order of the run, are taken; the
// others are counted, by whether they have the same numbers. So a loop is reported once, and the result does not depend
// on which worker or shard had which file.
#pragma once

#include "lsp/check/check_document.h"

#include <vector>

namespace lsp {

/// Removes the parts from `files` and returns them merged, by name; a part that was compiled for several targets has an
/// entry for each target that something is taken from. Results that a file of the run already has by its own command
/// are not repeated: of other commands only what differs is reported.
std::vector<CheckFile> takeParts(std::vector<CheckFile> &files);

} // namespace lsp
