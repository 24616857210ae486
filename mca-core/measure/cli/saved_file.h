// Writing files that took minutes to measure: whatever happens, the old one or the new one is there, and it is whole.
#pragma once

#include "mca-core/target/result.h"

#include <optional>
#include <string>

namespace mca::measure {

/// Why `path` cannot be written; nothing if it can. Makes its folders. Only a regular file may be there already, since
/// replacing a device by a file would destroy it.
std::optional<Failure> findObstacle(const std::string &path);

/// Replaces the file by `text` in one step. Returns why that failed.
std::optional<Failure> replaceFile(const std::string &path, const std::string &text);

} // namespace mca::measure
