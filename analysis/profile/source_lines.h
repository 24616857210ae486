// Source lines of a program's addresses, from its debug information.
#pragma once

#include "analysis/import/program_image.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace analysis {

struct SourceLine {
  std::string path;    ///< absolute
  uint32_t line = 0;   ///< 1-based; 0: unknown
  uint32_t digest = 0; ///< ProfiledLine::digest
};

class SourceLines {
public:
  /// Reads nothing before it is asked. The image must outlive it.
  explicit SourceLines(const ProgramImage &image) : image_(image) {}

  /// The line in the function that was not inlined: that of the outermost call. The text of a source that was written
  /// after the program is not what it was compiled from, so its lines have no digest.
  SourceLine at(uint64_t address);
  /// The line that declares the function that was not inlined. It has no digest.
  SourceLine declarationAt(uint64_t address);
  /// ProfiledLine::digest of a line.
  uint32_t digestOfLine(const std::string &path, uint32_t line);

private:
  std::optional<llvm::DILineInfo> outermostAt(uint64_t address);
  const std::vector<uint32_t> &digestsOf(const std::string &path);

  const ProgramImage &image_;
  std::unique_ptr<llvm::DWARFContext> debug_;
  std::map<std::string, std::vector<uint32_t>> digests_; ///< by path, of each line; empty for what cannot be read
};

} // namespace analysis
