// An unsaved text that clang reads in place of its file.
//
// The text is written to a folder in the temporary directory that only the user can enter, and that is removed with the
// overlay. A virtual file system over the real one (-ivfsoverlay) shows it at the file's path.
#pragma once

#include <optional>
#include <string>

namespace analysis {

class BufferOverlay {
public:
  /// `path` is absolute. No value, and the reason in `error`, if the folder cannot be written.
  static std::optional<BufferOverlay> create(const std::string &path, const std::string &text, std::string &error);
  BufferOverlay(BufferOverlay &&other) noexcept;
  BufferOverlay &operator=(BufferOverlay &&) = delete;
  ~BufferOverlay();

  /// The file that clang's -ivfsoverlay expects.
  std::string description() const { return folder_ + "/overlay.yaml"; }

private:
  explicit BufferOverlay(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_; ///< empty when moved from
};

} // namespace analysis
