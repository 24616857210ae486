// A folder that goes away with the test, and what the tests ask about it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace analysis {

class TempFolder {
public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "mca-test-XXXXXX").string();
    path_ = std::filesystem::canonical(mkdtemp(name.data())).string();
  }
  TempFolder(const TempFolder &) = delete;
  TempFolder &operator=(const TempFolder &) = delete;
  ~TempFolder() { std::filesystem::remove_all(path_); }

  const std::string &path() const { return path_; }

  /// Writes a file, with its folders, and gives its absolute path.
  std::string write(const std::string &name, const std::string &text) const {
    const std::filesystem::path file = std::filesystem::path(path_) / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file.string();
  }

  /// Every file in it with its size.
  std::map<std::string, uintmax_t> contents() const {
    std::map<std::string, uintmax_t> files;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(path_))
      files[entry.path().string()] = entry.is_regular_file() ? entry.file_size() : 0;
    return files;
  }

private:
  std::string path_;
};

} // namespace analysis
