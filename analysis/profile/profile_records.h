// What the importers of profiles have in common: a reader takes what a profiler wrote and tells a sink where the
// samples are. Readers know nothing of programs; the sink finds their functions (profile_builder.h).
//
// Recordings are hostile input, of any length: readers keep memory in proportion to the different places, of which
// there are at most a million.
#pragma once

#include "analysis/import/branch_records.h"
#include "analysis/profile/profile.h"

#include <functional>

namespace analysis {

constexpr size_t kMaxProfiledPlaces = 1u << 20;

/// A place in the code, as the profiler names it.
struct RecordedPlace {
  enum class By : uint8_t {
    Symbol,     ///< `symbol` and `address`, the distance from its start
    Address,    ///< `address`, that of the module's file
    FileOffset, ///< `address`, a position in the module's file; `symbol`, if it is known, has to fit the function there
    Line,   ///< `symbol` and `line` of its source; the symbol may be the decimal number that LLVM hashes its name to
    Module, ///< nothing but the module is known
    Kernel,
    Unknown
  };
  By by = By::Unknown;
  std::string_view module; ///< the path of a program or library; empty: the recorded program
  std::string_view symbol;
  uint64_t address = 0;
  /// Of Symbol: the last three hexadecimal digits of the address at which it ran, which no loader changes; empty if
  /// they are not known.
  std::optional<uint32_t> inPage;
  std::string_view source; ///< of Line: the file that has the line, as the profiler names it; empty: the function's
  uint32_t line = 0;       ///< of Line: 1-based; 0: unknown
  bool isFromDeclaration = false; ///< `line` is the distance from the line that declares the function
};

struct RecordedWeight {
  uint64_t weight = 0; ///< in the event's unit
  uint64_t samples = 0;
  uint64_t executions = 0; ///< 0: unknown. Of a line: the iterations of the loop whose condition it has
  uint64_t ends = 0;       ///< of a line: how often that condition did not hold
};

class ProfileSink {
public:
  virtual ~ProfileSink() = default;
  /// What is counted. Comes once, before all samples.
  virtual void event(std::string_view name, ProfileUnit unit) = 0;
  virtual void sampled(const RecordedPlace &place, const RecordedWeight &weight) = 0;
  /// The build id of a module that ran, if the recording has it. Comes before the module's samples.
  virtual void build(std::string_view /*module*/, std::string_view /*buildId*/) {}
  /// Of how many runs the executions are the sum. Comes before all samples, and is missing if it is one.
  virtual void counted(uint32_t /*runs*/) {}
  /// Something about the recording that the user should know.
  virtual void note(std::string text) = 0;
};

class ProfileReader {
public:
  virtual ~ProfileReader() = default;
  /// Reads all of a recording. `onChunk` is called about once per MiB, with the number of bytes so far.
  virtual std::optional<ImportError> read(int descriptor, ProfileSink &sink,
                                          const std::function<bool(uint64_t bytes)> &onChunk) = 0;
};

/// The names of the readers, for messages.
inline constexpr std::string_view kProfileKinds = "perf, pprof, autofdo, profdata, gcov, callgrind or mcaprofile";

/// By the name on the command line. Null for another name. `programs`: the files that ran.
std::unique_ptr<ProfileReader> createProfileReader(std::string_view kind, const std::vector<std::string> &programs);

} // namespace analysis
