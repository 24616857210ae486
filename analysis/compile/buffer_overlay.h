// A text that is not saved, where clang reads it under the name of its file.
//
// The text lies in a folder of the temporary directory that only the user can enter, and that goes away with the
// overlay. A virtual file system laid over the real one gives it the file's path, also in messages and line tables.
#pragma once

#include <optional>
#include <string>

namespace analysis {

class BufferOverlay {
public:
  /// `path` is absolute. No value, and why in `error`, when the folder cannot be written.
  static std::optional<BufferOverlay> create(const std::string &path, const std::string &text, std::string &error);
  BufferOverlay(BufferOverlay &&other) noexcept;
  BufferOverlay &operator=(BufferOverlay &&) = delete;
  ~BufferOverlay();

  /// What clang's -ivfsoverlay takes.
  std::string description() const { return folder_ + "/overlay.yaml"; }

private:
  explicit BufferOverlay(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_; ///< empty when moved from
};

} // namespace analysis
