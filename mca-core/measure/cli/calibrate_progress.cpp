#include "mca-core/measure/cli/calibrate_progress.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"

#include <cmath>

namespace mca::measure {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(200); ///< between two prints

double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void printLine(llvm::json::Object object) {
  llvm::errs() << llvm::json::Value(std::move(object)) << '\n';
}

} // namespace

void CalibrateProgress::onPass(uint64_t quiet, uint64_t noisy) {
  quiet_ = quiet;
  noisy_ = noisy;
  if (!hasLine_ || Clock::now() - printed_ >= kInterval)
    print();
}

void CalibrateProgress::onForms(size_t done, size_t total) {
  if (total_ == 0) {
    formsBegin_ = Clock::now();
    firstDone_ = done;
  }
  done_ = done;
  total_ = total;
  print();
}

double CalibrateProgress::secondsSinceBegin() const {
  return secondsSince(begin_);
}

std::optional<double> CalibrateProgress::secondsLeft() const {
  if (done_ == firstDone_)
    return std::nullopt;
  return secondsSince(formsBegin_) * double(total_ - done_) / double(done_ - firstDone_);
}

void CalibrateProgress::print() {
  printed_ = Clock::now();
  hasLine_ = true;
  if (form_ == ProgressForm::Json)
    printJson();
  else if (llvm::sys::Process::StandardErrIsDisplayed())
    printText();
}

void CalibrateProgress::printText() const {
  llvm::errs() << '\r';
  if (total_ == 0)
    llvm::errs() << "structure and resources";
  else
    llvm::errs() << done_ << " of " << total_ << " forms";
  if (const auto left = secondsLeft(); left && done_ < total_)
    llvm::errs() << llvm::format(", about %.0f s left", *left);
  if (const uint64_t all = quiet_ + noisy_)
    llvm::errs() << llvm::format(" (quiet %.0f %% of the time)   ", 100 * double(quiet_) / double(all));
}

void CalibrateProgress::printJson() const {
  llvm::json::Object object{{"phase", total_ == 0 ? "structure" : "forms"},
                            {"done", static_cast<int64_t>(done_)},
                            {"total", static_cast<int64_t>(total_)}};
  if (const auto left = secondsLeft())
    object["secondsLeft"] = std::lround(*left);
  printLine(std::move(object));
}

void CalibrateProgress::endLine() {
  if (hasLine_ && form_ == ProgressForm::Text && llvm::sys::Process::StandardErrIsDisplayed())
    llvm::errs() << '\n';
  hasLine_ = false;
}

void CalibrateProgress::end(const std::string &file, size_t forms, const std::string &text) {
  endLine();
  if (form_ == ProgressForm::Json)
    printLine(llvm::json::Object{{"file", file}, {"forms", static_cast<int64_t>(forms)}});
  else
    llvm::errs() << text << '\n';
}

void CalibrateProgress::fail(const std::string &message) {
  endLine();
  if (form_ == ProgressForm::Json)
    printLine(llvm::json::Object{{"error", message}});
  else
    llvm::WithColor::error() << message << '\n';
}

} // namespace mca::measure
