// What a virtual document shows beside the buffer, on the wire.
#pragma once

#include "analysis/wire/region.h"

#include <cstdint>
#include <string>
#include <vector>

namespace analysis::wire {

/// A virtual document that the editor shows beside the buffer.
enum class DocumentKind : uint8_t {
  Report,   ///< every view of the region at the offset
  Assembly, ///< the function at the offset, with source lines and numbers
  Timeline  ///< the region at the offset, cycle by cycle
};

struct DocumentRequest {
  DocumentKind kind = DocumentKind::Report;
  uint32_t offset = 0; ///< in the text of the request
  bool operator==(const DocumentRequest &) const = default;
};

/// llvm-mca's views of a region.
struct RegionViews {
  uint32_t region = 0; ///< in AnalysisResult::regions
  std::string text;
  std::string failure; ///< why it cannot be simulated; empty when it can
  bool operator==(const RegionViews &) const = default;
};

/// A line of a listing: a label, or an instruction with what the scheduling model says of it.
struct ListingRow {
  std::string text;     ///< "f:"; of an instruction with a tab before and spaces behind the mnemonic
  bool isLabel = false; ///< what follows, but for the line, is of instructions
  bool hasData = false; ///< whether the model knows it
  uint32_t latency = 0; ///< cycles
  double reciprocalThroughput = 0;
  std::vector<double> pressure;  ///< cycles on each of Listing::units
  std::vector<uint32_t> regions; ///< those that begin here, in AnalysisResult::regions
  uint32_t line = 0;             ///< in the buffer, 1-based; 0 when it has none
  bool operator==(const ListingRow &) const = default;
};

/// The function around a place as it was assembled.
struct Listing {
  std::string function; ///< empty when the text declares none
  std::string comment;  ///< what begins a comment
  std::vector<std::string> units;
  std::vector<ListingRow> rows; ///< empty when no instruction belongs to a line of the buffer
  bool operator==(const Listing &) const = default;
};

/// The first iterations of a region, as far as they end within the cycles that a timeline has.
struct Timeline {
  std::vector<std::string> instructions; ///< of one iteration
  std::vector<uint32_t> lines;           ///< of each in the buffer, 1-based; 0 when it has none
  std::vector<TimelineRow> rows;         ///< iteration by iteration
  std::vector<ResourceUse> pressure;
  bool operator==(const Timeline &) const = default;
};

/// The most instances that a timeline has.
constexpr size_t kMaxTimelineRows = 2000;

/// What a DocumentRequest asked for. A report and a timeline are of the hint that stands for the line of its offset: of
/// the line itself, else of the smallest region around it.
struct View {
  enum class Problem : uint8_t {
    None,
    NotAnalysed,  ///< there is no program
    NoRegion,     ///< there or around it
    TooLong,      ///< the region has `instructions`, more than kMaxTimelineRows
    NotSimulated, ///< `failure` says why
    SetAside      ///< making it killed the worker: `failure` says how
  };
  DocumentRequest request;
  Problem problem = Problem::None;
  std::string failure;
  uint64_t instructions = 0;
  std::vector<RegionViews> reports; ///< of a Report
  Listing listing;                  ///< of an Assembly
  uint32_t region = 0;              ///< of a Timeline, in AnalysisResult::regions
  Timeline timeline;
  bool operator==(const View &) const = default;
};

} // namespace analysis::wire
