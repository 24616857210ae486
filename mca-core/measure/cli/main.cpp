// The program `mca-measure`. Each command is a subcommand of LLVM's cl library, so that options and help are as in mca.
#include "mca-core/measure/cli/calibrate_command.h"
#include "mca-core/measure/cli/check_command.h"
#include "mca-core/measure/cli/run_command.h"
#include "mca-core/measure/cli/same_command.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"
#include "llvm/TargetParser/SubtargetFeature.h"

#include <csignal>

namespace {

namespace cl = llvm::cl;
using namespace mca::measure;

enum class Forms { Loop, Unrolled, Both };

cl::SubCommand kRun("run", "Measure the regions of an assembly file: those between markers, or its innermost loops");
cl::OptionCategory kOptions("Options");

template <typename T>
struct Option : cl::opt<T> {
  template <typename... Modifiers>
  Option(llvm::StringRef name, llvm::StringRef description, const Modifiers &...modifiers)
      : cl::opt<T>(name, cl::desc(description), cl::cat(kOptions), cl::sub(kRun), modifiers...) {}
};

cl::opt<std::string> kInput(cl::Positional, cl::desc("<input file>"), cl::cat(kOptions), cl::init("-"), cl::sub(kRun));
Option<std::string> kTriple("mtriple", "Target triple (default: the host's)");
Option<std::string> kCpu("mcpu", "CPU whose instructions are read (default: the host's)", cl::value_desc("cpu-name"),
                         cl::init("native"));
cl::list<std::string> kFeatures("mattr", cl::CommaSeparated, cl::desc("Target features"),
                                cl::value_desc("a1,+a2,-a3,..."), cl::cat(kOptions), cl::sub(kRun));
Option<Forms> kForm("form", "How iterations follow each other",
                    cl::values(clEnumValN(Forms::Loop, "loop", "In a loop"),
                               clEnumValN(Forms::Unrolled, "unrolled", "As copies, without the closing branch"),
                               clEnumValN(Forms::Both, "both", "Both (default)")),
                    cl::init(Forms::Both));
Option<std::string> kRegion("region", "Measure only the region with this name", cl::value_desc("name"));
Option<bool> kJson("json", "Report in JSON");
Option<unsigned> kTimeout("timeout", "Seconds to wait for a quiet machine, for each region (default 600)",
                          cl::init(600));

enum class CalibratedForms { Common, All };

cl::SubCommand kCalibrate("calibrate", "Measure this CPU, and write a calibration file");

template <typename T>
struct CalibrateOption : cl::opt<T> {
  template <typename... Modifiers>
  CalibrateOption(llvm::StringRef name, llvm::StringRef description, const Modifiers &...modifiers)
      : cl::opt<T>(name, cl::desc(description), cl::cat(kOptions), cl::sub(kCalibrate), modifiers...) {}
};

CalibrateOption<std::string> kOutput("o", "The file (default: the user's calibration of this CPU)",
                                     cl::value_desc("file"));
CalibrateOption<CalibratedForms>
    kForms("forms", "Which forms of instructions to measure",
           cl::values(clEnumValN(CalibratedForms::Common, "common", "Those of compiled code (default)"),
                      clEnumValN(CalibratedForms::All, "all", "All that this CPU has")),
           cl::init(CalibratedForms::Common));
CalibrateOption<bool> kResume("resume", "Keep what the file has, and measure the rest");
CalibrateOption<unsigned> kSeconds("seconds", "End after so many seconds with what is measured (default: never)");
CalibrateOption<ProgressForm> kProgress("progress", "How progress is printed",
                                        cl::values(clEnumValN(ProgressForm::Text, "text", "For people (default)"),
                                                   clEnumValN(ProgressForm::Json, "json", "A JSON object per line")),
                                        cl::init(ProgressForm::Text));

cl::SubCommand kCheck("check", "Measure blocks that no probe used, compare them with the predictions of a calibration "
                               "and of LLVM's model, and write the errors into the calibration");

cl::opt<std::string> kChecked(cl::Positional, cl::desc("<calibration>"), cl::cat(kOptions), cl::sub(kCheck),
                              cl::Required);
cl::opt<std::string> kCheckOutput("o", cl::desc("The file to write (default: the calibration itself)"),
                                  cl::value_desc("file"), cl::cat(kOptions), cl::sub(kCheck));
cl::opt<unsigned> kBlocks("blocks", cl::desc("How many blocks (default 200)"), cl::cat(kOptions), cl::sub(kCheck),
                          cl::init(200));
cl::opt<uint64_t> kSeed("seed", cl::desc("Which blocks (default: others each time)"), cl::cat(kOptions),
                        cl::sub(kCheck));

cl::SubCommand kSame("same", "Run two versions of a function on the same random inputs, and compare every bit of the "
                             "results");

cl::opt<std::string> kOne(cl::Positional, cl::desc("<one.s>"), cl::cat(kOptions), cl::sub(kSame), cl::Required);
cl::opt<std::string> kOther(cl::Positional, cl::desc("<other.s>"), cl::cat(kOptions), cl::sub(kSame), cl::Required);
cl::opt<std::string> kFunction("function", cl::desc("The symbol of the function"), cl::value_desc("symbol"),
                               cl::cat(kOptions), cl::sub(kSame), cl::Required);
cl::opt<std::string> kReturns("returns", cl::desc("The type of what it returns (default: nothing)"),
                              cl::value_desc("type"), cl::cat(kOptions), cl::sub(kSame));
cl::list<std::string> kArguments("argument",
                                 cl::desc("The type of an argument, for each in their order: int8, uint8, int16, ..., "
                                          "uint64, float, double, or such a type with * for a pointer to an array"),
                                 cl::value_desc("type"), cl::cat(kOptions), cl::sub(kSame));
cl::opt<bool> kAnyOverlap("any-overlap", cl::desc("Arrays of different types overlap, too"), cl::cat(kOptions),
                          cl::sub(kSame));
cl::opt<uint64_t> kInputSeed("seed", cl::desc("Which inputs (default 1)"), cl::cat(kOptions), cl::sub(kSame),
                             cl::init(1));
cl::opt<bool> kSameJson("json", cl::desc("Report in JSON"), cl::cat(kOptions), cl::sub(kSame));

int run() {
  llvm::SubtargetFeatures features;
  for (const std::string &feature : kFeatures)
    features.AddFeature(feature);
  RunOptions options{.input = kInput,
                     .target = {.triple = kTriple, .cpu = kCpu, .features = features.getString()},
                     .region = kRegion,
                     .json = kJson,
                     .timeout = std::chrono::seconds(kTimeout)};
  if (kForm != Forms::Unrolled)
    options.forms.push_back(RegionForm::Loop);
  if (kForm != Forms::Loop)
    options.forms.push_back(RegionForm::Unrolled);
  return runRegions(options, llvm::outs());
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // Where our parent ignored it, the children of this process would leave no exit status.
  std::signal(SIGCHLD, SIG_DFL);
  cl::HideUnrelatedOptions(kOptions);
  cl::HideUnrelatedOptions({&kOptions}, kRun);
  cl::HideUnrelatedOptions({&kOptions}, kCalibrate);
  cl::HideUnrelatedOptions({&kOptions}, kCheck);
  cl::HideUnrelatedOptions({&kOptions}, kSame);
  cl::ParseCommandLineOptions(argc, argv, "measures code on this CPU.\n");
  if (kRun)
    return run();
  if (kCalibrate)
    return runCalibrate({.output = kOutput,
                         .allForms = kForms == CalibratedForms::All,
                         .resume = kResume,
                         .seconds = kSeconds,
                         .progress = kProgress});
  if (kCheck)
    return runCheck({.calibration = kChecked,
                     .output = kCheckOutput,
                     .blocks = kBlocks,
                     .seed = kSeed.getNumOccurrences() ? std::optional<uint64_t>(kSeed) : std::nullopt});
  if (kSame)
    return runSame({.one = kOne,
                    .other = kOther,
                    .function = kFunction,
                    .returns = kReturns,
                    .arguments = kArguments,
                    .anyOverlap = kAnyOverlap,
                    .seed = kInputSeed,
                    .json = kSameJson},
                   llvm::outs());
  llvm::WithColor::error() << "a command is needed: run, calibrate, check or same (-help lists them)\n";
  return 1;
}
