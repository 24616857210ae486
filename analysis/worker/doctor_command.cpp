#include "analysis/worker/doctor_command.h"

#include "analysis/compile/compiler_choice.h"
#include "analysis/compile/compiler_environment.h"
#include "analysis/compile/paths.h"
#include "analysis/job/target_choice.h"
#include "analysis/process/child_process.h"
#include "analysis/process/exit_status.h"
#include "analysis/simulate/calibrations.h"
#include "analysis/text/visible_text.h"
#include "mca-core/target/model_origin.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Path.h"

#include <cstdio>
#include <optional>
#include <string_view>

namespace analysis {
namespace {

using llvm::StringRef;

void print(StringRef name, const std::string &found) {
  std::printf("%s\t%s\n", name.str().c_str(), visibleText(found).c_str());
}

std::optional<wire::Settings> readSettings(llvm::ArrayRef<char *> arguments) {
  wire::Settings settings;
  const std::pair<StringRef, std::string *> options[] = {
      {"--triple", &settings.triple},     {"--cpu", &settings.cpu},
      {"--features", &settings.features}, {"--calibration", &settings.calibration},
      {"--model", &settings.model},       {"--calibration-folder", &settings.calibrationFolder},
      {"--compiler", &settings.compiler}};
  for (; arguments.size() >= 2; arguments = arguments.drop_front(2)) {
    const StringRef name = arguments[0];
    const auto *const option = llvm::find_if(options, [&](const auto &one) { return one.first == name; });
    if (option == std::end(options))
      return std::nullopt;
    *option->second = arguments[1];
  }
  return arguments.empty() ? std::optional(std::move(settings)) : std::nullopt;
}

/// The first line of what the program says of its version; empty if it does not run.
std::string versionOf(const std::string &program) {
  const ChildCommand command{.directory = "/",
                             .arguments = {program, "--version"},
                             .environment = compilerEnvironment(),
                             .confinement = std::nullopt};
  constexpr ChildLimits kLimits{.time = std::chrono::seconds(10)};
  const ChildResult result = runChild(command, kLimits, {});
  return result.end == ChildResult::End::Exited && result.status == 0 ? StringRef(result.output).split('\n').first.str()
                                                                      : "";
}

/// A program by its path or its name. Returns its version; empty if there is none.
std::string printProgram(StringRef name, const std::string &program) {
  const std::string version = llvm::sys::path::is_absolute(program) ? versionOf(program) : "";
  print(name, version.empty() ? program + " was not found, or does not run" : program + ": " + version);
  return version;
}

void printCompiler(const wire::Settings &settings) {
  std::vector<std::string> notes;
  const Compiler compiler = chooseCompiler({}, settings, notes);
  const std::string version = printProgram("compiler", compiler.program);
  if (version.empty())
    print("advice", "without a compiler there are no hints in C and C++: install the package clang-" +
                        std::to_string(LLVM_VERSION_MAJOR) + ", or set mca.compiler");
  else if (compiler.kind == CompilerKind::Clang &&
           !StringRef(version).contains("version " + std::to_string(LLVM_VERSION_MAJOR) + "."))
    print("advice", "with a clang of LLVM " + std::to_string(LLVM_VERSION_MAJOR) + " hints know more of loops");
  if (settings.compiler == wire::kProjectsCompiler)
    print("advice", "in trusted folders the compile commands' own compilers are used in place of it");
}

std::string describe(const wire::CalibrationSummary &calibration) {
  using Source = wire::CalibrationSummary::Source;
  if (calibration.source == Source::Profile)
    return "none, but what is published of " + calibration.cpu + " over LLVM's model";
  const char *const whose = calibration.source == Source::Own       ? "your own"
                            : calibration.source == Source::Shipped ? "shipped"
                                                                    : "that the settings name";
  return calibration.cpu + ", measured on " + calibration.date + ", " + whose +
         (calibration.file.empty() ? "" : ": " + calibration.file);
}

void printTarget(const wire::Settings &settings) {
  const TargetChoice choice = chooseTarget({.buffer = {}, .settings = settings, .compiled = std::nullopt, .signs = {}});
  auto target = mca::Target::create(choice.selection);
  if (!target) {
    print("CPU of the numbers", choice.selection.cpu + ": " + target.message());
    print("advice", "set mca.cpu and mca.triple to names that LLVM knows");
    return;
  }
  print("CPU of the numbers", choice.selection.cpu + " (" + choice.cpuOrigin + "), " + choice.selection.triple);
  const mca::ModelOrigin origin = mca::findModelOrigin((*target)->subtarget(), choice.selection.cpu);
  print("scheduling model",
        (*target)->cpuIsKnown() ? origin.describe(choice.selection.cpu) : "LLVM does not know the CPU");
  if (origin.kind == mca::ModelOrigin::Kind::None || !(*target)->cpuIsKnown())
    print("advice",
          "there are no numbers for this CPU: set mca.cpu to one that has a model (mca -mcpu=help lists them)");
  Calibrations calibrations;
  const CalibrationChoice calibration = calibrations.choose(settings, choice.selection.cpu);
  print("calibration", calibration.calibration        ? describe(calibration.calibration->summary)
                       : !calibration.problem.empty() ? calibration.problem
                                                      : "none: the numbers are those of LLVM's model");
  const mca::CpuIdentity &machine = calibrations.machine();
  const bool isMeasured =
      calibration.calibration && calibration.calibration->summary.source != wire::CalibrationSummary::Source::Profile;
  if (!isMeasured && calibration.problem.empty() && settings.calibration == "auto" && !machine.vendor.empty() &&
      machine.llvmName == choice.selection.cpu)
    print("advice", "mca-measure calibrate measures this CPU in some minutes; its numbers replace the model's");
}

void printMachine() {
  const mca::CpuIdentity machine = mca::thisCpu();
  std::string text = machine.brand.empty() ? machine.llvmName : machine.brand + ", LLVM's " + machine.llvmName;
  if (!machine.vendor.empty())
    text += ", " + machine.vendor + " family " + std::to_string(machine.family) + " model " +
            std::to_string(machine.model) + " stepping " + std::to_string(machine.stepping);
  print("this CPU", text);
}

} // namespace

bool isDoctorCommand(int argc, char **argv) {
  return argc > 1 && std::string_view(argv[1]) == "--doctor";
}

int runDoctorCommand(int argc, char **argv) {
  const auto settings = readSettings(llvm::ArrayRef(argv + 2, static_cast<size_t>(argc - 2)));
  if (!settings) {
    std::fputs("mca-worker: mca-lsp has the option --doctor\n", stderr);
    return kExitUsage;
  }
  print("LLVM", LLVM_VERSION_STRING);
  printCompiler(*settings);
  printProgram("git", findInPath("git"));
  printMachine();
  printTarget(*settings);
  return 0;
}

} // namespace analysis
