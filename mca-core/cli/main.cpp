// The program `mca`: reads assembly, simulates its regions and prints llvm-mca's report.
//
// Scripts that run llvm-mca must be able to run mca instead. So the order of the checks, the messages with and without
// a line end, and what is on the standard error are those of llvm/tools/llvm-mca/llvm-mca.cpp; tests/differential
// compares them. The library below never prints and never ends the process.
#include "mca-core/cli/find_calibration.h"
#include "mca-core/cli/options.h"
#include "mca-core/cli/regions.h"
#include "mca-core/cli/traced.h"
#include "mca-core/model/memory_classes.h"
#include "mca-core/views/calibrated.h"
#include "mca-core/views/json.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

namespace {

using namespace mca;

/// Prints the messages of the parser and of one kind of marker, in text order. Returns whether that kind of marker had
/// any.
bool printMessages(const Program &program, ParserMessage::Source markers) {
  bool markersHaveMessages = false;
  for (const ParserMessage &message : program.messages()) {
    if (message.source != ParserMessage::Source::Parser && message.source != markers)
      continue;
    markersHaveMessages |= message.source == markers;
    llvm::errs() << message.includeStack;
    message.diagnostic.print(nullptr, llvm::errs());
  }
  return markersHaveMessages;
}

/// Prints what the text's `.print` directives say.
void printTexts(const Program &program) {
  for (const std::string &text : program.printed())
    llvm::outs() << text << '\n';
}

/// Prints an error; returns a null pointer of any kind.
std::nullptr_t fail(const llvm::Twine &message) {
  llvm::WithColor::error() << message << '\n';
  return nullptr;
}

/// Returns the content of the file, or of the standard input for "-". Prints an error and returns null on failure.
std::unique_ptr<llvm::MemoryBuffer> readInput(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer)
    return fail(path + ": " + buffer.getError().message());
  return std::move(*buffer);
}

/// Warns of statements about pointers that are wrong, which llvm-mca does not know.
void warnOfStatements(const Program &program, const Target &target, const llvm::MemoryBuffer &input) {
  MemoryClassifier classifier(target);
  for (const PointerStatement &statement : program.pointerStatements()) {
    const size_t line = 1 + llvm::StringRef(program.text()).take_front(statement.begin).count('\n');
    for (const Diagnostic &problem : classifier.check(program, statement))
      llvm::WithColor::warning() << input.getBufferIdentifier() << ":" << line << ": " << problem.message << '\n';
  }
}

/// Parses the input and prints the messages of the parser and the markers. Returns null if they prevent a report.
///
/// llvm-mca parses the text twice, for the regions and for the instruments, so the parser's messages and the texts of
/// `.print` appear twice. Errors in regions end it after the first time.
std::unique_ptr<Program> parseInput(const llvm::MemoryBuffer &input, const Target &target, const Options &options) {
  std::unique_ptr<Program> program = Program::parse(input.getBuffer().str(), target,
                                                    {.ownLineDirectives = options.acceptGccDebugInfo,
                                                     .asLlvmMca = true,
                                                     .localLabels = !options.trace.empty(),
                                                     .bufferName = input.getBufferIdentifier().str()});
  const bool badRegions = printMessages(*program, ParserMessage::Source::RegionMarker);
  printTexts(*program);
  if (!options.skipUnparsed && program->parserFailed())
    return fail("Assembly input parsing had errors, use -skip-unsupported-instructions=parse-failure to drop failing "
                "lines from the input.");
  if (badRegions)
    return nullptr;
  if (llvm::all_of(regionsOf(*program), [](const NamedRegion &region) { return region.instructions.empty(); }))
    return fail("no assembly instructions found.");
  printTexts(*program);
  if (printMessages(*program, ParserMessage::Source::Instrument))
    return fail("There was an error parsing comments.");
  warnOfStatements(*program, target, input);
  return program;
}

