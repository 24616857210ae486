// The table of model owners against the LLVM that is linked: another LLVM has other CPUs and models, and nothing else
// would say that the table misses them.
//
// model_owners.txt has a line for each CPU with a model: whose it is. MCA_UPDATE_GOLDENS=1 rewrites it.
#include "mca-core/target/target.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace mca {
namespace {

using Lines = std::set<std::string>;

/// An architecture of the table, with LLVM's CPUs.
class Architecture {
public:
  explicit Architecture(llvm::Triple::ArchType arch)
      : name_(llvm::Triple::getArchTypeName(arch)),
        target_(std::move(*Target::create({.triple = name_, .cpu = "generic"}))) {}

  const std::string &name() const { return name_; }
  bool knows(llvm::StringRef cpu) const { return target_->subtarget().isCPUStringValid(cpu); }
  llvm::ArrayRef<llvm::SubtargetSubTypeKV> cpus() const { return target_->subtarget().getAllProcessorDescriptions(); }
  std::unique_ptr<llvm::MCSubtargetInfo> subtargetOf(llvm::StringRef cpu) const {
    return std::unique_ptr<llvm::MCSubtargetInfo>(target_->backend().createMCSubtargetInfo(target_->triple(), cpu, ""));
  }
  ModelOrigin originOf(llvm::StringRef cpu) const { return findModelOrigin(*subtargetOf(cpu), cpu); }

private:
  std::string name_;
  std::unique_ptr<Target> target_;
};

std::vector<Architecture> architectures() {
  llvm::SmallVector<llvm::Triple::ArchType> known;
  std::vector<Architecture> all;
  for (const ModelOwner &owner : modelOwners())
    if (!llvm::is_contained(known, owner.arch)) {
      known.push_back(owner.arch);
      all.emplace_back(owner.arch);
    }
  return all;
}

/// "x86_64 znver5: modelled as znver4"
Lines originsOfAll() {
  Lines lines;
  for (const Architecture &architecture : architectures())
    for (const llvm::SubtargetSubTypeKV &cpu : architecture.cpus())
      if (const ModelOrigin origin = architecture.originOf(cpu.Key); origin.kind != ModelOrigin::Kind::None)
        lines.insert(architecture.name() + " " + origin.describe(cpu.Key));
  return lines;
}

Lines linesOf(std::istream &stream) {
  Lines lines;
  for (std::string line; std::getline(stream, line);)
    lines.insert(line);
  return lines;
}

/// What is in `lines` and not in `others`, each line after `sign`.
std::string only(const Lines &lines, const Lines &others, const std::string &sign) {
  std::string text;
  for (const std::string &line : lines)
    if (!others.contains(line))
      text += sign + line + "\n";
  return text;
}

void expectOwner(const Architecture &architecture, llvm::StringRef cpu, const ModelOwner &owner) {
  const std::string entry = architecture.name() + " " + cpu.str();
  if (!architecture.knows(cpu)) {
    ADD_FAILURE() << entry << ": this LLVM has no such CPU";
    return;
  }
  const std::unique_ptr<llvm::MCSubtargetInfo> subtarget = architecture.subtargetOf(cpu);
  const llvm::MCSchedModel &model = subtarget->getSchedModel();
  if (!model.hasInstrSchedModel() || model.getNumProcResourceKinds() < 2) {
    ADD_FAILURE() << entry << ": this LLVM has no scheduling model for it";
    return;
  }
  const llvm::StringRef resource = model.getProcResource(1)->Name;
  if (!resource.starts_with(owner.resourcePrefix))
    ADD_FAILURE() << entry << ": the first resource of its model is " << resource.str() << ", not "
                  << owner.resourcePrefix.str();
  EXPECT_EQ(architecture.originOf(cpu).kind, ModelOrigin::Kind::Own) << entry;
}

TEST(ModelOwners, EveryEntryOwnsItsModel) {
  for (const ModelOwner &owner : modelOwners()) {
    const Architecture architecture(owner.arch);
    for (const llvm::StringRef cpu : llvm::split(owner.cpus, ' '))
      expectOwner(architecture, cpu, owner);
  }
}

TEST(ModelOwners, EverySharedModelHasOne) {
  for (const Architecture &architecture : architectures()) {
    std::set<const llvm::MCSchedModel *> reported;
    for (const llvm::SubtargetSubTypeKV &cpu : architecture.cpus())
      if (const ModelOrigin origin = architecture.originOf(cpu.Key);
          origin.kind == ModelOrigin::Kind::Shared && reported.insert(cpu.SchedModel).second)
        ADD_FAILURE() << architecture.name() << " " << origin.describe(cpu.Key) << ", and no entry of the table owns "
                      << cpu.SchedModel->getProcResource(1)->Name;
  }
}

TEST(ModelOwners, OfEachCpuAreThoseThatWereReviewed) {
  const Lines now = originsOfAll();
  if (std::getenv("MCA_UPDATE_GOLDENS")) {
    std::ofstream file(MODEL_OWNERS);
    for (const std::string &line : now)
      file << line << "\n";
    return;
  }
  std::ifstream file(MODEL_OWNERS);
  const Lines reviewed = linesOf(file);
  ASSERT_FALSE(reviewed.empty()) << MODEL_OWNERS;
  if (const std::string changes = only(reviewed, now, "- ") + only(now, reviewed, "+ "); !changes.empty())
    ADD_FAILURE() << changes << "Is each line with a + true? MCA_UPDATE_GOLDENS=1 rewrites " << MODEL_OWNERS;
}

} // namespace
} // namespace mca
