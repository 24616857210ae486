// Places in a preprocessor's text, and what they are in the buffer.
#include "analysis/source_map/preprocessed.h"

#include "analysis/job/analyzer.h"
#include "tests/shown.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace analysis {
namespace {

const std::string kBuffer = "#include \"step.h\"\n"   // 1
                            "loop:\n"                 // 2
                            "\tSTEP(%rax)\n"          // 3
                            "\taddq\t$1,  %rax # c\n" // 4
                            "#include \"body.h\"\n"   // 5
                            "#line 100\n"             // 6
                            "\tret\n";                // 7
const std::string kText = "# 1 \"/src/a.S\"\n"
                          "# 1 \"<built-in>\" 1\n"
                          "# 1 \"<built-in>\" 3\n"
                          "# 1 \"/src/a.S\" 2\n"
                          "# 1 \"step.h\" 1\n"
                          "\n"
                          "# 2 \"/src/a.S\" 2\n"
                          "loop:\n"
                          " imulq %rdx, %rax; incq %rax\n"
                          " addq $1, %rax # c\n"
                          "# 1 \"body.h\" 1\n"
                          "decq %rsi\n"
                          "# 1 \"deeper.h\" 1\n"
                          "decq %rdi\n"
                          "# 3 \"body.h\" 2\n"
                          "decq %rbx\n"
                          "# 6 \"/src/a.S\" 2\n"
                          "# 100 \"/src/a.S\"\n"
                          " ret\n";

class PreprocessedTest : public testing::Test {
protected:
  SourcePlace placeOf(const std::string &what) const {
    const size_t offset = kText.find(what);
    EXPECT_NE(offset, std::string::npos) << what;
    return text.placeOf(static_cast<uint32_t>(offset));
  }
  /// The buffer's text for that of the preprocessor.
  std::string inBuffer(const std::string &what) const {
    const auto begin = static_cast<uint32_t>(kText.find(what));
    const wire::ByteRange range = text.inBuffer({begin, begin + static_cast<uint32_t>(what.size())});
    return kBuffer.substr(range.begin, range.end - range.begin);
  }

