// Which files lie in a folder, where links lead out of it and into it.
#include "analysis/files/folders.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace analysis {
namespace {

namespace fs = std::filesystem;

/// trusted/ with a file, other/ with a file, and links between them.
class Folders : public testing::Test {
protected:
  Folders() {
    for (const char *folder : {"trusted/below", "other"})
      fs::create_directories(root + folder);
    for (const char *file : {"trusted/a.s", "trusted/below/b.s", "other/c.s"})
      std::ofstream(root + file) << "nop\n";
    fs::create_directory_symlink(root + "other", root + "trusted/out");
    fs::create_symlink(root + "other/c.s", root + "trusted/c.s");
    fs::create_directory_symlink(root + "trusted", root + "other/in");
    fs::create_directory_symlink(root + "trusted", root + "alias");
  }
  ~Folders() override { fs::remove_all(root); }

  bool isIn(const std::string &file, const std::string &folder = "trusted") {
    return liesIn(root + file, root + folder);
  }

  const std::string root = testing::TempDir() + "folders-" + std::to_string(getpid()) + "/";
};

TEST_F(Folders, WhatIsBelowLiesInIt) {
  EXPECT_TRUE(isIn("trusted/a.s"));
  EXPECT_TRUE(isIn("trusted/below/b.s"));
  EXPECT_TRUE(isIn("trusted/a.s", "trusted/"));
  EXPECT_TRUE(isIn("trusted/not-there/d.s")) << "it need not exist";
  EXPECT_TRUE(liesIn(root + "trusted/a.s", "/"));
  EXPECT_FALSE(isIn("other/c.s"));
  EXPECT_FALSE(isIn("trusted")) << "the folder itself";
  EXPECT_FALSE(isIn("trusted/a.s", "trust"));
  EXPECT_FALSE(isIn("trusted/a.s", "trusted/below"));
}

TEST_F(Folders, ALinkOutOfItLeadsOut) {
  EXPECT_FALSE(isIn("trusted/out/c.s"));
  EXPECT_FALSE(isIn("trusted/c.s"));
  EXPECT_FALSE(isIn("trusted/out/not-there.s"));
}

TEST_F(Folders, ALinkIntoItLeadsIn) {
  EXPECT_TRUE(isIn("other/in/a.s"));
  EXPECT_TRUE(isIn("trusted/a.s", "alias")) << "the folder by another name";
  EXPECT_TRUE(isIn("alias/a.s"));
}

TEST_F(Folders, DotsLeadWhereTheyLead) {
  EXPECT_FALSE(isIn("trusted/../other/c.s"));
  EXPECT_FALSE(isIn("trusted/out/../c.s")) << "beside the link's target";
  EXPECT_FALSE(isIn("trusted/none/../../other/c.s"));
  EXPECT_TRUE(isIn("other/../trusted/a.s"));
  fs::create_directory(root + "trusted/..name");
  EXPECT_TRUE(isIn("trusted/..name/a.s"));
}

TEST_F(Folders, RelativePathsLieNowhere) {
  EXPECT_FALSE(liesIn("a.s", root + "trusted"));
  EXPECT_FALSE(liesIn(root + "trusted/a.s", "trusted"));
  EXPECT_FALSE(liesIn(root + "trusted/a.s", ""));
  EXPECT_FALSE(liesIn("", "/"));
}

TEST_F(Folders, OneOfSeveralIsEnough) {
  EXPECT_TRUE(liesInAnyOf(root + "trusted/a.s", {"", "/nowhere", root + "trusted"}));
  EXPECT_FALSE(liesInAnyOf(root + "trusted/a.s", {}));
}

TEST_F(Folders, AProjectIsTheOpenedFoldersTheFilesOwnAndItsRepository) {
  const auto isInProject = [&](const std::string &file, const std::vector<std::string> &opened = {}) {
    return liesInProject(root + file, root + "trusted/below/b.s", opened);
  };
  EXPECT_TRUE(isInProject("trusted/below/b.s"));
  EXPECT_TRUE(isInProject("trusted/below/not-there.mcatrace"));
  EXPECT_FALSE(isInProject("trusted/a.s")) << "the folder above is another project";
  EXPECT_TRUE(isInProject("trusted/a.s", {root + "trusted"}));
  EXPECT_FALSE(isInProject("trusted/out/c.s", {root + "trusted"})) << "a folder that is a link";
  EXPECT_TRUE(isInProject("trusted/out/c.s", {root + "trusted", root + "other"}));
  EXPECT_FALSE(isInProject("trusted/c.s", {root + "trusted"}));
  fs::create_directory(root + "trusted/.git");
  EXPECT_TRUE(isInProject("trusted/a.s"));
  EXPECT_FALSE(isInProject("trusted/c.s"));
  EXPECT_FALSE(liesInProject(root + "trusted/a.s", "b.s", {})) << "a document that is no file has no project";
}

TEST_F(Folders, ARepositoryAroundTheHomeFolderIsNone) {
  const char *const before = std::getenv("HOME");
  const std::string home = before ? before : "";
  const auto repository = [&](const char *folder) {
    setenv("HOME", (root + folder).c_str(), 1);
    const std::string found = repositoryAround(root + "trusted/below/b.s");
    setenv("HOME", home.c_str(), 1);
    return found;
  };
  EXPECT_EQ(repository("other"), "");
  fs::create_directory(root + "trusted/.git");
  EXPECT_EQ(repository("other"), root + "trusted");
  EXPECT_EQ(repository("trusted"), "") << "dotfiles";
  EXPECT_EQ(repository("alias"), "") << "by another name";
  EXPECT_EQ(repository("trusted/below"), "") << "it holds the home folder";
  EXPECT_EQ(repositoryAround("b.s"), "");
}

} // namespace
} // namespace analysis
