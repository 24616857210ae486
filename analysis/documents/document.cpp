#include "analysis/documents/document.h"

#include <algorithm>

namespace analysis {
namespace {

constexpr uint32_t kMaxLines = 5000;

/// Why an analysis has nothing to show: its worst finding.
std::string whyNothing(const wire::AnalysisResult &summary) {
  const auto worst =
      std::min_element(summary.findings.begin(), summary.findings.end(),
                       [](const wire::Finding &a, const wire::Finding &b) { return a.severity < b.severity; });
  return worst == summary.findings.end() ? "there is nothing to show" : "there is nothing to show: " + worst->message;
}

} // namespace

void DocumentWriter::line(const std::string &text, std::optional<uint32_t> bufferLine) {
  if (count_ > kMaxLines)
    return;
  if (count_ == kMaxLines - 1) {
    text_ += "... the rest is left out: a document has at most " + std::to_string(kMaxLines) + " lines\n";
    count_ = kMaxLines + 1;
    return;
  }
  if (bufferLine)
    links_.push_back({count_, *bufferLine});
  text_ += text + '\n';
  ++count_;
}

void DocumentWriter::lines(llvm::StringRef text) {
  while (!text.empty() && !full()) {
    const auto [first, rest] = text.split('\n');
    line(first.str());
    text = rest;
  }
}

bool DocumentWriter::full() const {
  return count_ > kMaxLines;
}

void DocumentWriter::finish(wire::DocumentText &document) {
  document.text = std::move(text_);
  document.links = std::move(links_);
}

std::vector<DocumentSources::Shown> regionsAt(const DocumentSources &sources, uint32_t offset) {
  using Shown = DocumentSources::Shown;
  uint32_t line = sources.lines.lineOf(offset);
  const auto hintLine = [&](const Shown &shown) { return sources.lines.lineOf(shown.region->anchor); };
  const auto hinted = [&](const Shown &shown) { return hintLine(shown) == line; };
  if (std::none_of(sources.regions.begin(), sources.regions.end(), hinted)) {
    const Shown *smallest = nullptr;
    const auto size = [](const Shown &shown) { return shown.region->at.end - shown.region->at.begin; };
    for (const Shown &shown : sources.regions) {
      const wire::ByteRange at = shown.region->at;
      if (sources.lines.lineOf(at.begin) <= line && line <= sources.lines.lineOf(at.end) &&
          (!smallest || size(shown) < size(*smallest)))
        smallest = &shown;
    }
    if (!smallest)
      return {};
    line = hintLine(*smallest);
  }
  std::vector<Shown> found;
  std::copy_if(sources.regions.begin(), sources.regions.end(), std::back_inserter(found), hinted);
  return found;
}

wire::DocumentText makeDocument(const DocumentSources &sources, const wire::DocumentRequest &request) {
  wire::DocumentText document{.request = request, .text = {}, .links = {}};
  DocumentWriter out;
  if (sources.program && request.kind == wire::DocumentKind::Timeline) {
    makeTimeline(sources, request.offset, document);
    return document;
  }
  if (!sources.program)
    out.line(whyNothing(sources.summary));
  else if (request.kind == wire::DocumentKind::Report)
    writeReport(sources, request.offset, out);
  else
    writeAssembly(sources, request.offset, out);
  out.finish(document);
  return document;
}

} // namespace analysis
