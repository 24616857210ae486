// What was measured of one CPU, or is documented of a family: the facts that replace LLVM's where both speak of the
// same thing.
//
// Plain values, without LLVM's objects. rules.h has the facts and rules with the table of their values; form.h says
// which row an instruction belongs to; calibration_file.h reads and writes them as text; model/calibrated_body.h lays
// them over what LLVM says. A value that is missing stays LLVM's.
#pragma once

#include "mca-core/calibration/rules.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mca {

/// The CPU that was measured. All but `llvmName` as the processor itself says (x86: cpuid).
struct CpuIdentity {
  std::string vendor; ///< such as AuthenticAMD
  uint32_t family = 0, model = 0, stepping = 0;
  std::string microcode; ///< as the system says, such as 0xa0011d1; empty: unknown
  std::string brand;     ///< such as AMD EPYC 7763
  std::string llvmName;  ///< LLVM's name of the CPU, such as znver3
  bool operator==(const CpuIdentity &) const = default;
};

/// The most that a resource can have in a cycle: the machine counts what is left of it in 16 bits.
constexpr uint32_t kMaxUnitsPerCycle = 38;

/// An abstract resource: something that instructions share, with a capacity per cycle. Not a port: what one instruction
/// takes of it may be a fraction (conjunctive resources, as in Palmed, CGO 2022).
struct CalibratedResource {
  std::string name;    ///< such as alu, load, store, vector-multiply; in a profile llvm/Port05, LLVM's own
  double capacity = 1; ///< units per cycle, at most kMaxUnitsPerCycle
  Provenance from;
  bool operator==(const CalibratedResource &) const = default;
};

/// A form of an instruction, see form.h.
struct CalibratedForm {
  struct Use {
    uint32_t resource = 0; ///< into Calibration::resources
    double amount = 0;     ///< units per execution
    bool operator==(const Use &) const = default;
  };
  /// From a register that is read (or an address, or the flags) to one that is written.
  struct Latency {
    uint16_t source = 0, destination = 0; ///< operand indexes as FormOperands counts them
    double cycles = 0;
    bool operator==(const Latency &) const = default;
  };
  std::string opcode;          ///< LLVM's name, such as ADD64rr
  std::string shape;           ///< what form.h adds to it, such as same or indexed; often empty
  std::optional<double> slots; ///< of the front end's `slotsPerCycle`
  std::vector<Use> uses;       ///< empty together with a missing `slots`: unknown
  std::vector<Latency> latencies;
  RenameTreatment treatment = RenameTreatment::None;
  Provenance from;
  bool operator==(const CalibratedForm &) const = default;
};

/// How far predictions were from measurements of blocks that no probe used. Errors are means or medians of
/// |predicted − measured| / measured; tau is Kendall's.
struct CalibrationCheck {
  struct Errors {
    double mean = 0, median = 0, tau = 0;
    bool operator==(const Errors &) const = default;
  };
  std::string blocks; ///< which blocks in which form, such as steady or loop
  uint32_t count = 0; ///< of blocks
  Errors calibrated, llvm;
  bool operator==(const CalibrationCheck &) const = default;
};

/// Where values of a documented profile come from.
struct DocumentedSource {
  std::string name; ///< Provenance::probe of such a value
  std::string text; ///< a title, and where to find it
  bool operator==(const DocumentedSource &) const = default;
};

/// Everything measured of one CPU; or a documented profile, which has what is published of a family of CPUs.
struct Calibration {
  CpuIdentity cpu; ///< of a profile only the brand, which is the family's name
  /// Of a profile: LLVM's names of the CPUs that it is of, and its sources. Empty otherwise.
  std::vector<std::string> profiled;
  std::vector<DocumentedSource> sources;
  std::string date;   ///< YYYY-MM-DD
  std::string madeBy; ///< program and version
  std::vector<CalibrationCheck> checks;
  CalibrationFacts facts;
  std::vector<CalibratedResource> resources;
  CalibrationRules rules;
  std::vector<CalibratedForm> forms;
  bool operator==(const Calibration &) const = default;

  bool isProfile() const { return !profiled.empty(); }
};

} // namespace mca
