// Declares the options with LLVM's cl library, and resolves the groups of views.
#include "mca-core/cli/options.h"

#include "mca-core/target/backends.h"

#include "llvm/MC/MCTargetOptionsCommandFlags.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

#include <algorithm>

namespace mca {
namespace {

namespace cl = llvm::cl;

enum class Skip { Nothing, Unscheduled, Unparsed, Both };
enum class Tables { None, Normal, Full };

llvm::mc::RegisterMCTargetOptionsFlags kMachineCodeFlags;

cl::OptionCategory kTool("Tool Options");
cl::OptionCategory kView("View Options");
cl::OptionCategory kOwn("Options beyond llvm-mca's");

cl::opt<std::string> kInput(cl::Positional, cl::desc("<input file>"), cl::cat(kTool), cl::init("-"));
cl::opt<std::string> kOutput("o", cl::desc("Write the report to this file"), cl::value_desc("filename"), cl::cat(kTool),
                             cl::init("-"));
cl::opt<std::string> kArch("march", cl::desc("Architecture, if it differs from the triple's"), cl::cat(kTool));
cl::opt<std::string> kTriple("mtriple", cl::desc("Target triple (default: the host's)"), cl::cat(kTool));
cl::opt<std::string> kCpu("mcpu", cl::desc("CPU to model (-mcpu=help lists them)"), cl::value_desc("cpu-name"),
                          cl::cat(kTool), cl::init("native"));
cl::list<std::string> kFeatures("mattr", cl::CommaSeparated, cl::desc("Target features (-mattr=help lists them)"),
                                cl::value_desc("a1,+a2,-a3,..."), cl::cat(kTool));
cl::opt<bool> kJson("json", cl::desc("Report in JSON"), cl::cat(kTool));
cl::opt<int> kVariant("output-asm-variant", cl::desc("Assembly syntax of the report (default: the input's)"),
                      cl::cat(kTool), cl::init(-1));
cl::opt<bool> kHex("print-imm-hex", cl::desc("Print immediate values in hexadecimal"), cl::cat(kTool));
cl::opt<unsigned> kIterations("iterations", cl::desc("Iterations to simulate (default 100)"), cl::cat(kTool));
cl::opt<unsigned> kDispatch("dispatch", cl::desc("Dispatch width in micro-ops per cycle"), cl::cat(kTool));
cl::opt<unsigned> kRegisters("register-file-size", cl::desc("Physical registers for renaming"), cl::cat(kTool));
cl::opt<unsigned> kMicroOpQueue("micro-op-queue-size", cl::Hidden, cl::desc("Entries of the micro-op queue"),
                                cl::cat(kTool));
cl::opt<unsigned> kDecoders("decoder-throughput", cl::Hidden, cl::desc("Instructions decoded per cycle"),
                            cl::cat(kTool));
cl::opt<unsigned> kCallLatency("call-latency", cl::Hidden, cl::desc("Assumed latency of a call, in cycles"),
                               cl::cat(kTool), cl::init(100));
cl::opt<bool> kNoAlias("noalias", cl::desc("Assume that loads and stores never alias (default)"), cl::cat(kTool),
                       cl::init(true));
cl::opt<unsigned> kLoads("lqueue", cl::desc("Entries of the load queue"), cl::cat(kTool));
cl::opt<unsigned> kStores("squeue", cl::desc("Entries of the store queue"), cl::cat(kTool));
cl::opt<Tables>
    kTables("instruction-tables", cl::desc("Don't simulate; list each instruction's data in the scheduling model"),
            cl::values(clEnumValN(Tables::None, "none", "Simulate"),
                       clEnumValN(Tables::Normal, "normal", "Latency, throughput and resource pressure"),
                       clEnumValN(Tables::Normal, "", ""),
                       clEnumValN(Tables::Full, "full", "Also bypass latency, resources and LLVM's opcode")),
            cl::cat(kTool), cl::init(Tables::None), cl::ValueOptional);

cl::opt<Skip> kSkip("skip-unsupported-instructions", cl::desc("Skip what cannot be analysed"),
                    cl::values(clEnumValN(Skip::Nothing, "none", "Stop with an error (default)"),
                               clEnumValN(Skip::Unscheduled, "lack-sched", "Skip instructions without scheduling data"),
                               clEnumValN(Skip::Unparsed, "parse-failure", "Skip lines that cannot be parsed"),
                               clEnumValN(Skip::Both, "any", "Skip both")),
                    cl::cat(kView), cl::init(Skip::Nothing));
cl::opt<bool> kSummary("summary-view", cl::Hidden, cl::desc("Print the summary (on by default)"), cl::cat(kView),
                       cl::init(true));
cl::opt<bool> kInfo("instruction-info", cl::desc("Print the instruction info (on by default)"), cl::cat(kView),
                    cl::init(true));
cl::opt<bool> kPressure("resource-pressure", cl::desc("Print the resource pressure (on by default)"), cl::cat(kView),
                        cl::init(true));
cl::opt<bool> kEncoding("show-encoding", cl::desc("Show encodings in the instruction info"), cl::cat(kView));
cl::opt<bool> kBarriers("show-barriers", cl::desc("Show memory barriers in the instruction info"), cl::cat(kView));
cl::opt<bool> kTimeline("timeline", cl::desc("Print the timeline and average wait times"), cl::cat(kView));
cl::opt<unsigned> kTimelineIterations("timeline-max-iterations", cl::desc("Iterations in the timeline (default 10)"),
                                      cl::cat(kView));
cl::opt<unsigned> kTimelineCycles("timeline-max-cycles",
                                  cl::desc("Cycles in the timeline (default 80), 0 for no limit"), cl::cat(kView),
                                  cl::init(80));
cl::opt<bool> kBottlenecks("bottleneck-analysis", cl::desc("Print the bottleneck analysis"), cl::cat(kView));
cl::opt<bool> kDispatchStats("dispatch-stats", cl::desc("Print dispatch statistics"), cl::cat(kView));
cl::opt<bool> kSchedulerStats("scheduler-stats", cl::desc("Print scheduler statistics"), cl::cat(kView));
cl::opt<bool> kRetireStats("retire-stats", cl::desc("Print retirement statistics"), cl::cat(kView));
cl::opt<bool> kRegisterStats("register-file-stats", cl::desc("Print register file statistics"), cl::cat(kView));
cl::opt<bool> kAllStats("all-stats", cl::desc("Print all hardware statistics"), cl::cat(kView));
cl::opt<bool> kAllViews("all-views", cl::desc("Print all views and statistics"), cl::cat(kView));
cl::opt<bool> kDisableBehaviour("disable-cb", cl::desc("Ignore the target's own simulation rules"), cl::cat(kView));
cl::opt<bool> kDisableInstruments("disable-im", cl::desc("Ignore instruments in comments"), cl::cat(kView));

cl::opt<bool> kGccDebugInfo("accept-gcc-debug-info",
                            cl::desc("Accept gcc's .file and .loc directives that LLVM's parser rejects"),
                            cl::cat(kOwn));

cl::opt<bool> kExplain("explain", cl::desc("Print why each instruction waits, in cycles per iteration"), cl::cat(kOwn));
cl::opt<bool> kInOrderBottlenecks("bottleneck-analysis-in-order",
                                  cl::desc("Print the bottleneck analysis, also for in-order CPUs"), cl::cat(kOwn));

cl::opt<bool> kFullJson("json-full", cl::desc("Report in JSON, including all views, statistics and wait reasons"),
                        cl::cat(kOwn));

/// Returns the value of a view in a group: the group's, unless the view's own option comes later.
bool groupedValue(const cl::opt<bool> &view, const cl::opt<bool> &group) {
  return view.getNumOccurrences() && view.getPosition() >= group.getPosition() ? view.getValue() : group.getValue();
}

void printVersion(llvm::raw_ostream &out) {
  llvm::sys::printDefaultTargetAndDetectedCPU(out);
  initializeAllBackends();
  llvm::TargetRegistry::printRegisteredTargetsForVersion(out);
}

SimulationOptions simulationOptions() {
  const bool tables = kTables != Tables::None;
  return {.iterations = kIterations ? kIterations.getValue() : 100,
          .callLatency = kCallLatency,
          .timelineMaxIterations = kTimelineIterations ? kTimelineIterations.getValue() : 10,
          .timelineMaxCycles = kTimelineCycles,
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
          .instructionTables = tables};
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

  llvm::SubtargetFeatures features;
  for (const std::string &feature : kFeatures)
    features.AddFeature(feature);
  const auto skips = [](Skip what) { return kSkip == what || kSkip == Skip::Both; };
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
          .acceptGccDebugInfo = kGccDebugInfo};
}

void resolveViews(Options &options, bool outOfOrder) {
  if (options.fullJson)
    return enableEverything(options, outOfOrder);
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
  simulation.bottlenecks = outOfOrder ? view(kBottlenecks) : kBottlenecks.getValue();
  simulation.inOrderBottlenecks = kInOrderBottlenecks;
  simulation.bottlenecks |= kInOrderBottlenecks;
  simulation.waitReasons = kExplain;
  simulation.dispatchStatistics = statistic(kDispatchStats);
  simulation.schedulerStatistics = statistic(kSchedulerStats);
  simulation.retireStatistics = outOfOrder ? statistic(kRetireStats) : kRetireStats.getValue();
  simulation.registerFileStatistics = statistic(kRegisterStats);
}

} // namespace mca
