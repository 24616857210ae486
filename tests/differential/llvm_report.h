// llvm-mca's text, read back: the numbers that the editor's have to equal, as llvm-mca rounded them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace differential {

struct LlvmRegion {
  std::string name;                          ///< empty for an anonymous region and for a text without markers
  std::map<std::string, std::string> fields; ///< "IPC" -> "1.29"
  /// Unit and cycles per iteration, in llvm-mca's order, without the units that are not used.
  std::vector<std::pair<std::string, std::string>> pressure;

  /// The field's text; empty when llvm-mca printed none.
  std::string field(const std::string &name) const;
};

std::vector<LlvmRegion> parseLlvmReport(std::string_view text);

/// A number as llvm-mca prints it: rounded half up to `decimals` places.
std::string rounded(double value, int decimals);

} // namespace differential
