// Which calibration counts, what its numbers are beside LLVM's, and that a bad file costs nothing but itself. The files
// are of skylake by LLVM's name, so that no result depends on this machine.
#include "analysis/simulate/calibrations.h"

#include "analysis/job/analyzer.h"
#include "analysis/wire/finding_codes.h"
#include "lsp/wording/sentences.h"
#include "tests/analysis/compile/temp_folder.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace analysis {
namespace {

namespace fs = std::filesystem;
using Source = wire::CalibrationSummary::Source;

const std::string kText = "mca-calibration 1\n"
                          "cpu vendor=GenuineIntel family=6 model=94 stepping=3 brand=\"Test CPU\" llvm=skylake\n"
                          "made date=2026-11-23 by=\"hand\"\n"
                          "fact slots-per-cycle 4\n"
                          "resource alu 2\n"
                          "form ADD32rr slots=1 uses=alu:1 latencies=1>0:1,2>0:1\n"
                          "form IMUL32rr slots=1 uses=alu:1 latencies=1>0:5,2>0:5\n"
                          "end\n";
const std::string kSkylake = "# mca: triple=x86_64-unknown-linux-gnu cpu=skylake\n";
/// One cycle on LLVM's skylake, two on two ALUs.
const std::string kAdds = "addl %ecx, %eax\naddl %ecx, %ebx\naddl %ecx, %edx\naddl %ecx, %esi\n";

mca::CpuIdentity machine() {
  return {.vendor = "GenuineIntel",
          .family = 6,
          .model = 94,
          .stepping = 3,
          .microcode = "",
          .brand = "",
          .llvmName = "skylake"};
}

/// The user's data folder is below the temporary one.
class CalibrationsTest : public testing::Test {
protected:
  CalibrationsTest() { setenv("XDG_DATA_HOME", (folder.path() + "/data").c_str(), 1); }
  ~CalibrationsTest() override { unsetenv("XDG_DATA_HOME"); }

  std::string write(const std::string &name, const std::string &text = kText) const { return folder.write(name, text); }
  std::string writeOwn(const std::string &text = kText) const {
    return write("data/mca-lsp/calibrations/GenuineIntel-6-94.calibration", text);
  }
  CalibrationChoice choose(const std::string &setting, const std::string &cpu = "skylake") {
    return calibrations.choose({.calibration = setting}, cpu);
  }
  wire::AnalysisResult run(const std::string &text, const std::string &setting) {
    const wire::AnalyzeRequest request{
        .id = 1, .path = "/nowhere/a.s", .text = kSkylake + text, .settings = {.calibration = setting}};
    return analyzer.run(request, {}, [](const wire::Progress &) {});
  }

