// From what profilers wrote to a `.mcaprofile`: `mca-lsp --import-profile` and `--record-profile`, in the worker's
// process.
#pragma once

#include "analysis/import/import.h"
#include "analysis/profile/profile.h"

namespace analysis {

struct ProfileRequest {
  struct Recording {
    std::string kind; ///< as of createProfileReader(), or `mcaprofile`
    std::string file; ///< its path; `-` is standard input
  };
  std::vector<Recording> recordings; ///< they are merged
  std::vector<std::string> programs; ///< ELF files that ran; empty: those that a recording names
  std::string output;                ///< path of the profile; empty: `perf.mcaprofile`; `-`: standard output
  double gigahertz = 0;              ///< of the core's clock; 0: unknown
  std::vector<std::string> command;  ///< to run and record, instead of recordings; empty: none
  unsigned seconds = 0;              ///< after which the command is ended; 0: it runs to its end
};

/// Writes the profile. Returns its path, or `-`. `progress` is called now and then.
mca::Result<std::string> importProfile(const ProfileRequest &request, const ImportMessages &note,
                                       const ImportMessages &progress);

/// Runs the request's command under `perf record`, and imports what that wrote.
mca::Result<std::string> recordProfile(const ProfileRequest &request, const ImportMessages &note,
                                       const ImportMessages &progress);

} // namespace analysis
