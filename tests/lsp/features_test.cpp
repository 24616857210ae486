// Hints, diagnostics and hovers as pure functions.
#include "lsp/features/diagnostics.h"
#include "lsp/features/features.h"
#include "lsp/wording/death_text.h"

#include "tests/lsp/analysed_document.h"

#include <gtest/gtest.h>

namespace lsp::features {
namespace {

using analysis::wire::Finding;
using analysis::wire::Severity;
using protocol::Position;
using protocol::Range;

const std::string kLines = "one\nt\xC3\xA9o\nthree\n";
const Text kText(kLines);

protocol::ClientCapabilities client(bool markdown = true, bool related = true) {
  protocol::ClientCapabilities capabilities;
  capabilities.markdownHover = markdown;
  capabilities.relatedInformation = related;
  return capabilities;
}

Document with(std::vector<SentRegion> regions) {
  for (size_t i = 0; i < regions.size(); ++i)
    regions[i].region.loop = static_cast<uint32_t>(i);
  return makeDocument(kLines, analysisOf(std::move(regions)));
}

std::string labelOf(const protocol::InlayHint &hint) {
  std::string label;
  for (const protocol::InlayHintLabelPart &part : hint.label)
    label += part.value;
  return label;
}

TEST(InlayHints, StandAtTheEndOfTheirLine) {
  const Document document = with({markedRegion("second", {9, 9}, 2), markedRegion("a_b*", {5, 5}, 3)});
  const auto hints = inlayHints(document, {{0, 0}, {9, 0}}, {}, client());
  ASSERT_EQ(hints.size(), 2u);
  EXPECT_EQ(labelOf(hints[0]), "IPC 1.00 · 3.0 cyc");
  EXPECT_EQ(hints[0].position, (Position{1, 3}));
  EXPECT_TRUE(hints[0].tooltip->markdown);
  EXPECT_TRUE(hints[0].tooltip->value.starts_with("### region a_b\\*: IPC 1.00 · 3.0 cyc\n\n"))
      << hints[0].tooltip->value;
  EXPECT_EQ(labelOf(hints[1]), "IPC 1.00 · 2.0 cyc");
  EXPECT_EQ(hints[1].position, (Position{2, 5}));
}

TEST(InlayHints, OnlyThoseAskedFor) {
  const Document all = with(
      {markedRegion("a", {0, 0}), markedRegion("b", {4, 4}), markedRegion("c", {9, 9}), markedRegion("d", {999, 999})});
  const auto in = [&](Range range) { return inlayHints(all, range, {}, client()).size(); };
  EXPECT_EQ(in({{1, 0}, {1, 0}}), 1u);
  EXPECT_EQ(in({{0, 0}, {1, 9}}), 2u);
  EXPECT_EQ(in({{0, 0}, {99, 0}}), 4u);
  EXPECT_EQ(in({{50, 0}, {99, 0}}), 0u);
}

/// No screen shows more, and the words of 10,000 hints are 17 MB.
TEST(InlayHints, HaveTooltipsUpToAThousand) {
  constexpr uint32_t kRegions = 1010;
  std::string text;
  std::vector<SentRegion> regions;
  for (uint32_t i = 0; i < kRegions; ++i) {
    regions.push_back(markedRegion("r", {2 * i, 2 * i}));
    regions.back().region.loop = i;
    text += "a\n";
  }
  const Document document = makeDocument(text, analysisOf(std::move(regions)));
  const auto hints = inlayHints(document, {{0, 0}, {kRegions, 0}}, {}, client());
  ASSERT_EQ(hints.size(), kRegions);
  EXPECT_TRUE(hints[999].tooltip);
  EXPECT_FALSE(hints[1000].tooltip);
  EXPECT_EQ(labelOf(hints[1000]), labelOf(hints[999]));
}

TEST(InlayHints, ALoopWhoseLinesAreDeletedTakesNoOtherHintAway) {
  Document document = with({markedRegion("gone", {0, 3}, 2), markedRegion("stays", {4, 8}, 3)});
  ASSERT_TRUE(document.apply({document.uri(), 8, {{Range{{0, 0}, {1, 0}}, ""}}}, protocol::PositionEncoding::Utf16));
  const auto hints = inlayHints(document, {{0, 0}, {9, 0}}, {}, client());
  ASSERT_EQ(hints.size(), 1u);
  EXPECT_EQ(labelOf(hints[0]), "IPC 1.00 · 3.0 cyc");
  EXPECT_EQ(hints[0].position, (Position{0, 3}));
  const auto found = hover(document, {0, 1}, client(false));
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->contents.value.starts_with("region stays:")) << found->contents.value;
}

TEST(Diagnostics, CarryEverything) {
  const Finding finding{
      {4, 6}, Severity::Error, "parse-error", "bad", {{"", {0, 3}, 0, "before"}, {"/b c.h", {}, 7, "there"}}};
  const auto result = diagnostics({finding}, {}, kText, "file:///a.s", client());
  ASSERT_EQ(result.size(), 1u);
  EXPECT_EQ(result[0].range, (Range{{1, 0}, {1, 1}})) << "the end is not inside the character";
  EXPECT_EQ(result[0].severity, 1);
  EXPECT_EQ(result[0].code, "parse-error");
  EXPECT_EQ(result[0].message, "bad");
  ASSERT_EQ(result[0].related.size(), 2u);
  EXPECT_EQ(result[0].related[0].uri, "file:///a.s");
  EXPECT_EQ(result[0].related[0].range, (Range{{0, 0}, {0, 3}}));
  EXPECT_EQ(result[0].related[1].uri, "file:///b%20c.h");
  EXPECT_EQ(result[0].related[1].range, (Range{{6, 0}, {6, 0}}));
}

TEST(Diagnostics, RelatedPlacesMayGoIntoTheMessage) {
  const Finding finding{{0, 1}, Severity::Warning, "c", "bad", {{"", {4, 5}, 0, "before"}, {"/b.h", {}, 7, "there"}}};
  const auto result = diagnostics({finding}, {}, kText, "file:///a.s", client(true, false));
  EXPECT_TRUE(result[0].related.empty());
  EXPECT_EQ(result[0].message, "bad\nline 2: before\n/b.h:7: there");
}

TEST(Diagnostics, SayTheirPageToAClientThatTakesIt) {
  const std::vector<Finding> findings{{{0, 1}, Severity::Warning, "empty-region", "x", {}},
                                      {{0, 1}, Severity::Warning, "no-such-code", "x", {}}};
  protocol::ClientCapabilities capabilities = client();
  EXPECT_EQ(diagnostics(findings, {}, kText, "file:///a.s", capabilities)[0].codeLink, "");
  EXPECT_FALSE(diagnostics(findings, {}, kText, "file:///a.s", capabilities)[0].unnecessary);
  capabilities.codeDescriptions = capabilities.unnecessaryTag = true;
  const auto result = diagnostics(findings, {}, kText, "file:///a.s", capabilities);
  EXPECT_EQ(result[0].codeLink, "https://github.com/mca-lsp/mca-lsp/blob/main/docs/diagnostics/empty-region.md");
  EXPECT_TRUE(result[0].unnecessary);
  EXPECT_EQ(result[1].codeLink, "");
  EXPECT_FALSE(result[1].unnecessary);
}

TEST(Diagnostics, HaveTheSeveritiesThatTheUserWants) {
  const std::vector<Finding> findings{{{0, 1}, Severity::Information, "call", "x", {}},
                                      {{0, 1}, Severity::Information, "dispatch-limit", "x", {}},
                                      {{0, 1}, Severity::Warning, "not-simulated", "x", {}}};
  protocol::UserSettings settings;
  settings.severities = {{"call", protocol::ReportAs::Off}, {"dispatch-limit", protocol::ReportAs::Error}};
  const auto result = withSeverities(findings, settings);
  ASSERT_EQ(result.size(), 2u);
  EXPECT_EQ(result[0].severity, Severity::Error);
  EXPECT_EQ(result[1].severity, Severity::Warning);
}

TEST(Diagnostics, AReportIsUnchangedWhileItsItemsAre) {
  const auto items = diagnostics({{{0, 1}, Severity::Warning, "c", "x", {}}}, {}, kText, "file:///a.s", client());
  const auto first = diagnosticReport(items, "");
  EXPECT_FALSE(first.unchanged);
  ASSERT_EQ(first.items.size(), 1u);
  const auto same = diagnosticReport(items, first.resultId);
  EXPECT_TRUE(same.unchanged);
  EXPECT_EQ(same.resultId, first.resultId);
  const auto other = diagnosticReport({}, first.resultId);
  EXPECT_FALSE(other.unchanged);
  EXPECT_NE(other.resultId, first.resultId);
}

TEST(Diagnostics, OfADeathNameThePlace) {
  const analysis::wire::Progress last{1, analysis::wire::Stage::Simulating, "region dot", {4, 8}, 0, 0};
  const WorkerDeath crash{WorkerDeath::Cause::Crashed, "signal 11", last};
  Finding finding = wording::findingOfDeath(crash, AfterDeath::TryingAgain);
  EXPECT_EQ(finding.code, "worker-crashed");
  EXPECT_EQ(finding.at, (analysis::wire::ByteRange{4, 8}));
  EXPECT_EQ(finding.message, "the analysis crashed while simulating region dot: signal 11; trying once more");
  finding = wording::findingOfDeath({WorkerDeath::Cause::TimedOut, "it used 60 s", last, true}, AfterDeath::SetAside);
  EXPECT_EQ(finding.code, "analysis-timeout");
  EXPECT_EQ(finding.message, "the analysis took too long while simulating region dot and was ended: it used 60 s; the "
                             "file is set aside until it or the settings change");
  finding = wording::findingOfDeath({WorkerDeath::Cause::Idle, "it waited", std::nullopt, true}, AfterDeath::SetAside);
  EXPECT_EQ(finding.code, "analysis-timeout");
  EXPECT_EQ(finding.message, "the analysis took too long and was ended: it waited; the file is set aside until it or "
                             "the settings change");
  finding = wording::findingOfDeath({WorkerDeath::Cause::OutOfMemory, "it needs more", last}, AfterDeath::SetAside);
  EXPECT_EQ(finding.code, "out-of-memory");
  EXPECT_EQ(finding.message, "the analysis ran out of memory while simulating region dot: it needs more; this happened "
                             "twice, so the file is set aside until it or the settings change");
}

// A vector body and its remainder, for example: their lines need not be the same.
TEST(Hover, ReachesOverAllLoopsOfALine) {
  const std::string text = "for\n  one\n  two\nend\n";
  SentRegion body = markedRegion("body", {0, 9}), rest = markedRegion("rest", {0, 15});
  rest.region.rank = rest.region.loop = 1;
  const Document document = makeDocument(text, analysisOf({body, rest}));
  const auto found = hover(document, {2, 3}, client(false));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->range, (Range{{0, 0}, {2, 5}}));
  EXPECT_NE(found->contents.value.find("region body"), std::string::npos) << "the first one, from the other's line";
  EXPECT_NE(found->contents.value.find("also here: region rest"), std::string::npos);
  EXPECT_FALSE(hover(document, {3, 1}, client(false)));
}

