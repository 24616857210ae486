#include "analysis/common/regular_file.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace analysis {
namespace {

namespace fs = std::filesystem;

class RegularFiles : public testing::Test {
protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "regular-file-XXXXXX").string();
    ASSERT_TRUE(mkdtemp(name.data()));
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const char *name) const { return (folder_ / name).string(); }
  std::string write(const char *name, const std::string &text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

  fs::path folder_;
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
  const std::string name = write("file", "old!"), other = write("other", "new!");
  const std::optional<FileStamp> before = stampOfRegularFile(name);
  ASSERT_TRUE(before);
  EXPECT_EQ(*before, readRegularFile(name, 10).stamp);
  struct stat status{};
  ASSERT_EQ(stat(name.c_str(), &status), 0);
  const timespec times[] = {status.st_atim, status.st_mtim};
  ASSERT_EQ(utimensat(AT_FDCWD, other.c_str(), times, 0), 0);
  fs::rename(other, name);
  const std::optional<FileStamp> after = stampOfRegularFile(name);
  ASSERT_TRUE(after);
  EXPECT_EQ(after->modified, before->modified);
  EXPECT_EQ(after->size, before->size);
  EXPECT_NE(*after, *before);
}

TEST_F(RegularFiles, ThatAreWrittenInPlaceWithTheOldTimeHaveOtherStamps) {
  const std::string name = write("file", "old!");
  const std::optional<FileStamp> before = stampOfRegularFile(name);
  struct stat status{};
  ASSERT_EQ(stat(name.c_str(), &status), 0);
  usleep(20'000); // beyond the kernel's coarse clock
  write("file", "new!");
  const timespec times[] = {status.st_atim, status.st_mtim};
  ASSERT_EQ(utimensat(AT_FDCWD, name.c_str(), times, 0), 0);
  EXPECT_NE(stampOfRegularFile(name), before);
}

} // namespace
} // namespace analysis
