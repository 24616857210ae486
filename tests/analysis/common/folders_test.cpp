// Which files lie in a folder, where links lead out of it and into it.
#include "analysis/common/folders.h"

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

} // namespace
} // namespace analysis
