// A search by trial: each flag is left out once, those that an error quotes first, until clang has no error that
// another flag could resolve.
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

/// The limit of trials, each of which takes about a millisecond: a hostile command could have very many flags.
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

std::vector<std::string> without(llvm::ArrayRef<std::string> flags, llvm::ArrayRef<std::string> words) {
  std::vector<std::string> rest;
  while (!flags.empty())
    if (flags.take_front(words.size()) == words) {
      flags = flags.drop_front(words.size());
    } else {
      rest.push_back(flags.front());
      flags = flags.drop_front();
    }
  return rest;
}

/// Whether an error quotes the flag or its value. Such flags are tried first: leaving out another one may also resolve
/// the error.
bool isQuoted(const Words &flag, const std::vector<std::string> &errors) {
  const std::string &last = flag.back();
  const std::string value = last.substr(last.find('=') + 1);
  const std::string quotes[] = {"'" + last + "'", "'" + value + "'", "'" + flag.front() + "'"};
  return llvm::any_of(errors, [&](llvm::StringRef error) {
    return llvm::any_of(quotes, [&](llvm::StringRef quote) { return error.contains(quote); });
  });
}

/// The command from which flags are removed, and clang's errors about it.
struct Search {
  const std::string &directory;
  const std::vector<std::string> &before, &after; ///< the rest of the command
  std::vector<std::string> &flags;
  std::vector<std::string> errors{}; ///< clang's, with the flags as they are
  std::vector<std::string> taken{};
  size_t runs = 0;

  std::vector<std::string> take() {
    errors = errorsOf(flags);
    // An error about one flag may hide that about another: clang's driver stops before its frontend.
    while (!errors.empty() && takeOne()) {
    }
    return std::move(taken);
  }

  std::vector<std::string> errorsOf(const std::vector<std::string> &tried) {
    ++runs;
    std::vector<std::string> arguments = before;
    llvm::append_range(arguments, tried);
    llvm::append_range(arguments, after);
    return invocationOf(directory, arguments).errors;
  }

  bool takeOne() {
    std::vector<Words> candidates = candidatesOf(flags);
    if (candidates.size() > kMostCandidates)
      return false;
    std::stable_partition(candidates.begin(), candidates.end(),
                          [&](const Words &flag) { return isQuoted(flag, errors); });
    for (const Words &candidate : candidates) {
      if (runs == kMostRuns)
        return false;
      std::vector<std::string> rest = without(flags, candidate);
      std::vector<std::string> others = errorsOf(rest);
      if (llvm::all_of(errors, [&](const std::string &error) { return llvm::is_contained(others, error); }))
        continue;
      flags = std::move(rest);
      errors = std::move(others);
      taken.push_back(llvm::join(candidate, " "));
      return true;
    }
    return false;
  }
};

} // namespace

std::vector<std::string> takeRefusedFlags(const std::string &directory, const std::vector<std::string> &before,
                                          std::vector<std::string> &flags, const std::vector<std::string> &after) {
  return Search{directory, before, after, flags}.take();
}

} // namespace analysis
