// The ways through a loop, on graphs of blocks that hold one instruction each.
#include "analysis/regions/loop_paths.h"
#include "tests/mca-core/parsed.h"

#include "llvm/ADT/StringExtras.h"

#include <cstdio>
#include <map>

namespace analysis {
namespace {

using mca::Strings;

/// "a: b c; b: a": blocks are letters in the order of the text, the first is the header.
mca::Loop loopOf(llvm::StringRef graph) {
  mca::Loop loop;
  llvm::SmallVector<llvm::StringRef> lines;
  graph.split(lines, ';');
  for (uint32_t i = 0; i < lines.size(); ++i) {
    mca::LoopBlock block{.begin = i, .end = i + 1};
    for (const char c : lines[i].split(':').second)
      if (c == 'a')
        block.isLatch = true;
      else if (c != ' ')
        block.successors.push_back(static_cast<uint32_t>(c - 'a'));
    loop.blocks.push_back(std::move(block));
    loop.instructions.push_back(i);
  }
  return loop;
}

/// "ab 0.9 ac 0.1".
BranchProbability probabilities(llvm::StringRef text) {
  std::map<std::pair<uint32_t, uint32_t>, double> known;
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ');
  for (size_t i = 0; i + 1 < words.size(); i += 2)
    known[{words[i][0] - 'a', words[i][1] - 'a'}] = std::stod(words[i + 1].str());
  return [known](uint32_t last, uint32_t to) -> std::optional<double> {
    const auto found = known.find({last, to});
    return found == known.end() ? std::nullopt : std::optional(found->second);
  };
}

/// "abd 0.90" for each path; "…" when there are more.
Strings paths(const mca::Loop &loop, const BranchProbability &probability, size_t limit = 8) {
  Strings result;
  const LoopPaths found = findLoopPaths(loop, probability, limit);
  for (const LoopPath &path : found.paths) {
    std::string text;
    for (const uint32_t instruction : path.instructions)
      text += static_cast<char>('a' + instruction);
    char share[32] = "";
    if (path.share)
      std::snprintf(share, sizeof share, " %.2f", *path.share);
    result.push_back(text + share);
  }
  if (!found.complete)
    result.push_back("…");
  return result;
}

Strings paths(llvm::StringRef graph, llvm::StringRef known = "", size_t limit = 8) {
  return paths(loopOf(graph), probabilities(known), limit);
}

/// `count` times an `if` with an `else`, one behind the other.
mca::Loop diamonds(uint32_t count) {
  mca::Loop loop;
  const auto add = [&](std::vector<uint32_t> successors, bool isLatch = false) {
    const auto at = static_cast<uint32_t>(loop.blocks.size());
    loop.instructions.push_back(at);
    loop.blocks.push_back({at, at + 1, std::move(successors), isLatch});
  };
  for (uint32_t i = 0; i < count; ++i) {
    add({3 * i + 1, 3 * i + 2});
    add({3 * i + 3});
    add({3 * i + 3});
  }
  add({}, true);
  return loop;
}

const BranchProbability kUnknown = [](uint32_t, uint32_t) { return std::nullopt; };

TEST(LoopPaths, OfOneBlock) {
  EXPECT_EQ(paths("a: a"), (Strings{"a"}));
  EXPECT_EQ(paths("a: a", "aa 0.97"), (Strings{"a 1.00"})) << "leaving the loop is no path through it";
}

TEST(LoopPaths, OfAnIf) {
  EXPECT_EQ(paths("a: b c; b: d; c: d; d: a"), (Strings{"abd", "acd"}));
  EXPECT_EQ(paths("a: b c; b: d; c: d; d: a", "ab 0.1 ac 0.9 bd 1 cd 1 da 0.99"), (Strings{"acd 0.90", "abd 0.10"}));
}

TEST(LoopPaths, OfAContinue) {
  EXPECT_EQ(paths("a: b a; b: a"), (Strings{"a", "ab"}));
  EXPECT_EQ(paths("a: b a; b: a", "aa 0.2 ab 0.7 ba 0.5"), (Strings{"ab 0.64", "a 0.36"}))
      << "of the iterations that go on, 0.35 against 0.2";
}

TEST(LoopPaths, SharesCountOnlyWhatStaysInTheLoop) {
  EXPECT_EQ(paths("a: b c; b: a; c: a", "ab 0.4 ac 0.4 ba 1 ca 0.5"), (Strings{"ab 0.67", "ac 0.33"}));
}

TEST(LoopPaths, HaveNoSharesWhereOneBranchIsUnknown) {
  EXPECT_EQ(paths("a: b c; b: d; c: d; d: a", "ab 0.1 ac 0.9 bd 1 da 0.99"), (Strings{"abd", "acd"}));
}

TEST(LoopPaths, ThatTheCompilerCallsImpossibleAreThere) {
  EXPECT_EQ(paths("a: b c; b: a; c: a", "ab 0 ac 1 ba 1 ca 1"), (Strings{"ac 1.00", "ab 0.00"}));
}

TEST(LoopPaths, NeverGoWhereThereIsNoWay) {
  EXPECT_EQ(paths(loopOf("a: b c; b: d; c: d; d: a"), probabilities("ab 1 ac -1 bd 1 cd 1 da 0.9")),
            (Strings{"abd 1.00"}));
}

TEST(LoopPaths, WithFewBranchesComeFirst) {
  EXPECT_EQ(paths("a: b d; b: c d; c: d; d: a"), (Strings{"ad", "abcd", "abd"}));
}

TEST(LoopPaths, FollowControlRatherThanLayout) {
  mca::Loop loop = loopOf("a: c; b: a; c: b");
  for (mca::LoopBlock &block : loop.blocks)
    block.isLatch = false;
  loop.headerBlock = 2; // "c"
  loop.blocks[0] = {.begin = 0, .end = 1, .isLatch = true};
  loop.blocks[1] = {.begin = 1, .end = 2, .successors = {0}};
  EXPECT_EQ(paths(loop, kUnknown), (Strings{"cba"}));
}

TEST(LoopPaths, StopAtTheLimit) {
  EXPECT_EQ(findLoopPaths(diamonds(3), kUnknown, 8).paths.size(), 8u);
  EXPECT_TRUE(findLoopPaths(diamonds(3), kUnknown, 8).complete);
  EXPECT_EQ(findLoopPaths(diamonds(3), kUnknown, 7).paths.size(), 7u);
  EXPECT_FALSE(findLoopPaths(diamonds(3), kUnknown, 7).complete);
}

TEST(LoopPaths, AreTheMostFrequentOnes) {
  EXPECT_EQ(paths("a: b c d; b: a; c: a; d: a", "ab 0.2 ac 0.5 ad 0.3 ba 1 ca 1 da 1", 2),
            (Strings{"ac 0.50", "ad 0.30", "…"}));
}

TEST(LoopPaths, OfACycleInsideGoRoundItNever) {
  EXPECT_EQ(paths("a: b c; b: c a; c: b a"), (Strings{"ab", "ac", "acb", "abc"}));
}

TEST(LoopPaths, WhatNeverComesBackIsNone) {
  EXPECT_EQ(paths("a: b c; b: b; c: a"), (Strings{"ac"}));
}

// Millions of paths are as likely as each other.
TEST(LoopPaths, OfManyBranchesAreFoundWithoutTryingAll) {
  for (const uint32_t count : {20u, 5000u}) {
    const LoopPaths found = findLoopPaths(diamonds(count), kUnknown, 8);
    ASSERT_EQ(found.paths.size(), 8u) << count;
    EXPECT_FALSE(found.complete);
    for (const LoopPath &path : found.paths)
      EXPECT_EQ(path.instructions.size(), 2 * count + 1);
    const LoopPaths weighted =
        findLoopPaths(diamonds(count), [](uint32_t last, uint32_t to) { return to == last + 1 ? 0.6 : 0.4; }, 8);
    ASSERT_EQ(weighted.paths.size(), 8u) << count;
    EXPECT_GE(*weighted.paths[0].share, *weighted.paths[1].share);
  }
}

TEST(LoopPaths, OfBranchesThatAllLeaveTheLoopAreFound) {
  mca::Loop loop = diamonds(5000);
  const LoopPaths found = findLoopPaths(loop, [](uint32_t, uint32_t) { return 0.1; }, 3);
  EXPECT_EQ(found.paths.size(), 3u);
}

TEST(LoopPaths, OfAHugeSwitch) {
  mca::Loop loop{.instructions = {0}, .blocks = {{.begin = 0, .end = 1}}};
  for (uint32_t i = 1; i <= 5000; ++i) {
    loop.blocks[0].successors.push_back(i);
    loop.instructions.push_back(i);
    loop.blocks.push_back({.begin = i, .end = i + 1, .isLatch = true});
  }
  const LoopPaths found = findLoopPaths(loop, [](uint32_t last, uint32_t to) { return last ? 1 : to / 12502500.0; }, 2);
  ASSERT_EQ(found.paths.size(), 2u);
  EXPECT_EQ(found.paths[0].instructions, (std::vector<uint32_t>{0, 5000}));
  EXPECT_FALSE(found.complete);
}

} // namespace
} // namespace analysis
