// Jobs with a profile: the shares of loops, cycles in the program, functions that have changed, and files that cannot
// be used.
#include "analysis/job/analyzer.h"
#include "analysis/profile/import_profile.h"
#include "analysis/profile/profile.h"
#include "analysis/wire/finding_codes.h"
#include "lsp/wording/sentences.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

namespace analysis {
namespace {

// 83 c0 01 | ff c9 | 75 f9 | c3, twice: `f` has one loop, `g` another one.
constexpr const char *kAssembly = R"(# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
	.type f,@function
f:
	addl $1, %eax
	decl %ecx
	jne f
	retq
	.type g,@function
g:
	subl $1, %eax
	decl %ecx
	jne g
	retq
)";

constexpr const char *kProfile = R"(mcaprofile 1
event "cpu-clock" ns
samples 20
runs 2
counted-runs 1
clock 2000000000
program "/p" x86_64--
function "f" 0x1000 0x8
code 83c001ffc975f9c3
at 0x0 100 40
at 0x3 300 40
at 0x5 200
at 0x7 100
function "g" 0x1010 0x8
code 83e801ffc975f9c3
at 0x3 300
rest kernel 1000
end
)";

class LoopShares : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "shares-XXXXXX";
    folder_ = std::string(mkdtemp(pattern.data())) + "/";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string &text) {
    std::ofstream(folder_ + "p.mcaprofile") << text;
    return folder_ + "p.mcaprofile";
  }
  wire::AnalysisResult run(const std::string &assembly, const std::string &profile, const std::string &inFolder = "") {
    wire::AnalyzeRequest request;
    request.path = "/a.s";
    request.text = assembly;
    request.settings.profile = profile;
    request.settings.profileFolder = inFolder;
    return analyzer_.run(request, {}, [](const wire::Progress &) {});
  }
  static std::string replaced(std::string text, const std::string &from, const std::string &to) {
    return text.replace(text.find(from), from.size(), to);
  }

  std::string folder_;
  Analyzer analyzer_{1};
};

using Match = wire::ProfiledLoop::Match;

TEST_F(LoopShares, AreThoseOfAllInstructionsOfTheLoop) {
  const wire::AnalysisResult result = run(kAssembly, write(kProfile));
  ASSERT_EQ(result.regions.size(), 2u);
  const wire::ProfiledLoop &f = result.regions[0].profiled, &g = result.regions[1].profiled;
  EXPECT_EQ(f.match, Match::Exact);
  EXPECT_DOUBLE_EQ(f.share, 600 / 2000.0) << "without the return";
  EXPECT_DOUBLE_EQ(f.cycles, 600 * 2.0 / 2 / 40) << "2 GHz; two runs took the time, one counted 40 iterations";
  EXPECT_DOUBLE_EQ(g.share, 300 / 2000.0);
  EXPECT_EQ(g.cycles, 0) << "nothing says how often it ran";
  EXPECT_EQ(result.target.profile.event, "cpu-clock");
  EXPECT_TRUE(result.target.profile.isTime);
  EXPECT_DOUBLE_EQ(result.target.profile.inText, 1000 / 2000.0);
  EXPECT_EQ(run(kAssembly, "").regions[0].profiled, wire::ProfiledLoop()) << "without a profile";
}

TEST_F(LoopShares, OfOneFunctionThatChangedTheOthersStay) {
  const std::string profile = write(kProfile);
  const wire::AnalysisResult edited = run(replaced(kAssembly, "addl $1", "addl $2"), profile);
  EXPECT_EQ(edited.regions[0].profiled.match, Match::Changed);
  EXPECT_DOUBLE_EQ(edited.regions[0].profiled.share, 700 / 2000.0) << "that of the function";
  EXPECT_EQ(edited.regions[0].profiled.difference,
            "the program has another `addl` as instruction 1 (line 4 of the assembly)");
  EXPECT_EQ(edited.regions[1].profiled.match, Match::Exact);
  EXPECT_DOUBLE_EQ(edited.target.profile.inText, 300 / 2000.0);
  const wire::AnalysisResult other = run(replaced(replaced(kAssembly, "f:", "h:"), "jne f", "jne h"), profile);
  EXPECT_EQ(other.regions[0].profiled.match, Match::None) << "it has another name";
}

