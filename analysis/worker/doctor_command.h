// The worker as a command: what LLVM, compilers and calibrations are on this machine, for `mca-lsp --doctor`, which
// has no LLVM itself.
//
//   mca-worker --doctor [--triple T] [--cpu C] [--features F] [--calibration FILE] [--calibration-folder FOLDER]
//              [--compiler PATH]
//
// Each line of the output is a name, a tab and what was found. After the name "advice" it is what the user may do about
// the line before.
#pragma once

namespace analysis {

/// Whether the arguments are those of this command.
bool isDoctorCommand(int argc, char **argv);

/// Runs it. Returns 0, or kExitUsage.
int runDoctorCommand(int argc, char **argv);

} // namespace analysis
