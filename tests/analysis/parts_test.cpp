// A result in parts: together they say what the whole says, and only what has changed is told again.
#include "analysis/job/analyzer.h"
#include "analysis/wire/codec.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

using wire::AnalysisResult;
using wire::AnalyzeRequest;

const std::string kText = "# mca: triple=x86_64-linux-gnu cpu=skylake\n"
                          "  .type f,@function\n"
                          "f:\n"
                          ".Lf:\n"
                          "  addl (%rdi), %eax\n"
                          "  call g\n"
                          "  decl %ecx\n"
                          "  jne .Lf\n"
                          "  ret\n"
                          "  .type h,@function\n"
                          "h:\n"
                          ".Lh:\n"
                          "  imull %edx, %edx\n"
                          "  decl %ecx\n"
                          "  jne .Lh\n"
                          "  ret\n";

AnalyzeRequest requestOf(const std::string &text) {
  return {.id = 1, .path = "/a.s", .text = text, .inParts = true};
}

std::vector<uint64_t> idsOf(const AnalysisResult &result) {
  std::vector<uint64_t> ids;
  for (const wire::Part &part : result.parts)
    ids.push_back(part.id);
  return ids;
}

class PartsTest : public testing::Test {
protected:
  AnalysisResult run(const AnalyzeRequest &request) {
    return analyzer.run(request, {}, [](const wire::Progress &) {});
  }
  /// Which of the parts are kept when those of kText are known.
  std::vector<bool> keptOf(AnalyzeRequest request) {
    request.knownParts = idsOf(run(requestOf(kText)));
    std::vector<bool> kept;
    for (const wire::Part &part : run(request).parts) {
      kept.push_back(part.kept);
      EXPECT_EQ(part.hints.empty(), part.kept);
      EXPECT_EQ(part.regions.empty(), part.kept);
    }
    return kept;
  }
  static std::string replaced(const std::string &what, const std::string &with) {
    std::string text = kText;
    return text.replace(text.find(what), what.size(), with);
  }
  using Kept = std::vector<bool>;
  Analyzer analyzer;
};

TEST_F(PartsTest, TogetherTheySayWhatTheWholeSays) {
  AnalysisResult parted = run(requestOf(kText));
  AnalyzeRequest request = requestOf(kText);
  request.inParts = false;
  AnalysisResult whole = run(request);
  ASSERT_EQ(parted.parts.size(), 2u);
  EXPECT_TRUE(whole.parts.empty());
  EXPECT_TRUE(parted.hints.empty());
  for (wire::Part &part : parted.parts) {
    parted.hints.push_back(part.hints.at(0));
    parted.hovers.push_back(part.hovers.at(0));
    parted.regions.push_back(part.regions.at(0));
    parted.findings.insert(parted.findings.end(), part.findings.begin(), part.findings.end());
  }
  parted.parts.clear();
  parted.analysisMicros = whole.analysisMicros;
  EXPECT_EQ(wire::encode(wire::FromWorker(parted)), wire::encode(wire::FromWorker(whole)));
}

TEST_F(PartsTest, APartHasTheLinesOfItsPlaces) {
  const AnalysisResult result = run(requestOf(kText));
  ASSERT_EQ(result.parts.size(), 2u);
  const wire::Part &part = result.parts[1];
  EXPECT_EQ(kText.substr(part.text.begin, part.text.end - part.text.begin),
            ".Lh:\n  imull %edx, %edx\n  decl %ecx\n  jne .Lh");
  EXPECT_EQ(part.line, 11u);
}

TEST_F(PartsTest, WhatIsKnownIsKept) {
  EXPECT_EQ(keptOf(requestOf(kText)), (Kept{true, true}));
}

TEST_F(PartsTest, AnEditCostsItsOwnPart) {
  EXPECT_EQ(keptOf(requestOf(replaced("imull %edx, %edx", "imull %edx, %ebx"))), (Kept{true, false}));
  EXPECT_EQ(keptOf(requestOf(replaced("addl (%rdi), %eax", "addl 4(%rdi), %eax"))), (Kept{false, true}));
  EXPECT_EQ(keptOf(requestOf(replaced("  ret\n  .type h", "  retq\n  .type h"))), (Kept{true, true}));
  EXPECT_EQ(keptOf(requestOf(replaced("call g", "call g # a comment"))), (Kept{false, true}));
}

// Lines are named in what is said.
TEST_F(PartsTest, ANewLineCostsAllBelow) {
  EXPECT_EQ(keptOf(requestOf(replaced("  ret\n  .type h", "  ret\n\n  .type h"))), (Kept{true, false}));
}

TEST_F(PartsTest, AnotherFunctionNameCostsItsLoops) {
  EXPECT_EQ(keptOf(requestOf(replaced("  .type h,@function\nh:", "  .type k,@function\nk:"))), (Kept{true, false}));
}

TEST_F(PartsTest, OtherSettingsCostAll) {
  AnalyzeRequest request = requestOf(kText);
  request.settings.cpus = {"znver4"};
  EXPECT_EQ(keptOf(request), (Kept{false, false}));
  request = requestOf(kText);
  request.settings.listings = true;
  EXPECT_EQ(keptOf(request), (Kept{false, false}));
  request = requestOf(kText);
  request.settings.iterations = 7;
  EXPECT_EQ(keptOf(request), (Kept{false, false}));
  EXPECT_EQ(keptOf(requestOf(replaced("cpu=skylake", "cpu=haswell"))), (Kept{false, false}));
}

TEST_F(PartsTest, OtherNumbersToCompareWithCostTheirParts) {
  const AnalysisResult whole = run(requestOf(kText));
  AnalyzeRequest request = requestOf(kText);
  request.before = {{"the last save", {{whole.parts.at(1).regions.at(0).name, 77, 0.1, 1}}, "skylake"}};
  EXPECT_EQ(keptOf(request), (Kept{true, false}));
}

TEST_F(PartsTest, DocumentsAndBudgetsAreMadeOfTheWhole) {
  AnalyzeRequest request = requestOf(kText);
  request.documents = {{wire::DocumentKind::Report, 60}};
  EXPECT_TRUE(run(request).parts.empty());
  const std::string budget = "# LLVM-MCA-BEGIN a\n# mca: cycles<=9\n  addl %eax, %eax\n# LLVM-MCA-END a\n";
  const AnalysisResult budgeted = run(requestOf(kText + budget));
  EXPECT_TRUE(budgeted.parts.empty());
  EXPECT_FALSE(budgeted.regions.empty());
}

} // namespace
} // namespace analysis
