// The simulator against LLVM's own pipeline in one process, every field of the report: the cases that once differed, in
// engine_cases/, and a bounded run of the fuzzer's random bodies.
#include "tests/differential/corpus.h"
#include "tests/differential/engine/cpu_run.h"
#include "tests/differential/engine/judge.h"
#include "tests/differential/engine/shrink.h"

#include "llvm/MC/TargetRegistry.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>

namespace differential {
namespace {

class EngineCases : public testing::TestWithParam<std::string> {};

TEST_P(EngineCases, GivesWhatLlvmsPipelineGives) {
  const EngineCase engineCase = readCase(readFile(GetParam()));
  const auto target = mca::Target::create(engineCase.selection());
  ASSERT_TRUE(target);
  ASSERT_EQ(goodLines(**target, engineCase.lines).size(), engineCase.lines.size());
  const ParsedBody body(**target, engineCase.lines);
  mca::Simulator simulator(**target);
  Stage stage = Stage::Parsing;
  const Verdict verdict = judgeCase(simulator, **target, body, engineCase.options, stage);
  EXPECT_NE(verdict.kind, Verdict::Kind::Different) << verdict.difference;
}

INSTANTIATE_TEST_SUITE_P(Engine, EngineCases, testing::ValuesIn(engineCaseFiles()), [](const auto &info) {
  return identifier(std::filesystem::path(info.param).filename().string());
});

class Bodies : public testing::TestWithParam<const char *> {};

TEST_P(Bodies, GiveWhatLlvmsPipelineGives) {
  const auto cpu = std::find_if(engineCpus().begin(), engineCpus().end(),
                                [](const Cpu &c) { return c.name == std::string_view(GetParam()); });
  ASSERT_NE(cpu, engineCpus().end());
  const RunOptions options{.seed = 20, .bodies = 100, .opcodes = 300};
  const RunResult result = runCpu(*cpu, options);
  for (const std::string &finding : result.findings)
    ADD_FAILURE() << finding;
  EXPECT_GE(result.instructions, 100u);
  EXPECT_GE(result.counts.bodies, options.bodies * 9 / 10);
  EXPECT_GE(result.counts.longBodies, 10u);
}

INSTANTIATE_TEST_SUITE_P(Engine, Bodies,
                         testing::Values("btver2", "bdver2", "znver4", "skylake", "sapphirerapids", "silvermont",
                                         "atom", "neoverse-v2", "cortex-a55", "cortex-a57", "apple-m1", "cortex-r52",
                                         "cortex-m55", "sifive-x280", "sifive-p670", "pwr9", "z16", "p5600", "gfx90a"),
                         [](const auto &info) { return identifier(info.param); });

TEST(EngineCaseText, IsReadBack) {
  EngineCase engineCase{.triple = "aarch64-unknown-linux-gnu", .cpu = "cortex-a57"};
  engineCase.lines = {"add\tx0, x0, x1", "nop"};
  engineCase.options.iterations = 7;
  engineCase.options.noAlias = false;
  engineCase.options.syntaxVariant = 1;
  const std::string text = writeCase(engineCase, "two\nremarks");
  EXPECT_EQ(text, "// mca: triple=aarch64-unknown-linux-gnu cpu=cortex-a57\n"
                  "// engine: iterations=7 syntaxVariant=1 noAlias=0\n"
                  "// two\n// remarks\n\tadd\tx0, x0, x1\n\tnop\n");
  const EngineCase read = readCase(text);
  EXPECT_EQ(read.triple, engineCase.triple);
  EXPECT_EQ(read.cpu, engineCase.cpu);
  EXPECT_EQ(read.options, engineCase.options);
  EXPECT_EQ(read.lines, engineCase.lines);
  EXPECT_THROW(readCase("# engine: itertions=3\n\tnop\n"), std::runtime_error);
}

TEST(EngineCaseText, NamesEveryOption) {
  std::set<size_t> places;
  for (const EngineOption &option : engineOptions()) {
    mca::SimulationOptions changed;
    setValue(changed, option, valueOf({}, option) ? 0 : 1);
    EXPECT_NE(changed, mca::SimulationOptions()) << option.name;
    EXPECT_TRUE(places
                    .insert(static_cast<size_t>(std::visit(
                        [](auto member) {
                          static const mca::SimulationOptions options;
                          return reinterpret_cast<const char *>(&(options.*member)) -
                                 reinterpret_cast<const char *>(&options);
                        },
                        option.member)))
                    .second)
        << option.name;
  }
}

TEST(ShrinkCase, KeepsWhatFailsAndNothingElse) {
  EngineCase engineCase;
  for (int i = 0; i < 40; ++i)
    engineCase.lines.push_back(std::to_string(i));
  engineCase.options.iterations = 300;
  engineCase.options.bottlenecks = engineCase.options.timeline = true;
  const auto has = [](const EngineCase &c, const char *line) {
    return std::find(c.lines.begin(), c.lines.end(), line) != c.lines.end();
  };
  const EngineCase small = shrinkCase(engineCase, [&](const EngineCase &candidate) {
    return has(candidate, "7") && has(candidate, "31") && candidate.options.timeline &&
           candidate.options.iterations >= 5;
  });
  EXPECT_EQ(small.lines, (std::vector<std::string>{"7", "31"}));
  EXPECT_EQ(describeOptions(small.options), "iterations=6 timeline=1");
}

TEST(EngineCpus, AreManyOfEachTarget) {
  std::map<std::string, int> byTarget;
  for (const Cpu &cpu : engineCpus()) {
    const auto target = mca::Target::create({.triple = cpu.triple, .cpu = cpu.name});
    ASSERT_TRUE(target) << cpu.name;
    EXPECT_TRUE((*target)->hasSchedulingModel()) << cpu.name;
    EXPECT_TRUE((*target)->cpuIsKnown()) << cpu.name;
    ++byTarget[(*target)->backend().getName()];
  }
  EXPECT_GE(engineCpus().size(), 60u);
  EXPECT_GE(byTarget.size(), 10u);
}

} // namespace
} // namespace differential
