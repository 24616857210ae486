// Runs the worker as a command of its own, for options whose work needs LLVM.
#pragma once

#include <string>
#include <vector>

/// Waits for its end. `arguments`: argv, of which the first is the worker's path. Returns its exit status, or 2 if it
/// could not be started or a signal ended it.
int runWorkerCommand(std::vector<std::string> arguments);
