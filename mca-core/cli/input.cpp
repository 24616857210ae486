// Prints messages in llvm-mca's words and order, which its two passes over the text decide.
#include "mca-core/cli/input.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/WithColor.h"

#include <cstddef>

namespace mca {
namespace {

using Source = ParserMessage::Source;

/// Prints the messages of the parser and of one kind of marker, in text order. Returns whether that kind of marker had
/// any.
bool printMessages(const Program &program, Source markers) {
  bool markersHaveMessages = false;
  for (const ParserMessage &message : program.messages()) {
    if (message.source != Source::Parser && message.source != markers)
      continue;
    markersHaveMessages |= message.source == markers;
    llvm::errs() << message.includeStack;
    message.diagnostic.print(nullptr, llvm::errs());
  }
  return markersHaveMessages;
}

/// Prints an error; returns a null pointer of any kind.
std::nullptr_t fail(const llvm::Twine &message) {
  llvm::WithColor::error() << message << '\n';
  return nullptr;
}

} // namespace

std::unique_ptr<llvm::MemoryBuffer> readInput(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer)
    return fail(path + ": " + buffer.getError().message());
  return std::move(*buffer);
}

/// llvm-mca parses the text twice, for the regions and for the instruments, so the parser's messages appear twice.
std::unique_ptr<Program> parseInput(const llvm::MemoryBuffer &input, const Target &target, const Options &options) {
  std::unique_ptr<Program> program = Program::parse(input.getBuffer().str(), target,
                                                    {.ownLineDirectives = options.acceptGccDebugInfo,
                                                     .asLlvmMca = true,
                                                     .bufferName = input.getBufferIdentifier().str()});
  const bool badRegions = printMessages(*program, Source::RegionMarker);
  if (!options.skipUnparsed && program->parserFailed())
    return fail("Assembly input parsing had errors, use -skip-unsupported-instructions=parse-failure to drop failing "
                "lines from the input.");
  if (badRegions)
    return nullptr;
  if (llvm::all_of(regionsOf(*program), [](const NamedRegion &region) { return region.instructions.empty(); }))
    return fail("no assembly instructions found.");
  if (printMessages(*program, Source::Instrument))
    return fail("There was an error parsing comments.");
  return program;
}

std::vector<NamedRegion> regionsOf(const Program &program) {
  std::vector<NamedRegion> regions;
  for (const MarkerRegion &region : program.markerRegions())
    regions.push_back({region.name, true, program.instructionsOf(region)});
  if (regions.empty()) {
    const auto all = llvm::seq<uint32_t>(0, static_cast<uint32_t>(program.instructions().size()));
    regions.push_back({.instructions = {all.begin(), all.end()}});
  }
  return regions;
}

} // namespace mca
