// The worker as a command: mca-lsp starts it so for `--import-profile` and `--record-profile`, as it has no LLVM
// itself.
//
//   mca-worker --import-profile KIND FILE [--import-profile KIND FILE]... OPTION...
//   mca-worker --record-profile OPTION... -- COMMAND...
//
// The options are mca-lsp's, each with its value as the next argument: --program, --output, --clock, --seconds.
#pragma once

namespace analysis {

/// Whether the arguments are those of such a command.
bool isProfileCommand(int argc, char **argv);

/// Runs it: the path of the profile, or the profile itself with `--output -`, goes to standard output, all else to
/// standard error. Returns the exit status: 0, 2 if there is no profile, or kExitUsage.
int runProfileCommand(int argc, char **argv);

} // namespace analysis
