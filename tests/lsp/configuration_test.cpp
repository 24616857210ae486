// Where settings come from: files on disk and in the editor, and which is laid over which.
#include "lsp/settings/configuration.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace lsp {
namespace {

namespace fs = std::filesystem;
using protocol::Json;

class ConfigurationTest : public testing::Test {
protected:
  ConfigurationTest() : folder(fs::temp_directory_path() / ("mca-configuration-" + std::to_string(::getpid()))) {
    fs::create_directories(folder / "project" / "src");
  }
  ~ConfigurationTest() override { fs::remove_all(folder); }

  std::string path(const std::string &name) const { return (folder / name).string(); }
  void write(const std::string &name, const std::string &text) const { std::ofstream(path(name)) << text; }
  Configuration configuration(const std::string &commandLineCpu = "", bool commandLineIsLast = false) const {
    ConfigurationOptions options;
    options.commandLine.worker.cpu = commandLineCpu;
    options.commandLine.worker.listings = true;
    options.commandLineIsLast = commandLineIsLast;
    options.userFile = path("config.json");
    return Configuration(options);
  }
  std::string cpu(Configuration &configuration, const std::string &name = "project/src/a.c") const {
    return configuration.settingsFor(path(name)).worker.cpu;
  }

  const fs::path folder;
};

TEST_F(ConfigurationTest, TheOrderOfTheLayers) {
  Configuration without = configuration();
  EXPECT_EQ(cpu(without), "");
  write("config.json", R"({"cpu": "users"})");
  EXPECT_EQ(cpu(without), "users");
  Configuration all = configuration("command-line");
  EXPECT_EQ(cpu(all), "command-line");
  all.takeInitializationOptions({{"cpu", "options"}});
  EXPECT_EQ(cpu(all), "options");
  all.takeSection({{"cpu", "section"}});
  EXPECT_EQ(cpu(all), "section");
  write("project/.mca-lsp.json", R"({"cpu": "folders"})");
  EXPECT_EQ(cpu(all), "folders");
  EXPECT_EQ(cpu(all, "other.c"), "section");
  EXPECT_EQ(all.usersSettings().worker.cpu, "section");
  EXPECT_TRUE(all.settingsFor(path("other.c")).worker.listings) << "what only the command line sets stays";
}

TEST_F(ConfigurationTest, TheCommandLineMayBeLast) {
  write("project/.mca-lsp.json", R"({"cpu": "folders", "triple": "t"})");
  Configuration check = configuration("command-line", true);
  EXPECT_EQ(cpu(check), "command-line");
  EXPECT_EQ(check.settingsFor(path("project/a.c")).worker.triple, "t");
}

TEST_F(ConfigurationTest, TheNearestFileCounts) {
  Configuration some = configuration();
  write("project/.mca-lsp.json", R"({"cpu": "outer", "triple": "t"})");
  EXPECT_EQ(cpu(some), "outer");
  write("project/src/.mca-lsp.json", R"({"cpu": "inner"})");
  EXPECT_EQ(cpu(some), "inner");
  EXPECT_EQ(some.settingsFor(path("project/src/a.c")).worker.triple, "") << "only the nearest";
  EXPECT_EQ(cpu(some, "project/a.c"), "outer");
  EXPECT_EQ(cpu(some, "project/src/../a.c"), "outer");
}

TEST_F(ConfigurationTest, NothingAboveTheWorkspaceCounts) {
  write(".mca-lsp.json", R"({"cpu": "above"})");
  Configuration some = configuration();
  EXPECT_EQ(cpu(some), "above");
  some.setRoots({path("project") + "/"});
  EXPECT_EQ(cpu(some), "");
  EXPECT_EQ(cpu(some, "project-2/a.c"), "above") << "outside of the workspace";
  write("project/.mca-lsp.json", R"({"cpu": "root"})");
  EXPECT_EQ(cpu(some), "root") << "the workspace's folder itself counts";
}

TEST_F(ConfigurationTest, AFileIsReadAgainWhenItChanges) {
  Configuration some = configuration();
  write("project/.mca-lsp.json", R"({"cpu": "one"})");
  EXPECT_EQ(cpu(some), "one");
  write("project/.mca-lsp.json", R"({"cpu": "longer"})");
  EXPECT_EQ(cpu(some), "longer");
  write("project/.mca-lsp.json", R"({"cpu": )");
  EXPECT_EQ(cpu(some), "longer") << "the last good content";
  EXPECT_EQ(some.load(path("project/.mca-lsp.json"))->content.findings.size(), 1u);
  fs::remove(path("project/.mca-lsp.json"));
  EXPECT_EQ(cpu(some), "");
}

/// As `cp -p` and `rsync -t` leave it.
TEST_F(ConfigurationTest, AFileThatLooksTheSameIsReadAgain) {
  Configuration some = configuration();
  const std::string file = path("project/.mca-lsp.json");
  for (const bool renamed : {false, true}) {
    write("project/.mca-lsp.json", R"({"cpu": "one"})");
    const auto time = fs::last_write_time(file);
    EXPECT_EQ(cpu(some), "one");
    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // longer than the resolution of the system's time
    write(renamed ? "project/fresh" : "project/.mca-lsp.json", R"({"cpu": "two"})");
    fs::last_write_time(renamed ? path("project/fresh") : file, time);
    if (renamed)
      fs::rename(path("project/fresh"), file);
    EXPECT_EQ(cpu(some), "two") << renamed;
  }
}

TEST_F(ConfigurationTest, WhatTheEditorShowsCounts) {
  const std::string file = path("project/.mca-lsp.json");
  Configuration some = configuration();
  some.files().opened(file, R"({"cpu": "unsaved"})");
  EXPECT_EQ(cpu(some), "unsaved") << "though there is no file";
  write("project/.mca-lsp.json", R"({"cpu": "disk"})");
  EXPECT_EQ(cpu(some), "unsaved");
  some.files().closed(file);
  EXPECT_EQ(cpu(some), "disk");
}

TEST_F(ConfigurationTest, ATraceIsRelativeToTheOpenedFolder) {
  Configuration made = configuration();
  const auto trace = [&] { return made.settingsFor(path("project/src/a.c")).worker.trace; };
  EXPECT_EQ(trace(), "");
  made.takeSection({{"trace", "runs/../kern.mcatrace"}});
  EXPECT_EQ(trace(), path("project/src/kern.mcatrace")) << "beside the document if no folder is opened";
  made.setRoots({path("other"), path("project")});
  EXPECT_EQ(trace(), path("project/kern.mcatrace"));
  made.takeSection({{"trace", "/kern.mcatrace"}});
  EXPECT_EQ(trace(), "/kern.mcatrace");
}

TEST_F(ConfigurationTest, TheProjectsFoldersAreTheOpenedOnesOrTheFilesOwn) {
  using Folders = std::vector<std::string>;
  Configuration made = configuration();
  const auto folders = [&](const std::string &file) { return made.settingsFor(path(file)).worker.projectFolders; };
  EXPECT_EQ(folders("project/src/a.c"), Folders{path("project/src")});
  made.setRoots({path("other"), path("project") + "/", path("project")});
  EXPECT_EQ(folders("project/src/a.c"), (Folders{path("other"), path("project")}));
  EXPECT_EQ(folders("project/../b.c"), (Folders{path("other"), path("project"), folder.string()})) << "in none of them";
  made.setRoots({"/"});
  EXPECT_EQ(folders("project/a.c"), Folders{path("project")}) << "the file system's root is no project";
  EXPECT_EQ(projectFoldersOf("/a.c", {"/"}), Folders{});
}

TEST_F(ConfigurationTest, ACalibrationOfTheProjectMustBeInItsFolder) {
  using analysis::wire::Settings;
  Configuration made = configuration();
  const auto placed = [&] {
    const Settings settings = made.settingsFor(path("project/src/a.c")).worker;
    return std::pair(settings.calibration, settings.calibrationFolder);
  };
  using Placed = std::pair<std::string, std::string>;
  EXPECT_EQ(placed(), Placed("auto", ""));
  made.takeSection({{"calibration", "off"}});
  EXPECT_EQ(placed(), Placed("off", ""));
  made.takeSection({{"calibration", "ci/a.calibration"}});
  EXPECT_EQ(placed(), Placed(path("project/src/ci/a.calibration"), path("project/src")));
  write("project/.mca-lsp.json", R"({"calibration": "../b.calibration"})");
  EXPECT_EQ(placed(), Placed(path("b.calibration"), path("project"))) << "the worker refuses it";
  made.setRoots({folder.string()});
  EXPECT_EQ(placed(), Placed(path("b.calibration"), folder.string())) << "inside the opened folder";
  write("project/.mca-lsp.json", R"({"calibration": "auto"})");
  EXPECT_EQ(placed(), Placed("auto", "")) << "no path";
}

TEST_F(ConfigurationTest, AUsersCalibrationMayBeAnywhere) {
  write("config.json", R"({"calibration": "mine/a.calibration"})");
  Configuration made = configuration();
  made.setRoots({path("project")});
  const auto settings = [&] { return made.settingsFor(path("project/src/a.c")).worker; };
  EXPECT_EQ(settings().calibration, path("mine/a.calibration"));
  EXPECT_EQ(settings().calibrationFolder, "");
  made.takeInitializationOptions({{"calibration", "/b.calibration"}});
  EXPECT_EQ(settings().calibration, "/b.calibration");
  EXPECT_EQ(settings().calibrationFolder, "");
  made.takeSection({{"calibration", "/b.calibration"}});
  EXPECT_EQ(settings().calibrationFolder, "") << "VS Code sends the user's setting twice";
  made.takeSection({{"calibration", "/c.calibration"}});
  EXPECT_EQ(settings().calibrationFolder, path("project"));
}

TEST_F(ConfigurationTest, OnlyPlainFilesAreRead) {
  Configuration some = configuration();
  ASSERT_EQ(::mkfifo(path("project/.mca-lsp.json").c_str(), 0600), 0);
  EXPECT_EQ(cpu(some), "");
  const LoadedConfig *pipe = some.load(path("project/.mca-lsp.json"));
  ASSERT_TRUE(pipe);
  EXPECT_EQ(pipe->content.findings.at(0).message, "this is no plain file");
  fs::create_directory(path("project/src/.mca-lsp.json"));
  EXPECT_EQ(some.folderFile(path("project/src/a.c")), path("project/.mca-lsp.json")) << "a folder is no file";
}

TEST_F(ConfigurationTest, AHugeFileIsNotRead) {
  write("project/.mca-lsp.json", "{}");
  fs::resize_file(path("project/.mca-lsp.json"), uintmax_t{1} << 30);
  Configuration some = configuration();
  EXPECT_EQ(cpu(some), "");
  EXPECT_EQ(some.load(path("project/.mca-lsp.json"))->content.findings.size(), 1u);
}

TEST_F(ConfigurationTest, TheUsersFileMayNameProgramsAFoldersMayNot) {
  write("config.json", R"({"compiler": "gcc-12", "fragments": [{"paths": ["/**/project/**"], "cpu": "mine"}]})");
  write("project/.mca-lsp.json", R"({"compiler": "/evil"})");
  Configuration some = configuration();
  EXPECT_EQ(some.settingsFor(path("project/a.c")).worker.compiler, "gcc-12");
  EXPECT_EQ(cpu(some), "mine");
  EXPECT_EQ(cpu(some, "b.c"), "");
}

TEST_F(ConfigurationTest, TheUsersFileIsWhereTheEnvironmentSays) {
  const char *home = std::getenv("HOME");
  const std::string before = home ? home : "";
  ::setenv("XDG_CONFIG_HOME", "/xdg", 1);
  EXPECT_EQ(userConfigPath(), "/xdg/mca-lsp/config.json");
  ::setenv("XDG_CONFIG_HOME", "relative", 1);
  ::setenv("HOME", "/home/me", 1);
  EXPECT_EQ(userConfigPath(), "/home/me/.config/mca-lsp/config.json");
  ::unsetenv("XDG_CONFIG_HOME");
  ::unsetenv("HOME");
  EXPECT_EQ(userConfigPath(), "");
  ::setenv("HOME", before.c_str(), 1);
}

TEST_F(ConfigurationTest, ATraceIsTheUsersOrHasTheFolderThatNamesIt) {
  Configuration made = configuration();
  const auto placed = [&] {
    const analysis::wire::Settings settings = made.settingsFor(path("project/src/a.c")).worker;
    return std::pair(settings.trace, settings.traceFolder);
  };
  using Placed = std::pair<std::string, std::string>;
  EXPECT_EQ(placed(), Placed("", ""));
  write("config.json", R"({"trace": "runs/a.mcatrace"})");
  EXPECT_EQ(placed(), Placed(path("runs/a.mcatrace"), ""));
  made.takeInitializationOptions({{"trace", "/b.mcatrace"}});
  EXPECT_EQ(placed(), Placed("/b.mcatrace", ""));
  made.takeSection({{"trace", "/c.mcatrace"}});
  EXPECT_EQ(placed(), Placed("/c.mcatrace", path("project/src"))) << "it may be the folder's";
  write("project/.mca-lsp.json", R"({"trace": "../d"})");
  EXPECT_EQ(placed(), Placed(path("d"), path("project")));
  made.setRoots({folder.string()});
  EXPECT_EQ(placed(), Placed(path("d"), folder.string()));
}

TEST_F(ConfigurationTest, AProfileIsTheUsersOrHasTheFolderThatNamesIt) {
  Configuration made = configuration();
  const auto placed = [&] {
    const analysis::wire::Settings settings = made.settingsFor(path("project/src/a.c")).worker;
    return std::pair(settings.profile, settings.profileFolder);
  };
  using Placed = std::pair<std::string, std::string>;
  EXPECT_EQ(placed(), Placed("", ""));
  write("config.json", R"({"profile": "runs/a.mcaprofile"})");
  EXPECT_EQ(placed(), Placed(path("runs/a.mcaprofile"), ""));
  write("project/.mca-lsp.json", R"({"profile": "../d"})");
  EXPECT_EQ(placed(), Placed(path("d"), path("project")));
}

TEST_F(ConfigurationTest, ADocumentThatIsNoFileHasNoFolder) {
  write(".mca-lsp.json", R"({"cpu": "folders", "trace": "x"})");
  write("config.json", R"({"cpu": "users"})");
  Configuration made = configuration();
  made.setRoots({folder.string()});
  const fs::path before = fs::current_path();
  fs::current_path(folder);
  const auto settings = [&] { return made.settingsFor("a.c").worker; };
  EXPECT_EQ(settings().cpu, "users");
  EXPECT_EQ(settings().trace, "");
  made.takeSection({{"trace", path("x")}, {"calibration", path("y")}});
  EXPECT_EQ(settings().trace, "") << "the section may come from the folder";
  EXPECT_EQ(settings().calibration, "");
  made.takeInitializationOptions({{"trace", path("x")}, {"calibration", "y"}});
  EXPECT_EQ(settings().trace, path("x"));
  EXPECT_EQ(settings().traceFolder, "");
  fs::current_path(before);
}

TEST_F(ConfigurationTest, AFileThatIsALinkOutOfTheProjectIsNotRead) {
  fs::create_directory(path("outside"));
  write("outside/secret.json", R"({"tok_12345": "tok_12345", "cpu": "stranger"})");
  fs::create_symlink(path("outside/secret.json"), path("project/.mca-lsp.json"));
  Configuration some = configuration();
  some.setRoots({path("project")});
  EXPECT_EQ(cpu(some), "");
  const LoadedConfig *linked = some.load(path("project/.mca-lsp.json"));
  ASSERT_TRUE(linked);
  ASSERT_EQ(linked->content.findings.size(), 1u);
  EXPECT_EQ(linked->content.findings[0].message, "it is a link that leads outside of the project, and is not read");
  EXPECT_EQ(linked->text.bytes(), "");

  Configuration all = configuration();
  all.setRoots({path("project"), path("outside")});
  EXPECT_EQ(cpu(all), "stranger") << "the user opened that folder, too";
  fs::create_symlink(path("outside/secret.json"), path("config.json"));
  Configuration own = configuration();
  EXPECT_EQ(cpu(own, "b.c"), "stranger") << "the user's own may be a link to anywhere";
}

} // namespace
} // namespace lsp
