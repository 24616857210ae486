// A Calibration as text, and back. docs/calibration-file.md describes the format.
//
//     mca-calibration 1
//     cpu vendor=AuthenticAMD family=25 model=1 stepping=1 microcode=0xa0011d1 brand="AMD EPYC 7763" llvm=znver3
//     made date=2026-11-23 by="mca-measure 0.1.0"
//     fact slots-per-cycle 6 from=nops:0.004:3
//     resource load 3 from=loads:0.01:3
//     rule store-forwarding general=7 vector=9 from=forwarding:0.01:3
//     form ADD64rm base slots=1 uses=alu:1,load:1 latencies=1>0:1,2>0:5,2>i0:5 from=mixes:0.02:3
//     end
//
// A documented profile has `profile` in place of `cpu`, and `source` lines that its values name.
//
// A line format instead of YAML: each line stands alone, so an error has a line and a column, nothing nests, and
// reading is one pass over the text. What would silently change a number is refused: unknown names, duplicates, numbers
// out of range, uses of a resource that no earlier line has, a text without its end.
#pragma once

#include "mca-core/calibration/calibration.h"
#include "mca-core/target/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace mca {

/// The versions that readCalibration() reads, and what writeCalibration() writes.
constexpr uint32_t kCalibrationVersion = 1;
/// Longer texts are refused, in bytes.
constexpr size_t kMaxCalibrationSize = size_t(16) << 20;

/// What a calibration is read for. Fields that are empty or not set match any CPU.
struct WantedCpu {
  std::string llvmName; ///< LLVM's name, such as znver3
  /// The CPU that it has to be of, by vendor, family and model.
  std::optional<CpuIdentity> machine;
};

/// Reads a calibration. `file` names the text in messages. Fails with "FILE:LINE:COLUMN: reason" at the first error;
/// lines and columns (bytes) are 1-based. A calibration of another CPU than the wanted one is an error, too.
Result<Calibration> readCalibration(std::string_view text, const std::string &file, const WantedCpu &wanted = {});

/// Reads only which CPUs a calibration or a profile is of. The rest of the text may be wrong.
Result<Calibration> readCalibratedCpus(std::string_view text, const std::string &file);

/// The same text for equal calibrations. The calibration has to be one that readCalibration() accepts; it then reads
/// the text as an equal one.
std::string writeCalibration(const Calibration &calibration);

} // namespace mca
