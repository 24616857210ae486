// Probes and inference on a simulated machine whose tables are known: the calibration has to find them.
#include "mca-core/calibration/calibration_file.h"
#include "mca-core/measure/probes/calibrate.h"
#include "mca-core/measure/probes/structural_probes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

namespace mca::measure {
namespace {

using llvm::MCInst;

constexpr double kSlots = 6;

/// What the simulated machine does with an opcode.
struct Behaviour {
  double slots = 1;
  std::map<std::string, double> uses;
  double latency = 1;
  bool isMove = false;        ///< eliminated
  bool isIdiomOfSame = false; ///< with one register: executes nothing, depends on nothing
};

const std::map<std::string, double> kCapacities = {{"alu", 4},      {"load", 3},   {"store", 1}, {"shift", 2},
                                                   {"multiply", 1}, {"vector", 4}, {"float", 2}};

std::map<std::string, Behaviour> behaviours() {
  const Behaviour alu{.uses = {{"alu", 1}}}, shift{.uses = {{"alu", 1}, {"shift", 1}}};
  const Behaviour multiply{.uses = {{"alu", 1}, {"multiply", 1}}, .latency = 3};
  const Behaviour load{.uses = {{"load", 1}}, .latency = 4};
  const Behaviour crossing{.uses = {{"vector", 1}}, .latency = 3};
  std::map<std::string, Behaviour> all = {
      {"NOOP", {}},
      {"NOOPL", {}},
      {"MOV32ri", alu},
      {"ADD64ri8", alu},
      {"ADD64rr", alu},
      {"ADC64rr", alu},
      {"XOR32rr", {.uses = {{"alu", 1}}, .isIdiomOfSame = true}},
      {"MOV64rr", {.uses = {}, .latency = 0, .isMove = true}},
      {"CMP64rr", alu},
      {"TEST64rr", alu},
      {"CMOV64rr", alu},
      {"AND64ri8", alu},
      {"OR64rr", alu},
      {"MOVSX64rr32", alu},
      {"SHL64ri", shift},
      {"IMUL64rri8", multiply},
      {"IMUL64rr", multiply},
      {"MUL64r", {.slots = 2, .uses = {{"alu", 2}, {"multiply", 1}}, .latency = 3}},
      {"MOV64rm", load},
      {"ADD64rm", {.slots = 1, .uses = {{"alu", 1}, {"load", 1}}, .latency = 5}},
      {"MOV64mr", {.uses = {{"store", 1}}}},
      {"VPANDrr", {.uses = {{"vector", 1}}}},
      {"PANDrr", {.uses = {{"vector", 1}}}},
      {"PSHUFDri", {.uses = {{"vector", 1}}}},
      {"VPSHUFDri", {.uses = {{"vector", 1}}}},
      {"VADDPSrr", {.uses = {{"vector", 1}, {"float", 1}}, .latency = 3}},
      {"VADDPSYrr", {.slots = 2, .uses = {{"vector", 2}, {"float", 2}}, .latency = 3}},
      {"VSQRTSSr", {.uses = {{"vector", 1}, {"float", 1}, {"root", 5}}, .latency = 14}},
      {"MOVPQIto64rr", crossing},
      {"MOV64toPQIrr", crossing},
      {"VMOVPQIto64rr", crossing},
      {"VMOV64toPQIrr", crossing},
  };
  return all;
}

/// Simulates blocks: renaming in order, execution as early as operands and resources allow.
class SimulatedMachine final : public ProbeTimer {
public:
  explicit SimulatedMachine(const Target &target, double slots = kSlots, double alus = kCapacities.at("alu"))
      : target_(target), slots_(slots), alus_(alus) {}

  std::vector<ProbeResult> time(std::span<const Probe> probes) override {
    std::vector<ProbeResult> results;
    for (const Probe &probe : probes)
      results.push_back(timeOne(probe));
    return results;
  }
  bool isStopped() const override { return false; }

private:
  ProbeResult timeOne(const Probe &probe) {
    ready_.clear();
    used_.clear();
    renamed_ = last_ = 0;
    constexpr int kWarmUp = 16, kMeasured = 32;
    double begin = 0;
    for (int i = 0; i < kWarmUp + kMeasured; ++i) {
      for (const MCInst &inst : probe.block)
        if (!step(inst))
          return NoTiming{"no such instruction"};
      if (i == kWarmUp - 1)
        begin = last_;
    }
    return Timing{.cycles = (last_ - begin) / kMeasured, .spread = 0, .passes = 2};
  }

