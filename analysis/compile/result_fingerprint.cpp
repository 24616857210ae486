// Results are compared without the order of remarks, as clang itself prints some in an order that varies from run to
// run, and without that of what is defined between functions.
#include "analysis/compile/result_fingerprint.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

#include <utility>

namespace analysis {
namespace {

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

void addRecord(Parts &parts, const CompileResult &result, llvm::function_ref<bool(const std::string &)> isWanted) {
  for (const VectorizerDecision &decision : result.decisions) {
    if (!isWanted(decision.function))
      continue;
    parts.add(decision.function, decision.head.path, decision.head.line, decision.head.column, decision.vectorized);
    for (const MissedRemark &reason : decision.reasons)
      add(parts, reason);
  }
  for (const MissedRemark &remark : result.missed)
    if (isWanted(remark.function))
      add(parts, remark);
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

/// Numbers things in the order in which a function names them.
class Numbers {
public:
  unsigned of(llvm::StringRef kind, llvm::StringRef number) {
    llvm::StringMap<unsigned> &known = kinds_[kind];
    return known.try_emplace(number, known.size()).first->second;
  }

private:
  llvm::StringMap<llvm::StringMap<unsigned>> kinds_;
};

/// Words before a number that counts through the whole text: labels begin with ".L", but comments name blocks without
/// it.
constexpr llvm::StringRef kCounted[] = {"GCC_except_table", "BB_END",   "BB",        "CPI",       "JTI",    "tmp",
                                        "func_begin",       "func_end", "exception", "ttbaseref", "ttbase", "cst_begin",
                                        "cst_end",          "\t.loc\t"};

/// Whether the word at the place has begun before it. ".L" is before a word.
bool isInsideWord(llvm::StringRef text, size_t at) {
  if (at == 0 || llvm::isSpace(text[at]) || text.take_front(at).ends_with(".L"))
    return false;
  const char before = text[at - 1];
  return llvm::isAlnum(before) || before == '_' || before == '.' || before == '$';
}

bool takeOut(std::string &line, llvm::StringRef part) {
  const size_t at = line.find(part);
  if (at != std::string::npos)
    line.erase(at, part.size());
  return at != std::string::npos;
}

/// Collects the lines of one function, without what is there or not depending on the functions before it: the first
/// directive about a file, "is_stmt", which holds until another directive says otherwise, "line 0" at its beginning,
/// and labels of debug information.
class OneFunction {
public:
  void add(llvm::StringRef line, bool isInside) {
    const bool isPlace = line.starts_with("\t.loc\t");
    const bool isTemporary = line.starts_with(".Ltmp") && line.ends_with(":");
    if (!isPlace && (!isInside || isTemporary || line.starts_with("\t.file\t")))
      return;
    std::string kept = line.str();
    if (isPlace) {
      isStatement_ = (isStatement_ || takeOut(kept, " is_stmt 1")) && !takeOut(kept, " is_stmt 0");
      kept += isStatement_ ? " statement" : " part";
      const bool hasLine = !line.drop_front(5).ltrim().split(' ').second.starts_with("0 ");
      if (!hasLine && !hasLine_)
        return;
      hasLine_ |= isInside && hasLine;
    }
    if (isInside)
      (text_ += kept) += '\n';
  }
  std::string take() {
    hasLine_ = false;
    return std::exchange(text_, "");
  }

private:
  std::string text_;
  bool hasLine_ = false; ///< a line directive of the function that names one
  bool isStatement_ = true;
};

/// The text of a function with its own numbers for those of the whole text.
std::string renumbered(llvm::StringRef text) {
  Numbers numbers;
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const llvm::StringRef rest = text.drop_front(i);
    const auto *const kind = isInsideWord(text, i)
                                 ? std::end(kCounted)
                                 : llvm::find_if(kCounted, [&](llvm::StringRef one) { return rest.starts_with(one); });
    const llvm::StringRef number =
        kind == std::end(kCounted) ? "" : rest.drop_front(kind->size()).take_while(llvm::isDigit);
    if (number.empty()) {
      if (!rest.starts_with("  ")) // before comments, as many as fill up a column
        result += text[i];
      ++i;
      continue;
    }
    result += *kind;
    result += std::to_string(numbers.of(*kind, number));
    i += kind->size() + number.size();
  }
  return result;
}

/// The function whose symbol a "-- Begin function" comment names; empty for another line.
llvm::StringRef functionBegunBy(llvm::StringRef line) {
  constexpr llvm::StringRef kBegin = "-- Begin function ";
  const size_t at = line.find(kBegin);
  return at == llvm::StringRef::npos ? "" : line.drop_front(at + kBegin.size()).trim();
}

} // namespace

Fingerprint fingerprintOf(std::string_view text) {
  return llvm::xxh3_128bits(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
}

Fingerprint fingerprintOf(const CompileResult &result) {
  Parts parts;
  for (const LoopRemark &remark : result.remarks)
    parts.add(remark.path, remark.line, remark.column, static_cast<int>(remark.kind), remark.width, remark.scalable,
              remark.vectorBytes, remark.interleave, remark.unroll, remark.callee);
  addRecord(parts, result, [](const std::string &) { return true; });
  std::string functions = takeFunctions(result.assembly, parts);
  return fingerprintOf(functions + parts.text());
}

Fingerprint fingerprintOf(const CompileResult &result, llvm::ArrayRef<std::string> functions) {
  const auto isWanted = [&](llvm::StringRef name) { return llvm::is_contained(functions, name); };
  Parts parts;
  addRecord(parts, result, isWanted);
  OneFunction function;
  bool isInside = false;
  for (const llvm::StringRef line : llvm::split(llvm::StringRef(result.assembly).rtrim('\n'), '\n')) {
    if (const llvm::StringRef begun = functionBegunBy(line); !begun.empty())
      isInside = isWanted(begun);
    function.add(line, isInside);
    if (isInside && line.contains("-- End function")) {
      parts.add(renumbered(function.take()));
      isInside = false;
    }
  }
  return fingerprintOf(parts.text());
}

} // namespace analysis