  TempFolder folder;
  Calibrations calibrations{machine()};
  Analyzer analyzer{1};
};

TEST_F(CalibrationsTest, TheSettingChooses) {
  writeOwn();
  const std::string file = write("a.calibration");
  EXPECT_FALSE(choose("").calibration);
  EXPECT_FALSE(choose("off").calibration);
  const CalibrationChoice own = choose("auto");
  ASSERT_TRUE(own.calibration) << own.problem;
  EXPECT_EQ(own.calibration->summary.source, Source::Own);
  EXPECT_EQ(own.calibration->summary.cpu, "Test CPU");
  EXPECT_EQ(own.calibration->summary.date, "2026-11-23");
  EXPECT_EQ(own.calibration->summary.file, "") << "there is only one";
  const CalibrationChoice named = choose(file);
  ASSERT_TRUE(named.calibration) << named.problem;
  EXPECT_EQ(named.calibration->summary.source, Source::User);
  EXPECT_EQ(named.calibration->summary.file, file);
  EXPECT_EQ(named.calibration->summary.id, own.calibration->summary.id) << "the same text";
}

TEST_F(CalibrationsTest, TheUsersOwnIsForThisMachinesCpuAlone) {
  EXPECT_FALSE(choose("auto").calibration);
  EXPECT_EQ(choose("auto").problem, "") << "there need not be one";
  writeOwn();
  EXPECT_FALSE(choose("auto", "haswell").calibration);
  EXPECT_EQ(choose("auto", "haswell").problem, "");
}

/// The same loop behind another pointer: each of its loads crosses a line.
TEST_F(CalibrationsTest, TheCodeBeforeALoopSaysWhereItsPointersBegin) {
  std::string calibration = kText;
  calibration.insert(calibration.find("end\n"), "resource load 0.5\n"
                                                "form VMOVUPSYrm base slots=1 uses=load:1 latencies=1>0:7\n"
                                                "rule splits load=2 line=32\n");
  const std::string file = write("a.calibration", calibration);
  const auto loop = [](const std::string &name, const std::string &before) {
    return "\t.type " + name + ",@function\n" + name + ":\n" + before + ".L" + name +
           ":\n\tvmovups (%rax), %ymm0\n\taddq $32, %rax\n\tcmpq %rax, %rdx\n\tjne .L" + name + "\n\tret\n";
  };
  const wire::AnalysisResult result = run(
      loop("f", "\tmovq %rdi, %rax\n") + loop("g", "\tleaq 8(%rdi), %rax\n") + loop("h", "\tmovq %rsi, %rax\n"), file);
  ASSERT_EQ(result.regions.size(), 3u);
  std::vector<double> cycles, unaligned;
  for (const wire::Region &region : result.regions)
    for (const wire::Simulation &simulation : result.simulations)
      if (simulation.id == region.simulation) {
        cycles.push_back(simulation.cyclesPerIteration);
        unaligned.push_back(simulation.calibrated.unalignedCycles);
      }
  EXPECT_EQ(cycles, (std::vector<double>{2, 6, 2}));
  EXPECT_EQ(unaligned, (std::vector<double>{6, 0, 6})) << "all loads of g cross a line wherever its data begin";
}

TEST_F(CalibrationsTest, ACpuWithoutACalibrationHasItsDocumentedProfile) {
  const CalibrationChoice documented = choose("auto", "alderlake");
  ASSERT_TRUE(documented.calibration) << documented.problem;
  EXPECT_EQ(documented.calibration->summary.source, Source::Profile);
  EXPECT_EQ(documented.calibration->summary.cpu, "Intel Golden Cove");
  EXPECT_EQ(choose("auto", "alderlake").calibration, documented.calibration) << "the same object";
  EXPECT_FALSE(calibrations.choose({.calibration = "auto", .model = "llvm"}, "alderlake").calibration);
  EXPECT_FALSE(choose("off", "alderlake").calibration);
  EXPECT_EQ(choose("auto", "znver3").calibration->summary.source, Source::Shipped) << "it was measured";
  EXPECT_TRUE(calibrations.choose({.calibration = "auto", .model = "llvm"}, "znver3").calibration);
}

TEST_F(CalibrationsTest, AnotherCpusFileIsRefused) {
  const std::string file = write("a.calibration");
  EXPECT_FALSE(choose(file, "haswell").calibration);
  EXPECT_TRUE(choose(file, "haswell").problem.starts_with(file + ":2:")) << choose(file, "haswell").problem;
  // Copied from another machine.
  std::string other = kText;
  writeOwn(other.replace(other.find("model=94"), 8, "model=85"));
  EXPECT_FALSE(choose("auto").calibration);
  EXPECT_NE(choose("auto").problem, "");
}

TEST_F(CalibrationsTest, BadFilesHaveAPlaceAndAReason) {
  std::string text = kText;
  const std::string file = write("a.calibration", text.replace(text.find("resource"), 8, "resourse"));
  EXPECT_FALSE(choose(file).calibration);
  EXPECT_TRUE(choose(file).problem.starts_with(file + ":5:1: ")) << choose(file).problem;
  EXPECT_TRUE(choose(folder.path() + "/none").problem.starts_with(folder.path() + "/none: "));
  EXPECT_EQ(choose(folder.path()).problem, folder.path() + ": it is no regular file");
  const std::string pipe = folder.path() + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(choose(pipe).problem, pipe + ": it is no regular file");
  fs::resize_file(file, (uintmax_t{16} << 20) + 1);
  EXPECT_EQ(choose(file).problem, file + ": it is larger than 16 MiB");
}

TEST_F(CalibrationsTest, AProjectsFileMustBeInItsFolder) {
  const std::string project = folder.path() + "/project", inside = write("project/ci/a.calibration"),
                    outside = write("outside.calibration");
  const auto inProject = [&](const std::string &file) {
    return calibrations.choose({.calibration = file, .calibrationFolder = project}, "skylake");
  };
  ASSERT_TRUE(inProject(inside).calibration) << inProject(inside).problem;
  EXPECT_EQ(inProject(inside).calibration->summary.source, Source::Project);
  EXPECT_FALSE(inProject(outside).calibration);
  EXPECT_NE(inProject(outside).problem.find("in its own folder"), std::string::npos) << inProject(outside).problem;
  EXPECT_FALSE(inProject(project + "/../outside.calibration").calibration);
  fs::create_symlink(outside, project + "/link.calibration");
  EXPECT_FALSE(inProject(project + "/link.calibration").calibration) << "links are followed";
  EXPECT_TRUE(choose(outside).calibration) << "the user may name any";
  const std::string neighbour = write("project-2/a.calibration");
  EXPECT_FALSE(inProject(neighbour).calibration);
}

TEST_F(CalibrationsTest, AFileIsReadAgainWhenItChanges) {
  const std::string file = write("a.calibration");
  const auto first = choose(file).calibration;
  ASSERT_TRUE(first);
  EXPECT_EQ(choose(file).calibration, first) << "the same object";
  write("a.calibration", kText + "# longer\n");
  const auto second = choose(file).calibration;
  ASSERT_TRUE(second);
  EXPECT_NE(second->summary.id, first->summary.id);
  fs::remove(file);
  EXPECT_FALSE(choose(file).calibration);
}

TEST_F(CalibrationsTest, AFileThatLooksTheSameIsReadAgain) {
  for (const TempFolder::Replacement how : TempFolder::kReplacements) {
    const std::string file = write("a.calibration", kText + "# one\n");
    const auto first = choose(file).calibration;
    ASSERT_TRUE(first);
    folder.replaceAlike("a.calibration", kText + "# two\n", how);
    const auto second = choose(file).calibration;
    ASSERT_TRUE(second);
    EXPECT_NE(second->summary.id, first->summary.id);
    calibrations.forget();
    EXPECT_NE(choose(file).calibration, second) << "another object";
  }
}

TEST_F(CalibrationsTest, RegionsHaveBothNumbers) {
  const wire::AnalysisResult result = run(kAdds, write("a.calibration"));
  ASSERT_EQ(result.simulations.size(), 1u);
  const wire::Simulation &numbers = result.simulations[0];
  EXPECT_EQ(numbers.cyclesPerIteration, 2);
  EXPECT_EQ(numbers.ipc, 2);
  EXPECT_EQ(numbers.calibrated.llvmCycles, 1);
  EXPECT_EQ(numbers.calibrated.llvmIpc, 4);
  EXPECT_EQ(numbers.calibrated.fromLlvm, 0u);
  EXPECT_EQ(numbers.calibrated.bounds, (std::vector<wire::ResourceUse>{{"alu", 2}, {"slots", 1}}));
  EXPECT_EQ(numbers.verdict.kind, wire::Verdict::Kind::Resource);
  EXPECT_TRUE(numbers.verdict.isCalibrated);
  ASSERT_EQ(numbers.verdict.units.size(), 1u);
  EXPECT_EQ(numbers.verdict.units[0].resource, "alu");
  EXPECT_EQ(numbers.verdict.usersOfMnemonic, 4u);
  EXPECT_EQ(result.target.calibration.source, Source::User);
  EXPECT_TRUE(result.findings.empty());
}

TEST_F(CalibrationsTest, CountsWhatIsLlvms) {
  const wire::AnalysisResult result = run("addl %ecx, %eax\nleal (%rdi,%rsi), %edx\n", write("a.calibration"));
  ASSERT_EQ(result.simulations.size(), 1u);
  EXPECT_EQ(result.simulations[0].calibrated.fromLlvm, 1u);
}

TEST_F(CalibrationsTest, AChainIsTheLimitWhereNoBoundIs) {
  const wire::AnalysisResult result =
      run("imull %ecx, %eax\nimull %ecx, %eax\naddl %ecx, %ebx\n", write("a.calibration"));
  ASSERT_EQ(result.simulations.size(), 1u);
  const wire::Verdict &verdict = result.simulations[0].verdict;
  EXPECT_EQ(result.simulations[0].cyclesPerIteration, 10);
  EXPECT_EQ(verdict.kind, wire::Verdict::Kind::Registers);
  EXPECT_EQ(verdict.busy, 10);
  ASSERT_EQ(verdict.chain.size(), 2u);
  EXPECT_EQ(verdict.chain[0].reg, "%eax");
  EXPECT_EQ(verdict.chain[0].cycles, 5u);
  ASSERT_EQ(verdict.witnesses.size(), 2u);
  EXPECT_EQ(verdict.witnesses[0].text, "imull %ecx, %eax");
}

/// A loop of two paths, whose branch depends on what is loaded; one path has the longer chain.
const std::string kBranching = ".Lhead:\nmovl (%rdi), %r9d\naddq $4, %rdi\ntestl %r9d, %r9d\nje .Lskip\n"
                               "imull %ecx, %eax\nimull %ecx, %eax\n.Lskip:\naddl %ecx, %edx\naddl %ecx, %esi\n"
                               "decl %r8d\njne .Lhead\n";

/// The simulations of a loop's paths, by the order of its regions.
std::vector<wire::Simulation> pathsOf(const wire::AnalysisResult &result) {
  std::vector<wire::Simulation> paths;
  for (const wire::Region &region : result.regions)
    for (const wire::Simulation &simulation : result.simulations)
      if (region.simulation == simulation.id)
        paths.push_back(simulation);
  return paths;
}

TEST_F(CalibrationsTest, EachPathIsCalibrated) {
  const auto with = pathsOf(run(kBranching, write("a.calibration"))), without = pathsOf(run(kBranching, "off"));
  ASSERT_EQ(with.size(), 2u);
  ASSERT_EQ(without.size(), 2u);
  for (size_t i = 0; i < with.size(); ++i) {
    EXPECT_TRUE(isCalibrated(with[i]));
    EXPECT_EQ(with[i].calibrated.llvmCycles, without[i].cyclesPerIteration);
    EXPECT_EQ(with[i].verdict.cycles, with[i].cyclesPerIteration) << "findings say what hints say";
    EXPECT_TRUE(with[i].verdict.isCalibrated);
  }
  const auto [least, most] = std::ranges::minmax(with, {}, &wire::Simulation::cyclesPerIteration);
  EXPECT_LT(least.cyclesPerIteration, 5);
  EXPECT_EQ(most.cyclesPerIteration, 10) << "two multiplications of 5 cycles";
}

TEST_F(CalibrationsTest, ALoopsBranchesAreOnTheMachineOfItsPaths) {
  std::string text = kText;
  text.replace(text.find("resource"), 0, "fact redirect-penalty 21\n");
  const std::string file = write("a.calibration", text);
  const wire::AnalysisResult random = run(kBranching, file);
  ASSERT_EQ(random.flows.size(), 1u);
  EXPECT_EQ(random.flows[0].mispredictPenalty, 21u);
  EXPECT_GE(random.flows[0].perfectCycles, 2);
  EXPECT_LE(random.flows[0].perfectCycles, 10.1) << "between the paths";
  EXPECT_GT(random.flows[0].cycles, 10) << "half of the branches are mispredicted";
  for (const bool isTaken : {false, true}) {
    const wire::AnalysisResult chosen =
        run(std::string("# mca: path ") + (isTaken ? "" : "not-") + "taken\n" + kBranching, file);
    ASSERT_EQ(chosen.flows.size(), 1u);
    const auto paths = pathsOf(chosen);
    const auto [least, most] = std::ranges::minmax(paths, {}, &wire::Simulation::cyclesPerIteration);
    EXPECT_NEAR(chosen.flows[0].cycles, (isTaken ? least : most).cyclesPerIteration, 0.1) << "the path's own number";
  }
}

TEST_F(CalibrationsTest, ALoopIsLlvmsIfOneOfItsPathsIs) {
  std::string text = kBranching;
  text.replace(text.find("imull"), 0, "# LLVM-MCA-LATENCY 7\n");
  text.replace(text.find(".Lskip:\n"), 0, "# LLVM-MCA-LATENCY\n");
  const auto with = pathsOf(run(text, write("a.calibration"))), without = pathsOf(run(text, "off"));
  ASSERT_EQ(with.size(), 2u);
  for (size_t i = 0; i < with.size(); ++i) {
    EXPECT_FALSE(isCalibrated(with[i]));
    EXPECT_EQ(with[i].cyclesPerIteration, without.at(i).cyclesPerIteration);
  }
}

TEST_F(CalibrationsTest, TimelineAndWaitsAreTheCalibratedMachines) {
  const wire::AnalysisResult result = run("imull %ecx, %eax\naddl %ecx, %eax\n", write("a.calibration"));
  ASSERT_EQ(result.simulations.size(), 1u);
  const wire::Simulation &numbers = result.simulations[0];
  EXPECT_EQ(numbers.cyclesPerIteration, 6);
  EXPECT_EQ(numbers.chainCycles, 6);
  ASSERT_EQ(numbers.body.size(), 2u);
  EXPECT_EQ(numbers.body[0].latency, 5u) << "LLVM has 3";
  ASSERT_FALSE(numbers.body[1].waits.empty());
  EXPECT_EQ(numbers.body[1].waits[0].kind, wire::WaitKind::Register);
  EXPECT_EQ(numbers.body[1].waits[0].what, "%eax");
  EXPECT_EQ(numbers.body[1].waits[0].by, std::vector<uint32_t>{0});
  EXPECT_EQ(numbers.body[1].needs, std::vector<uint32_t>{0});
  ASSERT_GE(numbers.timeline.size(), 4u);
  const auto issuedAt = [&](size_t row) { return numbers.timeline[row].cells.find_first_of("eE"); };
  EXPECT_EQ(issuedAt(2) - issuedAt(0), 6u);
}

TEST_F(CalibrationsTest, WithoutOneNothingChanges) {
  const std::string file = write("a.calibration");
  const wire::AnalysisResult before = run(kAdds, ""), calibrated = run(kAdds, file), after = run(kAdds, "off");
  EXPECT_EQ(before.simulations, after.simulations);
  EXPECT_EQ(before.simulations.at(0).calibrated, wire::CalibratedNumbers());
  EXPECT_EQ(after.target.calibration, wire::CalibrationSummary());
  EXPECT_NE(calibrated.simulations.at(0).id, before.simulations.at(0).id) << "the server has the other numbers";
}

TEST_F(CalibrationsTest, ANewFileMakesNewNumbers) {
  const std::string file = write("a.calibration");
  EXPECT_EQ(run(kAdds, file).simulations.at(0).cyclesPerIteration, 2);
  std::string text = kText;
  write("a.calibration", text.replace(text.find("alu 2"), 5, "alu 1.0"));
  EXPECT_EQ(run(kAdds, file).simulations.at(0).cyclesPerIteration, 4);
}

TEST_F(CalibrationsTest, AnUnusableFileIsAFindingAndTheNumbersAreLlvms) {
  const std::string file = write("a.calibration", "mca-calibration 1\nnonsense\n");
  const wire::AnalysisResult result = run(kAdds, file);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].code, wire::codes::kCalibrationUnusable);
  EXPECT_EQ(result.findings[0].severity, wire::Severity::Warning);
  EXPECT_TRUE(lsp::wording::messageOf(result.findings[0])
                  .starts_with("the calibration is not used, the numbers are LLVM's: " + file + ":2:1: "))
      << lsp::wording::messageOf(result.findings[0]);
  EXPECT_EQ(result.simulations.at(0).cyclesPerIteration, 1);
  EXPECT_EQ(result.target.calibration.source, Source::None);
}

