// clang's record: its flags in a command, its bytes among messages, and what is read of it.
#include "analysis/compile/optimization_record.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

using Kind = LoopRemark::Kind;

const CompileCommand kCommand{.directory = "/w/build", .compiledFile = "/w/src/a.c"};

/// A remark in YAML. `arguments` are its list's lines.
std::string remark(const char *type, const char *pass, const char *name, const std::string &place,
                   const std::string &arguments = "  - String: words\n") {
  return std::string("--- !") + type + "\nPass: " + pass + "\nName: " + name + "\nDebugLoc: { File: " + place +
         " }\nFunction: f\nArgs:\n" + arguments + "...\n";
}

OptimizationRecord read(const std::string &record) {
  return readRecord(record, kCommand);
}

TEST(OptimizationRecord, ItsFlagsCanBeRemoved) {
  const std::vector<std::string> before = {"clang", "-O2", "-w"}, after = {"--", "/a.c"};
  for (const std::vector<std::string> &flags : {recordFlags("yaml"), {kLoopMessagesFlag}}) {
    std::vector<std::string> arguments = before;
    for (const auto &added : {flags, after})
      arguments.insert(arguments.end(), added.begin(), added.end());
    EXPECT_EQ(writesRecord(arguments), flags.size() > 1);
    EXPECT_TRUE(removeRemarkFlags(arguments));
    EXPECT_EQ(arguments, (std::vector<std::string>{"clang", "-O2", "-w", "--", "/a.c"}));
    EXPECT_FALSE(removeRemarkFlags(arguments));
    EXPECT_FALSE(writesRecord(arguments));
  }
}

TEST(OptimizationRecord, BeginsWithALine) {
  EXPECT_EQ(splitRecord("a.c:1:2: error: RMRK\n").record, "");
  EXPECT_EQ(splitRecord("a.c:1:2: error: x\nRMRK\x01\n--- !").messages, "a.c:1:2: error: x\n");
  EXPECT_EQ(splitRecord("RMRK\x01").record, "RMRK\x01");
  EXPECT_EQ(splitRecord("--- !Missed\n").record, "--- !Missed\n");
  EXPECT_EQ(splitRecord("").messages, "");
}

TEST(OptimizationRecord, HasWhatBecameOfLoops) {
  const std::string place = "src/a.c, Line: 3, Column: 5";
  const OptimizationRecord record =
      read(remark("Passed", "loop-vectorize", "Vectorized", place,
                  "  - VectorizationFactor: '4'\n  - InterleaveCount: '2'\n") +
           remark("Passed", "loop-vectorize", "Vectorized", place,
                  "  - VectorizationFactor: vscale x 8\n  - InterleaveCount: '1'\n") +
           remark("Passed", "loop-vectorize", "Interleaved", place, "  - InterleaveCount: '4'\n") +
           remark("Passed", "loop-unroll", "PartialUnrolled", place, "  - UnrollCount: '8'\n") +
           remark("Passed", "loop-unroll", "FullyUnrolled", place, "  - UnrollCount: '5'\n") +
           remark("Passed", "loop-idiom", "ProcessLoopStridedStore", place, "  - NewFunction: llvm.memset.p0.i64\n") +
           remark("Passed", "loop-delete", "Invariant", place) +
           remark("Passed", "loop-delete", "NeverExecutes", place) + remark("Passed", "licm", "Hoisted", place));
  ASSERT_EQ(record.loops.size(), 8u);
  for (const LoopRemark &loop : record.loops) {
    EXPECT_EQ(loop.path, "/w/src/a.c") << "clang left out the folder that it shares with the working directory";
    EXPECT_EQ(loop.line, 3u);
    EXPECT_EQ(loop.column, 5u);
  }
  EXPECT_EQ(record.loops[0].width, 4u);
  EXPECT_EQ(record.loops[0].interleave, 2u);
  EXPECT_FALSE(record.loops[0].scalable);
  EXPECT_EQ(record.loops[1].width, 8u);
  EXPECT_TRUE(record.loops[1].scalable);
  EXPECT_EQ(record.loops[2].kind, Kind::Interleaved);
  EXPECT_EQ(record.loops[2].interleave, 4u);
  EXPECT_EQ(record.loops[3].kind, Kind::Unrolled);
  EXPECT_EQ(record.loops[3].unroll, 8u);
  EXPECT_EQ(record.loops[4].kind, Kind::FullyUnrolled);
  EXPECT_EQ(record.loops[4].unroll, 5u);
  EXPECT_EQ(record.loops[5].kind, Kind::LibraryCall);
  EXPECT_EQ(record.loops[5].callee, "memset");
  EXPECT_EQ(record.loops[6].kind, Kind::Deleted);
  EXPECT_EQ(record.loops[7].kind, Kind::NeverRuns);
}

