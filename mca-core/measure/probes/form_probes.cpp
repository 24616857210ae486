#include "mca-core/measure/probes/form_probes.h"

#include "mca-core/measure/probes/probe_batch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCInstrDesc.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace mca::measure {
namespace {

using llvm::MCInst;
using llvm::MCOperand;
using llvm::StringRef;

/// Independent copies alone: a multiple of the registers of aloneFormPlacement().
constexpr unsigned kAloneCopies = 24;
/// Of these, so many at least have registers or memory of their own.
constexpr double kIndependentCopies = 8;
/// Copies of the form in a mix: one for each of formPlacement()'s general registers.
constexpr unsigned kMixCopies = 3;
/// A mix lasts at least so many cycles per copy, and so many times what the form needs by itself.
constexpr double kLeastMix = 2.5, kMixMargin = 1.5;
/// Forms that take longer alone get no mixes: they would be thousands of instructions.
constexpr double kLongest = 40;
constexpr double kFrontEndShare = .9;
/// The resolution of time limits what is known of slots and uses, so of many in a cycle less is known of each.
constexpr double kSlotTolerance = .35, kSlotToleranceOfWidth = .06, kUsageTolerance = .26, kLeastUsage = .3,
                 kLeastUsageOfCapacity = .075;
constexpr double kLatencyTolerance = .25;
/// A bare chain that is not slower than this says nothing about a dependency.
constexpr double kChainMargin = 1.15, kChainSlack = .1;
/// Time alone that resources do not explain has to be larger.
constexpr double kUnexplainedMargin = 1.08, kUnexplainedSlack = .06;

/// A form on its way through the rounds.
struct Work {
  FormToProbe form;
  MCInst inst;
  Form key;
  size_t alone = 0;
  std::optional<size_t> bare; ///< copies whose implicit registers make them wait for each other
  std::vector<LatencyChain> chains;
  std::vector<size_t> chainProbes;
  struct Mix {
    size_t with = 0, without = 0;
  };
  std::optional<Mix> nops;
  std::vector<std::optional<Mix>> mixes; ///< by blocker
  double cyclesAlone = 0;
  double recurrence = 0; ///< cycles between two executions that share their registers
  double slots = 0;
  CalibratedForm row;
};

class FormProber {
public:
  FormProber(const InstanceMaker &maker, ProbeTimer &timer, const ProbedMachine &machine)
      : maker_(maker), timer_(timer), machine_(machine), nop_(maker.nop()) {}

  std::vector<ProbedForm> probe(std::span<const FormToProbe> forms) {
    for (const FormToProbe &form : forms)
      addAlone(form);
    batch_.run(timer_);
    for (Work &work : works_)
      inferAlone(work);
    for (Work &work : works_)
      addSlots(work);
    batch_.run(timer_);
    for (Work &work : works_)
      inferSlots(work);
    for (Work &work : works_)
      addMixes(work);
    batch_.run(timer_);
    std::vector<ProbedForm> probed;
    for (Work &work : works_)
      probed.push_back(finish(work));
    return probed;
  }

private:
  const llvm::MCInstrDesc &describe(const Work &work) const {
    return maker_.target().instructions().get(work.form.opcode);
  }

  /// Writes the registers that the form both reads and writes implicitly, so that its executions are independent.
  std::vector<MCInst> breakersOf(const Work &work) const {
    std::vector<MCInst> breakers;
    const llvm::MCInstrDesc &description = describe(work);
    for (const llvm::MCPhysReg reg : description.implicit_uses()) {
      if (!llvm::is_contained(description.implicit_defs(), reg) && !overlapsDefinition(reg, description))
        continue;
      if (const auto number = maker_.numberOf(reg); number && number->first == RegisterFamily::General) {
        constexpr uint8_t kDividendHigh = 2;
        const unsigned opcode = *maker_.opcodeOf("MOV32ri");
        breakers.push_back(
            maker_.assemble("MOV32ri", {MCOperand::createReg(maker_.registerFor(opcode, 0, number->second)),
                                        MCOperand::createImm(number->second == kDividendHigh ? 0 : 1)}));
      } else if (StringRef(maker_.target().registers().getName(reg)) == "EFLAGS") {
        const MCOperand source =
            MCOperand::createReg(maker_.fullRegister(RegisterFamily::General, formPlacement().families[0].sources[0]));
        breakers.push_back(maker_.assemble("TEST64rr", {source, source}));
      }
    }
    return breakers;
  }

