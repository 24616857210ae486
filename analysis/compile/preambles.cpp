// Two results of one text are compared without the order of remarks, as clang itself prints some in an order that
// varies from run to run, and without that of what is defined between functions.
#include "analysis/compile/preambles.h"

#include "analysis/compile/preamble_bounds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

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

llvm::XXH128_hash_t hash(const std::string &text) {
  return llvm::xxh3_128bits(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
}

class Parts {
public:
  template <class... Values>
  void add(const Values &...values) {
    std::string part;
    llvm::raw_string_ostream out(part);
    ((out << values << '\0'), ...);
    parts_.push_back(std::move(part));
  }
  /// All parts, in an order of their own.
  std::string text() {
    llvm::sort(parts_);
    return llvm::join(parts_, "\n");
  }

private:
  std::vector<std::string> parts_;
};

void add(Parts &parts, const MissedRemark &remark) {
  parts.add(remark.pass, remark.name, remark.function, remark.at.path, remark.at.line, remark.at.column, remark.text);
  for (const MissedRemark::Argument &argument : remark.arguments)
    parts.add(remark.function, remark.at.line, argument.key, argument.value, argument.at.path, argument.at.line,
              argument.at.column);
}

/// Whether the line of assembly may be the first about a symbol: the values of an object follow it, in their order.
bool beginsSymbol(llvm::StringRef line) {
  constexpr llvm::StringRef kFirst[] = {"\t.type\t",  "\t.globl\t",   "\t.weak\t",      "\t.hidden\t",
                                        "\t.local\t", "\t.section\t", "\t.addrsig_sym "};
  return llvm::any_of(kFirst, [&](llvm::StringRef one) { return line.starts_with(one); });
}

/// Adds what is between functions, and returns the functions in their order. clang's comments say where they begin.
std::string takeFunctions(llvm::StringRef assembly, Parts &parts) {
  std::string functions, part;
  bool isInside = false;
  for (const llvm::StringRef line : llvm::split(assembly.rtrim('\n'), '\n')) {
    isInside |= line.contains("-- Begin function");
    if (!isInside && beginsSymbol(line))
      parts.add(std::exchange(part, ""));
    ((isInside ? functions : part) += line) += '\n';
    isInside &= !line.contains("-- End function");
  }
  parts.add(part);
  return functions;
}

/// Equal for results that say the same about a text.
llvm::XXH128_hash_t digestOf(const CompileResult &result) {
  Parts parts;
  for (const LoopRemark &remark : result.remarks)
    parts.add(remark.path, remark.line, remark.column, static_cast<int>(remark.kind), remark.width, remark.scalable,
              remark.vectorBytes, remark.interleave, remark.unroll, remark.callee);
  for (const VectorizerDecision &decision : result.decisions) {
    parts.add(decision.function, decision.head.path, decision.head.line, decision.head.column, decision.vectorized);
    for (const MissedRemark &reason : decision.reasons)
      add(parts, reason);
  }
  for (const MissedRemark &remark : result.missed)
    add(parts, remark);
  std::string functions = takeFunctions(result.assembly, parts);
  return hash(functions + parts.text());
}

llvm::XXH128_hash_t digestOf(const CompileCommand &command, const std::string &preamble) {
  return hash(llvm::join(command.arguments, std::string(1, '\0')) + '\0' + command.directory + '\0' + preamble);
}

/// Of a text with its command, how long its preamble is; 0 if it can have none.
size_t bytesOf(const CompileCommand &command, const std::string &text) {
  const bool isPossible = text.size() <= kMostTextBytes && Preamble::isPossible(command);
  return isPossible ? preambleBytes(text, command.compiledFile) : 0;
}

bool isEqual(const llvm::XXH128_hash_t &a, const llvm::XXH128_hash_t &b) {
  return a.low64 == b.low64 && a.high64 == b.high64;
}

} // namespace

CompileResult Preambles::compile(const CompileCommand &command, const Source &source, const std::stop_token &stop,
                                 PrewarmedCompiler *ready, const wire::CompileLimits &limits) {
  const size_t bytes = bytesOf(command, source.text);
  const auto preamble = bytes ? find(command, source.text, bytes) : made_.end();
  uint64_t micros = 0;
  if (preamble != made_.end()) {
    CompileResult result = preamble->compile(command, source.text, stop, ready, limits);
    result.usedPreamble = true;
    if (result.cancelled || (result.succeeded && !result.remarksMissing))
      return result;
    micros = result.micros;
  }
  const UnsavedText unsaved{command.compiledFile, source.isSaved ? "" : source.text};
  CompileResult result = analysis::compile(command, stop, source.isSaved ? nullptr : &unsaved, ready, limits);
  // The text is right, so it was the preamble that is not.
  if (preamble != made_.end() && result.succeeded)
    made_.erase(preamble);
  result.micros += micros;
  return result;
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
  const Digest preamble = digestOf(command, text.substr(0, bytes));
  if (llvm::any_of(refused_, [&](const Digest &one) { return isEqual(one, preamble); }))
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
    wanted.digest = digestOf(*wanted.result);
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
      refused_.push_front(digestOf(wanted.command, wanted.text.substr(0, wanted.bytes)));
    if (refused_.size() > kMostRefused)
      refused_.pop_back();
    wanted_.pop_front();
  }
}

/// The preamble of the text, if the text gives with it what it gave without.
Preamble::Made Preambles::makeProven(const Wanted &wanted, const std::stop_token &stop,
                                     const wire::CompileLimits &limits) {
  const auto begin = std::chrono::steady_clock::now();
  Preamble::Made made = Preamble::make(wanted.command, wanted.text, wanted.bytes, stop, limits);
  if (!made.preamble)
    return made;
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
  if (time.count() < kLeastShare * static_cast<double>(wanted.micros))
    return {};
  const CompileResult result = made.preamble->compile(wanted.command, wanted.text, stop, nullptr, limits);
  if (result.cancelled)
    return {{}, Preamble::Failure::Cancelled};
  if (result.succeeded && isEqual(digestOf(result), wanted.digest))
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
