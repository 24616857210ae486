// The goldens' sources, each as a file in a folder of its own.
#pragma once

#include "analysis/job/analyzer.h"
#include "lsp/workspace/language.h"
#include "tests/goldens/annotations.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace goldens {

namespace fs = std::filesystem;
using analysis::wire::AnalysisResult;
using analysis::wire::Language;

inline const fs::path kRoot = GOLDEN_FILES;

inline std::string readFile(const fs::path &path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

inline void writeFile(const fs::path &path, const std::string &text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// A golden's source as a file of its own, beside what it is compiled with.
class Workspace {
public:
  explicit Workspace(const std::string &name) : golden_(readFile(kRoot / name)), source_(sourceOf(golden_)) {
    std::string pattern = (fs::temp_directory_path() / "mca-golden-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
      throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    for (const fs::directory_entry &entry : fs::directory_iterator((kRoot / name).parent_path()))
      if (entry.path().extension() == ".h" || entry.path().extension() == ".txt")
        fs::copy(entry.path(), folder_ / entry.path().filename());
    file_ = folder_ / fs::path(name).filename();
    writeFile(file_, source_);
  }
  ~Workspace() { fs::remove_all(folder_); }
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;

  const std::string &golden() const { return golden_; }
  const std::string &source() const { return source_; }
  const fs::path &path() const { return file_; }
  std::string uri() const { return "file://" + file_.string(); }
  std::string languageId() const {
    const Language language = *lsp::languageOfPath(file_.string());
    return language == Language::Assembly ? "asm" : language == Language::C ? "c" : "cpp";
  }
  AnalysisResult analyse() const {
    analysis::Analyzer analyzer;
    const analysis::wire::AnalyzeRequest request{
        .id = 1, .path = file_.string(), .language = *lsp::languageOfPath(file_.string()), .text = source_};
    return analyzer.run(request, {}, [](const analysis::wire::Progress &) {});
  }
  analysis::Shown shown() const { return analysis::shown(analyse(), source_, file_.string()); }

private:
  std::string golden_, source_;
  fs::path folder_, file_;
};

/// Their names below the folder of goldens, sorted.
inline std::vector<std::string> goldens() {
  std::vector<std::string> names;
  for (const fs::directory_entry &entry : fs::recursive_directory_iterator(kRoot)) {
    const std::string name = fs::relative(entry.path(), kRoot).string();
    if (name.find('/') != std::string::npos && lsp::languageOfPath(name) && !name.ends_with(".h"))
      names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

} // namespace goldens
