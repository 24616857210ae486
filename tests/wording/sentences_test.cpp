// The words of the worker's findings: numbers, lists, and operands that may be missing.
#include "lsp/wording/sentences.h"

#include <gtest/gtest.h>

namespace lsp::wording {
namespace {

using analysis::wire::Finding;
using analysis::wire::Sentence;

std::string said(Sentence sentence, std::vector<std::string> operands = {}) {
  return messageOf({.words = {sentence, std::move(operands)}});
}

TEST(Sentences, CountInSingularAndPlural) {
  EXPECT_EQ(said(Sentence::MissingFeature, {"1", "avx2", "atom", ""}), "1 line needs avx2, which atom lacks");
  EXPECT_EQ(said(Sentence::MissingFeature, {"3", "avx2", "atom", "haswell"}),
            "3 lines need avx2, which atom lacks; haswell has it");
  EXPECT_EQ(said(Sentence::TooManyOutcomes, {"0", "2"}),
            "an iteration on this path has 0 branches inside the loop, not 2");
}

TEST(Sentences, ListNames) {
  EXPECT_EQ(said(Sentence::SharedModel, {"a", "b", "c"}),
            "LLVM has one scheduling model for a and b and c, and does not say for which of them it was written: all "
            "numbers in this file are estimates");
  EXPECT_TRUE(said(Sentence::SharedModel, {"a", "b", "c", "d", "e", "f"})
                  .starts_with("LLVM has one scheduling model for a and b, c, d and 2 more, and"));
  EXPECT_TRUE(said(Sentence::AssumedCpu, {"z14", "assumed", "#"}).ends_with("or the setting mca.cpu"));
  EXPECT_TRUE(said(Sentence::AssumedCpu, {"z14", "assumed", "#", "z15", "z16", "z13"})
                  .ends_with("or the setting mca.cpu, such as z15, z16 or z13"));
}

TEST(Sentences, OfLoopsElsewhereNameTheFilesWithMost) {
  const std::string one = "1 loop of the code is in functions of other files that were not inlined; no line here "
                          "calls them by name, or too many do";
  EXPECT_EQ(said(Sentence::LoopsElsewhere, {"1"}), one);
  EXPECT_EQ(said(Sentence::LoopsElsewhere, {"1", "1", "a.h"}), one + ": 1 in a.h");
  const std::string many = said(Sentence::LoopsElsewhere, {"9", "4", "a.h", "2", "b.h", "1", "c.h", "2", "2"});
  EXPECT_TRUE(many.starts_with("9 loops of the code are in")) << many;
  EXPECT_TRUE(many.ends_with(": 4 in a.h, 2 in b.h, 1 in c.h, 2 in 2 other files")) << many;
  EXPECT_TRUE(
      said(Sentence::LoopsElsewhere, {"9", "4", "a", "2", "b", "1", "c", "2", "1"}).ends_with(", 2 in 1 other file"));
  Finding finding{.related = {{.message = "f"}, {.message = ""}},
                  .words = {Sentence::LoopsElsewhere, {"2", "2", "a.h"}}};
  putIntoWords(finding);
  EXPECT_EQ(finding.related[0].message, "a loop of f");
  EXPECT_EQ(finding.related[1].message, "a loop");
}

TEST(Sentences, OfLlvmsParserAreItsOwnButForFilesThatAreNotRead) {
  EXPECT_EQ(said(Sentence::OfParser, {"unknown {0} token"}), "unknown {0} token");
  EXPECT_EQ(said(Sentence::OfParser, {"Could not find incbin file 'a'"}),
            "`.incbin` reads no file here: the bytes of 'a' are missing");
  EXPECT_NE(said(Sentence::MostlyUnread, {"12", "x86_64", "Could not find include file 'a'", "#"})
                .find("(the first: `.include` reads no file here, so that what 'a' defines is missing: let the "
                      "preprocessor include it, with `#include` in a .S file): if it is"),
            std::string::npos);
}

TEST(Sentences, OfTracesSayWhereAndInWhichText) {
  EXPECT_EQ(said(Sentence::TraceProblem, {"no branch in line 3", "1"}), "no branch in line 3 (a line of the assembly)");
  EXPECT_EQ(said(Sentence::TraceFileProblem, {"no label", "", "a.mcatrace", "2:43: ", "1"}),
            "the trace a.mcatrace does not fit this text: 2:43: no label");
  EXPECT_EQ(said(Sentence::TraceFileProblem, {"it is no regular file", "", "zero", "", ""}),
            "the trace zero cannot be read: it is no regular file");
  EXPECT_EQ(said(Sentence::NoOutcome, {"x"}),
            "expected `taken` or `not-taken` for each branch of an iteration, found `x`");
  EXPECT_EQ(said(Sentence::NoOutcome),
            "expected `taken` or `not-taken` for each branch of an iteration: `path taken,not-taken`");
}

// A worker that is about to crash may send anything.
TEST(Sentences, WithoutOperandsAreStillTexts) {
  for (uint8_t number = 1; number <= static_cast<uint8_t>(Sentence::Last); ++number)
    EXPECT_EQ(said(static_cast<Sentence>(number)).find_first_of("{}"), std::string::npos) << int{number};
  EXPECT_EQ(messageOf({.message = "of another program"}), "of another program");
}

} // namespace
} // namespace lsp::wording
