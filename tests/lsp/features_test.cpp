// Hints, diagnostics and hovers as pure functions.
#include "lsp/features/diagnostics.h"
#include "lsp/features/hover.h"
#include "lsp/features/inlay_hint.h"

#include "tests/lsp/analysed_document.h"

#include <gtest/gtest.h>

namespace lsp::features {
namespace {

using analysis::wire::Block;
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

analysis::wire::Hint hint(uint32_t offset, const std::string &label, analysis::wire::RichText tooltip = {}) {
  return {offset, {{label, {}}}, std::move(tooltip)};
}

Document withHints(std::vector<analysis::wire::Hint> hints) {
  return makeDocument(kLines, {.hints = std::move(hints)});
}

Document withHovers(std::vector<analysis::wire::Hover> hovers) {
  return makeDocument(kLines, {.hovers = std::move(hovers)});
}

TEST(InlayHints, StandAtTheEndOfTheirLine) {
  const Document document = withHints({hint(9, "second"), hint(5, "first", {{Block::Kind::Paragraph, "a_b*"}})});
  const auto hints = inlayHints(document, {{0, 0}, {9, 0}}, {}, client());
  ASSERT_EQ(hints.size(), 2u);
  EXPECT_EQ(hints[0].label.at(0).value, "first");
  EXPECT_EQ(hints[0].position, (Position{1, 3}));
  EXPECT_TRUE(hints[0].tooltip->markdown);
  EXPECT_EQ(hints[0].tooltip->value, "a_b\\*");
  EXPECT_EQ(hints[1].position, (Position{2, 5}));
  EXPECT_FALSE(hints[1].tooltip);
}

TEST(InlayHints, OnlyThoseAskedFor) {
  const Document all = withHints({hint(0, "a"), hint(4, "b"), hint(9, "c"), hint(999, "d")});
  const auto in = [&](Range range) { return inlayHints(all, range, {}, client()).size(); };
  EXPECT_EQ(in({{1, 0}, {1, 0}}), 1u);
  EXPECT_EQ(in({{0, 0}, {1, 9}}), 2u);
  EXPECT_EQ(in({{0, 0}, {99, 0}}), 4u);
  EXPECT_EQ(in({{50, 0}, {99, 0}}), 0u);
}

TEST(Diagnostics, CarryEverything) {
  const Finding finding{
      {4, 6}, Severity::Error, "parse-error", "bad", {{"", {0, 3}, 0, "before"}, {"/b c.h", {}, 7, "there"}}};
  const auto result = diagnostics({finding}, kText, "file:///a.s", client());
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
  const auto result = diagnostics({finding}, kText, "file:///a.s", client(true, false));
  EXPECT_TRUE(result[0].related.empty());
  EXPECT_EQ(result[0].message, "bad\nline 2: before\n/b.h:7: there");
}

TEST(Diagnostics, SayTheirPageToAClientThatTakesIt) {
  const std::vector<Finding> findings{{{0, 1}, Severity::Warning, "empty-region", "x", {}},
                                      {{0, 1}, Severity::Warning, "no-such-code", "x", {}}};
  protocol::ClientCapabilities capabilities = client();
  EXPECT_EQ(diagnostics(findings, kText, "file:///a.s", capabilities)[0].codeLink, "");
  EXPECT_FALSE(diagnostics(findings, kText, "file:///a.s", capabilities)[0].unnecessary);
  capabilities.codeDescriptions = capabilities.unnecessaryTag = true;
  const auto result = diagnostics(findings, kText, "file:///a.s", capabilities);
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
  const auto items = diagnostics({{{0, 1}, Severity::Warning, "c", "x", {}}}, kText, "file:///a.s", client());
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
  Finding finding = findingOfDeath(crash, AfterDeath::TryingAgain);
  EXPECT_EQ(finding.code, "worker-crashed");
  EXPECT_EQ(finding.at, (analysis::wire::ByteRange{4, 8}));
  EXPECT_EQ(finding.message, "the analysis crashed while simulating region dot: signal 11; trying once more");
  finding = findingOfDeath({WorkerDeath::Cause::TimedOut, "it used 60 s", last}, AfterDeath::SetAside);
  EXPECT_EQ(finding.code, "analysis-timeout");
  EXPECT_EQ(finding.message, "the analysis took too long while simulating region dot and was ended: it used 60 s; the "
                             "file is set aside until it or the settings change");
  finding = findingOfDeath({WorkerDeath::Cause::Idle, "it waited", std::nullopt}, AfterDeath::SetAside);
  EXPECT_EQ(finding.code, "analysis-timeout");
  EXPECT_EQ(finding.message, "the analysis took too long and was ended: it waited; this happened twice, so the file is "
                             "set aside until it or the settings change");
  EXPECT_EQ(findingOfDeath({WorkerDeath::Cause::OutOfMemory, "", last}, AfterDeath::SetAside).code, "out-of-memory");
}

TEST(Hover, TheInnermostRangeAnswers) {
  const Document document = withHovers(
      {{{0, 15}, {{Block::Kind::Paragraph, "region"}}}, {{4, 8}, {{Block::Kind::Paragraph, "instruction"}}}});
  const auto at = [&](Position position) {
    const auto found = hover(document, position, client(false));
    return found ? found->contents.value : "";
  };
  EXPECT_EQ(at({1, 1}), "instruction");
  EXPECT_EQ(at({0, 1}), "region");
  const Document one = withHovers({{{4, 8}, {}}});
  EXPECT_EQ(hover(one, {1, 3}, client())->range, (Range{{1, 0}, {1, 3}})) << "behind the last one";
  EXPECT_FALSE(hover(one, {2, 1}, client()));
  EXPECT_FALSE(hover(withHovers({}), {0, 0}, client()));
}

} // namespace
} // namespace lsp::features
