// Which CPU this is, and where calibrations for it lie: the user's own file in the XDG data folder, or one that is
// shipped.
//
// Shipped calibrations, and documented profiles for CPUs without one, are compiled into the programs, so that there is
// no file to install, to find or to tamper with; mca-core/calibration/shipped and mca-core/calibration/documented have
// their texts.
#pragma once

#include "mca-core/calibration/calibration.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mca {

/// The CPU that this process runs on. Vendor, family, model and stepping are known on x86 only; elsewhere the vendor is
/// empty.
CpuIdentity thisCpu();

/// The microcode's version in the text of Linux's /proc/cpuinfo, of the first processor; empty if it has none.
std::string microcodeIn(std::string_view cpuinfo);

/// Whether two are of one vendor, family and model. Steppings and microcode may differ.
bool isSameCpu(const CpuIdentity &a, const CpuIdentity &b);

/// Whether a calibration or a profile is of the CPU that LLVM calls `cpu`, such as znver3.
bool speaksOf(const Calibration &calibration, std::string_view cpu);

/// The path of the user's own calibration for a CPU, in the XDG data folder:
/// mca-lsp/calibrations/VENDOR-FAMILY-MODEL.calibration. The file need not exist. Empty if the CPU has no vendor or the
/// user no such folder.
std::string userCalibrationPath(const CpuIdentity &cpu);

struct ShippedCalibration {
  std::string_view file; ///< its name, for messages
  std::string_view text;
};

/// All that are compiled in, sorted by file name.
std::span<const ShippedCalibration> shippedCalibrations();

/// The shipped calibration of a CPU, by vendor, family and model. For an identity without a vendor, any of the CPU that
/// LLVM calls by its name. Null if there is none.
const ShippedCalibration *findShipped(const CpuIdentity &cpu);

/// Where the user's own calibration for LLVM's name of a CPU would lie. Empty if `machine` has another name, or no
/// place for it.
std::string ownCalibrationPath(const std::string &llvmName, const CpuIdentity &machine);

/// The shipped calibration for LLVM's name of a CPU: of `machine`'s model if it has that name, as LLVM has one name for
/// several models; otherwise of any model. Null if there is none.
const ShippedCalibration *findShippedFor(const std::string &llvmName, const CpuIdentity &machine);

/// The documented profiles that are compiled in, sorted by file name.
std::span<const ShippedCalibration> documentedProfiles();

/// The documented profile for LLVM's name of a CPU. Null if there is none.
const ShippedCalibration *findDocumented(const std::string &llvmName);

/// What "auto" stands for: the user's own file of this machine, if it is there; otherwise what is shipped; otherwise a
/// documented profile.
struct AutomaticCalibration {
  std::string own;                                ///< the path of the user's own file; empty if it does not count
  const ShippedCalibration *shipped = nullptr;    ///< null with `own`, or if there is none
  const ShippedCalibration *documented = nullptr; ///< null with one of the others, or if there is none
};

/// For LLVM's name of a CPU.
AutomaticCalibration findAutomatic(const std::string &llvmName, const CpuIdentity &machine);

} // namespace mca
