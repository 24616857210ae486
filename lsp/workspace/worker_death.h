// Why a job has no result: its worker is gone.
#pragma once

#include "analysis/wire/messages.h"

#include <optional>
#include <string>

namespace lsp {

/// The worker ended, or was ended, in the middle of a job.
struct WorkerDeath {
  enum class Cause { Crashed, TimedOut, Idle, OutOfMemory };
  Cause cause = Cause::Crashed;
  std::string how;                              ///< "signal 11 (Segmentation fault)"; the limit that it reached
  std::optional<analysis::wire::Progress> last; ///< what it was doing, if it had said so
};

/// What becomes of a job after its worker's death. ViewSetAside: it is run without the document that killed the worker.
enum class AfterDeath { TryingAgain, ViewSetAside, SetAside };

} // namespace lsp
