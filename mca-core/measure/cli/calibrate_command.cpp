#include "mca-core/measure/cli/calibrate_command.h"

#include "mca-core/calibration/calibration_file.h"
#include "mca-core/calibration/cpu_identity.h"
#include "mca-core/measure/probes/calibrate.h"
#include "mca-core/measure/probes/machine_timer.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <csignal>
#include <ctime>

namespace mca::measure {
namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t interrupted = 0;

void noteInterrupt(int) {
  interrupted = 1;
}

constexpr const char *kQuietAdvice =
    "the machine was not quiet for ten minutes. Stop other programs, pin this one to a core (taskset -c 1), fix the "
    "frequency (cpupower frequency-set -g performance), or try another time";

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char text[16];
  if (!gmtime_r(&now, &parts) || std::strftime(text, sizeof text, "%Y-%m-%d", &parts) == 0)
    return "";
  return text;
}

int fail(const std::string &message) {
  llvm::errs() << "error: " << message << "\n";
  return 1;
}

/// One line that is rewritten: how far the measuring is, and how long it will take.
class Progress {
public:
  explicit Progress(uint32_t seconds) : seconds_(seconds) {}

  bool isStopRequested() const { return interrupted || (seconds_ != 0 && elapsed() >= seconds_); }
  void onPass(uint64_t accepted, uint64_t rejected) {
    accepted_ = accepted;
    rejected_ = rejected;
    print();
  }
  void onBatch(size_t done, size_t total) {
    if (total_ == 0)
      formsBegin_ = Clock::now();
    done_ = done;
    total_ = total;
    print();
  }
  void end() const { llvm::errs() << "\n"; }

private:
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  void print() const {
    llvm::errs() << "\r";
    if (total_ == 0)
      llvm::errs() << "structure and resources";
    else
      llvm::errs() << done_ << " of " << total_ << " forms";
    const double forms = std::chrono::duration<double>(Clock::now() - formsBegin_).count();
    if (done_ > 0 && done_ < total_ && forms > 1)
      llvm::errs() << llvm::format(", about %.0f s left", forms * double(total_ - done_) / double(done_));
    llvm::errs() << llvm::format(" (%llu of %llu passes were quiet)   ", static_cast<unsigned long long>(accepted_),
                                 static_cast<unsigned long long>(accepted_ + rejected_));
    llvm::errs().flush();
  }

  const uint32_t seconds_;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point formsBegin_ = begin_;
  uint64_t accepted_ = 0, rejected_ = 0;
  size_t done_ = 0, total_ = 0;
};

/// Replaces the file in one step, so that an end at any moment leaves a whole one.
bool save(const Calibration &calibration, const std::string &path) {
  const std::string partial = path + ".part";
  std::error_code error;
  llvm::raw_fd_ostream out(partial, error);
  if (error)
    return false;
  out << writeCalibration(calibration);
  out.close();
  const bool isWritten = !out.has_error();
  out.clear_error();
  return isWritten && !llvm::sys::fs::rename(partial, path);
}

Result<Calibration> readEarlier(const std::string &path, const CpuIdentity &cpu) {
  const auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return Failure{path + ": " + buffer.getError().message()};
  return readCalibration((*buffer)->getBuffer().str(), path, {.llvmName = cpu.llvmName, .machine = cpu});
}

} // namespace

int runCalibrate(const CalibrateArguments &arguments) {
  const CpuIdentity cpu = thisCpu();
  const std::string path = arguments.output.empty() ? userCalibrationPath(cpu) : arguments.output;
  if (path.empty())
    return fail("name a file with -o");
  CalibrateOptions options{.allForms = arguments.allForms};
  if (arguments.resume) {
    Result<Calibration> earlier = readEarlier(path, cpu);
    if (!earlier)
      return fail(earlier.message());
    options.earlier = std::move(*earlier);
  }
  Result<std::unique_ptr<Target>> target = Target::create({});
  if (!target)
    return fail(target.message());
  Result<std::unique_ptr<CodeRunner>> runner = CodeRunner::create();
  if (!runner)
    return fail(runner.message());
  if (const std::error_code error = llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path));
      error && !llvm::sys::path::parent_path(path).empty())
    return fail(path + ": " + error.message());

  std::signal(SIGINT, noteInterrupt);
  Progress progress(arguments.seconds);
  const InstanceMaker maker(**target);
  Result<std::unique_ptr<MachineTimer>> timer = MachineTimer::create(
      **runner, maker,
      {.isStopRequested = [&] { return progress.isStopRequested(); },
       .onPass = [&](uint64_t accepted, uint64_t rejected) { progress.onPass(accepted, rejected); }});
  if (!timer)
    return fail(timer.message());
  const auto sign = [&](Calibration calibration) {
    calibration.cpu = cpu;
    calibration.date = today();
    calibration.madeBy = "mca-measure " MCA_VERSION;
    return calibration;
  };
  bool isSaved = true;
  options.onBatch = [&](size_t done, size_t total, const Calibration &calibration) {
    progress.onBatch(done, total);
    isSaved &= save(sign(calibration), path);
  };
  const Result<Calibration> calibration = calibrate(maker, **timer, options);
  progress.end();
  if ((*timer)->gaveUp())
    llvm::errs() << "error: " << kQuietAdvice << "\n";
  if (!calibration)
    return fail(calibration.message());
  if (!isSaved || !save(sign(*calibration), path))
    return fail(path + " cannot be written");
  llvm::errs() << (*calibration).forms.size() << " forms, " << (*calibration).resources.size() << " resources, "
               << (*calibration).rules.size() << " rules: " << path << "\n";
  return (*timer)->gaveUp() ? 1 : 0;
}

} // namespace mca::measure
