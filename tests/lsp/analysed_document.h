// Documents with a made-up analysis: the texts are short, and instructions are found in them by what they say.
#pragma once

#include "lsp/protocol/types_features.h"
#include "lsp/workspace/document.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace lsp::features {

inline analysis::wire::ByteRange placeOf(const std::string &text, const std::string &what) {
  const auto begin = static_cast<uint32_t>(text.find(what));
  return {begin, begin + static_cast<uint32_t>(what.size())};
}

inline Document makeDocument(const std::string &text, Analysis analysis, const std::string &languageId = "asm") {
  Document document({"file:///dir/a.s", languageId, 7, ""}, text);
  document.setAnalysis(std::move(analysis));
  return document;
}

/// A region, and what a worker sends of its simulation.
struct SentRegion {
  analysis::wire::Region region;
  analysis::wire::Simulation simulation;
};

/// What becomes of such regions, whose simulations get numbers here.
inline Analysis analysisOf(std::vector<SentRegion> sent) {
  analysis::wire::AnalysisResult result;
  for (SentRegion &one : sent) {
    one.region.simulation = one.simulation.id = result.simulations.size() + 1;
    result.regions.push_back(std::move(one.region));
    result.simulations.push_back(std::move(one.simulation));
  }
  return Analysis::take(result, {});
}

/// A marked region whose hint, "IPC 1.00 · 4.0 cyc", stands behind the line where it begins.
inline SentRegion markedRegion(const std::string &name, analysis::wire::ByteRange at, double cycles = 4) {
  return {{.name = name, .kind = analysis::wire::RegionKind::Marker, .at = at, .anchor = at.begin},
          {.cyclesPerIteration = cycles, .ipc = 1}};
}

inline analysis::wire::InstructionDetails instruction(const std::string &what, std::vector<uint32_t> needs = {}) {
  return {.text = what,
          .microOps = 1,
          .latency = 4,
          .reciprocalThroughput = 0.5,
          .pressure = {{"SKLPort0", 0.5}, {"SKLPort1", 0.5}},
          .needs = std::move(needs)};
}

/// A loop of four instructions: a load, a multiplication that needs it and itself, an addition that needs nothing, and
/// the branch that needs the addition.
inline const std::string kLoop = "loop:\n"
                                 "  load a\n"
                                 "  mul b\n"
                                 "  add c\n"
                                 "  jump loop\n"
                                 "  other\n";

/// Its hint stands behind the label.
inline SentRegion loopRegion(const std::string &text = kLoop) {
  SentRegion loop;
  loop.region.name = "loop in f";
  loop.region.kind = analysis::wire::RegionKind::Loop;
  loop.region.at = {placeOf(text, "  load a").begin, placeOf(text, "jump loop").end};
  loop.region.anchor = placeOf(text, "loop:").begin;
  loop.simulation.instructions = 4;
  loop.simulation.cyclesPerIteration = 4;
  loop.simulation.ipc = 1;
  loop.simulation.pressure = {{"SKLPort0", 2.0}, {"SKLPort1", 2.0}, {"SKLPort5", 0.5}};
  loop.simulation.body = {instruction("load a"), instruction("mul b", {0, 1}), instruction("add c"),
                          instruction("jump loop", {2})};
  for (const analysis::wire::InstructionDetails &one : loop.simulation.body)
    loop.region.places.push_back(placeOf(text, one.text));
  loop.simulation.body[0].loads = true;
  loop.simulation.body[1].waits = {{analysis::wire::WaitKind::Register, "r1", 3, {0}}};
  loop.simulation.chainCycles = 4;
  loop.simulation.chain = {{.instruction = 1, .reg = "r2", .cycles = 4, .iterations = 1}};
  return loop;
}

inline Analysis loopAnalysis(const std::string &text = kLoop) {
  Analysis analysis = analysisOf({loopRegion(text)});
  analysis.target = {"x86_64-unknown-linux-gnu", "skylake", "", "", "", ""};
  return analysis;
}

/// A client that can do all that the features know of.
inline protocol::ClientCapabilities fullClient() {
  protocol::ClientCapabilities client;
  client.encoding = protocol::PositionEncoding::Utf8;
  client.resolvesHintTooltips = client.resolvesHintLabelTooltips = true;
  client.codeActionLiterals = client.documentChanges = client.createsFiles = true;
  client.hierarchicalSymbols = client.definitionLinks = true;
  return client;
}

/// `text` with the edits made, which must not overlap.
inline std::string edited(const Document &document, std::vector<protocol::TextEdit> edits) {
  Text text(document.text().bytes());
  std::stable_sort(edits.begin(), edits.end(),
                   [](const auto &a, const auto &b) { return b.range.start < a.range.start; });
  for (const protocol::TextEdit &edit : edits)
    text.replace({text.offsetOf(edit.range.start, protocol::PositionEncoding::Utf8),
                  text.offsetOf(edit.range.end, protocol::PositionEncoding::Utf8)},
                 edit.newText);
  return text.bytes();
}

} // namespace lsp::features
