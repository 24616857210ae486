#include "analysis/compile/preambles.h"

#include "analysis/compile/preamble_bounds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <chrono>
#include <utility>

namespace analysis {
namespace {

constexpr size_t kMostTextBytes = size_t{4} << 20;
constexpr size_t kMostWanted = 16;
/// Of these, so many keep the whole result: it is compared in idle time.
constexpr size_t kMostResults = 4;
constexpr size_t kMostRefused = 256;
/// Nobody notices what a preamble saves of a shorter compile.
constexpr uint64_t kShortestMicros = 100'000;
/// Of a compile's time, what its preamble has to take to make. Headers take less time to read than to precompile.
constexpr double kLeastShare = 0.1;

Fingerprint keyOf(const CompileCommand &command, const std::string &preamble) {
  const std::string arguments = llvm::join(command.arguments, std::string(1, '\0'));
  return fingerprintOf(arguments + '\0' + command.directory + '\0' + preamble);
}

/// Of a text with its command, how long its preamble is; 0 if it can have none.
size_t bytesOf(const CompileCommand &command, const std::string &text) {
  const bool isPossible = text.size() <= kMostTextBytes && Preamble::isPossible(command);
  return isPossible ? preambleBytes(text, command.compiledFile) : 0;
}

} // namespace

CompileResult Preambles::compile(const CompileCommand &command, const Source &source, const std::stop_token &stop,
                                 PrewarmedCompiler *ready, const wire::CompileLimits &limits) {
  const size_t bytes = bytesOf(command, source.text);
  const auto preamble = bytes ? find(command, source.text, bytes) : made_.end();
  CompileCommand flagged = command;
  addClangFlags(flagged, source.lastFlags);
  uint64_t micros = 0;
  if (preamble != made_.end()) {
    CompileResult result = preamble->compile(flagged, source.text, stop, ready, limits);
    if (result.cancelled || (result.succeeded && !result.remarksMissing))
      return result;
    micros = result.micros;
  } else if (!source.lent.folder.empty() && source.lent.bytes == bytes) {
    CompileResult result = Preamble::compileWith(source.lent, flagged, source.text, stop, ready, limits);
    result.usedPreamble = true;
    if (result.cancelled || (result.succeeded && !result.remarksMissing))
      return result;
    micros = result.micros;
  }
  const UnsavedText unsaved{command.compiledFile, source.isSaved ? "" : source.text};
  CompileResult result = analysis::compile(flagged, stop, source.isSaved ? nullptr : &unsaved, ready, limits);
  // The text is right, so it was the preamble that is not.
  if (preamble != made_.end() && result.succeeded)
    made_.erase(preamble);
  result.micros += micros;
  return result;
}

wire::LentPreamble Preambles::lend(const CompileCommand &command, const std::string &text) {
  const size_t bytes = bytesOf(command, text);
  const auto preamble = bytes ? find(command, text, bytes) : made_.end();
  return preamble == made_.end() ? wire::LentPreamble{} : preamble->lend();
}

/// The preamble of the text, if it is still current. It is then the most recently used one.
std::list<Preamble>::iterator Preambles::find(const CompileCommand &command, const std::string &text, size_t bytes) {
  const auto found = llvm::find_if(made_, [&](const Preamble &one) { return one.fits(command, text, bytes); });
  if (found == made_.end())
    return found;
  if (!found->isCurrent()) {
    made_.erase(found);
    return made_.end();
  }
  made_.splice(made_.begin(), made_, found);
  return made_.begin();
}

void Preambles::want(const CompileCommand &command, const std::string &text,
                     std::shared_ptr<const CompileResult> result) {
  if (!result->succeeded || result->usedPreamble || result->remarksMissing || result->micros < kShortestMicros)
    return;
  const size_t bytes = bytesOf(command, text);
  if (!bytes)
    return;
  // An older text of the same file with the same flags is not compiled again.
  wanted_.remove_if([&](const Wanted &one) { return one.command.arguments == command.arguments; });
  const Fingerprint preamble = keyOf(command, text.substr(0, bytes));
  if (llvm::is_contained(refused_, preamble))
    return;
  const uint64_t micros = result->micros;
  wanted_.push_front({command, text, bytes, micros, std::move(result), {}});
  if (wanted_.size() > kMostResults)
    reduce(*std::next(wanted_.begin(), kMostResults));
  if (wanted_.size() > kMostWanted)
    wanted_.pop_back();
}

void Preambles::reduce(Wanted &wanted) {
  if (wanted.result)
    wanted.fingerprint = fingerprintOf(*wanted.result);
  wanted.result.reset();
}

void Preambles::make(const std::stop_token &stop, const wire::CompileLimits &limits) {
  while (!wanted_.empty() && !stop.stop_requested()) {
    Wanted &wanted = wanted_.front();
    reduce(wanted);
    Preamble::Made made = makeProven(wanted, stop, limits);
    if (made.preamble)
      add(std::move(*made.preamble));
    else if (made.failure == Preamble::Failure::Cancelled)
      return;
    else if (made.failure == Preamble::Failure::Refused)
      refused_.push_front(keyOf(wanted.command, wanted.text.substr(0, wanted.bytes)));
    if (refused_.size() > kMostRefused)
      refused_.pop_back();
    wanted_.pop_front();
  }
}

/// The preamble of the text that takes most from its compiles, if the text gives with it what it gave without.
Preamble::Made Preambles::makeProven(const Wanted &wanted, const std::stop_token &stop,
                                     const wire::CompileLimits &limits) {
  using Templates = Preamble::Templates;
  Preamble::Made made = makeProven(wanted, Templates::InPreamble, stop, limits);
  const bool isRefused = !made.preamble && made.failure == Preamble::Failure::Refused;
  return isRefused ? makeProven(wanted, Templates::InEachCompile, stop, limits) : std::move(made);
}

Preamble::Made Preambles::makeProven(const Wanted &wanted, Preamble::Templates templates, const std::stop_token &stop,
                                     const wire::CompileLimits &limits) {
  const auto begin = std::chrono::steady_clock::now();
  Preamble::Made made = Preamble::make(wanted.command, wanted.text, wanted.bytes, templates, stop, limits);
  if (!made.preamble)
    return made;
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
  if (time.count() < kLeastShare * static_cast<double>(wanted.micros))
    return {};
  made.preamble->setPlainMicros(wanted.micros);
  const CompileResult result = made.preamble->compile(wanted.command, wanted.text, stop, nullptr, limits);
  if (result.cancelled)
    return {{}, Preamble::Failure::Cancelled};
  if (result.succeeded && fingerprintOf(result) == wanted.fingerprint)
    return made;
  return {{}, made.preamble->isCurrent() ? Preamble::Failure::Refused : Preamble::Failure::Changed};
}

void Preambles::add(Preamble preamble) {
  made_.push_front(std::move(preamble));
  uint64_t bytes = 0;
  for (auto one = made_.begin(); one != made_.end();) {
    bytes += one->bytesOnDisk();
    one = bytes > mostBytes_ && one != made_.begin() ? made_.erase(one) : std::next(one);
  }
}

} // namespace analysis
