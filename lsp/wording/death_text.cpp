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
  const char *code = nullptr;
  std::string message = "the analysis ";
  switch (death.cause) {
  case Cause::Crashed:
    code = codes::kWorkerCrashed;
    message += "crashed" + during(death);
    break;
  case Cause::TimedOut:
  case Cause::Idle:
    code = codes::kAnalysisTimeout;
    message += "took too long" + during(death) + " and was ended";
    break;
  case Cause::OutOfMemory:
    code = codes::kOutOfMemory;
    message += "ran out of memory" + during(death);
    break;
  }
  message += ": " + death.how;
  if (after == AfterDeath::TryingAgain)
    message += "; trying once more";
  else
    message += std::string(death.wouldRepeat ? "; the " : "; this happened twice, so the ") +
               (after == AfterDeath::ViewSetAside ? "view is set aside until the file" : "file is set aside until it") +
               " or the settings change";
  return wire::makeFinding(death.last ? death.last->at : wire::ByteRange{}, code, std::move(message));
}

} // namespace lsp::wording
