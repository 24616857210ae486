// The configuration files, each read once for each content.
//
// A file that the editor has open is what the editor says it is. Any other is checked with one stat whenever it is
// needed, and read again when its FileStamp has changed: a client may not watch files. Only regular files are read: a
// read from a pipe could block the server.
#pragma once

#include "analysis/files/regular_file.h"
#include "lsp/protocol/text.h"
#include "lsp/settings/config_file.h"

#include <map>

namespace lsp {

/// A file as it was read last, and what is in force of it: its good parts, and the last good ones in place of the rest.
struct LoadedConfig {
  Text text;
  protocol::ConfigFile content;
  analysis::FileStamp stamp; ///< all zero for a file that the editor has open
};

/// Whether the path is below the folder. Both are absolute; neither is normalized.
bool isInFolder(std::string_view folder, std::string_view path);

class ConfigFiles {
public:
  /// The nearest `.mca-lsp.json` in the folders above a file. The search ends at the folder in `roots` that holds the
  /// file, or at the file system's root if none does. Empty if there is no such file. Paths are absolute.
  std::string nearest(std::string_view path, const std::vector<std::string> &roots) const;

  /// The file as it is now, or null if there is none. Valid until the next call for the same path. A folder's file is
  /// read only if it belongs to its project, links followed: it lies in its own folder, in the repository around that,
  /// or in one of `opened`.
  const LoadedConfig *load(const std::string &path, protocol::ConfigOwner owner,
                           const std::vector<std::string> &opened);

  /// The editor has the file open: `text` counts from now on.
  void opened(const std::string &path, std::string text) { open_[path] = std::move(text); }
  void closed(const std::string &path) { open_.erase(path); }
  /// The file is read again even if it looks the same.
  void touched(const std::string &path);

private:
  const LoadedConfig *store(const std::string &path, analysis::FileStamp stamp, std::string text,
                            protocol::ConfigFile content);

  std::map<std::string, std::string> open_; ///< the texts of the files that the editor has open
  std::map<std::string, LoadedConfig> known_;
};

} // namespace lsp
