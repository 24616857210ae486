// Where a program spent its time, by the addresses of its instructions, and how often these executed.
//
// A profile holds the machine code of each function with samples. So an assembly text can be compared with what ran
// long after the program was built again, and on another machine. What the importer could not attribute to a function
// stays as the share of a module, of the kernel, or of nothing known: all parts add up to the whole.
#pragma once

#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace analysis {

/// What the weights of a profile count. Of two profiles, the one with the later unit says more about time.
enum class ProfileUnit : uint8_t {
  Instructions, ///< executed ones, as callgrind simulates them
  Events,       ///< of any other kind, or samples without a period
  Nanoseconds,  ///< of processor time
  Cycles        ///< of the core
};

/// The name in a file: "instructions", "events", "ns", "cycles".
std::string_view nameOf(ProfileUnit unit);

/// A program or a library whose functions have samples.
struct ProfiledProgram {
  std::string path;
  std::string triple;
  std::string buildId; ///< lower-case hexadecimal; empty if the linker wrote none
  bool operator==(const ProfiledProgram &) const = default;
};

struct ProfiledPlace {
  uint32_t offset = 0; ///< of an instruction, in bytes from the start of its function
  uint64_t weight = 0; ///< in units of the profile
  bool operator==(const ProfiledPlace &) const = default;
};

/// A line of the source that a function was compiled from. What was inlined counts for the line of the call.
struct ProfiledLine {
  uint32_t line = 0;   ///< 1-based
  uint32_t digest = 0; ///< digestOf() the line's text when it was compiled; 0 if that is not known
  uint64_t weight = 0; ///< in units of the profile
  /// How often the condition of the loop on the line held: its iterations in the source. 0 if that is not known.
  uint64_t iterations = 0;
  /// How often that condition did not hold, which ends the loop: how often it was entered, if nothing else ends it.
  uint64_t ends = 0;
  bool operator==(const ProfiledLine &) const = default;
};

/// Identifies the text of a line, white space at its ends apart. Never 0.
uint32_t digestOf(std::string_view line);

struct ProfiledFunction {
  static constexpr uint32_t kNoSource = UINT32_MAX;

  std::string name;                  ///< the linker's
  std::vector<std::string> aliases;  ///< other names of its address
  uint32_t program = 0;              ///< index in Profile::programs
  uint64_t address = 0;              ///< in the program's file
  std::string code;                  ///< its bytes; empty if it has too many
  std::vector<ProfiledPlace> places; ///< ascending by offset, each offset once
  std::vector<uint64_t> executions;  ///< of each place, 0 if unknown; empty if none is known, as of most profiles
  uint32_t source = kNoSource;       ///< index in Profile::sources; kNoSource if there is no debug information
  std::vector<ProfiledLine> lines;   ///< ascending, each once; those of `source` that have weight or iterations
  bool operator==(const ProfiledFunction &) const = default;

  /// The place's offset must be larger than all before it.
  void addPlace(const ProfiledPlace &place, uint64_t placeExecutions);
  uint64_t executionsOf(size_t place) const { return executions.empty() ? 0 : executions[place]; }
  uint64_t weight() const;
};

/// Weight that belongs to no function of the profile.
struct UnattributedWeight {
  enum class Kind : uint8_t { Module, Kernel, Unknown };
  Kind kind = Kind::Unknown;
  std::string module; ///< of Module: its path
  uint64_t weight = 0;
  bool operator==(const UnattributedWeight &) const = default;
};

struct Profile {
  /// More than this in total would not survive arithmetic. In units.
  static constexpr uint64_t kMaxWeight = uint64_t{1} << 62;

  std::string event; ///< the profiler's name of what it counted
  ProfileUnit unit = ProfileUnit::Events;
  uint64_t samples = 0;
  uint32_t runs = 0;        ///< recordings that the weights are the sum of
  uint32_t countedRuns = 0; ///< recordings that the executions are the sum of; 0: there are none
  uint64_t hertz = 0;       ///< of the core's clock during the recording; 0: unknown
  std::vector<ProfiledProgram> programs;
  std::vector<std::string> sources; ///< paths, each once, as many functions have the same
  std::vector<ProfiledFunction> functions;
  std::vector<UnattributedWeight> rest;
  bool operator==(const Profile &) const = default;

  /// All weight.
  uint64_t total() const;
  /// The path of a function's source; empty if there is no debug information.
  std::string_view sourceOf(const ProfiledFunction &function) const {
    return function.source == ProfiledFunction::kNoSource ? std::string_view() : sources[function.source];
  }
  /// What a weight is in core cycles; nothing if the unit is no time, or the clock is not known.
  std::optional<double> inCycles(double weight) const;
};

/// Finds the indices of paths in Profile::sources.
class SourcePaths {
public:
  /// The paths must outlive it.
  explicit SourcePaths(std::vector<std::string> &paths) : paths_(paths) {
    for (const std::string &path : paths)
      indices_.try_emplace(path, static_cast<uint32_t>(indices_.size()));
  }
  /// A path that is not there is added; an empty one is no source.
  uint32_t indexOf(std::string_view path);

private:
  std::vector<std::string> &paths_;
  llvm::StringMap<uint32_t> indices_;
};

/// Adds another profile: places of the same function of the same build add up. Of two units, the one that says more
/// about time stays, and the other's profile adds its executions alone. Returns why the two cannot be added, or an
/// empty text.
std::string merge(Profile &into, Profile from);

} // namespace analysis
