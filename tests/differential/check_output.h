// What `mca-lsp --check` prints, read back: the regions with their fields, and the hints.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace differential {

struct CheckedRegion {
  std::string name; ///< as printed: "(unnamed)" for an anonymous one
  std::string kind; ///< "marker", "loop" or "snippet"
  uint32_t firstLine = 0;
  std::map<std::string, std::string> fields;
};

struct CheckOutput {
  std::vector<CheckedRegion> regions;
  std::map<uint32_t, std::string> hints; ///< by 1-based line
};

CheckOutput parseCheckOutput(const std::string &text);

} // namespace differential
