// The `mca:` comment of a buffer.
#include "analysis/job/buffer_settings.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

BufferSettings read(const std::string &text) {
  return readBufferSettings(TextLines(text));
}

TEST(BufferSettings, EveryKey) {
  const BufferSettings settings = read("# mca: triple=riscv64-linux cpu=sifive-p670 features=+v,-d iterations=10\n");
  EXPECT_EQ(settings.triple, "riscv64-linux");
  EXPECT_EQ(settings.cpu, "sifive-p670");
  EXPECT_EQ(settings.features, "+v,-d");
  EXPECT_EQ(settings.iterations, 10u);
  EXPECT_TRUE(settings.findings.empty());
}

TEST(BufferSettings, EveryComment) {
  for (const char *line : {"# mca: cpu=x", "// mca: cpu=x", "; mca: cpu=x", "@ mca: cpu=x", "/* mca: cpu=x */",
                           "/* mca: cpu=x", " * mca: cpu=x", "| mca: cpu=x", "! mca: cpu=x", "\t##mca: cpu=x",
                           "nop\n\n# mca: cpu=x\nnop", "# mca: cpu=x\r\nnop"}) {
    const BufferSettings settings = read(line);
    EXPECT_EQ(settings.cpu, "x") << line;
    EXPECT_TRUE(settings.findings.empty()) << line;
  }
}

TEST(BufferSettings, OtherLinesAreNone) {
  for (const char *line : {"mca: cpu=x", "  mca: cpu=x", "nop # mca: cpu=x", "# see mca: cpu=x", "# MCA: cpu=x",
                           "int a; // mca: cpu=x", "const char *s = \"mca: cpu=x\";", "# llvm-mca: cpu=x", ""}) {
    EXPECT_EQ(read(line).cpu, "") << line;
    EXPECT_TRUE(read(line).findings.empty()) << line;
  }
}

TEST(BufferSettings, LinesAddUpAndTheLastWins) {
  const BufferSettings settings = read("# mca: cpu=a triple=t\n# mca: cpu=b\n");
  EXPECT_EQ(settings.cpu, "b");
  EXPECT_EQ(settings.triple, "t");
}

TEST(BufferSettings, StatementsAboutPointersAreNone) {
  const std::string text = "// mca: cpu=x\n  // mca: alias p, q\n/* mca: distinct r */\n// mca: alias\n";
  const BufferSettings settings = read(text);
  EXPECT_TRUE(settings.findings.empty());
  ASSERT_EQ(settings.pointers.size(), 3u);
  EXPECT_TRUE(settings.pointers[0].meet);
  EXPECT_EQ(settings.pointers[0].names, (std::vector<std::string>{"p", "q"}));
  EXPECT_EQ(text.substr(settings.pointers[0].at.begin, 10), "alias p, q");
  EXPECT_EQ(settings.pointers[0].at.end - settings.pointers[0].at.begin, 10u);
  EXPECT_FALSE(settings.pointers[1].meet);
  EXPECT_EQ(settings.pointers[1].names, std::vector<std::string>{"r"});
  EXPECT_TRUE(settings.pointers[2].names.empty());
}

TEST(BufferSettings, MistakesAreFindingsOnTheirWord) {
  const std::string text = "# mca: cpu=x mcpu=y fast iterations=0 iterations=9z iterations=2000000 n=0\n";
  const BufferSettings settings = read(text);
  ASSERT_EQ(settings.findings.size(), 6u);
  const char *words[] = {"mcpu=y", "fast", "iterations=0", "iterations=9z", "iterations=2000000", "n=0"};
  for (size_t i = 0; i < std::size(words); ++i) {
    const wire::Finding &finding = settings.findings[i];
    EXPECT_EQ(text.substr(finding.at.begin, finding.at.end - finding.at.begin), words[i]);
    EXPECT_EQ(finding.code, "buffer-settings");
    EXPECT_EQ(finding.severity, wire::Severity::Warning);
  }
  EXPECT_EQ(settings.cpu, "x");
  EXPECT_EQ(settings.iterations, 0u);
}

TEST(BufferSettings, EmptyValuesAndNothing) {
  EXPECT_TRUE(read("# mca:\n").findings.empty());
  EXPECT_EQ(read("# mca: cpu=\n").cpu, "");
}

TEST(BufferSettings, StatementsAboutBranchesAreNoSettings) {
  const std::string text =
      "# mca: trace kern: (.L3 < T)x9\n/* mca: path taken,not-taken */\n# mca: trace(T)x9\n# mca: pathology\n";
  const BufferSettings settings = read(text);
  std::vector<std::string> statements;
  for (const TraceComment &one : settings.traces)
    statements.push_back((one.isPath ? "P " : "T ") + text.substr(one.at.begin, one.at.end - one.at.begin));
  EXPECT_EQ(statements,
            (std::vector<std::string>{"T trace kern: (.L3 < T)x9", "P path taken,not-taken", "T trace(T)x9"}));
  EXPECT_EQ(settings.findings.size(), 1u) << "the last line is none";
}

TEST(BufferSettings, ALongTextWithTheWordOften) {
  std::string text;
  for (int i = 0; i < 100000; ++i)
    text += "x mca: y mca:\n";
  EXPECT_TRUE(read(text).findings.empty());
}

} // namespace
} // namespace analysis
