// The settings of each document: the layers of protocol/settings.h, laid over each other for its path.
#pragma once

#include "lsp/protocol/settings.h"
#include "lsp/workspace/config_files.h"

#include <string>
#include <vector>

namespace lsp {

/// Where a configuration file of the user's own would be: `$XDG_CONFIG_HOME/mca-lsp/config.json`, or the same in
/// `~/.config`. Empty when the environment names neither folder.
std::string userConfigPath();

struct ConfigurationOptions {
  protocol::UserSettings commandLine;
  std::string userFile;           ///< empty for none
  bool commandLineIsLast = false; ///< over the folder's file: who types it has these files in mind
};

class Configuration {
public:
  explicit Configuration(ConfigurationOptions options);

  /// The folders that the editor opened, by their absolute paths.
  void setRoots(std::vector<std::string> roots) { roots_ = std::move(roots); }
  /// Replace their layers. What is returned says what is wrong with them.
  protocol::SettingsSection takeInitializationOptions(const protocol::Json &options);
  protocol::SettingsSection takeSection(const protocol::Json &section);

  /// The settings in force for the file at this absolute path. Looks at the configuration files.
  protocol::UserSettings settingsFor(const std::string &path);
  /// Those that no folder changes.
  protocol::UserSettings usersSettings();

  /// True when this path is that of a configuration file.
  bool isConfigFile(const std::string &path) const;
  /// The folder's configuration file that counts for a document, or empty.
  std::string folderFile(const std::string &path) const { return files_.nearest(path, roots_); }
  const std::string &userFile() const { return options_.userFile; }
  /// The file as it was read last, or null when there is none.
  const LoadedConfig *load(const std::string &configPath);
  ConfigFiles &files() { return files_; }

private:
  protocol::UserSettings belowFolders(const std::string &path);

  ConfigurationOptions options_;
  std::vector<std::string> roots_;
  ConfigFiles files_;
  std::vector<protocol::SettingValue> commandLine_;
  std::vector<protocol::SettingValue> initializationOptions_;
  std::vector<protocol::SettingValue> section_;
};

} // namespace lsp
