// Merges results: those of all shards into the run that they are parts of, and what several files of a run report of
// one part, which is a header, or a source that others include.
#pragma once

#include "lsp/check/check_document.h"

#include <optional>
#include <string>
#include <vector>

namespace lsp {

/// The document of the run without shards: its files in their order, each shard in turn. Its outputs are, byte for
/// byte, those of a run over all files on one machine. `shards` may be in any order; units must be in that of their
/// files. No value if one is missing or is there twice, or if they are not parts of one run; `error` says why.
std::optional<CheckDocument> mergeShards(std::vector<CheckDocument> shards, std::string &error);

/// Removes the parts from `files` and returns them merged, by name; a part that was compiled for several targets has an
/// entry for each target that something is taken from. Results that a file of the run already has by its own command
/// are not repeated: of other commands only what differs is reported.
///
/// Each file of the run whose code holds loops of such a part reports them for its own code. For one loop statement in
/// one function (CheckRegion::instance) the numbers of the first of these files, in the order of the run, are taken;
/// the others are counted, by whether they have the same numbers. So a loop is reported once, and the result does not
/// depend on which worker or shard had which file.
std::vector<CheckFile> takeParts(std::vector<CheckFile> &files);

} // namespace lsp
