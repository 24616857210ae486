#include "lsp/features/check_merge.h"

#include <algorithm>

namespace lsp::features {
namespace {

using protocol::CheckDocument;

std::string nameOf(const protocol::CheckShard &shard) {
  return std::to_string(shard.index) + "/" + std::to_string(shard.count);
}

/// Why the documents, in the order of their shards, are not all parts of one run; empty when they are.
std::string problemOf(const std::vector<CheckDocument> &shards) {
  if (shards.empty())
    return "there is nothing to merge";
  const CheckDocument &first = shards.front();
  for (size_t i = 0; i < shards.size(); ++i) {
    const CheckDocument &shard = shards[i];
    if (shard.shard.count != first.shard.count || shard.version != first.version)
      return "shard " + nameOf(shard.shard) + " of version " + shard.version + " and shard " + nameOf(first.shard) +
             " of version " + first.version + " are not parts of one run";
    if (shard.shard.index != i + 1)
      return "shard " + std::to_string(std::min<size_t>(i + 1, shard.shard.index)) + " of " +
             std::to_string(first.shard.count) + (shard.shard.index > i + 1 ? " is missing" : " is there twice");
    // Files are dealt out in turn: no shard has more of them than one before it, nor two less than the first.
    if (i > 0 && (shard.files.size() > shards[i - 1].files.size() || shard.files.size() + 1 < first.files.size()))
      return "the shards are not parts of one list of files";
  }
  if (shards.size() != first.shard.count)
    return "shard " + std::to_string(shards.size() + 1) + " of " + std::to_string(first.shard.count) + " is missing";
  return "";
}

} // namespace

std::optional<CheckDocument> mergeShards(std::vector<CheckDocument> shards, std::string &error) {
  std::stable_sort(shards.begin(), shards.end(),
                   [](const CheckDocument &a, const CheckDocument &b) { return a.shard.index < b.shard.index; });
  error = problemOf(shards);
  if (!error.empty())
    return std::nullopt;
  CheckDocument whole{.version = shards.front().version};
  for (size_t i = 0; i < shards.front().files.size(); ++i)
    for (CheckDocument &shard : shards)
      if (i < shard.files.size())
        whole.files.push_back(std::move(shard.files[i]));
  return whole;
}

} // namespace lsp::features
