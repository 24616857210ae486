// Reasons of the compiler and fates of loops in words.
#include "lsp/wording/why_not_text.h"

#include <gtest/gtest.h>

namespace lsp::wording {
namespace {

const Text kText("a\nb\nc\n");

wire::WhyNot reason(std::string pass, std::string name, uint32_t line, std::vector<wire::WhyNot::Argument> more = {}) {
  return {.pass = std::move(pass),
          .name = std::move(name),
          .text = "loop not vectorized: the text",
          .at = {.path = "", .at = {2 * (line - 1), 2 * line - 1}, .line = line, .column = 1},
          .arguments = std::move(more)};
}

std::string words(std::vector<wire::WhyNot> reasons) {
  wire::Region region;
  region.whyNot = std::move(reasons);
  return whyNotInWords(region, kText);
}

TEST(WhyNotText, SaysTheDecisiveReasonWithItsLine) {
  EXPECT_EQ(words({}), "");
  EXPECT_EQ(words({reason("loop-vectorize", "CantReorderFPOps", 2)}),
            "Not vectorized: its floating-point operations may not be reordered (line 2).");
  EXPECT_EQ(words({reason("loop-vectorize", "UnsafeDep", 2), reason("loop-vectorize", "CantReorderFPOps", 3)}),
            "Not vectorized: an iteration may need what an earlier one stored (line 2).");
}

TEST(WhyNotText, SaysWhatClobbersALoad) {
  const wire::RemarkPlace store{.path = "", .at = {4, 5}, .line = 3, .column = 1};
  EXPECT_EQ(words({reason("licm", "LoadWithLoopInvariantAddressInvalidated", 1, {{"ClobberedBy", "store", store}})}),
            "Each iteration loads the same address again, as a store in the loop may change it (line 1; store in line "
            "3).");
  const wire::RemarkPlace header{.path = "/inc/v.h", .at = {}, .line = 12, .column = 1};
  EXPECT_EQ(
      words({reason("licm", "LoadWithLoopInvariantAddressInvalidated", 1, {{"ClobberedBy", "call", header}})}),
      "Each iteration loads the same address again, as a store in the loop may change it (line 1; call in v.h:12).");
}

TEST(WhyNotText, QuotesTheCompilerIfTheNameIsUnknown) {
  EXPECT_EQ(words({reason("loop-vectorize", "NewInLlvm99", 1)}),
            "Not vectorized: “the text”, says the compiler (line 1).");
}

TEST(WhyNotText, GccsMessagesCountByTheirBeginning) {
  EXPECT_EQ(words({reason("vect", "number of versioning for alias run-time tests exceeds 10", 1)}),
            "Not vectorized: too many checks whether arrays overlap would be needed (line 1).");
  EXPECT_EQ(inWords(reason("loop-vectorize", "UnsafeDepNew", 1)), "“the text”, says the compiler");
}

TEST(WhyNotText, EachNameHasOneRow) {
  for (const KnownRemark &one : knownRemarks()) {
    EXPECT_EQ(
        std::ranges::count_if(
            knownRemarks(), [&](const KnownRemark &other) { return other.pass == one.pass && other.name == one.name; }),
        1)
        << one.name;
    EXPECT_FALSE(one.words.ends_with('.')) << one.name;
  }
}

TEST(WhyNotText, SaysWhatBecameOfALoop) {
  using Kind = wire::LoopFate::Kind;
  const auto fates = [](std::vector<wire::LoopFate> all) { return fatesInWords({.at = {}, .fates = std::move(all)}); };
  EXPECT_EQ(fates({}), "");
  EXPECT_EQ(fates({{.kind = Kind::Unrolled, .iterations = 8, .callee = {}}}), "unrolled completely, 8 iterations");
  EXPECT_EQ(fates({{.kind = Kind::Unrolled, .callee = {}}}), "unrolled completely");
  EXPECT_EQ(fates({{.kind = Kind::LibraryCall, .callee = "memset"}}), "became a call of `memset`");
  EXPECT_EQ(fates({{.kind = Kind::LibraryCall, .callee = {}}, {.kind = Kind::NeverRuns, .callee = {}}}),
            "became a call of a library function; in another copy removed, as it never runs");
  EXPECT_EQ(vanishedInWords({}), "The compiled code has no machine loop of this statement.");
  EXPECT_EQ(
      vanishedInWords({.at = {}, .fates = {{.kind = Kind::Deleted, .callee = {}}}}),
      "The compiled code has no machine loop of this statement: removed, as its results are unused or were computed "
      "without a loop.");
}

} // namespace
} // namespace lsp::wording
