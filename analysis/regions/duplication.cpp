// A discriminator stands in the text of its `.loc` directive, of which mca::LineEntry keeps the offset.
#include "analysis/regions/duplication.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace analysis {
namespace {

constexpr uint32_t kNone = SourceMap::kNoFrame;

/// The factor in the discriminator of an instruction's `.loc`: 1 without one. The comment after the directive may hold
/// the same word.
uint32_t factorOf(uint32_t instruction, const mca::Program &program) {
  const uint32_t line = program.instructions()[instruction].line;
  const llvm::StringRef text = llvm::StringRef(program.text()).drop_front(program.lines()[line].offset);
  llvm::StringRef rest = text.take_front(text.find_first_of("\r\n#;@/|!")).split(" discriminator ").second;
  uint32_t discriminator = 0;
  return rest.consumeInteger(10, discriminator)
             ? 1
             : llvm::DILocation::getDuplicationFactorFromDiscriminator(discriminator);
}

/// Whether a statement around a frame is that of the place.
bool isOfPlace(const Frame &frame, const FrameText &text, const LoopStatement &statement, const LoopPlace &place) {
  if (frame.inBuffer.line)
    return !place.atCall && statement.keyword == place.anchor;
  return frame.file == place.file && text.lines->lineOf(statement.keyword) + 1 == place.lastLine;
}

/// The heads of the loop statements around that of the place, including those around the calls that it was inlined
/// through.
std::vector<CodeLines> headsAround(uint32_t index, const LoopPlace &place, const Sources &in) {
  std::vector<CodeLines> heads;
  bool isOutside = false;
  for (; index != kNone; index = in.map.frame(index).caller, isOutside = true) {
    const Frame &frame = in.map.frame(index);
    const FrameText text = textOf(frame, in);
    for (const LoopStatement *one = text.innermost; one; one = text.statements->around(*one)) {
      if (isOutside)
        heads.push_back({.file = in.map.fileName(frame.file),
                         .firstLine = text.lines->lineOf(one->extent.begin) + 1 + text.shift,
                         .lastLine = text.lines->lineOf(one->keyword) + 1 + text.shift,
                         .isStatement = true});
      isOutside |= isOfPlace(frame, text, *one, place);
    }
  }
  return heads;
}

} // namespace

void readOwnCode(const mca::Loop &loop, const mca::Program &program, const Sources &in, const LoopPlace &place,
                 bool tellsDuplication, Region &region) {
  std::vector<uint32_t> factors, callers;
  for (const uint32_t instruction : loop.instructions) {
    const uint32_t index = in.map.frameOf(instruction);
    if (index == kNone || !in.map.frame(index).line)
      continue;
    const Frame &frame = in.map.frame(index);
    if (place.isStatement) {
      const FrameText text = textOf(frame, in);
      if (!text.innermost || !isOfPlace(frame, text, *text.innermost, place)) // in no loop statement within it
        continue;
      if (callers.empty())
        region.around = headsAround(index, place, in);
    }
    callers.push_back(frame.caller);
    factors.push_back(tellsDuplication ? factorOf(instruction, program) : 0);
  }
  // A macro's loops are no statements, and several of them share a line: of these only loops that were not copied at
  // all are known.
  const bool isKnown = !callers.empty() && (place.isStatement ? llvm::all_equal(callers) : factors.front() == 1);
  if (!isKnown)
    return;
  if (place.isStatement)
    region.code.caller = callers.front();
  if (llvm::all_equal(factors))
    region.duplication = factors.front();
}

} // namespace analysis
