// clang expands "@file" arguments before anything else, and reads /dev/stdin like any file: it blocks there, with its
// libraries loaded, until the arguments come.
#include "analysis/compile/prewarmed_compiler.h"

#include "analysis/compile/paths.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <utility>

namespace analysis {
namespace {

constexpr const char *kArgumentsFromInput = "@/dev/stdin";

/// The arguments as a response file. No value if that cannot hold them: clang drops empty arguments, and a longer text
/// than a pipe holds would block us.
std::optional<std::string> quoted(llvm::ArrayRef<std::string> arguments) {
  if (llvm::is_contained(arguments, ""))
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const std::string &argument : arguments) {
    llvm::sys::printArg(out, argument, /*Quote=*/true);
    out << '\n';
  }
  return text.size() <= StartedChild::kMostInput ? std::optional(std::move(text)) : std::nullopt;
}

} // namespace

bool isClang(const std::string &program) {
  const std::string resolved = resolveLinks(program);
  llvm::file_magic magic;
  return llvm::sys::path::filename(resolved).starts_with("clang") && !llvm::identify_magic(resolved, magic) &&
         magic != llvm::file_magic::unknown;
}

PrewarmedCompiler::Start PrewarmedCompiler::startOf(const ChildCommand &command) {
  llvm::sys::fs::UniqueID folder;
  if (llvm::sys::fs::getUniqueID(command.directory, folder))
    folder = {};
  const std::string &program = command.arguments.front();
  return {.directory = {command.directory, folder},
          .program = program,
          .programStamp = stampOfRegularFile(program).value_or(FileStamp()),
          .environment = command.environment,
          .confinement = command.confinement};
}

ChildResult PrewarmedCompiler::run(const ChildCommand &command, const ChildLimits &limits,
                                   const std::stop_token &stop) {
  last_ = startOf(command);
  limits_ = limits;
  const bool isServed = serves(*last_);
  std::optional<Waiting> waiting = std::exchange(waiting_, std::nullopt);
  if (isServed)
    if (const std::optional<std::string> arguments = quoted(llvm::ArrayRef(command.arguments).drop_front()))
      return waiting->child.finish(*arguments, limits, stop);
  waiting.reset(); // killed before the other one starts
  return runChild(command, limits, stop);
}

void PrewarmedCompiler::end() {
  *this = {};
}

void PrewarmedCompiler::prepare() {
  if (!last_ || serves(*last_) || !isClang(last_->program))
    return;
  const ChildCommand command{
      last_->directory.path, {last_->program, kArgumentsFromInput}, last_->environment, last_->confinement};
  waiting_.emplace(Waiting{*last_, StartedChild(command, limits_)});
}

} // namespace analysis
