// The lines of each document, and the lines of the buffer that they belong to: the editor highlights both together.
#include "lsp/wording/view_text.h"

#include "lsp/wording/caveat_text.h"
#include "lsp/wording/flow_text.h"
#include "lsp/wording/region_text.h"
#include "lsp/wording/sentences.h"
#include "lsp/wording/verdict_text.h"
#include "lsp/wording/words.h"

#include <algorithm>
#include <optional>
#include <sstream>

namespace lsp::wording {
namespace {

using wire::DocumentKind;
using wire::ListingRow;
using wire::View;

constexpr uint32_t kMaxLines = 5000;
constexpr size_t kTextColumns = 48;        // of an instruction, before its numbers
constexpr size_t kCellColumns = 6;         // "100.00"
constexpr double kVisiblePressure = 0.005; // llvm-mca prints "-" for less (its ResourcePressureView)
constexpr const char *kNoRegion = "No region on this line or around it was simulated.";

/// Collects the lines of a document, up to kMaxLines.
class Page {
public:
  /// One line. `bufferLine`: the line (0-based) of the buffer that it belongs to, if any.
  void line(const std::string &text, std::optional<uint32_t> bufferLine = std::nullopt) {
    if (count_ == kMaxLines)
      return;
    if (++count_ == kMaxLines) {
      page_.text += "... the rest is left out: a document has at most " + std::to_string(kMaxLines) + " lines\n";
      return;
    }
    if (bufferLine)
      page_.links.push_back({count_ - 1, *bufferLine});
    page_.text += text + '\n';
  }

  void lines(const std::string &text) {
    std::istringstream in(text);
    for (std::string one; count_ < kMaxLines && std::getline(in, one);)
      line(one);
  }

  VirtualText take() { return std::move(page_); }

private:
  VirtualText page_;
  uint32_t count_ = 0;
};

/// The parameters of viewText(). Indices of regions come from the worker and are checked.
struct Sources {
  const View &view;
  const Analysis &analysis;
  const Text &text;
  const std::string &path;

  std::string fileName() const { return path.substr(path.rfind('/') + 1); }
  const AnalysedRegion *region(uint32_t number) const {
    return number < analysis.regions.size() ? &analysis.regions[number] : nullptr;
  }
};

/// Why there is no program to show: the worst finding of the analysis.
std::string whyNothing(const Analysis &analysis) {
  const auto worst = std::ranges::min_element(analysis.own, {}, &wire::Finding::severity);
  return worst == analysis.own.end() ? "there is nothing to show" : "there is nothing to show: " + messageOf(*worst);
}

// ---- report --------------------------------------------------------------------------------------------------------

/// A region's title and caveats, then llvm-mca's views as the worker printed them.
void writeRegion(const Sources &sources, const wire::RegionViews &views, Page &out) {
  const AnalysedRegion *shown = sources.region(views.region);
  if (!shown)
    return;
  out.line("");
  out.line("==== " + longNameOf(shown->region) + " ====", sources.text.lineOf(shown->region.anchor));
  if (const std::string bottleneck = bottleneckOf(*shown); !bottleneck.empty())
    out.line(bottleneck);
  if (!shown->region.calls.empty())
    out.line(lowerBoundInWords(shown->region.calls, {}));
  for (const wire::Caveat &caveat : shown->region.caveats)
    out.line(markedInWords(caveat));
  for (const std::string &line : correctionsInWords(*shown))
    out.line(line);
  out.line("");
  if (views.failure.empty())
    out.lines(views.text);
  else
    out.line("it cannot be simulated: " + views.failure);
}

void writeReport(const Sources &sources, Page &out) {
  const View &view = sources.view;
  const wire::TargetSummary &target = sources.analysis.target;
  const AnalysedRegion *first = view.reports.empty() ? nullptr : sources.region(view.reports.front().region);
  const uint32_t line = sources.text.lineOf(first ? first->region.anchor : view.request.offset);
  out.line(sources.fileName() + ", line " + std::to_string(line + 1) + ": " + counted(view.reports.size(), "region"),
           line);
  out.line("CPU: " + target.cpu + " (" + target.cpuOrigin + ")");
  out.line("Scheduling model: " + target.modelOrigin);
  out.line("Target: " + target.triple + (target.features.empty() ? "" : ", " + target.features));
  if (!target.commandOrigin.empty())
    out.line("Compile command: " + target.commandOrigin);
  if (view.reports.empty())
    out.line(kNoRegion);
  for (const wire::RegionViews &region : view.reports)
    writeRegion(sources, region, out);
}

// ---- assembly ------------------------------------------------------------------------------------------------------

/// The assembly with the numbers as comments, in the syntax of the target's assembler: the document stays assembly, and
/// editors can highlight it.
class ListingWriter {
public:
  ListingWriter(const Sources &sources, Page &out)
      : sources_(sources), listing_(sources.view.listing), out_(out), comment_(listing_.comment + " ") {}

