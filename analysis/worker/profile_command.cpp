#include "analysis/worker/profile_command.h"

#include "analysis/process/exit_status.h"
#include "analysis/profile/import_profile.h"
#include "analysis/worker/command_output.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"

#include <optional>

namespace analysis {
namespace {

constexpr int kNoProfile = 2; // as with --check, when a run is impossible
constexpr llvm::StringLiteral kImport = "--import-profile", kRecord = "--record-profile";

std::optional<ProfileRequest> readRequest(llvm::ArrayRef<char *> arguments) {
  ProfileRequest request;
  const bool records = llvm::StringRef(arguments.front()) == kRecord;
  if (records)
    arguments = arguments.drop_front();
  for (; arguments.size() >= 2; arguments = arguments.drop_front(2)) {
    const llvm::StringRef name = arguments[0], value = arguments[1];
    if (name == "--") {
      request.command.assign(arguments.begin() + 1, arguments.end());
      arguments = {};
      break;
    }
    if (name == kImport && arguments.size() >= 3) {
      request.recordings.push_back({value.str(), arguments[2]});
      arguments = arguments.drop_front();
    } else if (name == "--program")
      request.programs.push_back(value.str());
    else if (name == "--output")
      request.output = value.str();
    else if (!(name == "--clock" && llvm::to_float(value, request.gigahertz) && request.gigahertz > 0 &&
               request.gigahertz < 1000) &&
             !(name == "--seconds" && llvm::to_integer(value, request.seconds, 10)))
      return std::nullopt;
  }
  const bool isWhole = arguments.empty() && records != request.command.empty() && records == request.recordings.empty();
  return isWhole ? std::optional(std::move(request)) : std::nullopt;
}

} // namespace

bool isProfileCommand(int argc, char **argv) {
  return argc > 1 && (argv[1] == kImport || argv[1] == kRecord);
}

int runProfileCommand(int argc, char **argv) {
  const auto request = readRequest(llvm::ArrayRef(argv + 1, static_cast<size_t>(argc - 1)));
  if (!request) {
    std::fputs("mca-worker: mca-lsp has the options of --import-profile and --record-profile\n", stderr);
    return kExitUsage;
  }
  CommandOutput output;
  const auto note = [&](const std::string &text) { output.note(text); };
  const auto progress = [&](const std::string &text) { output.progress(text); };
  const auto made =
      request->command.empty() ? importProfile(*request, note, progress) : recordProfile(*request, note, progress);
  if (!made) {
    output.note("error: " + made.message());
    return kNoProfile;
  }
  output.finish(*made);
  return 0;
}

} // namespace analysis
