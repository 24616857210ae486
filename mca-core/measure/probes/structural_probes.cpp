#include "mca-core/measure/probes/structural_probes.h"

#include "mca-core/measure/probes/structural_probe_set.h"

#include <cmath>

namespace mca::measure {

using llvm::MCInst;
using llvm::MCOperand;

double roundedRate(double perCycle, double parts) {
  return perCycle >= 1 ? std::round(parts * perCycle) / parts : parts / std::round(parts / perCycle);
}

Provenance provenanceOf(const char *probe, const Timing &timing) {
  std::string name = probe;
  llvm::replace(name, ' ', '-');
  return {.probe = std::move(name), .spread = timing.spread, .passes = timing.passes};
}

double measureSlots(const InstanceMaker &maker, ProbeTimer &timer, Calibration &calibration) {
  constexpr size_t kCopies = 24;
  ProbeBatch batch;
  std::vector<size_t> probes;
  const auto general = [&](uint8_t number) {
    return MCOperand::createReg(maker.fullRegister(RegisterFamily::General, number));
  };
  const auto address = [&](int64_t displacement) -> std::vector<MCOperand> {
    return {general(kBase), MCOperand::createImm(1), MCOperand::createReg(llvm::MCRegister()),
            MCOperand::createImm(displacement), MCOperand::createReg(llvm::MCRegister())};
  };
  // Nops of one, four, five and eight bytes: some cores take two short ones in a slot.
  for (const MCInst &nop : {maker.assemble("NOOP", {}), maker.assemble("NOOPL", address(0)),
                            maker.assemble("NOOPL", address(8)), maker.assemble("NOOPL", address(0x1000))})
    probes.push_back(batch.add({.name = "slots", .setup = {}, .block = Insts(kCopies, nop)}));
  batch.run(timer);
  std::optional<Timing> best;
  for (const size_t probe : probes)
    if (const auto timing = batch.timing(probe); timing && (!best || timing->cycles < best->cycles))
      best = timing;
  if (!best)
    return 0;
  const double slots = std::round(kCopies / best->cycles);
  return setFact(calibration, "slots-per-cycle", slots, provenanceOf("slots", *best)) ? slots : 0;
}

namespace {

/// Chains of additions, of multiplications, and of both in turn.
class BypassProbes : public StructuralProbes {
public:
  using StructuralProbes::StructuralProbes;

  void measure() {
    const MCOperand value = part(kVector, "ADDSSrr", 0), other = part(kVector + 1, "ADDSSrr", 0);
    const MCInst addition = make("ADDSSrr", {value, value, other}), product = make("MULSSrr", {value, value, other});
    const size_t additions = add("additions of floats", {addition, addition}),
                 products = add("products of floats", {product, product}),
                 inTurn = add("additions and products", {product, addition});
    run();
    const auto first = cycles(additions), second = cycles(products), both = cycles(inTurn);
    if (!first || !second || !both)
      return;
    if (const double delay = std::round(*both - (*first + *second) / 2); delay >= 1)
      rule("float-add-bypass", {{"other-cycles", delay}}, "additions and products", inTurn);
  }
};

/// Comparisons with memory, whose loads take a slot of their own if the address has an index. With more and more nops
/// between them, they are slow as soon as the second one of a cycle is not among its first instructions.
class MicroFusionProbes : public StructuralProbes {
public:
  using StructuralProbes::StructuralProbes;

  void measure() {
    constexpr unsigned kCopies = 24;
    const auto most = static_cast<unsigned>(std::max(slots_, 4.0)) - 3;
    const auto block = [&](unsigned between, bool hasIndex) {
      Insts insts;
      for (unsigned copy = 0; copy < kCopies; ++copy) {
        insts.push_back(load("CMP64rm", general(kValue), kBase, 0, hasIndex));
        llvm::append_range(insts, nops(between));
      }
      return insts;
    };
    const size_t plain = add("comparisons with memory", block(0, false));
    std::vector<size_t> taken;
    for (unsigned between = 0; between <= most; ++between)
      taken.push_back(add("comparisons with indexed memory", block(between, true)));
    run();
    const auto fused = cycles(plain), apart = cycles(taken.front());
    if (!fused || !apart || *apart < *fused * 1.1)
      return;
    const auto isAlone = [&](size_t probe) { return cycles(probe) && *cycles(probe) > .95 * kCopies; };
    const auto alone = llvm::find_if(taken, isAlone);
    rule("micro-fusion",
         {{"index-within", alone == taken.end() ? 0 : double(alone - taken.begin() + 1)},
          {"index-per-cycle", std::round(kCopies / *apart)}},
         "comparisons with indexed memory", taken.front());
  }
};

} // namespace

void measureStructure(const InstanceMaker &maker, ProbeTimer &timer, double slotsPerCycle, Calibration &calibration) {
  measureFrontEnd(maker, timer, slotsPerCycle, calibration);
  measureMemory(maker, timer, slotsPerCycle, calibration);
  BypassProbes(maker, timer, slotsPerCycle, calibration).measure();
  MicroFusionProbes(maker, timer, slotsPerCycle, calibration).measure();
}

void completeFromForms(Calibration &calibration) {
  for (const CalibratedForm &form : calibration.forms)
    if (CalibratedRule &rule = calibration.rules.renames[static_cast<size_t>(form.treatment)];
        form.treatment != RenameTreatment::None && !rule.isOn)
      rule = {.isOn = true, .from = form.from};
  const auto copy = [&](const char *from, const char *to, const char *shape) {
    const auto row = llvm::find_if(
        calibration.forms, [&](const CalibratedForm &form) { return form.opcode == from && form.shape == "base"; });
    const bool isKnown = llvm::any_of(calibration.forms, [&](const CalibratedForm &form) { return form.opcode == to; });
    if (row == calibration.forms.end() || isKnown)
      return;
    CalibratedForm made = *row;
    made.opcode = to;
    made.shape = shape;
    made.latencies.clear();
    made.from.probe = std::string("as-") + from;
    calibration.forms.push_back(std::move(made));
  };
  for (const char *push : {"PUSH64r", "PUSH64i8", "PUSH64i32"})
    copy("MOV64mr", push, "");
  copy("MOV64rm", "POP64r", "");
  // push of memory: both.
  const auto find = [&](const char *opcode) {
    return llvm::find_if(calibration.forms, [&](const CalibratedForm &form) {
      return form.opcode == opcode && form.shape == "base" && form.slots;
    });
  };
  const auto load = find("MOV64rm"), store = find("MOV64mr");
  if (load == calibration.forms.end() || store == calibration.forms.end() ||
      find("PUSH64rmm") != calibration.forms.end())
    return;
  CalibratedForm both{.opcode = "PUSH64rmm", .shape = "base", .slots = *load->slots + *store->slots};
  both.from = {.probe = "as-MOV64rm-and-MOV64mr", .spread = store->from.spread, .passes = store->from.passes};
  both.uses = store->uses;
  for (const CalibratedForm::Use &use : load->uses) {
    const auto same = llvm::find_if(both.uses, [&](const auto &other) { return other.resource == use.resource; });
    if (same == both.uses.end())
      both.uses.push_back(use);
    else
      same->amount += use.amount;
  }
  calibration.forms.push_back(std::move(both));
}

} // namespace mca::measure
