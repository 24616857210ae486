// LLVM's coverage mapping, a section of the program, ties the counters of a function to places in its source. It takes
// an indexed profile; a raw one, as the program writes it, is indexed first.
#include "analysis/import/record_text.h"
#include "analysis/profile/binary_recording.h"
#include "analysis/profile/source_counts.h"

#include "llvm/ProfileData/Coverage/CoverageMapping.h"
#include "llvm/ProfileData/Coverage/CoverageMappingReader.h"
#include "llvm/ProfileData/InstrProfReader.h"
#include "llvm/ProfileData/InstrProfWriter.h"

#include <map>

namespace analysis {
namespace {

using llvm::coverage::BinaryCoverageReader;
using llvm::coverage::CountedRegion;
using llvm::coverage::CoverageMapping;
using llvm::coverage::CoverageMappingReader;
using llvm::coverage::FunctionRecord;
using Buffer = std::unique_ptr<llvm::MemoryBuffer>;

ImportError unreadable(const llvm::Twine &what, llvm::Error error) {
  return errorInFile(what + ": " + llvm::toString(std::move(error)));
}

/// The profile in the indexed form.
llvm::Expected<Buffer> indexed(Buffer profile) {
  if (llvm::IndexedInstrProfReader::hasFormat(*profile))
    return profile;
  auto reader = llvm::InstrProfReader::create(std::move(profile));
  if (!reader)
    return reader.takeError();
  llvm::InstrProfWriter writer;
  if (llvm::Error error = writer.mergeProfileKind((*reader)->getProfileKind()))
    return error;
  llvm::Error failed = llvm::Error::success();
  for (llvm::NamedInstrProfRecord &record : **reader)
    writer.addRecord(std::move(record),
                     [&](llvm::Error error) { failed = llvm::joinErrors(std::move(failed), std::move(error)); });
  if (failed)
    return failed;
  if ((*reader)->hasError())
    return (*reader)->getError();
  return writer.writeBuffer();
}

class Instrumentation final : public ProfileReader {
public:
  explicit Instrumentation(std::string program) : program_(std::move(program)) {}

  std::optional<ImportError> read(int descriptor, ProfileSink &sink,
                                  const std::function<bool(uint64_t bytes)> &onChunk) override {
    const auto bytes = readBytes(descriptor, onChunk);
    if (!bytes)
      return errorInFile(bytes.message());
    auto profile = indexed(llvm::MemoryBuffer::getMemBuffer(*bytes, "", /*RequiresNullTerminator=*/false));
    if (!profile)
      return unreadable("this is no instrumentation profile", profile.takeError());
    auto counts = llvm::IndexedInstrProfReader::create(std::move(*profile));
    if (!counts)
      return unreadable("this is no instrumentation profile", counts.takeError());
    sink.event("executions", ProfileUnit::Events);
    return readProgram(**counts, sink);
  }

private:
  std::optional<ImportError> readProgram(llvm::IndexedInstrProfReader &counts, ProfileSink &sink) const;
  static void readFunction(const FunctionRecord &function, ProfileSink &sink);

  const std::string program_;
};

std::optional<ImportError> Instrumentation::readProgram(llvm::IndexedInstrProfReader &counts, ProfileSink &sink) const {
  auto file = llvm::MemoryBuffer::getFile(program_, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return errorInFile(program_ + ": " + file.getError().message());
  llvm::SmallVector<Buffer> parts;
  auto readers = BinaryCoverageReader::create((*file)->getMemBufferRef(), /*Arch=*/"", parts);
  if (!readers)
    return unreadable(program_ + ": it has no coverage mapping; build with -fprofile-instr-generate -fcoverage-mapping",
                      readers.takeError());
  std::vector<std::unique_ptr<CoverageMappingReader>> mappings(std::make_move_iterator(readers->begin()),
                                                               std::make_move_iterator(readers->end()));
  std::optional<std::reference_wrapper<llvm::IndexedInstrProfReader>> profile = counts;
  auto coverage = CoverageMapping::load(mappings, profile);
  if (!coverage)
    return unreadable(program_, coverage.takeError());
  if (const unsigned changed = (*coverage)->getMismatchedCount())
    sink.note(program_ + ": " + std::to_string(changed) + " functions are not those that were counted");
  const auto functions = (*coverage)->getCoveredFunctions();
  uint64_t runs = 0;
  for (const FunctionRecord &function : functions)
    if (function.Name == "main")
      runs = function.ExecutionCount;
  if (runs == 0 || runs > UINT32_MAX)
    return errorInFile(kNoMain);
  sink.counted(static_cast<uint32_t>(runs));
  for (const FunctionRecord &function : functions)
    readFunction(function, sink);
  return {};
}

/// The name of a static function has its file in front: "k.c:f" or "k.c;f".
llvm::StringRef symbolOf(llvm::StringRef name) {
  const size_t file = name.find_last_of(":;");
  return file == llvm::StringRef::npos ? name : name.drop_front(file + 1);
}

void Instrumentation::readFunction(const FunctionRecord &function, ProfileSink &sink) {
  std::map<unsigned, const CountedRegion *> conditions; // by line; null for a line with several
  for (const CountedRegion &branch : function.CountedBranchRegions) {
    if (branch.FileID != 0 || branch.TrueFolded || branch.FalseFolded) // of a macro; of a constant
      continue;
    const auto [known, isNew] = conditions.try_emplace(branch.LineStart, &branch);
    if (!isNew)
      known->second = nullptr;
  }
  for (const auto &[line, branch] : conditions)
    if (branch && branch->ExecutionCount && !function.Filenames.empty())
      sink.sampled({.by = RecordedPlace::By::Line,
                    .symbol = symbolOf(function.Name),
                    .source = function.Filenames.front(),
                    .line = line},
                   {.executions = branch->ExecutionCount, .ends = branch->FalseExecutionCount});
}

} // namespace

std::unique_ptr<ProfileReader> createInstrumentationReader(std::string program) {
  return std::make_unique<Instrumentation>(std::move(program));
}

} // namespace analysis