  void write() {
    if (listing_.rows.empty())
      return out_.line(comment_ + "no instruction belongs to a line of the buffer");
    writeHeader();
    for (const ListingRow &row : listing_.rows)
      writeRow(row);
  }

private:
  /// The row's line in the buffer, 0-based.
  std::optional<uint32_t> lineOf(const ListingRow &row) const {
    return row.line && row.line <= sources_.text.lineCount() ? std::optional(row.line - 1) : std::nullopt;
  }

  void writeHeader() {
    const wire::TargetSummary &target = sources_.analysis.target;
    const uint32_t line = sources_.text.lineOf(sources_.view.request.offset);
    const std::string &function = listing_.function;
    out_.line(comment_ + function + (function.empty() ? "" : ", ") + sources_.fileName() + ", line " +
                  std::to_string(line + 1),
              line);
    out_.line(comment_ + "CPU: " + target.cpu + " (" + target.cpuOrigin + "); " + target.modelOrigin);
    if (!target.commandOrigin.empty())
      out_.line(comment_ + "Compile command: " + target.commandOrigin);
    out_.line(comment_ + "Behind each instruction: latency and reciprocal throughput in cycles, then cycles on");
    std::string legend;
    for (size_t i = 0; i < listing_.units.size(); ++i)
      legend += " [" + std::to_string(i) + "] " + listing_.units[i];
    out_.line(comment_ + legend);
  }

  void writeRow(const ListingRow &row) {
    if (row.isLabel)
      return out_.line(row.text, lineOf(row));
    for (const uint32_t number : row.regions)
      writeRegion(number);
    writeSourceLine(row);
    out_.line(padded(row.text, std::max(row.text.size() + 1, kTextColumns)) + comment_ + numbersOf(row), lineOf(row));
  }

  void writeRegion(uint32_t number) {
    const AnalysedRegion *shown = sources_.region(number);
    if (!shown)
      return;
    const wire::Region &region = shown->region;
    const std::string bottleneck = bottleneckOf(*shown);
    const bool isBound = isLowerBound(region), isUncertain = !std::ranges::all_of(region.caveats, wire::leavesOut);
    out_.line(comment_ + longNameOf(shown->region) + ": " + (isUncertain ? "≈ " : "") +
                  (isBound ? "at least " : "IPC " + decimals(shown->simulation->ipc, 2) + ", ") +
                  decimals(shown->simulation->cyclesPerIteration, 1) + " cycles " +
                  perIterations(region.sourceIterations) +
                  (isBound ? "; " + lowerBoundInWords(region.calls, region.caveats) : "") +
                  (bottleneck.empty() ? "" : "; " + bottleneck),
              sources_.text.lineOf(region.anchor));
  }

