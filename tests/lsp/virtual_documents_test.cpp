// The names of virtual documents, and how they follow their buffer.
#include "lsp/workspace/virtual_documents.h"

#include <gtest/gtest.h>

namespace lsp {
namespace {

using analysis::wire::DocumentKind;
using protocol::parseVirtualUri;
using protocol::VirtualUri;

const std::string kBuffer = "file:///dir/odd%20name%3F.cpp";
const VirtualUri kReport{DocumentKind::Report, kBuffer, 2};

std::string spelled(const VirtualUri &uri) {
  return protocol::toString(uri);
}

TEST(VirtualUri, ComesThroughItsText) {
  for (const VirtualUri &uri :
       {kReport, VirtualUri{DocumentKind::Assembly, "untitled:1", 0}, VirtualUri{DocumentKind::Timeline, kBuffer, 3}})
    EXPECT_EQ(parseVirtualUri(spelled(uri)), uri) << spelled(uri);
  EXPECT_TRUE(spelled(kReport).starts_with("mca:/report/odd%20name%3F.cpp.txt?%7B")) << spelled(kReport);
}

TEST(VirtualUri, MayBeEncodedAsAnEditorLikes) {
  EXPECT_EQ(parseVirtualUri(R"(MCA:/report/x?{"document":"a%2520b","line":7})"),
            (VirtualUri{DocumentKind::Report, "a%20b", 7}));
}

TEST(VirtualUri, IsNothingElse) {
  for (const char *uri :
       {"", "mca:", "file:///report/x?{}", "mca:/report/x", "mca:/report/x?{}",
        "mca:/other/x?{\"document\":\"a\",\"line\":1}", "mca:/report/x?{\"document\":1,\"line\":1}",
        "mca:/report/x?{\"document\":\"a\",\"line\":-1}", "mca:/report/x?{\"document\":\"a\",\"line\":1",
        "mca:/report/x?{\"document\":\"a\",\"line\":4294967296}"})
    EXPECT_EQ(parseVirtualUri(uri), std::nullopt) << uri;
}

class VirtualDocumentsTest : public testing::Test {
protected:
  /// A job on a text of five lines of four bytes; the offset that was asked for.
  uint32_t start() {
    job = documents.allOf(kBuffer);
    return documents.requests(job, Text("aaa\nbbb\nccc\nddd\neee\n")).at(0).offset;
  }
  std::vector<std::string> finish(const std::string &text, uint32_t bufferLine = 3,
                                  const std::vector<LineShift> &edits = {}) {
    return documents.jobFinished(job, {VirtualText{text, {{0, bufferLine}}, {}}}, edits);
  }

