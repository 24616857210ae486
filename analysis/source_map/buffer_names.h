// Finds the line of the buffer that a compiler's file and line mean, if they mean any.
//
// A file may have several names (relative, through a link), and `#line` directives give parts of the buffer other names
// and numbers.
#pragma once

#include "analysis/source_map/text_lines.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"

#include <string>
#include <vector>

namespace analysis {

class BufferNames {
public:
  /// `path` is the buffer's file; `directory` is where the compiler ran.
  BufferNames(const TextLines &lines, const std::string &path, const std::string &directory);

  /// An index for lineIn(), the same for equal names.
  uint32_t fileOf(llvm::StringRef name);
  /// Makes a relative name another name of the file with this index, unless the name is known already.
  void alias(llvm::StringRef name, uint32_t file) { known_.try_emplace(name, file); }
  /// The absolute paths of the names given to fileOf(), by index.
  const std::vector<std::string> &paths() const { return paths_; }
  /// Whether the file has lines of the buffer.
  bool isOfBuffer(uint32_t file) const { return !stretchesOf_[file].empty(); }
  /// The buffer's line, 1-based, that the compiler calls `line` of the file; 0 if it is not in the buffer.
  uint32_t lineIn(uint32_t file, uint32_t line) const;

private:
  /// Consecutive lines of the buffer under one name.
  struct Stretch {
    uint32_t first; ///< 1-based line of the buffer
    uint32_t count;
    uint32_t firstName; ///< the compiler's number of the first one
    std::string file;   ///< absolute, as the `#line` directive says; empty for the buffer's own name
  };

  void readLineDirectives(const TextLines &lines);
  std::string normalize(llvm::StringRef name) const;
  bool isBuffer(const std::string &full) const;

  std::string directory_;
  std::string path_; // normalized, which needs the directory
  llvm::sys::fs::UniqueID id_{0, 0};
  std::vector<Stretch> stretches_;
  llvm::StringMap<uint32_t> known_;
  std::vector<std::string> paths_;
  std::vector<std::vector<uint32_t>> stretchesOf_; // by file
};

} // namespace analysis
