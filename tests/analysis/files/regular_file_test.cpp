#include "analysis/files/regular_file.h"

#include "tests/analysis/compile/temp_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sys/stat.h>

namespace analysis {
namespace {

namespace fs = std::filesystem;

class RegularFiles : public testing::Test {
protected:
  std::string path(const char *name) const { return folder_.path() + "/" + name; }
  std::string write(const char *name, const std::string &text) const { return folder_.write(name, text); }

  TempFolder folder_;
};

TEST_F(RegularFiles, AreReadWhole) {
  for (const size_t size : {0, 1, 4095, 4096, 4097, 100'000}) {
    std::string text(size, 'x');
    if (size)
      text.back() = '\0';
    const RegularFile file = readRegularFile(write("file", text), 1 << 20);
    EXPECT_TRUE(file.isRead()) << file.failure;
    EXPECT_EQ(file.text, text);
    EXPECT_EQ(file.stamp.size, size);
  }
}

TEST_F(RegularFiles, AreReadThroughLinks) {
  fs::create_symlink(write("file", "text"), path("link"));
  EXPECT_EQ(readRegularFile(path("link"), 10).text, "text");
}

TEST_F(RegularFiles, AreReadUpToTheLimitAlone) {
  const std::string name = write("file", "0123456789");
  EXPECT_EQ(readRegularFile(name, 10).text, "0123456789");
  const RegularFile beyond = readRegularFile(name, 9);
  EXPECT_EQ(beyond.text, "");
  EXPECT_EQ(beyond.failure, "it is larger than 9 bytes");
  fs::resize_file(name, uint64_t{1} << 40); // sparse: nothing of it may be read
  EXPECT_EQ(readRegularFile(name, 256 << 20).failure, "it is larger than 256 MiB");
}

TEST_F(RegularFiles, OfProcClaimToBeEmptyAndAreRead) {
  EXPECT_NE(readRegularFile("/proc/self/status", 1 << 20).text, "");
  EXPECT_EQ(readRegularFile("/proc/self/status", 10).failure, "it is larger than 10 bytes");
}

TEST_F(RegularFiles, AreNeitherFifosNorDevicesNorFolders) {
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", path("zero"));
  for (const char *name : {"fifo", "zero", "."}) {
    EXPECT_EQ(readRegularFile(path(name), 1 << 20).failure, "it is no regular file") << name;
    EXPECT_FALSE(stampOfRegularFile(path(name))) << name;
  }
}

TEST_F(RegularFiles, ThatAreMissingHaveTheSystemsWords) {
  EXPECT_EQ(readRegularFile(path("missing"), 10).failure, "No such file or directory");
  EXPECT_EQ(readRegularFile(write("file", "") + std::string("\0tail", 5), 10).failure, "No such file or directory");
  EXPECT_FALSE(stampOfRegularFile(path("missing")));
}

TEST_F(RegularFiles, ThatReplaceOthersOfEqualSizeAndTimeHaveOtherStamps) {
  for (const TempFolder::Replacement how : TempFolder::kReplacements) {
    const std::string name = write("file", "old!");
    const std::optional<FileStamp> before = stampOfRegularFile(name);
    ASSERT_TRUE(before);
    EXPECT_EQ(*before, readRegularFile(name, 10).stamp);
    folder_.replaceAlike("file", "new!", how);
    const std::optional<FileStamp> after = stampOfRegularFile(name);
    ASSERT_TRUE(after);
    EXPECT_EQ(after->modified, before->modified);
    EXPECT_EQ(after->size, before->size);
    EXPECT_NE(*after, *before);
  }
}

} // namespace
} // namespace analysis
