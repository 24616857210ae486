#include "analysis/regions/duplication.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace analysis {
namespace {

constexpr uint32_t kNone = SourceMap::kNoFrame;

/// The factor in the discriminator of the `.loc` at this offset: 1 without one.
uint32_t factorAt(llvm::StringRef text, uint32_t offset) {
  text = text.drop_front(offset);
  const llvm::StringRef directive = text.take_front(text.find_first_of("\r\n#;@/|!"));
  uint32_t discriminator = 0;
  llvm::StringRef rest = directive.split(" discriminator ").second;
  if (rest.consumeInteger(10, discriminator))
    return 1;
  return llvm::DILocation::getDuplicationFactorFromDiscriminator(discriminator);
}

} // namespace

StatementsByFrame::Found StatementsByFrame::find(uint32_t index) {
  const Frame &frame = map_.frame(index);
  if (frame.inBuffer.line)
    return {&buffer_, buffer_.around(map_.offsetOf(frame.inBuffer))};
  const SourceFiles::File &file = files_.file(frame.file);
  if (!file.statements || !frame.line || frame.line > file.lines->count())
    return {};
  const wire::ByteRange line = file.lines->range(frame.line - 1);
  const uint32_t column = frame.column ? std::min(frame.column - 1, line.end - line.begin) : 0;
  return {&*file.statements, file.statements->around(line.begin + column)};
}

CodeLines StatementsByFrame::headOf(uint32_t index, const LoopStatement &statement) {
  const Frame &frame = map_.frame(index);
  const bool inBuffer = frame.inBuffer.line != 0;
  const TextLines &lines = inBuffer ? map_.lines() : *files_.file(frame.file).lines;
  const uint32_t shift =
      inBuffer ? frame.line - frame.inBuffer.line : 0; // `#line` may have the compiler count otherwise
  return {.file = map_.fileName(frame.file),
          .firstLine = lines.lineOf(statement.extent.begin) + 1 + shift,
          .lastLine = lines.lineOf(statement.keyword) + 1 + shift,
          .isStatement = true};
}

bool StatementsByFrame::isOfPlace(uint32_t index, const LoopStatement &statement, const LoopPlace &place) {
  const Frame &frame = map_.frame(index);
  if (frame.inBuffer.line)
    return !place.atCall && statement.keyword == place.anchor;
  return frame.file == place.file && headOf(index, statement).lastLine == place.lastLine;
}

bool StatementsByFrame::isDirectlyIn(uint32_t frame, const LoopPlace &place) {
  const Found found = find(frame);
  return found.innermost && isOfPlace(frame, *found.innermost, place);
}

std::vector<CodeLines> StatementsByFrame::around(uint32_t frame, const LoopPlace &place) {
  std::vector<CodeLines> heads;
  bool isOutside = false;
  for (; frame != kNone; frame = map_.frame(frame).caller, isOutside = true) {
    const Found found = find(frame);
    for (const LoopStatement *one = found.innermost; one; one = found.statements->around(*one)) {
      if (isOutside)
        heads.push_back(headOf(frame, *one));
      isOutside |= isOfPlace(frame, *one, place);
    }
  }
  return heads;
}

namespace {

/// Whether clang copied no instruction of the loop.
bool isCopiedOnce(const Loop &loop, const mca::Program &program, const SourceMap &map) {
  size_t placed = 0;
  for (const uint32_t instruction : loop.instructions) {
    const uint32_t frame = map.frameOf(instruction);
    if (frame == kNone || !map.frame(frame).line)
      continue;
    ++placed;
    if (factorAt(program.text(), program.lines()[program.instructions()[instruction].line].offset) != 1)
      return false;
  }
  return placed > 0;
}

} // namespace

void readOwnCode(const Loop &loop, const mca::Program &program, const SourceMap &map, const LoopPlace &place,
                 StatementsByFrame &statements, bool tellsDuplication, Region &region) {
  // A macro's loops are no statements, and several of them share a line.
  if (!place.isStatement && tellsDuplication && isCopiedOnce(loop, program, map))
    region.duplication = 1;
  std::vector<uint32_t> factors, callers;
  for (const uint32_t instruction : loop.instructions) {
    const uint32_t frame = map.frameOf(instruction);
    if (!place.isStatement || frame == kNone || !map.frame(frame).line || !statements.isDirectlyIn(frame, place))
      continue;
    if (callers.empty())
      region.around = statements.around(frame, place);
    callers.push_back(map.frame(frame).caller);
    factors.push_back(factorAt(program.text(), program.lines()[program.instructions()[instruction].line].offset));
  }
  if (callers.empty() || !llvm::all_equal(callers))
    return;
  region.code.caller = callers.front();
  if (tellsDuplication && llvm::all_equal(factors))
    region.duplication = factors.front();
}

} // namespace analysis
