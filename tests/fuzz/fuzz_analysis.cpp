// An assembly buffer of any bytes through the whole analysis, as the next text of a document whose last one was another
// input. Places that come out must lie inside the text, and parts must say as much as the whole.
//
// LLVM itself gives up on some input; that ends the worker and not the server, so such a find is LLVM's.
#include "analysis/job/analyzer.h"

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
  const auto result = analyzer.run(request, {}, [](const analysis::wire::Progress &) {});
  request.inParts = true;
  const auto parted = analyzer.run(request, {}, [](const analysis::wire::Progress &) {});
  size_t hints = parted.hints.size(), findings = parted.findings.size();
  for (const analysis::wire::Part &part : parted.parts) {
    hints += part.hints.size();
    findings += part.findings.size();
  }
  require(hints == result.hints.size() && findings == result.findings.size());
  const auto inside = [&](analysis::wire::ByteRange at) { return at.begin <= at.end && at.end <= size; };
  for (const auto &finding : result.findings)
    require(inside(finding.at));
  for (const auto &hover : result.hovers)
    require(inside(hover.at));
  for (const auto &hint : result.hints)
    require(hint.offset <= size);
  return 0;
}
