// Shards put together again.
#include "lsp/check/check_merge.h"
#include "tests/lsp/check_samples.h"

#include <gtest/gtest.h>

namespace lsp {
namespace {

using Names = std::vector<std::string>;

CheckDocument shard(uint32_t index, uint32_t count, const Names &names) {
  CheckDocument document{.version = "1", .shard = {index, count}};
  for (const std::string &name : names)
    document.files.push_back(checkedFile(name));
  return document;
}

Names merged(std::vector<CheckDocument> shards, std::string *why = nullptr) {
  std::string error;
  const std::optional<CheckDocument> whole = mergeShards(std::move(shards), error);
  if (why)
    *why = error;
  if (!whole)
    return {"error"};
  EXPECT_EQ(whole->shard, CheckShard());
  EXPECT_EQ(whole->version, "1");
  Names names;
  for (const CheckFile &file : whole->files)
    names.push_back(file.name);
  return names;
}

std::string problem(std::vector<CheckDocument> shards) {
  std::string why;
  EXPECT_EQ(merged(std::move(shards), &why), Names{"error"});
  return why;
}

TEST(Merge, TakesEachShardInTurn) {
  EXPECT_EQ(merged({shard(1, 3, {"a", "d", "g"}), shard(2, 3, {"b", "e"}), shard(3, 3, {"c", "f"})}),
            (Names{"a", "b", "c", "d", "e", "f", "g"}));
  EXPECT_EQ(merged({shard(2, 2, {"b"}), shard(1, 2, {"a", "c"})}), (Names{"a", "b", "c"})) << "in any order";
  EXPECT_EQ(merged({shard(1, 1, {"a", "b"})}), (Names{"a", "b"}));
  EXPECT_EQ(merged({shard(1, 3, {"a"}), shard(2, 3, {}), shard(3, 3, {})}), (Names{"a"}));
  EXPECT_EQ(merged({shard(1, 2, {}), shard(2, 2, {})}), Names{});
}

TEST(Merge, WantsEachShardOnce) {
  EXPECT_EQ(problem({}), "there is nothing to merge");
  EXPECT_EQ(problem({shard(1, 3, {}), shard(3, 3, {})}), "shard 2 of 3 is missing");
  EXPECT_EQ(problem({shard(2, 2, {})}), "shard 1 of 2 is missing");
  EXPECT_EQ(problem({shard(1, 2, {"a"})}), "shard 2 of 2 is missing");
  EXPECT_EQ(problem({shard(1, 2, {}), shard(1, 2, {}), shard(2, 2, {})}), "shard 1 of 2 is there twice");
}

TEST(Merge, WantsPartsOfOneRun) {
  EXPECT_EQ(problem({shard(1, 2, {}), shard(2, 3, {})}),
            "shard 2/3 of version 1 and shard 1/2 of version 1 are not parts of one run");
  CheckDocument other = shard(2, 2, {});
  other.version = "2";
  EXPECT_NE(problem({shard(1, 2, {}), other}), "");
  EXPECT_EQ(problem({shard(1, 2, {"a"}), shard(2, 2, {"b", "c"})}), "the shards are not parts of one list of files");
  EXPECT_EQ(problem({shard(1, 2, {"a", "b", "c"}), shard(2, 2, {"d"})}),
            "the shards are not parts of one list of files");
}

TEST(Merge, CommandsAndPartsStayWithTheirFile) {
  CheckDocument first = shard(1, 2, {"a", "a", "a.h", "c"}), second = shard(2, 2, {"b", "b.h", "a.h"});
  first.files[1].target.command = "with -mavx2";
  first.files[2].through = "a";
  second.files[1].through = second.files[2].through = "b";
  EXPECT_EQ(merged({first, second}), (Names{"a", "a", "a.h", "b", "b.h", "a.h", "c"}));
}

CheckDocument unit(const Names &names) {
  CheckDocument document = shard(1, 1, names);
  document.isUnit = true;
  return document;
}

TEST(Merge, TakesUnitsInTheirOrder) {
  EXPECT_EQ(merged({unit({"b", "b.h"}), unit({"a"}), unit({"c"})}), (Names{"b", "b.h", "a", "c"}));
  EXPECT_EQ(problem({unit({"a"}), unit({"b"}), unit({"a"})}), "a is there twice");
  EXPECT_NE(problem({unit({"a"}), shard(1, 1, {"b"})}), "");
  CheckDocument other = unit({"b"});
  other.version = "2";
  EXPECT_NE(problem({unit({"a"}), other}), "");
}

} // namespace
} // namespace lsp
