#include "analysis/compile/front_end_runs.h"

#include "analysis/compile/block_names.h"
#include "analysis/compile/compiler_choice.h"
#include "analysis/compile/invocation.h"
#include "analysis/compile/optimization_record.h"
#include "analysis/compile/preamble_bounds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"

#include <utility>

namespace analysis {
namespace {

/// Have clang print the module before any optimization. The optimizer works in the order of the uses of each value,
/// which text has only if it is asked for.
const std::vector<std::string> kModuleFlags = {"-emit-llvm", "-Xclang", "-disable-llvm-passes", "-Xclang",
                                               "-emit-llvm-uselists"};
constexpr std::string_view kModule = "module.ll";
constexpr size_t kMostModules = 4;
/// Of a module. One of Eigen's or Boost's has some 10 MB.
constexpr size_t kMostBytes = size_t{64} << 20;
/// Of the present assembly. To optimize what becomes more takes longer than the front end.
constexpr size_t kMostAssembly = size_t{1} << 20;

bool isPossible(const FrontEndRuns::Version &version) {
  // The flags are read by our own library of clang. Loop messages, which a record replaces, would be about the file on disk.
  return version.presentCode.job && version.presentCode.bytes <= kMostAssembly && Preamble::isPossible(version.present) && Preamble::isPossible(version.command) &&
         clangVersionOf(version.present.arguments.front()) == LLVM_VERSION_MAJOR &&
         version.present.arguments.front() == version.command.arguments.front() &&
         writesRecord(version.present.arguments) && writesRecord(version.command.arguments);
}

} // namespace

std::optional<CompileResult> FrontEndRuns::compile(const Version &version, const Tools &tools) {
  if (!isPossible(version))
    return std::nullopt;
  if (!(known_.presentCode == version.presentCode))
    known_ = {.presentCode = version.presentCode};
  if (known_.proof == Proof::Fails || (known_.proof == Proof::Open && !version.isPresentText))
    return std::nullopt;
  const Invocation present = invocationOf(version.present.directory, version.present.arguments);
  const Invocation changed = invocationOf(version.command.directory, version.command.arguments);
  if (!present.compiler || !changed.compiler || !changed.errors.empty())
    return std::nullopt;
  const FlagDifference difference = differenceOf(present, changed);
  if (difference == FlagDifference::FrontEnd)
    return std::nullopt;
  if (difference == FlagDifference::Target && !hasSameHeaders(version, tools))
    return std::nullopt;
  const std::string *const module = moduleOf(version, tools);
  if (!module || !isProven(version, *module, tools))
    return std::nullopt;
  if (difference == FlagDifference::Target && dependsOnTarget(*module))
    return std::nullopt;
  const TargetAttributes from = targetAttributesOf(present), to = targetAttributesOf(changed);
  const std::optional<std::string> other = from == to ? *module : retargeted(*module, from, to);
  if (!other)
    return std::nullopt;
  CompileResult result = optimize(version.command, *other, tools);
  if (!result.cancelled && (!result.succeeded || result.remarksMissing))
    return std::nullopt; // errors are those of the whole compile
  return result;
}

/// The module of the version's text with the document's flags; null if there is none.
const std::string *FrontEndRuns::moduleOf(const Version &version, const Tools &tools) {
  const Fingerprint text = fingerprintOf(version.text);
  auto found = llvm::find_if(known_.modules, [&](const auto &one) { return one.first == text; });
  if (found != known_.modules.end()) {
    known_.modules.splice(known_.modules.begin(), known_.modules, found);
  } else {
    CompileCommand command = version.present;
    removeRemarkFlags(command.arguments);
    CompileResult printed = tools.preambles.compile(
        command, {version.text, /*isSaved=*/false, kModuleFlags}, tools.stop, tools.ready, tools.limits);
    if (printed.cancelled)
      return nullptr;
    const bool isKept = printed.succeeded && printed.assembly.size() <= kMostBytes;
    known_.modules.emplace_front(text, isKept ? std::move(printed.assembly) : "");
    if (known_.modules.size() > kMostModules)
      known_.modules.pop_back();
  }
  return known_.modules.front().second.empty() ? nullptr : &known_.modules.front().second;
}

/// Optimizes the module, as the compiler would have done had it just made it.
CompileResult FrontEndRuns::optimize(CompileCommand command, const std::string &module, const Tools &tools) {
  std::string error;
  if (!folder_)
    if (std::optional<PrivateFolder> folder = PrivateFolder::create(error))
      folder_.emplace(std::move(*folder));
  if (!folder_ || !folder_->write(kModule, module, error))
    return {.failure = "the module cannot be handed to the compiler: " + error};
  addClangFlags(command, {"-x", "ir"});
  command.arguments.back() = folder_->pathOf(kModule);
  CompileResult result = analysis::compile(command, tools.stop, nullptr, tools.ready, tools.limits);
  result.assembly = withoutBlockNames(result.assembly);
  return result;
}

bool FrontEndRuns::isProven(const Version &version, const std::string &module, const Tools &tools) {
  if (known_.proof != Proof::Open)
    return known_.proof == Proof::Holds;
  const CompileResult result = optimize(version.present, module, tools);
  if (result.cancelled)
    return false;
  const Fingerprint fingerprint = fingerprintOf(result);
  const bool isSame = result.succeeded && fingerprint.low64 == known_.presentCode.low && fingerprint.high64 == known_.presentCode.high;
  known_.proof = isSame ? Proof::Holds : Proof::Fails;
  return isSame;
}

/// Whether the version's CPU makes no other text of the headers, and none of the rest.
bool FrontEndRuns::hasSameHeaders(const Version &version, const Tools &tools) {
  if (known_.headersAskForCpu)
    return false;
  const size_t preamble = preambleBytes(version.text, version.present.compiledFile);
  // Without a preamble, an #include may be anywhere.
  const size_t bytes = preamble ? preamble : version.text.size();
  const HeaderText *const present = headerTextOf(version.present, version.text, bytes, tools);
  const HeaderText *const changed = headerTextOf(version.command, version.text, bytes, tools);
  known_.headersAskForCpu = present && changed && !(present->rest == changed->rest);
  return present && changed && isSameWith(*present, *changed, version.text, bytes);
}

/// Null on a failure.
const HeaderText *FrontEndRuns::headerTextOf(const CompileCommand &command, const std::string &text, size_t bytes,
                                             const Tools &tools) {
  const Fingerprint key = fingerprintOf(llvm::join(command.arguments, std::string(1, '\0')) + '\0' + text.substr(0, bytes));
  auto found = llvm::find_if(known_.headers, [&](const auto &one) { return one.first == key; });
  if (found == known_.headers.end()) {
    known_.headers.emplace_front(key, analysis::headerTextOf(command, text, bytes, tools.stop, tools.limits));
    found = known_.headers.begin();
  }
  return found->second ? &*found->second : nullptr;
}

} // namespace analysis
