// Along a trace, segments that a machine has run before are not run again. The result must be that of running them.
#include "mca-core/report/simulator.h"
#include "tests/mca-core/parsed.h"

#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace mca {
namespace {

/// Random runs of instructions that mostly end in a misprediction. There are only a few different ones.
class FewSegments final : public InstructionStream {
public:
  FewSegments(uint32_t instructions, uint64_t segments) : positions_(instructions), left_(segments) {
    std::iota(positions_.begin(), positions_.end(), 0);
    for (Range &range : ranges_) {
      range.first = static_cast<uint32_t>(random_() % instructions);
      range.count = 1 + static_cast<uint32_t>(random_() % (instructions - range.first));
    }
  }
  Segment next() override {
    if (!left_)
      return {};
    --left_;
    const Range &range = ranges_[random_() % ranges_.size()];
    return {.instructions = std::span(positions_).subspan(range.first, range.count),
            .endsMispredicted = random_() % 8 != 0};
  }

private:
  std::vector<uint32_t> positions_;
  uint64_t left_;
  std::mt19937 random_{1};
  std::array<Range, 12> ranges_;
};

struct Machine {
  const char *triple;
  const char *cpu;
  const char *body;
};

// Moves that may be eliminated, zeros, groups that share units, and an instruction that lasts longer than a redirect.
constexpr const char *kX86Body =
    "movq (%rdi), %rax\nmovq %rax, %rbx\naddq %rbx, %rcx\nxorl %eax, %eax\nmovaps %xmm0, %xmm1\naddps %xmm1, %xmm2\n"
    "paddd %xmm3, %xmm4\nimulq %rax, %rdx\nshlq $3, %rbx\nmovq %rcx, (%rsi)\nmovq %rbx, %rdi\nleaq 4(%rbx,%rcx), %r8\n"
    "divsd %xmm5, %xmm0\nmovaps %xmm0, %xmm5\ntestq %r8, %r8\nincq %rdi\n";
constexpr const char *kAArch64Body =
    "ldr x0, [x1]\nmov x2, x0\nadd x3, x3, x2\nmov x0, xzr\nfadd d0, d0, d1\nfmov d2, d0\nmul x0, x0, x3\nlsl x2, x2, "
    "#3\n"
    "str x3, [x4]\nfdiv d3, d3, d2\nmov x1, x2\nadd v4.4s, v4.4s, v5.4s\ncmp x2, #0\nadd x1, x1, #8\n";

class KnownSegmentsOf : public testing::TestWithParam<Machine> {};

TEST_P(KnownSegmentsOf, AreTheSameAsTheirRun) {
  const Parsed parsed(GetParam().triple, GetParam().cpu, GetParam().body);
  std::vector<uint32_t> region(parsed.count());
  std::iota(region.begin(), region.end(), 0);
  Simulator simulator(*parsed.target);
  for (const uint32_t redirect : {0u, 3u, 14u, 60u})
    for (const uint64_t segments : {1u, 2u, 30u, 1000u, 1001u}) {
      std::vector<TraceRun> runs;
      for (const bool steadyState : {false, true}) {
        PreparedRegion prepared;
        ASSERT_FALSE(simulator.prepare(*parsed.program, region, {.steadyState = steadyState}, prepared));
        FewSegments stream(parsed.count(), segments);
        auto run = simulator.run(prepared, stream, redirect);
        ASSERT_TRUE(run);
        runs.push_back(std::move(*run));
      }
      EXPECT_EQ(runs[0], runs[1]) << redirect << " cycles, " << segments << " segments";
    }
}

INSTANTIATE_TEST_SUITE_P(Machines, KnownSegmentsOf,
                         testing::Values(Machine{kX86, "skylake", kX86Body}, Machine{kX86, "znver3", kX86Body},
                                         Machine{kX86, "btver2", kX86Body}, Machine{kX86, "alderlake", kX86Body},
                                         Machine{kX86, "atom", kX86Body}, Machine{kAArch64, "apple-m1", kAArch64Body},
                                         Machine{kAArch64, "cortex-a55", kAArch64Body},
                                         Machine{kAArch64, "neoverse-n2", kAArch64Body}),
                         [](const auto &info) {
                           std::string name = info.param.cpu;
                           std::erase(name, '-');
                           return name;
                         });

} // namespace
} // namespace mca
