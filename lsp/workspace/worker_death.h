// Why a job has no result: its worker has died. LLVM ends its process on some input, so this happens to correct code.
#pragma once

#include "analysis/wire/messages.h"

#include <optional>

namespace lsp {

/// The worker ended, or was ended, in the middle of a job.
struct WorkerDeath {
  enum class Cause { Crashed, TimedOut, Idle, OutOfMemory };
  Cause cause = Cause::Crashed;
  std::string how;                              ///< "signal 11 (Segmentation fault)"; the limit that it reached
  std::optional<analysis::wire::Progress> last; ///< its last message: the step that it was about to do
  /// The job reached a limit by itself: another worker would reach it again, after as long a wait for the user.
  bool wouldRepeat = false;
};

/// How a job goes on after its worker's death. ViewSetAside: it runs without the virtual document that killed the
/// worker. SetAside: it does not run again before the text or the settings change.
enum class AfterDeath { TryingAgain, ViewSetAside, SetAside };

} // namespace lsp
