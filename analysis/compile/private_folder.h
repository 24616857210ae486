// A folder for files that we make for the compiler.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace analysis {

/// A folder in the temporary directory that only the user can enter. It is removed with the object.
class PrivateFolder {
public:
  /// No value, and the reason in `error`, if it cannot be made.
  static std::optional<PrivateFolder> create(std::string &error);
  PrivateFolder(PrivateFolder &&other) noexcept;
  PrivateFolder &operator=(PrivateFolder &&) = delete;
  ~PrivateFolder();

  /// The path of a file in it.
  std::string pathOf(std::string_view name) const { return path_ + "/" + std::string(name); }
  const std::string &path() const { return path_; }
  /// Writes a file. Returns false, and the reason in `error`, on a failure.
  bool write(std::string_view name, std::string_view text, std::string &error) const;

private:
  explicit PrivateFolder(std::string path) : path_(std::move(path)) {}

  std::string path_; ///< empty when moved from
};

} // namespace analysis
