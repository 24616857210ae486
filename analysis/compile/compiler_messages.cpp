// "file:line:column: label: message", without a place "program: label: message" and "label: message". About loops clang
// says "remark", with the texts of LLVM's LoopVectorize.cpp, LoopUnroll.cpp, LoopIdiomRecognize.cpp and
// LoopDeletion.cpp; gcc says "optimized", before version 9 "note", and "missed", with those of its tree-vectorizer.cc,
// tree-vect-loop.cc, tree-ssa-loop-ivcanon.cc, tree-loop-distribution.cc and loop-unroll.cc.
#include "analysis/compile/compiler_messages.h"

#include "analysis/text/named_place.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <deque>
#include <optional>
#include <tuple>
#include <utility>

namespace analysis {
namespace {

using llvm::StringRef;
using Kind = LoopRemark::Kind;

constexpr size_t kMaxRemarks = 20'000;
/// The places of one line that are looked up: a hostile name could have any number.
constexpr size_t kMaxPlaces = 32;
/// How gcc's vectorizer begins with a loop.
constexpr StringRef kNextLoop = "=== analyze_loop_nest";
/// clang's label of what a pass did.
constexpr StringRef kRemark = "remark: ";
/// What clang notes after a remark on code that a line directive places in another file. The remark and the note are
/// then at the function. There are such notes without their remarks.
constexpr StringRef kPlacedElsewhere = "note: could not determine the original source location for ";

/// "<built-in>" and "<command line>" are no files.
std::string absolutePath(StringRef path, const std::string &directory) {
  if (path.empty() || path.front() == '/' || path.front() == '<')
    return path.str();
  while (path.consume_front("./")) {
  }
  return directory + "/" + path.str();
}

/// Where `label` stands in the line as a label; npos if it does not.
size_t findLabel(StringRef line, StringRef label) {
  const size_t at = line.find(label);
  const bool labelled = at == 0 || (at != StringRef::npos && line.take_front(at).ends_with(": "));
  return labelled ? at : StringRef::npos;
}

std::optional<CompilerDiagnostic> parseError(StringRef line, const std::string &directory) {
  for (const StringRef label : {"fatal error: ", "error: "}) {
    const size_t at = findLabel(line, label);
    if (at == StringRef::npos)
      continue;
    const NamedPlace place = parsePlace(line.take_front(at ? at - 2 : 0)).value_or(NamedPlace());
    return CompilerDiagnostic{absolutePath(place.file, directory), place.line, place.column,
                              line.substr(at + label.size()).str()};
  }
  return std::nullopt;
}

/// The number that follows `name` in the text; 0 if there is none.
uint32_t numberAfter(StringRef text, StringRef name) {
  StringRef rest = text.split(name).second;
  uint32_t number = 0;
  return rest.consumeInteger(10, number) ? 0 : number;
}

/// The number that the text is, without a full stop at its end; 0 for any other text.
uint32_t wholeNumber(StringRef text) {
  text.consume_back(".");
  uint32_t number = 0;
  return text.getAsInteger(10, number) ? 0 : number;
}

/// gcc's notes while it vectorizes a loop. It tries several modes, each of which has a factor, and chooses one for the
/// loop and perhaps one for its epilogue. Only after both choices it says which loops it has vectorized.
class VectorizerNotes {
public:
  void read(StringRef message) {
    message = message.ltrim(' ');
    if (message.consume_front(kNextLoop))
      *this = {};
    else if (message.consume_front("vectorization factor = ") ||
             message.consume_front("Updating vectorization factor to "))
      factor_ = wholeNumber(message);
    else if (message.consume_front("***** Analysis succeeded with vector mode "))
      factors_[message] = factor_;
    else if (message.consume_front("***** Choosing vector mode ") ||
             message.consume_front("***** Choosing epilogue vector mode "))
      chosen_.push_back(factors_.lookup(message));
  }

