// Edits as the protocol sends them, against a string that is edited by hand.
#include "lsp/workspace/document.h"

#include <gtest/gtest.h>
#include <random>

namespace lsp {
namespace {

using analysis::wire::ByteRange;
using protocol::PositionEncoding;
using protocol::Range;

Document open(const std::string &text) {
  return Document({"file:///a.s", "asm", 1, ""}, text);
}

protocol::DidChangeParams change(std::optional<Range> range, const std::string &text, int64_t version = 2) {
  return {"file:///a.s", version, {{range, text}}};
}

AnalysedRegion regionAt(ByteRange at) {
  return {.region = {.at = at, .anchor = at.begin},
          .simulation = std::make_shared<const analysis::wire::Simulation>(),
          .changes = {}};
}

Analysis oneOfEach(ByteRange at) {
  Analysis analysis;
  analysis.regions = {regionAt(at)};
  analysis.own = analysis.findings = {{at, analysis::wire::Severity::Warning, "code", "message", {}}};
  return analysis;
}

TEST(Document, TakesItsPathFromTheUri) {
  EXPECT_EQ(Document({"file:///a%20b/%C3%A9.s", "asm", 1, ""}, "").path(), "/a b/\xC3\xA9.s");
  EXPECT_EQ(Document({"untitled:Untitled-1", "asm", 1, ""}, "").path(), "Untitled-1");
  const Document elsewhere({"vscode-vfs://github/a/b.s", "plaintext", 1, ""}, "");
  EXPECT_EQ(elsewhere.path(), "b.s") << "no file of this machine";
  EXPECT_EQ(elsewhere.language(), analysis::wire::Language::Assembly) << "which its name still says";
}

TEST(Document, ChangesApplyInTheirOrder) {
  Document document = open("abc\ndef\n");
  EXPECT_TRUE(
      document.apply({"", 5, {{Range{{0, 1}, {0, 2}}, "XX"}, {Range{{0, 3}, {1, 1}}, ""}}}, PositionEncoding::Utf16));
  EXPECT_EQ(document.text().bytes(), "aXXef\n");
  EXPECT_EQ(document.version(), 5);
}

TEST(Document, RandomEditsAgreeWithAString) {
  std::mt19937 random(5);
  constexpr std::string_view kPieces[] = {"", "a", "\xC3\xA9", "\xF0\x9F\x9A\x80", "\n", "\r\n", "word\nword"};
  for (const PositionEncoding encoding : {PositionEncoding::Utf8, PositionEncoding::Utf16, PositionEncoding::Utf32}) {
    std::string model = "start\nof\r\nall\n";
    Document document = open(model);
    for (int edit = 0; edit < 2000; ++edit) {
      const Text text(model);
      const auto below = [&](uint32_t bound) { return static_cast<uint32_t>(random() % bound); };
      Range range{{below(text.lineCount() + 1), below(12)}, {below(text.lineCount() + 1), below(12)}};
      if (range.end < range.start)
        std::swap(range.start, range.end);
      const std::string with(kPieces[random() % std::size(kPieces)]);
      const uint32_t begin = text.offsetOf(range.start, encoding);
      model.replace(begin, text.offsetOf(range.end, encoding) - begin, with);
      ASSERT_TRUE(document.apply(change(range, with), encoding));
      ASSERT_EQ(document.text().bytes(), model);
    }
  }
}

TEST(Document, AWholeTextIsTakenAsItsSmallestEdit) {
  Document document = open("one\ntwo\nthree\n");
  document.setAnalysis(oneOfEach({8, 13}));
  document.apply(change(std::nullopt, "one\n2\nthree\n"), PositionEncoding::Utf16);
  EXPECT_EQ(document.text().bytes(), "one\n2\nthree\n");
  const AnalysedRegion &region = document.analysis().regions.at(0);
  EXPECT_FALSE(region.edited || region.anchorEdited);
  EXPECT_EQ(region.region.anchor, 6u);
  EXPECT_EQ(region.region.at, (ByteRange{6, 11}));
}

TEST(Document, WhatIsKnownMovesWithEdits) {
  Document document = open("one\ntwo\nthree\n");
  document.setAnalysis(oneOfEach({4, 7}));
  document.apply(change(Range{{0, 0}, {0, 0}}, "zero\n"), PositionEncoding::Utf16);
  const AnalysedRegion &region = document.analysis().regions.at(0);
  EXPECT_EQ(region.region.anchor, 9u);
  EXPECT_FALSE(region.edited || region.anchorEdited);
  EXPECT_EQ(document.analysis().findings.at(0).at, (ByteRange{9, 12}));
  EXPECT_EQ(document.analysis().own.at(0).at, (ByteRange{9, 12}));
  document.apply(change(Range{{2, 1}, {2, 2}}, ""), PositionEncoding::Utf16);
  EXPECT_TRUE(region.edited && region.anchorEdited);
  EXPECT_EQ(document.analysis().findings.at(0).at, (ByteRange{9, 11}));
  EXPECT_EQ(document.analysis().own.at(0).at, (ByteRange{9, 11}));
}

TEST(Document, AResultOfAnOlderVersionIsTakenThroughTheEdits) {
  Document document = open("one\ntwo\nthree\n");
  document.jobStarted();
  document.apply(change(Range{{0, 0}, {1, 0}}, ""), PositionEncoding::Utf16);
  document.apply(change(Range{{1, 0}, {1, 0}}, "xx"), PositionEncoding::Utf16);
  EXPECT_EQ(document.present({4, 7}), (ByteRange{0, 3}));
  Analysis analysis = oneOfEach({4, 7});
  analysis.regions.push_back(regionAt({8, 13}));
  document.setAnalysis(analysis);
  document.jobEnded();
  ASSERT_EQ(document.analysis().regions.size(), 2u);
  EXPECT_EQ(document.analysis().regions[0].region.anchor, 0u);
  EXPECT_FALSE(document.analysis().regions[0].anchorEdited);
  EXPECT_TRUE(document.analysis().regions[1].anchorEdited);
}

TEST(Document, PlacesBeyondTheTextAreClamped) {
  Document document = open("abc");
  document.setAnalysis(oneOfEach({900, 100}));
  EXPECT_EQ(document.analysis().regions.at(0).region.anchor, 3u);
  EXPECT_EQ(document.analysis().regions.at(0).region.at, (ByteRange{3, 3}));
  EXPECT_EQ(document.analysis().findings.at(0).at, (ByteRange{3, 3}));
  EXPECT_EQ(document.analysis().own.at(0).at, (ByteRange{3, 3}));
}

} // namespace
} // namespace lsp
