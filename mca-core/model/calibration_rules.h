// The facts and rules of a calibration by name, within the limits of the machine; calibration/names.h lists them.
#pragma once

#include "mca-core/calibration/calibration.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace mca {

/// A rule, or the absence of one.
class RuleValues {
public:
  explicit RuleValues(const CalibratedRule *rule) : rule_(rule) {}

  bool isOn() const { return rule_ != nullptr; }
  /// Returns the value, within the limits; `absent` if the rule does not have it.
  double value(std::string_view name, double absent, double least, double most) const {
    if (!rule_)
      return absent;
    const auto found = rule_->values.find(std::string(name));
    // A comparison with NaN is false.
    return found == rule_->values.end() || !(found->second >= least) ? absent : std::min(found->second, most);
  }
  /// Returns a whole number from 0 to 4096.
  int32_t number(std::string_view name, int32_t absent) const {
    return static_cast<int32_t>(std::lround(value(name, absent, 0, 4096)));
  }
  bool isSet(std::string_view name, bool absent = false) const { return number(name, absent) != 0; }

private:
  const CalibratedRule *rule_;
};

/// Refers to the calibration.
class CalibrationRules {
public:
  explicit CalibrationRules(const Calibration &calibration) : calibration_(calibration) {}

  RuleValues operator[](std::string_view name) const {
    const auto found = std::ranges::find(calibration_.rules, name, &CalibratedRule::name);
    return RuleValues(found == calibration_.rules.end() ? nullptr : &*found);
  }
  /// Returns the fact, within the limits; `absent` if it is unknown or below `least`.
  double fact(std::string_view name, double absent, double least, double most) const {
    const auto found = calibration_.facts.find(std::string(name));
    return found == calibration_.facts.end() || !(found->second.value >= least) ? absent
                                                                                : std::min(found->second.value, most);
  }
  uint32_t count(std::string_view name, uint32_t absent, uint32_t most = 65535) const {
    return static_cast<uint32_t>(std::lround(fact(name, absent, 1, most)));
  }

private:
  const Calibration &calibration_;
};

} // namespace mca
