// The caveat for a chain that renaming invents.
#include "analysis/job/late_copies.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

mca::Report report(uint64_t cycles) {
  mca::Report report;
  report.summary.rate = {cycles, 1};
  report.instructions.resize(1);
  report.instructions[0].text = "movq\t%rax, %rsi";
  return report;
}

mca::DataflowLimit limit(size_t copies) {
  mca::DataflowLimit limit;
  limit.lateCopies.assign(copies, {.move = 0, .name = "%rsi", .source = "%rax"});
  return limit;
}

TEST(LateCopies, AreNamedWithTheNumberWithoutThem) {
  const std::optional<wire::Caveat> caveat = lateCopyCaveat(report(16), limit(1), {13, 6});
  ASSERT_TRUE(caveat);
  EXPECT_EQ(caveat->kind, wire::Caveat::Kind::LateCopy);
  EXPECT_EQ(caveat->names, (std::vector<std::string>{"movq %rax, %rsi", "%rax", "%rsi"}));
  EXPECT_EQ(caveat->count, 0u);
  EXPECT_DOUBLE_EQ(caveat->cycles, 13.0 / 6);
  const std::optional<wire::Caveat> three = lateCopyCaveat(report(16), limit(3), {13, 6});
  ASSERT_TRUE(three);
  EXPECT_EQ(three->names, caveat->names);
  EXPECT_EQ(three->count, 2u) << "more like it";
}

TEST(LateCopies, AreNotNamedWhereTheyMakeNoDifference) {
  EXPECT_EQ(lateCopyCaveat(report(16), limit(0), {2, 1}), std::nullopt);
  EXPECT_EQ(lateCopyCaveat(report(16), limit(1), {31, 2}), std::nullopt);
}

} // namespace
} // namespace analysis
