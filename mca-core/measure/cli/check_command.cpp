#include "mca-core/measure/cli/check_command.h"

#include "mca-core/calibration/calibration_file.h"
#include "mca-core/calibration/cpu_identity.h"
#include "mca-core/calibration/prediction_errors.h"
#include "mca-core/measure/cli/check_blocks.h"
#include "mca-core/measure/cli/interrupt.h"
#include "mca-core/measure/cli/saved_file.h"
#include "mca-core/measure/measure_region.h"
#include "mca-core/report/simulator.h"
#include "mca-core/target/input_file.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"

#include <chrono>
#include <cmath>
#include <iterator>
#include <random>

namespace mca::measure {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kLongBlock = 4;                    ///< instructions
constexpr auto kTimeout = std::chrono::minutes(10); ///< to find a quiet moment for a block
constexpr auto kTry = std::chrono::seconds(5);      ///< after which an interrupt is noticed

struct NamedForm {
  RegionForm form;
  const char *name, *longName; ///< as the `check` lines have them
};
constexpr NamedForm kForms[] = {{RegionForm::Unrolled, "steady", "steady-4+"}, {RegionForm::Loop, "loop", "loop-4+"}};

/// The cycles of one block in one form.
struct Checked {
  size_t instructions = 0;
  double measured = 0, calibrated = 0, llvm = 0;
};

/// Measures and predicts blocks.
class Checker {
public:
  Checker(const Target &target, const Calibration &calibration, CodeRunner &runner, Gate &gate)
      : target_(target), memory_(runner.memory()), measurer_(runner, gate, {.timeout = kTry}),
        calibration_(std::make_shared<const Calibration>(calibration)), simulator_(target) {}

  /// Whether the block was measured. Fails if the machine is too busy, or busy and the user interrupts it.
  Result<bool> check(const std::string &text) {
    const std::unique_ptr<CheckBlock> block = CheckBlock::create(target_, text, memory_);
    if (!block)
      return false;
    bool isCounted = false;
    for (size_t i = 0; i < std::size(kForms); ++i) {
      const auto measured = measure(*block, kForms[i].form);
      if (!measured)
        return Failure{measured.message()};
      const auto *cycles = std::get_if<RegionCycles>(&*measured);
      Checked found{.instructions = block->instructions.size()};
      if (!cycles || !predict(*block, kForms[i].form, found))
        continue;
      found.measured = cycles->cycles;
      checked_[i].push_back(found);
      isCounted = true;
    }
    count_ += isCounted;
    return isCounted;
  }

  /// The blocks that were measured in one form at least.
  size_t count() const { return count_; }

  /// A line for each form, and one for its long blocks; without those that no block was measured for.
  std::vector<CalibrationCheck> result() const {
    std::vector<CalibrationCheck> lines;
    for (size_t i = 0; i < std::size(kForms); ++i) {
      lines.push_back(judge(kForms[i].name, checked_[i], 0));
      lines.push_back(judge(kForms[i].longName, checked_[i], kLongBlock));
    }
    llvm::erase_if(lines, [](const CalibrationCheck &line) { return line.count == 0; });
    return lines;
  }

private:
  Result<RegionResult> measure(const CheckBlock &block, RegionForm form) {
    const auto end = Clock::now() + kTimeout;
    for (;;) {
      auto measured = measurer_.measure({.target = &target_,
                                         .program = block.program.get(),
                                         .branches = &*block.branches,
                                         .instructions = block.instructions,
                                         .settings = {}},
                                        form);
      if (measured || isInterrupted() || Clock::now() > end)
        return measured;
    }
  }

  bool predict(const CheckBlock &block, RegionForm form, Checked &found) {
    const bool isLoop = form == RegionForm::Loop;
    const Program &program = isLoop ? *block.loop : *block.program;
    const std::vector<uint32_t> &instructions = isLoop ? block.loopInstructions : block.instructions;
    const SimulationOptions options{.iterations = 1, .pressure = false, .rate = true};
    SimulationOptions measured = options;
    measured.calibration = calibration_;
    const auto calibrated = simulator_.simulate(program, instructions, measured);
    const auto simulated = simulator_.simulate(program, instructions, options);
    if (!calibrated || !simulated || !(*simulated).skipped.empty())
      return false;
    found.calibrated = (*calibrated).report.summary.rate.cyclesPerIteration();
    found.llvm = (*simulated).report.summary.rate.cyclesPerIteration();
    return true;
  }

