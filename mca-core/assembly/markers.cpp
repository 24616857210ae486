// Follows CodeRegions of llvm/tools/llvm-mca/CodeRegion.cpp, whose messages users know.
#include "mca-core/assembly/markers.h"

#include "llvm/ADT/StringRef.h"

namespace mca {
namespace {

/// Returns the name after a keyword, which extends to the end of the comment. Like llvm-mca, it keeps a name that
/// consists only of blanks.
std::string_view nameAfter(llvm::StringRef keyword, llvm::StringRef body) {
  const llvm::StringRef rest = body.drop_front(keyword.size());
  const llvm::StringRef name = rest.ltrim(" \t");
  return name.empty() ? rest : name;
}

} // namespace

std::optional<std::string_view> markerBody(std::string_view comment) {
  llvm::StringRef text = llvm::StringRef(comment).ltrim(" \t");
  return text.consume_front("LLVM-MCA-") ? std::optional<std::string_view>(text) : std::nullopt;
}

bool RegionMarkers::handleComment(uint32_t offset, std::string_view text) {
  const std::string_view body = markerBody(text).value_or(std::string_view());
  const auto length = static_cast<uint32_t>(text.size());
  if (body.starts_with("BEGIN"))
    begin(offset, length, nameAfter("BEGIN", body));
  else if (body.starts_with("END"))
    end(offset, length, nameAfter("END", body));
  else
    return false;
  return true;
}

void RegionMarkers::shiftFrom(uint32_t offset, int64_t by) {
  for (MarkerRegion &region : regions_) {
    if (region.hasBegin && region.begin >= offset)
      region.begin += by;
    if (region.end != MarkerRegion::kOpen && region.end >= offset)
      region.end += by;
  }
}

void RegionMarkers::begin(uint32_t offset, uint32_t length, std::string_view name) {
  const auto [open, isNew] = open_.try_emplace(std::string(name), regions_.size());
  if (isNew) {
    regions_.push_back({.name = std::string(name), .begin = offset, .beginLength = length});
    return;
  }
  const MarkerRegion &earlier = regions_[open->second];
  diagnostics_.push_back({.begin = offset,
                          .end = offset + length,
                          .message = name.empty() ? "found multiple overlapping anonymous regions"
                                                  : "overlapping regions cannot have the same name",
                          .related = {{earlier.begin, earlier.begin + earlier.beginLength,
                                       name.empty() ? "Previous anonymous region was defined here"
                                                    : "region " + std::string(name) + " was previously defined here"}},
                          .fromMarker = true});
}

void RegionMarkers::moveAll(const std::function<uint32_t(uint32_t)> &movedOffset) {
  for (MarkerRegion &region : regions_) {
    region.begin = movedOffset(region.begin);
    if (region.end != MarkerRegion::kOpen)
      region.end = movedOffset(region.end);
  }
}

void RegionMarkers::end(uint32_t offset, uint32_t length, std::string_view name) {
  // An end marker without a name closes the only open region, whatever its name.
  const auto open = name.empty() && open_.size() == 1 ? open_.begin() : open_.find(name);
  if (open != open_.end()) {
    regions_[open->second].end = offset;
    open_.erase(open);
    return;
  }
  // An end marker before any begin marker closes a region that starts with the text.
  if (name.empty() && regions_.empty()) {
    regions_.push_back({.end = offset, .hasBegin = false});
    return;
  }
  diagnostics_.push_back({.begin = offset,
                          .end = offset + length,
                          .message = "found an invalid region end directive",
                          .related = {{offset, offset + length,
                                       name.empty() ? "unable to find an active anonymous region"
                                                    : "unable to find an active region named " + std::string(name)}},
                          .fromMarker = true});
}

} // namespace mca
