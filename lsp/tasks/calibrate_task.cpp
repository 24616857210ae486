// The command mca.calibrate: mca-measure measures this CPU, and writes what it found into the user's own calibration
// file. It runs instructions of its own and no code of a document, so no folder has to be trusted.
#include "lsp/tasks/measure_program.h"
#include "lsp/tasks/task.h"
#include "lsp/wording/calibrating_text.h"

#include <utility>

namespace lsp {
namespace {

using protocol::ErrorCode;

class CalibrateTask final : public Task {
public:
  CalibrateTask(const Tasks &all, TaskContext &context)
      : Task(all, context,
             {.command = "mca.calibrate",
              .title = "Calibrating for this CPU",
              .again = "this CPU is being calibrated already",
              .whyBusy = "this CPU is being calibrated"}) {
    context_.commands.request(kind().command, this, &CalibrateTask::start);
  }

  /// mca-measure then ends by itself, and the reply says what it has.
  void cancel(const std::string &) override {
    isInterrupted_ = true;
    showProgress("ending with what is measured");
    interrupt();
  }

private:
  /// The reply follows the run. A run after one that was ended early goes on where that one stopped.
  void start(const protocol::CalibrateArguments &arguments, JsonReply reply) {
    std::string why = wording::whyNotCalibrated(context_.programs.architecture);
    if (why.empty())
      why = whyBusy();
    if (!why.empty())
      return reply.fail(ErrorCode::RequestFailed, why);
    begin(std::move(reply), "starting", 0);
    report_ = {};
    isInterrupted_ = false;
    run(
        calibrateArguments(context_.programs.measure, arguments.resume || isPartial_), "",
        [this](const CommandEnd &end) { finished(end); }, [this](std::string_view line) { progressed(line); });
  }

  void progressed(std::string_view line) {
    report_.read(line);
    if (!isInterrupted_)
      showProgress(report_.inWords(), report_.percentage());
  }

  /// What was measured until a failure counts, too.
  void finished(const CommandEnd &ended) {
    const Run run = end();
    const bool isWhole = ended.status == 0 && !isInterrupted_;
    isPartial_ = !report_.file.empty() && !isWhole;
    if (report_.file.empty() || (ended.status != 0 && !isInterrupted_)) {
      const std::string why = !ended.errors.empty()    ? ended.errors
                              : !report_.error.empty() ? report_.error
                                                       : "mca-measure ended without a calibration";
      run.reply.fail(isInterrupted_ ? ErrorCode::RequestCancelled : ErrorCode::RequestFailed,
                     isInterrupted_ ? "cancelled before anything was measured" : why);
    } else {
      context_.client.showMessage(protocol::MessageType::Info,
                                  "mca-lsp: " + wording::calibratedMessage(report_.forms, report_.file, isWhole));
      run.reply({{"file", report_.file}, {"forms", report_.forms}, {"complete", isWhole}});
    }
    if (!report_.file.empty())
      context_.jobs.reanalyseAll("the CPU was calibrated");
  }

  // Of the running calibration, or of the last one.
  CalibrationReport report_;
  bool isInterrupted_ = false; ///< the user ends it
  bool isPartial_ = false;     ///< it was ended early
};

} // namespace

std::unique_ptr<Task> makeCalibrateTask(const Tasks &all, TaskContext &context) {
  return std::make_unique<CalibrateTask>(all, context);
}

} // namespace lsp
