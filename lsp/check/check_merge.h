// Merges the results of all shards into the result of the run that they are parts of: its outputs are, byte for byte,
// those of a run over all files on one machine.
#pragma once

#include "lsp/check/check_document.h"

#include <optional>
#include <string>
#include <vector>

namespace lsp {

/// The document of the run without shards: its files in their order, each shard in turn. `shards` may be in any order;
/// units must be in that of their files. No value if one is missing or is there twice, or if they are not parts of one
/// run; `error` says why.
std::optional<CheckDocument> mergeShards(std::vector<CheckDocument> shards, std::string &error);

} // namespace lsp
