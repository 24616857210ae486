// What a calibration says of a region's memory: which loads read what a store wrote, and how soon; which accesses cross
// lines or meet in a bank; how long stores take to leave. Addresses are known as far as known_addresses.h knows them.
#pragma once

#include "mca-core/model/calibrated_body.h"
#include "mca-core/program/memory_bytes.h"
#include "mca-core/target/target.h"

namespace mca {

class CalibratedMemory {
public:
  /// Both have to outlive it.
  CalibratedMemory(const Target &target, const CalibrationRules &rules);

  /// `body`: its instructions are those of `region`, with all but their memory. Forwards and uses are added to it.
  void add(const LoweredRegion &region, const CalibratedRegion &how, CalibratedBody &body) const;

private:
  const Target &target_;
  const CalibrationRules &rules_;
  MemoryBytes sizes_;
};

} // namespace mca
