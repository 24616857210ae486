// Whether a text is the code that ran: clang compiles the same source to assembly and to a program.
#include "analysis/profile/function_match.h"

#include "analysis/import/program_image.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace analysis {
namespace {

// With padding before loops, calls, jumps that need four bytes, a load through the GOT and one from a constant.
constexpr const char *kSource = R"(
extern char **environ;
int printf(const char *, ...);
__attribute__((noinline)) double sum(const double *a, long n) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += a[i] * 0.3 + 1;
  return s;
}
__attribute__((noinline)) void scale(float *a, long n) {
  for (long i = 0; i < n; ++i) {
    if (a[i] > 100.0f)
      printf("%f %f %f %f\n", a[i], a[i] + 1, a[i] + 2, a[i] + 3);
    if (environ)
      a[i] = a[i] * 1.1f;
  }
}
int main(void) {
  static double d[100];
  static float f[100];
  scale(f, 100);
  return (int)sum(d, 100);
}
)";

class FunctionMatch : public testing::TestWithParam<std::string> {
protected:
  static void SetUpTestSuite() {
    std::string pattern = testing::TempDir() + "match-XXXXXX";
    folder_ = std::string(mkdtemp(pattern.data())) + "/";
    std::ofstream(folder_ + "k.c") << kSource;
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(folder_); }

  static void compile(const std::string &flags, const std::string &more = "") {
    const std::string clang = "cd " + folder_ + " && " PROFILE_CLANG " " + flags + " ";
    ASSERT_EQ(std::system((clang + "-S k.c -o k.s").c_str()), 0);
    ASSERT_EQ(std::system((clang + more + " -c k.c -o k.o").c_str()), 0);
    // A linker for any target: without the start-up code of a system that is not installed.
    ASSERT_EQ(std::system(("cd " + folder_ + " && " PROFILE_CLANG " " + flags +
                           " -fuse-ld=lld -nostdlib -shared -Wl,-z,notext k.o -o k")
                              .c_str()),
              0);
  }

  struct Text {
    std::unique_ptr<mca::Target> target;
    std::unique_ptr<mca::Program> program;
    std::unique_ptr<mca::ProgramBranches> branches;
  };
  static Text read(const std::string &triple, const std::string &edit = "", const std::string &by = "") {
    std::ostringstream text;
    text << std::ifstream(folder_ + "k.s").rdbuf();
    std::string assembly = text.str();
    if (!edit.empty()) {
      const size_t at = assembly.find(edit);
      EXPECT_NE(at, std::string::npos) << edit;
      assembly.replace(at, edit.size(), by);
    }
    Text result;
    result.target = std::move(*mca::Target::create({.triple = triple, .cpu = "", .literal = true}));
    result.program = mca::Program::parse(std::move(assembly), *result.target, {});
    result.branches = std::make_unique<mca::ProgramBranches>(*result.target, *result.program);
    return result;
  }
  static ProfiledFunction functionOf(const std::string &name) {
    auto image = ProgramImage::open(folder_ + "k");
    EXPECT_TRUE(image) << (image ? "" : image.message());
    const ProgramFunction &function = (*image)->functionsNamed(name).front();
    return {.name = name, .address = function.address, .code = function.bytes.str()};
  }
  static FunctionMatcher::Match match(const Text &text, const std::string &name) {
    return FunctionMatcher(*text.branches).match(text.branches->placeOf(name), functionOf(name));
  }

  static inline std::string folder_;
};

TEST_P(FunctionMatch, TheSameFlagsMakeTheSameCode) {
  compile(GetParam());
  const std::string triple =
      GetParam().substr(GetParam().find('=') + 1, GetParam().find(' ') - GetParam().find('=') - 1);
  const Text text = read(triple);
  for (const std::string name : {"sum", "scale"}) {
    const auto same = match(text, name);
    EXPECT_EQ(same.difference, "") << name;
    ASSERT_FALSE(same.offsets.empty());
    EXPECT_EQ(same.offsets.front(), 0u);
    EXPECT_TRUE(std::ranges::is_sorted(same.offsets));
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, FunctionMatch,
                         testing::Values("--target=x86_64-linux-gnu -O2", "--target=x86_64-linux-gnu -O3 -mavx512f",
                                         "--target=x86_64-linux-gnu -Os -fPIC", "--target=i686-linux-gnu -O2",
                                         "--target=aarch64-linux-gnu -O2"),
                         [](const auto &one) { return "Flags" + std::to_string(one.index); });

TEST_F(FunctionMatch, OtherFlagsAreADifference) {
  compile("--target=x86_64-linux-gnu -O2", "-mavx2");
  const auto other = match(read("x86_64-linux-gnu"), "sum");
  EXPECT_NE(other.difference.find("the program has `v"), std::string::npos) << other.difference;
  EXPECT_TRUE(other.instructions.empty());
}

TEST_F(FunctionMatch, AnEditIsADifference) {
  compile("--target=x86_64-linux-gnu -O2");
  const auto constant = match(read("x86_64-linux-gnu", "\taddsd\t", "\tsubsd\t"), "sum");
  EXPECT_NE(constant.difference.find("`addsd` for `subsd`"), std::string::npos) << constant.difference;
  const auto longer = match(read("x86_64-linux-gnu", "\tretq", "\tnop\n\tretq"), "sum");
  EXPECT_NE(longer.difference, "");
  EXPECT_EQ(match(read("x86_64-linux-gnu", "\taddsd\t", "\tsubsd\t"), "scale").difference, "") << "another function";
}

TEST_F(FunctionMatch, ABranchThatGoesElsewhereIsADifference) {
  std::ofstream(folder_ + "k.s") << "\t.type f,@function\nf:\n\tdecl %eax\n.L1:\n\tdecl %ecx\n\tjne .L1\n\tretq\n";
  const Text text = read("x86_64-linux-gnu");
  const auto compare = [&](const std::string &code) {
    return FunctionMatcher(*text.branches)
        .match(text.branches->placeOf("f"), {.name = "f", .address = 0x1000, .code = code});
  };
  EXPECT_EQ(compare("\xff\xc8\xff\xc9\x75\xfc\xc3").difference, "");
  EXPECT_EQ(compare(std::string("\xff\xc8\xff\xc9\x0f\x85\xf8\xff\xff\xff\xc3", 11)).difference, "") << "the long form";
  EXPECT_EQ(compare("\xff\xc8\x90\xff\xc9\x75\xfb\xc3").difference, "") << "padding";
  EXPECT_EQ(compare("\xff\xc8\xff\xc9\x75\xfa\xc3").difference,
            "the program's branch in line 6 of the assembly goes elsewhere");
  EXPECT_EQ(compare("\xff\xc8\xff\xc9\x75\xfc").difference,
            "the program's ends before instruction 4 (line 7 of the assembly), `retq`");
  EXPECT_EQ(compare("").difference, "the profile lacks the function's machine code");
}

} // namespace
} // namespace analysis