  /// The factor of the loop that gcc now reports as vectorized; 0 if unknown.
  uint32_t take() {
    if (chosen_.empty())
      return 0;
    const uint32_t factor = chosen_.front();
    chosen_.pop_front();
    return factor;
  }

private:
  uint32_t factor_ = 0; // of the mode that is tried
  llvm::StringMap<uint32_t> factors_;
  std::deque<uint32_t> chosen_;
};

/// What the message says that clang did to a loop.
std::optional<LoopRemark> parseClangMessage(StringRef message) {
  constexpr StringRef kWidth = "vectorization width: ", kScalableWidth = "vectorization width: vscale x ";
  const uint32_t interleave = numberAfter(message, "interleaved count: ");
  if (message.starts_with("vectorized loop (")) {
    const bool scalable = message.contains(kScalableWidth);
    return LoopRemark{.width = numberAfter(message, scalable ? kScalableWidth : kWidth),
                      .scalable = scalable,
                      .interleave = interleave,
                      .callee = {}};
  }
  if (message.starts_with("interleaved loop ("))
    return LoopRemark{.kind = Kind::Interleaved, .interleave = interleave, .callee = {}};
  if (message.starts_with("unrolled loop by a factor of "))
    return LoopRemark{.kind = Kind::Unrolled, .unroll = numberAfter(message, "factor of "), .callee = {}};
  if (message.starts_with("completely unrolled loop"))
    return LoopRemark{.kind = Kind::FullyUnrolled, .unroll = numberAfter(message, "loop with "), .callee = {}};
  if (message.starts_with("Loop deleted because"))
    return LoopRemark{.kind = message.contains("never executes") ? Kind::NeverRuns : Kind::Deleted, .callee = {}};
  const StringRef call = message.split(" a call to ").second.split("()").first;
  if (call.empty())
    return std::nullopt;
  return LoopRemark{.kind = Kind::LibraryCall, .callee = libraryFunctionOf(call)};
}

/// What the message says that gcc did to a loop.
std::optional<LoopRemark> parseLoopMessage(StringRef message) {
  if (message.starts_with("loop vectorized using "))
    return LoopRemark{.scalable = message.contains("variable length"),
                      .vectorBytes = numberAfter(message, "vectorized using "),
                      .callee = {}};
  if (message.starts_with("loop unrolled ")) // the copies that are added
    return LoopRemark{.kind = Kind::Unrolled, .unroll = numberAfter(message, "loop unrolled ") + 1, .callee = {}};
  if (message.starts_with("loop with ") && message.contains("completely unrolled"))
    return LoopRemark{.kind = Kind::FullyUnrolled, .unroll = numberAfter(message, "loop with "), .callee = {}};
  if (message.starts_with("Loop ") && message.contains("distributed: split to 0 loops and "))
    return LoopRemark{.kind = Kind::LibraryCall, .callee = {}};
  return std::nullopt;
}

/// The words of a message before its colon, and before the first one that names something of the program: "possible
/// dependence between data-refs *_6 and *_3".
std::string nameOf(StringRef words) {
  std::string name;
  for (const StringRef word : llvm::split(words, ' ')) {
    if (word.find_first_of("*_&[(0123456789") != StringRef::npos)
      break;
    name += (name.empty() ? "" : " ") + word.str();
  }
  StringRef trimmed = name;
  trimmed.consume_back(".");
  return trimmed.str();
}

/// The message as a reason: "not vectorized: relevant stmt not supported: _5 = f (_4);" has the name "relevant stmt not
/// supported".
MissedRemark reasonOf(StringRef message, RemarkPlace at) {
  message = message.trim(' ');
  MissedRemark reason{.pass = "vect", .name = {}, .function = {}, .at = std::move(at), .text = message.str()};
  if (!message.consume_front("not vectorized: "))
    message.consume_front("not vectorized, ");
  const auto [name, statement] = message.split(": ");
  reason.name = nameOf(name);
  if (!statement.empty())
    reason.arguments.push_back({.key = "Statement", .value = statement.str(), .at = {}});
  return reason;
}

/// Reads what gcc says of loops, line by line.
class LoopMessages {
public:
  LoopMessages(const std::string &directory, CompilerMessages &messages) : directory_(directory), messages_(messages) {}

