// Declares the options with LLVM's cl library, and resolves the groups of views.
//
// The variables are global because the library registers options when they are constructed. They are read only here:
// readOptions() copies their values, so that the rest of the program has no global state.
#include "mca-core/cli/options.h"

#include "mca-core/cli/find_calibration.h"
#include "mca-core/target/backends.h"

#include "llvm/MC/MCTargetOptionsCommandFlags.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/WithColor.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

#include <algorithm>
#include <cstdlib>

namespace mca {
namespace {

namespace cl = llvm::cl;

enum class Skip { Nothing, Unscheduled, Unparsed, Both };
enum class Tables { None, Normal, Full };

llvm::mc::RegisterMCTargetOptionsFlags kMachineCodeFlags;

cl::OptionCategory kTool("Tool Options");
cl::OptionCategory kView("View Options");
cl::OptionCategory kOwn("Options beyond llvm-mca's");

/// An option with a value. The category decides the heading in -help.
template <typename T>
struct Option : cl::opt<T> {
  template <typename... Modifiers>
  Option(llvm::StringRef name, llvm::StringRef description, cl::OptionCategory &category, const Modifiers &...modifiers)
      : cl::opt<T>(name, cl::desc(description), cl::cat(category), modifiers...) {}
};

// An option without an initial value defaults to the scheduling model's value, or to what its description says.
cl::opt<std::string> kInput(cl::Positional, cl::desc("<input file>"), cl::cat(kTool), cl::init("-"));
Option<std::string> kOutput("o", "Write the report to this file", kTool, cl::value_desc("filename"), cl::init("-"));
Option<std::string> kArch("march", "Architecture, if it differs from the triple's", kTool);
Option<std::string> kTriple("mtriple", "Target triple (default: the host's)", kTool);
Option<std::string> kCpu("mcpu", "CPU to model (-mcpu=help lists them)", kTool, cl::value_desc("cpu-name"),
                         cl::init("native"));
cl::list<std::string> kFeatures("mattr", cl::CommaSeparated, cl::desc("Target features (-mattr=help lists them)"),
                                cl::value_desc("a1,+a2,-a3,..."), cl::cat(kTool));
Option<bool> kJson("json", "Report in JSON", kTool);
Option<int> kVariant("output-asm-variant", "Assembly syntax of the report (default: the input's)", kTool, cl::init(-1));
Option<bool> kHex("print-imm-hex", "Print immediate values in hexadecimal", kTool);
Option<unsigned> kIterations("iterations", "Iterations to simulate (default 100)", kTool);
Option<unsigned> kDispatch("dispatch", "Dispatch width in micro-ops per cycle", kTool);
Option<unsigned> kRegisters("register-file-size", "Physical registers for renaming", kTool);
Option<unsigned> kMicroOpQueue("micro-op-queue-size", "Entries of the micro-op queue", kTool, cl::Hidden);
Option<unsigned> kDecoders("decoder-throughput", "Instructions decoded per cycle", kTool, cl::Hidden);
Option<unsigned> kCallLatency("call-latency", "Assumed latency of a call, in cycles", kTool, cl::Hidden, cl::init(100));
Option<bool> kNoAlias("noalias", "Assume that loads and stores never alias (default)", kTool, cl::init(true));
Option<unsigned> kLoads("lqueue", "Entries of the load queue", kTool);
Option<unsigned> kStores("squeue", "Entries of the store queue", kTool);
Option<Tables> kTables("instruction-tables", "Don't simulate; list each instruction's data in the scheduling model",
                       kTool,
                       cl::values(clEnumValN(Tables::None, "none", "Simulate"),
                                  clEnumValN(Tables::Normal, "normal", "Latency, throughput and resource pressure"),
                                  clEnumValN(Tables::Normal, "", ""),
                                  clEnumValN(Tables::Full, "full", "Also bypass latency, resources and LLVM's opcode")),
                       cl::init(Tables::None), cl::ValueOptional);

Option<Skip> kSkip("skip-unsupported-instructions", "Skip what cannot be analysed", kView,
                   cl::values(clEnumValN(Skip::Nothing, "none", "Stop with an error (default)"),
                              clEnumValN(Skip::Unscheduled, "lack-sched", "Skip instructions without scheduling data"),
                              clEnumValN(Skip::Unparsed, "parse-failure", "Skip lines that cannot be parsed"),
                              clEnumValN(Skip::Both, "any", "Skip both")),
                   cl::init(Skip::Nothing));
Option<bool> kSummary("summary-view", "Print the summary (on by default)", kView, cl::Hidden, cl::init(true));
Option<bool> kInfo("instruction-info", "Print the instruction info (on by default)", kView, cl::init(true));
Option<bool> kPressure("resource-pressure", "Print the resource pressure (on by default)", kView, cl::init(true));
Option<bool> kEncoding("show-encoding", "Show encodings in the instruction info", kView);
Option<bool> kBarriers("show-barriers", "Show memory barriers in the instruction info", kView);
Option<bool> kTimeline("timeline", "Print the timeline and average wait times", kView);
Option<unsigned> kTimelineIterations("timeline-max-iterations", "Iterations in the timeline (default 10)", kView);
Option<unsigned> kTimelineCycles("timeline-max-cycles", "Cycles in the timeline (default 80), 0 for no limit", kView,
                                 cl::init(80));
Option<bool> kBottlenecks("bottleneck-analysis", "Print the bottleneck analysis", kView);
Option<bool> kDispatchStats("dispatch-stats", "Print dispatch statistics", kView);
Option<bool> kSchedulerStats("scheduler-stats", "Print scheduler statistics", kView);
Option<bool> kRetireStats("retire-stats", "Print retirement statistics", kView);
Option<bool> kRegisterStats("register-file-stats", "Print register file statistics", kView);
Option<bool> kAllStats("all-stats", "Print all hardware statistics", kView);
Option<bool> kAllViews("all-views", "Print all views and statistics", kView);
Option<bool> kDisableBehaviour("disable-cb", "Ignore the target's own simulation rules", kView);
Option<bool> kDisableInstruments("disable-im", "Ignore instruments in comments", kView);

Option<bool> kGccDebugInfo("accept-gcc-debug-info", "Accept gcc's .file and .loc directives that LLVM's parser rejects",
                           kOwn);
Option<bool> kExplain("explain", "Print why each instruction waits, in cycles per iteration", kOwn);
Option<bool> kInOrderBottlenecks("bottleneck-analysis-in-order",
                                 "Print the bottleneck analysis, also for in-order CPUs", kOwn);
Option<bool> kFullJson("json-full", "Report in JSON, including all views, statistics and wait reasons", kOwn);

Option<std::string>
    kCalibration("calibration",
                 "Simulate the CPU as it was measured (mca-measure calibrate): from this file; from "
                 "your own of this machine, else a shipped one, else a documented profile (auto); from a "
                 "shipped one (shipped); as is published of it (documented)",
                 kOwn, cl::value_desc("filename|auto|shipped|documented"));
Option<bool> kListCalibrations("list-calibrations", "List the calibrations that auto, shipped and documented find",
                               kOwn);
Option<std::string> kTrace("trace", "Simulate along the branch traces of this file (.mcatrace) instead of in loops",
                           kOwn, cl::value_desc("filename"));
Option<PredictorKind>
    kPredictor("predictor", "With -trace: which branches are predicted wrongly (default tage)", kOwn,
               cl::values(clEnumValN(PredictorKind::Perfect, "perfect", "None"),
                          clEnumValN(PredictorKind::Static, "static", "Forward ones if taken, backward ones if not"),
                          clEnumValN(PredictorKind::Bimodal, "bimodal", "By a 2-bit counter per branch"),
                          clEnumValN(PredictorKind::Gshare, "gshare", "By counters indexed with the history"),
                          clEnumValN(PredictorKind::Tage, "tage", "Like today's CPUs, with long histories"),
                          clEnumValN(PredictorKind::Measured, "measured", "As the trace's edges were measured"),
                          clEnumValN(PredictorKind::None, "none", "All: the upper bound")),
               cl::init(PredictorKind::Tage));
Option<unsigned> kMispredictPenalty("mispredict-penalty",
                                    "With -trace: cycles from the execution of a mispredicted branch until the next "
                                    "instruction enters (default: the calibration's or the scheduling model's)",
                                    kOwn);
Option<std::string> kTraceWindow("trace-window",
                                 "With -trace: the instructions in -timeline, -explain and -bottleneck-analysis, from "
                                 "0; training does not count (default 0,100)",
                                 kOwn, cl::value_desc("first[,count]"));

/// Returns the value of a view in a group: the group's, unless the view's own option comes later.
bool groupedValue(const cl::opt<bool> &view, const cl::opt<bool> &group) {
  return view.getNumOccurrences() && view.getPosition() >= group.getPosition() ? view.getValue() : group.getValue();
}

/// After LLVM's own text: llvm-mca lists the targets, which takes all backends.
void printVersion(llvm::raw_ostream &out) {
  llvm::sys::printDefaultTargetAndDetectedCPU(out);
  initializeAllBackends();
  llvm::TargetRegistry::printRegisteredTargetsForVersion(out);
}

/// Returns the instructions that -trace-window names, or nothing if it is malformed.
std::optional<WindowRange> readWindow() {
  constexpr uint64_t kMaxFirst = uint64_t{1} << 36; // no trace has more instructions
  WindowRange range;
  if (!kTraceWindow.getNumOccurrences())
    return range;
  const auto [first, count] = llvm::StringRef(kTraceWindow).split(',');
  if (first.getAsInteger(10, range.first) || range.first > kMaxFirst)
    return std::nullopt;
  if (kTraceWindow.find(',') != std::string::npos && count.getAsInteger(10, range.count))
    return std::nullopt;
  if (!range.count || range.count > WindowRange::kMaxCount)
    return std::nullopt;
  return range;
}

/// Returns what is wrong with the options about traces, or an empty string. None of them is llvm-mca's, so that its
/// own options behave as there.
std::string findTraceMistake() {
  for (const cl::Option *option :
       std::initializer_list<const cl::Option *>{&kPredictor, &kMispredictPenalty, &kTraceWindow})
    if (!kTrace.getNumOccurrences() && option->getNumOccurrences())
      return "-" + option->ArgStr.str() + " needs -trace";
  if (!kTrace.getNumOccurrences())
    return "";
  if (kTrace.empty())
    return "-trace needs a file";
  for (const cl::Option *option :
       std::initializer_list<const cl::Option *>{&kIterations, &kTables, &kTimelineIterations, &kAllViews, &kAllStats,
                                                 &kDispatchStats, &kSchedulerStats, &kRetireStats, &kRegisterStats})
    if (option->getNumOccurrences())
      return "-" + option->ArgStr.str() + " cannot be used with -trace";
  constexpr unsigned kMaxPenalty = 1'000'000; // real ones are below 50
  if (kMispredictPenalty > kMaxPenalty)
    return "-mispredict-penalty is at most 1000000 cycles";
  if (!readWindow())
    return "-trace-window needs the number of an instruction, and after a comma how many, 1 to 100000";
  const bool isShown = kTimeline || kBottlenecks || kInOrderBottlenecks || kExplain || kFullJson;
  return kTraceWindow.getNumOccurrences() && !isShown
             ? "-trace-window needs -timeline, -explain, -bottleneck-analysis or -json-full"
             : "";
}

/// Returns which option -calibration cannot be used with, in a sentence, or an empty string.
std::string findCalibrationMistake() {
  if (!kCalibration.getNumOccurrences())
    return "";
  if (kCalibration.empty())
    return "-calibration needs a file, auto or shipped";
  for (const cl::Option *option : std::initializer_list<const cl::Option *>{
           &kNoAlias, &kTables, &kBottlenecks, &kInOrderBottlenecks, &kFullJson, &kAllViews, &kAllStats,
           &kDispatchStats, &kSchedulerStats, &kRetireStats, &kRegisterStats, &kDispatch, &kRegisters, &kMicroOpQueue,
           &kDecoders, &kLoads, &kStores, &kEncoding, &kBarriers})
    if (option->getNumOccurrences())
      return "-" + option->ArgStr.str() + " cannot be used with -calibration";
  return "";
}

/// The options that no view decides; resolveViews() adds the others.
SimulationOptions simulationOptions() {
  return {.iterations = kIterations ? kIterations.getValue() : 100,
          .callLatency = kCallLatency,
          .timelineMaxIterations = kTimelineIterations ? kTimelineIterations.getValue() : 10,
          .timelineMaxCycles = kTimelineCycles,
          // Every negative number stands for the input's syntax.
          .syntaxVariant = std::max(kVariant.getValue(), -1),
          .hexImmediates = kHex,
          .microOpQueueSize = kMicroOpQueue,
          .decoderThroughput = kDecoders,
          .dispatchWidth = kDispatch,
          .registerFileSize = kRegisters,
          .loadQueueSize = kLoads,
          .storeQueueSize = kStores,
          .noAlias = kNoAlias,
          .customBehaviour = !kDisableBehaviour,
          .schedulingDetails = kFullJson || (kTables == Tables::Full && !kJson),
          .misplacedInstruments = !kFullJson,
          .instructionTables = kTables != Tables::None};
}

/// Turns on everything that a report can contain, whatever other options select.
void enableEverything(Options &options, bool outOfOrder) {
  options.views.summary = options.views.instructionInfo = options.views.pressure = true;
  SimulationOptions &simulation = options.simulation;
  simulation.pressure = true;
  simulation.encodings = kEncoding;
  if (simulation.instructionTables) {
    options.views.summary = false;
    return;
  }
  simulation.timeline = simulation.bottlenecks = simulation.inOrderBottlenecks = simulation.waitReasons = true;
  simulation.dispatchStatistics = simulation.schedulerStatistics = simulation.registerFileStatistics = true;
  simulation.retireStatistics = outOfOrder;
}

} // namespace

Options readOptions(int argc, char **argv) {
  cl::HideUnrelatedOptions({&kTool, &kView, &kOwn});
  cl::AddExtraVersionPrinter(printVersion);
  cl::ParseCommandLineOptions(argc, argv, "llvm machine code performance analyzer.\n");

  if (kListCalibrations) {
    listCalibrations(llvm::outs());
    std::exit(0);
  }
  for (const std::string &mistake : {findTraceMistake(), findCalibrationMistake()})
    if (!mistake.empty()) {
      llvm::WithColor::error() << mistake << '\n';
      std::exit(1);
    }
  // AddFeature() puts a + before a name without a sign.
  llvm::SubtargetFeatures features;
  for (const std::string &feature : kFeatures)
    features.AddFeature(feature);
  const auto skips = [](Skip kind) { return kSkip == kind || kSkip == Skip::Both; };
  return {.input = kInput,
          .output = kOutput.empty() ? std::string("-") : kOutput.getValue(),
          .target = {.triple = kTriple, .arch = kArch, .cpu = kCpu, .features = features.getString(), .literal = true},
          .mcOptions = llvm::mc::InitMCTargetOptionsFromFlags(),
          .simulation = simulationOptions(),
          .outputVariant = kVariant,
          .json = kJson || kFullJson,
          .fullJson = kFullJson,
          .instruments = !kDisableInstruments,
          .skipUnparsed = skips(Skip::Unparsed),
          .skipUnscheduled = skips(Skip::Unscheduled),
          .acceptGccDebugInfo = kGccDebugInfo,
          .trace = kTrace,
          .traceSettings = {.predictor = kPredictor,
                            .mispredictPenalty = kMispredictPenalty.getNumOccurrences()
                                                     ? std::optional<uint32_t>(kMispredictPenalty)
                                                     : std::nullopt},
          .calibration = kCalibration,
          .traceWindow = readWindow().value_or(WindowRange())};
}

void resolveViews(Options &options, bool outOfOrder) {
  if (options.fullJson)
    return enableEverything(options, outOfOrder);
  // -all-stats is a part of -all-views: if both are given, the later one decides on statistics.
  const bool views = kAllViews.getNumOccurrences();
  const auto view = [&](const cl::opt<bool> &own) { return views ? groupedValue(own, kAllViews) : own.getValue(); };
  const cl::opt<bool> &group = kAllViews.getPosition() < kAllStats.getPosition() ? kAllStats : kAllViews;
  const bool grouped = views || kAllStats.getNumOccurrences();
  const auto statistic = [&](const cl::opt<bool> &own) { return grouped ? groupedValue(own, group) : own.getValue(); };

  options.views = {.summary = view(kSummary), .instructionInfo = view(kInfo), .pressure = view(kPressure)};
  options.views.columns = {.barriers = kBarriers, .encodings = kEncoding};
  SimulationOptions &simulation = options.simulation;
  simulation.pressure = options.views.pressure;
  simulation.encodings = kEncoding && options.views.instructionInfo && !kJson;
  if (simulation.instructionTables) {
    options.views.summary = false;
    options.views.columns.scheduling = simulation.schedulingDetails;
    return;
  }
  simulation.timeline = view(kTimeline);
  simulation.inOrderBottlenecks = kInOrderBottlenecks;
  simulation.bottlenecks = kInOrderBottlenecks || (outOfOrder ? view(kBottlenecks) : kBottlenecks.getValue());
  simulation.waitReasons = kExplain;
  simulation.dispatchStatistics = statistic(kDispatchStats);
  simulation.schedulerStatistics = statistic(kSchedulerStats);
  // An in-order CPU has no reorder buffer; llvm-mca's groups leave the view out, but the option itself prints it.
  simulation.retireStatistics = outOfOrder ? statistic(kRetireStats) : kRetireStats.getValue();
  simulation.registerFileStatistics = statistic(kRegisterStats);
}

} // namespace mca
