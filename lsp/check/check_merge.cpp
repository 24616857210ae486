#include "lsp/check/check_merge.h"

#include <algorithm>
#include <iterator>

namespace lsp::features {
namespace {

using protocol::CheckDocument;

/// A file as it was dealt out: with what each of its commands made of it, and with what was compiled as a part of it.
using Dealt = std::vector<protocol::CheckFile>;

std::vector<Dealt> dealtOf(std::vector<protocol::CheckFile> files) {
  std::vector<Dealt> dealt;
  for (protocol::CheckFile &file : files) {
    if (dealt.empty() || (file.through.empty() && file.name != dealt.back().front().name))
      dealt.emplace_back();
    dealt.back().push_back(std::move(file));
  }
  return dealt;
}

std::string nameOf(const protocol::CheckShard &shard) {
  return std::to_string(shard.index) + "/" + std::to_string(shard.count);
}

/// Why the documents, in the order of their shards, are not all parts of one run; empty when they are. `dealt` are the
/// files of each.
std::string problemOf(const std::vector<CheckDocument> &shards, const std::vector<std::vector<Dealt>> &dealt) {
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
    if (i > 0 && (dealt[i].size() > dealt[i - 1].size() || dealt[i].size() + 1 < dealt.front().size()))
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
  std::vector<std::vector<Dealt>> dealt;
  for (CheckDocument &shard : shards)
    dealt.push_back(dealtOf(std::move(shard.files)));
  error = problemOf(shards, dealt);
  if (!error.empty())
    return std::nullopt;
  CheckDocument whole{.version = shards.front().version};
  for (size_t i = 0; i < dealt.front().size(); ++i)
    for (std::vector<Dealt> &files : dealt)
      if (i < files.size())
        std::move(files[i].begin(), files[i].end(), std::back_inserter(whole.files));
  return whole;
}

} // namespace lsp::features