  /// Whether the line is a remark.
  bool read(StringRef line) {
    const StringRef before = std::exchange(clangsPlace_, {});
    if (const size_t at = findLabel(line, kRemark); at != StringRef::npos && at != 0) {
      std::optional<LoopRemark> remark = parseClangMessage(line.substr(at + kRemark.size()));
      const StringRef place = line.take_front(at - 2);
      if (!remark || !add(std::move(*remark), placeOf(place)))
        return false;
      clangsPlace_ = place;
      return true;
    }
    if (const size_t at = line.find(kPlacedElsewhere);
        at != StringRef::npos && at > 2 && !before.empty() && line.take_front(at - 2) == before) {
      setPlace(messages_.remarks.back(), placeOf(line.substr(at + kPlacedElsewhere.size())));
      return true;
    }
    for (const StringRef label : {"optimized: ", "note: ", "missed: "})
      if (const size_t at = findLabel(line, label); at != StringRef::npos && at != 0)
        return read(label, line.substr(at + label.size()), line.take_front(at - 2));
    return false;
  }

private:
  /// What is not indented is the vectorizer's result; the rest are its steps. It tries several kinds of vectors, and
  /// the reason against the first one, the widest, comes first: the result names that against the last one.
  bool read(StringRef label, StringRef message, StringRef place) {
    const bool isResult = std::exchange(awaitsReason_, false) && !message.starts_with(" ");
    if (label == "missed: ") {
      if (message == "couldn't vectorize loop")
        awaitsReason_ = addDecision(placeOf(place), /*vectorized=*/false);
      else if (isResult)
        addReason(reasonOf(message, placeOf(place)));
      else if (!first_ && message.ltrim(' ').starts_with("not vectorized"))
        first_ = reasonOf(message, placeOf(place));
      return false;
    }
    if (message.ltrim(' ').starts_with(kNextLoop))
      first_.reset();
    std::optional<LoopRemark> remark = parseLoopMessage(message);
    if (!remark) {
      notes_.read(message);
      return false;
    }
    if (remark->vectorBytes)
      remark->width = notes_.take();
    const RemarkPlace at = placeOf(place);
    if (remark->kind == Kind::Vectorized)
      addDecision(at, /*vectorized=*/true);
    return add(std::move(*remark), at);
  }

  /// Whether it was added.
  bool add(LoopRemark remark, const RemarkPlace &at) {
    if (at.path.empty() || messages_.remarks.size() == kMaxRemarks)
      return false;
    setPlace(remark, at);
    messages_.remarks.push_back(std::move(remark));
    return true;
  }

  static void setPlace(LoopRemark &remark, const RemarkPlace &at) {
    std::tie(remark.path, remark.line, remark.column) = std::tie(at.path, at.line, at.column);
  }

  void addReason(MissedRemark result) {
    std::vector<MissedRemark> &reasons = messages_.decisions.back().reasons;
    const bool isSame = first_ && first_->name == result.name;
    if (first_ && !isSame)
      reasons.push_back(std::move(*first_));
    first_.reset();
    reasons.push_back(std::move(result));
  }

  /// Whether it was added.
  bool addDecision(RemarkPlace head, bool vectorized) {
    if (head.path.empty() || messages_.decisions.size() == kMaxRemarks)
      return false;
    messages_.decisions.push_back({.function = {}, .head = std::move(head), .vectorized = vectorized, .reasons = {}});
    return true;
  }

  RemarkPlace placeOf(StringRef text) const {
    const NamedPlace place = parsePlace(text).value_or(NamedPlace());
    return {absolutePath(place.file, directory_), place.line, place.column};
  }

  const std::string &directory_;
  CompilerMessages &messages_;
  VectorizerNotes notes_;
  std::optional<MissedRemark> first_; // reason in the steps of the loop
  bool awaitsReason_ = false;
  StringRef clangsPlace_; // of the remark in the line before, as it names it
};

} // namespace

std::string libraryFunctionOf(std::string_view callee) {
  StringRef name = callee;
  return (name.consume_front("llvm.") ? name.split('.').first : name).str();
}

std::string wordsWithoutText(const std::string &file) {
  return "an error in " + file +
         ", which is outside of the opened folders: its text is not shown (mca.readableFolders can name its folder)";
}

/// The name of a file may hold what looks like the end of a place, so each colon is tried. One place too many hides a
/// message, and one that is missed would show what must not be shown.
std::string unquotableFileOf(std::string_view line, const std::string &directory, MayQuote mayQuote) {
  size_t tried = 0;
  for (size_t at = line.find(": "); at != std::string_view::npos; at = line.find(": ", at + 1)) {
    const std::optional<NamedPlace> place = parsePlace(line.substr(0, at));
    if (!place || place->file.empty())
      continue;
    std::string file = absolutePath(place->file, directory);
    if (++tried > kMaxPlaces)
      return "a file";
    if (!mayQuote(file))
      return file;
  }
  return "";
}

CompilerMessages parseCompilerMessages(std::string_view text, const std::string &directory, MayQuote mayQuote) {
  CompilerMessages messages;
  LoopMessages loops(directory, messages);
  for (const StringRef line : llvm::split(text, '\n')) {
    if (loops.read(line))
      continue;
    std::optional<CompilerDiagnostic> error = parseError(line, directory);
    // The driver's summary of a crash says nothing that its exit status does not.
    if (!error || StringRef(error->message).starts_with("clang frontend command failed"))
      continue;
    if (const std::string file = mayQuote ? unquotableFileOf(line, directory, mayQuote) : ""; !file.empty())
      error->message = wordsWithoutText(file);
    messages.errors.push_back(std::move(*error));
  }
  return messages;
}

} // namespace analysis
