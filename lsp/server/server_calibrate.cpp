// The command mca.calibrate of server.h: mca-measure measures this CPU, and writes what it found into the user's own
// calibration file. It runs instructions of its own and no code of a document, so no folder has to be trusted.
#include "lsp/protocol/conversions.h"
#include "lsp/server/calibrate_run.h"
#include "lsp/server/server.h"
#include "lsp/wording/calibrating_text.h"

namespace lsp {

using protocol::ErrorCode;

/// Why a calibration is not even tried; empty if it is.
std::string Server::whyNotCalibrated() const {
  if (std::string why = wording::whyNotCalibrated(options_.architecture); !why.empty())
    return why;
  if (calibrating_)
    return "this CPU is being calibrated already";
  return isMeasuring() ? "a region is being measured" : "";
}

/// The reply follows the run. A run after one that was ended early goes on where that one stopped.
void Server::calibrate(const Json &arguments, JsonReply reply) {
  const bool resumes = protocol::flagArgument(arguments, "resume") || calibrationIsPartial_;
  if (const std::string why = whyNotCalibrated(); !why.empty())
    return reply.fail(ErrorCode::RequestFailed, why);
  dropHeadJobs();
  calibrating_.emplace(
      Calibrating{.report = {},
                  .reply = std::move(reply),
                  .progress = progress_.open(kCalibrateProgress, "Calibrating for this CPU", "starting", 0)});
  calibrator_.start(
      calibrateArguments(options_.measure, resumes), "", [this](const CommandEnd &end) { calibrateFinished(end); },
      [this](std::string_view line) { calibrateProgressed(line); });
}

void Server::calibrateProgressed(std::string_view line) {
  CalibrationReport &report = calibrating_->report;
  report.read(line);
  if (!calibrating_->isInterrupted)
    progress_.update(kCalibrateProgress, report.inWords(), report.percentage());
}

/// What was measured until a failure counts, too.
void Server::calibrateFinished(const CommandEnd &end) {
  const Calibrating run = std::move(*calibrating_);
  calibrating_.reset();
  const CalibrationReport &report = run.report;
  const bool isWhole = end.status == 0 && !run.isInterrupted;
  calibrationIsPartial_ = !report.file.empty() && !isWhole;
  if (report.file.empty() || (end.status != 0 && !run.isInterrupted)) {
    const std::string why = !end.errors.empty()     ? end.errors
                            : !report.error.empty() ? report.error
                                                    : "mca-measure ended without a calibration";
    run.reply.fail(run.isInterrupted ? ErrorCode::RequestCancelled : ErrorCode::RequestFailed,
                   run.isInterrupted ? "cancelled before anything was measured" : why);
  } else {
    client_.showMessage(protocol::MessageType::Info,
                        "mca-lsp: " + wording::calibratedMessage(report.forms, report.file, isWhole));
    run.reply({{"file", report.file}, {"forms", report.forms}, {"complete", isWhole}});
  }
  if (!report.file.empty())
    for (const auto &[uri, document] : documents_)
      if (document.language())
        analyseAnew(uri, "the CPU was calibrated");
  scheduleHeadAnalysis();
}

/// mca-measure then ends by itself, and the reply says what it has. Returns whether it was running, for this request
/// or, without one, for any.
bool Server::endCalibration(const protocol::RequestId *id) {
  if (!calibrating_ || (id && calibrating_->reply.id() != *id))
    return false;
  calibrating_->isInterrupted = true;
  progress_.update(kCalibrateProgress, "ending with what is measured");
  calibrator_.interrupt();
  return true;
}

/// At once: the file has what was measured until its last step.
void Server::dropCalibration(const std::string &why) {
  if (!calibrating_)
    return;
  calibrator_.cancel();
  calibrating_->reply.fail(ErrorCode::RequestCancelled, why);
  calibrating_.reset();
}

} // namespace lsp
