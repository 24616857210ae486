// The worker as a command: mca-lsp starts it so for `--import-trace` and `--record-trace`, as it has no LLVM itself.
//
//   mca-worker --import-trace KIND FILE OPTION...
//   mca-worker --record-trace OPTION... -- COMMAND...
//
// The options are mca-lsp's, each with its value as the next argument: --program, --assembly, --function, --output,
// --triple, --cpu, --features.
#pragma once

namespace analysis {

/// Whether the arguments are those of such a command.
bool isImportCommand(int argc, char **argv);

/// Runs it: the path of the trace, or the trace itself with `--output -`, goes to standard output, all else to standard
/// error. Returns the exit status: 0, 2 if
/// there is no trace, or kExitUsage.
int runImportCommand(int argc, char **argv);

} // namespace analysis