  bool readsDestination(const Work &work) const {
    const llvm::MCInstrDesc &description = describe(work);
    return !breakersOf(work).empty() ||
           llvm::any_of(llvm::seq(0u, description.getNumOperands()), [&](unsigned operand) {
             return description.getOperandConstraint(operand, llvm::MCOI::TIED_TO) >= 0;
           });
  }

  bool overlapsDefinition(llvm::MCPhysReg reg, const llvm::MCInstrDesc &description) const {
    return llvm::any_of(description.implicit_defs(),
                        [&](llvm::MCPhysReg defined) { return maker_.target().registers().regsOverlap(reg, defined); });
  }

  void addAlone(const FormToProbe &form) {
    Work &work = works_.emplace_back();
    work.form = form;
    work.inst = *maker_.make(form.opcode, form.variant, formPlacement(), 0);
    work.key = formOf(work.inst, maker_.target());
    const std::vector<MCInst> breakers = breakersOf(work);
    std::vector<MCInst> block;
    for (unsigned copy = 0; copy < kAloneCopies; ++copy) {
      llvm::append_range(block, breakers);
      block.push_back(*maker_.make(form.opcode, form.variant, aloneFormPlacement(), copy));
    }
    work.alone = batch_.add({.name = nameOf(work) + ": alone", .setup = {}, .block = std::move(block)});
    if (!breakers.empty())
      work.bare = batch_.add({.name = nameOf(work) + ": bare", .setup = {}, .block = {work.inst}});
    work.chains = latencyChainsOf(maker_, machine_.bridges, form.opcode, form.variant);
    for (const LatencyChain &chain : work.chains)
      work.chainProbes.push_back(batch_.add(chain.probe));
  }

  static std::string nameOf(const Work &work) {
    return work.key.shape.empty() ? work.key.opcode : work.key.opcode + " " + work.key.shape;
  }

  void inferAlone(Work &work) {
    const std::optional<Timing> alone = batch_.timing(work.alone);
    if (!alone)
      return;
    work.cyclesAlone = std::max(0.0, alone->cycles / kAloneCopies);
    work.row = {.opcode = work.key.opcode, .shape = work.key.shape};
    work.row.from = {.probe = "alone", .spread = alone->spread, .passes = alone->passes};
    for (size_t i = 0; i < work.chains.size(); ++i)
      inferLatency(work, i);
    if (work.bare)
      work.recurrence = std::max(work.recurrence, batch_.cycles(*work.bare).value_or(0));
    if (describe(work).mayLoad() && describe(work).mayStore())
      work.recurrence = std::max(work.recurrence, kForwarding);
  }

  void inferLatency(Work &work, size_t index) {
    const LatencyChain &chain = work.chains[index];
    const std::optional<double> cycles = batch_.cycles(work.chainProbes[index]);
    if (!cycles)
      return;
    const double perExecution = *cycles / chain.executions;
    const double latency = perExecution - chain.bridgeCycles;
    work.recurrence = std::max(work.recurrence, chain.bridgeCycles > 0 ? latency : perExecution);
    const bool isSlow = perExecution > work.cyclesAlone * kChainMargin + kChainSlack;
    if (chain.isCertain ? latency < -.5 : !isSlow)
      return;
    if (!chain.isCertain && isDenied(work, chain))
      return;
    auto known = llvm::find_if(work.row.latencies, [&](const CalibratedForm::Latency &each) {
      return each.source == chain.source && each.destination == chain.destination;
    });
    if (known != work.row.latencies.end())
      return; // the bare chain comes first, and is exact
    const double whole = std::round(latency);
    work.row.latencies.push_back(
        {.source = chain.source,
         .destination = chain.destination,
         .cycles =
             std::max(0.0, std::abs(latency - whole) <= kLatencyTolerance ? whole : std::round(latency * 4) / 4)});
  }

