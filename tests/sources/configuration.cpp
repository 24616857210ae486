#include "tests/sources/configuration.h"

#include <string_view>

namespace sources {
namespace {

struct Architecture {
  const char *triple;
  const char *cpu;
};

constexpr Architecture kArchitectures[] = {
    {"x86_64-linux-gnu", "skylake"},
    {"aarch64-linux-gnu", "neoverse-n1"},
    {"riscv64-linux-gnu", "sifive-u74"},
};
constexpr const char *kClangLevels[] = {"-O1", "-O2", "-O3", "-Os"};
constexpr const char *kGccLevels[] = {"-O2", "-O3"};
constexpr const char *kGccFolder = "/usr/bin/";
constexpr std::string_view kFlags = "// flags: ";

std::string ownFlags(std::string_view text) {
  if (!text.starts_with(kFlags))
    return "";
  const std::string_view rest = text.substr(kFlags.size());
  return std::string(rest.substr(0, rest.find_first_of("\r\n"))) + " ";
}

} // namespace

std::string Configuration::name() const {
  return (gcc ? "gcc" : "clang") + level + "-" + triple.substr(0, triple.find('-'));
}

std::string Configuration::commandFor(const std::filesystem::path &program, const std::string &text) const {
  const bool c = program.extension() == ".c";
  const std::string compiler = gcc ? kGccFolder + triple + (c ? "-gcc " : "-g++ ")
                                   : (c ? "clang --target=" : "clang++ --target=") + triple + " ";
  return compiler + level + (c ? " -std=c17 " : " -std=c++20 ") + ownFlags(text) + "-c " + program.filename().string();
}

analysis::wire::Settings Configuration::settings(const std::filesystem::path &folder) const {
  analysis::wire::Settings settings{.cpu = cpu, .compileCommandsDir = folder.string(), .listings = true};
  if (gcc) {
    settings.compiler = "project";
    settings.allowedCompilers = {std::string(kGccFolder) + "*"};
  }
  return settings;
}

std::ostream &operator<<(std::ostream &out, const Configuration &configuration) {
  return out << configuration.name();
}

std::vector<Configuration> configurations() {
  std::vector<Configuration> all;
  for (const Architecture &architecture : kArchitectures) {
    for (const char *level : kClangLevels)
      all.push_back({false, level, architecture.triple, architecture.cpu});
    for (const char *level : kGccLevels)
      all.push_back({true, level, architecture.triple, architecture.cpu});
  }
  return all;
}

} // namespace sources
