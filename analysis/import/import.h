// From a recording to a `.mcatrace`: `mca-lsp --import-trace` and `--record-trace`, in the worker's process.
#pragma once

#include "mca-core/target/result.h"
#include "mca-core/target/target.h"

#include <functional>
#include <string>
#include <vector>

namespace analysis {

struct ImportRequest {
  std::string kind;                   ///< of the recording: see createReader()
  std::string recording;              ///< path of the recording; `-` is standard input
  std::string program;                ///< path of the ELF program that ran
  std::string assembly;               ///< path of the assembly text, or of the source that it was compiled from
  std::string text;                   ///< that text; empty: it is read from the file
  std::vector<std::string> functions; ///< to trace; empty: each that is called from outside of the text
  std::string output;                 ///< path of the trace; empty: that of the assembly with `.mcatrace` appended;
                                      ///< `-` or `/dev/stdout`: standard output, to which nothing else is written
  mca::TargetSelection target;        ///< where it is empty, the program's
  std::vector<std::string> command;   ///< to run and record, instead of a recording; empty: none
};

/// Takes a line for the user: what goes on, or a note about the result.
using ImportMessages = std::function<void(const std::string &)>;

/// Writes the trace of a recording. Returns the path of the trace, or `-`. `progress` is called now and then.
mca::Result<std::string> importTrace(const ImportRequest &request, const ImportMessages &note,
                                     const ImportMessages &progress);

/// The same of the request's command, which it runs under qemu.
mca::Result<std::string> recordTrace(ImportRequest request, const ImportMessages &note, const ImportMessages &progress);

} // namespace analysis