TEST_F(LoopShares, StaticFunctionsOfOneNameAreToldApartByTheirCode) {
  const std::string other = "function \"f\" 0x2000 0x4\ncode 31c0c390\nat 0x0 500\nrest kernel 500\n";
  const wire::AnalysisResult result = run(kAssembly, write(replaced(kProfile, "rest kernel 1000\n", other)));
  EXPECT_EQ(result.regions[0].profiled.match, Match::Exact);
  EXPECT_DOUBLE_EQ(result.regions[0].profiled.share, 600 / 2000.0);
}

/// A source whose function was compiled by another compiler.
class SharesOfLines : public LoopShares {
protected:
  static constexpr const char *kSource = "// mca: cpu=skylake\n"
                                         "int f(const int *a, int n) {\n"
                                         "  int s = 0;\n"
                                         "  for (int i = 0; i < n; i++)\n"
                                         "    s += a[i] ^ s;\n"
                                         "  for (int i = 0; i < n; i++)\n"
                                         "    s ^= a[i] + s;\n"
                                         "  return s;\n"
                                         "}\n";
  static std::string lineOf(const std::string &text, uint64_t weight, uint32_t number) {
    return "line " + std::to_string(number) + " " + std::to_string(weight) + " 0x" +
           (std::ostringstream() << std::hex << digestOf(text)).str() + "\n";
  }
  static std::string profile() {
    return "mcaprofile 1\nevent \"cycles\" cycles\nsamples 1\nruns 1\nprogram \"/p\" x86_64--\n"
           "function \"f\" 0x1000 0x4\ncode 31c0c390\nat 0x0 100\nsource \"/build/k.c\"\n" +
           lineOf("s += a[i] ^ s;", 60, 4) + lineOf("  s ^= a[i] + s;", 30, 6) + lineOf("return s;", 10, 7) +
           "rest kernel 100\nend\n";
  }
  wire::AnalysisResult runSource(const std::string &source) {
    std::ofstream(folder_ + "k.c") << source;
    wire::AnalyzeRequest request;
    request.path = folder_ + "k.c";
    request.language = wire::Language::C;
    request.text = source;
    request.settings.profile = write(profile());
    return analyzer_.run(request, {}, [](const wire::Progress &) {});
  }
};

TEST_F(SharesOfLines, AreFoundByTheirText) {
  const wire::AnalysisResult result = runSource(kSource);
  std::map<uint32_t, double> shares; // by hint: a loop and its remainder have one
  for (const wire::Region &region : result.regions) {
    EXPECT_EQ(region.profiled.match, Match::ByLines);
    EXPECT_NE(region.profiled.difference, "");
    EXPECT_EQ(region.profiled.cycles, 0);
    EXPECT_TRUE(region.rank == 0 || region.profiled.share == 0) << "the whole share is the first one's";
    shares[region.anchor] += region.profiled.share;
  }
  ASSERT_EQ(shares.size(), 2u);
  EXPECT_DOUBLE_EQ(shares.begin()->second, 60 / 200.0) << "one line further down than it was";
  EXPECT_DOUBLE_EQ(shares.rbegin()->second, 30 / 200.0);
}

