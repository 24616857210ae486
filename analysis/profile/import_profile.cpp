#include "analysis/profile/import_profile.h"

#include "analysis/files/regular_file.h"
#include "analysis/profile/perf_command.h"
#include "analysis/profile/profile_builder.h"
#include "analysis/profile/profile_file.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>

namespace analysis {
namespace {

using mca::Failure;
using mca::Result;

constexpr llvm::StringLiteral kDefaultOutput = "perf.mcaprofile";
constexpr llvm::StringLiteral kOwnKind = "mcaprofile";

Result<std::vector<std::unique_ptr<ProgramImage>>> openPrograms(const std::vector<std::string> &paths) {
  std::vector<std::unique_ptr<ProgramImage>> programs;
  for (const std::string &path : paths) {
    auto image = ProgramImage::open(path);
    if (!image)
      return Failure{image.message()};
    if ((*image)->functions().empty())
      return Failure{path + ": it has no symbols of functions; was it stripped?"};
    programs.push_back(std::move(*image));
  }
  return programs;
}

/// Whether recordings of a kind are of one program, which they do not name.
bool namesNoProgram(llvm::StringRef kind) {
  return llvm::is_contained({"callgrind", "autofdo", "profdata", "gcov"}, kind);
}

std::string inWords(const ImportError &error, const std::string &file) {
  const std::string column = error.column ? ":" + std::to_string(error.column) : "";
  return file + (error.line ? ":" + std::to_string(error.line) + column : "") + ": " + error.message;
}

Result<Profile> readOwn(const std::string &path) {
  const RegularFile file = readRegularFile(path, kMaxProfileBytes);
  if (!file.isRead())
    return Failure{path + ": " + file.failure};
  return readProfile(file.text, path);
}

/// Reads a recording from a descriptor.
Result<Profile> readFrom(int descriptor, const ProfileRequest::Recording &recording, const ProfileRequest &request,
                         const ImportMessages &note, const ImportMessages &progress) {
  const std::unique_ptr<ProfileReader> reader = createProfileReader(recording.kind, request.programs);
  if (!reader)
    return Failure{"'" + recording.kind + "' is no kind of profile: expected " + std::string(kProfileKinds)};
  auto programs = openPrograms(request.programs);
  if (!programs)
    return Failure{programs.message()};
  if (namesNoProgram(recording.kind) && programs->size() != 1)
    return Failure{"recordings of the kind " + recording.kind + " need one --program"};
  ProfileBuilder builder(std::move(*programs));
  constexpr uint64_t kProgressBytes = 64u << 20;
  uint64_t next = kProgressBytes;
  const auto onChunk = [&](uint64_t bytes) {
    if (bytes >= next) {
      progress("read " + std::to_string(bytes >> 20) + " MiB");
      next = bytes + kProgressBytes;
    }
    return true;
  };
  if (const auto error = reader->read(descriptor, builder, onChunk))
    return Failure{inWords(*error, recording.file)};
  auto profile = builder.finish();
  for (const std::string &text : builder.notes())
    note(text);
  return profile ? std::move(profile) : Failure{recording.file + ": " + profile.message()};
}

Result<Profile> readRecording(const ProfileRequest::Recording &recording, const ProfileRequest &request,
                              const ImportMessages &note, const ImportMessages &progress) {
  if (recording.kind == kOwnKind)
    return readOwn(recording.file);
  if (recording.file == "-")
    return readFrom(0, recording, request, note, progress);
  const OpenRegularFile opened = openRegularFile(recording.file, /*maxBytes=*/~uint64_t{0});
  if (!opened.failure.empty())
    return Failure{recording.file + ": " + opened.failure};
  return readFrom(opened.descriptor.get(), recording, request, note, progress);
}

/// A file that is no profile is never overwritten: the name may be a mistake.
std::string checkOutput(const std::string &output) {
  if (output == "-" || (llvm::sys::fs::exists(output) && !llvm::sys::fs::is_regular_file(output)))
    return {};
  const auto old = llvm::MemoryBuffer::getFileSlice(output, /*MapSize=*/kOwnKind.size(), /*Offset=*/0);
  if (!old)
    return old.getError() == std::errc::no_such_file_or_directory ? "" : output + ": " + old.getError().message();
  const bool isProfile = (*old)->getBufferSize() == 0 || (*old)->getBuffer() == kOwnKind;
  return isProfile ? "" : output + ": the file exists and is no profile; it is not overwritten";
}

/// "61.2 % in functions of 2 programs, 30.1 % in modules without symbols, 8.7 % in the kernel".
std::string summaryOf(const Profile &profile) {
  using Kind = UnattributedWeight::Kind;
  const auto total = static_cast<double>(std::max<uint64_t>(profile.total(), 1));
  double inFunctions = 0, byKind[3] = {};
  size_t functions = 0; // others have counts alone
  for (const ProfiledFunction &function : profile.functions) {
    inFunctions += static_cast<double>(function.weight());
    functions += function.weight() != 0;
  }
  for (const UnattributedWeight &one : profile.rest)
    byKind[static_cast<size_t>(one.kind)] += static_cast<double>(one.weight);
  return llvm::formatv("{0} functions have {1:F1} % of the {2}, modules without a known function {3:F1} %, the kernel "
                       "{4:F1} %, unknown code {5:F1} %",
                       functions, 100 * inFunctions / total, profile.event,
                       100 * byKind[static_cast<size_t>(Kind::Module)] / total,
                       100 * byKind[static_cast<size_t>(Kind::Kernel)] / total,
                       100 * byKind[static_cast<size_t>(Kind::Unknown)] / total)
      .str();
}

Result<std::string> write(const Profile &profile, const std::string &output, const ImportMessages &note) {
  const auto fill = [&](llvm::raw_ostream &out) {
    writeProfile(profile, out);
    return llvm::Error::success();
  };
  if (llvm::Error error = llvm::writeToOutput(output, fill))
    return Failure{output + ": " + llvm::toString(std::move(error))};
  llvm::outs().flush();
  if (const std::error_code error = llvm::outs().error()) {
    llvm::outs().clear_error(); // the program's end would report it again
    return Failure{"standard output: " + error.message()};
  }
  note(summaryOf(profile));
  return output;
}

std::string outputOf(const ProfileRequest &request) {
  return request.output.empty() ? kDefaultOutput.str() : request.output == "/dev/stdout" ? "-" : request.output;
}

/// Sets the clock of a profile in nanoseconds to what was measured, if nothing was stated.
void setClock(Profile &profile, const ProfileRequest &request, uint64_t measured, const ImportMessages &note) {
  if (request.gigahertz > 0) {
    profile.hertz = static_cast<uint64_t>(std::llround(request.gigahertz * 1e9));
  } else if (profile.unit == ProfileUnit::Nanoseconds) {
    profile.hertz = measured;
    note(measured ? llvm::formatv("the cores ran at {0:F2} GHz", static_cast<double>(measured) * 1e-9).str()
                  : "the cores' clock could not be measured: --clock makes cycles of times");
  }
}

} // namespace

Result<std::string> importProfile(const ProfileRequest &request, const ImportMessages &note,
                                  const ImportMessages &progress) {
  const std::string output = outputOf(request);
  if (std::string error = checkOutput(output); !error.empty())
    return Failure{std::move(error)};
  std::optional<Profile> all;
  for (const ProfileRequest::Recording &recording : request.recordings) {
    auto profile = readRecording(recording, request, note, progress);
    if (!profile)
      return Failure{profile.message()};
    if (request.gigahertz > 0)
      profile->hertz = static_cast<uint64_t>(std::llround(request.gigahertz * 1e9));
    if (!all)
      all = std::move(*profile);
    else if (std::string error = merge(*all, std::move(*profile)); !error.empty())
      return Failure{recording.file + ": " + error};
  }
  return write(*all, output, note);
}

Result<std::string> recordProfile(const ProfileRequest &request, const ImportMessages &note,
                                  const ImportMessages &progress) {
  const std::string output = outputOf(request);
  if (std::string error = checkOutput(output); !error.empty())
    return Failure{std::move(error)};
  PerfCommand perf;
  const bool keepsOutput = output == "-";
  if (std::string error = perf.record(request.command, request.seconds, keepsOutput, note); !error.empty())
    return Failure{std::move(error)};
  if (std::string error = perf.startScript(); !error.empty())
    return Failure{std::move(error)};
  auto profile = readFrom(perf.script(), {.kind = "perf", .file = "perf"}, request, note, progress);
  if (!profile)
    return Failure{profile.message()};
  setClock(*profile, request, perf.hertz(), note);
  return write(*profile, output, note);
}

} // namespace analysis
