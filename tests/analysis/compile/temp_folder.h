// A folder that goes away with the test, and what the tests ask about it.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>

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

  /// How another file of the same size and time of modification takes a file's place: `rsync -t` makes a new one and
  /// renames it, `cp -p` writes into the old one.
  enum class Replacement : uint8_t { Renamed, Rewritten };
  static constexpr Replacement kReplacements[] = {Replacement::Renamed, Replacement::Rewritten};

  /// Replaces a file by a text of the same length. The call lasts longer than the resolution of the system's time.
  void replaceAlike(const std::string &name, const std::string &text, Replacement how) const {
    const std::filesystem::path file = std::filesystem::path(path_) / name;
    const auto time = std::filesystem::last_write_time(file);
    if (std::filesystem::file_size(file) != text.size())
      std::abort();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (how == Replacement::Rewritten) {
      write(name, text);
      std::filesystem::last_write_time(file, time);
      return;
    }
    const std::string other = write(name + ".new", text);
    std::filesystem::last_write_time(other, time);
    std::filesystem::rename(other, file);
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