TEST_F(SharesOfLines, IterationsOfTheSourceMakeCycles) {
  std::ofstream(folder_ + "k.c") << kSource;
  const std::string build = "cd " + folder_ +
                            " && " PROFILE_CLANG " --target=x86_64-linux-gnu -O2 -g -c k.c -o k.o && " +
                            PROFILE_CLANG " --target=x86_64-linux-gnu -nostdlib -shared k.o -o k";
  ASSERT_EQ(std::system(build.c_str()), 0);
  std::ofstream samples(folder_ + "samples");
  for (int offset = 0; offset < 256; ++offset) // a microsecond for each byte
    samples << "k 1000 cpu-clock: " << std::hex << offset << " f+0x" << offset << " (/k)\n";
  samples.close();
  std::ofstream(folder_ + "counts")
      << R"({"files": [{"file": "k.c", "functions": [{"name": "main", "execution_count": 2}], "lines": [)"
      << R"({"line_number": 4, "function_name": "f", "count": 1002, "branches": [{"count": 1000}, {"count": 2}]},)"
      << R"({"line_number": 6, "function_name": "f", "count": 9, "branches": []}]}]})" << "\n";
  const auto nothing = [](const std::string &) {};
  const auto made = importProfile({.recordings = {{"perf", folder_ + "samples"}, {"gcov", folder_ + "counts"}},
                                   .programs = {folder_ + "k"},
                                   .output = folder_ + "p.mcaprofile",
                                   .gigahertz = 2},
                                  nothing, nothing);
  ASSERT_TRUE(made) << made.message();
  wire::AnalyzeRequest request;
  request.path = folder_ + "k.c";
  request.language = wire::Language::C;
  request.text = kSource;
  request.settings.profile = *made;
  const wire::AnalysisResult result = analyzer_.run(request, {}, [](const wire::Progress &) {});
  std::map<uint32_t, double> shares; // by hint
  for (const wire::Region &region : result.regions)
    shares[region.anchor] += region.profiled.share;
  ASSERT_EQ(shares.size(), 2u);
  ASSERT_GT(shares.begin()->second, 0);
  for (const wire::Region &region : result.regions) {
    EXPECT_EQ(region.profiled.match, Match::Exact) << region.profiled.difference;
    const double cycles = shares[region.anchor] * 256 * 1000 * 2 / (1000 / 2); // two runs were counted, one was timed
    const bool isCounted = region.anchor == shares.begin()->first;
    EXPECT_DOUBLE_EQ(region.profiled.cycles, isCounted ? cycles * region.sourceIterations : 0);
    EXPECT_DOUBLE_EQ(region.profiled.bytesPerRun, isCounted ? 1000 / 2 * sizeof(int) : 0) << "it ended twice";
    EXPECT_EQ(region.profiled.serialCycles > 32, isCounted);
  }
  // Both loops begin with the same line, so that a line further down nothing says which of them was counted.
  request.text = std::string("\n") + kSource;
  std::ofstream(folder_ + "k.c") << request.text;
  for (const wire::Region &region : analyzer_.run(request, {}, [](const wire::Progress &) {}).regions) {
    EXPECT_EQ(region.profiled.match, Match::Exact) << region.profiled.difference;
    EXPECT_EQ(region.profiled.cycles, 0);
  }
}

TEST_F(SharesOfLines, OfAnEditedSourceAreThoseBeforeTheEdit) {
  const wire::AnalysisResult result = runSource(replaced(kSource, "^ s;", "| s;"));
  std::map<uint32_t, double> shares; // by hint
  for (const wire::Region &region : result.regions) {
    EXPECT_EQ(region.profiled.match, Match::Edited);
    shares[region.anchor] += region.profiled.share;
  }
  ASSERT_EQ(shares.size(), 2u);
  EXPECT_DOUBLE_EQ(shares.begin()->second, 60 / 200.0) << "the edited line moved as the lines around it";
  EXPECT_DOUBLE_EQ(shares.rbegin()->second, 30 / 200.0);
}

TEST_F(SharesOfLines, AreNotKnownWhereNoLineIsLeft) {
  const std::string other =
      replaced(replaced(replaced(kSource, "^ s;", "| s;"), "+ s;", "- s;"), "return s", "return  s");
  const wire::AnalysisResult result = runSource(other);
  ASSERT_FALSE(result.regions.empty());
  EXPECT_EQ(result.regions[0].profiled.match, Match::Changed);
  EXPECT_DOUBLE_EQ(result.regions[0].profiled.share, 100 / 200.0) << "that of the function";
}

TEST_F(LoopShares, AFileThatCannotBeUsedIsAFinding) {
  const std::string file = write(replaced(kProfile, "end\n", ""));
  const wire::AnalysisResult result = run(kAssembly, file);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].code, wire::codes::kProfileUnusable);
  EXPECT_EQ(lsp::wording::messageOf(result.findings[0]),
            "the profile is not used, loops have no shares of time: " + file +
                ":18:1: the line `end` is missing: the file is not whole");
  EXPECT_EQ(result.regions[0].profiled, wire::ProfiledLoop());
  write(kProfile);
  EXPECT_TRUE(run(kAssembly, file).findings.empty()) << "it was written again";
  const wire::AnalysisResult project = run(kAssembly, file, folder_ + "project");
  ASSERT_EQ(project.findings.size(), 1u);
  EXPECT_NE(lsp::wording::messageOf(project.findings[0]).find("may only name a file in its own folder"),
            std::string::npos);
}

} // namespace
} // namespace analysis
