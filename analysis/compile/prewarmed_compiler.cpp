// Which process serves which command, and how its arguments are written.
#include "analysis/compile/prewarmed_compiler.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <utility>

namespace analysis {
namespace {

constexpr const char *kArgumentsFromInput = "@/dev/stdin";

/// Whether the program is clang itself: no script, and no other program under a link of its name, that could take the
/// arguments for its own.
bool isClang(const std::string &program) {
  llvm::SmallString<256> resolved;
  llvm::file_magic magic;
  return !llvm::sys::fs::real_path(program, resolved) && llvm::sys::path::filename(resolved).starts_with("clang") &&
         !llvm::identify_magic(resolved, magic) && magic != llvm::file_magic::unknown;
}

/// As clang reads a file of arguments; none where that cannot say them: it drops what is empty, and a pipe has its
/// size.
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

PrewarmedCompiler::Start PrewarmedCompiler::startOf(const ChildCommand &command) {
  llvm::sys::fs::file_status status;
  const auto placeOf = [&](const std::string &path) {
    if (llvm::sys::fs::status(path, status))
      return Start::Place{path};
    return Start::Place{path, status.getUniqueID().getDevice(), status.getUniqueID().getFile()};
  };
  Start start{.directory = placeOf(command.directory), .environment = command.environment};
  start.program = placeOf(command.arguments.front());
  start.changed = status.getLastModificationTime().time_since_epoch().count();
  return start;
}

ChildResult PrewarmedCompiler::run(const ChildCommand &command, const ChildLimits &limits,
                                   const std::stop_token &stop) {
  last_ = startOf(command);
  std::optional<Waiting> waiting = std::exchange(waiting_, std::nullopt);
  if (waiting && waiting->start == *last_ && waiting->child.waits())
    if (const std::optional<std::string> arguments = quoted(llvm::ArrayRef(command.arguments).drop_front()))
      return waiting->child.finish(*arguments, limits, stop);
  waiting.reset();
  return runChild(command, limits, stop);
}

void PrewarmedCompiler::end() {
  waiting_.reset();
  last_.reset();
}

void PrewarmedCompiler::prepare() {
  if (!last_ || (waiting_ && waiting_->start == *last_ && waiting_->child.waits()) || !isClang(last_->program.path))
    return;
  const ChildCommand command{last_->directory.path, {last_->program.path, kArgumentsFromInput}, last_->environment};
  waiting_.emplace(Waiting{*last_, StartedChild(command, {})});
}

} // namespace analysis
