// The rules of resources against LLVM's own ResourceManager, and what is remembered of them against the rules, for
// random requests on real models.
#include "mca-core/engine/resource_automaton.h"
#include "tests/mca-core/parsed.h"

#include "llvm/MCA/HardwareUnits/ResourceManager.h"

#include <bit>
#include <random>
#include <set>

namespace mca {
namespace {

using Unit = std::pair<uint64_t, uint64_t>; // masks of the resource and of its unit

struct Cpu {
  const char *triple;
  const char *name;
};
std::ostream &operator<<(std::ostream &out, const Cpu &cpu) {
  return out << cpu.name;
}

class ResourceRulesTest : public testing::TestWithParam<Cpu> {
protected:
  void SetUp() override {
    for (unsigned id = 1; id < table_.size(); ++id)
      all_ |= table_.maskOf(id);
  }
  /// For some resources, sometimes a whole group of them. Three groups that share units may make LLVM's process end.
  ResourceRequest request(size_t mostGroups = 2) {
    ResourceRequest result;
    std::set<uint64_t> masks;
    size_t groups = 0;
    for (uint32_t i = 0; i < 1 + random_() % 4; ++i) {
      const uint64_t mask = table_.maskOf(1 + random_() % (table_.size() - 1));
      const bool group = mask & (mask - 1);
      if ((!group || groups < mostGroups) && masks.insert(mask).second)
        groups += group;
    }
    uint64_t members = 0;
    for (const uint64_t mask : masks) {
      const bool group = mask & (mask - 1);
      result.uses.push_back({{.mask = mask,
                              .cycles = 1 + static_cast<uint32_t>(random_() % (random_() % 4 ? 2 : 9)),
                              .reserved = group && random_() % 16 == 0},
                             static_cast<uint8_t>(63 - std::countl_zero(mask)),
                             group});
      result.groups |= group ? std::bit_floor(mask) : 0;
      result.overlapping |= (members & mask) != 0;
      members |= mask;
    }
    return result;
  }
  static std::unique_ptr<llvm::mca::InstrDesc> describe(const ResourceRequest &request) {
    auto result = std::make_unique<llvm::mca::InstrDesc>();
    for (const BodyResource &use : request.uses)
      result->Resources.push_back(
          {use.mask, llvm::mca::ResourceUsage(llvm::mca::CycleSegment(0, use.cycles, use.reserved))});
    result->UsedProcResGroups = request.groups;
    result->HasPartiallyOverlappingGroups = request.overlapping;
    return result;
  }
  static std::set<Unit> issue(llvm::mca::ResourceManager &manager, const llvm::mca::InstrDesc &desc) {
    llvm::SmallVector<std::pair<llvm::mca::ResourceRef, llvm::mca::ReleaseAtCycles>, 4> pipes;
    manager.issueInstruction(desc, pipes);
    std::set<Unit> units;
    for (const auto &[unit, cycles] : pipes)
      units.insert(unit);
    return units;
  }
  std::set<Unit> unitsOf(std::span<const GrantedUnit> granted, const ResourceRules &rules) const {
    std::set<Unit> units;
    for (const GrantedUnit &unit : granted) {
      const ProcessorResources::Slot &slot = processor_.slots[rules.slots()[unit.slot]];
      units.emplace(table_.maskOf(slot.resource), slot.unitMask);
    }
    return units;
  }