  /// Whether a certain chain shows that the destination does not depend on the source. A bare one may be slow because
  /// of other operands, such as flags that are read and written.
  bool isDenied(const Work &work, const LatencyChain &bare) const {
    for (size_t i = 0; i < work.chains.size(); ++i) {
      const LatencyChain &chain = work.chains[i];
      const bool isSame = chain.source == bare.source && chain.destination == bare.destination;
      const std::optional<double> cycles = batch_.cycles(work.chainProbes[i]);
      if (isSame && chain.isCertain && cycles && *cycles / chain.executions - chain.bridgeCycles < -.5)
        return true;
    }
    return false;
  }

  /// Interleaves copies of the form with others. Their distances differ by one, since some CPUs rename what has two
  /// slots only together: at equal distances each might waste one, or none.
  std::vector<MCInst> mix(const Work &work, const std::vector<MCInst> &others) const {
    std::vector<MCInst> block;
    size_t given = 0;
    for (unsigned copy = 0; copy < kMixCopies; ++copy) {
      block.push_back(*maker_.make(work.form.opcode, work.form.variant, formPlacement(), copy));
      const size_t end = (copy + 1) * others.size() / kMixCopies;
      const size_t shifted = copy + 1 == kMixCopies ? others.size() : end - std::min<size_t>(copy % 2, end);
      for (; given < shifted; ++given)
        block.push_back(others[given]);
    }
    return block;
  }

  bool isTooLong(const Work &work) const { return work.row.opcode.empty() || work.cyclesAlone > kLongest; }

  /// Cycles of a mix per copy of the form so that the form's own times do not limit it.
  double lengthOf(const Work &work) const {
    // Copies with the same registers are kMixCopies apart, unless they are implicit.
    const bool isImplicit = !breakersOf(work).empty();
    const double recurrence = isImplicit ? work.recurrence : work.recurrence / kMixCopies;
    return std::min(kLongest * kMixMargin,
                    std::max({kLeastMix, kMixMargin * work.cyclesAlone, kMixMargin * recurrence}));
  }

  size_t baseline(const std::string &name, std::vector<MCInst> block) {
    const auto [found, isNew] = baselines_.try_emplace(name + " " + std::to_string(block.size()), 0);
    if (isNew)
      found->second = batch_.add({.name = name + " alone", .setup = {}, .block = std::move(block)});
    return found->second;
  }

  void addSlots(Work &work) {
    if (isTooLong(work))
      return;
    const auto count = static_cast<size_t>(std::ceil(lengthOf(work) * machine_.slotsPerCycle)) * kMixCopies;
    const std::vector<MCInst> nops(count, nop_);
    work.nops = Work::Mix{.with = batch_.add({.name = nameOf(work) + ": slots", .setup = {}, .block = mix(work, nops)}),
                          .without = baseline("nops", nops)};
  }

  std::optional<double> extra(const std::optional<Work::Mix> &mix) const {
    if (!mix)
      return std::nullopt;
    const std::optional<double> with = batch_.cycles(mix->with), without = batch_.cycles(mix->without);
    return with && without ? std::optional((*with - *without) / kMixCopies) : std::nullopt;
  }

  void inferSlots(Work &work) {
    const std::optional<double> cycles = extra(work.nops);
    if (!cycles)
      return;
    const double slots = std::max(0.0, *cycles * machine_.slotsPerCycle);
    const double whole = std::round(slots);
    const double tolerance = std::max(kSlotTolerance, kSlotToleranceOfWidth * machine_.slotsPerCycle);
    work.slots = std::abs(slots - whole) <= tolerance ? whole : std::round(slots * 4) / 4;
    work.row.slots = work.slots;
  }

  void addMixes(Work &work) {
    work.mixes.resize(machine_.blockers.size());
    if (isTooLong(work) || !work.row.slots)
      return;
    for (const auto &[i, blocker] : llvm::enumerate(machine_.blockers)) {
      const double room = machine_.slotsPerCycle * kFrontEndShare - blocker.resource.capacity;
      const double length = std::max(lengthOf(work), room > 0 ? work.slots / room : kLeastMix);
      const auto count = static_cast<size_t>(std::ceil(length * blocker.resource.capacity * kMixCopies));
      const std::vector<MCInst> others = repeat(blocker, count);
      work.mixes[i] = Work::Mix{
          .with = batch_.add(
              {.name = nameOf(work) + ": beside " + blocker.resource.name, .setup = {}, .block = mix(work, others)}),
          .without = baseline(blocker.resource.name, others)};
    }
  }

