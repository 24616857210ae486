// What mca-measure says of two versions of a function.
#include "lsp/tasks/same_check.h"

#include <gtest/gtest.h>

namespace lsp {
namespace {

TEST(SameCheck, ReadsWhatMcaMeasureSays) {
  const SameResults same = readSameResults(R"({"same":true,"runs":412,"overlapping":90,"discarded":3})");
  EXPECT_EQ(same.refused, "");
  EXPECT_FALSE(same.differs || same.differsOverlapping);
  EXPECT_EQ(same.runs, 412u);
  const SameResults differs =
      readSameResults(R"({"same":false,"runs":9,"differs":{"run":4,"overlap":false,"onlyNaN":false}})");
  EXPECT_TRUE(differs.differs);
  EXPECT_FALSE(differs.differsOverlapping);
  const SameResults overlap = readSameResults(R"({"same":false,"runs":9,"differs":{"overlap":true,"onlyNaN":false}})");
  EXPECT_FALSE(overlap.differs);
  EXPECT_TRUE(overlap.differsOverlapping);
  EXPECT_EQ(readSameResults(R"({"runs":0,"refused":"it calls expf"})").refused, "it calls expf");
}

/// The language leaves the bits of NaN open, and a compiler that swaps two operands changes them.
TEST(SameCheck, BitsOfNanAreNoDifference) {
  const SameResults nan = readSameResults(
      R"({"same":false,"runs":9,"differs":{"overlap":false,"onlyNaN":true},"overlapDiffers":{"overlap":true,"onlyNaN":true}})");
  EXPECT_FALSE(nan.differs || nan.differsOverlapping);
}

TEST(SameCheck, WhatIsNoReplyIsARefusal) {
  for (const char *reply : {"", "[]", "{}", R"({"same":true,"runs":-1})", R"({"same":true,"runs":"9"})"})
    EXPECT_NE(readSameResults(reply).refused, "") << reply;
}

} // namespace
} // namespace lsp