  bool step(const MCInst &inst) {
    const auto found = behaviours_.find(target_.instructions().getName(inst.getOpcode()).str());
    if (found == behaviours_.end())
      return false;
    const Behaviour &behaviour = found->second;
    // As with a reorder buffer, renaming is never far ahead.
    constexpr double kWindow = 40;
    renamed_ = std::max(renamed_ + behaviour.slots / slots_, last_ - kWindow);
    const FormOperands operands = formOperandsOf(inst, target_);
    const bool isIdiom = behaviour.isIdiomOfSame && formOf(inst, target_).shape == "same";
    double start = std::floor(renamed_);
    if (!isIdiom)
      for (const FormOperand &source : operands.sources)
        if (source.kind != FormOperand::Kind::OldValue)
          start = std::max(start, ready_[unitOf(source.reg)]);
    if (!isIdiom)
      start = take(behaviour.uses, start);
    const double end = isIdiom ? renamed_ : start + behaviour.latency;
    for (const FormOperand &destination : operands.destinations)
      ready_[unitOf(destination.reg)] = end;
    last_ = std::max({last_, end, renamed_});
    return true;
  }

  /// The first cycle in which all resources have room; a use above the capacity lasts for several.
  double take(const std::map<std::string, double> &uses, double earliest) {
    for (double cycle = earliest;; ++cycle) {
      const auto fits = [&](const auto &use) {
        return roomAt(use.first, cycle) >= std::min(use.second, capacity(use.first));
      };
      if (!llvm::all_of(uses, fits))
        continue;
      for (const auto &[name, amount] : uses) {
        double rest = amount;
        for (double at = cycle; rest > 0; ++at) {
          const double part = std::min(rest, roomAt(name, at));
          used_[name][static_cast<int64_t>(at)] += part;
          rest -= part;
        }
      }
      return cycle;
    }
  }
  double capacity(const std::string &name) const {
    if (name == "alu")
      return alus_;
    const auto found = kCapacities.find(name);
    return found == kCapacities.end() ? 1 : found->second;
  }
  double roomAt(const std::string &name, double cycle) {
    return capacity(name) - used_[name][static_cast<int64_t>(cycle)];
  }
  unsigned unitOf(llvm::MCRegister reg) const {
    llvm::MCRegister top = reg;
    for (const llvm::MCPhysReg super : target_.registers().superregs(reg))
      top = super;
    return top.id();
  }

  const Target &target_;
  const double slots_, alus_;
  const std::map<std::string, Behaviour> behaviours_ = behaviours();
  std::map<unsigned, double> ready_;
  std::map<std::string, std::map<int64_t, double>> used_;
  double renamed_ = 0, last_ = 0;
};

class Probes : public ::testing::Test {
protected:
  std::unique_ptr<Target> target_ = std::move(*Target::create({.triple = "x86_64-unknown-linux-gnu", .cpu = "znver3"}));
  InstanceMaker maker_{*target_};
  SimulatedMachine timer_{*target_};