  std::unique_ptr<Target> target_ = targetOf(GetParam().triple, GetParam().name);
  ResourceTable table_{target_->subtarget().getSchedModel()};
  ProcessorResources processor_{table_};
  uint64_t all_ = 0;
  std::mt19937 random_{7};
};

TEST_P(ResourceRulesTest, GiveTheUnitsThatLlvmGives) {
  llvm::mca::ResourceManager manager(target_->subtarget().getSchedModel());
  const ResourceRules rules(processor_, all_);
  std::vector<uint64_t> state(rules.words());
  rules.start(state);
  size_t issued = 0, refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    const ResourceRequest wanted = request();
    const auto desc = describe(wanted);
    const uint64_t missing = rules.missing(state, wanted).mask;
    ASSERT_EQ(missing, manager.checkAvailability(*desc)) << "request " << i;
    ResourceEffects effects;
    if (!missing) {
      rules.issue(state, wanted, effects);
      ASSERT_EQ(unitsOf(effects.granted, rules), issue(manager, *desc)) << "request " << i;
    }
    ++(missing ? refused : issued);
    if (random_() % 3)
      continue;
    rules.advance(state, effects);
    llvm::SmallVector<llvm::mca::ResourceRef, 8> freed;
    manager.cycleEvent(freed);
    ASSERT_EQ(effects.released, !freed.empty());
  }
  EXPECT_GT(issued, 1'000u);
  EXPECT_GT(refused, 1'000u);
}

TEST_P(ResourceRulesTest, AreRememberedAsTheyAre) {
  ResourceAutomaton automaton(processor_, all_);
  const ResourceRules &rules = automaton.rules();
  std::vector<ResourceRequest> requests;
  std::vector<uint32_t> steps;
  std::vector<uint64_t> words(rules.words());
  rules.start(words);
  uint32_t state = ResourceAutomaton::kStart;
  for (int i = 0; i < 20'000; ++i) {
    // Rows get longer while they are in use, and states are forgotten.
    if (requests.size() < 12 && i % 500 == 0) {
      requests.push_back(request());
      steps.push_back(automaton.stepOf(requests.back()));
      ASSERT_EQ(automaton.stepOf(requests.back()), steps.back());
    }
    if (i % 3'000 == 2'999) {
      state = automaton.clearBut(state);
      ASSERT_LE(state, 1u);
    }
    const size_t which = random_() % requests.size();
    const Missing missing = rules.missing(words, requests[which]);
    const Missing remembered = automaton.missing(state, steps[which]);
    ASSERT_EQ(std::pair(remembered.failedCheck, remembered.mask), std::pair(missing.failedCheck, missing.mask));
    ResourceEffects effects;
    const bool issues = !missing.failedCheck && random_() % 2;
    if (issues)
      rules.issue(words, requests[which], effects);
    else
      rules.advance(words, effects);
    const auto &transition = automaton.transition(state, issues ? steps[which] : ResourceAutomaton::kCycle);
    ASSERT_EQ(unitsOf(automaton.granted(transition), rules), unitsOf(effects.granted, rules)) << "step " << i;
    ASSERT_EQ(transition.ready, rules.ready(words));
    ASSERT_EQ(transition.released, effects.released);
    ASSERT_EQ(transition.idle, rules.nextRelease(words) == 0);
    state = transition.next;
    ASSERT_EQ(automaton.nextRelease(state), rules.nextRelease(words));
  }
}

TEST_P(ResourceRulesTest, HoldWhereTheQuestionIsAnsweredTooWell) {
  const ResourceRules rules(processor_, all_);
  std::vector<uint64_t> state(rules.words());
  rules.start(state);
  for (int i = 0; i < 20'000; ++i) {
    const ResourceRequest wanted = request(/*mostGroups=*/4);
    ResourceEffects effects;
    if (!rules.missing(state, wanted).failedCheck) {
      rules.issue(state, wanted, effects);
      for (const GrantedUnit &unit : effects.granted)
        ASSERT_LT(unit.slot, rules.slots().size());
    }
    rules.advance(state, effects);
  }
  // What is left over is given back.
  for (int i = 0; i < 100; ++i) {
    ResourceEffects effects;
    rules.advance(state, effects);
  }
  EXPECT_EQ(rules.nextRelease(state), 0u);
  EXPECT_EQ(rules.ready(state), all_);
}

INSTANTIATE_TEST_SUITE_P(Models, ResourceRulesTest,
                         testing::Values(Cpu{kX86, "btver2"}, Cpu{kX86, "skylake"}, Cpu{kX86, "znver4"},
                                         Cpu{kX86, "atom"}, Cpu{kAArch64, "neoverse-v2"}, Cpu{kAArch64, "cortex-a55"},
                                         Cpu{kRiscv, "sifive-x280"}),
                         [](const auto &info) {
                           std::string name = info.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

} // namespace
} // namespace mca
