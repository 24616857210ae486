// From a compiler's or a preprocessor's output back to the lines of the buffer, for any bytes. The first byte chooses:
// assembly with its `.loc` comments, DWARF and block frequencies, up to the regions; bytes of DWARF sections; or a
// preprocessor's line markers. NUL bytes separate the buffer from the rest.
//
// Places lie inside the buffer, and what is numbered refers to what exists.
#include "analysis/compile/compiler_messages.h"
#include "analysis/regions/block_profile.h"
#include "analysis/regions/loop_statements.h"
#include "analysis/regions/region.h"
#include "analysis/regions/source_iterations.h"
#include "analysis/regions/source_markers.h"
#include "analysis/source_map/inline_scopes.h"
#include "analysis/source_map/source_map.h"
#include "tests/fuzz/property.h"

#include <algorithm>
#include <cstdint>

namespace {

using namespace analysis;
using fuzz::require;

constexpr const char *kPath = "/project/a.cpp", *kDirectory = "/project";

void requireInside(wire::ByteRange at, std::string_view text) {
  require(at.begin <= at.end && at.end <= text.size());
}

const mca::Target &target() {
  static const auto created = mca::Target::create({.triple = "x86_64-unknown-linux-gnu", .cpu = "skylake"});
  require(static_cast<bool>(created));
  return **created;
}

/// As the worker reads a compiler's assembly: `.include` and `.incbin` find nothing.
std::unique_ptr<mca::Program> parse(std::string assembly) {
  mca::ParseOptions options{.dataAsCode = true,
                            .keepData = InlineScopes::sections(),
                            .files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>()};
  for (std::string &section : blockProfileSections())
    options.keepData.push_back(std::move(section));
  return mca::Program::parse(std::move(assembly), target(), options);
}

void checkScopes(const InlineScopes &scopes, const mca::Program &program) {
  for (uint32_t i = 0; i < scopes.scopes().size(); ++i) {
    const InlineScopes::Scope &scope = scopes.scopes()[i];
    require(scope.parent == InlineScopes::kNone || scope.parent < i);
    static_cast<void>(scopes.nameOf(scope));
  }
  for (uint32_t i = 0; i <= program.instructions().size(); ++i)
    require(scopes.scopeOf(i) == InlineScopes::kNone || scopes.scopeOf(i) < scopes.scopes().size());
}

void checkFrames(const SourceMap &map, const mca::Program &program) {
  for (uint32_t i = 0; i < program.instructions().size(); ++i) {
    if (const std::optional<SourcePlace> place = map.placeOf(i)) {
      require(place->line >= 1 && place->line <= map.lines().count());
      require(map.offsetOf(*place) <= map.lines().text().size());
    }
    static_cast<void>(map.isOfOtherFile(i));
    uint32_t deeper = SourceMap::kNoFrame;
    for (uint32_t at = map.frameOf(i); at != SourceMap::kNoFrame; at = map.frame(at).caller) {
      const Frame &frame = map.frame(at);
      require(frame.file < map.fileCount() && frame.inBuffer.line <= map.lines().count());
      require(frame.caller == SourceMap::kNoFrame ? frame.depth == 0
                                                  : frame.depth == map.frame(frame.caller).depth + 1);
      require(deeper == SourceMap::kNoFrame || at < deeper); // callers come first, so that no stack is a ring
      deeper = at;
    }
  }
}

void checkBlocks(const std::vector<ProfiledBlock> &blocks, const mca::Program &program) {
  require(std::ranges::is_sorted(blocks, {}, &ProfiledBlock::first));
  for (const ProfiledBlock &block : blocks) {
    require(block.first <= block.last && block.last <= program.instructions().size());
    require(block.frequency >= 0);
    for (const ProfiledBlock::Edge &edge : block.successors)
      require(edge.to <= program.instructions().size() && edge.probability >= 0 && edge.probability <= 1);
  }
}

void checkRegions(const Regions &found, const SourceMap &map, const mca::Program &program) {
  for (const Region &region : found.regions) {
    requireInside(region.at, map.lines().text());
    require(region.anchor <= map.lines().text().size());
    require(region.lines.size() == region.instructions.size() && !region.instructions.empty());
    for (const uint32_t instruction : region.instructions)
      require(instruction < program.instructions().size());
    for (const uint32_t line : region.lines)
      require(line <= map.lines().count());
    require(region.share == -1 || (region.share >= 0 && region.share <= 1));
    require(region.iterationsPerCall >= 0);
  }
  for (const LoopElsewhere &loop : found.elsewhere) {
    require(loop.loop < program.instructions().size());
    for (const uint32_t file : loop.files)
      require(file < map.fileCount());
  }
}

/// The steps of a job between the compiler and the simulation.
void checkCompiled(std::string_view rest) {
  const std::string buffer(fuzz::takeUntil(rest, '\0')); // clang's lexer needs the NUL byte at its end
  const CompilerMessages messages = parseCompilerMessages(fuzz::takeUntil(rest, '\0'), kDirectory);
  const std::unique_ptr<mca::Program> program = parse(std::string(rest));
  const TextLines lines(buffer);
  const InlineScopes scopes = InlineScopes::read(*program);
  checkScopes(scopes, *program);
  const SourceMap map = SourceMap::ofSource(*program, lines, kPath, kDirectory, scopes);
  checkFrames(map, *program);
  const std::vector<ProfiledBlock> blocks = readBlockProfiles(*program);
  checkBlocks(blocks, *program);

  const SourceMarkers markers = findSourceMarkers(buffer, wire::Language::Cxx);
  const LoopStatements statements(buffer, wire::Language::Cxx);
  const SourceFacts facts{.markers = markers.regions,
                          .statements = &statements,
                          .probability = branchProbabilities(blocks),
                          .blocks = &blocks,
                          .scopes = &scopes,
                          .tellsDuplication = true};
  Regions found = findSourceRegions({target(), *program}, map, facts, {});
  findSourceIterations(target(), *program, messages.remarks, found.regions);
  checkRegions(found, map, *program);
}

/// Four instructions, and sections of these bytes, each with two bytes of its length before it.
void checkDwarf(std::string_view bytes) {
  std::string text = "nop\nnop\nnop\nnop\n";
  for (const std::string &name : InlineScopes::sections()) {
    if (bytes.size() < 2)
      break;
    const size_t length = static_cast<uint8_t>(bytes[0]) + 256u * static_cast<uint8_t>(bytes[1]);
    const std::string_view section = bytes.substr(2, length);
    bytes.remove_prefix(2 + section.size());
    text += ".section " + name + ",\"\",@progbits\n";
    for (const char byte : section)
      text += ".byte " + std::to_string(static_cast<uint8_t>(byte)) + "\n";
  }
  const std::unique_ptr<mca::Program> program = parse(std::move(text));
  checkScopes(InlineScopes::read(*program), *program);
}

void checkPreprocessed(std::string_view text) {
  const TextLines buffer(fuzz::takeUntil(text, '\0'));
  const Preprocessed preprocessed(text, buffer, kPath, kDirectory);
  const auto size = static_cast<uint32_t>(text.size());
  for (uint32_t offset = 0; offset <= size; ++offset) {
    const SourcePlace place = preprocessed.placeOf(offset);
    require(place.line <= buffer.count());
    require(!place.line || place.column <= buffer.lineText(place.line - 1).size() + 1);
    requireInside(preprocessed.inBuffer(wire::ByteRange{offset / 2, offset}), buffer.text());
    requireInside(preprocessed.inBuffer(wire::ByteRange{offset, size}), buffer.text());
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  const std::string_view rest = fuzz::textOf(data + 1, size - 1);
  if (data[0] % 3 == 0)
    checkCompiled(rest);
  else if (data[0] % 3 == 1)
    checkDwarf(rest);
  else
    checkPreprocessed(rest);
  return 0;
}