  std::string text(const MCInst &inst) const {
    std::string text;
    llvm::raw_string_ostream out(text);
    target_->createPrinter(1)->printInst(&inst, 0, "", target_->subtarget(), out);
    llvm::replace(text, '\t', ' ');
    return llvm::StringRef(text).trim().str();
  }
  std::string text(const std::vector<MCInst> &insts) const {
    std::string joined;
    for (const MCInst &inst : insts)
      joined += (joined.empty() ? "" : "; ") + text(inst);
    return joined;
  }
  std::vector<std::string> instances(const char *opcode) const {
    std::vector<std::string> texts;
    for (const Variant &variant : maker_.variantsOf(*maker_.opcodeOf(opcode)))
      texts.push_back(text(*maker_.make(*maker_.opcodeOf(opcode), variant, formPlacement(), 0)));
    return texts;
  }
  ProbedMachine machine() {
    return {.slotsPerCycle = kSlots,
            .bridges = measureBridges(maker_, timer_),
            .blockers = findBlockers(maker_, timer_, kSlots)};
  }
  ProbedForm probe(const ProbedMachine &machine, const char *opcode, const Variant &variant = {}) {
    const FormToProbe form{.opcode = *maker_.opcodeOf(opcode), .variant = variant};
    return probeForms(maker_, timer_, machine, {&form, 1})[0];
  }
  static std::map<std::string, double> usesOf(const ProbedForm &form, const ProbedMachine &machine) {
    std::map<std::string, double> uses;
    for (const CalibratedForm::Use &use : form.row.uses)
      uses[machine.blockers[use.resource].resource.name] = use.amount;
    return uses;
  }
  static std::optional<double> latencyOf(const ProbedForm &form, uint16_t source, uint16_t destination) {
    for (const CalibratedForm::Latency &latency : form.row.latencies)
      if (latency.source == source && latency.destination == destination)
        return latency.cycles;
    return std::nullopt;
  }
};

using Uses = std::map<std::string, double>;

TEST_F(Probes, MakeAnInstanceOfEachForm) {
  EXPECT_EQ(instances("ADD64rr"), (std::vector<std::string>{"add r8, rbx"}));
  EXPECT_EQ(instances("XOR32rr"), (std::vector<std::string>{"xor r8d, ebx", "xor r8d, r8d"}));
  EXPECT_EQ(instances("MOV64rm"),
            (std::vector<std::string>{"mov r8, qword ptr [r15]", "mov r8, qword ptr [r15 + r11]"}));
  EXPECT_EQ(instances("VPXORrr"), (std::vector<std::string>{"vpxor xmm1, xmm8, xmm9", "vpxor xmm1, xmm8, xmm8"}));
  EXPECT_EQ(instances("LEA64r").size(), 9u);
}

TEST_F(Probes, RotateDestinationsAndKeepBlockersApart) {
  const unsigned opcode = *maker_.opcodeOf("ADD64ri8");
  EXPECT_EQ(text(*maker_.make(opcode, {}, formPlacement(), 1)), "add r9, 3");
  std::set<std::string> forms, blockers;
  for (unsigned copy = 0; copy < 12; ++copy) {
    forms.insert(text(*maker_.make(opcode, {}, formPlacement(), copy)));
    blockers.insert(text(*maker_.make(opcode, {}, blockerPlacement(), copy)));
  }
  for (const std::string &form : forms)
    EXPECT_FALSE(blockers.contains(form)) << form;
}

TEST_F(Probes, RefuseWhatCannotBeMeasured) {
  for (const char *opcode :
       {"SYSCALL", "RDTSC", "RET64", "CALL64r", "REP_MOVSB_64", "VGATHERDPSYrm", "ADD_FrST0", "WRMSR"})
    EXPECT_NE(maker_.refusal(*maker_.opcodeOf(opcode)), "") << opcode;
  for (const char *opcode : {"VMOVDQUmr", "MOVSLDUPrr", "INSERTPSrri", "CMPSDrri_Int", "POPCNT64rr"})
    EXPECT_EQ(maker_.refusal(*maker_.opcodeOf(opcode)), "") << opcode;
}

TEST_F(Probes, ChainTheResultToTheSource) {
  std::map<std::string, std::string> chains;
  for (const LatencyChain &chain : latencyChainsOf(maker_, {}, *maker_.opcodeOf("ADD64rr"), {}))
    if (!chain.isCertain)
      chains[chain.probe.name] = text(chain.probe.block);
  EXPECT_EQ(chains["ADD64rr: latency 1 to 0"], "add r8, rbx");
  EXPECT_EQ(chains["ADD64rr: latency 2 to 0"], "add r8, r12; add r12, r8");
  for (const LatencyChain &chain : latencyChainsOf(maker_, {}, *maker_.opcodeOf("MOV64rm"), {}))
    if (chain.source == 1) {
      EXPECT_EQ(text(chain.probe.setup), "and r12, 0; or r12, r15");
      EXPECT_EQ(text(chain.probe.block), "mov r8, qword ptr [r12]; movsxd r12, r8d; and r12, 0; or r12, r15");
      EXPECT_EQ(chain.bridgeCycles, 3);
    }
}

TEST_F(Probes, FindResourcesWithTheirCapacities) {
  std::map<std::string, double> found;
  for (const Blocker &blocker : findBlockers(maker_, timer_, kSlots))
    found[blocker.resource.name] = blocker.resource.capacity;
  const Uses expected = {{"alu", 4},   {"load", 3},     {"store", 1},        {"load-store", 3},
                         {"shift", 2}, {"multiply", 1}, {"vector-logic", 4}, {"float-add", 2}};
  for (const auto &[name, capacity] : expected)
    if (name != "load-store") { // two loads with one store are as slow as the store alone
      ASSERT_TRUE(found.contains(name)) << name;
      EXPECT_NEAR(found[name], capacity, .05) << name;
    }
  EXPECT_FALSE(found.contains("shuffle")); // the pipes of vector-logic
}

TEST_F(Probes, TakeNoChainsOfRegistersForAResource) {
  constexpr double kWideSlots = 8, kAlus = 6; // more than blockers have registers
  SimulatedMachine wide(*target_, kWideSlots, kAlus);
  std::map<std::string, double> found;
  for (const Blocker &blocker : findBlockers(maker_, wide, kWideSlots))
    found[blocker.resource.name] = blocker.resource.capacity;
  EXPECT_EQ(found["alu"], kAlus);
  EXPECT_FALSE(found.contains("condition")); // CMOV64rr, which reads what it writes
  EXPECT_TRUE(found.contains("shift"));      // likewise, but its units are fewer
}

TEST_F(Probes, FindWhatFormsTake) {
  const ProbedMachine known = machine();
  EXPECT_EQ(usesOf(probe(known, "ADD64rr"), known), (Uses{{"alu", 1}}));
  EXPECT_EQ(usesOf(probe(known, "SHL64ri"), known), (Uses{{"alu", 1}, {"shift", 1}}));
  EXPECT_EQ(usesOf(probe(known, "IMUL64rr"), known), (Uses{{"alu", 1}, {"multiply", 1}}));
  EXPECT_EQ(usesOf(probe(known, "ADD64rm"), known), (Uses{{"alu", 1}, {"load", 1}}));
  EXPECT_EQ(usesOf(probe(known, "VADDPSYrr"), known), (Uses{{"vector-logic", 2}, {"float-add", 2}}));
  EXPECT_EQ(probe(known, "VADDPSYrr").row.slots, 2);
  EXPECT_EQ(probe(known, "MUL64r").row.slots, 2);
  EXPECT_EQ(probe(known, "ADD64rm").row.slots, 1);
}

TEST_F(Probes, FindLatencies) {
  const ProbedMachine known = machine();
  EXPECT_EQ(latencyOf(probe(known, "ADD64rr"), 1, 0), 1);
  EXPECT_EQ(latencyOf(probe(known, "ADD64rr"), 2, 0), 1);
  EXPECT_EQ(latencyOf(probe(known, "IMUL64rr"), 2, 0), 3);
  EXPECT_EQ(latencyOf(probe(known, "MOV64rm"), 1, 0), 4);
  EXPECT_EQ(latencyOf(probe(known, "ADD64rm"), 2, 0), 5);
  EXPECT_EQ(latencyOf(probe(known, "VADDPSrr"), 1, 0), 3);
  EXPECT_EQ(latencyOf(probe(known, "CMP64rr"), 0, kFirstImplicit), 1);
  EXPECT_EQ(latencyOf(probe(known, "MUL64r"), kFirstImplicit, kFirstImplicit + 1), 3);
}

TEST_F(Probes, FindWhatRenamingDoes) {
  const ProbedMachine known = machine();
  EXPECT_EQ(probe(known, "XOR32rr", {.address = {}, .sameRegisters = true}).row.treatment, RenameTreatment::Zero);
  EXPECT_EQ(probe(known, "MOV64rr").row.treatment, RenameTreatment::Eliminated);
  EXPECT_EQ(probe(known, "ADD64rr").row.treatment, RenameTreatment::None);
}

TEST_F(Probes, SayWhatNoResourceExplains) {
  const ProbedMachine known = machine();
  EXPECT_EQ(probe(known, "ADD64rr").unexplained, 0);
  EXPECT_NEAR(probe(known, "VSQRTSSr").unexplained, 5, .2);
}

TEST_F(Probes, KnowTheFormsOfCompiledCode) {
  std::set<std::string> names;
  for (const char *name : commonForms()) {
    EXPECT_TRUE(names.insert(name).second) << name;
    ASSERT_TRUE(maker_.opcodeOf(name)) << name;
    EXPECT_EQ(maker_.refusal(*maker_.opcodeOf(name)), "") << name;
  }
  EXPECT_GT(names.size(), 1400u);
  EXPECT_TRUE(names.contains("MOV64rm"));
  std::set<std::string> rows;
  for (const FormToProbe &form : formsToProbe(maker_, false)) {
    const Form key = formOf(*maker_.make(form.opcode, form.variant, formPlacement(), 0), *target_);
    EXPECT_TRUE(rows.insert(key.opcode + " " + key.shape).second) << key.opcode << " " << key.shape;
  }
}

TEST_F(Probes, MeasureWhatIs512BitsWideWhereTheCpuHasIt) {
  const auto wideOpcodesOf = [](const char *cpu) {
    const auto target = std::move(*Target::create({.triple = "x86_64-unknown-linux-gnu", .cpu = cpu}));
    const InstanceMaker maker(*target);
    std::set<std::string> names;
    for (const FormToProbe &form : formsToProbe(maker, false))
      if (const llvm::StringRef name = target->instructions().getName(form.opcode); name.contains('Z'))
        names.insert(name.str());
    return names;
  };
  const std::set<std::string> wide = wideOpcodesOf("znver5");
  for (const char *name : {"VADDPSZrr", "VMOVUPSZmr", "VPXORDZrr", "VMOVDQU64Zrm", "VPTERNLOGDZ256rri", "VPMULLQZrm",
                           "VBROADCASTF64X4Zrm", "VFMADD213PSZr"})
    EXPECT_TRUE(wide.contains(name)) << name;
  const std::set<std::string> narrow = wideOpcodesOf("znver3");
  EXPECT_FALSE(narrow.contains("VADDPSZrr"));
  EXPECT_TRUE(narrow.contains("VZEROUPPER"));
}

TEST(ProbesOfMasks, HaveRegistersAndBridgesOfTheirOwn) {
  const auto target = std::move(*Target::create({.triple = "x86_64-unknown-linux-gnu", .cpu = "znver5"}));
  const InstanceMaker maker(*target);
  const auto text = [&](const std::vector<MCInst> &insts) {
    std::string joined;
    for (const MCInst &inst : insts)
      joined += (joined.empty() ? "" : "; ") + std::string(target->instructions().getName(inst.getOpcode()));
    return joined;
  };
  const auto numbersOf = [&](const char *opcode, unsigned copy) {
    std::vector<uint8_t> numbers;
    const std::optional<MCInst> inst = maker.make(*maker.opcodeOf(opcode), {}, formPlacement(), copy);
    for (const llvm::MCOperand &operand : *inst)
      if (operand.isReg())
        numbers.push_back(maker.numberOf(operand.getReg())->second);
    return numbers;
  };
  EXPECT_EQ(numbersOf("KANDQkk", 0), (std::vector<uint8_t>{3, 1, 2}));
  EXPECT_EQ(numbersOf("KANDQkk", 1), (std::vector<uint8_t>{4, 1, 2})) << "copies do not wait for each other";
  EXPECT_EQ(numbersOf("VPBLENDMDZrrk", 0), (std::vector<uint8_t>{1, 1, 9, 10}));
  std::map<std::string, std::string> chains;
  for (const char *opcode : {"KANDQkk", "VPCMPGTDZrr", "VPBLENDMDZrrk", "KMOVQrk", "KMOVQkr"})
    for (const LatencyChain &chain : latencyChainsOf(maker, {}, *maker.opcodeOf(opcode), {}))
      if (chain.source == 1)
        chains[opcode] = text(chain.probe.block);
  EXPECT_EQ(chains["KANDQkk"], "KANDQkk; KANDQkk");
  EXPECT_EQ(chains["VPCMPGTDZrr"], "VPCMPGTDZrr; KMOVQrk; VMOV64toPQIrr");
  EXPECT_EQ(chains["VPBLENDMDZrrk"], "VPBLENDMDZrrk; VMOVPQIto64rr; KMOVQkr");
  EXPECT_EQ(chains["KMOVQrk"], "KMOVQrk; MOVSX64rr32; KMOVQkr");
  EXPECT_EQ(chains["KMOVQkr"].substr(0, 16), "KMOVQkr; KMOVQrk");
  std::set<std::string> forms;
  for (const FormToProbe &form : formsToProbe(maker, false))
    forms.insert(target->instructions().getName(form.opcode).str());
  for (const char *name : {"KORTESTQkk", "VPCMPUBZ128rmi", "VPTESTMDZ256rr", "VPMOVM2DZrk", "VBLENDMPSZrmk"})
    EXPECT_TRUE(forms.contains(name)) << name;
}

/// A predictor that knows outcomes by heart if they repeat after at most `reach`. It times loops with a branch alone:
/// four cycles an execution, and after a misprediction three for the bit test, the branch and the way to execution.
class PredictingTimer final : public ProbeTimer {
public:
  PredictingTimer(const Target &target, double penalty, size_t reach)
      : target_(target), penalty_(penalty), reach_(reach) {}

