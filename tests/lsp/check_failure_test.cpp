// --fail-on: which words there are, and what each fails on.
#include "lsp/check/check_failure.h"
#include "tests/lsp/check_samples.h"

#include <gtest/gtest.h>

namespace lsp {
namespace {

using analysis::wire::Severity;

bool failsOn(const std::vector<std::string> &words, Severity severity, const std::string &code = "call") {
  std::string unknown;
  const std::optional<FailOn> failOn = readFailOn(words, unknown);
  EXPECT_TRUE(failOn) << unknown;
  CheckFile file = checkedFile("a.s");
  file.findings = {checkedFinding(severity, code)};
  return failOn && fails({checkedFile("b.s"), file}, *failOn);
}

TEST(FailOn, SeveritiesIncludeGraverOnes) {
  EXPECT_TRUE(failsOn({"error"}, Severity::Error));
  EXPECT_FALSE(failsOn({"error"}, Severity::Warning));
  EXPECT_TRUE(failsOn({"warning"}, Severity::Error));
  EXPECT_TRUE(failsOn({"warning"}, Severity::Warning));
  EXPECT_FALSE(failsOn({"warning"}, Severity::Information));
  EXPECT_TRUE(failsOn({"information"}, Severity::Information));
  EXPECT_FALSE(failsOn({"information"}, Severity::Hint));
  EXPECT_TRUE(failsOn({"error", "warning"}, Severity::Warning)) << "the least of several counts";
  EXPECT_TRUE(failsOn({"warning", "error"}, Severity::Warning));
}

TEST(FailOn, CodesAndRegressions) {
  EXPECT_TRUE(failsOn({"call"}, Severity::Information));
  EXPECT_FALSE(failsOn({"call"}, Severity::Error, "compile-error"));
  EXPECT_TRUE(failsOn({"regression"}, Severity::Warning, "slower-than-baseline"));
  EXPECT_FALSE(failsOn({"regression"}, Severity::Error));
  EXPECT_TRUE(failsOn({"regression", "error"}, Severity::Error));
}

TEST(FailOn, HotRegressionsAreThoseOfLoopsThatTakeTime) {
  std::string unknown;
  const std::optional<FailOn> failOn = readFailOn({"hot-regression"}, unknown);
  ASSERT_TRUE(failOn);
  CheckFile file = checkedFile("a.s", {checkedRegion("loop in f", 4)});
  file.findings = {checkedFinding(Severity::Warning, "slower-than-baseline")};
  file.findings[0].at.line = file.regions[0].line;
  EXPECT_FALSE(fails({file}, *failOn)) << "no profile has it";
  file.regions[0].profile.share = 0.009;
  EXPECT_FALSE(fails({file}, *failOn));
  file.regions[0].profile.share = 0.01;
  EXPECT_TRUE(fails({file}, *failOn));
  file.findings[0].code = "call";
  EXPECT_FALSE(fails({file}, *failOn));
}

TEST(FailOn, Never) {
  EXPECT_FALSE(failsOn({"never"}, Severity::Error));
}

TEST(FailOn, UnknownWordsAreMistakes) {
  std::string unknown;
  EXPECT_FALSE(readFailOn({"error", "budget-exeeded"}, unknown));
  EXPECT_EQ(unknown, "budget-exeeded");
}

TEST(FailOn, ByDefaultErrorsAndBudgets) {
  CheckFile file = checkedFile("a.s");
  EXPECT_FALSE(fails({file}, defaultFailOn()));
  file.findings = {checkedFinding(Severity::Warning, "slower-than-baseline")};
  EXPECT_FALSE(fails({file}, defaultFailOn()));
  for (const char *code : {"budget-exceeded", "budget-unchecked"}) {
    file.findings = {checkedFinding(Severity::Warning, code)};
    EXPECT_TRUE(fails({file}, defaultFailOn())) << code;
  }
  file.findings = {checkedFinding(Severity::Error, "parse-error")};
  EXPECT_TRUE(fails({file}, defaultFailOn()));
}

} // namespace
} // namespace lsp
