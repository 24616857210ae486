// The configuration files: read when they change, and never twice for one content.
//
// A file that the editor has open is what the editor says it is. Any other is looked at (one stat) whenever somebody
// asks for it, and read when its size, its time or its inode is another. Only plain files are read, so that nothing
// waits for the other end of a pipe.
#pragma once

#include "lsp/protocol/config_file.h"
#include "lsp/workspace/text.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lsp {

/// A file as it was read last, and what is in force of it: its good parts, and the last good ones in place of the rest.
struct LoadedConfig {
  Text text;
  protocol::ConfigFile content;
};

class ConfigFiles {
public:
  /// The nearest `.mca-lsp.json` in the folders above a file, up to the folder in `roots` that holds it, or to the file
  /// system's root when none does. Empty when there is none. Paths are absolute.
  std::string nearest(std::string_view path, const std::vector<std::string> &roots) const;

  /// The file as it is now, or null when there is none. Valid until the next call for the same path.
  const LoadedConfig *load(const std::string &path, protocol::ConfigOwner owner);

  /// The editor shows the file: `text` counts from now on.
  void opened(const std::string &path, std::string text) { open_[path] = std::move(text); }
  void closed(const std::string &path) { open_.erase(path); }
  /// Reads the file again even if it looks the same.
  void touched(const std::string &path);

private:
  /// What tells one content of a file from another. All zero for what the editor shows.
  struct Stamp {
    uint64_t device = 0;
    uint64_t inode = 0;
    int64_t size = 0;
    int64_t seconds = 0;
    int64_t nanoseconds = 0;
    bool operator==(const Stamp &) const = default;
  };
  struct Known {
    Stamp stamp;
    LoadedConfig config;
  };

  bool exists(const std::string &path) const;
  const LoadedConfig *loadOpen(const std::string &path, const std::string &text, protocol::ConfigOwner owner);
  const LoadedConfig *remember(const std::string &path, Stamp stamp, std::string text, protocol::ConfigFile content);

  std::map<std::string, std::string> open_; ///< the texts of the files that the editor shows
  std::map<std::string, Known> known_;
};

} // namespace lsp
