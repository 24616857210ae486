// Which line of the user's buffer each instruction belongs to.
//
// In an assembly buffer that is the line it stands on. In a C or C++ buffer the compiler's `.loc` directives tell it,
// but in optimised C++ most of them name a library header: the instruction then belongs to the outermost frame of its
// inline stack that lies in the buffer, that is to the call that the user wrote. clang prints that stack in the comment
// behind `.loc`, `file:line:col @[ file:line:col @[ … ] ]`. An instruction none of whose frames lies in the buffer
// belongs to no line.
#pragma once

#include "analysis/source_map/text_lines.h"
#include "mca-core/assembly/program.h"

#include <optional>
#include <string>
#include <vector>

namespace analysis {

/// A place in the buffer; line and column are 1-based, a column of 0 is unknown.
struct SourcePlace {
  uint32_t line = 0;
  uint32_t column = 0;
};

class SourceMap {
public:
  /// The buffer is the assembly text itself.
  static SourceMap ofAssembly(const mca::Program &program, const TextLines &lines);
  /// The buffer is the file `path`, which a compiler that ran in `directory` turned into `program`.
  static SourceMap ofSource(const mca::Program &program, const TextLines &lines, const std::string &path,
                            const std::string &directory);

  /// No value when the instruction belongs to no line of the buffer.
  std::optional<SourcePlace> placeOf(uint32_t instruction) const;
  /// The content of that place's line.
  std::optional<wire::ByteRange> lineRangeOf(uint32_t instruction) const;
  const TextLines &lines() const { return *lines_; }

private:
  explicit SourceMap(const TextLines &lines) : lines_(&lines) {}

  const TextLines *lines_;
  std::vector<SourcePlace> places_; // line 0: none
};

} // namespace analysis