  /// A line of C or C++ above the first of its instructions in a row. A buffer of assembly has the same text already.
  void writeSourceLine(const ListingRow &row) {
    if (sources_.analysis.target.commandOrigin.empty() || !lineOf(row) || row.line == lastLine_)
      return;
    lastLine_ = row.line;
    const wire::ByteRange at = sources_.text.contentOf(row.line - 1);
    std::string text = sources_.text.bytes().substr(at.begin, at.end - at.begin);
    std::ranges::replace(text, '\t', ' ');
    out_.line(comment_ + std::to_string(row.line) + ": " + text, row.line - 1);
  }

  std::string numbersOf(const ListingRow &row) const {
    if (!row.hasData)
      return "no scheduling data";
    std::string numbers = rightAligned(std::to_string(row.latency), 3) +
                          rightAligned(decimals(row.reciprocalThroughput, 2), kCellColumns) + " ";
    for (const double pressure : row.pressure)
      numbers += rightAligned(pressure >= kVisiblePressure ? decimals(pressure, 2) : "-", kCellColumns);
    return numbers + (isLlvms(row) ? "  LLVM's values" : "");
  }

  /// Whether the calibration lacks the instruction: then it takes of LLVM's resources.
  bool isLlvms(const ListingRow &row) const {
    for (size_t i = 0; i < row.pressure.size(); ++i)
      if (row.pressure[i] >= kVisiblePressure && listing_.units[i].starts_with("LLVM's "))
        return true;
    return false;
  }

  const Sources &sources_;
  const wire::Listing &listing_;
  Page &out_;
  const std::string comment_;
  uint32_t lastLine_ = 0;
};

// ---- timeline ------------------------------------------------------------------------------------------------------

std::string whyNoTimeline(const View &view) {
  if (view.problem == View::Problem::NoRegion)
    return kNoRegion;
  if (view.problem == View::Problem::TooLong)
    return "The region has " + std::to_string(view.instructions) + " instructions; a timeline has at most " +
           std::to_string(wire::kMaxTimelineRows) + ".";
  return view.problem == View::Problem::NotSimulated ? "It cannot be simulated: " + view.failure : "";
}

VirtualText timelineOf(const Sources &sources) {
  const View &view = sources.view;
  VirtualText result{.text = whyNoTimeline(view), .links = {}, .picture = {}};
  const AnalysedRegion *shown = sources.region(view.region);
  if (!result.text.empty() || !shown)
    return result;
  const auto addLinks = [&](const std::vector<uint32_t> &lines, size_t first) {
    for (size_t i = 0; i < lines.size(); ++i)
      if (lines[i])
        result.links.push_back({static_cast<uint32_t>(first + i), lines[i] - 1});
  };
  addLinks(view.timeline.lines, 0);
  result.picture = {.title = longNameOf(shown->region),
                    .cpu = sources.analysis.target.cpu,
                    .cyclesPerIteration = shown->simulation->cyclesPerIteration,
                    .timeline = view.timeline,
                    .traceName = {},
                    .trace = {}};
  if (view.trace.rows.empty() || !shown->flow)
    return result;
  addLinks(view.trace.lines, view.timeline.instructions.size());
  result.picture.traceName = isTraced(*shown->flow) ? "along " + traceInWords(*shown->flow) : "with random branches";
  result.picture.traceCycles = shown->flow->cycles;
  result.picture.trace = view.trace;
  return result;
}

} // namespace

VirtualText viewText(const View &view, const Analysis &analysis, const Text &text, const std::string &path) {
  if (view.problem == View::Problem::SetAside)
    return {.text = view.failure, .links = {}, .picture = {}};
  const Sources sources{view, analysis, text, path};
  Page out;
  if (view.problem == View::Problem::NotAnalysed)
    out.line(whyNothing(analysis));
  else if (view.request.kind == DocumentKind::Timeline)
    return timelineOf(sources);
  else if (view.request.kind == DocumentKind::Report)
    writeReport(sources, out);
  else
    ListingWriter(sources, out).write();
  return out.take();
}

} // namespace lsp::wording
