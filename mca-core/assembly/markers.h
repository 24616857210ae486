// Marker comments: `LLVM-MCA-BEGIN [name]`, `LLVM-MCA-END [name]` and instruments such as `LLVM-MCA-RISCV-LMUL M2`.
//
// Rules and error messages are llvm-mca 22.1's (CodeRegion.cpp in llvm/tools/llvm-mca): regions may be anonymous, nest
// and overlap; only one region of each name can be open, and anonymous regions must not overlap. After an error, the
// invalid marker is ignored, and the other regions are kept.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mca {

/// An error, warning or note about the assembly text.
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
  bool fromMarker = false; ///< concerns a marker comment, not the assembly itself
  bool fromData = false;   ///< concerns data that control flow reaches, which is no instruction
};

/// The text between two markers, or from a marker to the end.
struct MarkerRegion {
  static constexpr uint32_t kOpen = ~0u;
  std::string name;         ///< empty if anonymous
  uint32_t begin = 0;       ///< offset of the begin marker's text
  uint32_t end = kOpen;     ///< offset of the end marker's text; kOpen if the region extends to the end
  bool hasBegin = true;     ///< false if there is only an end marker: the region starts with the text
  uint32_t beginLength = 0; ///< length of the begin marker's text, for diagnostics
  bool contains(uint32_t offset) const { return offset >= begin && (end == kOpen || offset <= end); }
};

/// Collects region markers in text order, and forms the regions.
class RegionMarkers {
public:
  /// Handles a comment. Returns false if it is no region marker.
  bool handleComment(uint32_t offset, std::string_view text);

  const std::vector<MarkerRegion> &regions() const { return regions_; }
  /// Shifts the markers at an offset and after it by `by` bytes, for an edit outside of them.
  void shiftFrom(uint32_t offset, int64_t by);
  /// Replaces the offset of each marker.
  void moveAll(const std::function<uint32_t(uint32_t)> &movedOffset);
  /// Errors in the markers so far.
  const std::vector<Diagnostic> &diagnostics() const { return diagnostics_; }
  std::vector<Diagnostic> takeDiagnostics() { return std::move(diagnostics_); }

private:
  void begin(uint32_t offset, uint32_t length, std::string_view name);
  void end(uint32_t offset, uint32_t length, std::string_view name);

  std::vector<MarkerRegion> regions_;
  std::map<std::string, size_t, std::less<>> open_;
  std::vector<Diagnostic> diagnostics_;
};

/// Returns the text of a comment after `LLVM-MCA-`, possibly empty, or nothing if the comment does not start with that.
std::optional<std::string_view> markerBody(std::string_view comment);

} // namespace mca
