// Which region a hint shows, how much detail each one gets, and where regions and their instructions are in the text.
#include "analysis/job/results.h"

#include "analysis/job/instruction_texts.h"
#include "analysis/job/loop_order.h"
#include "analysis/regions/caveats.h"
#include "analysis/simulate/code_digest.h"
#include "analysis/simulate/listing.h"
#include "analysis/simulate/parallel.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <unordered_set>

namespace analysis {
namespace {

constexpr size_t kMaxOtherCpus = 8;
constexpr uint32_t kRoomyScale = 4; // enough to see whether larger buffers would help
// Instructions are described one by one only for regions whose numbers a hint shows. Simulating the wait reasons
// triples the time of a region, so it is done only if these regions together have at most this many instructions. That
// costs a few tenths of a second once, and nothing for regions that the next keystroke does not change.
constexpr size_t kMaxWaiting = 10'000;
// All other details cost little time, but memory in the server: they are sent for this many instructions in text order.
constexpr size_t kMaxDetailed = 50'000;

} // namespace

Results::Results(Context context, std::span<const SimulatedRegion> regions)
    : context_(std::move(context)), regions_(regions), choices_(regions.size()) {
  rankLoops();
  chooseDetails();
  for (size_t i = 0; i < regions_.size(); ++i)
    choices_[i].id = idOf(i);
}

void Results::rankLoops() {
  llvm::MapVector<uint32_t, std::vector<SimulatedLoop>> byLine;
  for (const SimulatedRegion &simulated : regions_) {
    std::vector<SimulatedLoop> &onLine = byLine[context_.lines.lineOf(simulated.region->anchor)];
    if (onLine.empty() || onLine.back().front()->region->loop != simulated.region->loop)
      onLine.emplace_back();
    onLine.back().push_back(&simulated);
  }
  for (auto &[line, onLine] : byLine) {
    orderLoops(context_.target, context_.program, onLine);
    for (uint32_t rank = 0; rank < onLine.size(); ++rank)
      for (const SimulatedRegion *path : onLine[rank])
        choices_[path - regions_.data()].rank = rank;
  }
}

/// Chooses the details of the shown regions within the limits above, in text order.
void Results::chooseDetails() {
  std::vector<size_t> shown;
  size_t all = 0, described = 0;
  for (size_t i = 0; i < regions_.size(); ++i)
    if (choices_[i].rank == 0) {
      shown.push_back(i);
      all += regions_[i].report().instructions.size();
    }
  llvm::stable_sort(shown, [&](size_t a, size_t b) { return regions_[a].region->anchor < regions_[b].region->anchor; });
  const Region *before = nullptr;
  for (const size_t i : shown) {
    const Region &region = *regions_[i].region;
    const bool isFirstPath = !before || before->loop != region.loop || before->anchor != region.anchor;
    before = &region;
    choices_[i].onOtherCpus = isFirstPath;
    described += regions_[i].report().instructions.size();
    if (described > kMaxDetailed)
      continue;
    const bool waits = all <= kMaxWaiting;
    choices_[i].detail = {.waits = waits, .memory = waits && isFirstPath, .instructions = true};
  }
}

uint64_t Results::idOf(size_t region) const {
  const Choice &choice = choices_[region];
  const ReportCache::Key &key = regions_[region].key;
  std::string all;
  const auto add = [&](uint64_t value) { all.append(reinterpret_cast<const char *>(&value), sizeof value); };
  add(key.low64);
  add(key.high64);
  add(choice.detail.waits);
  add(choice.detail.memory);
  add(choice.detail.instructions);
  if (choice.onOtherCpus)
    for (const std::string &cpu : context_.request.settings.cpus)
      all += cpu + '\n';
  return llvm::xxh3_64bits(all);
}

std::vector<wire::Region> Results::regions() const {
  std::vector<wire::Region> regions(regions_.size());
  // LLVM prints expressions of any detail: for listings, that takes the stack of the job's own thread.
  const wire::Settings &settings = context_.request.settings;
  const size_t threads = settings.listings || settings.runnable ? 1 : context_.threads;
  forEachInParallel(regions.size(), threads, [&](size_t i) { regions[i] = place(i); });
  return regions;
}

std::vector<wire::Simulation> Results::simulations() {
  const std::vector<uint64_t> &known = context_.request.knownSimulations;
  std::unordered_set<uint64_t> had(known.begin(), known.end());
  std::vector<size_t> wanted;
  for (size_t i = 0; i < regions_.size() && !context_.stop.stop_requested(); ++i)
    if (had.insert(choices_[i].id).second) {
      computeDetail(i);
      wanted.push_back(i);
    }
  std::vector<wire::Simulation> simulations(wanted.size());
  forEachInParallel(wanted.size(), context_.threads, [&](size_t i) {
    const Choice &choice = choices_[wanted[i]];
    simulations[i] = describe(*regions_[wanted[i]].entry, choice.detail, !context_.target.isOutOfOrder());
    simulations[i].id = choice.id;
    simulations[i].code = codeDigest(context_.target, context_.program, regions_[wanted[i]].region->instructions);
  });
  for (size_t i = 0; i < wanted.size(); ++i)
    if (choices_[wanted[i]].onOtherCpus)
      simulations[i].otherCpus = onOtherCpus(wanted[i]);
  return simulations;
}

/// Computes the wait reasons, the cycles with larger buffers if they may lack room, and those if each load waited for
/// the earlier stores, unless the cache has them.
void Results::computeDetail(size_t region) {
  const SimulatedRegion &simulated = regions_[region];
  const Detail detail = choices_[region].detail;
  ReportCache::CachedSimulation &known = *simulated.entry;
  const auto again = [&](mca::SimulationOptions options) {
    context_.simulating(region);
    options.calibration = simulated.calibration;
    options.entryOffsets = simulated.region->entryOffsets;
    options.corrections = simulated.corrections();
    return context_.simulator.simulate(context_.program, simulated.region->instructions, options);
  };
  if (detail.waits && !known.waits) {
    mca::SimulationOptions options = context_.options;
    options.timeline = options.pressure = options.rate = false;
    options.waitReasons = true;
    if (auto made = again(options))
      known.waits = std::move(made->report.waits);
    known.bytes = 0;
  }
  // Of these only the summaries are of interest, and of those with one iteration only the rate.
  const auto summaryWith = [&](auto change) -> std::optional<mca::Summary> {
    mca::SimulationOptions options = context_.options;
    options.timeline = options.pressure = false;
    change(options);
    auto made = again(options);
    return made ? std::optional((*made).report.summary) : std::nullopt;
  };
  const bool inOrder = !context_.target.isOutOfOrder();
  if (detail.waits && !known.roomy && mayLackRoom(evidenceOf(known, detail, inOrder)))
    known.roomy = summaryWith([](mca::SimulationOptions &options) {
      options.iterations = 1;
      options.bufferScale = kRoomyScale;
    });
  if (detail.memory && !known.ordered && !simulated.calibration && loadsAndStores(simulated.report()))
    known.ordered = summaryWith([](mca::SimulationOptions &options) { options.noAlias = false; });
  const auto &calibrated = simulated.report().calibrated;
  if (detail.memory && !known.unaligned && calibrated && calibrated->dependsOnAlignment)
    known.unaligned = summaryWith([](mca::SimulationOptions &options) {
      options.iterations = 1;
      options.unaligned = true;
    });
}

std::vector<wire::CpuSummary> Results::onOtherCpus(size_t region) const {
  std::vector<wire::CpuSummary> others;
  const std::vector<std::string> &wanted = context_.request.settings.cpus;
  if (wanted.empty())
    return others;
  const SimulatedRegion &simulated = regions_[region];
  const std::string listing = listingOf(context_.program, context_.target, simulated.region->instructions);
  for (const std::string &cpu : wanted)
    if (cpu != context_.summary.cpu && others.size() < kMaxOtherCpus && !context_.stop.stop_requested())
      others.push_back(summaryOf(simulateOn(cpu, context_.summary.triple, listing,
                                            simulated.report().summary.iterations, context_.findTarget)));
  return others;
}

wire::Region Results::place(size_t number) const {
  const SimulatedRegion &simulated = regions_[number];
  const Region &region = *simulated.region;
  wire::Region result = region;
  result.rank = choices_[number].rank;
  result.pointers = statementsOf(region);
  result.caveats = simulated.caveats;
  result.corrected = simulated.corrected;
  result.transfers = transfersOf(region);
  result.simulation = choices_[number].id;
  result.places = placesOf(simulated);
  if (context_.request.settings.listings)
    result.listing = operandStatement(context_.target, simulated.simulation().operandLoads) +
                     listingOf(context_.program, context_.target, region.instructions);
  if (context_.request.settings.runnable)
    result.runnable = runnable(number);
  return result;
}

/// With statements about measuring: where its pointers begin, which is said outside of it, then those of the text that
/// are for it, inside it or before all regions.
std::string Results::runnable(size_t number) const {
  const Region &region = *regions_[number].region;
  const auto beginOf = [](const SimulatedRegion &one) { return one.region->at.begin; };
  const uint32_t first = beginOf(*std::ranges::min_element(regions_, {}, beginOf));
  std::string text;
  for (const mca::EntryOffset &entry : region.entryOffsets)
    text += "# mca: measure " + llvm::StringRef(context_.target.registers().getName(entry.reg)).lower() + "=+" +
            std::to_string(entry.bytes) + "\n";
  for (const wire::ByteRange &statement : context_.measures)
    if (statement.begin < first || (statement.begin >= region.at.begin && statement.begin < region.at.end))
      text += "# " + context_.request.text.substr(statement.begin, statement.end - statement.begin) + "\n";
  return text + runnableListingOf(context_.program, context_.target, region.instructions,
                                  ".Lmca_measured_" + std::to_string(number) + "_");
}

/// The statements about pointers that hold for some of the region's instructions.
std::vector<std::string> Results::statementsOf(const Region &region) const {
  std::vector<std::string> statements;
  for (const mca::PointerStatement *statement : context_.program.statementsFor(region.instructions))
    statements.push_back(mca::textOf(*statement));
  return statements;
}

std::vector<wire::ByteRange> Results::placesOf(const SimulatedRegion &simulated) const {
  std::vector<wire::ByteRange> places;
  const Region &region = *simulated.region;
  const InstructionTexts texts(context_.program, context_.target);
  for (const uint32_t position : simulated.simulation().instructions)
    if (isAssembly())
      places.push_back(context_.map.inBuffer(texts.rangeOf(region.instructions[position])));
    else if (const uint32_t line = region.lines[position])
      places.push_back(context_.lines.content(line - 1));
    else
      places.emplace_back();
  return places;
}

std::vector<wire::Transfer> Results::transfersOf(const Region &region) const {
  std::vector<wire::Transfer> transfers;
  const InstructionTexts texts(context_.program, context_.target);
  for (const ControlTransfer &one : findControlTransfers(context_.target, context_.program, region)) {
    const uint32_t line = region.lines[one.position];
    const uint32_t instruction = region.instructions[one.position];
    transfers.push_back({.kind = one.kind,
                         .instruction = instruction,
                         .text = texts.textOf(instruction),
                         .at = line ? context_.lines.content(line - 1) : wire::ByteRange{}});
  }
  return transfers;
}

} // namespace analysis
