// The data of the virtual documents beside a buffer, made with each analysis. The server puts it into words
// (lsp/wording/view_text.h).
//
// Each kind has its file: report_document.cpp, assembly_document.cpp and timeline_document.cpp.
#pragma once

#include "analysis/simulate/simulated_region.h"
#include "analysis/source_map/source_map.h"
#include "analysis/wire/messages.h"
#include "mca-core/report/simulator.h"
#include "mca-core/report/trace_window.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace analysis {

/// The results of an analysis. Pointers are null if it failed before the step that sets them.
struct DocumentSources {
  const wire::AnalyzeRequest &request;
  const TextLines &lines; ///< of the buffer
  const mca::Target *target = nullptr;
  mca::Simulator *simulator = nullptr;
  const mca::Program *program = nullptr;
  std::shared_ptr<const mca::Calibration> calibration = nullptr; ///< of the CPU; also null if there is none
  const SourceMap *map = nullptr;
  std::span<const SimulatedRegion> regions;
  std::span<const wire::Region> results; ///< the same regions as they are sent, by the same indices
  std::span<const wire::ControlFlow> flows = {};
  /// Records a part of the run of a flow, by the number of its loop (wire::ControlFlow::loop), with the reasons of
  /// waits; empty if there are no flows.
  std::function<mca::Result<mca::TraceWindow>(uint32_t loop, const mca::WindowRange &range)> recordWindow = {};
};

/// Makes the document of any kind; errors are in View::problem and in the parts.
wire::View makeView(const DocumentSources &sources, const wire::DocumentRequest &request);

/// The indices of the regions of one hint: the one on the line of `offset`, otherwise the one of the smallest region
/// around that line. Empty if there is none.
std::vector<uint32_t> regionsAt(const DocumentSources &sources, uint32_t offset);

// These fill in the part of `view` for its kind. `sources.program` must not be null.
void makeReport(const DocumentSources &sources, wire::View &view);
void makeListing(const DocumentSources &sources, wire::View &view);
void makeTimeline(const DocumentSources &sources, wire::View &view);

} // namespace analysis
