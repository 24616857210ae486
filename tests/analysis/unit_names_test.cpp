// Short names of resources: never the same for two units of a model of LLVM's.
#include "lsp/wording/resource_names.h"
#include "mca-core/target/target.h"

#include <gtest/gtest.h>
#include <map>

namespace analysis {
namespace {

TEST(UnitNames, TwoUnitsOfAModelNeverShareOne) {
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
        const auto [known, isNew] = longNames.try_emplace(lsp::wording::shortResourceName(name), name);
        EXPECT_TRUE(isNew || known->second == name) << cpu.Key << ": " << known->second << " and " << name;
      }
    }
    EXPECT_GT(models, 5u) << architecture;
  }
}

} // namespace
} // namespace analysis
