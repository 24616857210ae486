// Only an output that is there can be an input that is there. So the inputs, of which there may be a hundred thousand,
// are looked at only then.
#include "lsp/check/named_file.h"

#include "lsp/settings/config_file.h"
#include "lsp/settings/configuration.h"
#include "lsp/workspace/language.h"

#include <algorithm>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>

namespace lsp {
namespace {

namespace fs = std::filesystem;

/// The name that a chain of links ends at. The last one may lead to nothing.
fs::path withoutLinks(fs::path path) {
  constexpr int kMaxLinks = 40; // as Linux follows
  std::error_code error;
  for (int i = 0; i < kMaxLinks && fs::is_symlink(path, error); ++i) {
    const fs::path target = fs::read_symlink(path, error);
    if (error)
      break;
    path = path.parent_path() / target; // an absolute target replaces the folder
  }
  return path;
}

/// What a file of this name is to a run, by its name alone; empty for any other name.
std::string inputKindOf(const fs::path &path) {
  const std::string name = path.filename().string();
  if (languageOfPath(name))
    return "a source";
  if (name == protocol::kFolderConfigName || path == userConfigPath())
    return "a configuration file";
  if (name == "compile_commands.json" || name == "compile_flags.txt")
    return "compile flags";
  if (name.ends_with(kProfileExtension))
    return "a profile";
  return name.ends_with(kTraceExtension) ? "a branch trace" : "";
}

} // namespace

FileIdentity identityOf(const std::string &path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0)
    return {status.st_dev, status.st_ino, ""};
  const fs::path target = withoutLinks(path);
  const fs::path folder = target.has_parent_path() ? target.parent_path() : ".";
  if (::stat(folder.c_str(), &status) == 0)
    return {status.st_dev, status.st_ino, target.filename().string()};
  std::error_code ignored;
  return {0, 0, fs::absolute(target, ignored).lexically_normal().string()};
}

std::string whyNotWritable(const std::vector<NamedFile> &outputs, const std::vector<NamedFile> &inputs) {
  std::vector<FileIdentity> identities;
  for (const NamedFile &output : outputs) {
    const FileIdentity identity = identityOf(output.path);
    if (const auto other = std::ranges::find(identities, identity); other != identities.end())
      return output.path + ": " + output.role + " and " +
             outputs[static_cast<size_t>(other - identities.begin())].role + " name the same file";
    identities.push_back(identity);
    std::error_code error;
    if (!fs::is_regular_file(output.path, error))
      continue;
    for (const NamedFile &input : inputs)
      if (identityOf(input.path) == identity)
        return output.path + ": " + output.role + " names " + input.role + ", which would be lost";
    if (const std::string kind = inputKindOf(fs::canonical(output.path, error)); !kind.empty())
      return output.path + ": " + output.role + " names " + kind + ", which would be lost";
  }
  return "";
}

} // namespace lsp
