// An analysis that comes in parts: what edits leave whole, and how it is put together again.
#include "lsp/workspace/document.h"

#include <gtest/gtest.h>

namespace lsp {
namespace {

using analysis::wire::ByteRange;
using analysis::wire::Part;
using protocol::PositionEncoding;

/// Six lines of six bytes.
constexpr const char *kText = "line0\nline1\nline2\nline3\nline4\nline5\n";

constexpr ByteRange lines(uint32_t first, uint32_t last) {
  return {6 * first, 6 * last + 5};
}

/// A part that speaks of some lines with `what`.
Part part(uint64_t id, uint32_t first, uint32_t last, const std::string &what) {
  Part made{.id = id, .line = first, .text = lines(first, last)};
  made.hints.push_back({.offset = 6 * first, .parts = {{what, {}}}});
  made.findings.push_back({.at = lines(first, first), .code = what});
  made.hovers.push_back({.at = lines(first, last), .contents = {{.text = what}}});
  made.regions.push_back({.name = what, .at = lines(first, last)});
  return made;
}

Part keptPart(uint64_t id) {
  return {.id = id, .kept = true};
}

/// Everything that is said, and where: "loop hint@6 …".
std::vector<std::string> said(const Document &document) {
  std::vector<std::string> all;
  const lsp::Analysis &analysis = document.analysis();
  const auto add = [&](const std::string &kind, const std::string &what, uint32_t at) {
    all.push_back(kind + " " + what + "@" + std::to_string(at));
  };
  for (const auto &hint : analysis.hints)
    add("hint", hint.label(), hint.offset);
  for (const auto &finding : analysis.findings)
    add("finding", finding.code, finding.at.begin);
  for (const auto &hover : analysis.hovers)
    add("hover", hover.contents[0].text, hover.at.begin);
  for (const auto &region : analysis.regions)
    add("region", region.name, region.at.begin);
  return all;
}

class AnalysisInParts : public testing::Test {
protected:
  AnalysisInParts() {
    document.jobStarted();
    document.setAnalysis({}, {part(1, 0, 1, "a"), part(2, 2, 3, "b"), part(3, 4, 5, "c")});
    document.jobEnded();
  }
  void insert(protocol::Position at, const std::string &text) {
    ASSERT_TRUE(document.apply({"", 2, {{protocol::Range{at, at}, text}}}, PositionEncoding::Utf8));
  }
  using Ids = std::vector<uint64_t>;
  Document document{protocol::DidOpenParams{"file:///a.s", "asm", 1, ""}, kText};
};

TEST_F(AnalysisInParts, AllOfThemAreKnown) {
  EXPECT_EQ(document.knownParts(), (Ids{1, 2, 3}));
}

TEST_F(AnalysisInParts, AnEditedOneIsNotKnown) {
  insert({3, 5}, "x");
  EXPECT_EQ(document.knownParts(), (Ids{1, 3}));
  insert({3, 5}, "y");
  EXPECT_EQ(document.knownParts(), (Ids{1, 3}));
}

// The same text may stand three lines further down, too: then it is another part.
TEST_F(AnalysisInParts, OneThatMovedToOtherLinesIsNotKnown) {
  insert({2, 0}, "new\n");
  EXPECT_EQ(document.knownParts(), (Ids{1}));
}

TEST_F(AnalysisInParts, KeptOnesStayWhereTheEditsTookThem) {
  insert({0, 0}, "xx");
  document.jobStarted();
  document.setAnalysis({}, {part(4, 0, 1, "new"), keptPart(2), keptPart(3)});
  EXPECT_EQ(said(document), (std::vector<std::string>{"hint new@0", "hint b@14", "hint c@26", "finding new@0",
                                                      "finding b@14", "finding c@26", "hover new@0", "hover b@14",
                                                      "hover c@26", "region new@0", "region b@14", "region c@26"}));
  EXPECT_EQ(document.knownParts(), (Ids{4, 2, 3}));
}

TEST_F(AnalysisInParts, WhatIsNotKeptGoes) {
  document.jobStarted();
  document.setAnalysis({}, {keptPart(3)});
  EXPECT_EQ(said(document), (std::vector<std::string>{"hint c@24", "finding c@24", "hover c@24", "region c@24"}));
}

// Lines that were changed since the job began lose what was said of them, as with any result.
TEST_F(AnalysisInParts, EditsDuringTheJobCount) {
  document.jobStarted();
  insert({2, 0}, "x");
  document.setAnalysis({}, {keptPart(1), keptPart(2), part(5, 4, 5, "new")});
  EXPECT_EQ(said(document),
            (std::vector<std::string>{"hint a@0", "hint new@25", "finding a@0", "finding b@12", "finding new@25",
                                      "hover a@0", "hover new@25", "region a@0", "region b@12", "region new@25"}));
  EXPECT_EQ(document.knownParts(), (Ids{1, 5}));
}

TEST_F(AnalysisInParts, WhatBelongsToNoPartComesFirst) {
  lsp::Analysis whole;
  whole.findings.push_back({.at = {0, 5}, .code = "file"});
  document.jobStarted();
  document.setAnalysis(std::move(whole), {keptPart(2), part(6, 4, 5, "new")});
  ASSERT_EQ(document.analysis().findings.size(), 3u);
  EXPECT_EQ(document.analysis().findings[0].code, "file");
  EXPECT_EQ(document.analysis().findings[1].code, "b");
  EXPECT_EQ(document.analysis().findings[2].code, "new");
}

TEST_F(AnalysisInParts, AResultWithoutPartsReplacesThem) {
  document.jobStarted();
  document.setAnalysis({{{.offset = 3, .parts = {{"whole", {}}}}}});
  EXPECT_EQ(said(document), std::vector<std::string>{"hint whole@3"});
  EXPECT_EQ(document.knownParts(), Ids{});
}

TEST_F(AnalysisInParts, OneThatIsNotThereIsLeftOut) {
  document.jobStarted();
  document.setAnalysis({}, {keptPart(77), keptPart(1)});
  EXPECT_EQ(document.knownParts(), Ids{1});
}

} // namespace
} // namespace lsp
