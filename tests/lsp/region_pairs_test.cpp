// Regions after edits: each is paired with itself, or with nothing.
#include "lsp/workspace/region_pairs.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace lsp {
namespace {

using analysis::wire::RegionKind;
using Partners = std::vector<std::optional<size_t>>;
constexpr std::nullopt_t kNone = std::nullopt;

RegionIdentity loop(std::string name, uint32_t position, uint64_t code = 0, uint64_t numbers = 0) {
  return {
      .name = std::move(name), .path = "", .loop = position, .code = code, .numbers = numbers, .position = position};
}

RegionIdentity path(std::string name, std::string through, uint32_t number, uint64_t code = 0) {
  return {.name = std::move(name),
          .path = std::move(through),
          .kind = RegionKind::Path,
          .loop = number,
          .code = code,
          .position = 10};
}

TEST(RegionPairs, LinesInNamesAreNotCompared) {
  const std::string name = "loop inlined into use at line ";
  EXPECT_EQ(pairRegions({loop(name + "18", 4), loop(name + "20", 9)}, {loop(name + "20", 6), loop(name + "22", 11)}),
            (Partners{0, 1}));
  // Both copies of one statement.
  EXPECT_EQ(pairRegions({loop(name + "8", 4), loop(name + "10", 4)}, {loop(name + "12", 6), loop(name + "10", 6)}),
            (Partners{1, 0}));
}

TEST(RegionPairs, NothingElseIsPaired) {
  const std::vector<RegionIdentity> before = {loop("loop in f", 1, 7)};
  for (const char *other : {"loop in f2", "loop in f<int>", "loop in f, remainder", "inlined loop in f",
                            "loop inlined into f at line 3", "loop in ns::f"})
    EXPECT_EQ(pairRegions(before, {loop(other, 1, 7)}), Partners{kNone}) << other;
  RegionIdentity marker = before.front();
  marker.kind = RegionKind::Marker;
  EXPECT_EQ(pairRegions(before, {marker}), Partners{kNone});
  EXPECT_EQ(pairRegions({loop("f2", 1)}, {loop("f3", 1)}), Partners{kNone});
  EXPECT_EQ(pairRegions({}, before), Partners{kNone});
  EXPECT_EQ(pairRegions(before, {}), Partners{});
}

TEST(RegionPairs, AMarkersNameIsItsAuthors) {
  RegionIdentity at7 = loop("copy at line 7", 1), at8 = loop("copy at line 8", 1);
  at7.kind = at8.kind = RegionKind::Marker;
  EXPECT_EQ(pairRegions({at7}, {at8}), Partners{kNone});
  EXPECT_EQ(pairRegions({at7, at8}, {at8, at7}), (Partners{1, 0}));
}

TEST(RegionPairs, NumbersOfLambdasAndCopiesMayChange) {
  for (const auto &[then, now] : std::vector<std::pair<std::string, std::string>>{
           {"loop in main::$_0::operator()", "loop in main::$_3::operator()"},
           {"loop in f(int)::'lambda'(int)::operator()", "loop in f(int)::'lambda2'(int)::operator()"},
           {"loop in {lambda(int)#1}::operator()", "loop in {lambda(int)#2}::operator()"},
           {"loop in main._omp_fn.0", "loop in main._omp_fn.11"},
           {"loop in f.constprop.0", "loop in f.constprop.1"},
           {"loop in g.llvm.123456", "loop in g.llvm.77"}})
    EXPECT_EQ(pairRegions({loop(then, 1)}, {loop(now, 1)}), Partners{0}) << now;
  // A lambda was added before the two: what was the first one has the name of the second.
  EXPECT_EQ(pairRegions({loop("$_0", 10, 1), loop("$_1", 20, 2)},
                        {loop("$_0", 5, 3), loop("$_1", 12, 1), loop("$_2", 22, 2)}),
            (Partners{kNone, 0, 1}));
}

TEST(RegionPairs, EqualInstructionsComeFirst) {
  const std::vector<RegionIdentity> before = {loop("f", 1, 11), loop("f", 5, 22), loop("f", 9, 33)};
  EXPECT_EQ(pairRegions(before, {loop("f", 1, 22), loop("f", 5, 33)}), (Partners{1, 2})) << "the first one is gone";
  EXPECT_EQ(pairRegions(before, {loop("f", 1, 33), loop("f", 5, 11), loop("f", 9, 22)}), (Partners{2, 0, 1}))
      << "moved";
  EXPECT_EQ(pairRegions(before, {loop("f", 1, 11), loop("f", 4, 44), loop("f", 8, 22), loop("f", 12, 33)}),
            (Partners{0, kNone, 1, 2}))
      << "one is new";
}

TEST(RegionPairs, AChangedLoopIsPairedByItsNeighbours) {
  EXPECT_EQ(pairRegions({loop("f", 1, 11), loop("f", 5, 22), loop("f", 9, 33)},
                        {loop("f", 1, 11), loop("f", 5, 99), loop("f", 9, 33)}),
            (Partners{0, 1, 2}));
  EXPECT_EQ(pairRegions({loop("f", 1, 11), loop("f", 5, 22), loop("f", 9, 33)},
                        {loop("f", 1, 11), loop("f", 5, 99), loop("f", 9, 98)}),
            (Partners{0, 1, 2}));
}

TEST(RegionPairs, AMovedLoopWithOtherRegistersIsTheOneWithItsNumbers) {
  EXPECT_EQ(pairRegions({loop("f", 1, 11, 5), loop("f", 5, 22, 6), loop("f", 9, 33, 7)},
                        {loop("f", 1, 22, 6), loop("f", 5, 99, 5), loop("f", 9, 33, 7)}),
            (Partners{1, 0, 2}));
}

TEST(RegionPairs, IdenticalLoopsAreInterchangeable) {
  const std::vector<RegionIdentity> two = {loop("f", 1, 11), loop("f", 5, 11)}, one = {loop("f", 3, 11)};
  EXPECT_EQ(pairRegions(two, two), (Partners{0, 1}));
  EXPECT_EQ(pairRegions(one, two), (Partners{0, kNone}));
  EXPECT_EQ(pairRegions(two, one), (Partners{0}));
}

TEST(RegionPairs, WhatNothingIdentifiesIsNew) {
  EXPECT_EQ(pairRegions({loop("f", 1, 11)}, {loop("f", 3, 22), loop("f", 9, 33)}), (Partners{kNone, kNone}));
  // The distance from a loop that is the same decides between two that are not.
  EXPECT_EQ(
      pairRegions({loop("f", 10, 11), loop("f", 15, 22)}, {loop("f", 12, 11), loop("f", 14, 77), loop("f", 17, 88)}),
      (Partners{0, kNone, 1}));
  EXPECT_EQ(
      pairRegions({loop("f", 10, 22), loop("f", 15, 11)}, {loop("f", 2, 77), loop("f", 12, 88), loop("f", 17, 11)}),
      (Partners{kNone, 0, 1}));
}

TEST(RegionPairs, NumbersStandInForUnknownInstructions) {
  const std::vector<RegionIdentity> before = {loop("f", 1, 0, 11), loop("f", 5, 0, 22), loop("f", 9, 0, 33)};
  EXPECT_EQ(pairRegions(before, {loop("f", 3, 7, 22), loop("f", 7, 8, 33)}), (Partners{1, 2}));
  EXPECT_EQ(pairRegions(before, {loop("f", 3, 7, 33), loop("f", 7, 8, 11), loop("f", 9, 8, 22)}), (Partners{2, 0, 1}));
  EXPECT_EQ(pairRegions({loop("f", 1), loop("f", 5)}, {loop("f", 3), loop("f", 7)}), (Partners{0, 1})) << "in order";
}

TEST(RegionPairs, PathsFollowTheirLoop) {
  // The second loop of the function has a path more than before; the first one's paths have changed their order.
  const std::vector<RegionIdentity> before = {path("f", "through line 7", 1, 1), path("f", "through line 9", 1, 2),
                                              path("f", "through line 20", 2, 3), path("f", "through line 22", 2, 4)};
  const std::vector<RegionIdentity> now = {path("f", "through line 12", 5, 2), path("f", "through line 10", 5, 1),
                                           path("f", "through line 23", 6, 33), path("f", "through line 25", 6, 44),
                                           path("f", "through line 27", 6, 5)};
  EXPECT_EQ(pairRegions(before, now), (Partners{1, 0, 2, 3, kNone}));
  EXPECT_EQ(pairRegions({path("f", "through lines 9, 150", 1), path("f", "through line 7", 1)},
                        {path("f", "through line 99", 1), path("f", "through lines 101, 242", 1)}),
            (Partners{1, 0}));
  EXPECT_EQ(pairRegions({loop("f", 10, 1)}, {path("f", "through line 7", 1, 1), path("f", "through line 9", 1, 2)}),
            (Partners{0, kNone}))
      << "the loop without its branch is one of its paths";
}

TEST(RegionPairs, AFunctionMayHaveAnyNumberOfLoops) {
  std::vector<RegionIdentity> before, now;
  for (uint32_t i = 0; i < 50'000; ++i) {
    before.push_back(loop("f", i, 1 + i % 7));
    now.push_back(loop("f", i, 1 + (i + 1) % 7));
  }
  const Partners partners = pairRegions(before, now);
  EXPECT_GT(std::ranges::count_if(partners, [](const auto &one) { return one.has_value(); }), 49'000);
}

/// Random edits of a file with functions of several loops, some of them identical.
class Edits {
public:
  explicit Edits(uint32_t seed) : random_(seed) {}

  uint32_t below(uint32_t limit) { return std::uniform_int_distribution<uint32_t>(0, limit - 1)(random_); }

  std::vector<RegionIdentity> file() {
    std::vector<RegionIdentity> regions;
    for (uint32_t i = 0, line = 1; i < 30; ++i) {
      line += 1 + below(9);
      const bool isInlined = below(3) == 0;
      regions.push_back(loop((isInlined ? "loop inlined into f" : "loop in f") + std::to_string(below(4)) +
                                 (isInlined ? " at line " + std::to_string(line + 200) : ""),
                             line, 1 + below(12), 1 + below(5)));
    }
    return regions;
  }

  /// Adds lines above each loop, and moves the lines in its name.
  std::vector<RegionIdentity> withLines(std::vector<RegionIdentity> regions) {
    uint32_t shift = 0;
    for (RegionIdentity &region : regions) {
      shift += below(4);
      region.position += shift;
      if (const size_t at = region.name.find("at line "); at != std::string::npos)
        region.name = region.name.substr(0, at + 8) + std::to_string(std::stoi(region.name.substr(at + 8)) + shift);
    }
    return regions;
  }

private:
  std::mt19937 random_;
};

TEST(RegionPairsProperty, LinesThatAreAddedChangeNothing) {
  for (uint32_t seed = 1; seed <= 300; ++seed) {
    Edits edits(seed);
    const std::vector<RegionIdentity> before = edits.file();
    std::vector<RegionIdentity> now = edits.withLines(before), unknown = before;
    Partners same(before.size());
    for (size_t i = 0; i < same.size(); ++i)
      same[i] = i;
    EXPECT_EQ(pairRegions(before, now), same) << seed;
    for (RegionIdentity &region : unknown)
      region.code = 0;
    EXPECT_EQ(pairRegions(unknown, now), same) << seed << ", a baseline without code";
    // One loop changes: all are still themselves.
    now[edits.below(static_cast<uint32_t>(now.size()))].code = 999;
    EXPECT_EQ(pairRegions(before, now), same) << seed;
  }
}

TEST(RegionPairsProperty, NoRegionIsPairedWithOtherCodeWhenOneComesOrGoes) {
  for (uint32_t seed = 1; seed <= 300; ++seed) {
    Edits edits(seed);
    std::vector<RegionIdentity> before = edits.file(), now = edits.withLines(before);
    now.erase(now.begin() + edits.below(static_cast<uint32_t>(now.size())));
    for (const auto &[old, fresh] : {std::pair(before, now), std::pair(now, before)}) {
      const Partners partners = pairRegions(old, fresh);
      std::vector<bool> isUsed(old.size());
      for (size_t i = 0; i < partners.size(); ++i)
        if (partners[i]) {
          EXPECT_EQ(old[*partners[i]].code, fresh[i].code) << seed;
          EXPECT_FALSE(isUsed[*partners[i]]);
          isUsed[*partners[i]] = true;
        }
      const auto paired = static_cast<size_t>(std::ranges::count(isUsed, true));
      EXPECT_EQ(paired, std::min(old.size(), fresh.size())) << seed;
    }
  }
}

} // namespace
} // namespace lsp
