// How many iterations of the source one of the machine code's does, against runs on this machine.
//
// What a compiler makes of loops with known iterations is analysed, each loop of the machine code gets an instruction
// that counts its iterations, and the program runs: the counts, times the factors that the analysis gives, must make up
// the iterations of the source, but for what the compiler left in straight code. Only on x86-64, whose programs this
// machine can run, and with the vectors that its CPU has.
#include "analysis/compile/compile.h"
#include "analysis/regions/block_profile.h"
#include "analysis/regions/region.h"
#include "analysis/regions/source_iterations.h"
#include "analysis/source_map/inline_scopes.h"
#include "tests/analysis/compile/temp_folder.h"
#include "tests/differential/iterations/loop_functions.h"
#include "tests/differential/process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

namespace iterations {
namespace {

using namespace analysis;

struct Configuration {
  const char *name;
  bool gcc;
  const char *flags;
  const char *feature; ///< of the CPU; empty for none
};

constexpr Configuration kConfigurations[] = {
    {"clang_O1", false, "-O1", ""},
    {"clang_O2", false, "-O2", ""},
    {"clang_O3_avx2", false, "-O3 -march=x86-64-v3", "avx2"},
    {"clang_O2_fast", false, "-O2 -ffast-math", ""},
    {"clang_Os", false, "-Os", ""},
    {"gcc_O2", true, "-O2", ""},
    {"gcc_O3", true, "-O3", ""},
    {"gcc_O3_fast_avx2", true, "-O3 -ffast-math -march=x86-64-v3", "avx2"},
    {"gcc_O3_unrolled", true, "-O3 -funroll-loops", ""},
};

bool runsHere(const Configuration &configuration) {
#if defined(__x86_64__)
  return !*configuration.feature || __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

/// A loop of the machine code that stands for one of the source.
struct MachineLoop {
  uint32_t line = 0;
  uint32_t factor = 0; ///< 0: not known
  uint32_t offset = 0; ///< of its first instruction in the assembly
  std::string name;
};

struct Analysed {
  std::string assembly;
  std::vector<MachineLoop> loops;
};

wire::Settings settingsOf(const Configuration &configuration) {
  wire::Settings settings;
  if (configuration.gcc) {
    settings.compiler = "project";
    settings.allowedCompilers = {"/usr/bin/*"};
  }
  return settings;
}

Analysed analyse(const TempFolder &folder, const Configuration &configuration, const Source &source) {
  const std::string file = folder.write("loops.c", source.text);
  folder.write("compile_commands.json", R"([{"directory": ")" + folder.path() +
                                            R"(", "file": "loops.c", "command": ")" +
                                            (configuration.gcc ? "/usr/bin/gcc " : "clang ") + configuration.flags +
                                            R"( -mno-red-zone -c loops.c"}])");
  const CompileCommand command = findCompileCommand(file, wire::Language::C, settingsOf(configuration));
  EXPECT_TRUE(command.notes.empty()) << testing::PrintToString(command.notes);
  const CompileResult compiled = compile(command, {});
  EXPECT_TRUE(compiled.succeeded) << compiled.failure;
  const auto target = mca::Target::create({.triple = "x86_64-linux-gnu", .cpu = "skylake"});
  mca::ParseOptions options;
  options.keepData = InlineScopes::sections();
  const auto program = mca::Program::parse(compiled.assembly, **target, options);
  const TextLines lines(source.text);
  const InlineScopes scopes = InlineScopes::read(*program);
  const SourceMap map = SourceMap::ofSource(*program, lines, file, folder.path(), scopes);
  const LoopStatements statements(source.text, wire::Language::C);
  const SourceFacts facts{.statements = &statements,
                          .language = wire::Language::C,
                          .probability = branchProbabilities({}),
                          .scopes = &scopes,
                          .tellsDuplication = tellsDuplication(command)};
  Regions found = findSourceRegions({**target, *program}, map, facts, {});
  findSourceIterations(**target, *program, compiled.remarks, found.regions);
  Analysed analysed{compiled.assembly, {}};
  std::set<uint32_t> known;
  for (const Region &region : found.regions)
    if (region.kind != wire::RegionKind::Marker && !region.severalPaths && known.insert(region.loop).second)
      analysed.loops.push_back({lines.lineOf(region.anchor) + 1, region.sourceIterations,
                                program->instructions()[region.instructions.front()].offset,
                                region.name + ", " + region.variant});
  return analysed;
}

