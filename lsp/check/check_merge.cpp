// Shard I of N has files I, I + N, I + 2N and so on (check_files.h), so that neighbours in a list, which are often of
// one kind, are spread over all shards. A merge takes one file of each shard in turn.
#include "lsp/check/check_merge.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace lsp {
namespace {

/// One file of the list: its results by each of its commands, and those of what was compiled as a part of it.
using ListedFile = std::vector<CheckFile>;

/// A list has each name once (check_files.h), so a result of another name that is no part begins another file.
std::vector<ListedFile> listedFilesOf(std::vector<CheckFile> files) {
  std::vector<ListedFile> listed;
  for (CheckFile &file : files) {
    if (listed.empty() || (file.through.empty() && file.name != listed.back().front().name))
      listed.emplace_back();
    listed.back().push_back(std::move(file));
  }
  return listed;
}

std::string describe(const CheckDocument &shard) {
  return "shard " + std::to_string(shard.shard.index) + "/" + std::to_string(shard.shard.count) + " of version " +
         shard.version;
}

/// Why the documents, in the order of their shards, are not all parts of one run; empty if they are. A shard that is
/// missing must not look like files without findings. `files` are those of each.
std::string problemOf(const std::vector<CheckDocument> &shards, const std::vector<std::vector<ListedFile>> &files) {
  if (shards.empty())
    return "there is nothing to merge";
  const uint32_t count = shards.front().shard.count;
  const auto shardOf = [&](size_t index) { return "shard " + std::to_string(index) + " of " + std::to_string(count); };
  for (size_t i = 0; i < shards.size(); ++i) {
    const CheckShard &shard = shards[i].shard;
    if (shard.count != count || shards[i].version != shards.front().version)
      return describe(shards[i]) + " and " + describe(shards.front()) + " are not parts of one run";
    if (shard.index > i + 1)
      return shardOf(i + 1) + " is missing";
    if (shard.index < i + 1)
      return shardOf(shard.index) + " is there twice";
    // Files are dealt out in turn: no shard has more of them than the one before it, nor two fewer than the first.
    if (i > 0 && (files[i].size() > files[i - 1].size() || files[i].size() + 1 < files.front().size()))
      return "the shards are not parts of one list of files";
  }
  return shards.size() == count ? "" : shardOf(shards.size() + 1) + " is missing";
}

/// The same of units, of which none knows how many there are: the Ninja file names them all.
std::string problemOfUnits(const std::vector<CheckDocument> &units) {
  std::set<std::string> names;
  for (const CheckDocument &unit : units) {
    if (!unit.isUnit || unit.files.empty() || unit.version != units.front().version)
      return "the results of single files and others are not parts of one run";
    if (!names.insert(unit.files.front().name).second)
      return unit.files.front().name + " is there twice";
  }
  return "";
}

std::optional<CheckDocument> mergeUnits(std::vector<CheckDocument> units, std::string &error) {
  error = problemOfUnits(units);
  if (!error.empty())
    return std::nullopt;
  CheckDocument whole{.version = units.front().version};
  for (CheckDocument &unit : units)
    std::ranges::move(unit.files, std::back_inserter(whole.files));
  return whole;
}

} // namespace

std::optional<CheckDocument> mergeShards(std::vector<CheckDocument> shards, std::string &error) {
  if (std::ranges::any_of(shards, &CheckDocument::isUnit))
    return mergeUnits(std::move(shards), error);
  std::ranges::stable_sort(shards, {}, [](const CheckDocument &document) { return document.shard.index; });
  std::vector<std::vector<ListedFile>> files;
  for (CheckDocument &shard : shards)
    files.push_back(listedFilesOf(std::move(shard.files)));
  error = problemOf(shards, files);
  if (!error.empty())
    return std::nullopt;
  CheckDocument whole{.version = shards.front().version};
  for (size_t i = 0; i < files.front().size(); ++i)
    for (std::vector<ListedFile> &ofShard : files)
      if (i < ofShard.size())
        std::ranges::move(ofShard[i], std::back_inserter(whole.files));
  return whole;
}

} // namespace lsp
