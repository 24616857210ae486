// Scheduling models that are larger than the engine's tables, and that no CPU has one.
#include "mca-core/model/model_limits.h"
#include "tests/mca-core/parsed.h"

#include <algorithm>
#include <vector>

namespace mca {
namespace {

/// A model of so many register files, resources and units of its last resource.
std::optional<std::string> beyond(unsigned files, unsigned resources, unsigned units) {
  llvm::MCExtraProcessorInfo extra{};
  extra.NumRegisterFiles = files + 1;
  std::vector<llvm::MCProcResourceDesc> table(resources + 1, {"R", 1, 0, -1, nullptr});
  table.back().NumUnits = units;
  llvm::MCSchedModel model = llvm::MCSchedModel::Default;
  model.ProcResourceTable = table.data();
  model.NumProcResourceKinds = resources + 1;
  const llvm::MCSchedClassDesc classes{};
  model.SchedClassTable = &classes;
  model.ExtraProcessorInfo = &extra;
  return beyondLimits(model);
}

TEST(ModelLimits, AreSaid) {
  EXPECT_EQ(beyond(3, 63, 63), std::nullopt);
  EXPECT_EQ(beyond(4, 1, 1), "the CPU's scheduling model has 4 register files, of which at most 3 can be simulated");
  EXPECT_EQ(beyond(0, 64, 1), "the CPU's scheduling model has 64 resources, of which at most 63 can be simulated");
  EXPECT_EQ(beyond(0, 2, 64), "the CPU's scheduling model has 64 units of R, of which at most 63 can be simulated");
}

TEST(ModelLimits, NoCpuIsBeyond) {
  size_t models = 0;
  for (const char *triple : {kX86, kAArch64, kRiscv, "riscv32", "armv7-linux-gnueabihf", "thumbv7em-none-eabi",
                             "powerpc64le-linux-gnu", "s390x-linux-gnu", "mipsel-linux-gnu", "amdgcn-amd-amdhsa",
                             "hexagon-unknown-elf", "sparcv9-linux-gnu", "lanai", "nvptx64"}) {
    const auto target = Target::create({.triple = triple, .cpu = "generic"});
    ASSERT_TRUE(target) << triple;
    const llvm::MCSubtargetInfo &subtarget = (*target)->subtarget();
    for (const llvm::SubtargetSubTypeKV &cpu : subtarget.getAllProcessorDescriptions()) {
      const llvm::MCSchedModel &model = subtarget.getSchedModelForCPU(cpu.Key);
      models += model.hasInstrSchedModel();
      EXPECT_EQ(beyondLimits(model), std::nullopt) << cpu.Key;
    }
  }
  EXPECT_GT(models, 200u);
}

} // namespace
} // namespace mca
