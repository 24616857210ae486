// The order of the layers that settings/settings.h describes is implemented here and nowhere else.
#include "lsp/settings/configuration.h"

#include "lsp/settings/setting_table.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace lsp {

namespace fs = std::filesystem;

using protocol::ConfigOwner;
using protocol::SettingsSection;
using protocol::SettingsSource;
using protocol::UserSettings;

namespace {

/// Nothing is left of the file system's root.
std::string withoutSlashes(std::string folder) {
  while (folder.ends_with('/'))
    folder.pop_back();
  return folder;
}

} // namespace

std::string userConfigPath() {
  const auto folder = [](const char *variable) {
    const char *value = std::getenv(variable);
    return std::string(value && value[0] == '/' ? value : "");
  };
  std::string base = folder("XDG_CONFIG_HOME");
  if (base.empty() && !folder("HOME").empty())
    base = folder("HOME") + "/.config";
  return base.empty() ? "" : base + "/mca-lsp/config.json";
}

std::vector<std::string> projectFoldersOf(const std::string &path, const std::vector<std::string> &opened) {
  const fs::path file = fs::path(path).lexically_normal();
  std::vector<std::string> folders;
  const auto add = [&](const fs::path &folder) {
    const std::string normal = withoutSlashes(folder.lexically_normal().string());
    if (!normal.empty() && std::ranges::find(folders, normal) == folders.end())
      folders.push_back(normal);
  };
  std::ranges::for_each(opened, add);
  if (std::ranges::none_of(folders, [&](const std::string &folder) { return isInFolder(folder, file.native()); }))
    add(file.parent_path());
  return folders;
}

Configuration::Configuration(ConfigurationOptions options)
    : options_(std::move(options)), commandLine_(protocol::differences(options_.commandLine)) {}

SettingsSection Configuration::takeInitializationOptions(const protocol::Json &options) {
  SettingsSection read = protocol::readSection(options, SettingsSource::InitializationOptions, initializationOptions_);
  initializationOptions_ = read.values;
  return read;
}

SettingsSection Configuration::takeSection(const protocol::Json &section) {
  SettingsSection read = protocol::readSection(section, SettingsSource::Configuration, section_);
  section_ = read.values;
  return read;
}

bool Configuration::isConfigFile(const std::string &path) const {
  return path == options_.userFile || path.ends_with("/" + std::string(protocol::kFolderConfigName));
}

const LoadedConfig *Configuration::load(const std::string &configPath) {
  if (configPath.empty())
    return nullptr;
  return files_.load(configPath, configPath == options_.userFile ? ConfigOwner::User : ConfigOwner::Folder,
                     openedFolders());
}

/// The layers that only the user can write: the editor's section may come from the folder.
UserSettings Configuration::ownSettings(const std::string &path) {
  // Some settings exist on the command line alone, so they start here. The others are laid over the user's file again.
  UserSettings settings = options_.commandLine;
  if (const LoadedConfig *file = load(options_.userFile))
    protocol::layOver(file->content, path, settings);
  for (const auto *layer : {&commandLine_, &initializationOptions_})
    protocol::layOver(*layer, settings);
  return settings;
}

UserSettings Configuration::usersSettings(const std::string &path) {
  UserSettings settings = ownSettings(path);
  protocol::layOver(section_, settings);
  return settings;
}

UserSettings Configuration::settingsFor(const std::string &path) {
  UserSettings settings = usersSettings(path);
  if (const LoadedConfig *file = load(folderFile(path)))
    protocol::layOver(file->content, path, settings);
  if (options_.commandLineIsLast)
    protocol::layOver(commandLine_, settings);
  placeNamedFiles(path, settings.worker);
  settings.worker.projectFolders = projectFoldersOf(path, openedFolders());
  return settings;
}

void Configuration::placeNamedFiles(const std::string &path, analysis::wire::Settings &settings) {
  const analysis::wire::Settings own = ownSettings(path).worker;
  settings.traceFolder = place(path, settings.trace == own.trace, settings.trace);
  settings.profileFolder = place(path, settings.profile == own.profile, settings.profile);
  const std::vector<std::string> &words = protocol::findSetting("calibration")->choices;
  if (std::ranges::find(words, settings.calibration) == words.end())
    settings.calibrationFolder = place(path, settings.calibration == own.calibration, settings.calibration);
}

/// Makes a file's path absolute. Returns the folder that names it; empty if the user does.
std::string Configuration::place(const std::string &path, bool isOwn, std::string &file) const {
  if (file.empty())
    return "";
  const std::string folder = folderOf(path);
  file =
      folder.empty() && !(isOwn && file.starts_with('/')) ? "" : (fs::path(folder) / file).lexically_normal().string();
  if (isOwn)
    return "";
  const std::string config = folderFile(path);
  return rootOf(path) || config.empty() ? folder : fs::path(config).parent_path().string();
}

std::vector<std::string> Configuration::openedFolders() const {
  std::vector<std::string> folders = roots_;
  folders.insert(folders.end(), options_.projectFolders.begin(), options_.projectFolders.end());
  return folders;
}

/// The folder that the editor opened and that holds the file; null if there is none.
const std::string *Configuration::rootOf(const std::string &path) const {
  const auto root = std::ranges::find_if(roots_, [&](const std::string &one) { return isInFolder(one, path); });
  return root == roots_.end() ? nullptr : &*root;
}

/// The same, or the file's own.
std::string Configuration::folderOf(const std::string &path) const {
  const std::string *root = rootOf(path);
  return root ? *root : fs::path(path).parent_path().string();
}

} // namespace lsp
