#include "lsp/advice/loop_time.h"

#include <gtest/gtest.h>

namespace lsp {
namespace {

TEST(LoopTime, WhatTheBodyLeavesGoesThroughTheRemainder) {
  const WholeLoop loop{.parts = {{8, 4}, {1, 2}}, .exitCost = 10};
  EXPECT_EQ(loop.cycles(16), 8);          // the body alone
  EXPECT_EQ(loop.cycles(3), 6);           // the remainder alone
  EXPECT_EQ(loop.cycles(19), 8 + 6 + 10); // both, and the way from one to the other
}

TEST(LoopTime, ABodyWithoutARemainderDoesTheLastOnesAtOnce) {
  const WholeLoop loop{.parts = {{8, 4}}, .exitCost = 0};
  EXPECT_EQ(loop.cycles(9), 8);
}

TEST(LoopTime, AVectorBodyIsFasterFromSomeLengthOn) {
  const WholeLoop scalar{.parts = {{1, 1}}, .exitCost = 10};
  const WholeLoop vector{.parts = {{8, 2}, {1, 1}}, .exitCost = 10};
  const uint64_t from = fasterFrom(vector, scalar);
  EXPECT_LT(vector.cycles(from), scalar.cycles(from));
  EXPECT_GE(vector.cycles(from - 1), scalar.cycles(from - 1));
  EXPECT_EQ(fasterFrom({{{1, 1}}, 0}, {{{1, 2}}, 0}), 0u); // for each length
  EXPECT_EQ(fasterFrom(scalar, vector), kLongest);         // for none
}

} // namespace
} // namespace lsp