  static CalibrationCheck judge(const char *name, const std::vector<Checked> &all, size_t least) {
    std::vector<PredictedBlock> calibrated, llvm;
    for (const Checked &one : all)
      if (one.instructions >= least) {
        calibrated.push_back({one.measured, one.calibrated});
        llvm.push_back({one.measured, one.llvm});
      }
    return {.blocks = name,
            .count = static_cast<uint32_t>(calibrated.size()),
            .calibrated = rounded(judgePredictions(calibrated)),
            .llvm = rounded(judgePredictions(llvm))};
  }

  /// More digits than that say nothing about so few blocks.
  static CalibrationCheck::Errors rounded(const CalibrationCheck::Errors &errors) {
    const auto round = [](double value) { return std::round(value * 1000) / 1000; };
    return {.mean = round(errors.mean), .median = round(errors.median), .tau = round(errors.tau)};
  }

  const Target &target_;
  const MeasureMemory memory_;
  RegionMeasurer measurer_;
  const std::shared_ptr<const Calibration> calibration_;
  Simulator simulator_;
  std::vector<Checked> checked_[std::size(kForms)];
  size_t count_ = 0;
};

void printProgress(size_t done, size_t total) {
  if (llvm::sys::Process::StandardErrIsDisplayed())
    llvm::errs() << '\r' << done << " of " << total << " blocks" << (done == total ? "\n" : "");
}

void printTable(const std::vector<CalibrationCheck> &lines) {
  llvm::outs() << "Error of the predicted cycles     with the calibration        with LLVM's model\n"
                  "                       blocks    mean  median    tau      mean  median    tau\n";
  const auto print = [](const CalibrationCheck::Errors &errors) {
    llvm::outs() << llvm::format("%6.1f%% %6.1f%% %6.2f", errors.mean * 100, errors.median * 100, errors.tau);
  };
  for (const CalibrationCheck &line : lines) {
    llvm::outs() << llvm::formatv("{0,-22} {1,6} ", line.blocks, line.count);
    print(line.calibrated);
    llvm::outs() << "   ";
    print(line.llvm);
    llvm::outs() << '\n';
  }
}

Result<Calibration> readOwn(const std::string &path) {
  const auto buffer = readInputFile(path, kMaxCalibrationSize);
  if (!buffer)
    return Failure{buffer.message()};
  const CpuIdentity cpu = thisCpu();
  return readCalibration((*buffer)->getBuffer().str(), path, {.llvmName = cpu.llvmName, .machine = cpu});
}

/// Checks blocks in the order of the seed until there are enough. Returns why there are fewer because of the machine.
std::optional<Failure> checkBlocks(Checker &checker, uint64_t seed, size_t count) {
  size_t left = 0;
  for (const std::string &text : drawCheckBlocks(seed)) {
    if (checker.count() == count || isInterrupted())
      break;
    printProgress(checker.count(), count);
    const Result<bool> counts = checker.check(text);
    if (!counts && !isInterrupted())
      return Failure{counts.message()};
    left += !counts || !*counts;
  }
  printProgress(checker.count(), checker.count());
  llvm::outs() << checker.count() << " blocks of seed " << seed << "; " << left << " could not be measured\n\n";
  return std::nullopt;
}

std::optional<Failure> check(const CheckArguments &arguments) {
  const std::string &output = arguments.output.empty() ? arguments.calibration : arguments.output;
  if (arguments.blocks == 0 || arguments.blocks > checkBlockCount())
    return Failure{"there are 1 to " + std::to_string(checkBlockCount()) + " blocks"};
  Result<Calibration> calibration = readOwn(arguments.calibration);
  if (!calibration)
    return Failure{calibration.message()};
  if (auto obstacle = findObstacle(output))
    return obstacle;
  const Result<std::unique_ptr<Target>> target = Target::create({});
  if (!target)
    return Failure{target.message()};
  const auto runner = CodeRunner::create();
  if (!runner)
    return Failure{runner.message()};
  auto gate = Gate::create(**runner);
  if (!gate)
    return Failure{gate.message()};
  catchInterrupt();
  Checker checker(**target, *calibration, **runner, *gate);
  std::optional<Failure> tooBusy =
      checkBlocks(checker, arguments.seed ? *arguments.seed : std::random_device()(), arguments.blocks);
  if (checker.count() == 0)
    return tooBusy ? *tooBusy : Failure{"no block was measured: nothing is written"};
  (*calibration).checks = checker.result();
  printTable((*calibration).checks);
  if (auto failure = replaceFile(output, writeCalibration(*calibration)))
    return failure;
  return tooBusy;
}

} // namespace

int runCheck(const CheckArguments &arguments) {
  const auto failure = check(arguments);
  if (failure)
    llvm::WithColor::error() << failure->message << '\n';
  return failure ? 1 : 0;
}

} // namespace mca::measure
