// Documents with a made-up analysis: the texts are short, and instructions are found in them by what they say.
#pragma once

#include "lsp/protocol/types_features.h"
#include "lsp/workspace/document.h"

#include <algorithm>
#include <string>
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

inline analysis::wire::InstructionDetails instruction(const std::string &text, const std::string &what,
                                                      std::vector<uint32_t> needs = {}) {
  return {.at = placeOf(text, what),
          .text = what,
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

inline analysis::wire::RegionSummary loopRegion(const std::string &text = kLoop) {
  analysis::wire::RegionSummary region;
  region.name = "loop in f";
  region.kind = analysis::wire::RegionKind::Loop;
  region.at = {placeOf(text, "  load a").begin, placeOf(text, "jump loop").end};
  region.cyclesPerIteration = 4;
  region.ipc = 1;
  region.pressure = {{"SKLPort0", 2.0}, {"SKLPort1", 2.0}, {"SKLPort5", 0.5}};
  region.body = {instruction(text, "load a"), instruction(text, "mul b", {0, 1}), instruction(text, "add c"),
                 instruction(text, "jump loop", {2})};
  region.body[0].loads = true;
  region.body[1].waits = {{analysis::wire::WaitKind::Register, "r1", 3, {0}}};
  region.chain = {1};
  return region;
}

inline Analysis loopAnalysis(const std::string &text = kLoop) {
  Analysis analysis;
  analysis.hints = {{0, {{"IPC 1.00", {}}}, {}}};
  analysis.hovers = {{loopRegion(text).at, {{analysis::wire::Block::Kind::Paragraph, "the loop"}}}};
  analysis.regions = {loopRegion(text)};
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