/// A CPU with itineraries only, the older form of LLVM's models, gets a second line.
bool hasModel(const Target &target) {
  if (target.hasSchedulingModel())
    return true;
  llvm::WithColor::error() << "unable to find instruction-level scheduling information for target triple '"
                           << target.triple().normalize() << "' and cpu '" << target.cpu() << "'.\n";
  if (target.subtarget().getSchedModel().InstrItineraries)
    llvm::WithColor::note() << "cpu '" << target.cpu()
                            << "' provides itineraries. However, instruction itineraries are currently unsupported.\n";
  return false;
}

/// Whether the target can print the assembly syntax; otherwise prints an error.
bool hasPrinter(const Target &target, unsigned variant) {
  if (target.createPrinter(variant))
    return true;
  llvm::WithColor::error() << "unable to create instruction printer for target triple '" << target.triple().normalize()
                           << "' with assembly variant " << variant << ".\n";
  return false;
}

/// Simulates the regions in order. Prints each text report immediately, and JSON at the end.
class Reporter {
public:
  /// `variant`: the assembly syntax of the report.
  Reporter(const Target &target, const Program &program, const Options &options, unsigned variant,
           llvm::raw_ostream &out)
      : target_(target), program_(program), options_(options), variant_(variant), out_(out), simulator_(target) {
    if (options.simulation.calibration)
      flow_.emplace(target, program);
  }

  /// Returns false, after printing an error, if a region cannot be reported. Empty regions are left out.
  bool run() {
    for (const NamedRegion &region : regionsOf(program_))
      if (!region.instructions.empty() && !report(region))
        return false;
    if (reported_ == 0) {
      llvm::WithColor::error() << "no assembly instructions found.\n";
      return false;
    }
    if (options_.json)
      out_ << llvm::formatv("{0:2}", llvm::json::Value(std::move(json_))) << '\n';
    return true;
  }

private:
  bool report(const NamedRegion &region) {
    size_t skipped = 0;
    const auto onSkipped = [&](const SkippedInstruction &instruction) {
      ++skipped;
      warnOfSkipped(region, instruction);
      return options_.skipUnscheduled;
    };
    SimulationOptions options = options_.simulation;
    if (flow_)
      options.entryOffsets = findEntryOffsets(*flow_, region.instructions.front(), region.instructions);
    const auto simulation = simulator_.simulate(program_, region.instructions, options, onSkipped);
    if (skipped && !options_.skipUnscheduled)
      return false;
    // A region of which nothing is left is not reported, and not numbered.
    if (skipped == region.instructions.size())
      return true;
    if (options_.simulation.bottlenecks && !options_.simulation.inOrderBottlenecks && !target_.isOutOfOrder())
      llvm::WithColor::warning() << "bottleneck analysis is not supported for in-order CPU '" << target_.cpu()
                                 << "'.\n";
    // Without a line end, like llvm-mca's message.
    if (!simulation) {
      llvm::WithColor::error() << simulation.message();
      return false;
    }
    if (options_.json) {
      addJson(region, *simulation);
    } else {
      if (region.marked)
        out_ << "\n[" << reported_ << "] Code Region" << (region.name.empty() ? "" : " - ") << region.name << "\n\n";
      printReport(out_, (*simulation).report, options_.views);
      if (const Calibration *calibration = options_.simulation.calibration.get())
        printCalibration(out_, (*simulation).report, *calibration);
    }
    ++reported_;
    return true;
  }

  /// Warns of an instruction without scheduling data, or reports the error if none may be skipped.
  void warnOfSkipped(const NamedRegion &region, const SkippedInstruction &skipped) const {
    if (options_.skipUnscheduled)
      llvm::WithColor::warning() << skipped.message
                                 << ", skipping with -skip-unsupported-instructions, note accuracy will be impacted:\n";
    else
      llvm::WithColor::error() << skipped.message
                               << ", use -skip-unsupported-instructions=lack-sched to ignore these on the input.\n";
    llvm::WithColor::note() << "instruction: " << textOf(region.instructions[skipped.instruction]) << '\n';
  }

