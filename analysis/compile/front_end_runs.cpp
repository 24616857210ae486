#include "analysis/compile/front_end_runs.h"

#include "analysis/compile/block_names.h"
#include "analysis/compile/compiler_choice.h"
#include "analysis/compile/invocation.h"
#include "analysis/compile/module_target.h"
#include "analysis/compile/optimization_record.h"
#include "analysis/compile/preamble_bounds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"

#include <algorithm>
#include <utility>

namespace analysis {
namespace {

/// Have clang print the module before any optimization. The optimizer works in the order of the uses of each value,
/// which a module has only if it is asked for.
const std::vector<std::string> kModuleFlags = {"-Xclang", "-emit-llvm-bc",      "-Xclang", "-disable-llvm-passes",
                                               "-Xclang", "-emit-llvm-uselists"};
constexpr std::string_view kModule = "module.ll";
/// Of a module as bitcode. To read it takes some 15 times that in memory. Boost's regular expressions have 1.5 MB.
constexpr size_t kMostBitcode = size_t{16} << 20;
/// Of a part, as text that is sent to another process.
constexpr size_t kMostPart = size_t{8} << 20;
/// Of a compile without a preamble. Of a shorter one, too much goes into starting processes.
constexpr uint64_t kShortestMicros = 500'000;

bool isPossible(const CompileCommand &command) {
  // The flags are read by our own library of clang. Loop messages, which a record replaces, would be about the file on
  // disk.
  return Preamble::isPossible(command) && clangVersionOf(command.arguments.front()) == LLVM_VERSION_MAJOR &&
         writesRecord(command.arguments);
}

} // namespace

bool FrontEndRuns::isWorthwhile(const CompileResult &whole) {
  return whole.succeeded && std::max(whole.micros, whole.plainMicros) >= kShortestMicros;
}

std::optional<FrontEndRuns::Made> FrontEndRuns::compileInSteps(const CompileCommand &command, const std::string &text,
                                                               const Wanted &wanted, const Tools &tools) {
  if (!isPossible(command))
    return std::nullopt;
  CompileCommand frontEnd = command;
  removeRemarkFlags(frontEnd.arguments);
  const CompileResult printed = tools.preambles.compile(
      frontEnd, {text, /*isSaved=*/false, kModuleFlags, wanted.preamble}, tools.stop, tools.ready, tools.limits);
  if (!printed.succeeded || printed.assembly.size() > kMostBitcode)
    return std::nullopt;
  std::optional<std::string> part = partOf(printed.assembly, wanted.functions, wanted.copies);
  if (!part || part->size() > kMostPart)
    return std::nullopt;
  std::optional<CompileResult> result = optimize(command, *part, tools);
  if (!result)
    return std::nullopt;
  result->micros += printed.micros;
  result->usedPreamble = printed.usedPreamble;
  return Made{std::move(*result), std::move(*part)};
}

std::optional<CompileResult> FrontEndRuns::compile(const Version &version, const Tools &tools) {
  if (!isPossible(version.present) || !isPossible(version.command) ||
      version.present.arguments.front() != version.command.arguments.front())
    return std::nullopt;
  if (std::exchange(search_, version.module.search) != version.module.search) {
    headers_.clear();
    headersAskForCpu_ = false;
  }
  const Invocation present = invocationOf(version.present.directory, version.present.arguments);
  const Invocation changed = invocationOf(version.command.directory, version.command.arguments);
  if (!present.compiler || !changed.compiler || !changed.errors.empty())
    return std::nullopt;
  const FlagDifference difference = differenceOf(present, changed);
  if (difference == FlagDifference::FrontEnd)
    return std::nullopt;
  const std::string &module = version.module.text;
  const bool isProven = difference == FlagDifference::Optimizer || version.module.fitsFlags;
  if (difference == FlagDifference::Target && dependsOnTarget(module))
    return std::nullopt;
  if (!isProven && !hasSameHeaders(version, tools))
    return std::nullopt;
  const TargetAttributes from = targetAttributesOf(present), to = targetAttributesOf(changed);
  if (from == to)
    return optimize(version.command, module, tools);
  const std::optional<std::string> other = retargeted(module, from, to);
  return other ? optimize(version.command, *other, tools) : std::nullopt;
}

/// Optimizes the module, as the compiler would have done had it just made it. Errors are those of the whole compile.
std::optional<CompileResult> FrontEndRuns::optimize(CompileCommand command, const std::string &module,
                                                    const Tools &tools) {
  std::string error;
  if (!folder_)
    if (std::optional<PrivateFolder> folder = PrivateFolder::create(error))
      folder_.emplace(std::move(*folder));
  if (!folder_ || !folder_->write(kModule, module, error))
    return std::nullopt;
  addClangFlags(command, {"-x", "ir"});
  command.arguments.back() = folder_->pathOf(kModule);
  CompileResult result = analysis::compile(command, tools.stop, nullptr, tools.ready, tools.limits);
  if (!result.cancelled && (!result.succeeded || result.remarksMissing))
    return std::nullopt;
  result.assembly = withoutBlockNames(result.assembly);
  return result;
}

/// Whether the version's CPU makes no other text of the headers, and none of the rest.
bool FrontEndRuns::hasSameHeaders(const Version &version, const Tools &tools) {
  if (headersAskForCpu_)
    return false;
  const size_t preamble = preambleBytes(version.text, version.present.compiledFile);
  // Without a preamble, an #include may be anywhere.
  const size_t bytes = preamble ? preamble : version.text.size();
  const HeaderText *const present = headerTextOf(version.present, version.text, bytes, tools);
  const HeaderText *const changed = headerTextOf(version.command, version.text, bytes, tools);
  headersAskForCpu_ = present && changed && !(present->rest == changed->rest);
  return present && changed && isSameWith(*present, *changed, version.text, bytes);
}

/// Null on a failure.
const HeaderText *FrontEndRuns::headerTextOf(const CompileCommand &command, const std::string &text, size_t bytes,
                                             const Tools &tools) {
  const Fingerprint key =
      fingerprintOf(llvm::join(command.arguments, std::string(1, '\0')) + '\0' + text.substr(0, bytes));
  auto found = llvm::find_if(headers_, [&](const auto &one) { return one.first == key; });
  if (found == headers_.end()) {
    headers_.emplace_front(key, analysis::headerTextOf(command, text, bytes, tools.stop, tools.limits));
    found = headers_.begin();
  }
  return found->second ? &*found->second : nullptr;
}

} // namespace analysis
