#include "lsp/wording/death_text.h"

#include "analysis/wire/finding_codes.h"

#include <iterator>

namespace lsp::wording {
namespace {

namespace wire = analysis::wire;
namespace codes = wire::codes;
using wire::Finding;

/// The worker's last step, to follow "the analysis crashed": " while simulating loop in f".
std::string during(const WorkerDeath &death) {
  if (!death.last)
    return "";
  return " while " + stageText(*death.last) + (death.last->what.empty() ? "" : " " + death.last->what);
}

} // namespace

std::string stageText(const wire::Progress &progress) {
  constexpr const char *kTexts[] = {"compiling", "parsing", "looking for regions", "simulating"}; // by wire::Stage
  const auto stage = static_cast<size_t>(progress.stage);
  return stage < std::size(kTexts) ? kTexts[stage] : "working"; // a worker that is about to crash may send anything
}

Finding findingOfDeath(const WorkerDeath &death, AfterDeath after) {
  using Cause = WorkerDeath::Cause;
  Finding finding{.at = death.last ? death.last->at : wire::ByteRange{}, .severity = wire::Severity::Warning};
  switch (death.cause) {
  case Cause::Crashed:
    finding.code = codes::kWorkerCrashed;
    finding.message = "the analysis crashed" + during(death) + ": " + death.how;
    break;
  case Cause::TimedOut:
  case Cause::Idle:
    finding.code = codes::kAnalysisTimeout;
    finding.message = "the analysis took too long" + during(death) + " and was ended: " + death.how;
    break;
  case Cause::OutOfMemory:
    finding.code = codes::kOutOfMemory;
    finding.message = "the analysis ran out of memory" + during(death) + ": " + death.how;
    break;
  }
  if (after == AfterDeath::TryingAgain)
    finding.message += "; trying once more";
  else
    finding.message +=
        std::string(death.wouldRepeat ? "; the " : "; this happened twice, so the ") +
        (after == AfterDeath::ViewSetAside ? "view is set aside until the file" : "file is set aside until it") +
        " or the settings change";
  return finding;
}

} // namespace lsp::wording
