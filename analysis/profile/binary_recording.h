// Recordings that are no text: all of their bytes in memory, within a limit, as their formats are not read in one pass.
#pragma once

#include "mca-core/target/result.h"

#include <cstdint>
#include <functional>
#include <string>

namespace analysis {

/// In bytes, packed or not.
constexpr uint64_t kMaxRecordingBytes = uint64_t{256} << 20;

/// Reads a descriptor to its end. Fails if it cannot be read or has more bytes than the limit. `onChunk` is called
/// about once per MiB, with the number of bytes so far; if it returns false, the rest is not read.
mca::Result<std::string> readBytes(int descriptor, const std::function<bool(uint64_t bytes)> &onChunk);

/// Unpacks what gzip wrote, one member or several; other bytes are returned as they are. Fails, with the place, if the
/// data are damaged, not whole, or unpack to more than the limit.
mca::Result<std::string> unpacked(std::string bytes);

} // namespace analysis
