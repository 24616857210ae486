// clang's preprocessor finds what a source includes: only it knows the folders that the flags and its own installation
// add, and which conditions hold.
#include "analysis/compile/includes.h"
#include "analysis/compile/compiler_environment.h"
#include "analysis/compile/invocation.h"
#include "analysis/compile/modules.h"
#include "analysis/compile/optimization_record.h"
#include "analysis/compile/paths.h"
#include "analysis/process/child_process.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Option/Arg.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <span>

namespace analysis {
namespace {

constexpr uint64_t kMaxRuleBytes = 8u << 20;

/// Whether the name leads to the file, links followed.
bool leadsTo(llvm::StringRef name, const std::string &directory, const std::string &file) {
  llvm::SmallString<256> path(name);
  llvm::sys::path::make_absolute(directory, path);
  return llvm::sys::fs::equivalent(path, file);
}

} // namespace

bool printsDependency(const CompileCommand &command, const std::string &header, std::chrono::milliseconds &left,
                      const std::stop_token &stop) {
  const ChildLimits limits{.time = left, .outputBytes = kMaxRuleBytes};
  const ChildResult child =
      runChild({command.directory, command.arguments, compilerEnvironment(), command.confinement}, limits, stop);
  left -= std::min(left, child.end == ChildResult::End::IdleLimit ? left : child.processorTime);
  if (child.end != ChildResult::End::Exited)
    return false;
  return llvm::any_of(prerequisitesOf(child.output),
                      [&](const std::string &name) { return leadsTo(name, command.directory, header); });
}

/// With -M, neither compiler goes on to a later step, whatever else the command says, and the rule goes where the
/// command's output would.
std::optional<std::vector<std::string>> filesReadBy(const CompileCommand &command, const wire::CompileLimits &limits,
                                                    const std::stop_token &stop) {
  std::vector<std::string> arguments = command.arguments;
  removeRemarkFlags(arguments); // the record is no input
  const std::vector<std::string> flags = arguments;
  const size_t file = command.kind == CompilerKind::Clang ? 2 : 1; // clang's is preceded by "--"
  arguments.insert(arguments.end() - static_cast<ptrdiff_t>(file), std::begin(kDependencyFlags),
                   std::end(kDependencyFlags));
  const ChildResult child =
      runChild({command.directory, std::move(arguments), compilerEnvironment(), command.confinement},
               {.time = limits.time, .outputBytes = kMaxRuleBytes, .memoryBytes = limits.memoryBytes}, stop);
  if (child.end != ChildResult::End::Exited || child.status != 0)
    return std::nullopt;
  std::vector<std::string> files = prerequisitesOf(child.output);
  for (std::string &name : files)
    name = absolutePath(name, command.directory);
  // Profiles, for one, are not in the rule.
  for (const llvm::opt::Arg *flag : parseFlags(std::span(flags).subspan(1)))
    for (const llvm::StringRef value : flag->getValues())
      if (std::string named = absolutePath(value, command.directory); llvm::sys::fs::is_regular_file(named))
        files.push_back(std::move(named));
  llvm::append_range(files, moduleFilesOf(command));
  return files;
}

std::vector<std::string> prerequisitesOf(std::string_view rule) {
  const size_t colon = rule.find(": ");
  if (colon == std::string_view::npos)
    return {};
  std::vector<std::string> names{""};
  for (size_t i = colon + 1; i < rule.size(); ++i) {
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\0';
    if (rule[i] == '\\' && (next == '\n' || next == '\r'))
      continue;
    // clang escapes blanks and "#" with a backslash and "$" with another "$" (clang/lib/Frontend/DependencyFile.cpp).
    if ((rule[i] == '\\' && (next == ' ' || next == '#')) || (rule[i] == '$' && next == '$'))
      names.back() += rule[++i];
    else if (!llvm::StringRef(" \t\r\n").contains(rule[i]))
      names.back() += rule[i];
    else if (!names.back().empty())
      names.emplace_back();
  }
  if (names.back().empty())
    names.pop_back();
  return names;
}

} // namespace analysis
