// BOLT's preaggregated profiles. The records are those of the examples in the comments of BOLT's DataAggregator.h.
#include "analysis/import/bolt_reader.h"

#include "tests/analysis/import/recorded.h"

namespace analysis {
namespace {

std::string read(std::string_view text) {
  return recorded(createBoltReader, text);
}

constexpr const char *kNoBranches = "no branches of the program: expected lines such as `B 4b1942 4b1960 3 0`";

TEST(BoltReader, Records) {
  EXPECT_EQ(read("E br_inst_retired.near_taken\n"
                 "S 41be60 6\n"
                 "T 4b196f 4b19e0 4b19ef 2\n"
                 "R 4b196f 4b19e0 4b19ef 5\r\n"
                 "\n"
                 "F 41be50 41be50 3\n"
                 "f 41be90 41be94 4\n"
                 "r 41be90 41be98 1\n"
                 "B 4b1942 39b57f0 3 1\n"),
            "edge 4b196f 4b19e0 2\nrun 4b19e0 4b19ef 2\n"
            "edge 4b196f 4b19e0 5\nrun 4b19e0 4b19ef 5\n"
            "run 41be50 41be50 3\n"
            "run 41be90 41be94 4\n"
            "run 41be90 41be98 1\n"
            "edge 4b1942 39b57f0 3 m 1\n");
}

TEST(BoltReader, OtherObjectsAndUnknownPartsAreLeftOut) {
  EXPECT_EQ(read("B 4b1942 abc123:10 3 1\n"
                 "B X:0 4b1942 3 1\n"
                 "T X:0 4b19e0 4b19ef 2\n"
                 "T 4b196f 4b19e0 ffffffffffffffff 7\n"
                 "T ffffffffffffffff 4b19e0 4b19e8 9\n"
                 "F 20 10 4\n"),
            "run 4b19e0 4b19ef 2\nedge 4b196f 4b19e0 7\nrun 4b19e0 4b19e8 9\n");
}

TEST(BoltReader, AtMostAllExecutionsAreMispredicted) {
  EXPECT_EQ(read("B 10 20 3 9"), "edge 10 20 3 m 3\n");
}

TEST(BoltReader, Errors) {
  EXPECT_EQ(read(""), kNoBranches);
  EXPECT_EQ(read("E cycles\nS 41be50 3\n"), kNoBranches);
  EXPECT_EQ(read("Q 1 2 3\n"), "1:1: expected a record: S, B, F, f, r, T or R, found `Q`");
  EXPECT_EQ(read("F 1 2 3\nB 1 zz 3 0\n"), "run 1 2 3\n2:5: expected a hexadecimal address, found `zz`");
  EXPECT_EQ(read("B 1 2 3\n"), "1:8: expected a count");
  EXPECT_EQ(read("F 1 2 -3\n"), "1:7: expected a count, found `-3`");
  EXPECT_EQ(read("F 1 2 18446744073709551616\n"), "1:7: expected a count, found `18446744073709551616`");
  EXPECT_EQ(read("F 1 2 3 4\n"), "1:9: expected the end of the line, found `4`");
  EXPECT_EQ(read("F 1 2"), "1:6: expected a count");
}

TEST(BoltReader, OffsetsInFunctionsAreRefused) {
  const std::string message = "1:1: this is BOLT's fdata format, which has offsets in functions: give the "
                              "preaggregated profile that it was made "
                              "from, or import the output of `perf script` as `perf`";
  EXPECT_EQ(read("1 main 3fb 1 main 400 0 17\n"), message);
  EXPECT_EQ(read("no_lbr cycles\n"), message);
}

TEST(BoltReader, DamagedTexts) {
  readDamaged(createBoltReader, "E cycles\nS 41be60 6\nT 4b196f 4b19e0 4b19ef 2\nB 4b1942 X:39b57f0 3 1\nF 1 2 3\n");
}

} // namespace
} // namespace analysis
