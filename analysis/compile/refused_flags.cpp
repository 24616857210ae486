#include "analysis/compile/refused_flags.h"
#include "analysis/compile/invocation.h"

#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/Option.h"

#include <algorithm>

namespace analysis {
namespace {

using namespace clang::options;

/// Times that clang is asked, each about a millisecond: a hostile command could have very many flags.
constexpr size_t kMostRuns = 500;
/// A command with more flags that could be refused fails as it is.
constexpr size_t kMostCandidates = 200;

/// A flag with its value.
using Words = std::vector<std::string>;

/// What chooses the target is an error when it is wrong: all other flags depend on it.
bool canBeRefused(const llvm::opt::Option &option) {
  return option.matches(OPT_f_Group) || option.matches(OPT_m_Group) || option.matches(OPT_O_Group) ||
         option.matches(OPT_std_EQ) || option.matches(OPT_stdlib_EQ) || option.matches(OPT_pg);
}

/// The flags that can be refused, each once, in their order.
std::vector<Words> candidatesOf(const std::vector<std::string> &flags) {
  const llvm::opt::InputArgList parsed = parseFlags(flags);
  std::vector<Words> candidates;
  for (const llvm::opt::Arg *arg : parsed) {
    if (!canBeRefused(arg->getOption()) || candidates.size() > kMostCandidates)
      continue;
    llvm::opt::ArgStringList rendered;
    (arg->getAlias() ? *arg->getAlias() : *arg).render(parsed, rendered);
    Words words(rendered.begin(), rendered.end());
    if (!llvm::is_contained(candidates, words))
      candidates.push_back(std::move(words));
  }
  return candidates;
}

std::vector<std::string> without(const std::vector<std::string> &flags, const Words &words) {
  std::vector<std::string> rest;
  for (auto it = flags.begin(); it != flags.end();)
    if (static_cast<size_t>(flags.end() - it) >= words.size() && std::equal(words.begin(), words.end(), it))
      it += static_cast<std::ptrdiff_t>(words.size());
    else
      rest.push_back(*it++);
  return rest;
}

/// Whether one of the errors quotes the flag or its value: without another one it may go away, too.
bool isQuoted(const Words &flag, const std::vector<std::string> &errors) {
  const std::string &last = flag.back();
  const std::string value = last.substr(last.find('=') + 1);
  return llvm::any_of(errors, [&](const std::string &error) {
    return error.find("'" + last + "'") != std::string::npos || error.find("'" + value + "'") != std::string::npos ||
           error.find("'" + flag.front() + "'") != std::string::npos;
  });
}

/// Asks clang again and again.
class Search {
public:
  Search(const std::string &directory, const std::vector<std::string> &before, std::vector<std::string> &flags,
         const std::vector<std::string> &behind)
      : directory_(directory), before_(before), flags_(flags), behind_(behind) {}

  std::vector<std::string> take() {
    errors_ = errorsOf(flags_);
    // What refuses one flag may hide what refuses another.
    while (!errors_.empty() && takeOne()) {
    }
    return std::move(taken_);
  }

private:
  std::vector<std::string> errorsOf(const std::vector<std::string> &flags) {
    ++runs_;
    std::vector<std::string> arguments = before_;
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    arguments.insert(arguments.end(), behind_.begin(), behind_.end());
    return invocationOf(directory_, arguments).errors;
  }

  bool takeOne() {
    std::vector<Words> candidates = candidatesOf(flags_);
    if (candidates.size() > kMostCandidates)
      return false;
    std::stable_partition(candidates.begin(), candidates.end(),
                          [&](const Words &flag) { return isQuoted(flag, errors_); });
    for (const Words &candidate : candidates) {
      if (runs_ == kMostRuns)
        return false;
      std::vector<std::string> rest = without(flags_, candidate);
      std::vector<std::string> others = errorsOf(rest);
      if (llvm::all_of(errors_, [&](const std::string &error) { return llvm::is_contained(others, error); }))
        continue;
      flags_ = std::move(rest);
      errors_ = std::move(others);
      taken_.push_back(llvm::join(candidate, " "));
      return true;
    }
    return false;
  }

  const std::string &directory_;
  const std::vector<std::string> &before_;
  std::vector<std::string> &flags_;
  const std::vector<std::string> &behind_;
  std::vector<std::string> errors_; ///< with the flags as they are
  std::vector<std::string> taken_;
  size_t runs_ = 0;
};

} // namespace

std::vector<std::string> takeRefusedFlags(const std::string &directory, const std::vector<std::string> &before,
                                          std::vector<std::string> &flags, const std::vector<std::string> &behind) {
  return Search(directory, before, flags, behind).take();
}

} // namespace analysis
