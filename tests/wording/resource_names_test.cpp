// Short names of resources: readable on each architecture. (That two units of a model never have the same one,
// tests/analysis/unit_names_test.cpp shows with all models.)
#include "lsp/wording/resource_names.h"

#include <gtest/gtest.h>

namespace lsp::wording {
namespace {

TEST(ResourceNames, OfEachArchitecture) {
  EXPECT_EQ(shortResourceName("SKLPort5"), "p5");
  EXPECT_EQ(shortResourceName("ADLPPort00"), "p0");
  EXPECT_EQ(shortResourceName("SPRPort11"), "p11");
  EXPECT_EQ(shortResourceName("LNLPVPort02"), "v2");
  EXPECT_EQ(shortResourceName("Zn4FP01"), "FP01");
  EXPECT_EQ(shortResourceName("CortexA55UnitALU.1"), "ALU.1");
  EXPECT_EQ(shortResourceName("V2UnitV0"), "V0");
  EXPECT_EQ(shortResourceName("VLEN512SiFive7VL"), "VL");
  EXPECT_EQ(shortResourceName("P9_ALU"), "ALU");
}

TEST(ResourceNames, OfGroupsOfPorts) {
  EXPECT_EQ(shortResourceName("SPRPort00_01_05"), "p015");
  EXPECT_EQ(shortResourceName("ADLPPort00_01_05_06_11"), "p0,1,5,6,11");
  EXPECT_EQ(shortResourceNames({"SPRPort00_06", "slots"}), "p06,slots");
}

TEST(ResourceNames, OthersStay) {
  for (const char *name : {"SPRPort00_", "SPRPort_00", "Port00_01", "SPRPort00_x", "SKLDivider", "Port5", "Unit",
                           "SiFive7", "Zn4", "P9_", "HWPort01x", "BWFPDivider", ""})
    EXPECT_EQ(shortResourceName(name), name);
}

TEST(ResourceNames, OfSeveral) {
  EXPECT_EQ(shortResourceNames({"SKLPort5"}), "p5");
  EXPECT_EQ(shortResourceNames({"SKLPort6", "SKLPort0", "SKLPort5", "SKLPort1"}), "p0156");
  EXPECT_EQ(shortResourceNames({"SPRPort11", "SPRPort02"}), "p11,p2");
  EXPECT_EQ(shortResourceNames({"V2UnitV0", "V2UnitV1"}), "V0,V1");
  EXPECT_EQ(shortResourceNames({"Zn4FP0", "Zn4FP1", "Zn4FP2"}), "FP0,FP1,FP2");
  EXPECT_EQ(shortResourceNames({"Zn4LSU.2", "Zn4ALU0", "Zn4FP1", "Zn4FP2"}), "LSU.2 and 3 more");
  EXPECT_EQ(shortResourceNames({"VLEN512SiFive7ALongName"}), "ALongName") << "there is none to leave out";
}

} // namespace
} // namespace lsp::wording