  TextLines buffer{kBuffer};
  Preprocessed text{kText, buffer, "/src/a.S", "/work"};
};

TEST_F(PreprocessedTest, LinesWithoutMacrosKeepTheirPlaces) {
  EXPECT_EQ(placeOf("loop:").line, 2u);
  EXPECT_EQ(placeOf("loop:").column, 1u);
  EXPECT_EQ(placeOf("addq").line, 4u);
  EXPECT_EQ(placeOf("addq").column, 2u);
  EXPECT_EQ(placeOf("$1, %rax").column, 7u);
  EXPECT_EQ(inBuffer("addq $1, %rax"), "addq\t$1,  %rax");
  EXPECT_EQ(inBuffer("%rax #"), "%rax #");
}

TEST_F(PreprocessedTest, WhatAMacroMadeIsTheLineThatUsesIt) {
  for (const char *what : {"imulq", "incq"}) {
    EXPECT_EQ(placeOf(what).line, 3u);
    EXPECT_EQ(placeOf(what).column, 0u);
    EXPECT_EQ(inBuffer(what), "STEP(%rax)");
  }
}

TEST_F(PreprocessedTest, WhatWasIncludedIsTheLineThatIncludesIt) {
  for (const char *what : {"decq %rsi", "decq %rdi", "decq %rbx"}) {
    EXPECT_EQ(placeOf(what).line, 5u) << what;
    EXPECT_EQ(inBuffer(what), "#include \"body.h\"");
  }
}

TEST_F(PreprocessedTest, LineDirectivesOfTheBufferAreFollowed) {
  EXPECT_EQ(placeOf("ret").line, 7u);
  EXPECT_EQ(placeOf("ret").column, 2u);
}

TEST_F(PreprocessedTest, ARangeOverSeveralLinesIsOne) {
  EXPECT_EQ(inBuffer("loop:\n imulq %rdx, %rax; incq %rax\n addq"), "loop:\n\tSTEP(%rax)\n\taddq");
}

TEST(Preprocessed, EachLineComesFromAFile) {
  const auto fileAt = [](const std::string &what) {
    return preprocessedFileAt(kText, static_cast<uint32_t>(kText.find(what)));
  };
  EXPECT_EQ(fileAt("loop:"), "/src/a.S");
  EXPECT_EQ(fileAt("decq %rsi"), "body.h");
  EXPECT_EQ(fileAt("decq %rdi"), "deeper.h");
  EXPECT_EQ(fileAt("decq %rbx"), "body.h");
  EXPECT_EQ(fileAt(" ret"), "/src/a.S");
  EXPECT_EQ(preprocessedFileAt(kText, 0), "");
  EXPECT_EQ(preprocessedFileAt("nop\n# comment\nret", 15), "");
}

TEST(Preprocessed, NonsenseBelongsNowhereOrToALine) {
  const std::string buffer = "nop\n";
  const TextLines lines(buffer);
  for (const std::string text :
       {"", "#", "# 1", "# 1 \"", "# 1 \"x\\", "# 4294967295 \"/a.S\" 2\nnop", "# 99999999999 \"/a.S\"\nnop",
        "# 1 \"/a.S\" 2 2 2\nnop\n# 0 \"/a.S\" 2\nnop\n# 1 \"/b\" 1\n# 1 \"/b\" 1\nnop", "nop\nnop\nnop"}) {
    const Preprocessed preprocessed(text, lines, "/a.S", "/");
    for (uint32_t offset = 0; offset <= text.size(); ++offset) {
      EXPECT_LE(preprocessed.placeOf(offset).line, 1u + lines.count());
      const wire::ByteRange range = preprocessed.inBuffer({offset, static_cast<uint32_t>(text.size())});
      EXPECT_LE(range.begin, range.end);
      EXPECT_LE(range.end, buffer.size());
    }
  }
}

/// An edited buffer, which the file on disk is not.
TEST(Preprocessed, AnUnsavedBufferIsAnalysed) {
  const std::string folder = testing::TempDir() + "mca-preprocessed-" + std::to_string(getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/a.h") << "#define STEP(reg) imulq %rdx, reg; addq $1, reg\n";
  std::ofstream(folder + "/a.S") << "an old text\n";
  std::ofstream(folder + "/b.sx") << "another\n";
  const std::string text = "# mca: triple=x86_64-linux-gnu cpu=skylake\n"
                           "#include \"a.h\"\n"
                           ".Lloop:\n"
                           "  STEP(%rax)\n"
                           "  decq\t%rdi\n"
                           "  jne .Lloop\n"
                           "  nonsense\n";
  for (const char *name : {"/a.S", "/b.sx"}) {
    const wire::AnalyzeRequest request{
        .id = 1, .path = folder + name, .language = wire::Language::Assembly, .text = text};
    const Shown result = shown(Analyzer(2).run(request, {}, [](const wire::Progress &) {}), text, request.path);
    ASSERT_EQ(result.regions.size(), 1u) << name;
    const ShownRegion &region = result.regions[0];
    EXPECT_EQ(region.line, 3u);
    ASSERT_EQ(region.body.size(), 4u);
    const auto textOf = [&](wire::ByteRange at) { return text.substr(at.begin, at.end - at.begin); };
    EXPECT_EQ(textOf(region.at), ".Lloop:\n  STEP(%rax)\n  decq\t%rdi\n  jne .Lloop");
    EXPECT_EQ(textOf(region.body[0].at), "STEP(%rax)");
    EXPECT_EQ(textOf(region.body[1].at), "STEP(%rax)");
    EXPECT_EQ(textOf(region.body[2].at), "decq\t%rdi");
    const auto error = std::find_if(result.findings.begin(), result.findings.end(),
                                    [](const wire::Finding &finding) { return finding.code == "parse-error"; });
    ASSERT_NE(error, result.findings.end());
    EXPECT_EQ(textOf(error->at).substr(0, 8), "nonsense");
  }
  // One by its name is none for the preprocessor, the other is no file yet.
  for (const char *name : {"/a.s", "/new.S"}) {
    const wire::AnalyzeRequest plain{
        .id = 1, .path = folder + name, .language = wire::Language::Assembly, .text = "  STEP(%rax)\n"};
    EXPECT_EQ(Analyzer(2).run(plain, {}, [](const wire::Progress &) {}).findings.at(0).code, "parse-error") << name;
  }
  std::filesystem::remove_all(folder);
}

} // namespace
} // namespace analysis
