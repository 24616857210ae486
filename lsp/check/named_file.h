// Which file a name leads to, for names that must not lead to the same one: a result would replace what it is made
// from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lsp {

/// A file by its device and inode, which all of its names share. One that is not there yet is identified by its folder
/// and its name in it.
struct FileIdentity {
  uint64_t device = 0, inode = 0; ///< of the file, or of its folder
  std::string name;               ///< in that folder; empty for a file that is there
  bool operator==(const FileIdentity &) const = default;
};

/// The file that a name leads to, links followed.
FileIdentity identityOf(const std::string &path);

/// A name on the command line, and its meaning: "-o", "the source".
struct NamedFile {
  std::string role;
  std::string path;
};

/// Why the outputs cannot be written: one of them names an input, or another output, or has a name that is an input's
/// by its kind (a source, a configuration file, flags, a trace) and is there. Empty if they can. Nothing is opened.
std::string whyNotWritable(const std::vector<NamedFile> &outputs, const std::vector<NamedFile> &inputs);

} // namespace lsp
