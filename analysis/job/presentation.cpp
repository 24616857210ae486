#include "analysis/job/presentation.h"

#include "analysis/simulate/listing.h"
#include "analysis/verdict/details.h"
#include "analysis/verdict/findings.h"
#include "analysis/verdict/loop_order.h"
#include "analysis/wording/comparison.h"
#include "analysis/wording/hint.h"
#include "analysis/wording/hover.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

namespace analysis {
namespace {

constexpr size_t kMaxOtherCpus = 8;
// Instructions are told one by one for the regions whose numbers a hint shows. Simulating why they wait triples the
// time of a region: it is done where those regions have together at most this many instructions, which is some tenths
// of a second once, and nothing for regions that the next keystroke leaves alone.
constexpr size_t kMaxWaiting = 10'000;
// The rest costs little, but travels to the editor: this many instructions, in the order of the text.
constexpr size_t kMaxDetailed = 50'000;

bool loadsAndStores(const mca::Report &report) {
  const auto &instructions = report.instructions;
  return llvm::any_of(instructions, [](const mca::InstructionInfo &one) { return one.mayLoad; }) &&
         llvm::any_of(instructions, [](const mca::InstructionInfo &one) { return one.mayStore; });
}

/// Bytes that tell one value from another.
class Fingerprint {
public:
  template <typename Number>
    requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
  void add(Number value) {
    bytes_.append(reinterpret_cast<const char *>(&value), sizeof value);
  }
  void add(std::string_view text) {
    add(text.size());
    bytes_.append(text);
  }
  void add(const std::vector<std::string> &texts) {
    add(texts.size());
    for (const std::string &text : texts)
      add(std::string_view(text));
  }
  void add(const Figures &figures) {
    add(figures.cycles);
    add(figures.ipc);
    add(figures.sourceIterations);
    add(figures.calls);
  }
  uint64_t hash() const { return llvm::xxh3_64bits(bytes_); }

private:
  std::string bytes_;
};

void addRegion(Fingerprint &all, const Region &region, const mca::Program &program, uint32_t base) {
  all.add(region.kind);
  all.add(region.name);
  all.add(region.variant);
  all.add(region.path);
  all.add(region.at.begin - base);
  all.add(region.at.end - base);
  all.add(region.anchor - base);
  all.add(region.loop);
  all.add(region.isCalled);
  all.add(region.severalPaths);
  all.add(region.sourceIterations);
  all.add(region.share.value_or(-1));
  all.add(region.iterationsPerCall);
  all.add(region.vectorTypes);
  all.add(region.assumedVectorType);
  all.add(region.inlined);
  all.add(region.calls);
  for (size_t i = 0; i < region.instructions.size(); ++i) {
    all.add(program.instructions()[region.instructions[i]].offset - base);
    all.add(region.lines[i]);
  }
}

void addChanges(Fingerprint &all, const std::vector<Change> &changes) {
  all.add(changes.size());
  for (const Change &change : changes) {
    all.add(change.since);
    all.add(change.before);
    all.add(change.now);
  }
}

} // namespace

Presentation::Presentation(Context context, std::span<const SimulatedRegion> regions)
    : context_(std::move(context)), regions_(regions), depths_(regions.size()) {
  groupByLine();
  settleDepths();
  if (!context_.request.before.empty())
    compare();
}

AnalysedRegion Presentation::plain(const SimulatedRegion &simulated) {
  const mca::Simulation &simulation = *simulated.entry->simulation;
  return {.region = simulated.region,
          .report = &simulation.report,
          .positions = simulation.instructions,
          .caveats = simulated.caveats};
}

void Presentation::groupByLine() {
  llvm::MapVector<uint32_t, Line> byLine;
  for (size_t order = 0; order < regions_.size(); ++order) {
    const Region &region = *regions_[order].region;
    Line &onLine = byLine[context_.lines.lineOf(region.anchor)];
    if (onLine.empty() || onLine.back().front().region->loop != region.loop)
      onLine.emplace_back();
    onLine.back().push_back(plain(regions_[order]));
    onLine.back().back().order = order;
  }
  for (auto &[line, onLine] : byLine) {
    orderLoops(context_.target, context_.program, onLine);
    lines_.push_back(std::move(onLine));
  }
}

/// As far as there is room, in the order of the text.
void Presentation::settleDepths() {
  std::vector<const AnalysedLoop *> shown;
  size_t all = 0, told = 0;
  for (const Line &onLine : lines_) {
    shown.push_back(&onLine.front());
    for (const AnalysedRegion &path : onLine.front())
      all += path.report->instructions.size();
  }
  llvm::stable_sort(shown, [](const AnalysedLoop *a, const AnalysedLoop *b) {
    return a->front().region->anchor < b->front().region->anchor;
  });
  for (const AnalysedLoop *loop : shown)
    for (const AnalysedRegion &path : *loop) {
      told += path.report->instructions.size();
      if (told > kMaxDetailed)
        return;
      const bool waits = all <= kMaxWaiting;
      depths_[path.order] = {.waits = waits, .ordered = waits && &path == &loop->front(), .dataflow = true};
    }
}

/// Regions of one name are told apart by their order in the result.
void Presentation::compare() {
  std::vector<AnalysedRegion *> inOrder(regions_.size());
  for (Line &onLine : lines_)
    for (AnalysedLoop &loop : onLine)
      for (AnalysedRegion &region : loop)
        inOrder[region.order] = &region;
  const Comparison comparison(context_.request.before);
  std::map<std::string, size_t> occurrences;
  for (AnalysedRegion *analysed : inOrder) {
    const std::string name = nameOf(*analysed->region);
    const mca::Summary &now = analysed->report->summary;
    analysed->changes = comparison.changesOf(name, occurrences[name]++,
                                             {.cycles = now.cyclesPerIteration(),
                                              .ipc = now.steadyIpc(),
                                              .sourceIterations = analysed->region->sourceIterations,
                                              .calls = analysed->region->calls});
  }
}

std::vector<size_t> Presentation::ordersOf(size_t line) const {
  std::vector<size_t> orders;
  for (const AnalysedLoop &loop : lines_[line])
    for (const AnalysedRegion &path : loop)
      orders.push_back(path.order);
  return orders;
}

wire::ByteRange Presentation::textOf(size_t line) const {
  const Line &onLine = lines_[line];
  const TextLines &lines = context_.lines;
  const uint32_t anchor = onLine.front().front().region->anchor;
  wire::ByteRange all{anchor, anchor};
  const auto include = [&](wire::ByteRange at) { all = {std::min(all.begin, at.begin), std::max(all.end, at.end)}; };
  for (const AnalysedLoop &loop : onLine)
    for (const AnalysedRegion &path : loop) {
      include(path.region->at);
      for (const uint32_t line : path.region->lines)
        if (line)
          include(lines.range(line - 1));
    }
  return {lines.range(lines.lineOf(all.begin)).begin, lines.range(lines.lineOf(all.end)).end};
}

uint64_t Presentation::idOf(size_t line) const {
  const Line &onLine = lines_[line];
  const wire::AnalyzeRequest &request = context_.request;
  const wire::TargetSummary &summary = context_.summary;
  const wire::ByteRange text = textOf(line);
  Fingerprint all;
  all.add(request.language);
  all.add(request.settings.slowerPercent);
  all.add(request.settings.listings);
  all.add(request.settings.cpus);
  for (const std::string *one : {&summary.triple, &summary.cpu, &summary.features, &summary.cpuOrigin,
                                 &summary.modelOrigin, &summary.commandOrigin})
    all.add(*one);
  all.add(summary.commands);
  all.add(summary.command);
  all.add(context_.lines.lineOf(text.begin)); // lines are named
  all.add(context_.lines.text().substr(text.begin, text.end - text.begin));
  for (const AnalysedLoop &loop : onLine) {
    all.add(loop.size());
    for (const AnalysedRegion &path : loop) {
      const SimulatedRegion &simulated = regions_[path.order];
      const Depth &depth = depths_[path.order];
      all.add(simulated.key.low64);
      all.add(simulated.key.high64);
      all.add(simulated.caveats);
      addRegion(all, *path.region, context_.program, text.begin);
      addChanges(all, path.changes);
      all.add(depth.waits);
      all.add(depth.ordered);
      all.add(depth.dataflow);
    }
  }
  return all.hash();
}

void Presentation::deepen(size_t line) {
  Line &onLine = lines_[line];
  for (AnalysedLoop &loop : onLine)
    for (AnalysedRegion &path : loop)
      deepen(path);
  AnalysedRegion &first = onLine.front().front();
  first.others = onOtherCpus(first);
}

wire::Part Presentation::part(size_t line) {
  Line &onLine = lines_[line];
  for (AnalysedLoop &loop : onLine)
    for (AnalysedRegion &path : loop)
      path.verdict = judge({.report = *path.report,
                            .limit = &regions_[path.order].entry->limit,
                            .waits = path.waits,
                            .links = path.links,
                            .inOrder = !context_.target.isOutOfOrder()});
  wire::Part part;
  std::vector<ShownLoop> shown;
  for (const AnalysedLoop &loop : onLine)
    shown.push_back(shownLoop(loop, context_.lines));
  part.hints.push_back(makeHint(shown, context_.summary));
  part.hovers.push_back(makeHover(shown, context_.summary));
  part.findings = findingsOf(onLine, numbersOf(shown.front()));
  for (const AnalysedLoop &loop : onLine)
    for (const AnalysedRegion &path : loop)
      part.regions.push_back(summaryOf(path));
  return part;
}

/// What was found before is in the cache.
void Presentation::deepen(AnalysedRegion &analysed) {
  const Depth &depth = depths_[analysed.order];
  ReportCache::Analysis &known = *regions_[analysed.order].entry;
  if (context_.stop.stop_requested())
    return;
  if (depth.waits)
    analysed.waits = waitsOf(analysed);
  if (depth.ordered)
    analysed.ordered = orderedOf(analysed);
  if (!depth.dataflow)
    return;
  analysed.links = known.links;
  analysed.limit = &known.limit;
}

const mca::Waits *Presentation::waitsOf(const AnalysedRegion &analysed) {
  std::optional<mca::Waits> &waits = regions_[analysed.order].entry->waits;
  if (!waits) {
    context_.simulating(analysed.order);
    mca::SimulationOptions options = context_.options;
    options.timeline = options.pressure = options.rate = false;
    options.waitReasons = true;
    if (auto made = context_.simulator.simulate(context_.program, analysed.region->instructions, options))
      waits = std::move(made->report.waits);
    regions_[analysed.order].entry->bytes = 0;
  }
  return waits ? &*waits : nullptr;
}

/// What a region that loads and stores would take if its loads waited for its stores.
std::optional<mca::Summary> Presentation::orderedOf(const AnalysedRegion &analysed) {
  if (!loadsAndStores(*analysed.report))
    return std::nullopt;
  std::optional<mca::Summary> &ordered = regions_[analysed.order].entry->ordered;
  if (!ordered) {
    context_.simulating(analysed.order);
    mca::SimulationOptions options = context_.options;
    options.timeline = options.pressure = options.noAlias = false;
    if (auto made = context_.simulator.simulate(context_.program, analysed.region->instructions, options))
      ordered = made->report.summary;
  }
  return ordered;
}

std::vector<OtherCpu> Presentation::onOtherCpus(const AnalysedRegion &analysed) const {
  std::vector<OtherCpu> others;
  const std::vector<std::string> &wanted = context_.request.settings.cpus;
  if (wanted.empty())
    return others;
  const std::string listing = listingOf(context_.program, context_.target, analysed.region->instructions);
  for (const std::string &cpu : wanted)
    if (cpu != context_.summary.cpu && others.size() < kMaxOtherCpus && !context_.stop.stop_requested())
      others.push_back(
          simulateOn(cpu, context_.summary.triple, listing, analysed.report->summary.iterations, context_.findTarget));
  return others;
}

/// Verdicts are told for the region whose numbers the hint shows; the others' are in the hover.
std::vector<wire::Finding> Presentation::findingsOf(const Line &onLine, const LoopNumbers &numbers) const {
  const TextLines &lines = context_.lines;
  const AnalysedLoop &shown = onLine.front();
  std::vector<wire::Finding> findings;
  if (std::optional<wire::Finding> calls = callFinding(context_.target, context_.program, shown, numbers, lines))
    findings.push_back(std::move(*calls));
  // What limits a loop that calls something else, the part that is simulated does not show.
  if (shown.front().verdict.kind != wire::Verdict::Kind::None && shown.front().region->calls.empty())
    findings.push_back(findingOf(shown.front(), lines));
  if (std::optional<wire::Finding> assumed = vectorTypeFinding(*shown.front().region, lines))
    findings.push_back(std::move(*assumed));
  for (const AnalysedRegion &path : shown)
    if (auto slower = slowerFinding(path, context_.request.settings.slowerPercent, lines))
      findings.push_back(std::move(*slower));
  // What several paths share is told once.
  const size_t own = findings.size();
  for (const AnalysedRegion &path : shown)
    for (wire::Finding &finding : jumpFindings(context_.target, context_.program, numbers, path, lines))
      if (llvm::none_of(llvm::drop_begin(findings, own),
                        [&](const wire::Finding &one) { return one.at == finding.at && one.code == finding.code; }))
        findings.push_back(std::move(finding));
  return findings;
}

wire::RegionSummary Presentation::summaryOf(const AnalysedRegion &analysed) const {
  wire::RegionSummary summary = summarize(analysed, context_.lines);
  summary.body = bodyOf(analysed);
  if (analysed.limit)
    summary.chain = chainOf(*analysed.limit);
  if (context_.request.settings.listings)
    summary.listing = listingOf(context_.program, context_.target, analysed.region->instructions);
  return summary;
}

std::vector<wire::InstructionDetails> Presentation::bodyOf(const AnalysedRegion &analysed) const {
  if (!analysed.limit)
    return {};
  std::vector<wire::InstructionDetails> body = detailsOf(analysed);
  for (size_t i = 0; i < body.size(); ++i) {
    const uint32_t position = analysed.positions[i];
    if (isAssembly())
      body[i].at = context_.map.inBuffer(
          textRangeOf(context_.program, context_.target, analysed.region->instructions[position]));
    else if (const uint32_t line = analysed.region->lines[position])
      body[i].at = context_.lines.content(line - 1);
  }
  return body;
}

} // namespace analysis
