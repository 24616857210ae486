// The words of clang and gcc.
#include "analysis/compile/compiler_messages.h"

#include "llvm/ADT/StringRef.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

using Kind = LoopRemark::Kind;

LoopRemark remarkOf(std::string_view line) {
  CompilerMessages messages = parseCompilerMessages(line, "/dir");
  return messages.remarks.size() == 1 ? messages.remarks.front() : LoopRemark{};
}

/// The words of the line's error if only files of /p may be quoted.
std::string wordsOf(const std::string &line) {
  const CompilerMessages messages =
      parseCompilerMessages(line, "/p", [](const std::string &file) { return !llvm::StringRef(file).contains("/q/"); });
  return messages.errors.size() == 1 ? messages.errors.front().message : "";
}

TEST(CompilerMessages, AnErrorInAnotherFileKeepsItsPlaceAlone) {
  EXPECT_EQ(wordsOf("a.c:1:2: error: unknown type name 'x'"), "unknown type name 'x'");
  EXPECT_EQ(wordsOf("a.c:1:2: error: see b.c:7: there"), "see b.c:7: there");
  EXPECT_EQ(wordsOf("error: no place"), "no place");
  for (const std::string line : {"/q/a.h:1:2: error: x", "/q/a.h:1:2: fatal error: x", "/q/a.h:1: error: x"})
    EXPECT_EQ(wordsOf(line), "an error in /q/a.h, which is outside of the opened folders: its text is not shown "
                             "(mca.readableFolders can name its folder)");
  const CompilerMessages messages =
      parseCompilerMessages("/q/a.h:1:2: error: x", "/p", [](const std::string &) { return false; });
  ASSERT_EQ(messages.errors.size(), 1u);
  EXPECT_EQ(messages.errors[0].path, "/q/a.h");
  EXPECT_EQ(messages.errors[0].line, 1u);
  EXPECT_EQ(messages.errors[0].column, 2u);
}

TEST(CompilerMessages, EveryPlaceOfALineCounts) {
  EXPECT_EQ(wordsOf("/p/a.c:1:1: error: /q/a.h:3:4: error: HUSH").find("HUSH"), std::string::npos);
  std::string many = "/p/a.c:1:1: error: ";
  for (int i = 0; i < 100; ++i)
    many += "b:1: ";
  EXPECT_EQ(wordsOf(many + "HUSH").find("HUSH"), std::string::npos);
}

TEST(CompilerMessages, ReadsClangsRemarks) {
  const LoopRemark vectorized =
      remarkOf("a.cpp:13:49: remark: vectorized loop (vectorization width: 4, interleaved count: 2)\n");
  EXPECT_EQ(vectorized.path, "/dir/a.cpp");
  EXPECT_EQ(vectorized.line, 13u);
  EXPECT_EQ(vectorized.column, 49u);
  EXPECT_EQ(vectorized.kind, Kind::Vectorized);
  EXPECT_EQ(vectorized.width, 4u);
  EXPECT_FALSE(vectorized.scalable);
  EXPECT_EQ(vectorized.interleave, 2u);

  const LoopRemark scalable =
      remarkOf("/a.c:1:2: remark: vectorized loop (vectorization width: vscale x 8, interleaved count: 1) [-Rpass]");
  EXPECT_EQ(scalable.path, "/a.c");
  EXPECT_EQ(scalable.width, 8u);
  EXPECT_TRUE(scalable.scalable);

  const LoopRemark interleaved = remarkOf("a.c:1:2: remark: interleaved loop (interleaved count: 4)");
  EXPECT_EQ(interleaved.kind, Kind::Interleaved);
  EXPECT_EQ(interleaved.interleave, 4u);

  const LoopRemark unrolled = remarkOf("a.c:1:2: remark: unrolled loop by a factor of 2 with run-time trip count");
  EXPECT_EQ(unrolled.kind, Kind::Unrolled);
  EXPECT_EQ(unrolled.unroll, 2u);

  const LoopRemark gone = remarkOf("a.c:1:2: remark: completely unrolled loop with 5 iterations");
  EXPECT_EQ(gone.kind, Kind::FullyUnrolled);
  EXPECT_EQ(gone.unroll, 5u);

  const LoopRemark refused = remarkOf("a.c:1:2: remark: loop not vectorized: cannot: identify: array bounds");
  EXPECT_EQ(refused.kind, Kind::NotVectorized);
  EXPECT_EQ(refused.reason, "cannot: identify: array bounds");
}

TEST(CompilerMessages, ReadsGccsRemarks) {
  const LoopRemark vectorized = remarkOf("a.cpp:13:5: optimized: loop vectorized using 16 byte vectors");
  EXPECT_EQ(vectorized.kind, Kind::Vectorized);
  EXPECT_EQ(vectorized.width, 0u);
  EXPECT_EQ(vectorized.vectorBytes, 16u);
  EXPECT_EQ(remarkOf("a.c:3:5: note: loop vectorized using 32 byte vectors").vectorBytes, 32u);
  EXPECT_TRUE(remarkOf("a.c:3:5: optimized: loop vectorized using variable length vectors").scalable);
  EXPECT_EQ(remarkOf("a.c:3:5: optimized: loop unrolled 7 times").unroll, 8u);
  EXPECT_EQ(remarkOf("a.c:3:5: optimized: loop with 4 iterations completely unrolled").kind, Kind::FullyUnrolled);
}

