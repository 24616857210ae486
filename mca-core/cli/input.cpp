// Prints messages in llvm-mca's order.
#include "mca-core/cli/input.h"

#include "llvm/Support/WithColor.h"

#include <algorithm>
#include <numeric>

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

bool parserFailed(const Program &program) {
  if (!program.parserFailed())
    return false;
  llvm::WithColor::error() << "Assembly input parsing had errors, use -skip-unsupported-instructions=parse-failure to "
                              "drop failing lines from the input.\n";
  return true;
}

} // namespace

std::unique_ptr<llvm::MemoryBuffer> readInput(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (buffer)
    return std::move(*buffer);
  llvm::WithColor::error() << path << ": " << buffer.getError().message() << '\n';
  return nullptr;
}

/// llvm-mca parses the text twice, for the regions and for the instruments, so the parser's messages appear twice.
std::unique_ptr<Program> parseInput(const llvm::MemoryBuffer &input, const Target &target, const Options &options) {
  std::unique_ptr<Program> program = Program::parse(input.getBuffer().str(), target,
                                                    {.ownLineDirectives = options.acceptGccDebugInfo,
                                                     .asLlvmMca = true,
                                                     .bufferName = input.getBufferIdentifier().str()});
  const bool badRegions = printMessages(*program, Source::RegionMarker);
  if (!options.skipUnparsed && parserFailed(*program))
    return nullptr;
  if (badRegions)
    return nullptr;
  const std::vector<NamedRegion> regions = regionsOf(*program);
  if (std::all_of(regions.begin(), regions.end(), [](const NamedRegion &r) { return r.instructions.empty(); })) {
    llvm::WithColor::error() << "no assembly instructions found.\n";
    return nullptr;
  }
  if (printMessages(*program, Source::Instrument)) {
    llvm::WithColor::error() << "There was an error parsing comments.\n";
    return nullptr;
  }
  return program;
}

std::vector<NamedRegion> regionsOf(const Program &program) {
  std::vector<NamedRegion> regions;
  for (const MarkerRegion &region : program.markerRegions())
    regions.push_back({region.name, true, program.instructionsOf(region)});
  if (regions.empty()) {
    regions.emplace_back().instructions.resize(program.instructions().size());
    std::iota(regions[0].instructions.begin(), regions[0].instructions.end(), 0);
  }
  return regions;
}

} // namespace mca
