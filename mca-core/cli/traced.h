// `mca -trace`: simulates along the traces of a file instead of in loops.
#pragma once

#include "mca-core/cli/options.h"

namespace llvm {
class raw_ostream;
}

namespace mca {

/// Prints a report for each trace of the file that the options name. Returns false, after printing an error, if one
/// cannot be reported.
bool reportTraces(const Target &target, const Program &program, const Options &options, llvm::raw_ostream &out);

} // namespace mca
