// Marker comments: `LLVM-MCA-BEGIN [name]`, `LLVM-MCA-END [name]` and instruments such as `LLVM-MCA-RISCV-LMUL M2`.
//
// The rules and the words of the errors are llvm-mca 22.1's (docs/CommandGuide/llvm-mca: regions may be anonymous,
// nest and overlap; of one name only one may be open at a time; anonymous ones may not overlap). An error ends nothing:
// the offending marker is left out, and the other regions stand.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mca {

/// What is wrong with the assembly text.
struct Diagnostic {
  enum class Severity { Error, Warning, Note };
  struct Related {
    uint32_t begin;
    uint32_t end;
    std::string message;
  };
  Severity severity = Severity::Error;
  uint32_t begin = 0; ///< byte offsets, half-open
  uint32_t end = 0;
  std::string message;
  std::vector<Related> related;
  bool fromMarker = false; ///< about a marker comment rather than about the assembly itself
};

struct MarkerRegion {
  static constexpr uint32_t kOpen = ~0u;
  std::string name;         ///< empty for an anonymous region
  uint32_t begin = 0;       ///< offset of the text of the begin marker
  uint32_t end = kOpen;     ///< offset of the text of the end marker; kOpen when the region runs to the end
  bool hasBegin = true;     ///< false for the region that an end marker alone closes: it starts with the text
  uint32_t beginLength = 0; ///< length of the marker's text, for squiggles
  bool contains(uint32_t offset) const { return offset >= begin && (end == kOpen || offset <= end); }
};

/// Collects region markers in text order and resolves them to regions.
class RegionMarkers {
public:
  /// Looks at a comment's text. Returns false when it is no region marker.
  bool handleComment(uint32_t offset, std::string_view text);

  const std::vector<MarkerRegion> &regions() const { return regions_; }
  /// Moves all marks behind an offset, as an edit does that is no comment's.
  void shiftAfter(uint32_t offset, int64_t by);
  /// What is wrong with the markers so far.
  const std::vector<Diagnostic> &diagnostics() const { return diagnostics_; }
  std::vector<Diagnostic> takeDiagnostics() { return std::move(diagnostics_); }

private:
  void begin(uint32_t offset, uint32_t length, std::string_view name);
  void end(uint32_t offset, uint32_t length, std::string_view name);

  std::vector<MarkerRegion> regions_;
  std::map<std::string, size_t, std::less<>> open_;
  std::vector<Diagnostic> diagnostics_;
};

/// The part of a comment behind `LLVM-MCA-`, which may be empty; none when the comment does not start with it.
std::optional<std::string_view> markerBody(std::string_view comment);

} // namespace mca
