// The names of the files that a database compiles. A file may have several: a build outside of its source names files
// through a link (`src -> ..`), and the editor opens them where they are. LLVM's library knows a file by one name.
#pragma once

#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <string>
#include <vector>

namespace analysis {

class DatabaseFiles {
public:
  /// `names` are absolute.
  explicit DatabaseFiles(std::vector<std::string> names);

  /// In ascending order.
  const std::vector<std::string> &all() const { return names_; }
  /// The names of the file at `path`, links followed, in ascending order. All of them have its last part: a link to a
  /// file with another one is not looked for. If more than 64 names have it, `path` itself alone is compared.
  std::vector<std::string> namesOf(const std::string &path) const;

private:
  std::vector<std::string> names_;
  llvm::StringMap<std::vector<uint32_t>> byLastPart_; ///< indices of `names_`
};

} // namespace analysis
