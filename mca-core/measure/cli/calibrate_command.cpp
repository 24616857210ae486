#include "mca-core/measure/cli/calibrate_command.h"

#include "mca-core/calibration/calibration_file.h"
#include "mca-core/calibration/cpu_identity.h"
#include "mca-core/measure/cli/interrupt.h"
#include "mca-core/measure/cli/saved_file.h"
#include "mca-core/measure/clock.h"
#include "mca-core/measure/probes/calibrate.h"
#include "mca-core/measure/probes/machine_timer.h"
#include "mca-core/target/input_file.h"

#include "llvm/Support/FileSystem.h"

#include <ctime>

namespace mca::measure {
namespace {

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char text[16];
  if (!gmtime_r(&now, &parts) || std::strftime(text, sizeof text, "%Y-%m-%d", &parts) == 0)
    return "";
  return text;
}

Result<Calibration> readOf(const CpuIdentity &cpu, const std::string &path) {
  const auto buffer = readInputFile(path, kMaxCalibrationSize);
  if (!buffer)
    return Failure{buffer.message()};
  return readCalibration((*buffer)->getBuffer().str(), path, {.llvmName = cpu.llvmName, .machine = cpu});
}

/// One run. What is measured goes to PATH.part, so that the calibration at PATH stays until there is a better one.
class CalibrateRun {
public:
  CalibrateRun(const CalibrateArguments &arguments, CalibrateProgress &progress)
      : arguments_(arguments), progress_(progress),
        path_(arguments.output.empty() ? userCalibrationPath(cpu_) : arguments.output), part_(path_ + ".part") {}

  std::optional<Failure> run() {
    if (cpu_.vendor.empty()) // what every x86 CPU has
      return Failure{"only x86-64 CPUs can be calibrated yet"};
    if (path_.empty())
      return Failure{"name a file with -o"};
    if (auto obstacle = findObstacle(path_))
      return obstacle;
    CalibrateOptions options{.allForms = arguments_.allForms};
    if (arguments_.resume) {
      // A run that was killed, or that did not get as far as the one before it, left its part.
      Result<Calibration> earlier = readOf(cpu_, llvm::sys::fs::exists(part_) ? part_ : path_);
      if (!earlier)
        return Failure{earlier.message()};
      options.earlier = std::move(*earlier);
    }
    options.onBatch = [&](size_t done, size_t total, const Calibration &calibration) {
      progress_.onForms(done, total);
      replaceFile(part_, textOf(calibration)); // an error that lasts is reported at the end
    };
    return measure(options);
  }

private:
  bool isStopRequested() const {
    return isInterrupted() || (arguments_.seconds != 0 && progress_.secondsSinceBegin() >= arguments_.seconds);
  }

  std::optional<Failure> measure(const CalibrateOptions &options) {
    const Result<std::unique_ptr<Target>> target = Target::create({});
    if (!target)
      return Failure{target.message()};
    const Result<std::unique_ptr<CodeRunner>> runner = CodeRunner::create();
    if (!runner)
      return Failure{runner.message()};
    const InstanceMaker maker(**target);
    Result<std::unique_ptr<MachineTimer>> timer = MachineTimer::create(
        **runner, maker,
        {.isStopRequested = [&] { return isStopRequested(); },
         .onPass = [&](uint64_t accepted, uint64_t rejected) { progress_.onPass(accepted, rejected); }});
    if (!timer)
      return Failure{timer.message()};
    // Until here an interrupt ends the program as always: there is nothing to save. A second one does, too.
    catchInterrupt();
    const Result<Calibration> calibration = calibrate(maker, **timer, options);
    if (!calibration)
      return Failure{(*timer)->gaveUp()  ? std::string(kBusyAdvice)
                     : isStopRequested() ? "stopped before the resources of this CPU were known: nothing is saved"
                                         : calibration.message()};
    return save(*calibration, (*timer)->isStopped(), (*timer)->gaveUp());
  }

  std::string textOf(Calibration calibration) const {
    calibration.cpu = cpu_;
    calibration.date = today();
    calibration.madeBy = "mca-measure " MCA_VERSION;
    return writeCalibration(calibration);
  }

  std::optional<Failure> save(const Calibration &calibration, bool isPart, bool isTooBusy) {
    const auto rules = llvm::count_if(ruleTable(), [&](const RuleRow &row) { return row.rule(calibration).isOn; });
    std::string text = std::to_string(calibration.forms.size()) + " forms, " +
                       std::to_string(calibration.resources.size()) + " resources, " + std::to_string(rules) +
                       " rules: ";
    const bool isWorse = isPart && hasMoreForms(calibration.forms.size());
    const std::string &saved = isWorse ? part_ : path_;
    if (auto failure = replaceFile(saved, textOf(calibration)))
      return failure;
    text += saved;
    if (isWorse)
      text += " (" + path_ + " has more forms and stays as it is; -resume continues)";
    else
      static_cast<void>(llvm::sys::fs::remove(part_)); // what is left of it does no harm
    if (isTooBusy)
      return Failure{std::string(kBusyAdvice) + ". Saved: " + text};
    progress_.end(saved, calibration.forms.size(), text);
    return std::nullopt;
  }

  /// Whether the calibration at the path has more than so many forms.
  bool hasMoreForms(size_t count) const {
    const Result<Calibration> earlier = readOf(cpu_, path_);
    return earlier && (*earlier).forms.size() > count;
  }

  const CalibrateArguments &arguments_;
  CalibrateProgress &progress_;
  const CpuIdentity cpu_ = thisCpu();
  const std::string path_, part_;
};

} // namespace

int runCalibrate(const CalibrateArguments &arguments) {
  CalibrateProgress progress(arguments.progress);
  const auto failure = CalibrateRun(arguments, progress).run();
  if (failure)
    progress.fail(failure->message);
  return failure ? 1 : 0;
}

} // namespace mca::measure
