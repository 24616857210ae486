// An unsaved text that clang reads in place of its file.
//
// The text is written to a private folder, which is removed with the overlay. A virtual file system over the real one
// (-ivfsoverlay) shows it at the file's path.
#pragma once

#include "analysis/compile/private_folder.h"

#include <optional>
#include <string>

namespace analysis {

class BufferOverlay {
public:
  /// `path` is absolute. No value, and the reason in `error`, if the folder cannot be written.
  static std::optional<BufferOverlay> create(const std::string &path, const std::string &text, std::string &error);

  /// The file that clang's -ivfsoverlay expects.
  std::string description() const;

private:
  explicit BufferOverlay(PrivateFolder folder) : folder_(std::move(folder)) {}

  PrivateFolder folder_;
};

/// The text of a file for -ivfsoverlay that shows the file `text` at `path` and, if that is a link, also at its target:
/// an `#include` may name either.
std::string describeOverlay(const std::string &path, const std::string &text);

} // namespace analysis
