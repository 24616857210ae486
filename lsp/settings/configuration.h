// The settings of each document: the layers of settings/settings.h, laid over each other for its path.
#pragma once

#include "lsp/settings/config_files.h"
#include "lsp/settings/settings.h"

namespace lsp {

/// Where the user's own configuration file would be: `$XDG_CONFIG_HOME/mca-lsp/config.json`, or the same in
/// `~/.config`. The XDG Base Directory Specification ignores relative paths. Empty if the environment names neither
/// folder.
std::string userConfigPath();

struct ConfigurationOptions {
  protocol::UserSettings commandLine;
  std::string userFile;                    ///< empty for none
  bool commandLineIsLast = false;          ///< over the folder's file, too: `--check` is typed with these files in mind
  std::vector<std::string> projectFolders; ///< absolute; the project's beside those that the editor opened
};

/// wire::Settings::projectFolders of a file. All paths are absolute.
std::vector<std::string> projectFoldersOf(const std::string &path, const std::vector<std::string> &opened);

/// Of the names of branch traces.
inline constexpr std::string_view kTraceExtension = ".mcatrace";
/// Of those of profiles.
inline constexpr std::string_view kProfileExtension = ".mcaprofile";

/// The files that compile commands are read from (analysis/compile/command_source.h).
inline constexpr std::string_view kDatabaseFile = "compile_commands.json";
inline constexpr std::string_view kFlagsFile = "compile_flags.txt";

class Configuration {
public:
  explicit Configuration(ConfigurationOptions options);

  /// The folders that the editor opened, by their absolute paths.
  void setRoots(std::vector<std::string> roots) { roots_ = std::move(roots); }
  /// Replace their layers. The returned section lists what is wrong with them.
  protocol::SettingsSection takeInitializationOptions(const protocol::Json &options);
  protocol::SettingsSection takeSection(const protocol::Json &section);

  /// The settings in force for the file at this path. Rereads configuration files that have changed. A relative path of
  /// a trace, a calibration or a profile, from another layer than a configuration file, is one in the folder of `roots`
  /// that holds the file, or in the file's own. One that no layer of the user's own names gets the folder that names it
  /// (analysis::wire::Settings::traceFolder). The project's folders are `roots` and those of the options. A document
  /// with a relative path is no file of this machine: no folder's configuration and no relative path applies to it.
  protocol::UserSettings settingsFor(const std::string &path);
  /// Those below the folder's file, which fragments of the user's file may set by path.
  protocol::UserSettings usersSettings(const std::string &path = "");

  /// Whether a configuration file has this path.
  bool isConfigFile(const std::string &path) const;
  /// The folder's configuration file that counts for a document; empty if there is none.
  std::string folderFile(const std::string &path) const { return files_.nearest(path, roots_); }
  const std::string &userFile() const { return options_.userFile; }
  /// The configuration file at this path as it is now, or null if there is none.
  const LoadedConfig *load(const std::string &configPath);
  ConfigFiles &files() { return files_; }

private:
  protocol::UserSettings ownSettings(const std::string &path);
  void placeNamedFiles(const std::string &path, analysis::wire::Settings &settings);
  std::string place(const std::string &path, bool isOwn, std::string &file) const;
  std::vector<std::string> openedFolders() const;
  const std::string *rootOf(const std::string &path) const;
  std::string folderOf(const std::string &path) const;

  ConfigurationOptions options_;

  std::vector<std::string> roots_;
  ConfigFiles files_;
  std::vector<protocol::SettingValue> commandLine_;
  std::vector<protocol::SettingValue> initializationOptions_;
  std::vector<protocol::SettingValue> section_;
};

} // namespace lsp