TEST(OptimizationRecord, LeavesOutPassesThatNobodyAskedFor) {
  const std::string place = "a.c, Line: 3, Column: 5";
  const OptimizationRecord record = read(remark("Missed", "loop-distribute", "NotDistributed", place) +
                                         remark("Missed", "gvn", "LoadClobbered", place));
  ASSERT_EQ(record.missed.size(), 1u);
  EXPECT_EQ(record.missed[0].pass, "gvn");
}

/// "name name" of the reasons of each decision, with a star if the loop was vectorized.
std::vector<std::string> decisions(const OptimizationRecord &record) {
  std::vector<std::string> texts;
  for (const VectorizerDecision &decision : record.decisions) {
    std::string text = std::to_string(decision.head.line) + (decision.vectorized ? "*" : "");
    for (const MissedRemark &reason : decision.reasons)
      text += " " + reason.name;
    texts.push_back(text);
  }
  return texts;
}

TEST(OptimizationRecord, ReasonsBelongToTheLoopWhoseHeadComesNext) {
  const auto analysis = [](const char *name, int line) {
    return remark("Analysis", "loop-vectorize", name, "/a.c, Line: " + std::to_string(line) + ", Column: 9");
  };
  const auto missed = [](const char *name, int line) {
    return remark("Missed", "loop-vectorize", name, "/a.c, Line: " + std::to_string(line) + ", Column: 3");
  };
  const OptimizationRecord record =
      read(analysis("UnsafeDep", 5) + analysis("CantReorderFPOps", 6) + missed("MissedDetails", 4) +
           analysis("PotentiallyFaultingLoadsNotSupported", 8) + missed("VectorizationNotBeneficial", 10) +
           missed("InterleavingNotBeneficial", 10) + missed("MissedExplicitlyDisabled", 12) +
           remark("Passed", "loop-vectorize", "Vectorized", "/a.c, Line: 14, Column: 3",
                  "  - VectorizationFactor: '4'\n  - InterleaveCount: '1'\n") +
           analysis("VectorMixedPrecision", 15) + missed("MissedDetails", 16));
  EXPECT_EQ(decisions(record),
            (std::vector<std::string>{"4 UnsafeDep CantReorderFPOps", "8 PotentiallyFaultingLoadsNotSupported",
                                      "10 VectorizationNotBeneficial InterleavingNotBeneficial",
                                      "12 MissedExplicitlyDisabled", "14*", "16"}));
}

TEST(OptimizationRecord, HasTheArgumentsThatVary) {
  const OptimizationRecord record = read(remark("Missed", "gvn", "LoadClobbered", "/a.c, Line: 3, Column: 5",
                                                "  - String: 'load not eliminated as of '\n  - ClobberedBy: store\n    "
                                                "DebugLoc: { File: '/a.c', Line: 4, Column: 2 }\n"));
  ASSERT_EQ(record.missed.size(), 1u);
  EXPECT_EQ(record.missed[0], (MissedRemark{.pass = "gvn",
                                            .name = "LoadClobbered",
                                            .function = "f",
                                            .at = {"/a.c", 3, 5},
                                            .text = "load not eliminated as of store",
                                            .arguments = {{"ClobberedBy", "store", {"/a.c", 4, 2}}}}));
}

TEST(OptimizationRecord, EndsAtWhatIsNone) {
  const std::string good = remark("Passed", "loop-unroll", "FullyUnrolled", "/a.c, Line: 3, Column: 5");
  EXPECT_EQ(read(good + "--- !Passed\nPass: [\n").loops.size(), 1u);
  EXPECT_TRUE(read("RMRK").loops.empty());
  EXPECT_TRUE(read("").loops.empty());
}

} // namespace
} // namespace analysis