  /// What the form takes of a resource, capped by what its own rate allows.
  double usageOf(const Work &work, size_t blocker) const {
    const std::optional<double> cycles = extra(work.mixes[blocker]);
    if (!cycles)
      return 0;
    const double capacity = machine_.blockers[blocker].resource.capacity;
    double usage = std::min(*cycles, work.cyclesAlone * 1.02) * capacity;
    // A load of one slot occupies no more than one unit. Some measure more beside many other loads.
    if (StringRef(machine_.blockers[blocker].resource.name).starts_with("load"))
      usage = std::min(usage, std::max(1.0, work.slots));
    const double whole = std::round(usage), least = std::max(kLeastUsage, kLeastUsageOfCapacity * capacity);
    return usage < least ? 0 : std::abs(usage - whole) <= kUsageTolerance ? whole : std::round(usage * 4) / 4;
  }

  void inferTreatment(Work &work) const {
    const bool hasMemory = describe(work).mayLoad() || describe(work).mayStore();
    const bool isFree = work.row.uses.empty() && work.row.slots && *work.row.slots > 0 && !hasMemory;
    const auto depends = [&](const CalibratedForm::Latency &latency) { return latency.cycles > 0; };
    if (work.form.variant.sameRegisters && work.row.latencies.empty())
      work.row.treatment = isFree ? RenameTreatment::Zero : RenameTreatment::BreaksDependency;
    else if (isFree && !work.row.latencies.empty() && llvm::none_of(work.row.latencies, depends))
      work.row.treatment = treatmentOfFree(work.key.opcode);
  }

  static RenameTreatment treatmentOfFree(StringRef opcode) {
    const auto begins = [&](const char *stem) { return opcode.starts_with(stem); };
    if (llvm::any_of(std::initializer_list<const char *>{"MOV", "VMOV"}, begins))
      return RenameTreatment::Eliminated;
    return llvm::any_of(std::initializer_list<const char *>{"ADD", "SUB", "INC", "DEC", "LEA"}, begins)
               ? RenameTreatment::Immediate
               : RenameTreatment::None;
  }

  ProbedForm finish(Work &work) const {
    ProbedForm probed{.row = {}, .cyclesAlone = work.cyclesAlone};
    if (work.row.opcode.empty())
      return probed;
    // What breaks dependencies takes time, too: a unit of four for an integer instruction, at most.
    constexpr double kBreakerCycles = .3;
    const double ofBreakers = kBreakerCycles * double(breakersOf(work).size());
    double explained = work.row.slots.value_or(0) / machine_.slotsPerCycle;
    for (size_t i = 0; i < machine_.blockers.size(); ++i)
      if (const double usage = usageOf(work, i); usage > 0) {
        work.row.uses.push_back({.resource = static_cast<uint32_t>(i), .amount = usage});
        explained = std::max(explained, usage / machine_.blockers[i].resource.capacity);
      }
    inferTreatment(work);
    // Copies with one register, or one place in memory, wait for each other.
    const bool changesMemory = describe(work).mayLoad() && describe(work).mayStore();
    const double dependent = (changesMemory            ? kForwarding
                              : readsDestination(work) ? work.recurrence
                                                       : 0) /
                             kIndependentCopies;
    if (work.cyclesAlone - ofBreakers >
        std::max(explained * kUnexplainedMargin, dependent * kChainMargin) + kUnexplainedSlack)
      probed.unexplained = work.cyclesAlone;
    probed.row = std::move(work.row);
    return probed;
  }

  /// Cycles between a store and a load of its value, at most, of any x86 core.
  static constexpr double kForwarding = 8;

  const InstanceMaker &maker_;
  ProbeTimer &timer_;
  const ProbedMachine &machine_;
  const MCInst nop_;
  ProbeBatch batch_;
  std::vector<Work> works_;
  std::map<std::string, size_t> baselines_;
};

} // namespace

std::vector<ProbedForm> probeForms(const InstanceMaker &maker, ProbeTimer &timer, const ProbedMachine &machine,
                                   std::span<const FormToProbe> forms) {
  return FormProber(maker, timer, machine).probe(forms);
}

} // namespace mca::measure
