// The file of a result: there when it is complete, and only then.
#include "lsp/check/result_file.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <sstream>

namespace lsp {
namespace {

namespace fs = std::filesystem;

class ResultFileTest : public testing::Test {
protected:
  ResultFileTest() {
    std::string pattern = (fs::temp_directory_path() / "mca-result-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    path_ = (folder_ / "shard1.json").string();
  }
  ~ResultFileTest() override { fs::remove_all(folder_); }

  static std::string read(const fs::path &path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  void writeEarlierResult() const { std::ofstream(path_) << "{\n \"schema\": \"mca-lsp-check\",\n"; }
  void writeSomethingElse() const { std::ofstream(path_) << "something else"; }
  bool isFolderEmpty() const { return fs::is_empty(folder_); }

  fs::path folder_;
  std::string path_;
};

TEST_F(ResultFileTest, HasItsNameOnceItIsComplete) {
  writeEarlierResult();
  ResultFile file;
  ASSERT_TRUE(file.open(path_, /*grows=*/false));
  EXPECT_TRUE(isFolderEmpty()) << "neither the earlier result nor a part of this one";
  file.write("a");
  EXPECT_FALSE(fs::exists(path_));
  file.write("b");
  ASSERT_TRUE(file.close());
  EXPECT_EQ(read(path_), "ab");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(ResultFileTest, IsNotThereIfItIsNotClosed) {
  writeEarlierResult();
  {
    ResultFile file;
    ASSERT_TRUE(file.open(path_, /*grows=*/false));
    file.write("half");
  }
  EXPECT_TRUE(isFolderEmpty());
}

TEST_F(ResultFileTest, OfTwoRunsEachWritesAllOfIt) {
  ResultFile lost, again;
  ASSERT_TRUE(lost.open(path_, /*grows=*/false));
  lost.write("half");
  ASSERT_TRUE(again.open(path_, /*grows=*/false));
  again.write("whole");
  lost.write(" and half");
  ASSERT_TRUE(again.close());
  EXPECT_EQ(read(path_), "whole");
  ASSERT_TRUE(lost.close());
  EXPECT_EQ(read(path_), "half and half");
}

TEST_F(ResultFileTest, TextGrows) {
  for (const char *earlier : {"", "a.c: compile command: compile_flags.txt\n", "a.s: target: x86_64 znver4\n",
                              "a.c:1:1: error: the file cannot be read [not-analysed]\n"}) {
    if (*earlier)
      std::ofstream(path_) << earlier;
    ResultFile file;
    ASSERT_TRUE(file.open(path_, /*grows=*/true));
    EXPECT_EQ(read(path_), "") << earlier;
  }
  fs::remove(path_);
  ResultFile file;
  ASSERT_TRUE(file.open(path_, /*grows=*/true));
  EXPECT_FALSE(file.replaces());
  EXPECT_EQ(read(path_), "");
  file.write("a");
  ASSERT_TRUE(file.close());
  EXPECT_EQ(read(path_), "a");
}

TEST_F(ResultFileTest, WhatIsNoEarlierResultStaysUntilThisOneIsComplete) {
  for (const bool grows : {false, true}) {
    writeSomethingElse();
    {
      ResultFile lost;
      ASSERT_TRUE(lost.open(path_, grows));
      EXPECT_TRUE(lost.replaces());
      lost.write("half");
    }
    EXPECT_EQ(read(path_), "something else");
    ResultFile file;
    ASSERT_TRUE(file.open(path_, grows));
    file.write("a");
    EXPECT_EQ(read(path_), "something else");
    ASSERT_TRUE(file.close());
    EXPECT_EQ(read(path_), "a");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
  }
}

TEST_F(ResultFileTest, EachFormOfAnEarlierResultIsKnown) {
  for (const char *text : {"{\n \"schema\": \"mca-lsp-check\",", "## mca-lsp\n\n1 file",
                           "{\n \"$schema\": \"https://x\",\n   \"name\": \"mca-lsp\","}) {
    std::ofstream(path_) << text;
    ResultFile file;
    ASSERT_TRUE(file.open(path_, /*grows=*/false));
    EXPECT_FALSE(file.replaces()) << text;
    EXPECT_TRUE(isFolderEmpty()) << text;
  }
}

TEST_F(ResultFileTest, ALinkStaysOne) {
  writeEarlierResult();
  const fs::path link = folder_ / "link.json";
  fs::create_symlink("shard1.json", link);
  ResultFile file;
  ASSERT_TRUE(file.open(link.string(), /*grows=*/false));
  file.write("a");
  ASSERT_TRUE(file.close());
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(read(path_), "a");
}

TEST_F(ResultFileTest, ADeviceIsWrittenInPlace) {
  ResultFile file;
  ASSERT_TRUE(file.open("/dev/null", /*grows=*/false));
  file.write("a");
  EXPECT_TRUE(file.close());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(ResultFileTest, SaysWhatCannotBeWritten) {
  ResultFile file;
  EXPECT_FALSE(file.open((folder_ / "no" / "folder.json").string(), /*grows=*/false));
  for (const bool grows : {false, true}) {
    ResultFile full;
    ASSERT_TRUE(full.open("/dev/full", grows));
    full.write("a");
    EXPECT_FALSE(full.close());
  }
}

} // namespace
} // namespace lsp
