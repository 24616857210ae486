// The whole command line of `mca` against the installed llvm-mca: standard output byte for byte, exit status, and the
// text of every error and warning, for every option alone and for random combinations, over the files of corpus/ and
// misuse/ and over compiled code for the CPUs of all targets.
//
// Each test runs many comparisons and reports what differed. The plan of what is compared is made first, so that its
// size can be tested without running it.
#include "tests/differential/compiled.h"
#include "tests/differential/corpus.h"
#include "tests/differential/option_sets.h"
#include "tests/differential/same_output.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace differential {
namespace {

constexpr size_t kShards = 6;           // tests that share one plan
constexpr size_t kSetsOfAFile = 20;     // single options that a file of the corpus is compared with
constexpr size_t kRandomOfAFile = 6;    // random sets
constexpr size_t kSetsOfAKernel = 8;    // random sets that compiled code is compared with
constexpr size_t kSinglesOfAKernel = 5; // single options

struct FileComparison {
  std::string path;
  Options options;
};

std::vector<Case> corpusFiles() {
  std::vector<Case> files;
  // What a macro makes llvm-mca orders by the addresses of buffers: twins do not take part.
  for (Case &file : comparedCases())
    if (file.path == file.reference)
      files.push_back(std::move(file));
  for (Case &file : misuseCases())
    files.push_back(std::move(file));
  return files;
}

/// Each file gets another part of the single options; together the files see each of them many times.
std::vector<FileComparison> planForFiles() {
  std::vector<FileComparison> plan;
  const std::vector<Options> &singles = singleOptions();
  uint32_t seed = 1;
  size_t next = 0;
  for (const Case &file : corpusFiles()) {
    for (size_t i = 0; i < kSetsOfAFile; ++i)
      plan.push_back({file.path, singles[next++ % singles.size()]});
    for (size_t i = 0; i < kRandomOfAFile; ++i)
      plan.push_back({file.path, randomOptions(seed++)});
  }
  return plan;
}

bool has(const Options &options, const std::string &name) {
  return std::any_of(options.begin(), options.end(), [&](const std::string &o) { return o.starts_with(name); });
}

/// Few iterations, as the code is long; every second time without what the model does not know, so that the rest is
/// compared too.
std::vector<Options> optionsForKernel(size_t kernel) {
  std::vector<Options> sets;
  const std::vector<Options> &singles = singleOptions();
  for (size_t i = 0; i < kSinglesOfAKernel; ++i)
    sets.push_back(singles[(kernel * kSinglesOfAKernel + i) % singles.size()]);
  for (size_t i = 0; i < kSetsOfAKernel; ++i)
    sets.push_back(randomOptions(static_cast<uint32_t>(100000 + kernel * kSetsOfAKernel + i)));
  for (size_t i = 0; i < sets.size(); ++i) {
    if (!has(sets[i], "-iterations"))
      sets[i].push_back("-iterations=3");
    if (i % 2 == 0 && !has(sets[i], "-skip-unsupported"))
      sets[i].push_back("-skip-unsupported-instructions=any");
  }
  return sets;
}

class Files : public testing::TestWithParam<size_t> {};

TEST_P(Files, PrintWhatLlvmMcaPrints) {
  const std::vector<FileComparison> plan = planForFiles();
  Comparison comparison(MCA_PROGRAM);
  for (size_t i = GetParam(); i < plan.size(); i += kShards) {
    std::vector<std::string> arguments = targetOptions(settingsOf(readFile(plan[i].path)));
    arguments.insert(arguments.end(), plan[i].options.begin(), plan[i].options.end());
    arguments.push_back(plan[i].path);
    comparison.run(arguments);
  }
  EXPECT_EQ(comparison.report(), "");
  EXPECT_EQ(comparison.crashes(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Shards, Files, testing::Range<size_t>(0, kShards));

class CompiledCode : public testing::TestWithParam<size_t> {};

TEST_P(CompiledCode, PrintsWhatLlvmMcaPrints) {
  const TemporaryFolder folder;
  const std::string assembly = folder / "kernels.s";
  Comparison comparison(MCA_PROGRAM);
  for (size_t i = GetParam(); i < compiledKernels().size(); i += kShards) {
    const Compiled &kernel = compiledKernels()[i];
    const char *source = kKernelSources[i % std::size(kKernelSources)];
    ASSERT_EQ(compileKernels(kernel, source, assembly), "") << nameOf(kernel);
    for (const Options &options : optionsForKernel(i)) {
      std::vector<std::string> arguments{std::string("-mtriple=") + kernel.triple, std::string("-mcpu=") + kernel.cpu};
      arguments.insert(arguments.end(), options.begin(), options.end());
      arguments.push_back(assembly);
      comparison.run(arguments);
    }
  }
  EXPECT_EQ(comparison.report(), "");
  EXPECT_EQ(comparison.crashes(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Shards, CompiledCode, testing::Range<size_t>(0, kShards));

TEST(Plan, ComparesEveryOptionAndEnoughOfThem) {
  const std::vector<FileComparison> files = planForFiles();
  for (const Options &options : singleOptions())
    EXPECT_GE(std::count_if(files.begin(), files.end(), [&](const auto &c) { return c.options == options; }), 10);
  size_t kernels = 0;
  for (size_t i = 0; i < compiledKernels().size(); ++i)
    kernels += optionsForKernel(i).size();
  EXPECT_GE(files.size() + kernels, 3000u);
}

} // namespace
} // namespace differential
