// The facts and rules that a calibration may have, with units and ranges. Any other name is an error when a file is
// read, because a misspelt one would silently change nothing. docs/calibration-file.md lists them; a test compares.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace mca {

/// A fact, or a value of a rule.
struct KnownValue {
  std::string_view name;
  std::string_view unit;   ///< such as cycles
  double least, most;      ///< inclusive
  std::string_view absent; ///< what holds without it, in words
  std::string_view meaning;
};

struct KnownRule {
  std::string_view name;
  std::string_view meaning;
  std::span<const KnownValue> values;
  /// If set, the rule also has values that are named after resources, each with this description.
  std::optional<KnownValue> perResource;
};

std::span<const KnownValue> knownFacts();
std::span<const KnownRule> knownRules();

/// Null if there is no such name.
const KnownValue *findFact(std::string_view name);
const KnownRule *findRule(std::string_view name);
const KnownValue *findValue(const KnownRule &rule, std::string_view name);

} // namespace mca
