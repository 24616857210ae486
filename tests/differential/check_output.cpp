#include "tests/differential/check_output.h"

#include <regex>
#include <sstream>

namespace differential {

CheckOutput parseCheckOutput(const std::string &text) {
  static const std::regex kRegion("^.*: region (.*) \\((marker|loop|snippet)\\), lines? ([0-9]+).*$");
  static const std::regex kField("^  ([^:]+): (.*)$");
  static const std::regex kHint("^.*:([0-9]+): hint: (.*)$");
  CheckOutput output;
  std::istringstream stream(text);
  std::smatch match;
  for (std::string line; std::getline(stream, line);) {
    if (std::regex_match(line, match, kRegion))
      output.regions.push_back({match[1], match[2], static_cast<uint32_t>(std::stoul(match[3])), {}});
    else if (std::regex_match(line, match, kHint))
      output.hints[static_cast<uint32_t>(std::stoul(match[1]))] = match[2];
    else if (!output.regions.empty() && std::regex_match(line, match, kField))
      output.regions.back().fields[match[1]] = match[2];
  }
  return output;
}

} // namespace differential