  std::vector<ProbeResult> time(std::span<const Probe> probes) override {
    std::vector<ProbeResult> results;
    for (const Probe &probe : probes)
      if (probe.executions)
        results.emplace_back(
            Timing{.cycles = 4 + (3 + penalty_) * missesOf(outcomesOf(probe)), .spread = 0, .passes = 2});
      else
        results.emplace_back(NoTiming{"no branch"});
    return results;
  }
  bool isStopped() const override { return false; }

private:
  /// Of two runs after each other.
  std::vector<bool> outcomesOf(const Probe &probe) const {
    std::map<unsigned, uint64_t> values;
    const auto valueOf = [&](const llvm::MCOperand &operand) -> uint64_t & {
      return values.try_emplace(operand.getReg().id(), 1).first->second;
    };
    std::vector<bool> outcomes;
    bool carry = false;
    for (uint32_t i = 0; i < 2 * probe.executions; ++i)
      for (const MCInst &inst : probe.block) {
        const llvm::StringRef name = target_.instructions().getName(inst.getOpcode());
        if (name.starts_with("IMUL"))
          valueOf(inst.getOperand(0)) *= static_cast<uint64_t>(inst.getOperand(2).getImm());
        else if (name.starts_with("ADD"))
          valueOf(inst.getOperand(0)) += static_cast<uint64_t>(inst.getOperand(2).getImm());
        else if (name.starts_with("BT"))
          carry = valueOf(inst.getOperand(0)) >> inst.getOperand(1).getImm() & 1;
        else
          outcomes.push_back(carry);
      }
    return outcomes;
  }
  /// For each execution.
  double missesOf(const std::vector<bool> &outcomes) const {
    for (size_t period = 1; period <= std::min(reach_, outcomes.size() / 2); ++period)
      if (std::equal(outcomes.begin() + static_cast<ptrdiff_t>(period), outcomes.end(), outcomes.begin()))
        return 0;
    return double(llvm::count(outcomes, true)) / double(outcomes.size());
  }

