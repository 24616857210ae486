// Budgets as a buffer writes them.
#include "analysis/job/buffer_settings.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

/// "cycles<=4.5 on znver4 at line 2, for line 1" of each budget, then "line 3: message" of each finding.
std::vector<std::string> read(const std::string &text) {
  const TextLines lines(text);
  const BufferSettings settings = readBufferSettings(lines);
  const auto line = [&](uint32_t offset) { return std::to_string(lines.lineOf(offset) + 1); };
  std::vector<std::string> result;
  for (const Budget &budget : settings.budgets)
    result.push_back((budget.what == Budget::What::Cycles ? "cycles<=" : "ipc>=") + budget.written +
                     (budget.cpu.empty() ? "" : " on " + budget.cpu) + " at line " + line(budget.at.begin) +
                     ", for line " + line(budget.marker.begin));
  for (const wire::Finding &finding : settings.findings)
    result.push_back("line " + line(finding.at.begin) + ": " + finding.message);
  if (!settings.cpu.empty())
    result.push_back("buffer's CPU: " + settings.cpu);
  return result;
}

using Strings = std::vector<std::string>;

TEST(Budgets, StandBelowTheirMarker) {
  EXPECT_EQ(read("nop\n# LLVM-MCA-BEGIN x\n# mca: cycles<=4.50 cpu=znver4\nnop\n"),
            (Strings{"cycles<=4.50 on znver4 at line 3, for line 2"}));
  EXPECT_EQ(read("# LLVM-MCA-BEGIN\n# mca: ipc>=2 cycles<=3\n# mca: cpu=a ipc>=1\n"),
            (Strings{"ipc>=2 at line 2, for line 1", "cycles<=3 at line 2, for line 1",
                     "ipc>=1 on a at line 3, for line 1"}));
}

TEST(Budgets, InEveryComment) {
  for (const char *text : {"// LLVM-MCA-BEGIN x\n  // mca: cycles<=4\n", "; LLVM-MCA-BEGIN x\n; mca: cycles<=4\n",
                           "@ LLVM-MCA-BEGIN x\n@ mca: cycles<=4\n", "/* LLVM-MCA-BEGIN x */\n/* mca: cycles<=4 */\n",
                           "nop # LLVM-MCA-BEGIN x\r\n# mca: cycles<=4\r\n"})
    EXPECT_EQ(read(text), (Strings{"cycles<=4 at line 2, for line 1"})) << text;
}

TEST(Budgets, SetNothing) {
  EXPECT_EQ(read("# mca: cpu=a\n# LLVM-MCA-BEGIN\n# mca: cycles<=4 cpu=b\n"),
            (Strings{"cycles<=4 on b at line 3, for line 2", "buffer's CPU: a"}));
}

TEST(Budgets, SettingsBelowAMarkerStayTheBuffers) {
  EXPECT_EQ(read("# LLVM-MCA-BEGIN\n# mca: cpu=b\nnop\n"), (Strings{"buffer's CPU: b"}));
}

TEST(Budgets, ElsewhereAreMistakes) {
  const std::string message = "a budget stands directly below the LLVM-MCA-BEGIN of its region";
  EXPECT_EQ(read("# mca: cycles<=4\n"), (Strings{"line 1: " + message}));
  EXPECT_EQ(read("# LLVM-MCA-BEGIN\nnop\n# mca: cycles<=4\n"), (Strings{"line 3: " + message}));
  EXPECT_EQ(read("# LLVM-MCA-BEGIN\n# mca: cpu=b\n# mca: cycles<=4\n").front(), "line 3: " + message);
  EXPECT_EQ(read("nop\n# mca: cycles<=4\n# mca: cycles<=5\n"), (Strings{"line 2: " + message, "line 3: " + message}));
}

TEST(Budgets, MistakesAreFindingsOnTheirWord) {
  const std::string text =
      "# LLVM-MCA-BEGIN\n# mca: cycles<=x cycles>=2 ipc<=1 ipc>=-1 ipc>=inf cycles<=0 fast cycles<=2\n";
  const BufferSettings settings = readBufferSettings(TextLines(text));
  const char *words[] = {"cycles<=x", "cycles>=2", "ipc<=1", "ipc>=-1", "ipc>=inf", "cycles<=0", "fast"};
  ASSERT_EQ(settings.findings.size(), std::size(words));
  for (size_t i = 0; i < std::size(words); ++i) {
    const wire::Finding &finding = settings.findings[i];
    EXPECT_EQ(text.substr(finding.at.begin, finding.at.end - finding.at.begin), words[i]);
    EXPECT_EQ(finding.code, "buffer-settings");
    EXPECT_EQ(finding.severity, wire::Severity::Warning);
  }
  ASSERT_EQ(settings.budgets.size(), 1u) << "the condition that is none";
  EXPECT_EQ(settings.budgets[0].limit, 2);
}

TEST(Budgets, MeanTheCommentOfTheMarker) {
  const std::string text = "  nop # LLVM-MCA-BEGIN x\n  # mca: cycles<=4\n";
  const BufferSettings settings = readBufferSettings(TextLines(text));
  ASSERT_EQ(settings.budgets.size(), 1u);
  const wire::ByteRange marker = settings.budgets[0].marker;
  EXPECT_EQ(text.substr(marker.begin, marker.end - marker.begin), " # LLVM-MCA-BEGIN x");
}

} // namespace
} // namespace analysis
