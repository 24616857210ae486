// Iterations of the source's loop in one of the machine code's, where remarks and code agree, and the names of
// versions.
#include "analysis/regions/source_iterations.h"
#include "mca-core/program/loops.h"
#include "tests/mca-core/parsed.h"

namespace analysis {
namespace {

using mca::Parsed;
using mca::Strings;
using Kind = LoopRemark::Kind;

/// A loop whose accesses move that many bytes.
std::string moving(int bytes) {
  static int number = 0;
  const std::string label = ".L" + std::to_string(++number);
  return label + ":\nmovl (%rdi), %eax\naddq $" + std::to_string(bytes) + ", %rdi\njne " + label + "\n";
}

/// The same by a vector of 16 bytes.
std::string vectors(int bytes) {
  std::string text = moving(bytes);
  return text.replace(text.find("movl (%rdi), %eax"), 17, "movups (%rdi), %xmm0");
}

LoopRemark vectorized(uint32_t width, uint32_t interleave, uint32_t line = 3) {
  return {.path = "/d/a.c", .line = line, .kind = Kind::Vectorized, .width = width, .interleave = interleave};
}

LoopRemark unrolled(uint32_t by) {
  return {.path = "/d/a.c", .line = 3, .kind = Kind::Unrolled, .unroll = by};
}

LoopRemark byGcc(uint32_t bytes) {
  return {.path = "/d/a.c", .line = 3, .kind = Kind::Vectorized, .vectorBytes = bytes};
}

/// The loops of a text as regions of the statement on line 3 of a.c. With `paths`, two for each loop.
std::vector<Region> regionsOf(const Parsed &parsed, bool paths = false) {
  std::vector<Region> regions;
  uint32_t number = 0;
  for (const mca::Loop &loop : mca::findInnermostLoops({*parsed.target, *parsed.program})) {
    Region region;
    region.kind = paths ? wire::RegionKind::Path : wire::RegionKind::Loop;
    region.name = "loop in f";
    region.instructions = loop.instructions;
    region.code = {"/d/a.c", 3, 3};
    region.loop = number++;
    regions.push_back(region);
    if (paths)
      regions.push_back(region);
  }
  return regions;
}

/// "8 vector body ×8" of each region, with a star when it says that something cannot be reported.
Strings reported(const Parsed &parsed, std::vector<Region> regions, const std::vector<LoopRemark> &remarks) {
  findSourceIterations(*parsed.target, *parsed.program, remarks, regions);
  Strings result;
  for (const Region &region : regions)
    result.push_back(std::to_string(region.sourceIterations) + (region.caveats.empty() ? "" : "*") +
                     (region.variant.empty() ? "" : " " + region.variant));
  return result;
}

Strings reported(const std::string &text, const std::vector<LoopRemark> &remarks) {
  const Parsed parsed(mca::kX86, "skylake", text);
  return reported(parsed, regionsOf(parsed), remarks);
}

TEST(SourceIterations, OneWhereNothingWasDone) {
  EXPECT_EQ(reported(moving(4), {}), (Strings{"1"}));
  EXPECT_EQ(reported(moving(4), {{.path = "/d/a.c", .line = 3, .kind = Kind::Deleted}}), (Strings{"1"}));
}

TEST(SourceIterations, OfAVectorBodyAndItsRemainder) {
  EXPECT_EQ(reported(vectors(32) + moving(4), {vectorized(8, 1)}), (Strings{"8 vector body ×8", "1 remainder"}));
  EXPECT_EQ(reported(vectors(128) + moving(4), {vectorized(8, 4)}), (Strings{"32 vector body ×32", "1 remainder"}));
  EXPECT_EQ(reported(moving(4) + vectors(32), {vectorized(8, 1)}), (Strings{"1 remainder", "8 vector body ×8"}));
}

TEST(SourceIterations, OfSeveralAnswersTheOneWithARemainder) {
  EXPECT_EQ(reported(vectors(32) + moving(4), {vectorized(8, 1), unrolled(2)}),
            (Strings{"8 vector body ×8", "1 remainder"}));
}

TEST(SourceIterations, OfAVectorBodyAlone) {
  EXPECT_EQ(reported(vectors(32), {vectorized(8, 1)}), (Strings{"8 vector body ×8"}));
}

TEST(SourceIterations, OfAVectorRemainderBetween) {
  EXPECT_EQ(reported(vectors(64) + vectors(16) + moving(2), {vectorized(8, 4), vectorized(8, 1)}),
            (Strings{"32 vector body ×32", "8 vector body ×8", "1 remainder"}));
}

TEST(SourceIterations, OfAnUnrolledLoop) {
  EXPECT_EQ(reported(moving(16) + moving(4), {unrolled(4)}), (Strings{"4 unrolled ×4", "1 remainder"}));
  EXPECT_EQ(reported(moving(16), {unrolled(4)}), (Strings{"4 unrolled ×4"}));
}

TEST(SourceIterations, AreNotToldWhereSeveralAnswersFit) {
  EXPECT_EQ(reported(moving(64) + moving(32), {vectorized(8, 1), unrolled(2)}),
            (Strings{"0* copy 1 of 2", "0* copy 2 of 2"}));
  EXPECT_EQ(reported(moving(32), {vectorized(8, 1), unrolled(2)}).front().substr(0, 2), "0*");
}

TEST(SourceIterations, AreNotToldWhereTheCodeDisagrees) {
  EXPECT_EQ(reported(moving(32) + moving(12), {vectorized(8, 1)}), (Strings{"0* copy 1 of 2", "0* copy 2 of 2"}));
  EXPECT_EQ(reported(moving(32) + moving(4), {}), (Strings{"0* copy 1 of 2", "0* copy 2 of 2"})) << "nothing was said";
  LoopRemark scalable = vectorized(4, 1);
  scalable.scalable = true;
  EXPECT_EQ(reported(moving(32), {scalable}), (Strings{"0*"}));
  EXPECT_EQ(reported(moving(32), {unrolled(0)}), (Strings{"0*"}));
}

TEST(SourceIterations, OfVersionsThatMoveAlike) {
  EXPECT_EQ(reported(moving(4) + moving(4), {}), (Strings{"1 copy 1 of 2", "1 copy 2 of 2"}));
}

TEST(SourceIterations, RemarksOfOtherPlacesDoNotCount) {
  EXPECT_EQ(reported(moving(32), {vectorized(8, 1, 2), vectorized(8, 1, 4)}), (Strings{"1"}));
  LoopRemark elsewhere = vectorized(8, 1);
  elsewhere.path = "/d/b.c";
  EXPECT_EQ(reported(moving(32), {elsewhere}), (Strings{"1"}));
  elsewhere.path = "/link/a.c";
  EXPECT_EQ(reported(vectors(32), {elsewhere}), (Strings{"8 vector body ×8"})) << "the same file by another way";
}

/// The same with the copies that clang counts in each loop, and perhaps a loop on line 1 around them.
Strings reported(const std::string &text, const std::vector<uint32_t> &copies, const std::vector<LoopRemark> &remarks,
                 bool isNested = false) {
  const Parsed parsed(mca::kX86, "skylake", text);
  std::vector<Region> regions = regionsOf(parsed);
  for (size_t i = 0; i < regions.size(); ++i) {
    regions[i].duplication = copies[i];
    if (isNested)
      regions[i].around = {{"/d/a.c", 1, 1, true}};
  }
  return reported(parsed, regions, remarks);
}

TEST(SourceIterations, AsClangCountsItsCopies) {
  EXPECT_EQ(reported(vectors(64) + vectors(32) + moving(4), {16, 8, 1}, {vectorized(8, 1), unrolled(2)}),
            (Strings{"16 vector body ×16", "8 vector body ×8", "1 remainder"}));
  EXPECT_EQ(reported(moving(64) + moving(32), {2, 1}, {unrolled(2)}), (Strings{"2 unrolled ×2", "1 remainder"}));
  EXPECT_EQ(reported(moving(4), {1}, {vectorized(8, 1)}), (Strings{"1"})) << "what the vectors left";
  EXPECT_EQ(reported(moving(4) + moving(4), {1, 1}, {}), (Strings{"1 copy 1 of 2", "1 copy 2 of 2"}));
}

// clang's fallback for arrays that overlap does as many iterations at once as its vectors, in single numbers.
TEST(SourceIterations, AFallbackIsNoVectorBody) {
  const std::vector<LoopRemark> remarks{vectorized(2, 2), unrolled(4)};
  EXPECT_EQ(reported(vectors(16) + moving(4) + moving(16), {4, 1, 4}, remarks),
            (Strings{"4 vector body ×4", "1 remainder", "4 unrolled ×4"}));
  EXPECT_EQ(reported(moving(16) + vectors(16), {4, 4}, remarks), (Strings{"4 unrolled ×4", "4 vector body ×4"}));
  EXPECT_EQ(reported(moving(16), {4}, remarks), (Strings{"4 unrolled ×4"}));
  EXPECT_EQ(reported(vectors(16) + moving(32) + moving(4), {4, 8, 1}, {vectorized(4, 1), unrolled(8)}),
            (Strings{"4 vector body ×4", "8 unrolled ×8", "1 remainder"}));
  EXPECT_EQ(
      reported(vectors(128) + vectors(32) + moving(32) + moving(4), {32, 8, 8, 1}, {vectorized(8, 4), unrolled(8)}),
      (Strings{"32 vector body ×32", "8 vector body ×8", "8 unrolled ×8", "1 remainder"}))
      << "what the vectors left is done by shorter ones";
  std::string converting = moving(16); // from integers of 64 bits, in registers
  converting.replace(converting.find("movl"), 4, "subpd %xmm1, %xmm0\nmovl");
  EXPECT_EQ(reported(vectors(16) + converting, {4, 4}, remarks), (Strings{"4 vector body ×4", "4 unrolled ×4"}));
}

TEST(SourceIterations, AsClangCountsWhereItsRemarksStandElsewhere) {
  EXPECT_EQ(reported(vectors(8) + moving(1), {8, 1}, {}), (Strings{"8 vector body ×8", "1 remainder"}));
  EXPECT_EQ(reported(moving(16), {4}, {}), (Strings{"0*"})) << "perhaps copies of a loop around it";
  EXPECT_EQ(reported(moving(64) + moving(4), {16, 1}, {}), (Strings{"16 unrolled ×16", "1 remainder"}));
}

TEST(SourceIterations, AreNotToldWhereCountAndCodeDisagree) {
  EXPECT_EQ(reported(moving(32) + moving(4), {4, 1}, {}), (Strings{"0* copy 1 of 2", "0* copy 2 of 2"}));
  EXPECT_EQ(reported(moving(32) + moving(4), {0, 2}, {vectorized(8, 1)}),
            (Strings{"0* copy 1 of 2", "0* copy 2 of 2"}));
  EXPECT_EQ(reported(vectors(32) + moving(4), {0, 1}, {vectorized(8, 1)}),
            (Strings{"8 vector body ×8", "1 remainder"}));
}

TEST(SourceIterations, CopiesOfTheWholeLoopAreNone) {
  LoopRemark around = {.path = "/d/a.c", .line = 1, .kind = Kind::FullyUnrolled, .unroll = 3};
  EXPECT_EQ(reported(moving(4) + moving(4), {3, 3}, {around}, true), (Strings{"1 copy 1 of 2", "1 copy 2 of 2"}));
  EXPECT_EQ(reported(vectors(32) + moving(4), {24, 3}, {around, vectorized(8, 1)}, true),
            (Strings{"8 vector body ×8", "1 remainder"}));
  EXPECT_EQ(reported(moving(32) + moving(4), {8, 1}, {around}, true), (Strings{"8 unrolled ×8", "1 remainder"}))
      << "one version was copied once";
  around.line = 2;
  EXPECT_EQ(reported(moving(12), {3}, {around, unrolled(3)}, true), (Strings{"3 unrolled ×3"}))
      << "that loop is not around it";
}

TEST(SourceIterations, AreNotToldInAnOuterLoopThatWasTransformed) {
  const LoopRemark gone = {.path = "/d/a.c", .line = 3, .kind = Kind::FullyUnrolled, .unroll = 4};
  EXPECT_EQ(reported(moving(64), {0}, {gone, vectorized(4, 1, 1)}, true), (Strings{"0*"}));
  EXPECT_EQ(reported(moving(64), {16}, {gone, vectorized(4, 1, 1)}, true), (Strings{"0*"}));
  EXPECT_EQ(reported(moving(4), {0}, {gone}, true), (Strings{"1"}));
}

TEST(SourceIterations, WithGccsFactors) {
  const auto inVectors = [](uint32_t bytes, uint32_t iterations) {
    LoopRemark remark = byGcc(bytes);
    remark.width = iterations;
    return remark;
  };
  const auto wide = [](int bytes, const char *access) {
    std::string text = moving(bytes);
    return text.replace(text.find("movl (%rdi), %eax"), 17, access);
  };
  const std::string body = wide(16, "movups (%rdi), %xmm0"), half = wide(8, "movq (%rdi), %xmm0\naddps %xmm1, %xmm0");
  EXPECT_EQ(reported(body, {inVectors(16, 4)}), (Strings{"4 vector body ×4"}));
  EXPECT_EQ(reported(body, {inVectors(16, 4), inVectors(8, 2)}), (Strings{"4 vector body ×4"}));
  EXPECT_EQ(reported(body + half + moving(4), {inVectors(16, 4), inVectors(8, 2)}),
            (Strings{"4 vector body ×4", "2 vector body ×2", "1 remainder"}));
  EXPECT_EQ(reported(moving(4), {inVectors(16, 4)}), (Strings{"1"})) << "what the vectors left";
  EXPECT_EQ(reported(moving(16), {inVectors(16, 4)}), (Strings{"0*"})) << "a vector's elements, or one number of four";
  EXPECT_EQ(reported(moving(16) + moving(4), {inVectors(16, 4)}), (Strings{"4 unrolled ×4", "1 remainder"}));
  EXPECT_EQ(reported(half, {inVectors(16, 4), inVectors(8, 2)}), (Strings{"0*"}))
      << "a vector or a number of eight bytes";
  EXPECT_EQ(reported(body, {inVectors(32, 8)}), (Strings{"0*"})) << "no access has the vectors' width";
  EXPECT_EQ(reported(wide(32, "vmovups (%rdi), %ymm0"), {inVectors(16, 4)}), (Strings{"0*"})) << "wider than they were";
  EXPECT_EQ(reported(wide(64, "movups (%rdi), %xmm0"), {inVectors(16, 4), unrolled(4)}).front().substr(0, 2), "0*");
  EXPECT_EQ(reported(body, {inVectors(16, 1)}), (Strings{"1"})) << "the vectors are within one iteration";
  EXPECT_EQ(reported(body, {byGcc(16), inVectors(16, 4)}).front(), "0*") << "one of two is not reported";
}

TEST(SourceIterations, WithGcc) {
  EXPECT_EQ(reported(vectors(16) + moving(4), {byGcc(16)}), (Strings{"4 vector body ×4", "1 remainder"}));
  EXPECT_EQ(reported(moving(16), {byGcc(16)}), (Strings{"0*"})) << "of how many elements is not said";
  EXPECT_EQ(reported(moving(16) + moving(12), {byGcc(16)}).front().substr(0, 2), "0*");
}

TEST(SourceIterations, OfPaths) {
  const Parsed parsed(mca::kX86, "skylake", vectors(32) + moving(4));
  EXPECT_EQ(reported(parsed, regionsOf(parsed, true), {vectorized(8, 1)}),
            (Strings{"8 vector body ×8", "8 vector body ×8", "1 remainder", "1 remainder"}));
  std::vector<Region> uneven = regionsOf(parsed, true);
  uneven[1].instructions.erase(uneven[1].instructions.begin() + 1); // the addition
  EXPECT_EQ(reported(parsed, uneven, {vectorized(8, 1)}).front().substr(0, 2), "0*")
      << "one path moves, the other does not";
}

TEST(SourceIterations, OfOtherStatementsAndFunctionsAreApart) {
  const Parsed parsed(mca::kX86, "skylake", vectors(32) + moving(4));
  std::vector<Region> regions = regionsOf(parsed);
  regions[1].name = "loop in g";
  EXPECT_EQ(reported(parsed, regions, {vectorized(8, 1)}), (Strings{"0*", "1"})) << "neither is the other's remainder";
  regions[1].name = regions[0].name;
  regions[1].anchor = 70;
  regions[1].code = {"/d/a.c", 9, 9};
  EXPECT_EQ(reported(parsed, regions, {vectorized(8, 1)}), (Strings{"8 vector body ×8", "1"}));
}

TEST(SourceIterations, MarkersAreNoLoops) {
  const Parsed parsed(mca::kX86, "skylake", moving(32));
  std::vector<Region> regions = regionsOf(parsed);
  regions[0].kind = wire::RegionKind::Marker;
  EXPECT_EQ(reported(parsed, regions, {vectorized(8, 1)}), (Strings{"1"}));
}

TEST(SourceIterations, ARemarkMayBeAboutAnotherFunctionOfTheSamePlace) {
  const Parsed parsed(mca::kX86, "skylake", vectors(4) + vectors(16));
  std::vector<Region> regions = regionsOf(parsed);
  EXPECT_EQ(reported(parsed, {regions.front()}, {vectorized(4, 1)}), (Strings{"4 vector body ×4"}))
      << "there is no other";
  regions.back().name = "loop in g";
  EXPECT_EQ(reported(parsed, regions, {vectorized(4, 1)}), (Strings{"0*", "0*"}));
  regions.front().duplication = 1;
  regions.back().duplication = 4;
  EXPECT_EQ(reported(parsed, regions, {vectorized(4, 1)}), (Strings{"1", "4 vector body ×4"}));
}

} // namespace
} // namespace analysis
