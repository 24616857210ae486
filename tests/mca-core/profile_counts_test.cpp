// Edge and block counts of a trace's text, and the rates that the predictor `measured` gets from them.
#include "mca-core/trace/profile_counts.h"

#include "tests/mca-core/parsed.h"

namespace mca {
namespace {

const std::string kCode = "  .type kern, @function\n  .type other, @function\n" // 1
                          "kern:\n"
                          ".L3:\n"
                          "  testl %ecx, %ecx\n" // 5
                          "  call helper\n"
                          "  jne .L5\n" // 7
                          "  jmp .L6\n"
                          ".L5:\n"
                          "  nop\n" // 10
                          ".L6:\n"
                          "  jne .L3\n"
                          "  ret\n" // 13
                          "other:\n"
                          "  jmp *%rax\n"
                          ".L7:\n"
                          "  nop\n"; // 17

struct Counted : Parsed {
  explicit Counted(const std::string &statements)
      : Parsed(kX86, "skylake", kCode), branches(*target, *program),
        text(std::get<TraceText>(readTrace("mcatrace 1\n" + statements))), targets(branches, text) {
    auto result = findCounts(targets);
    if (const auto *failed = std::get_if<TraceError>(&result))
      error = std::to_string(failed->position.line) + ":" + std::to_string(failed->position.column) + ": " +
              failed->message;
    else
      counts = std::get<ProfileCounts>(std::move(result));
  }

  /// For each edge "line of the branch -> line of the target".
  Strings edges() const {
    Strings all;
    for (const EdgeCount &edge : counts.edges)
      all.push_back(std::to_string(branches.lineOf(edge.branch)) + (edge.outcome.taken ? " -> " : " . ") +
                    (edge.outcome.target < BranchOutcome::kOutside
                         ? std::to_string(branches.lineOf(edge.outcome.target))
                         : "outside"));
    return all;
  }

  ProgramBranches branches;
  TraceText text;
  TokenTargets targets;
  ProfileCounts counts;
  std::string error;
};

TEST(ProfileCounts, TheBranchOfAnEdge) {
  const Counted counted("edge kern .L3 -> .L5 5\nedge kern @7 -> . 6\nedge kern kern -> helper 7\n"
                        "edge kern @8 -> .L6 8\nedge kern .L6 -> T 9\nedge kern @13 -> RET 9\n"
                        "edge other other -> .L7 1\n");
  EXPECT_EQ(counted.error, "");
  EXPECT_EQ(counted.edges()[0], "7 -> 10") << "after the call";
  EXPECT_EQ(counted.edges()[1], "7 . 8");
  EXPECT_EQ(counted.edges()[2], "6 -> outside");
  EXPECT_EQ(counted.edges()[3], "8 -> 12");
  EXPECT_EQ(counted.edges()[4], "12 -> 5");
  EXPECT_EQ(counted.counts.edges[5].count, 9u);
  EXPECT_EQ(counted.edges()[6], "15 -> 17");
}

TEST(ProfileCounts, Blocks) {
  const Counted counted("block kern .L6 5\nblock kern @10 7\n");
  ASSERT_EQ(counted.counts.blocks.size(), 2u);
  EXPECT_EQ(counted.branches.lineOf(counted.counts.blocks[0].instruction), 12u);
  EXPECT_EQ(counted.counts.blocks[1].count, 7u);
}

TEST(ProfileCounts, EdgesThatDoNotFit) {
  EXPECT_EQ(Counted("edge none .L3 -> .L5 5").error, "2:1: the assembly text has no function `none`");
  EXPECT_EQ(Counted("edge kern .L9 -> .L5 5").error, "2:11: `.L9` is not a label of the assembly text");
  EXPECT_EQ(Counted("edge kern .L7 -> .L5 5").error, "2:11: `.L7` is not in `kern`");
  EXPECT_EQ(Counted("edge kern . -> .L5 5").error, "2:11: `.` names no instruction");
  EXPECT_EQ(Counted("edge kern .L3 -> .L6 5").error, "2:18: `.L6` is not a successor of the branch in line 7");
  EXPECT_EQ(Counted("edge kern @8 -> .L5 5").error, "2:17: `.L5` is not a successor of the branch in line 8");
  EXPECT_EQ(Counted("edge kern @8 -> T 5").error, "2:17: expected a successor of the branch in line 8, found `T`");
  EXPECT_EQ(Counted("edge other .L7 -> . 5").error, "2:12: there is no branch after `.L7`");
  EXPECT_EQ(Counted("block kern .L9 5").error, "2:12: `.L9` is not a label of the assembly text");
  EXPECT_EQ(Counted("block other .L6 5").error, "2:13: `.L6` is not in `other`");
}

TEST(ProfileCounts, MeasuredRates) {
  const Counted counted("edge kern @7 -> .L5 1329 m 660\nedge kern @7 -> . 1371\nedge kern .L6 -> T 2700\n");
  const std::vector<MeasuredBranch> measured = measuredBranches(counted.counts.edges);
  ASSERT_EQ(measured.size(), 1u) << "line 12 has no measurement";
  EXPECT_EQ(counted.branches.lineOf(measured[0].instruction), 7u);
  EXPECT_EQ(measured[0].executions, 2700u);
  EXPECT_EQ(measured[0].mispredictions, 660u);
  const auto predictor = createPredictor(PredictorKind::Measured, measured);
  int wrong = 0;
  for (int i = 0; i < 2700; ++i)
    wrong += predictor->mispredictsDirection({.instruction = measured[0].instruction}, true);
  EXPECT_EQ(wrong, 660);
}

} // namespace
} // namespace mca
