// Follows CodeRegions of llvm/tools/llvm-mca/CodeRegion.cpp.
#include "mca-core/assembly/markers.h"

namespace mca {
namespace {

constexpr std::string_view kPrefix = "LLVM-MCA-";
constexpr std::string_view kBlank = " \t";

std::string_view skipBlanks(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlank);
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

/// Returns the name after a keyword, which extends to the end of the comment. Like llvm-mca, it keeps a name that
/// consists only of blanks.
std::string_view nameAfter(std::string_view body, std::string_view keyword) {
  const std::string_view rest = body.substr(keyword.size());
  const std::string_view name = skipBlanks(rest);
  return name.empty() ? rest : name;
}

} // namespace

std::optional<std::string_view> markerBody(std::string_view comment) {
  const std::string_view text = skipBlanks(comment);
  if (!text.starts_with(kPrefix))
    return std::nullopt;
  return text.substr(kPrefix.size());
}

bool RegionMarkers::handleComment(uint32_t offset, std::string_view text) {
  const std::string_view body = markerBody(text).value_or(std::string_view());
  const auto length = static_cast<uint32_t>(text.size());
  if (body.starts_with("BEGIN"))
    begin(offset, length, nameAfter(body, "BEGIN"));
  else if (body.starts_with("END"))
    end(offset, length, nameAfter(body, "END"));
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
  if (const auto open = open_.find(name); open != open_.end()) {
    const MarkerRegion &earlier = regions_[open->second];
    Diagnostic error{.begin = offset, .end = offset + length, .fromMarker = true};
    std::string note;
    if (name.empty()) {
      error.message = "found multiple overlapping anonymous regions";
      note = "Previous anonymous region was defined here";
    } else {
      error.message = "overlapping regions cannot have the same name";
      note = "region " + std::string(name) + " was previously defined here";
    }
    error.related.push_back({earlier.begin, earlier.begin + earlier.beginLength, std::move(note)});
    diagnostics_.push_back(std::move(error));
    return;
  }
  open_.emplace(name, regions_.size());
  regions_.push_back({.name = std::string(name), .begin = offset, .beginLength = length});
}

void RegionMarkers::end(uint32_t offset, uint32_t length, std::string_view name) {
  if (name.empty() && open_.size() == 1) {
    regions_[open_.begin()->second].end = offset;
    open_.clear();
    return;
  }
  // An end marker before any begin marker closes a region that starts with the text.
  if (name.empty() && regions_.empty()) {
    regions_.push_back({.end = offset, .hasBegin = false});
    return;
  }
  if (const auto open = open_.find(name); open != open_.end()) {
    regions_[open->second].end = offset;
    open_.erase(open);
    return;
  }
  Diagnostic error{.begin = offset, .end = offset + length, .fromMarker = true};
  error.message = "found an invalid region end directive";
  error.related.push_back({offset, offset + length,
                           name.empty() ? "unable to find an active anonymous region"
                                        : "unable to find an active region named " + std::string(name)});
  diagnostics_.push_back(std::move(error));
}

} // namespace mca