  std::string textOf(uint32_t instruction) const {
    std::string text;
    llvm::raw_string_ostream stream(text);
    const std::unique_ptr<llvm::MCInstPrinter> printer = target_.createPrinter(variant_);
    printer->setPrintImmHex(options_.simulation.hexImmediates);
    printer->printInst(&program_.instructions()[instruction].inst, 0, "", target_.subtarget(), stream);
    return text;
  }

  /// Adds the region to the one object that is printed at the end. The target is described once, before the first.
  void addJson(const NamedRegion &region, const Simulation &simulation) {
    const bool full = options_.fullJson;
    const Calibration *const calibration = options_.simulation.calibration.get();
    if (reported_ == 0) {
      if (full)
        json_["Diagnostics"] = diagnosticsToJson(program_);
      json_["TargetInfo"] = full ? targetToFullJson(target_, simulation.report.resources) : targetToJson(target_);
      json_["SimulationParameters"] = parametersToJson(target_, options_.simulation);
      if (calibration)
        json_["Calibration"] = toJson(*calibration);
      json_["CodeRegions"] = llvm::json::Array();
    }
    llvm::json::Object one = full ? toFullJson(simulation, options_.views, region.name, program_, region.instructions,
                                               [this](uint32_t instruction) { return textOf(instruction); })
                                  : toJson(simulation.report, options_.views, region.name);
    if (calibration)
      one["Calibration"] = calibrationToJson(simulation.report);
    json_.getArray("CodeRegions")->push_back(std::move(one));
  }

  const Target &target_;
  const Program &program_;
  const Options &options_;
  unsigned variant_;
  llvm::raw_ostream &out_;
  Simulator simulator_;
  std::optional<ControlFlow> flow_; ///< with a calibration
  unsigned reported_ = 0;
  llvm::json::Object json_;
};

/// Reads the calibration that the command line names, if any. Otherwise prints an error.
bool readCalibration(Options &options, const Target &target) {
  if (options.calibration.empty())
    return true;
  Result<Calibration> calibration = findCalibration(options.calibration, target.cpu());
  if (!calibration) {
    fail(calibration.message());
    return false;
  }
  options.simulation.calibration = std::make_shared<const Calibration>(std::move(*calibration));
  options.simulation.rate = true;
  return true;
}

/// Returns the exit status.
int run(const char *programName, Options options) {
  if (const auto backend = Target::findBackend(options.target); !backend) {
    llvm::errs() << programName << ": " << backend.message();
    return 1;
  }
  const std::unique_ptr<llvm::MemoryBuffer> input = options.wantsCpuHelp() ? nullptr : readInput(options.input);
  if (!input && !options.wantsCpuHelp())
    return 1;
  const auto made = Target::create(options.target, options.mcOptions);
  if (!made) {
    llvm::WithColor::error() << made.message() << '\n';
    return 1;
  }
  // Creating the target has printed the list (MCSubtargetInfo does so for -mcpu=help).
  if (options.wantsCpuHelp())
    return 0;
  Target &target = **made;
  if (!target.cpuIsKnown() || !hasModel(target))
    return 1;
  resolveViews(options, target.isOutOfOrder());
  if (!options.instruments)
    target.disableInstruments();
  if (!hasPrinter(target, options.outputVariant == -1 ? 0 : options.outputVariant))
    return 1;
  const std::unique_ptr<Program> program = parseInput(*input, target, options);
  if (!program)
    return 1;
  // Opened only now, so that earlier errors leave an existing file as it is. Without keep(), it is removed.
  std::error_code error;
  llvm::ToolOutputFile output(options.output, error, llvm::sys::fs::OF_TextWithCRLF);
  if (error) {
    llvm::WithColor::error() << error.message() << '\n';
    return 1;
  }
  const int requested = options.simulation.syntaxVariant;
  const unsigned variant = requested < 0 ? program->syntaxVariant() : static_cast<unsigned>(requested);
  if (!hasPrinter(target, variant) || !readCalibration(options, target))
    return 1;
  const bool reported = !options.trace.empty() ? reportTraces(target, *program, options, output.os())
                                               : Reporter(target, *program, options, variant, output.os()).run();
  if (!reported)
    return 1;
  output.keep();
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  return run(argv[0], readOptions(argc, argv));
}