/// "BYTES×ITERATIONS" of each loop that gcc has vectorized.
std::vector<std::string> vectorLoops(std::string_view text) {
  std::vector<std::string> loops;
  for (const LoopRemark &remark : parseCompilerMessages(text, "/dir").remarks)
    if (remark.vectorBytes)
      loops.push_back(std::to_string(remark.vectorBytes) + "×" + std::to_string(remark.width));
  return loops;
}

using Loops = std::vector<std::string>;

TEST(CompilerMessages, ReadsGccsFactors) {
  const std::string loop = "a.c:2:14: note:  === analyze_loop_nest ===\n"
                           "a.c:2:14: note:   vectorization factor = 16\n"
                           "a.c:2:14: note:  ***** Analysis succeeded with vector mode V16HI\n"
                           "a.c:2:14: note:  ***** The result for vector mode V32QI would be the same\n"
                           "a.c:2:14: note:  ***** Choosing vector mode V16HI\n";
  const std::string rest = "a.c:2:14: note:  ***** Re-trying epilogue analysis with vector mode V32QI\n"
                           "a.c:2:14: note:   vectorization factor = 32\n"
                           "a.c:2:14: note:  ***** Analysis  failed with vector mode V32QI\n"
                           "a.c:2:14: note:  ***** Re-trying epilogue analysis with vector mode V16QI\n"
                           "a.c:2:14: note:   vectorization factor = 8\n"
                           "a.c:2:14: note:  ***** Analysis succeeded with vector mode V16QI\n"
                           "a.c:2:14: note:  ***** Choosing epilogue vector mode V16QI\n";
  const std::string done = "a.c:2:14: optimized: loop vectorized using 32 byte vectors\n";
  const std::string restDone = "a.c:2:14: optimized: loop vectorized using 16 byte vectors\n";
  EXPECT_EQ(vectorLoops(loop + done), (Loops{"32×16"}));
  EXPECT_EQ(vectorLoops(loop + rest + done + restDone), (Loops{"32×16", "16×8"}));
  EXPECT_EQ(vectorLoops(loop + rest + done + restDone + loop + done), (Loops{"32×16", "16×8", "32×16"}));
  EXPECT_EQ(vectorLoops(loop + loop + rest + done + restDone), (Loops{"32×16", "16×8"}))
      << "the first one was given up";
  EXPECT_EQ(vectorLoops(done), (Loops{"32×0"})) << "of another version";
  EXPECT_EQ(vectorLoops(loop + done + done), (Loops{"32×16", "32×0"}));
}

TEST(CompilerMessages, ReadsGccsFactorsOfOtherForms) {
  const auto withFactor = [](const std::string &notes) {
    return "a.c:2:1: note:  === analyze_loop_nest ===\n" + notes +
           "a.c:2:1: note:  ***** Analysis succeeded with vector mode V4SF\n"
           "a.c:2:1: note:  ***** Choosing vector mode V4SF\n"
           "a.c:2:1: optimized: loop vectorized using 16 byte vectors\n";
  };
  EXPECT_EQ(vectorLoops(withFactor("a.c:2:1: note:   vectorization factor = 4\n"
                                   "a.c:2:1: note:   Updating vectorization factor to 1.\n")),
            (Loops{"16×1"}));
  EXPECT_EQ(vectorLoops(withFactor("a.c:2:1: note:   vectorization factor = [4,4]\n")), (Loops{"16×0"}));
  EXPECT_EQ(vectorLoops(withFactor("")), (Loops{"16×0"}));
}

TEST(CompilerMessages, OtherMessagesAreNoRemarks) {
  const CompilerMessages messages =
      parseCompilerMessages("a.c:1:2: remark: sinking zext\n"
                            "a.c:2:1: optimized:  loop versioned for vectorization because of possible aliasing\n"
                            "a.c: In function 'f':\n"
                            "a.c:3:1: note: previous definition is here\n"
                            "remark: vectorized loop (vectorization width: 4, interleaved count: 2)\n"
                            "a.c:3:5: error: expected ';'\n",
                            "/dir");
  EXPECT_TRUE(messages.remarks.empty());
  ASSERT_EQ(messages.errors.size(), 1u);
  EXPECT_EQ(messages.errors[0].path, "/dir/a.c");
  EXPECT_EQ(messages.errors[0].line, 3u);
  EXPECT_EQ(messages.errors[0].column, 5u);
  EXPECT_EQ(messages.errors[0].message, "expected ';'");
}

TEST(CompilerMessages, RemarksAreBounded) {
  std::string text;
  for (int i = 0; i < 30'000; ++i)
    text += "/inc/v.h:1:2: remark: unrolled loop by a factor of 2\n";
  text += "a.c:1:1: error: no\n";
  const CompilerMessages messages = parseCompilerMessages(text, "/dir");
  EXPECT_EQ(messages.remarks.size(), 20'000u);
  EXPECT_EQ(messages.errors.size(), 1u);
}

} // namespace
} // namespace analysis
