// Which of the loops on a line comes first.
#include "analysis/job/loop_order.h"
#include "mca-core/program/loops.h"
#include "tests/mca-core/parsed.h"

#include <deque>
#include <numeric>

namespace analysis {
namespace {

using mca::Parsed;
using mca::Strings;

/// With a report of all of its instructions.
SimulatedRegion simulatedRegion(const Region &region) {
  mca::Simulation simulation;
  simulation.report.instructions.resize(region.instructions.size());
  auto entry = std::make_shared<ReportCache::CachedSimulation>();
  entry->simulation = std::move(simulation);
  return {.region = &region, .key = {}, .entry = std::move(entry)};
}

/// Loops on one line, each with a text of its own.
class OneLine {
public:
  /// A loop of the source's loop `name`; `iterations` of it in one.
  OneLine &add(const std::string &name, uint32_t iterations, const std::string &body) {
    texts_ += ".L" + std::to_string(regions_.size()) + ":\n" + body + "jne .L" + std::to_string(regions_.size()) + "\n";
    Region region;
    region.kind = wire::RegionKind::Loop;
    region.name = name;
    region.sourceIterations = iterations;
    region.code = {"/d/a.c", 3, 3, true};
    region.loop = static_cast<uint32_t>(regions_.size());
    regions_.push_back(region);
    return *this;
  }
  Region &last() { return regions_.back(); }

