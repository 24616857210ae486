// Virtual documents: what the editor shows beside the buffer, made anew with each analysis.
//
// Each kind has its file: report_document.cpp, assembly_document.cpp and timeline_document.cpp. The first two are plain
// text of at most 5,000 lines; where it had more, its last line says so. A timeline is a picture that the editor draws.
#pragma once

#include "analysis/regions/region.h"
#include "analysis/source_map/source_map.h"
#include "analysis/wire/messages.h"
#include "mca-core/report/simulator.h"

#include <string>
#include <vector>

namespace analysis {

/// What an analysis knows when it is over. The pointers are null when it did not come so far.
struct DocumentSources {
  struct Shown {
    const Region *region = nullptr;
    const wire::RegionSummary *summary = nullptr;
  };
  std::string path;                    ///< of the buffer
  const wire::AnalysisResult &summary; ///< target and findings
  const TextLines &lines;              ///< of the buffer
  const mca::Target *target = nullptr;
  mca::Simulator *simulator = nullptr;
  const mca::Program *program = nullptr;
  const SourceMap *map = nullptr;
  std::vector<Shown> regions; ///< that were simulated
};

wire::DocumentText makeDocument(const DocumentSources &sources, const wire::DocumentRequest &request);

/// Collects the lines of a document.
class DocumentWriter {
public:
  /// One line, which stands for a line (0-based) of the buffer if one is given.
  void line(const std::string &text, std::optional<uint32_t> bufferLine = std::nullopt);
  void lines(llvm::StringRef text);
  /// Nothing more will be taken.
  bool full() const;
  /// Hands over what was collected.
  void finish(wire::DocumentText &document);

private:
  std::string text_;
  std::vector<wire::LineLink> links_;
  uint32_t count_ = 0;
};

/// The regions of the hint that stands for the line of `offset`: of the line itself, else of the smallest region around
/// it. Empty when there is none.
std::vector<DocumentSources::Shown> regionsAt(const DocumentSources &sources, uint32_t offset);

void writeReport(const DocumentSources &sources, uint32_t offset, DocumentWriter &out);
void writeAssembly(const DocumentSources &sources, uint32_t offset, DocumentWriter &out);
/// Fills the document's timeline and links, or its text with the reason why there is none.
void makeTimeline(const DocumentSources &sources, uint32_t offset, wire::DocumentText &document);

} // namespace analysis