  const Target &target_;
  double penalty_;
  size_t reach_;
};

TEST_F(Probes, FindWhatAMispredictionCostsAndHowLongAPeriodIsLearnt) {
  for (const uint32_t reach : {64u, 100u, 4096u, 8192u}) {
    PredictingTimer timer(*target_, 17, reach);
    Calibration calibration;
    measureStructure(maker_, timer, kSlots, calibration);
    EXPECT_EQ(calibration.facts.redirectPenalty.value, 17u);
    EXPECT_EQ(calibration.facts.learntPeriod.value, llvm::bit_floor(reach));
  }
  PredictingTimer timer(*target_, 17, 10);
  Calibration calibration;
  measureStructure(maker_, timer, kSlots, calibration);
  EXPECT_FALSE(calibration.facts.learntPeriod.value);
}

/// Has the times that a test says, by the name and the size of a block.
class StatedTimer final : public ProbeTimer {
public:
  using Times = std::map<std::pair<std::string, size_t>, double>;
  explicit StatedTimer(Times times) : times_(std::move(times)) {}

  std::vector<ProbeResult> time(std::span<const Probe> probes) override {
    std::vector<ProbeResult> results;
    for (const Probe &probe : probes)
      if (const auto time = times_.find({probe.name, probe.block.size()}); time != times_.end())
        results.emplace_back(Timing{.cycles = time->second, .spread = 0, .passes = 2});
      else
        results.emplace_back(NoTiming{"not stated"});
    return results;
  }
  bool isStopped() const override { return false; }

private:
  Times times_;
};

TEST_F(Probes, FindWhereLoadsWithAnIndexAreTakenApart) {
  const auto ruleOf = [&](std::vector<double> indexed) {
    StatedTimer::Times times{{{"comparisons with memory", 24}, 8}};
    for (size_t nops = 0; nops < indexed.size(); ++nops)
      times[{"comparisons with indexed memory", 24 * (nops + 1)}] = indexed[nops];
    StatedTimer timer(std::move(times));
    Calibration calibration;
    measureStructure(maker_, timer, kSlots, calibration);
    return calibration.rules.microFusion;
  };
  // An Emerald Rapids: two in a cycle, and not behind three others.
  const MicroFusionRule found = ruleOf({11.9, 13.4, 23.9, 23.9});
  EXPECT_TRUE(found.isOn);
  EXPECT_EQ(found.indexWithin, 3u);
  EXPECT_EQ(found.indexPerCycle, 2u);
  EXPECT_FALSE(ruleOf({8, 8, 12, 16}).isOn) << "nothing is taken apart";
}

TEST_F(Probes, FindWhatABranchCostsThatChanges) {
  const auto penaltyOf = [&](double changing) {
    StatedTimer timer(
        {{{"taken branch", 2}, 1}, {{"branch that is not taken", 2}, 1}, {{"changing branch", 2}, changing}});
    Calibration calibration;
    measureStructure(maker_, timer, kSlots, calibration);
    return calibration.facts.overridePenalty.value;
  };
  // Of the 64 times, the branch by the bit pays 48 times, and the closing one each time. An Emerald Rapids took 2.6.
  EXPECT_EQ(penaltyOf(1 + 3 * (64 + 48) / 64.), 3u);
  EXPECT_EQ(penaltyOf(2.6), 1u);
  EXPECT_EQ(penaltyOf(1.1), 0u);
}

/// Times that no machine has.
class RandomTimer final : public ProbeTimer {
public:
  explicit RandomTimer(unsigned seed) : random_(seed) {}

  std::vector<ProbeResult> time(std::span<const Probe> probes) override {
    std::vector<ProbeResult> results;
    for (size_t i = 0; i < probes.size(); ++i)
      if (random_() % 8)
        results.emplace_back(Timing{.cycles = std::exp(logarithm_(random_)), .spread = 0, .passes = 2});
      else
        results.emplace_back(NoTiming{"by chance"});
    return results;
  }
  bool isStopped() const override { return false; }

private:
  std::mt19937 random_;
  std::uniform_real_distribution<> logarithm_{std::log(0.01), std::log(5000)};
};

TEST_F(Probes, LeaveOutWhatNoFileMayHave) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    RandomTimer timer(seed);
    Calibration calibration{
        .cpu = {.vendor = "A", .family = 1, .model = 1, .llvmName = "a"}, .date = "2026-11-26", .madeBy = "test"};
    measureSlots(maker_, timer, calibration);
    measureStructure(maker_, timer, kSlots, calibration);
    const auto read = readCalibration(writeCalibration(calibration), "x");
    ASSERT_TRUE(read) << seed << ": " << read.message();
    EXPECT_EQ(*read, calibration) << seed;
  }
}

} // namespace
} // namespace mca::measure