TEST_F(CalibrationsTest, BudgetsAreCheckedWithTheShownNumbers) {
  const std::string marked = "# LLVM-MCA-BEGIN adds\n# mca: cycles<=1.5 ipc>=3\n" + kAdds + "# LLVM-MCA-END adds\n";
  const wire::AnalysisResult result = run(marked, write("a.calibration"));
  ASSERT_EQ(result.budgets.size(), 2u);
  for (const wire::Budget &budget : result.budgets) {
    ASSERT_EQ(budget.regions.size(), 1u);
    EXPECT_EQ(budget.regions[0].cyclesPerIteration, 2);
    EXPECT_EQ(budget.regions[0].ipc, 2);
  }
}

TEST_F(CalibrationsTest, TheThreadsDoNotMatter) {
  std::string many;
  for (int i = 0; i < 40; ++i)
    many += "# LLVM-MCA-BEGIN r" + std::to_string(i) + "\n" + kAdds + "imull %ecx, %r" + std::to_string(8 + i % 8) +
            "d\nimull $" + std::to_string(i) + ", %ecx, %ebx\n# LLVM-MCA-END r" + std::to_string(i) + "\n";
  const std::string file = write("a.calibration");
  const wire::AnalysisResult one = run(many, file);
  const wire::AnalyzeRequest request{
      .id = 1, .path = "/nowhere/a.s", .text = kSkylake + many, .settings = {.calibration = file}};
  const wire::AnalysisResult several = Analyzer(4).run(request, {}, [](const wire::Progress &) {});
  EXPECT_EQ(one.simulations, several.simulations);
  EXPECT_TRUE(std::ranges::all_of(one.simulations, [](const auto &each) { return isCalibrated(each); }));
}

} // namespace
} // namespace analysis
