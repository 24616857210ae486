// Whether what a compile included is still what a new one would include.
#pragma once

#include "analysis/files/regular_file.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace analysis {

class IncludedFiles {
public:
  /// `files` are those that the compile read, `searched` folders in which it looked for them; absolute. No value if one
  /// of them has changed since `start`, which is before the compile: what it read is not known then.
  static std::optional<IncludedFiles> of(const std::vector<std::string> &files,
                                         const std::vector<std::string> &searched,
                                         std::chrono::system_clock::time_point start);

  /// Whether each file has its stamp, and no header has appeared in or gone from the searched folders and those of the
  /// files: another one could be included now.
  bool areUnchanged() const;

private:
  struct Folder {
    std::string path;
    int64_t changed = 0;              ///< nanoseconds since 1970; 0: there is no such folder
    std::vector<std::string> headers; ///< names that could be included, sorted
  };
  Folder folderOf(const std::string &path) const;
  bool mayBeIncluded(const std::string &name) const;

  std::vector<std::pair<std::string, FileStamp>> files_;
  std::vector<std::string> names_; ///< parts of the files' paths, sorted
  std::vector<Folder> folders_;
};

} // namespace analysis
