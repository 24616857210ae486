// What the features say of instructions: hovers, hints, highlights, definitions, tokens, symbols, lenses.
#include "lsp/features/features.h"
#include "lsp/wording/instruction_text.h"

#include "tests/lsp/analysed_document.h"

#include <gtest/gtest.h>

namespace lsp::features {
namespace {

using analysis::wire::Caveat;
using analysis::wire::RegionKind;
using protocol::DocumentHighlight;
using protocol::HighlightKind;
using protocol::Position;
using protocol::Range;
using Numbers = std::vector<uint32_t>;

const Range kAll{{0, 0}, {99, 0}};

protocol::ClientCapabilities plainClient() {
  protocol::ClientCapabilities client;
  client.encoding = protocol::PositionEncoding::Utf8;
  return client;
}

std::string hoverAt(const Document &document, Position position) {
  const auto found = hover(document, position, plainClient());
  return found ? found->contents.value : "";
}

/// The document of that loop.
Document documentOf(const SentRegion &loop, const std::string &text = kLoop) {
  return makeDocument(text, analysisOf({loop}));
}

/// What a hover of the whole loop begins with.
const std::string kWholeLoop = "loop in f: IPC 1.00 · 4.0 cyc\n\n";

protocol::ContentChange replacement(Range range, const std::string &text) {
  return {range, text};
}

void edit(Document &document, Range range, const std::string &text) {
  ASSERT_TRUE(document.apply({document.uri(), 8, {replacement(range, text)}}, protocol::PositionEncoding::Utf8));
}

// ---- hover ---------------------------------------------------------------------------------------------------------

TEST(InstructionHover, TellsCostsWaitsAndTheChain) {
  const Document document = makeDocument(kLoop, loopAnalysis());
  EXPECT_EQ(hoverAt(document, {2, 4}), "mul b\n\n"
                                       "1 micro-op · latency 4 · reciprocal throughput 0.50 cycles\n\n"
                                       "Busy, cycles per iteration: SKLPort0 0.50, SKLPort1 0.50\n\n"
                                       "- waits 3.0 cycles each time for r1: line 2 (load a)\n"
                                       "- its result is read by itself, in another iteration\n"
                                       "- link 1 of 1 of the longest loop-carried chain, which it forms alone");
  EXPECT_NE(hoverAt(document, {3, 0}).find("its result is read by line 5 (jump loop)"), std::string::npos);
}

TEST(InstructionHover, TellsWhoWaits) {
  const std::string text = "x\n" + kLoop;
  SentRegion loop = loopRegion(text);
  loop.region.at.begin = loop.region.anchor;
  const Document document = documentOf(loop, text);
  const std::string load = hoverAt(document, {2, 3});
  EXPECT_NE(load.find("- line 4 (mul b) waits for it, 3.0 cycles each time"), std::string::npos) << load;
  EXPECT_EQ(load.find("read by"), std::string::npos) << "who waits also reads";
}

TEST(InstructionHover, TheRegionWinsOnItsFirstLineAndOnItsHints) {
  const Document document = makeDocument(kLoop, loopAnalysis());
  EXPECT_TRUE(hoverAt(document, {1, 3}).starts_with(kWholeLoop)) << hoverAt(document, {1, 3});
  SentRegion moved = loopRegion();
  moved.region.anchor = placeOf(kLoop, "add c").begin;
  EXPECT_TRUE(hoverAt(documentOf(moved), {3, 3}).starts_with(kWholeLoop));
  SentRegion without = loopRegion();
  without.simulation.body.clear();
  EXPECT_TRUE(hoverAt(documentOf(without), {2, 3}).starts_with(kWholeLoop));
}

TEST(InstructionHover, AChangedLineSaysNothingAndOthersMove) {
  Document document = makeDocument(kLoop, loopAnalysis());
  edit(document, {{2, 2}, {2, 3}}, "M");
  EXPECT_EQ(hoverAt(document, {2, 4}), "");
  edit(document, {{0, 0}, {0, 0}}, "first\n");
  EXPECT_NE(hoverAt(document, {4, 3}).find("add c"), std::string::npos);
  EXPECT_EQ(hover(document, {4, 3}, plainClient())->range, (Range{{4, 2}, {4, 7}}));
}

TEST(InstructionHover, EditsSinceTheJobBeganCountToo) {
  Document document({"file:///dir/a.s", "asm", 7, ""}, kLoop);
  document.jobStarted();
  edit(document, {{0, 0}, {1, 0}}, "");
  document.setAnalysis(loopAnalysis());
  EXPECT_NE(hoverAt(document, {1, 3}).find("mul b"), std::string::npos);
}

TEST(InstructionHover, PositionsOutsideOfTheRegionAreLeftOut) {
  SentRegion loop = loopRegion();
  loop.simulation.body[1].needs = {0, 99};
  loop.simulation.body[1].waits[0].by = {77};
  loop.simulation.chain.push_back({.instruction = 50});
  const Document document = documentOf(loop);
  EXPECT_NE(hoverAt(document, {2, 4}).find("link 1 of 1"), std::string::npos);
}

TEST(LineHover, TellsTheLinesShare) {
  const std::string text = "for (;;) {\n  a * b;\n  c;\n}\n";
  SentRegion loop = loopRegion();
  loop.region.at = {0, static_cast<uint32_t>(text.size())};
  loop.region.anchor = 0;
  loop.region.places.assign(4, placeOf(text, "a * b;"));
  loop.region.places[2] = placeOf(text, "c;");
  loop.simulation.pressure = {{"SKLPort0", 2.0}, {"SKLPort1", 1.9}, {"SKLPort5", 1.0}};
  const Document document = makeDocument(text, analysisOf({loop}), "cpp");
  EXPECT_EQ(hoverAt(document, {1, 5}),
            "This line: 3 of 4 micro-ops, 75 % of the pressure on SKLPort0, 79 % of the pressure on SKLPort1, in loop "
            "in f.\n\n1 of the 1 link of the longest loop-carried chain, marked *.\n\n"
            "  load a   lat 4 · rthr 0.50 · p01\n"
            "* mul b   lat 4 · rthr 0.50 · p01\n"
            "  jump loop   lat 4 · rthr 0.50 · p01");
  EXPECT_TRUE(hoverAt(document, {3, 0}).starts_with(kWholeLoop)) << "no instruction is there";
}

TEST(LineHover, TheInnermostRegionSpeaks) {
  SentRegion outer = loopRegion();
  outer.region.at = {0, static_cast<uint32_t>(kLoop.size())};
  outer.region.loop = 1;
  outer.simulation.body[1].latency = 99;
  const auto hovered = [&] { return hoverAt(makeDocument(kLoop, analysisOf({outer, loopRegion()})), {2, 4}); };
  EXPECT_NE(hovered().find("latency 4"), std::string::npos);
  outer.region.at = loopRegion().region.at;
  outer.region.share = 0.9;
  EXPECT_NE(hovered().find("latency 99"), std::string::npos);
}

// ---- hints ---------------------------------------------------------------------------------------------------------

TEST(InstructionHints, StandBehindEachInstructionOnDemand) {
  const Document document = makeDocument(kLoop, loopAnalysis());
  protocol::UserSettings settings;
  EXPECT_EQ(inlayHints(document, kAll, settings, plainClient()).size(), 1u);
  settings.instructionHints = true;
  const auto hints = inlayHints(document, kAll, settings, plainClient());
  ASSERT_EQ(hints.size(), 5u);
  EXPECT_EQ(hints[1].position, (Position{1, 8}));
  EXPECT_EQ(hints[1].label.at(0).value, "lat 4 · rthr 0.50 · p01");
  EXPECT_NE(hints[2].tooltip->value.find("waits 3.0 cycles"), std::string::npos);
  EXPECT_EQ(inlayHints(document, {{2, 0}, {3, 0}}, settings, plainClient()).size(), 2u);
  EXPECT_EQ(inlayHints(makeDocument(kLoop, loopAnalysis(), "cpp"), kAll, settings, plainClient()).size(), 1u);
}

TEST(InstructionHints, TellTheSumOfALine) {
  SentRegion loop = loopRegion();
  loop.region.places.assign(4, placeOf(kLoop, "other"));
  protocol::UserSettings settings;
  settings.instructionHints = true;
  EXPECT_EQ(inlayHints(documentOf(loop), kAll, settings, plainClient()).at(1).label[0].value,
            "4 instructions · 4 micro-ops");
}

TEST(InlayHints, TooltipsWaitForResolve) {
  const Document document = makeDocument(kLoop, loopAnalysis());
  const auto lazy = inlayHints(document, kAll, {}, fullClient()).at(0);
  EXPECT_FALSE(lazy.tooltip);
  EXPECT_FALSE(lazy.label[0].tooltip);
  EXPECT_EQ(lazy.resolveUri, document.uri());
  protocol::InlayHintResolveParams asked{{}, lazy.position, "IPC 1.00 · 4.0 cyc", document.uri()};
  const auto resolved = resolveInlayHint(document, asked, {}, fullClient());
  ASSERT_TRUE(resolved);
  EXPECT_TRUE(resolved->tooltip->value.starts_with(kWholeLoop)) << resolved->tooltip->value;
  EXPECT_TRUE(resolved->label[0].tooltip->value.starts_with("Instructions per cycle: 1.00"));
  asked.label = "IPC 2.00 · 4.0 cyc";
  EXPECT_FALSE(resolveInlayHint(document, asked, {}, fullClient())) << "it says something else now";
  protocol::ClientCapabilities partly = plainClient();
  partly.resolvesHintTooltips = true;
  EXPECT_TRUE(inlayHints(document, kAll, {}, partly).at(0).label[0].tooltip);
  const auto whole = inlayHints(document, kAll, {}, plainClient()).at(0);
  EXPECT_TRUE(whole.tooltip && whole.label[0].tooltip && whole.resolveUri.empty());
  protocol::UserSettings bare;
  bare.hintTooltips = false;
  EXPECT_FALSE(inlayHints(document, kAll, bare, plainClient()).at(0).tooltip);
}

TEST(InstructionHints, NameUnitsAsRegionsDo) {
  const auto units = [](std::vector<std::string> names) {
    analysis::wire::InstructionDetails instruction;
    for (const std::string &name : names)
      instruction.pressure.push_back({name, 1});
    return wording::instructionLabel(instruction).substr(std::string("lat 0 · rthr 0.00").size());
  };
  EXPECT_EQ(units({"SKLPort0", "SKLPort5"}), " · p05");
  EXPECT_EQ(units({"ICXPort1", "ICXPort10", "SKLDivider"}), " · p1 and 2 more");
  EXPECT_EQ(units({"CortexA55UnitALU.0"}), " · ALU.0");
  EXPECT_EQ(units({"a", "b", "c", "d", "e"}), " · a,b,c,d,e");
  EXPECT_EQ(units({}), "");
}

// ---- the others ----------------------------------------------------------------------------------------------------

TEST(DocumentHighlights, ShowTheNeighboursOfAnInstruction) {
  const Document document = makeDocument(kLoop, loopAnalysis());
  const Range load{{1, 2}, {1, 8}}, mul{{2, 2}, {2, 7}}, add{{3, 2}, {3, 7}}, jump{{4, 2}, {4, 11}};
  using Highlights = std::vector<DocumentHighlight>;
  EXPECT_EQ(documentHighlights(document, {2, 3}, fullClient()),
            (Highlights{{load, HighlightKind::Write}, {mul, HighlightKind::Text}}));
  EXPECT_EQ(documentHighlights(document, {3, 0}, fullClient()),
            (Highlights{{add, HighlightKind::Text}, {jump, HighlightKind::Read}}));
  EXPECT_TRUE(documentHighlights(document, {5, 3}, fullClient()).empty());
  EXPECT_TRUE(documentHighlights(makeDocument(kLoop, loopAnalysis(), "c"), {2, 3}, fullClient()).empty());
}

TEST(DocumentHighlights, ShowTheWholeChain) {
  SentRegion loop = loopRegion();
  loop.simulation.chain.push_back({.instruction = 3});
  const auto shown = documentHighlights(documentOf(loop), {2, 3}, fullClient());
  ASSERT_EQ(shown.size(), 3u);
  EXPECT_EQ(shown[2].range.start.line, 4u);
  EXPECT_EQ(shown[2].kind, HighlightKind::Text);
}

TEST(Definition, LeadsToTheProducers) {
  const Document document = makeDocument(kLoop, loopAnalysis());
  const auto found = producers(document, {4, 3}, fullClient());
  ASSERT_EQ(found.links.size(), 1u);
  EXPECT_TRUE(found.asLinks);
  EXPECT_EQ(found.links[0].targetUri, document.uri());
  EXPECT_EQ(found.links[0].targetRange, (Range{{3, 2}, {3, 7}}));
  EXPECT_EQ(found.links[0].originSelectionRange, (Range{{4, 2}, {4, 11}}));
  EXPECT_TRUE(producers(document, {1, 3}, fullClient()).links.empty());
}

TEST(Definition, LeadsToTheListingsLines) {
  const Document document = makeDocument("a;\nb;\n", {}, "cpp");
  const auto found =
      linesInListing(document, {1, 0}, {{9, 1}, {4, 1}, {5, 1}, {5, 1}, {6, 0}}, "mca:/listing", fullClient());
  ASSERT_EQ(found.links.size(), 2u);
  EXPECT_EQ(found.links[0].targetRange, (Range{{4, 0}, {6, 0}}));
  EXPECT_EQ(found.links[1].targetRange, (Range{{9, 0}, {10, 0}}));
  EXPECT_EQ(found.links[1].targetUri, "mca:/listing");
}

TEST(Definition, LeadsFromAListingToTheBuffer) {
  const std::vector<LineLink> links{{9, 1}, {4, 3}};
  const auto found = lineInBuffer(4, links, "file:///a.cpp", fullClient());
  ASSERT_EQ(found.links.size(), 1u);
  EXPECT_EQ(found.links[0].targetUri, "file:///a.cpp");
  EXPECT_EQ(found.links[0].targetRange, (Range{{3, 0}, {3, 0}}));
  EXPECT_TRUE(lineInBuffer(5, links, "file:///a.cpp", fullClient()).links.empty());
}

TEST(SemanticTokens, StepByTheBusiestUnit) {
  SentRegion loop = loopRegion();
  auto &body = loop.simulation.body;
  body[0].pressure = {{"A", 0.9}};
  body[1].pressure = {{"A", 1.0}};
  body[2].pressure = {{"A", 0.1}, {"B", 2.0}};
  body[3].pressure.clear();
  const Document document = documentOf(loop);
  EXPECT_EQ(semanticTokens(document, kAll, fullClient()).data, (Numbers{1, 2, 6, 0, 0, 1, 2, 5, 1, 1, 1, 2, 5, 2, 0}));
  EXPECT_EQ(semanticTokens(document, {{2, 0}, {3, 0}}, fullClient()).data, (Numbers{2, 2, 5, 1, 1}));
}

TEST(SemanticTokens, InstructionsOfOnePlaceAddUpAndTokensShareALine) {
  const std::string text = "a; b\n";
  SentRegion loop = loopRegion();
  loop.region.places.assign(4, placeOf(text, "a"));
  loop.region.places[3] = placeOf(text, "b");
  loop.region.at = {0, 4};
  EXPECT_EQ(semanticTokens(documentOf(loop, text), kAll, fullClient()).data, (Numbers{0, 0, 1, 1, 1, 0, 3, 1, 0, 0}));
}

Analysis nestedRegions() {
  SentRegion outer = loopRegion(), path = outer;
  outer.region.kind = RegionKind::Marker;
  outer.region.name = "";
  outer.region.at = {0, static_cast<uint32_t>(kLoop.size())};
  path.region.kind = RegionKind::Path;
  path.region.loop = 3;
  return analysisOf({path, path, outer});
}

TEST(DocumentSymbols, SayWhatANumberLacks) {
  Analysis analysis = nestedRegions();
  const auto detailWith = [&](std::vector<std::string> calls, std::vector<Caveat> caveats) {
    analysis.regions.back().region.calls = std::move(calls);
    analysis.regions.back().region.caveats = std::move(caveats);
    return documentSymbols(makeDocument(kLoop, analysis), fullClient()).symbols[0].detail;
  };
  const Caveat missing{.kind = Caveat::Kind::UnreadLine}, assumed{.kind = Caveat::Kind::RepeatPrefix};
  EXPECT_EQ(detailWith({}, {assumed}), "≈ IPC 1.00 · 4.0 cyc");
  EXPECT_EQ(detailWith({"f"}, {}), "≥ 4.0 cyc");
  EXPECT_EQ(detailWith({"f"}, {assumed}), "≥ ≈ 4.0 cyc");
  EXPECT_EQ(detailWith({}, {missing}), "≥ 4.0 cyc");
  EXPECT_EQ(detailWith({}, {missing, assumed}), "≥ ≈ 4.0 cyc");
}

TEST(DocumentSymbols, NestAsRegionsDo) {
  const Document document = makeDocument(kLoop, nestedRegions());
  const auto found = documentSymbols(document, fullClient());
  ASSERT_EQ(found.symbols.size(), 1u);
  EXPECT_EQ(found.symbols[0].name, "region");
  EXPECT_EQ(found.symbols[0].detail, "IPC 1.00 · 4.0 cyc");
  EXPECT_EQ(found.symbols[0].selectionRange, (Range{{0, 0}, {0, 5}}));
  ASSERT_EQ(found.symbols[0].children.size(), 1u) << "paths of one loop are one symbol";
  EXPECT_EQ(found.symbols[0].children[0].name, "loop in f");
  EXPECT_TRUE(documentSymbols(makeDocument(kLoop, nestedRegions(), "cpp"), fullClient()).symbols.empty());
}

/// Levels of a tree of symbols, by its first ones.
size_t depthOf(const std::vector<protocol::DocumentSymbol> &symbols) {
  size_t depth = 0;
  for (const auto *level = &symbols; !level->empty(); level = &level->front().children)
    ++depth;
  return depth;
}

TEST(DocumentSymbols, ATreeOfThemHasALimitedDepth) {
  const std::string text(20'000, '\n');
  std::vector<SentRegion> regions;
  for (uint32_t i = 0; i < 10'000; ++i)
    regions.push_back(markedRegion("r", {i, static_cast<uint32_t>(text.size()) - i}));
  const auto found = documentSymbols(makeDocument(text, analysisOf(regions)), fullClient());
  EXPECT_EQ(depthOf(found.symbols), 64u);
}

TEST(FoldingRanges, CoverRegionsAndLoops) {
  const Document document = makeDocument(kLoop, nestedRegions());
  EXPECT_EQ(foldingRanges(document, fullClient()), (std::vector<protocol::FoldingRange>{{0, 5}, {1, 4}}));
  protocol::ClientCapabilities one = fullClient();
  one.foldingRangeLimit = 1;
  EXPECT_EQ(foldingRanges(document, one), (std::vector<protocol::FoldingRange>{{0, 5}}));
}

TEST(FoldingRanges, AreFoldedOnceEachWhateverTheirOrder) {
  const std::string text(40, '\n');
  std::vector<SentRegion> regions;
  for (const wire::ByteRange at : {wire::ByteRange{2, 9}, {0, 20}, {2, 9}, {2, 12}, {0, 20}, {30, 31}})
    regions.push_back(markedRegion("r", at));
  EXPECT_EQ(foldingRanges(makeDocument(text, analysisOf(regions)), fullClient()),
            (std::vector<protocol::FoldingRange>{{0, 19}, {2, 11}, {2, 8}}));
}

TEST(CodeLenses, AreTheHints) {
  const auto lenses = codeLenses(makeDocument(kLoop, loopAnalysis()), true, fullClient());
  ASSERT_EQ(lenses.size(), 2u);
  EXPECT_EQ(lenses[0].title, "IPC 1.00 · 4.0 cyc");
  EXPECT_EQ(lenses[1].title, "Measure this loop");
  EXPECT_EQ(lenses[1].command, "mca.measureRegion");
  EXPECT_EQ(lenses[0].range, (Range{{0, 0}, {0, 5}}));
}

} // namespace
} // namespace lsp::features
