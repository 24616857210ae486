#include "tests/differential/corpus.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace differential {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExpanded = ".expanded.s";

std::vector<Case> casesIn(const std::string &folder) {
  const fs::path root = fs::path(DIFFERENTIAL_FILES) / folder;
  std::vector<Case> cases;
  for (const fs::directory_entry &entry : fs::recursive_directory_iterator(root)) {
    const std::string path = entry.path().string();
    if (entry.path().extension() != ".s" || path.ends_with(kExpanded))
      continue;
    const std::string twin = path.substr(0, path.size() - 2) + std::string(kExpanded);
    cases.push_back({fs::relative(entry.path(), root).string(), path, fs::exists(twin) ? twin : path});
  }
  return cases;
}

void sortByName(std::vector<Case> &cases) {
  std::sort(cases.begin(), cases.end(), [](const Case &a, const Case &b) { return a.name < b.name; });
}

struct KnownDifference {
  Path path;
  std::string_view name;
  const char *why;
};

constexpr KnownDifference kKnownDifferences[] = {
    {Path::Both, "x86_regions_in_macros.s", "a region that is a part of a macro's text takes all that the call makes"},
    {Path::Editor, "x86/masm_numbers.s", "numbers such as 0ffh are a parse error for us, so that 1b is a label"},
};

} // namespace

std::ostream &operator<<(std::ostream &out, const Case &testCase) {
  return out << testCase.name;
}

std::string identifier(std::string name) {
  if (name.ends_with(".s"))
    name.resize(name.size() - 2);
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

std::vector<Case> comparedCases() {
  std::vector<Case> cases = casesIn("corpus");
  for (Case &twin : casesIn("twins"))
    cases.push_back(std::move(twin));
  sortByName(cases);
  return cases;
}

std::vector<Case> misuseCases() {
  std::vector<Case> cases = casesIn("misuse");
  sortByName(cases);
  return cases;
}

std::vector<std::string> engineCaseFiles() {
  std::vector<std::string> files;
  for (const auto &entry : fs::directory_iterator(fs::path(DIFFERENTIAL_FILES) / "engine_cases"))
    files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

analysis::BufferSettings settingsOf(const std::string &text) {
  return analysis::readBufferSettings(analysis::TextLines(text));
}

std::vector<std::string> targetOptions(const analysis::BufferSettings &settings) {
  if (settings.triple.empty() || settings.cpu.empty())
    throw std::runtime_error("the first line must be a comment `mca: triple=… cpu=…`");
  return {"-mtriple=" + settings.triple, "-mcpu=" + settings.cpu, "-mattr=" + settings.features};
}

std::vector<std::string> commandFor(const std::string &program, const std::string &path,
                                    const std::vector<std::string> &options) {
  std::vector<std::string> command{program};
  for (std::string &option : targetOptions(settingsOf(readFile(path))))
    command.push_back(std::move(option));
  command.insert(command.end(), options.begin(), options.end());
  command.push_back(path);
  return command;
}

const char *knownDifference(Path path, const std::string &name) {
  for (const KnownDifference &known : kKnownDifferences)
    if (known.name == name && (known.path == path || known.path == Path::Both))
      return known.why;
  return nullptr;
}

} // namespace differential
