// The data of a virtual document, which the editor shows beside the buffer. The server puts it into words
// (lsp/wording/view_text.h).
#pragma once

#include "analysis/wire/region.h"

#include <cstdint>
#include <string>
#include <vector>

namespace analysis::wire {

enum class DocumentKind : uint8_t {
  Report,   ///< every view of the region at the offset
  Assembly, ///< the function at the offset, with source lines and numbers
  Timeline, ///< the region at the offset, cycle by cycle
  Advice    ///< what would make the loop of the line faster: the server's own, which no job makes
};

struct DocumentRequest {
  DocumentKind kind = DocumentKind::Report;
  uint32_t offset = 0; ///< in the text of the request
  bool operator==(const DocumentRequest &) const = default;
};

/// llvm-mca's views of a region.
struct RegionViews {
  uint32_t region = 0; ///< index in AnalysisResult::regions
  std::string text;
  std::string failure; ///< why it cannot be simulated; empty if it can
  bool operator==(const RegionViews &) const = default;
};

/// A line of a listing: a label, or an instruction with its numbers from the scheduling model.
struct ListingRow {
  std::string text;                ///< "f:"; an instruction has a tab before the mnemonic and spaces after it
  bool isLabel = false;            ///< then only `text` and `line` are set
  bool hasData = false;            ///< the model has scheduling data for it; without, there are no numbers
  uint32_t latency = 0;            ///< cycles
  double reciprocalThroughput = 0; ///< cycles
  std::vector<double> pressure;    ///< cycles on each of Listing::units
  std::vector<uint32_t> regions;   ///< indices in AnalysisResult::regions of those that begin here
  uint32_t line = 0;               ///< in the buffer, 1-based; 0 if it has none
  bool operator==(const ListingRow &) const = default;
};

/// The function around a place as it was assembled.
struct Listing {
  std::string function; ///< empty if the text declares none
  std::string comment;  ///< what begins a comment in this assembly dialect
  std::vector<std::string> units;
  std::vector<ListingRow> rows; ///< empty if no instruction belongs to a line of the buffer
  bool operator==(const Listing &) const = default;
};

/// The cycles [from, to) in which an instance waits for one reason.
struct TimelineWait {
  uint32_t from = 0;
  uint32_t to = 0;
  Wait wait;
  bool operator==(const TimelineWait &) const = default;
};

/// One execution of one instruction, in cycles from the start of the simulation.
struct TimelineRow {
  uint32_t iteration = 0;
  uint32_t instruction = 0; ///< position in the region
  uint32_t dispatched = 0;
  uint32_t issued = 0;
  uint32_t executed = 0;           ///< the last cycle of its execution; the cycle of its dispatch if it needs none
  uint32_t retired = 0;            ///< at most `executed` if nothing retires in order
  std::vector<TimelineWait> waits; ///< in order of time
  bool operator==(const TimelineRow &) const = default;
};

/// The first iterations of a region, up to the first instance that ends after the timeline's last cycle.
struct Timeline {
  std::vector<std::string> instructions; ///< of one iteration
  std::vector<uint32_t> lines;           ///< of each instruction in the buffer, 1-based; 0 if it has none
  std::vector<TimelineRow> rows;         ///< iteration by iteration
  std::vector<ResourceUse> pressure;
  bool operator==(const Timeline &) const = default;
};

/// A row of a timeline along a trace. Its iteration is one of the loop's header.
struct TraceRow {
  TimelineRow row;
  bool isMispredicted = false; ///< a branch
  uint32_t resumed = 0; ///< the cycle in which fetching continued after a misprediction; 0 if the trace ends there
  uint32_t path = 0;    ///< which of TraceTimeline::paths its iteration took, from 1; 0 if none of them
  bool operator==(const TraceRow &) const = default;
};

/// Some iterations of a loop with a ControlFlow, on the way through its branches that the flow's numbers are of. They
/// begin with the first misprediction that is found.
struct TraceTimeline {
  std::vector<std::string> instructions; ///< that are executed, in text order, called functions included
  std::vector<uint32_t> lines;           ///< as in Timeline
  std::vector<TraceRow> rows;            ///< in the order of execution; empty if there is no flow
  std::vector<std::string> paths;        ///< "through line 7"; empty for a loop of one path
  bool operator==(const TraceTimeline &) const = default;
};

/// The most instances in a timeline, so that an editor can draw it.
constexpr size_t kMaxTimelineRows = 2000;

/// The answer to a DocumentRequest. Report and timeline are about the regions of a hint: the one on the line of the
/// request's offset, otherwise the one of the smallest region around that line.
struct View {
  enum class Problem : uint8_t {
    None,
    NotAnalysed,  ///< there is no program
    NoRegion,     ///< none on the line or around it
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
  uint32_t region = 0;              ///< of a Timeline: index in AnalysisResult::regions
  Timeline timeline;
  TraceTimeline trace; ///< of a Timeline
  bool operator==(const View &) const = default;
};

} // namespace analysis::wire