  std::vector<VirtualUri> job; ///< what it makes
  VirtualDocuments documents;
};

TEST_F(VirtualDocumentsTest, ListsTheAssemblyThatHasAText) {
  const VirtualUri assembly{DocumentKind::Assembly, kBuffer, 1};
  documents.open(kReport, "mca:report", false);
  documents.open(assembly, "mca:assembly", false);
  EXPECT_TRUE(documents.listingsOf(kBuffer).empty());
  start();
  documents.jobFinished(job, {VirtualText{"a", {{0, 1}}, {}}, VirtualText{"b", {{7, 3}}, {}}}, {});
  const auto listings = documents.listingsOf(kBuffer);
  ASSERT_EQ(listings.size(), 1u);
  EXPECT_EQ(listings[0].uri, "mca:assembly");
  EXPECT_EQ(listings[0].links->at(0).line, 7u);
  EXPECT_TRUE(documents.listingsOf("file:///other").empty());
}

TEST_F(VirtualDocumentsTest, TellsWhatChanged) {
  documents.open(kReport, "mca:spelled", false);
  EXPECT_EQ(documents.textOf(kReport), nullptr);
  EXPECT_EQ(start(), 8u);
  EXPECT_EQ(finish("one"), std::vector<std::string>{"mca:spelled"});
  EXPECT_EQ(documents.textOf(kReport)->text, "one");
  start();
  EXPECT_EQ(finish("one"), std::vector<std::string>{});
  start();
  EXPECT_EQ(finish("two"), std::vector<std::string>{"mca:spelled"});
}

TEST_F(VirtualDocumentsTest, ATimelineThatDiffersIsAChange) {
  const VirtualUri uri{DocumentKind::Timeline, kBuffer, 2};
  const auto finishWith = [&](double cycles) {
    start();
    return documents.jobFinished(job, {VirtualText{"", {}, {.cyclesPerIteration = cycles}}}, {}).size();
  };
  documents.open(uri, "x", false);
  EXPECT_EQ(finishWith(4), 1u);
  EXPECT_EQ(finishWith(4), 0u);
  EXPECT_EQ(finishWith(5), 1u);
  EXPECT_EQ(documents.textOf(uri)->picture.cyclesPerIteration, 5);
}

TEST_F(VirtualDocumentsTest, TheLineMovesWithTheBuffer) {
  documents.open(kReport, "x", false);
  documents.edited(kBuffer, std::vector<LineShift>{{0, 0, 2, false, true}});
  EXPECT_EQ(start(), 16u);
  documents.edited(kBuffer, std::vector<LineShift>{{1, 4, -3, false, false}});
  EXPECT_EQ(start(), 4u) << "its line was replaced";
}

TEST_F(VirtualDocumentsTest, LinksMoveAlsoWhileTheJobRuns) {
  documents.open(kReport, "x", false);
  start();
  const std::vector<LineShift> edit{{0, 0, 1, false, true}};
  documents.edited(kBuffer, edit);
  finish("text", 3, edit);
  EXPECT_EQ(documents.linksOf(kReport)->at(0).bufferLine, 4u);
  documents.edited(kBuffer, std::vector<LineShift>{{1, 1, -1, false, true}});
  EXPECT_EQ(documents.linksOf(kReport)->at(0).bufferLine, 3u);
  documents.edited(kBuffer, std::vector<LineShift>{{3, 3, 0, false, false}});
  EXPECT_TRUE(documents.linksOf(kReport)->empty()) << "its line was changed";
}

TEST_F(VirtualDocumentsTest, AClosedOneIsForgotten) {
  documents.open(kReport, "x", false);
  start();
  documents.close(kReport);
  EXPECT_TRUE(finish("late").empty());
  EXPECT_FALSE(documents.has(kReport));
  documents.open(kReport, "x", false);
  documents.closeAllOf(kBuffer);
  EXPECT_FALSE(documents.has(kReport));
}

TEST_F(VirtualDocumentsTest, AskingAgainForTheLineOfTheNameGoesBackToIt) {
  documents.open(kReport, "x", true);
  documents.edited(kBuffer, std::vector<LineShift>{{0, 0, 1, false, true}});
  start();
  finish("moved");
  documents.open(kReport, "x", false);
  EXPECT_NE(documents.textOf(kReport), nullptr);
  documents.open(kReport, "x", true);
  EXPECT_EQ(documents.textOf(kReport), nullptr);
  EXPECT_EQ(start(), 8u);
}

VirtualUri reportOf(uint32_t line) {
  return {DocumentKind::Report, kBuffer, line};
}

TEST_F(VirtualDocumentsTest, ABufferHasAtMostEight) {
  for (uint32_t line = 0; line < 8; ++line) {
    documents.open(reportOf(line), "x", false);
    documents.setText(reportOf(line), "text");
  }
  documents.open(reportOf(0), "x", false);
  documents.open({DocumentKind::Report, "file:///other", 0}, "x", false);
  EXPECT_TRUE(documents.has(reportOf(1)));
  documents.open(reportOf(8), "x", false);
  EXPECT_FALSE(documents.has(reportOf(1))) << "asked for longest ago";
  EXPECT_TRUE(documents.has(reportOf(0)));
}

TEST_F(VirtualDocumentsTest, WhatIsAwaitedIsKept) {
  for (uint32_t line = 0; line < 12; ++line)
    documents.open(reportOf(line), "x", false);
  EXPECT_EQ(documents.allOf(kBuffer).size(), 12u);
  for (uint32_t line = 3; line < 12; ++line)
    documents.setText(reportOf(line), "text");
  documents.open(reportOf(12), "x", false);
  EXPECT_EQ(documents.allOf(kBuffer).size(), 8u);
  EXPECT_TRUE(documents.has(reportOf(0))) << "it has no text yet";
  EXPECT_FALSE(documents.has(reportOf(3)));
  EXPECT_TRUE(documents.has(reportOf(11)));
}

TEST(LineShift, KeepsWhatIsBeside) {
  const LineShift enter{4, 4, 1, true, false};
  EXPECT_EQ(enter.move(3), 3u);
  EXPECT_EQ(enter.move(4), 4u);
  EXPECT_EQ(enter.move(5), 6u);
  const LineShift joined{4, 5, -1, false, false};
  EXPECT_EQ(joined.move(5), std::nullopt);
  EXPECT_EQ(joined.move(6), 5u);
  EXPECT_EQ(joined.moveClamped(5), 4u);
}

} // namespace
} // namespace lsp