TEST(Hover, SaysThatALoopLeftNoLoop) {
  Analysis analysis = analysisOf({markedRegion("outer", {0, 15})});
  using Kind = wire::LoopFate::Kind;
  analysis.vanishedLoops = {{.at = {4, 8}, .fates = {{.kind = Kind::LibraryCall, .callee = "memset"}}}};
  const Document document = makeDocument(kLines, std::move(analysis));
  const auto found = hover(document, {1, 1}, client(false));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->contents.value,
            "The compiled code has no machine loop of this statement: became a call of `memset`.");
  EXPECT_EQ(found->range, (Range{{1, 0}, {1, 3}}));
  EXPECT_EQ(hover(document, {2, 1}, client(false))->contents.value.find("no machine loop"), std::string::npos);
}

TEST(Hover, TheInnermostRangeAnswers) {
  const Document document = with({markedRegion("outer", {0, 15}), markedRegion("inner", {4, 8})});
  const auto at = [&](Position position) {
    const auto found = hover(document, position, client(false));
    return found ? found->contents.value.substr(0, found->contents.value.find(':')) : "";
  };
  EXPECT_EQ(at({1, 1}), "region inner");
  EXPECT_EQ(at({0, 1}), "region outer");
  EXPECT_EQ(at({2, 1}), "region outer");
  const Document one = with({markedRegion("one", {4, 8})});
  EXPECT_EQ(hover(one, {1, 3}, client())->range, (Range{{1, 0}, {1, 3}})) << "behind the last one";
  EXPECT_FALSE(hover(one, {2, 1}, client()));
  EXPECT_FALSE(hover(with({}), {0, 0}, client()));
}

} // namespace
} // namespace lsp::features
