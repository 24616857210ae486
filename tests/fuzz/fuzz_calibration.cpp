// The text of a calibration, of any bytes: an error has a place inside the text, and what is read is written and read
// again as the same.
#include "mca-core/calibration/calibration_file.h"
#include "tests/fuzz/property.h"

#include <algorithm>
#include <charconv>

namespace {

using fuzz::require;

/// "x:LINE:COLUMN: reason". An error at the end may be one byte after it.
void requireInside(std::string_view message, std::string_view text) {
  const char *const end = message.data() + message.size();
  size_t line = 0, column = 0;
  require(message.starts_with("x:"));
  const auto first = std::from_chars(message.data() + 2, end, line);
  require(first.ec == std::errc() && first.ptr != end && *first.ptr == ':');
  const auto second = std::from_chars(first.ptr + 1, end, column);
  require(second.ec == std::errc() && end - second.ptr > 2);
  require(line >= 1 && line <= static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + 1);
  require(column >= 1 && column <= text.size() + 1);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  const auto read = mca::readCalibration(text, "x");
  if (!read) {
    requireInside(read.message(), text);
    return 0;
  }
  const std::string written = mca::writeCalibration(*read);
  const auto again = mca::readCalibration(written, "x");
  require(static_cast<bool>(again));
  require(*again == *read);
  require(mca::writeCalibration(*again) == written);
  return 0;
}
