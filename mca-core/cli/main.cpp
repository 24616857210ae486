// The program `mca`: reads assembly, simulates its regions and prints llvm-mca's report.
#include "mca-core/assembly/program.h"
#include "mca-core/engine/simulate.h"
#include "mca-core/target/target.h"
#include "mca-core/views/text.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"

#include <numeric>

namespace {

namespace cl = llvm::cl;

cl::OptionCategory kOptions("Tool Options");
cl::opt<std::string> kInput(cl::Positional, cl::desc("<input file>"), cl::cat(kOptions), cl::init("-"));
cl::opt<std::string> kTriple("mtriple", cl::desc("Target triple; the host's when not given"), cl::cat(kOptions));
cl::opt<std::string> kCpu("mcpu", cl::desc("CPU to model; \"native\" is the host's"), cl::value_desc("cpu-name"),
                          cl::cat(kOptions), cl::init("native"));
cl::opt<std::string> kFeatures("mattr", cl::desc("Target features, \"+a,-b\""), cl::value_desc("a1,+a2,-a3,..."),
                               cl::cat(kOptions));
cl::opt<unsigned> kIterations("iterations", cl::desc("Number of iterations to run (default 100)"), cl::cat(kOptions),
                              cl::init(0));
cl::opt<bool> kTimeline("timeline", cl::desc("Print the timeline view"), cl::cat(kOptions));
cl::opt<bool> kBottlenecks("bottleneck-analysis", cl::desc("Print the bottleneck analysis"), cl::cat(kOptions));

/// A region to report on: a marker region, or the whole text when it has none.
struct NamedRegion {
  std::string name;
  bool marked = false;
  std::vector<uint32_t> instructions;
};

std::vector<NamedRegion> regionsOf(const mca::Program &program) {
  std::vector<NamedRegion> regions;
  for (const mca::MarkerRegion &region : program.markerRegions())
    regions.push_back({region.name, true, program.instructionsOf(region)});
  if (regions.empty()) {
    regions.emplace_back().instructions.resize(program.instructions().size());
    std::iota(regions[0].instructions.begin(), regions[0].instructions.end(), 0);
  }
  return regions;
}

void printDiagnostics(const mca::Program &program, llvm::StringRef file) {
  const llvm::StringRef text = program.text();
  const auto print = [&](uint32_t offset, const char *kind, const std::string &message) {
    const llvm::StringRef before = text.take_front(offset);
    const size_t lineStart = before.rfind('\n') + 1;
    llvm::StringRef line = text.drop_front(lineStart).take_until([](char c) { return c == '\n' || c == '\r'; });
    llvm::errs() << file << ':' << before.count('\n') + 1 << ':' << offset - lineStart + 1 << ": " << kind << ": "
                 << message << '\n'
                 << line << '\n';
    for (const char c : text.slice(lineStart, offset))
      llvm::errs() << (c == '\t' ? '\t' : ' ');
    llvm::errs() << "^\n";
  };
  for (const mca::Diagnostic &diagnostic : program.diagnostics()) {
    print(diagnostic.begin, diagnostic.severity == mca::Diagnostic::Severity::Error ? "error" : "warning",
          diagnostic.message);
    for (const mca::Diagnostic::Related &related : diagnostic.related)
      print(related.begin, "note", related.message);
  }
}

/// llvm-mca's last word on a text that it could not read.
int failedToParse(const mca::Program &program) {
  const bool markersOnly = llvm::all_of(program.diagnostics(), [](const mca::Diagnostic &d) { return d.fromMarker; });
  llvm::WithColor::error() << (markersOnly ? "There was an error parsing comments.\n"
                                           : "Assembly input parsing had errors.\n");
  return 1;
}

int failedToLower(const mca::Target &target, const mca::Program &program, const NamedRegion &region,
                  const mca::SkippedInstruction &skipped) {
  llvm::WithColor::error() << skipped.message << ".\n";
  std::string text;
  llvm::raw_string_ostream stream(text);
  target.createPrinter(program.syntaxVariant())
      ->printInst(&program.instructions()[region.instructions[skipped.instruction]].inst, 0, "", target.subtarget(),
                  stream);
  llvm::WithColor::note() << "instruction: " << text << '\n';
  return 1;
}

void printHeader(const NamedRegion &region, unsigned index) {
  if (!region.marked)
    return;
  llvm::outs() << "\n[" << index << "] Code Region";
  if (!region.name.empty())
    llvm::outs() << " - " << region.name;
  llvm::outs() << "\n\n";
}

int run() {
  auto target = mca::Target::create({.triple = kTriple, .cpu = kCpu, .features = kFeatures});
  if (!target) {
    llvm::WithColor::error() << target.message() << '\n';
    return 1;
  }
  if (!(*target)->cpuIsKnown())
    return 1;
  if (!(*target)->hasSchedulingModel()) {
    llvm::WithColor::error() << "unable to find instruction-level scheduling information for target triple '"
                             << (*target)->triple().str() << "' and cpu '" << (*target)->cpu() << "'.\n";
    if ((*target)->subtarget().getSchedModel().InstrItineraries)
      llvm::WithColor::note() << "instruction itineraries are currently unsupported.\n";
    return 1;
  }
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(kInput);
  if (!buffer) {
    llvm::WithColor::error() << kInput << ": " << buffer.getError().message() << '\n';
    return 1;
  }
  const auto program = mca::Program::parse((*buffer)->getBuffer().str(), **target,
                                           {.bufferName = (*buffer)->getBufferIdentifier().str()});
  printDiagnostics(*program, (*buffer)->getBufferIdentifier());
  if (program->hasErrors())
    return failedToParse(*program);
  if (program->instructions().empty()) {
    llvm::WithColor::error() << "no assembly instructions found.\n";
    return 1;
  }
  if (kBottlenecks && !(*target)->isOutOfOrder())
    llvm::WithColor::warning() << "bottleneck analysis is not supported for in-order CPU '" << (*target)->cpu()
                               << "'.\n";

  const mca::SimulationOptions options{
      .iterations = kIterations ? unsigned(kIterations) : 100u, .timeline = kTimeline, .bottlenecks = kBottlenecks};
  unsigned index = 0;
  for (const NamedRegion &region : regionsOf(*program)) {
    if (region.instructions.empty())
      continue;
    auto simulation = mca::simulate(**target, *program, region.instructions, options);
    if (!simulation) {
      llvm::WithColor::error() << simulation.message() << '\n';
      return 1;
    }
    if (!simulation->skipped.empty())
      return failedToLower(**target, *program, region, simulation->skipped.front());
    printHeader(region, index++);
    const mca::Report &report = simulation->report;
    mca::printSummary(llvm::outs(), report);
    if (report.bottlenecks)
      mca::printBottlenecks(llvm::outs(), report);
    mca::printInstructionInfo(llvm::outs(), report);
    mca::printResourcePressure(llvm::outs(), report);
    if (report.timeline)
      mca::printTimeline(llvm::outs(), report);
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(kOptions);
  cl::ParseCommandLineOptions(argc, argv, "llvm machine code performance analyzer.\n");
  return run();
}
