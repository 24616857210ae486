// From recordings of a real program to its profile.
#include "analysis/profile/import_profile.h"

#include "analysis/import/program_image.h"
#include "analysis/profile/profile_file.h"
#include "tests/analysis/profile/pprof_samples.h"

#include "llvm/ADT/StringExtras.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace analysis {
namespace {

constexpr const char *kSource = R"(
__attribute__((noinline)) long sum(const long *a, int n) {
  long s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i] * 3;
  return s;
}
namespace ns { __attribute__((noinline)) void scale(float *a, int n) { for (int i = 0; i < n; ++i) a[i] *= 3; } }
int main() {
  static long a[1000];
  static float f[1000];
  ns::scale(f, 1000);
  return (int)sum(a, 1000);
}
)";

std::string contentsOf(const std::string &path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

class ImportProfile : public testing::Test {
protected:
  static void SetUpTestSuite() {
    std::string pattern = testing::TempDir() + "profile-XXXXXX";
    folder_ = std::string(mkdtemp(pattern.data())) + "/";
    std::ofstream(folder_ + "k.cpp") << kSource;
    // A source that is newer than the program is not what the program was compiled from.
    std::filesystem::last_write_time(folder_ + "k.cpp",
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    ASSERT_EQ(std::system(
                  ("cd " + folder_ + " && " PROFILE_CLANG " --target=x86_64-linux-gnu -O2 -g -Wl,--build-id k.cpp -o k")
                      .c_str()),
              0);
    ASSERT_EQ(std::system(("cd " + folder_ + " && strip k -o stripped").c_str()), 0);
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(folder_); }

  /// A line of perf script for a place in the program, which was moved by whole pages.
  static std::string sample(const std::string &function, uint64_t offset, uint64_t moved = 0x555500000000) {
    auto image = ProgramImage::open(folder_ + "k");
    const ProgramFunction *found = nullptr;
    for (const auto &named : (*image)->functions())
      for (const ProgramFunction &one : named.getValue())
        if (llvm::StringRef(one.name).contains(function))
          found = &one;
    EXPECT_NE(found, nullptr) << function;
    return "k 250000 cpu-clock: " + llvm::utohexstr(found->address + offset + moved, true) + " " + found->name.str() +
           "+0x" + llvm::utohexstr(offset, true) + " (/elsewhere/k)\n";
  }

  std::string import(const std::string &recording, std::vector<std::string> programs = {folder_ + "k"}) {
    std::ofstream(folder_ + "recording") << recording;
    return run({.recordings = {{"perf", folder_ + "recording"}},
                .programs = std::move(programs),
                .output = folder_ + "out.mcaprofile"});
  }
  /// The error, or an empty text.
  std::string run(const ProfileRequest &request) {
    notes_.clear();
    const auto made =
        importProfile(request, [&](const std::string &note) { notes_ += note + "\n"; }, [](const auto &) {});
    return made ? "" : made.message();
  }
  Profile read() {
    auto profile = readProfile(contentsOf(folder_ + "out.mcaprofile"), "out");
    EXPECT_TRUE(profile) << (profile ? "" : profile.message());
    return profile ? *profile : Profile();
  }

  static inline std::string folder_;
  std::string notes_;
};

TEST_F(ImportProfile, AnEventWithoutANameHasOneInTheFile) {
  ASSERT_EQ(import("k 2 :p: 1 sum+0x1 (/elsewhere/k)\n"), "");
  EXPECT_EQ(read().event, "samples");
}

TEST_F(ImportProfile, HasTheCodeOfEachFunctionAndAddsUpToTheWhole) {
  ASSERT_EQ(import(sample("sum", 3) + sample("sum", 3) + sample("scale", 0) +
                   "k 250000 cpu-clock: 7f0000001234 memcpy+0x4 (/usr/lib/libc.so.6)\n"
                   "k 250000 cpu-clock: ffffffff81234567 [unknown] ([kernel.kallsyms])\n"),
            "");
  const Profile profile = read();
  ASSERT_EQ(profile.functions.size(), 2u);
  const ProfiledFunction &sum = *std::ranges::find(profile.functions, "_Z3sumPKli", &ProfiledFunction::name);
  EXPECT_EQ(sum.places, (std::vector<ProfiledPlace>{{3, 500000}}));
  EXPECT_FALSE(sum.code.empty());
  EXPECT_EQ(profile.samples, 5u);
  EXPECT_EQ(profile.total(), 5 * 250000u);
  EXPECT_EQ(profile.rest,
            (std::vector<UnattributedWeight>{{UnattributedWeight::Kind::Module, "/usr/lib/libc.so.6", 250000},
                                             {UnattributedWeight::Kind::Kernel, "", 250000}}));
  EXPECT_EQ(notes_, "2 functions have 60.0 % of the cpu-clock, modules without a known function 20.0 %, the kernel "
                    "20.0 %, unknown code 0.0 %\n");
}

TEST_F(ImportProfile, FindsDemangledNames) {
  ASSERT_EQ(import("k 250000 cpu-clock: 4 ns::scale(float*, int)+0x4 (/elsewhere/k)\n"), "");
  EXPECT_EQ(read().functions.at(0).name, "_ZN2ns5scaleEPfi");
}

TEST_F(ImportProfile, RefusesAnotherBuild) {
  EXPECT_EQ(import(sample("sum", 3, 0x555500000010)),
            folder_ + "recording: " + folder_ +
                "k: this is another build than the one that was recorded: addresses do not fit its symbols");
  EXPECT_EQ(import(sample("sum", 3), {folder_ + "stripped"}),
            folder_ + "stripped: it has no symbols of functions; was it stripped?");
  EXPECT_EQ(import(sample("sum", 3), {folder_ + "k.cpp"}), folder_ + "k.cpp: this is no ELF program");
}

TEST_F(ImportProfile, WhatIsInNoFunctionStaysTheModules) {
  ASSERT_EQ(import(sample("sum", 3) + "k 250000 cpu-clock: 401 gone+0x1 (/elsewhere/k)\n"), "");
  EXPECT_EQ(read().rest, (std::vector<UnattributedWeight>{{UnattributedWeight::Kind::Module, folder_ + "k", 250000}}));
}

/// Profiles in pprof's format of the same program.
class ImportPprof : public ImportProfile {
protected:
  std::string importPprof(const PprofText &text, std::vector<std::string> programs = {}) {
    std::ofstream(folder_ + "recording") << gzipped(text.bytes());
    return run({.recordings = {{"pprof", folder_ + "recording"}},
                .programs = std::move(programs),
                .output = folder_ + "out.mcaprofile"});
  }
  /// With a sample at the start of `sum`, whose file is mapped elsewhere.
  static PprofText sampled(const std::string &buildId, uint64_t function = 0, const std::string &name = "") {
    auto image = ProgramImage::open(folder_ + "k");
    const uint64_t address = (*image)->functionsNamed("_Z3sumPKli")[0].address;
    PprofText text({{"cpu", "nanoseconds"}});
    text.mapping(1, 0x555500000000, 0x555500100000, 0, folder_ + "k", buildId);
    text.function(1, name, folder_ + "k.cpp");
    // This linker lays the segments of small programs out page by page, at the same distance in memory as in the file.
    uint64_t offset = address;
    while ((*image)->addressOf(offset) != address)
      offset -= 0x1000;
    text.location(1, 1, 0x555500000000 + offset);
    if (function)
      text.location(2, 1, 0x555500000000 + offset, {{1, 1}}).sample({2}, {1000});
    text.sample({1}, {1000});
    return text;
  }
  static std::string buildId() { return (*ProgramImage::open(folder_ + "k"))->buildId(); }
};

TEST_F(ImportPprof, AddressesAreThoseOfTheFile) {
  ASSERT_NE(buildId(), "");
  ASSERT_EQ(importPprof(sampled(buildId())), "");
  const Profile profile = read();
  ASSERT_EQ(profile.functions.size(), 1u);
  EXPECT_EQ(profile.functions[0].name, "_Z3sumPKli");
  EXPECT_FALSE(profile.functions[0].code.empty());
  EXPECT_EQ(profile.functions[0].places, (std::vector<ProfiledPlace>{{0, 1000}}));
}

TEST_F(ImportPprof, AnotherBuildIsLeftOut) {
  ASSERT_EQ(importPprof(sampled("0123456789abcdef")), "");
  EXPECT_EQ(read().rest, (std::vector<UnattributedWeight>{{UnattributedWeight::Kind::Module, folder_ + "k", 1000}}));
  EXPECT_NE(notes_.find("this is another build than the one that was recorded, and is left out"), std::string::npos);
  ASSERT_EQ(importPprof(sampled("go:not/a/number")), "");
  EXPECT_TRUE(read().rest.empty()) << "an identity of another kind";
}

TEST_F(ImportPprof, ASymbolHasToFitTheFunctionAtItsAddress) {
  ASSERT_EQ(importPprof(sampled("", 1, "sum(long const*, int)")), "");
  EXPECT_EQ(read().functions.at(0).weight(), 2000u);
  PprofText other = sampled("", 1, "ns::other(int)");
  other.sample({2}, {1000});
  EXPECT_NE(importPprof(other).find("this is another build than the one that was recorded"), std::string::npos);
}

TEST_F(ImportPprof, OfAPlaceWithoutAnAddressTheLineIsKnown) {
  PprofText text({{"cpu", "nanoseconds"}});
  text.function(1, "sum(long const*, int)", "k.cpp").function(2, "gone", "k.cpp");
  text.location(1, 0, 0, {{1, 4}}).location(2, 0, 0, {{1, 5}}).location(3, 0, 0, {{2, 5}});
  text.sample({1}, {10}).sample({2}, {30}).sample({3}, {5});
  ASSERT_EQ(importPprof(text, {folder_ + "k"}), "");
  const Profile profile = read();
  ASSERT_EQ(profile.functions.size(), 1u);
  const ProfiledFunction &sum = profile.functions[0];
  EXPECT_EQ(sum.code, "") << "nothing says which instructions have the samples";
  EXPECT_EQ(sum.weight(), 40u);
  EXPECT_EQ(profile.sourceOf(sum), std::filesystem::canonical(folder_).string() + "/k.cpp")
      << "the debug information has the whole path";
  EXPECT_EQ(sum.lines, (std::vector<ProfiledLine>{{4, digestOf("for (int i = 0; i < n; ++i)"), 10},
                                                  {5, digestOf("s += a[i] * 3;"), 30}}));
  EXPECT_EQ(profile.total(), 45u);
  ASSERT_EQ(importPprof(text), "");
  EXPECT_EQ(read().rest, (std::vector<UnattributedWeight>{{UnattributedWeight::Kind::Unknown, "", 45}}))
      << "no program";
  EXPECT_NE(notes_.find("no --program says where its functions are"), std::string::npos);
}

/// Sample profiles for clang, of the same program.
class ImportSampleProfile : public ImportProfile {
protected:
  static constexpr const char *kSamples = "_Z3sumPKli:1500:10\n"
                                          " 1: 10\n"
                                          " 3: 900\n"
                                          " 3.2: 90\n"
                                          " 4: helper:500\n"
                                          "  1: 300\n"
                                          "  2: 200\n"
                                          "gone:7:1\n"
                                          " 1: 7\n";
  std::string importSamples(const std::string &recording) {
    std::ofstream(folder_ + "recording") << recording;
    return run({.recordings = {{"autofdo", folder_ + "recording"}},
                .programs = {folder_ + "k"},
                .output = folder_ + "out.mcaprofile"});
  }
  void expectSum() {
    const Profile profile = read();
    ASSERT_EQ(profile.functions.size(), 1u);
    EXPECT_EQ(profile.functions[0].name, "_Z3sumPKli");
    EXPECT_EQ(profile.functions[0].lines, (std::vector<ProfiledLine>{{3, digestOf("long s = 0;"), 10},
                                                                     {5, digestOf("s += a[i] * 3;"), 990},
                                                                     {6, digestOf("return s;"), 500}}))
        << "distances from the declaration in line 2; what was inlined counts for the line of the call";
    EXPECT_EQ(profile.total(), 1507u);
    EXPECT_EQ(profile.unit, ProfileUnit::Events) << "how often lines were sampled is no time";
  }
};

TEST_F(ImportSampleProfile, LinesCountFromTheDeclaration) {
  ASSERT_EQ(importSamples(kSamples), "");
  expectSum();
}

TEST_F(ImportSampleProfile, BinaryFormsAreRead) {
  std::ofstream(folder_ + "samples.txt") << kSamples;
  for (const char *form : {"--binary", "--extbinary", "--extbinary --use-md5"}) {
    ASSERT_EQ(std::system(("cd " + folder_ + " && " PROFILE_TOOLS "/llvm-profdata merge --sample " + form +
                           " samples.txt -o samples.prof")
                              .c_str()),
              0);
    ASSERT_EQ(importSamples(contentsOf(folder_ + "samples.prof")), "") << form;
    expectSum();
  }
}

TEST_F(ImportSampleProfile, WhatIsBrokenHasALine) {
  EXPECT_EQ(importSamples("f:10:1\n 1: ten\n"),
            folder_ + "recording:2: Expected 'NUM[.NUM]: NUM[ mangled_name:NUM]*', found  1: ten");
  EXPECT_EQ(importSamples("no profile"),
            folder_ + "recording: this is no sample profile: Unrecognized sample profile encoding format");
  EXPECT_EQ(importSamples(""),
            folder_ + "recording: this is no sample profile: Unrecognized sample profile encoding format");
  std::ofstream(folder_ + "recording") << kSamples;
  EXPECT_EQ(run({.recordings = {{"autofdo", folder_ + "recording"}}, .output = folder_ + "out.mcaprofile"}),
            "recordings of the kind autofdo need one --program");
}

/// Counts of the source's loops, from the same source as it was built to count.
class ImportCounts : public ImportProfile {
protected:
  /// Builds the program to count, and runs commands after that in its folder.
  static void build(const std::string &name, const std::string &command, const std::string &then) {
    const std::string all = "cd " + folder_ + " && mkdir -p " + name + " && cd " + name + " && " + command +
                            " -g ../k.cpp -o k && { ./k; true; } && " + then;
    ASSERT_EQ(std::system(all.c_str()), 0) << all;
  }
  std::string importCounts(const std::string &kind, const std::string &file, const std::string &program) {
    return run({.recordings = {{kind, folder_ + file}},
                .programs = {folder_ + program},
                .output = folder_ + "out.mcaprofile"});
  }
  void expectLoops(uint32_t runs) {
    const Profile profile = read();
    EXPECT_EQ(profile.runs, 0u) << "counts are no time";
    EXPECT_EQ(profile.countedRuns, runs);
    EXPECT_EQ(profile.total(), 0u);
    const auto sum = std::ranges::find(profile.functions, "_Z3sumPKli", &ProfiledFunction::name);
    const auto scale = std::ranges::find(profile.functions, "_ZN2ns5scaleEPfi", &ProfiledFunction::name);
    ASSERT_TRUE(sum != profile.functions.end() && scale != profile.functions.end());
    EXPECT_EQ(sum->lines,
              (std::vector<ProfiledLine>{{4, digestOf("for (int i = 0; i < n; ++i)"), 0, 1000 * runs, runs}}));
    EXPECT_EQ(sum->code, "");
    ASSERT_EQ(scale->lines.size(), 1u);
    EXPECT_EQ(scale->lines[0].iterations, 1000 * runs);
  }
};

TEST_F(ImportCounts, OfClangsCoverageAreIterations) {
  build("clang", PROFILE_CLANG " -fprofile-instr-generate -fcoverage-mapping",
        "mv default.profraw one && ./k; " PROFILE_TOOLS "/llvm-profdata merge one default.profraw -o two");
  ASSERT_EQ(importCounts("profdata", "clang/one", "clang/k"), "") << "as the program writes it";
  expectLoops(1);
  ASSERT_EQ(importCounts("profdata", "clang/two", "clang/k"), "") << "indexed, of two runs";
  expectLoops(2);
  EXPECT_NE(importCounts("profdata", "clang/two", "k").find("k: it has no coverage mapping; build with"),
            std::string::npos);
  EXPECT_NE(importCounts("profdata", "k.cpp", "clang/k").find("this is no instrumentation profile"), std::string::npos);
  std::ofstream(folder_ + "half") << contentsOf(folder_ + "clang/two").substr(0, 200);
  EXPECT_NE(importCounts("profdata", "half", "clang/k"), "");
}

TEST_F(ImportCounts, OfGcovAreIterations) {
  build("gcc", "g++ --coverage", "gcov --json-format --branch-probabilities --stdout *.gcda >one");
  ASSERT_EQ(importCounts("gcov", "gcc/one", "gcc/k"), "");
  expectLoops(1);
  std::ofstream(folder_ + "part") << R"({"files": [{"file": "k.cpp", "lines": [{"line_number": 4, "count": 9}]}]})"
                                  << "\n";
  EXPECT_NE(importCounts("gcov", "part", "gcc/k").find("the calls of main are not counted"), std::string::npos);
}

TEST_F(ImportProfile, AddsExactCountsOfCallgrind) {
  if (std::system("valgrind --version >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "the package valgrind is not installed";
  ASSERT_EQ(std::system(("cd " + folder_ +
                         " && valgrind --tool=callgrind --dump-instr=yes --collect-jumps=yes "
                         "--callgrind-out-file=cg ./k >/dev/null 2>&1 || true")
                            .c_str()),
            0);
  std::ofstream(folder_ + "recording") << sample("sum", 3);
  ASSERT_EQ(run({.recordings = {{"perf", folder_ + "recording"}, {"callgrind", folder_ + "cg"}},
                 .programs = {folder_ + "k"},
                 .output = folder_ + "out.mcaprofile",
                 .gigahertz = 2.5}),
            "");
  const Profile profile = read();
  EXPECT_EQ(profile.event, "cpu-clock");
  EXPECT_EQ(profile.hertz, 2'500'000'000u);
  EXPECT_EQ(profile.countedRuns, 1u);
  const ProfiledFunction &sum = *std::ranges::find(profile.functions, "_Z3sumPKli", &ProfiledFunction::name);
  EXPECT_EQ(sum.weight(), 250000u);
  uint64_t most = 0;
  for (const uint64_t executions : sum.executions)
    most = std::max(most, executions);
  EXPECT_GT(most, 100u) << "the loop ran more often than its function";

  EXPECT_EQ(run({.recordings = {{"mcaprofile", folder_ + "out.mcaprofile"}, {"mcaprofile", folder_ + "out.mcaprofile"}},
                 .output = folder_ + "twice.mcaprofile"}),
            "");
}

TEST_F(ImportProfile, RecordsACommand) {
  if (std::system(("perf record --quiet -o " + folder_ + "data -- true >/dev/null 2>&1").c_str()) != 0)
    GTEST_SKIP() << "perf is not installed, or may not record here";
  ProfileRequest request{.output = folder_ + "recorded.mcaprofile",
                         .command = {"sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"}};
  const auto made = recordProfile(request, [](const auto &) {}, [](const auto &) {});
  ASSERT_TRUE(made) << made.message();
  const auto profile = readProfile(contentsOf(*made), *made);
  ASSERT_TRUE(profile) << profile.message();
  EXPECT_GT((*profile).samples, 10u);
  request.command = {"/nothing/here"};
  EXPECT_EQ(recordProfile(
                request, [](const auto &) {}, [](const auto &) {})
                .message(),
            "/nothing/here: No such file or directory");
}

TEST_F(ImportProfile, OverwritesOnlyProfiles) {
  std::ofstream(folder_ + "recording") << sample("sum", 3);
  EXPECT_EQ(run({.recordings = {{"perf", folder_ + "recording"}}, .output = folder_ + "k.cpp"}),
            folder_ + "k.cpp: the file exists and is no profile; it is not overwritten");
  EXPECT_EQ(run({.recordings = {{"gprof", folder_ + "recording"}}, .output = folder_ + "out.mcaprofile"}),
            "'gprof' is no kind of profile: expected perf, pprof, autofdo, profdata, gcov, callgrind or mcaprofile");
}

} // namespace
} // namespace analysis
