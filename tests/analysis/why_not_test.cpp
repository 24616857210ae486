// Why compilers did not vectorize loops: whole analyses of loops whose reason is known, with clang and with gcc, and
// what became of loops that are none in the machine code.
#include "analysis/job/analyzer.h"
#include "tests/analysis/compile/temp_folder.h"

#include <gtest/gtest.h>

#include <map>

namespace analysis {
namespace {

using Strings = std::vector<std::string>;

wire::AnalysisResult analysed(const std::string &text, const std::string &flags, const std::string &compiler = "") {
  const TempFolder folder;
  folder.write("compile_flags.txt", flags);
  Analyzer analyzer;
  wire::Settings settings;
  settings.compiler = compiler;
  return analyzer.run({.id = 1,
                       .path = folder.write("a.c", text),
                       .language = wire::Language::C,
                       .text = text,
                       .settings = std::move(settings),
                       .reasons = true},
                      {}, [](const wire::Progress &) {});
}

TEST(WhyNot, ACompileWithoutReasonsIsEnoughForAJobWithoutThem) {
  const TempFolder folder;
  folder.write("compile_flags.txt", "-O2\n");
  const std::string text =
      "float sum(const float *a, int n) {\n  float s = 0;\n  for (int i = 0; i < n; ++i) s += a[i];\n"
      "  return s;\n}\n";
  const std::string file = folder.write("a.c", text);
  Analyzer analyzer;
  const auto run = [&](bool reasons) {
    return analyzer.run(
        {.id = 1, .path = file, .language = wire::Language::C, .text = text, .reuseCompiled = true, .reasons = reasons},
        {}, [](const wire::Progress &) {});
  };
  const auto hasReasons = [](const wire::AnalysisResult &result) {
    return result.hasReasons && !result.regions.empty() && !result.regions.front().whyNot.empty();
  };
  const wire::AnalysisResult first = run(false), second = run(false), third = run(true), fourth = run(false);
  EXPECT_FALSE(first.hasReasons);
  EXPECT_GT(first.compileMicros, 0u);
  EXPECT_EQ(second.compileMicros, 0u);
  EXPECT_TRUE(hasReasons(third));
  EXPECT_GT(third.compileMicros, 0u);
  EXPECT_TRUE(hasReasons(fourth)) << "they are there";
  EXPECT_EQ(fourth.compileMicros, 0u);
}

/// A loop in a function of its own, and the name of the decisive reason; empty if it is vectorized.
struct KnownLoop {
  const char *reason;
  const char *parameters;
  const char *body; ///< one loop, in one line
};

/// Each function in a line.
std::string textOf(std::span<const KnownLoop> loops) {
  std::string text = "// mca: cpu=skylake\nfloat sinf(float);\nvoid g(int);\n";
  for (size_t i = 0; i < loops.size(); ++i)
    text += "int f" + std::to_string(i) + "(" + loops[i].parameters + ") { int s = 1; float t = 0; " + loops[i].body +
            " return s + (int)t; }\n";
  return text;
}

void expectReasons(std::span<const KnownLoop> loops, const std::string &flags, const std::string &compiler) {
  const wire::AnalysisResult result = analysed(textOf(loops), flags, compiler);
  std::map<std::string, Strings> reasons; // by function
  for (const wire::Region &region : result.regions) {
    Strings names;
    for (const wire::WhyNot &reason : region.whyNot)
      names.push_back(reason.name);
    reasons.emplace(region.name, names);
  }
  for (size_t i = 0; i < loops.size(); ++i) {
    const auto found = reasons.find("loop in f" + std::to_string(i));
    ASSERT_NE(found, reasons.end()) << loops[i].body;
    EXPECT_EQ(found->second.empty() ? "" : found->second.front(), loops[i].reason) << loops[i].body;
  }
}

constexpr const char *kOne = "int *a, int n";
constexpr const char *kTwo = "int *restrict a, const int *restrict b, int n";
constexpr const char *kFloats = "float *restrict a, const float *restrict b, int n";

TEST(WhyNot, ClangsReasonsAreThoseOfItsRecord) {
  const KnownLoop loops[] = {
      {"", kTwo, "for (int i = 0; i < n; ++i) a[i] += b[i];"},
      {"", kTwo, "for (int i = 0; i < n; ++i) s += b[i];"},
      {"", kFloats, "for (int i = 0; i < n; ++i) a[i] = b[i] * 2;"},
      {"CantReorderFPOps", kFloats, "for (int i = 0; i < n; ++i) t += b[i];"},
      {"CantReorderFPOps", kFloats, "for (int i = 0; i < n; ++i) t += a[i] * b[i];"},
      {"UnsafeDep", kOne, "for (int i = 1; i < n; ++i) a[i] += a[i - 1];"},
      {"", kFloats, "for (int i = 2; i < n; ++i) a[i] = a[i - 2] * 2;"},
      {"CantIdentifyArrayBounds", "int *a, const int *b, int n", "for (int i = 0; i < n; ++i) a[b[i]] += 1;"},
      {"NonReductionValueUsedOutsideLoop", kTwo, "for (int i = 0; i < n; ++i) s = s * 3 ^ b[i];"},
      {"NoInductionVariable", kTwo, "for (int i = n; i; i = b[i]) s += i;"},
      {"NoInductionVariable", "struct L { struct L *n; int v; } *l", "for (; l; l = l->n) l->v = 0;"},
      {"UnsupportedUncountableLoop", "struct S { int n; char *d; } *p", "for (int i = 0; i < p->n; ++i) p->d[i] ^= 1;"},
      {"CantVectorizeLibcall", kFloats, "for (int i = 0; i < n; ++i) a[i] = sinf(b[i]);"},
      {"CantVectorizeLibcall", kOne, "for (int i = 0; i < n; ++i) g(a[i]);"},
      {"CantVectorizeLibcall", kOne, "for (int i = 0; i < n; ++i) { __asm__ volatile(\"nop\"); a[i] = 1; }"},
      {"VectorizationNotBeneficial", kTwo, "for (int i = 0; i < n; ++i) a[7 * i] = b[5 * i] / 3;"},
      {"PotentiallyFaultingLoadsNotSupported", kTwo, "for (int i = 0; i < n; ++i) if (b[i] == 3) return i;"},
      {"NonSimpleLoad", "const volatile int *a, int n", "for (int i = 0; i < n; ++i) s += a[i];"},
      {"CantVectorizeInstruction", "volatile int *a, int n", "for (int i = 0; i < n; ++i) a[i] = i;"},
      {"CantVectorizeStoreToLoopInvariantAddress", kTwo, "for (int i = 0; i < n; ++i) if (b[i]) *a = b[i] * *a;"},
      {"CantVectorizeNontemporalStore", "short *restrict a, const short *restrict b, int n",
       "for (int i = 0; i < n; ++i) __builtin_nontemporal_store((short)(b[i] * 3), &a[i]);"},
      {"CantVectorizeIntrinsic", "double *restrict a, const int *restrict b, int n",
       "for (int i = 0; i < n; ++i) a[i] = __builtin_powi(a[i], b[i]);"},
      {"AllDisabled", kOne,
       "_Pragma(\"clang loop vectorize(disable) interleave(disable)\") for (int i = 0; i < n; ++i) a[i] *= 3;"},
      {"LoopContainsUnsupportedTerminator", kOne,
       "static void *const w[] = {&&x, &&y}; for (int i = 0; i < n; ++i) { goto *w[a[i]]; x: a[i] = 1; continue; y: "
       "a[i] = 2; }"},
  };
  expectReasons(loops, "-O2\n--target=x86_64-linux-gnu\n", "");
}

TEST(WhyNot, ALoopOfAnUnoptimizingLevelSaysSo) {
  const KnownLoop loops[] = {{"MissedForceOnly", kTwo, "for (int i = 0; i < n; ++i) a[i] += b[i];"}};
  expectReasons(loops, "-O1\n--target=x86_64-linux-gnu\n", "");
}

TEST(WhyNot, GccsReasonsAreThoseOfItsMessages) {
  const KnownLoop loops[] = {
      {"", kTwo, "for (int i = 0; i < n; ++i) a[i] += b[i];"},
      {"", kTwo, "for (int i = 0; i < n; ++i) s += b[i];"},
      {"relevant stmt not supported", kFloats, "for (int i = 0; i < n; ++i) a[i] = sinf(b[i]);"},
      {"number of iterations cannot be computed", kTwo, "for (int i = n; i; i = b[i]) s += i;"},
      {"number of iterations cannot be computed", "struct S { int n; char *d; } *p",
       "for (int i = 0; i < p->n; ++i) p->d[i] ^= 1;"},
      {"number of iterations cannot be computed", kTwo, "while (b[s] != n) ++s;"},
      {"unsupported use in stmt", kTwo, "for (int i = 0; i < n; ++i) s = s * 3 ^ b[i];"},
      {"control flow in loop", kTwo, "for (int i = 0; i < n; ++i) if (b[i] == 3) return i;"},
      {"possible dependence between data-refs", kOne, "for (int i = 1; i < n; ++i) a[i] += a[i - 1];"},
  };
  expectReasons(loops, "-O3\n-march=x86-64\n", "gcc");
}

/// The place of the decisive reason, and of what is related to it.
TEST(WhyNot, NamesTheStoreThatClobbersALoad) {
  const std::string text = "// mca: cpu=skylake\nstruct S { int n; char *d; };\nvoid f(struct S *p) {\n"
                           "  for (int i = 0;\n       i < p->n; ++i)\n    p->d[i] ^= 1;\n}\n";
  const wire::AnalysisResult result = analysed(text, "-O2\n--target=x86_64-linux-gnu\n");
  ASSERT_FALSE(result.regions.empty());
  const std::vector<wire::WhyNot> &reasons = result.regions.front().whyNot;
  ASSERT_GE(reasons.size(), 2u);
  EXPECT_EQ(reasons[0].pass, "loop-vectorize");
  EXPECT_EQ(reasons[0].at.path, "");
  EXPECT_EQ(reasons[0].at.line, 4u);
  EXPECT_EQ(reasons[0].at.at.begin, text.find("for"));
  const auto load = std::ranges::find(reasons, "LoadWithLoopInvariantAddressInvalidated", &wire::WhyNot::name);
  ASSERT_NE(load, reasons.end());
  EXPECT_EQ(load->pass, "licm");
  EXPECT_EQ(load->at.line, 5u);
  ASSERT_FALSE(load->arguments.empty());
  EXPECT_EQ(load->arguments[0].key, "ClobberedBy");
  EXPECT_EQ(load->arguments[0].value, "store");
  EXPECT_EQ(load->arguments[0].at.line, 6u);
}

/// Loops of one line have their own reasons, by the columns of their keywords.
TEST(WhyNot, TellsLoopsOfOneLineApart) {
  const std::string text =
      "// mca: cpu=skylake\nfloat f(float *a, const float *b, int n) { float t = 0; for (int i = 0; "
      "i < n; ++i) t += b[i]; for (int i = 1; i < n; ++i) a[i] += a[i - 1]; return t; }\n";
  Strings names;
  for (const wire::Region &region : analysed(text, "-O2\n-fno-unroll-loops\n--target=x86_64-linux-gnu\n").regions)
    names.push_back(region.whyNot.empty() ? "" : region.whyNot.front().name);
  EXPECT_EQ(names, (Strings{"CantReorderFPOps", "UnsafeDep"}));
}

/// Copies that one function inlined of a loop: one is vectorized, and nothing is said of the others.
TEST(WhyNot, SaysOnlyWhatHoldsForAllCopiesOfALoop) {
  const std::string text = "// mca: cpu=skylake\nstatic inline void add(int *a, const int *b, int n, int d) {\n"
                           "  for (int i = 1; i < n; ++i)\n    a[i] += b[i - d];\n}\n"
                           "void f(int *restrict a, const int *restrict b, int n) {\n"
                           "  add(a, b, n, 0);\n  add(a, a, n, 1);\n}\n";
  const wire::AnalysisResult result = analysed(text, "-O2\n--target=x86_64-linux-gnu\n");
  ASSERT_FALSE(result.regions.empty());
  for (const wire::Region &region : result.regions)
    EXPECT_TRUE(region.whyNot.empty()) << region.name << ", " << region.variant;
}

/// gcc names a loop by the condition of its exit, which need not be on a line of the loop's head, and other statements
/// for each copy of one loop.
TEST(WhyNot, FindsGccsReasonsByTheBranchesOfTheLoop) {
  const std::string text = "// mca: cpu=skylake\nint find(const int *a, int n) {\n  int i = 0;\n  for (;;) {\n"
                           "    if (a[i] == n || a[i] < i)\n      return i;\n    i += 2;\n  }\n}\n"
                           "static inline int scan(const int *a, int n, int k) {\n  int s = 1;\n"
                           "  for (int i = 0; i < n; ++i)\n    s = s * k ^ a[i];\n  return s;\n}\n"
                           "int two(const int *a, const int *b, int n) { return scan(a, n, 3) + scan(b, n, 5); }\n";
  std::vector<std::pair<std::string, uint32_t>> reasons;
  for (const wire::Region &region : analysed(text, "-O3\n-march=x86-64\n", "gcc").regions) {
    ASSERT_FALSE(region.whyNot.empty()) << region.name;
    reasons.emplace_back(region.whyNot.front().name, region.whyNot.front().at.line);
  }
  const std::pair<std::string, uint32_t> exit{"number of iterations cannot be computed", 5},
      use{"unsupported use in stmt", 13};
  ASSERT_GE(reasons.size(), 3u);
  EXPECT_EQ(std::ranges::count(reasons, exit), 1);
  EXPECT_EQ(std::ranges::count(reasons, use), static_cast<ptrdiff_t>(reasons.size()) - 1);
}

/// What became of each vanished loop, by 1-based line: the kind, iterations and callee.
std::map<size_t, Strings> fates(const std::string &text, const std::string &flags, const std::string &compiler = "") {
  static constexpr const char *kNames[] = {"unrolled", "call", "deleted", "never"};
  std::map<size_t, Strings> found;
  for (const wire::VanishedLoop &loop : analysed(text, flags, compiler).vanishedLoops) {
    Strings &of = found[1 + static_cast<size_t>(std::count(text.begin(), text.begin() + loop.at.begin, '\n'))];
    for (const wire::LoopFate &fate : loop.fates)
      of.push_back(kNames[static_cast<size_t>(fate.kind)] +
                   (" " + std::to_string(fate.iterations) + " " + fate.callee));
  }
  return found;
}

const std::string kGone = "// mca: cpu=skylake\n"                                         // 1
                          "void clear(char *v, unsigned long n) {\n"                      // 2
                          "  for (unsigned long i = 0; i < n; i++)\n"                     // 3
                          "    v[i] = 0;\n}\n"                                            // 4
                          "int four(const int *v) {\n  int s = 0;\n"                      // 6
                          "  for (int i = 0; i < 3; i++)\n    s = s * 3 + v[7 * i];\n"    // 8
                          "  return s;\n}\n"                                              // 10
                          "unsigned gauss(unsigned n) {\n  unsigned s = 0;\n"             // 12
                          "  while (n)\n    s += n--;\n  return s;\n}\n"                  // 14
                          "void copy(int *restrict a, const int *restrict b, long n) {\n" // 18
                          "  for (long i = 0; i < n; i++)\n    a[i] = b[i];\n}\n";        // 19

TEST(WhyNot, SaysWhatBecameOfLoops) {
  EXPECT_EQ(fates(kGone, "-O2\n--target=x86_64-linux-gnu\n"),
            (std::map<size_t, Strings>{
                {3, {"call 0 memset"}}, {8, {"unrolled 3 "}}, {14, {"deleted 0 "}}, {19, {"call 0 memcpy"}}}));
}

TEST(WhyNot, SaysWhatBecameOfLoopsWithGcc) {
  const std::map<size_t, Strings> found = fates(kGone, "-O3\n-march=x86-64\n", "gcc");
  EXPECT_EQ(found.at(3), Strings{"call 0 "});
  EXPECT_EQ(found.at(8), Strings{"unrolled 3 "});
  EXPECT_EQ(found.at(19), Strings{"call 0 "});
}

} // namespace
} // namespace analysis
