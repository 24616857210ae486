// Reading files that somebody else may have chosen: a database, a source, a trace. A FIFO would block the reader, a
// device or a huge file would fill its memory. So only regular files are read, and only up to a size that the caller
// states.
#pragma once

#include "analysis/process/file_descriptor.h"

#include <cstdint>
#include <optional>
#include <string>

namespace analysis {

/// Distinguishes the contents of a file without reading it. A file that was replaced by one of equal size and time
/// (`cp -p`, `rsync -t`) has another inode, or at least another ctime, which no program can set.
struct FileStamp {
  uint64_t device = 0, inode = 0;
  uint64_t size = 0;                       ///< bytes
  int64_t modified = 0, statusChanged = 0; ///< nanoseconds since 1970

  bool operator==(const FileStamp &) const = default;
};

/// A file's content, or why it could not be read.
struct RegularFile {
  std::string text;    ///< empty on failure
  FileStamp stamp;     ///< of the file that was opened
  std::string failure; ///< in words that follow "NAME: "; empty on success

  bool isRead() const { return failure.empty(); }
};

/// A file that is open for reading, or why it is not.
struct OpenRegularFile {
  FileDescriptor descriptor;
  FileStamp stamp;
  std::string failure; ///< RegularFile::failure
};

/// Opens a regular file, links followed; the rules are readRegularFile()'s.
OpenRegularFile openRegularFile(const std::string &path, uint64_t maxBytes);

/// The stamp of a regular file, links followed; nothing if there is none.
std::optional<FileStamp> stampOfRegularFile(const std::string &path);

/// Reads a regular file, links followed. A larger file than `maxBytes` is a failure, also if it grows while it is read;
/// so is anything that is no regular file. Never blocks on another process.
RegularFile readRegularFile(const std::string &path, uint64_t maxBytes);

} // namespace analysis
