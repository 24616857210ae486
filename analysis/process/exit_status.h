// The worker's exit statuses: the server derives its message to the user from them. 64, 65 and 70 are those of
// sysexits.h (EX_USAGE, EX_DATAERR, EX_SOFTWARE); 127 is that of the dynamic loader and of shells.
#pragma once

namespace analysis {

enum WorkerExit : int {
  kExitServerGone = 0,
  kExitUsage = 64,      ///< wrong arguments
  kExitProtocol = 65,   ///< the server sent something that is no message
  kExitFatalError = 70, ///< LLVM gave up; its reason is on standard error
  kExitOutOfMemory = 86,
  kExitNotLoaded = 127, ///< a library of the worker is missing
};

} // namespace analysis
