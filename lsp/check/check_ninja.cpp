// The syntax is that of Ninja's manual, "Ninja file reference": `$` escapes itself, and in paths also blanks and
// colons; a value ends with its line. Nothing escapes `|` in a path, but a variable may hold it. A command goes through
// `sh -c`.
//
// An edge does not name its source: the depfile does, as one of the files that were read. Ninja refuses to begin if a
// file that an edge names is gone, while one that a depfile names is only out of date, and its analysis says that it
// cannot be read, as in a run without Ninja.
#include "lsp/check/check_ninja.h"

#include "lsp/check/terminal.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>

namespace lsp {
namespace {

namespace fs = std::filesystem;

std::string replaced(std::string_view text, std::string_view characters, std::string_view before) {
  std::string result;
  for (const char c : text) {
    if (characters.find(c) != std::string_view::npos)
      result += before;
    result += c;
  }
  return result;
}

/// Stands for `|` in a path.
constexpr std::string_view kBar = "${bar}";

std::string value(std::string_view text) {
  return replaced(text, "$", "$");
}

std::string path(std::string_view name) {
  std::string result;
  for (const char c : replaced(name, "$ :", "$"))
    result += c == '|' ? std::string(kBar) : std::string(1, c);
  return result;
}

std::string shellWord(const std::string &word) {
  static constexpr std::string_view kPlain = "_+-./=,:@%"; // and letters and digits
  const auto isPlain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || kPlain.find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, isPlain))
    return word;
  std::string quoted = "'";
  for (const char c : word)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string command(const NinjaFile &file, const std::vector<std::string> &options) {
  std::string text = value(shellWord(file.program)) + " --check";
  for (const std::string &option : options)
    text += " " + value(shellWord(option));
  return text;
}

/// FNV-1a: the same on every machine, as the names of results must be.
uint64_t hashOf(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const unsigned char c : text)
    hash = (hash ^ c) * 0x100000001b3;
  return hash;
}

/// The name of a file's result: recognizable, and another one for each file.
std::string partName(const std::string &file) {
  constexpr size_t kWidth = 60; // characters: file systems allow 255
  std::string name = fs::path(file).filename().string();
  std::ranges::replace_if(
      name, [](unsigned char c) { return !std::isalnum(c) && c != '.' && c != '_' && c != '-'; }, '_');
  char hash[17];
  std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(hashOf(file)));
  return name.substr(0, kWidth) + "-" + hash + ".json";
}

/// Whether Ninja's reader of depfiles takes the character for a part of a name, if it is escaped (depfile_parser.in.cc
/// of Ninja 1.11). A name with any other, such as a quote, would become two names.
bool isReadInRules(char c) {
  static constexpr std::string_view kOther = " #$+,/_:.~()}{%=@[]!-"; // beside letters and digits, and all beyond ASCII
  return std::isalnum(static_cast<unsigned char>(c)) || (c & 0x80) != 0 || kOther.find(c) != std::string_view::npos;
}

bool hasLineEnd(std::string_view text) {
  return text.find_first_of("\r\n") != std::string_view::npos;
}

/// What would stand in the text but cannot, as no escape of Ninja's holds a line end.
std::string problemOf(const NinjaFile &file) {
  for (const auto *list : {&file.again, &file.unitOptions, &file.mergeOptions})
    for (const std::string &option : *list)
      if (hasLineEnd(option))
        return "an option has a line end, which no Ninja file can hold: " + displayLine(option);
  for (const std::string *name : {&file.path, &file.program, &file.database, &file.baseline, &file.result})
    if (hasLineEnd(*name))
      return "a name has a line end, which no Ninja file can hold: " + displayLine(*name);
  return file.path == file.result ? file.path + ": is also where the result would go" : "";
}

std::string rules(const NinjaFile &file) {
  return "rule unit\n  command = " + command(file, file.unitOptions) +
         " --unit $out.unit --depfile $out.d --output $out\n"
         "  description = analysing $source\n  depfile = $out.d\n  deps = gcc\n"
         "  rspfile = $out.unit\n  rspfile_content = $unit\n\n"
         "rule merge\n  command = " +
         command(file, file.mergeOptions) +
         " --merge @$out.parts --output $out\n  description = merging into $out\n"
         "  rspfile = $out.parts\n  rspfile_content = $in_newline\n\n"
         "rule ninja\n  command = " +
         command(file, file.again) + "\n  description = writing $out\n  generator = 1\n\n";
}

std::string edge(const CheckUnit &unit, const std::string &part) {
  return "build " + path(part) + ": unit\n  source = " + value(displayLine(unit.file)) +
         "\n  unit = " + value(unitJson(unit)) + "\n";
}

} // namespace

NinjaText ninjaText(const NinjaFile &file) {
  if (std::string problem = problemOf(file); !problem.empty())
    return {"", std::move(problem)};
  const std::string parts = fs::path(file.path).replace_extension(".parts").string();
  std::string text =
      "# Written by mca-lsp " MCA_VERSION " --check --ninja; run in the folder that it was written from:\n"
      "# ninja -f " +
      displayLine(file.path) + "\nninja_required_version = 1.8\nbuilddir = " + value(parts) + "\nbar = |\n\n" +
      rules(file) + "build " + path(file.path) + ": ninja " + path(file.database) + "\n\n";
  std::string merge = "\nbuild " + path(file.result) + ": merge";
  for (const CheckUnit &unit : file.units) {
    const std::string part = parts + "/" + partName(unit.file);
    text += edge(unit, part);
    merge += " $\n  " + path(part);
  }
  merge += " | " + path(file.program);
  if (!file.baseline.empty())
    merge += " " + path(file.baseline);
  return {text + merge + "\n", ""};
}

std::string makeRule(const std::string &target, const std::vector<std::string> &files, bool isComplete) {
  const auto escaped = [](const std::string &name) { return replaced(replaced(name, " #:", "\\"), "$", "$"); };
  std::string rule = escaped(target) + ":";
  for (const std::string &file : files) {
    if (std::ranges::all_of(file, isReadInRules))
      rule += " \\\n " + escaped(file);
    else
      isComplete = false;
  }
  if (!isComplete)
    rule += " \\\n " + escaped(target) + ".inputs-unknown";
  return rule + "\n";
}

std::vector<std::string> namesInResponseFile(std::string_view text) {
  std::vector<std::string> names;
  std::string name;
  bool isQuoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\'')
      isQuoted = !isQuoted;
    else if (!isQuoted && c == '\\' && i + 1 < text.size())
      name += text[++i];
    else if (isQuoted || c != '\n')
      name += c;
    else if (!name.empty())
      names.push_back(std::exchange(name, ""));
  }
  if (!name.empty())
    names.push_back(std::move(name));
  return names;
}

} // namespace lsp