/// The assembly with a count of each loop's iterations. No red zone: the flags are kept on the stack meanwhile.
std::string counting(const Analysed &analysed) {
  std::map<uint32_t, size_t> at;
  for (size_t i = 0; i < analysed.loops.size(); ++i)
    at[analysed.loops[i].offset] = i;
  std::string text;
  uint32_t from = 0;
  for (const auto &[offset, loop] : at) {
    text += analysed.assembly.substr(from, offset - from);
    text += "pushfq; incq counts+" + std::to_string(8 * loop) + "(%rip); popfq\n\t";
    from = offset;
  }
  return text + analysed.assembly.substr(from);
}

std::string driverFor(size_t loops, const std::string &declarations) {
  std::ostringstream text;
  text << "#include <stdio.h>\n#include <stdlib.h>\n"
       << declarations << "unsigned long long counts[" << loops + 1
       << "];\nvoid runAll(long);\nint main(int c, char **v) {\n  runAll(atol(v[c - 1]));\n  for (int i = 0; i < "
       << loops << "; ++i) printf(\"%llu\\n\", counts[i]);\n}\n";
  return text.str();
}

/// The arrays that the functions work on, as the source declares them.
std::string arraysOf(const Source &source) {
  std::istringstream lines(source.text);
  std::string arrays = "char other[" + std::to_string(8 * kElements) + "];\n";
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("extern ")) {
      line = line.substr(7, line.find(';') - 6);
      for (size_t at = 0; (at = line.find("[]", at)) != std::string::npos; at += 2)
        line.replace(at, 2, "[" + std::to_string(kElements) + "]");
      arrays += line + "\n";
    }
  return arrays;
}

void run(const std::vector<std::string> &arguments) {
  const differential::ProcessResult result = differential::runProcess(arguments);
  ASSERT_EQ(result.status, 0) << result.errors;
}

class Iterations : public testing::TestWithParam<Configuration> {};

TEST_P(Iterations, MakeUpTheSources) {
  if (!runsHere(GetParam()))
    GTEST_SKIP() << "this machine does not run programs for x86-64 with " << GetParam().flags;
  const TempFolder folder;
  const Source source = makeSource();
  const Analysed analysed = analyse(folder, GetParam(), source);
  const std::string compiler = GetParam().gcc ? "gcc" : "clang-22", program = folder.path() + "/program";
  run({compiler, "-c", folder.write("counting.s", counting(analysed)), "-o", folder.path() + "/loops.o"});
  run({compiler, "-w", folder.write("driver.c", driverFor(analysed.loops.size(), arraysOf(source))),
       folder.path() + "/loops.o", "-o", program});
  size_t proven = 0, transformed = 0, unknown = 0;
  for (const uint64_t number : {1003, 2, 5, 11, 40}) {
    const differential::ProcessResult result = differential::runProcess({program, std::to_string(number)});
    ASSERT_EQ(result.status, 0);
    std::istringstream counts(result.output);
    struct Sum {
      uint64_t iterations = 0, factors = 0;
      bool known = true;
      std::string text;
    };
    std::map<uint32_t, Sum> byLine;
    for (const MachineLoop &loop : analysed.loops) {
      uint64_t count = 0;
      counts >> count;
      Sum &sum = byLine[loop.line];
      sum.known &= loop.factor || !count;
      sum.iterations += count * loop.factor;
      sum.factors += loop.factor;
      sum.text += "  " + std::to_string(count) + " of " + loop.name + " ×" + std::to_string(loop.factor) + "\n";
      transformed += number == 1003 && loop.factor > 1;
      unknown += number == 1003 && !loop.factor;
    }
    for (const SourceLoop &loop : source.loops) {
      const auto found = byLine.find(loop.line);
      if (found == byLine.end() || !found->second.known)
        continue;
      const Sum &sum = found->second;
      const uint64_t expected = loop.in(number);
      // One more than it does for each loop that is left in the middle of an iteration.
      EXPECT_LE(sum.iterations, expected + sum.factors)
          << GetParam().flags << ", line " << loop.line << ", n = " << number << "\n"
          << sum.text;
      // Straight code has less than two of the largest body's iterations each time that the loop is begun; and of a
      // loop with a constant number of iterations any number.
      const uint64_t left = (2 * sum.factors + 8) * std::max<uint64_t>(loop.perRun, 1);
      // What ran may all stand on a line whose factor is unknown.
      if (number == 1003 && loop.perRun && sum.iterations && expected > 4 * left) {
        EXPECT_GE(sum.iterations + left, expected) << GetParam().flags << ", line " << loop.line << "\n" << sum.text;
        ++proven;
      }
    }
  }
  std::cout << GetParam().name << ": " << proven << " loops of the source proven, " << transformed
            << " of the machine code do several iterations, of " << unknown << " it is unknown how many\n";
  EXPECT_GT(proven, 50u);
}

INSTANTIATE_TEST_SUITE_P(Of, Iterations, testing::ValuesIn(kConfigurations),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
} // namespace iterations
