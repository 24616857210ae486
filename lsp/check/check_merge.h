// The runs of all shards as the one run that they are parts of.
#pragma once

#include "lsp/check/check_document.h"

#include <optional>
#include <string>
#include <vector>

namespace lsp::features {

/// The document of the unsharded run: files in their order, each shard in turn. `shards` may stand in any order. No
/// value when one is missing or is there twice, or when they are not parts of one run; `error` says why.
std::optional<protocol::CheckDocument> mergeShards(std::vector<protocol::CheckDocument> shards, std::string &error);

} // namespace lsp::features
