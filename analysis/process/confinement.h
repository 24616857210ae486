// What a started program and all that it starts may do, enforced by the kernel: Landlock for files, seccomp for system
// calls. Both hold for the worker and the compilers, which read what a hostile folder wrote.
//
// A kernel without one of them runs the program without it: Support says what is missing, and the user is notified.
// Older versions of Landlock lack some rights; what they lack is left out, apart from truncation, which seccomp
// refuses, too.
#pragma once

#include "analysis/process/file_descriptor.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace analysis {

/// Paths are absolute. One that does not exist is skipped; of a link, its target counts.
struct Confinement {
  struct Files {
    std::vector<std::string> read; ///< files and folders
    std::vector<std::string> run;  ///< the same, and programs below them may be run
    bool operator==(const Files &) const = default;
  };
  std::optional<Files> files;     ///< all that can be read and run; no value: everything
  std::vector<std::string> write; ///< folders in which files are made, changed and removed; nothing else is
  bool leavesGroup = false;       ///< it may start process groups, so that killGroup() does not reach all it starts
  bool foreignCalls = false;      ///< its system calls may be those of another word size, and are not restricted then
  bool operator==(const Confinement &) const = default;
};

/// What the kernel offers.
struct ConfinementSupport {
  int landlock = 0; ///< version of its interface (landlock(7)); 0: none
  bool seccomp = false;
};

/// Asks the kernel.
ConfinementSupport confinementSupport();

/// In words, what is missing; empty if nothing is.
std::string describeMissing(const ConfinementSupport &support);

/// A confinement made ready: what remains after the fork are system calls alone. Keeps descriptors of its paths.
class PreparedConfinement {
public:
  explicit PreparedConfinement(const Confinement &confinement);
  ~PreparedConfinement();

  /// Confines the calling process for ever. To be called between fork and exec; async-signal-safe. Returns false, with
  /// errno, if the kernel has what is asked for but refuses.
  bool enforce() const;

private:
  struct Filter;
  FileDescriptor ruleset_;
  std::unique_ptr<Filter> filter_;
};

} // namespace analysis