  /// The names with the places in the order of their addition: "tail 1".
  Strings order() {
    const Parsed parsed(mca::kX86, "skylake", texts_);
    const std::vector<mca::Loop> loops = mca::findInnermostLoops({*parsed.target, *parsed.program});
    std::deque<SimulatedRegion> simulated;
    std::vector<SimulatedLoop> onLine;
    for (size_t i = 0; i < regions_.size(); ++i) {
      regions_[i].instructions = loops[i].instructions;
      onLine.push_back({&simulated.emplace_back(simulatedRegion(regions_[i]))});
    }
    orderLoops(*parsed.target, *parsed.program, onLine);
    Strings names;
    for (const SimulatedLoop &loop : onLine)
      names.push_back(loop.front()->region->name + " " + std::to_string(loop.front()->region->loop));
    return names;
  }

private:
  std::string texts_;
  std::deque<Region> regions_;
};

const std::string kVector = "movups (%rsi), %xmm0\nmovups %xmm0, (%rdi)\naddq $16, %rsi\naddq $16, %rdi\n";
const std::string kBytes = "movb (%rsi), %al\nmovb %al, (%rdi)\nmovb 1(%rsi), %al\nmovb %al, 1(%rdi)\nincl %ecx\n";
const std::string kByte = "movb (%rsi), %al\nmovb %al, (%rdi)\nincl %ecx\nincl %edx\nincl %ebx\nincl %r8d\n";

TEST(LoopOrder, OfVersionsTheOneThatDoesMostIterations) {
  EXPECT_EQ(OneLine().add("f", 1, kByte).add("f", 16, kVector).add("f", 2, kBytes).order(),
            (Strings{"f 1", "f 2", "f 0"}));
}

TEST(LoopOrder, OfVersionsTheOneWithVectors) {
  std::string numbers; // more bytes than a vector, and more instructions
  for (const char *offset : {"", "8", "16", "24"})
    numbers += std::string("movq ") + offset + "(%rsi), %rax\nmovq %rax, " + offset + "(%rdi)\n";
  numbers += "addq $32, %rsi\naddq $32, %rdi\n";
  EXPECT_EQ(OneLine().add("f", 4, numbers).add("f", 4, kVector).order(), (Strings{"f 1", "f 0"}));
  EXPECT_EQ(OneLine().add("f", 8, numbers).add("f", 4, kVector).order(), (Strings{"f 1", "f 0"}));
  EXPECT_EQ(OneLine().add("f", 0, numbers).add("f", 0, kVector).order(), (Strings{"f 1", "f 0"}));
  EXPECT_EQ(OneLine().add("f", 2, kVector).add("f", 8, kVector).order(), (Strings{"f 1", "f 0"})) << "both have some";
}

TEST(LoopOrder, OfVersionsTheOneThatIsForAnyStride) {
  const std::string strided = "movss (%rsi), %xmm0\nmovss %xmm0, (%rdi)\naddq $4, %rsi\naddq %rdx, %rdi\n";
  EXPECT_EQ(OneLine().add("f", 4, kVector).add("f", 1, strided).order(), (Strings{"f 1", "f 0"}));
  EXPECT_EQ(OneLine().add("f", 4, kVector).add("g", 1, strided).order(), (Strings{"f 0", "g 1"})) << "another loop";
  const std::string stridedVector = "movups (%rsi), %xmm0\nmovups %xmm0, (%rdi)\naddq $16, %rsi\naddq %rdx, %rdi\n";
  EXPECT_EQ(OneLine().add("f", 4, stridedVector).add("f", 1, strided).order(), (Strings{"f 0", "f 1"}));
}

TEST(LoopOrder, OfVersionsWithoutAFactorTheOneThatMovesMostBytes) {
  EXPECT_EQ(OneLine().add("f", 0, kBytes).add("f", 0, kByte).add("f", 0, kVector).order(),
            (Strings{"f 2", "f 0", "f 1"}))
      << "the vectors have the fewest instructions";
}

TEST(LoopOrder, OfDifferentLoopsTheOneWhoseIterationMovesMostBytes) {
  EXPECT_EQ(OneLine().add("tail", 1, kByte).add("tail", 16, kVector).add("vectors", 1, kVector).order(),
            (Strings{"vectors 2", "tail 1", "tail 0"}))
      << "sixteen iterations of another loop are no reason";
}

TEST(LoopOrder, OfDifferentLoopsWithOneWithoutAFactor) {
  EXPECT_EQ(OneLine().add("tail", 0, kVector).add("tail", 0, kByte).add("vectors", 1, kVector).order(),
            (Strings{"vectors 2", "tail 0", "tail 1"}))
      << "an iteration moves at most what the least version of it does";
}

TEST(LoopOrder, CopiesThatAreAlikeKeepTheirOrder) {
  EXPECT_EQ(OneLine().add("f", 1, kByte).add("g", 1, kByte).order(), (Strings{"f 0", "g 1"}));
  OneLine inlined;
  inlined.add("f", 1, kByte).add("f", 16, kVector);
  inlined.last().code.caller = 7;
  EXPECT_EQ(inlined.order(), (Strings{"f 1", "f 0"}))
      << "copies of one loop at two calls: the one that moves more at once";
}

TEST(LoopOrder, WhatIsMarkedComesFirst) {
  OneLine marked;
  marked.add("f", 16, kVector).add("mark", 1, kByte);
  marked.last().kind = wire::RegionKind::Marker;
  EXPECT_EQ(marked.order(), (Strings{"mark 1", "f 0"}));
  OneLine instances;
  instances.add("straight", 16, kVector).last().kind = wire::RegionKind::Marker;
  instances.add("loop", 1, kByte).last().kind = wire::RegionKind::Marker;
  instances.last().body = std::make_shared<const LoopCode>();
  EXPECT_EQ(instances.order(), (Strings{"loop 1", "straight 0"})) << "of two functions";
}

TEST(LoopOrder, PathsCountAsOftenAsTheyAreExpected) {
  const Parsed parsed(mca::kX86, "skylake",
                      ".L0:\nmovups (%rsi), %xmm0\nincl %eax\njne .L0\n.L1:\nmovl (%rsi), %eax\n"
                      "jne .L1\n");
  Region rare, common, other;
  rare.instructions = {0};
  common.instructions = {1};
  rare.share = 0.125;
  common.share = 0.875;
  other.instructions = {3};
  other.loop = 1;
  other.name = "other";
  const SimulatedRegion paths[] = {simulatedRegion(common), simulatedRegion(rare)}, alone = simulatedRegion(other);
  std::vector<SimulatedLoop> onLine{{&paths[0], &paths[1]}, {&alone}};
  orderLoops(*parsed.target, *parsed.program, onLine);
  EXPECT_EQ(onLine.front().front()->region, &other) << "four bytes rather than an eighth of sixteen";
}

} // namespace
} // namespace analysis
