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
      remarkOf("./src/a.cpp:13:5: remark: vectorized loop (vectorization width: 8, interleaved count: 2)");
  EXPECT_EQ(vectorized.kind, Kind::Vectorized);
  EXPECT_EQ(vectorized.path, "/dir/src/a.cpp");
  EXPECT_EQ(vectorized.line, 13u);
  EXPECT_EQ(vectorized.column, 5u);
  EXPECT_EQ(vectorized.width, 8u);
  EXPECT_EQ(vectorized.interleave, 2u);
  EXPECT_FALSE(vectorized.scalable);
  const LoopRemark scalable =
      remarkOf("a.c:3:5: remark: vectorized loop (vectorization width: vscale x 4, interleaved count: 1)");
  EXPECT_TRUE(scalable.scalable);
  EXPECT_EQ(scalable.width, 4u);
  EXPECT_EQ(remarkOf("a.c:3:5: remark: interleaved loop (interleaved count: 4)").interleave, 4u);
  EXPECT_EQ(remarkOf("a.c:3:5: remark: unrolled loop by a factor of 8 with run-time trip count").unroll, 8u);
  EXPECT_EQ(remarkOf("a.c:3:5: remark: Loop deleted because it is invariant").kind, Kind::Deleted);
  EXPECT_EQ(remarkOf("a.c:3:5: remark: Loop deleted because it never executes").kind, Kind::NeverRuns);
  EXPECT_EQ(remarkOf("a.c:3:5: remark: Formed a call to llvm.memmove.p0.p0.i64() intrinsic from load and store "
                     "instruction in f function")
                .callee,
            "memmove");
  const LoopRemark placed = remarkOf("a.c:1:5: remark: Loop deleted because it is invariant\n"
                                     "a.c:1:5: note: could not determine the original source location for p.y:70:3");
  EXPECT_EQ(placed.path, "/dir/p.y");
  EXPECT_EQ(placed.line, 70u);
  EXPECT_EQ(placed.column, 3u);
  EXPECT_EQ(remarkOf("a.c:4:3: remark: Loop deleted because it is invariant\n"
                     "a.c:1:5: note: could not determine the original source location for p.y:70:3")
                .line,
            4u)
      << "the note is another remark's";
  for (const std::string_view other : {"a.c:3:5: remark: hoisting load", "remark: Loop deleted because it is invariant",
                                       "a.c:3:5: error: x: remark: Loop deleted because it is invariant"})
    EXPECT_TRUE(parseCompilerMessages(other, "/dir").remarks.empty()) << other;
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
  EXPECT_EQ(remarkOf("a.c:3:5: optimized: Loop 1 distributed: split to 0 loops and 1 library calls.").kind,
            Kind::LibraryCall);
}

TEST(CompilerMessages, ReadsWhyGccDidNotVectorize) {
  const CompilerMessages messages =
      parseCompilerMessages("a.c:9:20: missed:   not vectorized: control flow in loop.\n"
                            "a.c:19:20: note:  === analyze_loop_nest ===\n"
                            "a.c:19:37: missed:   not vectorized: relevant stmt not supported: _5 = sinf (_4);\n"
                            "a.c:19:37: missed:   not vectorized: no vectype for stmt: _4 = *_3;\n"
                            "a.c:19:20: missed: couldn't vectorize loop\n"
                            "a.c:19:37: missed: not vectorized: no vectype for stmt: _4 = *_3;\n"
                            "a.c:20:1: missed: statement clobbers memory: *p_1 = 0;\n"
                            "a.c:24:20: optimized: loop vectorized using 16 byte vectors\n"
                            "a.c:30:14: missed: couldn't vectorize loop\n"
                            "a.c:30:14: missed: not vectorized, possible dependence between data-refs *_6 and *_3\n",
                            "/dir");
  ASSERT_EQ(messages.decisions.size(), 3u);
  const VectorizerDecision &call = messages.decisions[0];
  EXPECT_EQ(call.head, (RemarkPlace{"/dir/a.c", 19, 20}));
  EXPECT_FALSE(call.vectorized);
  ASSERT_EQ(call.reasons.size(), 2u) << "that against the first kind of vectors, then that against the last one";
  EXPECT_EQ(call.reasons[0].pass, "vect");
  EXPECT_EQ(call.reasons[0].name, "relevant stmt not supported");
  EXPECT_EQ(call.reasons[0].at, (RemarkPlace{"/dir/a.c", 19, 37}));
  EXPECT_EQ(call.reasons[0].text, "not vectorized: relevant stmt not supported: _5 = sinf (_4);");
  ASSERT_EQ(call.reasons[0].arguments.size(), 1u);
  EXPECT_EQ(call.reasons[0].arguments[0].value, "_5 = sinf (_4);");
  EXPECT_EQ(call.reasons[1].name, "no vectype for stmt");
  EXPECT_TRUE(messages.decisions[1].vectorized);
  ASSERT_EQ(messages.decisions[2].reasons.size(), 1u);
  EXPECT_EQ(messages.decisions[2].reasons[0].name, "possible dependence between data-refs");
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
                            "optimized: loop vectorized using 16 byte vectors\n"
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
    text += "/inc/v.h:1:2: optimized: loop unrolled 1 times\n";
  text += "a.c:1:1: error: no\n";
  const CompilerMessages messages = parseCompilerMessages(text, "/dir");
  EXPECT_EQ(messages.remarks.size(), 20'000u);
  EXPECT_EQ(messages.errors.size(), 1u);
}

} // namespace
} // namespace analysis
