// Compares a model with the widths of the engine's bit masks.
#include "mca-core/model/model_limits.h"

#include "mca-core/model/body.h"

namespace mca {
namespace {

// LLVM's masks have 64 bits as well (computeProcResourceMasks in llvm/lib/MCA/Support.cpp), but no check.
constexpr unsigned kMaxResources = 63; ///< one bit each; LLVM's invalid resource has none
constexpr unsigned kMaxUnits = 63;     ///< per resource, one bit each

std::string tooMany(unsigned count, const char *what, unsigned most) {
  return "the CPU's scheduling model has " + std::to_string(count) + " " + what + ", of which at most " +
         std::to_string(most) + " can be simulated";
}

} // namespace

std::optional<std::string> beyondLimits(const llvm::MCSchedModel &model) {
  const unsigned files = model.hasExtraProcessorInfo() ? model.getExtraProcessorInfo().NumRegisterFiles : 0;
  if (files > RegisterCounts::kFiles)
    return tooMany(files - 1, "register files", RegisterCounts::kFiles - 1);
  if (!model.hasInstrSchedModel())
    return std::nullopt;
  const unsigned resources = model.getNumProcResourceKinds() - 1;
  if (resources > kMaxResources)
    return tooMany(resources, "resources", kMaxResources);
  for (unsigned id = 1; id <= resources; ++id)
    if (const llvm::MCProcResourceDesc &resource = *model.getProcResource(id);
        !resource.SubUnitsIdxBegin && resource.NumUnits > kMaxUnits)
      return tooMany(resource.NumUnits, (std::string("units of ") + resource.Name).c_str(), kMaxUnits);
  return std::nullopt;
}

} // namespace mca
