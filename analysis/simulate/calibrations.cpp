#include "analysis/simulate/calibrations.h"

#include "analysis/files/folders.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/xxhash.h"

namespace analysis {
namespace {

constexpr size_t kMostKept = 4; // a job needs one, and each takes some megabytes

CalibrationChoice problem(std::string why) {
  return {.calibration = nullptr, .problem = std::move(why)};
}

bool isSameWanted(const mca::WantedCpu &a, const mca::WantedCpu &b) {
  return a.llvmName == b.llvmName && a.machine == b.machine;
}

} // namespace

CalibrationChoice Calibrations::choose(const wire::Settings &settings, const std::string &cpu) {
  const std::string &wanted = settings.calibration;
  if (wanted.empty() || wanted == "off")
    return {};
  if (wanted == "auto")
    return chooseAutomatically(cpu, settings.model != "llvm");
  const std::string &folder = settings.calibrationFolder;
  if (!folder.empty() && llvm::sys::fs::exists(wanted) && !liesIn(wanted, folder))
    return problem(wanted + ": a project's settings may only name a file in its own folder");
  return read(wanted, {.llvmName = cpu, .machine = std::nullopt}, folder.empty() ? Source::User : Source::Project);
}

std::string Calibrations::fileOf(const wire::Settings &settings, const std::string &cpu) {
  const std::string &wanted = settings.calibration;
  const std::string file = wanted == "auto" ? mca::ownCalibrationPath(cpu, machine()) : wanted;
  return file.starts_with('/') && llvm::sys::fs::exists(file) ? file : "";
}

CalibrationChoice Calibrations::chooseAutomatically(const std::string &cpu, bool wantsProfile) {
  const mca::CpuIdentity &self = machine();
  const auto [own, shipped, documented] = mca::findAutomatic(cpu, self);
  if (!own.empty())
    return read(own, {.llvmName = cpu, .machine = self}, Source::Own);
  const mca::ShippedCalibration *const found = shipped ? shipped : wantsProfile ? documented : nullptr;
  if (!found)
    return {};
  Kept now{.path = std::string(found->file), .wanted = {.llvmName = cpu, .machine = std::nullopt}};
  now.source = shipped ? Source::Shipped : Source::Profile;
  if (const CalibrationChoice *known = find(now))
    return *known;
  return keep(std::move(now), found->text);
}

const mca::CpuIdentity &Calibrations::machine() {
  if (!machine_)
    machine_ = mca::thisCpu();
  return *machine_;
}

CalibrationChoice Calibrations::read(const std::string &path, const mca::WantedCpu &wanted, Source source) {
  Kept now{.path = path, .wanted = wanted, .source = source, .stamp = {}, .choice = {}};
  if (const std::optional<FileStamp> stamp = stampOfRegularFile(path)) {
    now.stamp = *stamp;
    if (const CalibrationChoice *known = find(now))
      return *known;
  }
  const RegularFile file = readRegularFile(path, mca::kMaxCalibrationSize);
  if (!file.isRead())
    return problem(path + ": " + file.failure);
  now.stamp = file.stamp;
  return keep(std::move(now), file.text);
}

/// What was read of the same file before, for the same CPU; null if it was not read or has changed.
const CalibrationChoice *Calibrations::find(const Kept &now) {
  const auto known = llvm::find_if(kept_, [&](const Kept &one) {
    return one.path == now.path && one.source == now.source && isSameWanted(one.wanted, now.wanted) &&
           one.stamp == now.stamp;
  });
  if (known == kept_.end())
    return nullptr;
  kept_.splice(kept_.begin(), kept_, known);
  return &kept_.front().choice;
}

CalibrationChoice Calibrations::keep(Kept now, std::string_view text) {
  mca::Result<mca::Calibration> read = mca::readCalibration(text, now.path, now.wanted);
  if (read) {
    auto loaded = std::make_shared<LoadedCalibration>();
    loaded->calibration = std::move(*read);
    loaded->digest = llvm::xxh3_64bits(llvm::StringRef(text));
    const mca::CpuIdentity &cpu = loaded->calibration.cpu;
    const bool isNamed = now.source == Source::User || now.source == Source::Project;
    loaded->summary = {.source = now.source,
                       .cpu = cpu.brand.empty() ? cpu.llvmName : cpu.brand,
                       .date = loaded->calibration.date,
                       .file = isNamed ? now.path : "",
                       .id = llvm::utohexstr(loaded->digest, /*LowerCase=*/true)};
    now.choice.calibration = std::move(loaded);
  } else {
    now.choice.problem = read.message();
  }
  kept_.push_front(std::move(now));
  if (kept_.size() > kMostKept)
    kept_.pop_back();
  return kept_.front().choice;
}

} // namespace analysis
