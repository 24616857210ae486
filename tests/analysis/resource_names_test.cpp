// Short names of resources: readable on each architecture, and never the same for two units of a model.
#include "analysis/wording/resource_names.h"
#include "mca-core/target/target.h"

#include <gtest/gtest.h>
#include <map>

namespace analysis {
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

TEST(ResourceNames, OthersStay) {
  for (const char *name : {"SKLDivider", "Port5", "Unit", "SiFive7", "Zn4", "P9_", "HWPort01x", "BWFPDivider", ""})
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

TEST(ResourceNames, TwoUnitsOfAModelNeverShareOne) {
  for (const auto &[triple, architecture] : {std::pair("x86_64-linux-gnu", "x86"),
                                             {"aarch64-linux-gnu", "AArch64"},
                                             {"riscv64-linux-gnu", "RISC-V"},
                                             {"powerpc64le-linux-gnu", "PowerPC"}}) {
    const auto any = std::move(*mca::Target::create({.triple = triple, .cpu = "generic"}));
    size_t models = 0;
    for (const llvm::SubtargetSubTypeKV &cpu : any->subtarget().getAllProcessorDescriptions()) {
      const llvm::MCSchedModel &model = any->subtarget().getSchedModelForCPU(cpu.Key);
      if (!model.hasInstrSchedModel())
        continue;
      ++models;
      std::map<std::string, std::string> longNames;
      for (unsigned resource = 1; resource < model.getNumProcResourceKinds(); ++resource) {
        if (model.getProcResource(resource)->SubUnitsIdxBegin)
          continue; // a group is no unit
        const std::string name = model.getProcResource(resource)->Name;
        const auto [known, isNew] = longNames.try_emplace(shortResourceName(name), name);
        EXPECT_TRUE(isNew || known->second == name) << cpu.Key << ": " << known->second << " and " << name;
      }
    }
    EXPECT_GT(models, 5u) << architecture;
  }
}

} // namespace
} // namespace analysis
