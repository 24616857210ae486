// The caveat for a chain that renaming invents.
#include "analysis/verdict/late_copies.h"

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
  EXPECT_EQ(
      lateCopyCaveat(report(16), limit(1), {13, 6}),
      "the chain goes through the copy `movq %rax, %rsi`: the model lets rsi wait for later writes of rax, which a "
      "CPU does not; 2.2 cycles per iteration if rsi keeps its value");
  EXPECT_NE(lateCopyCaveat(report(16), limit(3), {13, 6}).find("`movq %rax, %rsi` and 2 more like it:"),
            std::string::npos);
}

TEST(LateCopies, AreNotNamedWhereTheyMakeNoDifference) {
  EXPECT_EQ(lateCopyCaveat(report(16), limit(0), {2, 1}), "");
  EXPECT_EQ(lateCopyCaveat(report(16), limit(1), {31, 2}), "");
}

} // namespace
} // namespace analysis
