// Cuts a recording into lines, in bounded memory: recordings have gigabytes, and may have no lines at all.
#pragma once

#include "analysis/import/branch_records.h"

#include <functional>
#include <string_view>

namespace analysis {

/// Takes the next line, without its end. Returns an error to stop.
using OnRecordingLine = std::function<std::optional<ImportError>(std::string_view line)>;

/// Reads a descriptor to its end and passes on the lines, empty ones included. `onChunk` is called about once per MiB,
/// with the number of bytes so far; if it returns false, the rest is not read. A line of more than 64 MiB is an error.
std::optional<ImportError> feedLines(int descriptor, const OnRecordingLine &onLine,
                                     const std::function<bool(uint64_t bytes)> &onChunk);

/// The same for a reader, which is told of the end.
std::optional<ImportError> feedLines(int descriptor, RecordingReader &reader, BranchSink &sink,
                                     const std::function<bool(uint64_t bytes)> &onChunk);

} // namespace analysis
