// Makes a profile of what a reader tells: finds the programs of a recording, and in them the function of each place.
//
// A symbol and the distance from its start name a place wherever the program was loaded. Several static functions may
// share a name; of those the one counts whose place has the same last digits as the recorded address, because loaders
// move programs by whole pages. If no function of that name has them, the file is another build than the one that ran.
//
// Of a place without an address only the source line is known. Its function gets no machine code, so nobody takes it
// for samples of instructions: it has its whole weight at its start, and the weights of its lines.
#pragma once

#include "analysis/import/program_image.h"
#include "analysis/profile/profile_records.h"

#include <map>
#include <memory>
#include <set>

namespace analysis {

class ProfileBuilder final : public ProfileSink {
public:
  /// `programs`: of the recording; if there are none, the files that it names are opened, as far as they are there.
  explicit ProfileBuilder(std::vector<std::unique_ptr<ProgramImage>> programs);
  ~ProfileBuilder() override;

  void event(std::string_view name, ProfileUnit unit) override;
  void sampled(const RecordedPlace &place, const RecordedWeight &weight) override;
  void build(std::string_view module, std::string_view buildId) override;
  void counted(uint32_t runs) override { countedRuns_ = runs; }
  void note(std::string text) override { notes_.push_back(std::move(text)); }

  /// The profile of one run. Fails if nothing was recorded, or if the programs are not those that ran.
  mca::Result<Profile> finish();
  const std::vector<std::string> &notes() const { return notes_; }

private:
  class Module;
  using Function = std::pair<uint32_t, const ProgramFunction *>; ///< the module's index, and its function
  /// What a profiler says of a function's source alone.
  struct FunctionLines {
    uint64_t weight = 0;
    std::string source; ///< as the profiler names it
    bool isFromDeclaration = false;
    std::map<uint32_t, ProfiledLine> lines; ///< those of `source`
  };

  Module *moduleOf(std::string_view path);
  void addRest(UnattributedWeight::Kind kind, std::string_view module, uint64_t weight);
  bool addToFunction(Module &module, const RecordedPlace &place, const RecordedWeight &weight);
  bool addToLine(Module &module, const RecordedPlace &place, const RecordedWeight &weight);
  ProfiledFunction describe(const Function &key, const std::map<uint32_t, RecordedWeight> &places);
  ProfiledFunction describeLines(const Function &key, const FunctionLines &lines);

  std::vector<std::unique_ptr<Module>> modules_;
  std::map<std::string, Module *, std::less<>> byPath_; ///< null: no program that can be read
  bool opensModules_;
  bool isCounted_ = false;
  uint32_t countedRuns_ = 1;
  bool lacksProgram_ = false; ///< of a place that only has a source line
  Profile profile_;
  SourcePaths sources_{profile_.sources};
  std::map<Function, std::map<uint32_t, RecordedWeight>> functions_; ///< by offset
  std::map<Function, FunctionLines> functionLines_;
  /// By the name of the source's file: lines of functions that are not there, as of copies that were inlined. The
  /// iterations of their other copies are not all of them.
  std::set<std::pair<std::string, uint32_t>> incompleteLines_;
  std::map<std::pair<UnattributedWeight::Kind, std::string>, uint64_t> rest_;
  std::vector<std::string> notes_;
};

} // namespace analysis
