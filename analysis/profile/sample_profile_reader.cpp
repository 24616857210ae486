#include "analysis/profile/sample_profile_reader.h"

#include "analysis/import/record_text.h"
#include "analysis/profile/binary_recording.h"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/ProfileData/SampleProfReader.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <map>

namespace analysis {
namespace {

using llvm::sampleprof::FunctionId;
using llvm::sampleprof::FunctionSamples;

constexpr uint32_t kFarthestLine = UINT16_MAX; // clang keeps 16 bits of a distance

/// Keeps the first error.
void keepError(const llvm::DiagnosticInfo *info, void *kept) {
  auto &error = *static_cast<std::optional<ImportError> *>(kept);
  const auto *sample = llvm::dyn_cast<llvm::DiagnosticInfoSampleProfile>(info);
  if (sample && !error)
    error = ImportError{sample->getLineNum(), 0, sample->getMsg().str()};
}

/// The linker's name, or the number that the file has in its place.
std::string nameOf(FunctionId function) {
  return function.isStringRef() ? function.stringRef().str() : std::to_string(function.getHashCode());
}

/// By line. Discriminators tell apart what is on one line.
std::map<uint32_t, uint64_t> linesOf(const FunctionSamples &function) {
  std::map<uint32_t, uint64_t> lines;
  const auto add = [&](uint32_t line, uint64_t samples) {
    if (line <= kFarthestLine)
      lines[line] = llvm::SaturatingAdd(lines[line], samples);
  };
  for (const auto &[place, record] : function.getBodySamples())
    add(place.LineOffset, record.getSamples());
  for (const auto &[place, callees] : function.getCallsiteSamples())
    for (const auto &[name, callee] : callees)
      add(place.LineOffset, callee.getTotalSamples());
  return lines;
}

class SampleProfiles final : public ProfileReader {
public:
  std::optional<ImportError> read(int descriptor, ProfileSink &sink,
                                  const std::function<bool(uint64_t bytes)> &onChunk) override;
};

std::optional<ImportError> SampleProfiles::read(int descriptor, ProfileSink &sink,
                                                const std::function<bool(uint64_t bytes)> &onChunk) {
  const auto bytes = readBytes(descriptor, onChunk);
  if (!bytes)
    return errorInFile(bytes.message());
  std::optional<ImportError> error;
  llvm::LLVMContext context;
  context.setDiagnosticHandlerCallBack(keepError, &error);
  auto buffer = llvm::MemoryBuffer::getMemBuffer(*bytes);
  auto reader = llvm::sampleprof::SampleProfileReader::create(buffer, context, *llvm::vfs::getRealFileSystem());
  if (!reader)
    return error ? error : errorInFile("this is no sample profile: " + reader.getError().message());
  if (const std::error_code code = (*reader)->read())
    return error ? error : errorInFile("the sample profile is damaged: " + code.message());
  if ((*reader)->profileIsProbeBased())
    return errorInFile("the profile counts pseudo probes, which have no lines");
  sink.event("samples", ProfileUnit::Events);
  std::map<std::string, const FunctionSamples *> functions; // in an order that depends on nothing else
  for (const auto &[context, samples] : (*reader)->getProfiles())
    functions[samples.getContext().toString()] = &samples;
  size_t places = 0;
  for (const auto &[name, samples] : functions) {
    const std::string function = nameOf(samples->getFunction());
    for (const auto &[line, weight] : linesOf(*samples)) {
      if (++places > kMaxProfiledPlaces)
        return errorInFile("there are too many lines");
      if (weight > Profile::kMaxWeight)
        return errorInFile("the samples add up to too much");
      if (weight)
        sink.sampled({.by = RecordedPlace::By::Line, .symbol = function, .line = line, .isFromDeclaration = true},
                     {.weight = weight});
    }
  }
  if (places == 0)
    return errorInFile("no samples");
  return {};
}

} // namespace

std::unique_ptr<ProfileReader> createSampleProfileReader() {
  return std::make_unique<SampleProfiles>();
}

} // namespace analysis
