// What a virtual document beside the buffer shows, made anew with each analysis. It is put into words by the server.
//
// Each kind has its file: report_document.cpp, assembly_document.cpp and timeline_document.cpp.
#pragma once

#include "analysis/simulate/simulated_region.h"
#include "analysis/source_map/source_map.h"
#include "analysis/wire/messages.h"
#include "mca-core/report/simulator.h"

#include <span>
#include <vector>

namespace analysis {

/// What an analysis knows when it is over. The pointers are null when it did not come so far.
struct DocumentSources {
  const wire::AnalyzeRequest &request;
  const TextLines &lines; ///< of the buffer
  const mca::Target *target = nullptr;
  mca::Simulator *simulator = nullptr;
  const mca::Program *program = nullptr;
  const SourceMap *map = nullptr;
  std::span<const SimulatedRegion> regions;
  std::span<const wire::Region> results; ///< the same ones
};

wire::View makeView(const DocumentSources &sources, const wire::DocumentRequest &request);

/// The regions of the hint that stands for the line of `offset`, by number: of the line itself, else of the smallest
/// region around it. Empty when there is none.
std::vector<uint32_t> regionsAt(const DocumentSources &sources, uint32_t offset);

void makeReport(const DocumentSources &sources, wire::View &view);
void makeListing(const DocumentSources &sources, wire::View &view);
void makeTimeline(const DocumentSources &sources, wire::View &view);

} // namespace analysis
