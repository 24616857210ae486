// The documents beside a buffer, as texts. (tests/analysis/documents_test.cpp has them from the buffer's text on.)
#include "lsp/wording/view_text.h"

#include "tests/wording/presented.h"

#include <gtest/gtest.h>

namespace lsp::wording {
namespace {

using analysis::wire::Caveat;
using analysis::wire::DocumentKind;
using analysis::wire::View;
using Links = std::vector<std::pair<uint32_t, uint32_t>>;

class ViewText : public testing::Test {
protected:
  ViewText() {
    analysis.target = {"x86_64", "skylake", "+avx", "set in the buffer", "its own model", ""};
    analysis.regions = {*made.add(loop(), 400, 400)};
  }
  VirtualText documentOf(const View &view) { return viewText(view, analysis, text, "/dir/a.s"); }
  std::string textOf(const View &view) { return documentOf(view).text; }
  Links linksOf(const View &view) {
    Links links;
    for (const LineLink &link : documentOf(view).links)
      links.push_back({link.line, link.bufferLine});
    return links;
  }

  Presented made;
  Analysis analysis;
  const Text text{"a\n  head:\n  add b\n"};
};

TEST_F(ViewText, WhatWasSetAsideSaysWhy) {
  for (const DocumentKind kind : {DocumentKind::Report, DocumentKind::Assembly, DocumentKind::Timeline})
    EXPECT_EQ(textOf({.request = {kind, 4}, .problem = View::Problem::SetAside, .failure = "it crashed"}),
              "it crashed");
}

TEST_F(ViewText, WhatCannotBeAnalysedTellsItsWorstFinding) {
  using analysis::wire::Severity;
  for (const DocumentKind kind : {DocumentKind::Report, DocumentKind::Assembly, DocumentKind::Timeline}) {
    const View view{.request = {kind, 4}, .problem = View::Problem::NotAnalysed};
    analysis.own.clear();
    analysis.findings.clear();
    EXPECT_EQ(textOf(view), "there is nothing to show\n");
    analysis.own = {{.severity = Severity::Hint, .message = "a hint"},
                    {.severity = Severity::Error, .message = "expected expression"},
                    {.severity = Severity::Error, .message = "another"}};
    analysis.findings = analysis.own;
    EXPECT_EQ(textOf(view), "there is nothing to show: expected expression\n");
  }
}

TEST_F(ViewText, ARegionWithoutANameIsTitledByItsPath) {
  analysis.regions[0].region.name.clear();
  analysis.regions[0].region.path = "through line 3";
  EXPECT_NE(
      textOf({.request = {DocumentKind::Report, 4}, .reports = {{0, "", ""}}}).find("==== region, through line 3"),
      std::string::npos);
}

TEST_F(ViewText, AReportHasTheViewsOfItsRegions) {
  analysis.regions[0].region.caveats = {{.kind = Caveat::Kind::UnreadLine}};
  analysis.regions.push_back(*made.add({.anchor = 13}, 400, 400));
  analysis.regions[1].region.calls = {"f"};
  const View view{.request = {DocumentKind::Report, 4}, .reports = {{0, "one\ntwo\n", ""}, {1, "", "too many"}}};
  EXPECT_EQ(textOf(view), "a.s, line 2: 2 regions\n"
                          "CPU: skylake (set in the buffer)\n"
                          "Scheduling model: its own model\n"
                          "Target: x86_64, +avx\n"
                          "\n"
                          "==== loop in f ====\n"
                          "≥ a line in it could not be read and is missing\n"
                          "\n"
                          "one\n"
                          "two\n"
                          "\n"
                          "==== region ====\n"
                          "calls f, whose time is not in the cycles\n"
                          "\n"
                          "it cannot be simulated: too many\n");
  EXPECT_EQ(linksOf(view), (Links{{0, 1}, {5, 1}, {11, 2}}));
}

TEST_F(ViewText, AListingHasTheNumbersOfItsInstructions) {
  View view{.request = {DocumentKind::Assembly, 4}};
  view.listing = {.function = "f", .comment = "#", .units = {"P0", "P1"}};
  view.listing.rows = {{.text = "f:", .isLabel = true},
                       {.text = "\tadd b",
                        .hasData = true,
                        .latency = 3,
                        .reciprocalThroughput = 0.5,
                        .pressure = {0.25, 0.004},
                        .regions = {0},
                        .line = 3},
                       {.text = "\tnop"}};
  const auto numbersBehind = [](const std::string &instruction) {
    return instruction + std::string(48 - instruction.size(), ' ');
  };
  const std::string head = "# f, a.s, line 2\n"
                           "# CPU: skylake (set in the buffer); its own model\n"
                           "# Behind each instruction: latency and reciprocal throughput in cycles, then cycles on\n"
                           "#  [0] P0 [1] P1\n"
                           "f:\n"
                           "# loop in f: IPC 1.00, 4.0 cycles per iteration\n";
  const std::string rows =
      numbersBehind("\tadd b") + "#   3  0.50   0.25     -\n" + numbersBehind("\tnop") + "# no scheduling data\n";
  EXPECT_EQ(textOf(view), head + rows);
  EXPECT_EQ(linksOf(view), (Links{{0, 1}, {5, 1}, {6, 2}}));
  analysis.target.commandOrigin = "a database";
  EXPECT_NE(textOf(view).find("# 3: add b\n" + numbersBehind("\tadd b")), std::string::npos)
      << "of a source its lines: " << textOf(view);
  view.listing.rows.clear();
  EXPECT_EQ(textOf(view), "# no instruction belongs to a line of the buffer\n");
}

TEST_F(ViewText, ATimelineIsAPictureOrSaysWhyThereIsNone) {
  View view{.request = {DocumentKind::Timeline, 4}};
  view.timeline = {.instructions = {"add b", "nop"}, .lines = {3, 0}, .rows = {{.issued = 1}}};
  const VirtualText picture = documentOf(view);
  EXPECT_EQ(picture.text, "");
  EXPECT_EQ(picture.picture, (TimelinePicture{"loop in f", "skylake", 4, view.timeline}));
  EXPECT_EQ(linksOf(view), (Links{{0, 2}}));
  view.problem = View::Problem::NoRegion;
  EXPECT_TRUE(textOf(view).starts_with("No region")) << textOf(view);
  view.problem = View::Problem::TooLong;
  view.instructions = 2100;
  EXPECT_EQ(textOf(view), "The region has 2100 instructions; a timeline has at most 2000.");
  view.problem = View::Problem::NotSimulated;
  view.failure = "too many";
  EXPECT_EQ(textOf(view), "It cannot be simulated: too many");
  EXPECT_EQ(documentOf(view).picture, TimelinePicture());
}

/// A worker that is about to crash may send anything.
TEST_F(ViewText, RegionsThatAreNoneAreLeftOut) {
  View view{.request = {DocumentKind::Report, 999}, .reports = {{7, "one", ""}}, .region = 7};
  EXPECT_EQ(textOf(view).find("===="), std::string::npos);
  view.request.kind = DocumentKind::Assembly;
  view.listing.rows = {{.text = "\tnop", .regions = {7}, .line = 999}};
  EXPECT_NE(textOf(view).find("\tnop"), std::string::npos);
  view.request.kind = DocumentKind::Timeline;
  EXPECT_EQ(documentOf(view).picture, TimelinePicture());
}

} // namespace
} // namespace lsp::wording
