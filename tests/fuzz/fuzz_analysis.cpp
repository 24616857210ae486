// An assembly buffer of any bytes through the whole analysis, as the next text of a document whose last one was another
// input. Places that come out must lie inside the text, and what is known need not be sent again.
//
// LLVM itself gives up on some input; that ends the worker and not the server, so such a find is LLVM's.
#include "analysis/job/analyzer.h"
#include "lsp/wording/findings.h"

#include <cstdlib>

namespace {

void require(bool condition) {
  if (!condition)
    std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 4096)
    return 0;
  static analysis::Analyzer analyzer;
  analysis::wire::AnalyzeRequest request{.id = 1, .path = "/fuzz.s"};
  request.text.assign(reinterpret_cast<const char *>(data), size);
  request.settings.triple = "x86_64-linux-gnu";
  request.settings.cpu = "znver4";
  request.settings.iterations = 2;
  analysis::wire::AnalysisResult result = analyzer.run(request, {}, [](const analysis::wire::Progress &) {});
  for (const analysis::wire::Simulation &simulation : result.simulations)
    request.knownSimulations.push_back(simulation.id);
  const auto again = analyzer.run(request, {}, [](const analysis::wire::Progress &) {});
  require(again.regions == result.regions && again.simulations.empty());
  const auto inside = [&](analysis::wire::ByteRange at) { return at.begin <= at.end && at.end <= size; };
  for (const analysis::wire::Finding &finding : result.findings)
    require(inside(finding.at));
  for (const analysis::wire::Region &region : result.regions) {
    require(inside(region.at) && region.anchor <= size);
    for (const analysis::wire::ByteRange place : region.places)
      require(inside(place));
  }
  lsp::Analysis analysis = lsp::Analysis::take(result, {});
  lsp::wording::makeFindings(analysis, lsp::Text(request.text), 5);
  for (const analysis::wire::Finding &finding : analysis.findings)
    require(inside(finding.at));
  return 0;
}
