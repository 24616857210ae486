// How the worker ends when it ends by itself: the worker exits with these, and the server tells its user by them.
#pragma once

namespace analysis {

enum WorkerExit : int {
  kExitServerGone = 0,
  kExitUsage = 64,      ///< wrong arguments
  kExitProtocol = 65,   ///< the server sent what is no message
  kExitFatalError = 70, ///< LLVM gave up; its reason is on standard error
  kExitOutOfMemory = 86,
  kExitNotLoaded = 127, ///< the dynamic loader's: a library of the worker is missing
};

} // namespace analysis
