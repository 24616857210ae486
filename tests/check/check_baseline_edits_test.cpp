// A baseline against the same code after edits: what did not change is compared with itself, wherever it has moved.
#include "tests/check/programs.h"

#include <nlohmann/json.hpp>
#include <random>

namespace check {
namespace {

using nlohmann::json;

/// Loops whose names hold lines or numbers: inlined at two calls, with paths, in lambdas, in instances of a template,
/// from macros; several in one function, two of them identical.
const Words kSource = {
    "static inline int twice(const int *v, int n) {",
    "  int t = 0;",
    "  for (int i = 0; i < n; ++i)",
    "    t += v[i] * 2;",
    "  for (int i = 1; i < n; ++i)",
    "    t ^= v[i] / (v[i - 1] | 1);",
    "  return t;",
    "}",
    "#define SUM(a, n) for (int w = 0; w < (n); ++w) sum += (a)[w] * (a)[w];",
    "int useOnce(const int *v, int n) {",
    "  return twice(v, n);",
    "}",
    "int useTwice(const int *v, int n) {",
    "  int t = twice(v, n);",
    "  return t - twice(v + 1, n - 1);",
    "}",
    "int paths(const int *v, int n) {",
    "  int c = 0;",
    "  for (int i = 0; i < n; ++i) {",
    "    if (v[i] > 7)",
    "      c = c * 5 + v[c & 7];",
    "    else if (v[i] == 3)",
    "      c = v[c & 15] / 3;",
    "  }",
    "  while (n--)",
    "    if (v[n] & 1)",
    "      c = v[c & 3] * c;",
    "    else",
    "      c = v[(c >> 1) & 3] - c;",
    "  return c;",
    "}",
    "template <typename T> T dot(const T *a, const T *b, int n) {",
    "  T sum = 0;",
    "  for (int i = 0; i < n; ++i)",
    "    sum += a[i] * b[i];",
    "  return sum;",
    "}",
    "template float dot(const float *, const float *, int);",
    "template double dot(const double *, const double *, int);",
    "unsigned several(unsigned *a, unsigned *b, int n) {",
    "  unsigned sum = 0;",
    "  SUM(a, n)",
    "  for (int i = 0; i < n; ++i)",
    "    sum = sum * 31 + b[sum & 7];",
    "  SUM(b, n)",
    "  SUM(a, n)",
    "  return sum;",
    "}",
    "template <typename F> __attribute__((noinline)) int each(const int *v, int n, F f) {",
    "  int t = 0;",
    "  for (int i = 0; i < n; ++i)",
    "    t = f(t, v[i]);",
    "  return t;",
    "}",
    "int lambdas(const int *v, int n) {",
    "  int t = each(v, n, [](int a, int b) { return a + b; });",
    "  return t + each(v, n, [](int a, int b) { return (a ^ b) / (b | 1); });",
    "}",
};

std::string joined(const Words &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  return text;
}

class CheckBaselineEdits : public InEmptyFolder {
protected:
  CheckBaselineEdits() {
    writeFile("a.cpp", joined(kSource));
    writeFile("compile_flags.txt", "-O2\n");
    EXPECT_EQ(runCheck({"a.cpp", "--cpu=znver4", "--format=json", "-o", "main.json"}).status, 0);
    json before = json::parse(readFile("main.json"));
    EXPECT_GE(before["files"][0]["regions"].size(), 16u) << before.dump(1);
    for (json &region : before["files"][0]["regions"]) {
      EXPECT_FALSE(region.value("code", "").empty()) << region.dump();
      region.erase("code");
    }
    writeFile("old.json", before.dump()); // as an older version wrote it
  }

  /// The regions of the edited source, compared with a baseline.
  static json compared(const Words &lines, const std::string &baseline) {
    writeFile("a.cpp", joined(lines));
    const ProcessResult result =
        runCheck({"a.cpp", "--cpu=znver4", "--format=json", "--baseline", baseline, "--fail-on=never"});
    EXPECT_EQ(result.status, 0) << result.errors;
    return json::parse(result.output)["files"][0]["regions"];
  }

  static void expectSame(const json &region, const std::string &what) {
    ASSERT_TRUE(region.contains("baselineCyclesPerIteration")) << what << ": " << region["name"];
    EXPECT_EQ(region["baselineCyclesPerIteration"], region["cyclesPerIteration"]) << what << ": " << region["name"];
  }
};

TEST_F(CheckBaselineEdits, LinesOfCommentsChangeNothing) {
  std::mt19937 random(35);
  for (int round = 0; round < 6; ++round) {
    Words lines = kSource;
    for (int i = 0; i < 40; ++i)
      lines.insert(lines.begin() + std::uniform_int_distribution<std::ptrdiff_t>(0, std::ssize(lines))(random),
                   "// a line more");
    for (const char *baseline : {"main.json", "old.json"}) {
      const json regions = compared(lines, baseline);
      for (const json &region : regions)
        expectSame(region, baseline + std::string(", round ") + std::to_string(round));
    }
  }
}

TEST_F(CheckBaselineEdits, OnlyTheLoopThatWasChangedDiffers) {
  const auto edited = [](size_t line, const std::string &text) {
    Words lines = kSource;
    lines[line] = text;
    lines.insert(lines.begin(), 3, "// moved");
    return lines;
  };
  for (const auto &[line, text, function] : std::vector<std::tuple<size_t, const char *, const char *>>{
           {43, "    sum = sum * 33 / (b[sum & 7] | 1);", "in several"},
           {34, "    sum += a[i] / b[i];", "in T dot"},
           {22, "      c = v[c & 15] / 3 / (c | 1);", "in paths"}}) {
    size_t differing = 0;
    for (const json &region : compared(edited(line, text), "main.json")) {
      const bool isSame = region.contains("baselineCyclesPerIteration") &&
                          region["baselineCyclesPerIteration"] == region["cyclesPerIteration"];
      differing += !isSame;
      const std::string name = region["name"];
      const bool isOfFunction = name.find(std::string(function).substr(3)) != std::string::npos ||
                                (line == 34 && name.find("dot") != std::string::npos);
      EXPECT_TRUE(isSame || isOfFunction) << name << " after " << text;
    }
    EXPECT_GE(differing, 1u) << text;
  }
}

TEST_F(CheckBaselineEdits, LoopsThatComeAndGoTakeNoOtherWithThem) {
  Words without = kSource;
  without.erase(without.begin() + 41); // the first SUM(a, n)
  for (const json &region : compared(without, "main.json"))
    expectSame(region, "one is gone");
  Words moved = kSource;
  std::swap(moved[41], moved[44]);
  for (const json &region : compared(moved, "main.json"))
    expectSame(region, "two have changed places");
  Words more = kSource;
  more.insert(more.begin() + 41, {"  for (int i = 0; i < n; ++i)", "    sum = b[sum & 3] / (sum | 1);"});
  size_t fresh = 0;
  for (const json &region : compared(more, "main.json"))
    if (region.contains("baselineCyclesPerIteration"))
      expectSame(region, "one is new");
    else
      ++fresh;
  EXPECT_EQ(fresh, 1u);
  Words lambda = kSource;
  lambda.insert(lambda.begin() + 55, "  n += each(v, 3, [](int a, int b) { return a * b - (a / (b | 1)); });");
  for (const json &region : compared(lambda, "main.json"))
    if (region.contains("baselineCyclesPerIteration"))
      expectSame(region, "a lambda before the others");
}

} // namespace
} // namespace check
