#include "analysis/advice/signature.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"

#include <optional>

namespace analysis {
namespace {

using llvm::StringRef;

constexpr StringRef kQualifiers[] = {"const",    "volatile", "restrict",   "__restrict", "__restrict__",
                                     "static",   "inline",   "extern",     "struct",     "constexpr",
                                     "noexcept", "__inline", "__inline__", "register"};

/// The name of a type of one word, or of several ("unsigned", "long", "long"), in mca-measure's words, on a target with
/// 64-bit `long`. No value for any other.
std::optional<std::string> numberType(const std::vector<StringRef> &words) {
  if (words.size() == 1) {
    const StringRef known = llvm::StringSwitch<StringRef>(words.front())
                                .Case("float", "float")
                                .Case("double", "double")
                                .Cases({"int8_t", "int8"}, "int8")
                                .Cases({"uint8_t", "u8"}, "uint8")
                                .Case("int16_t", "int16")
                                .Cases({"uint16_t", "u16"}, "uint16")
                                .Case("int32_t", "int32")
                                .Cases({"uint32_t", "u32"}, "uint32")
                                .Cases({"int64_t", "ptrdiff_t", "ssize_t", "intptr_t"}, "int64")
                                .Cases({"uint64_t", "size_t", "uintptr_t", "u64"}, "uint64")
                                .Default("");
    if (!known.empty())
      return known.str();
  }
  unsigned longs = 0;
  bool isUnsigned = false, isShort = false, isChar = false;
  for (const StringRef word : words) {
    longs += word == "long";
    isUnsigned |= word == "unsigned";
    isShort |= word == "short";
    isChar |= word == "char";
    if (!llvm::is_contained({"unsigned", "signed", "char", "short", "int", "long"}, word))
      return std::nullopt;
  }
  if (words.empty())
    return std::nullopt;
  return std::string(isUnsigned ? "uint" : "int") + (isChar ? "8" : isShort ? "16" : longs ? "64" : "32");
}

/// Reads the words of one parameter or of the return type, from one token to another.
struct TypeReader {
  const SourceTokens &tokens;

  /// `isParameter`: the last name may be the parameter's own.
  std::optional<std::string> read(size_t at, size_t end, bool isParameter) const {
    std::vector<StringRef> words;
    bool isPointer = false;
    for (; at < end; ++at) {
      const StringRef text = tokens.text(at);
      if (text == "std" || text == "::" || llvm::is_contained(kQualifiers, text))
        continue;
      if (text == "*" && !isPointer) {
        isPointer = true;
        continue;
      }
      if (text == "[" && isParameter && !isPointer) {
        isPointer = true;
        const size_t close = tokens.text(at + 1) == "]" ? at + 1 : at + 2;
        if (tokens.text(close) != "]" || close + 1 != end)
          return std::nullopt;
        at = end;
        break;
      }
      if (tokens.word(at) != Word::Name)
        return std::nullopt;
      words.push_back(text);
    }
    std::optional<std::string> type = numberType(words);
    if (!type && isParameter && words.size() > 1) {
      words.pop_back();
      type = numberType(words);
    }
    if (!type)
      return std::nullopt;
    return *type + (isPointer ? "*" : "");
  }
};

wire::RunnableFunction refuse(std::string why) {
  return {.refusal = std::move(why)};
}

} // namespace

wire::RunnableFunction signatureAt(std::string_view source, wire::Language language, const FunctionExtents &functions,
                                   uint32_t offset) {
  const FunctionExtent *function = functions.around(offset);
  if (!function || function->name.begin == function->name.end)
    return refuse("it is in no function of its own");
  const SourceTokens tokens(source, language);
  const TypeReader types{tokens};
  const auto firstFrom = [&](uint32_t place) {
    size_t at = 0;
    while (at < tokens.size() && tokens[at].begin < place)
      ++at;
    return at;
  };
  wire::RunnableFunction result;
  const size_t head = firstFrom(function->extent.begin), name = firstFrom(function->name.begin);
  if (tokens.text(name - 1) == "::" || tokens.text(head) == "template")
    return refuse("it is a template or a member of a class");
  if (tokens.text(name - 1) != "void") {
    const std::optional<std::string> returns = types.read(head, name, /*isParameter=*/false);
    if (!returns)
      return refuse("it returns neither a number nor nothing");
    result.returns = *returns;
  }
  size_t at = name + 1;
  if (!tokens.isParen(at))
    return refuse("its parameters cannot be read");
  for (size_t begin = ++at; at < tokens.size(); ++at) {
    const bool isEnd = tokens.text(at) == ")";
    if (!isEnd && tokens.text(at) != ",")
      continue;
    const bool isNone = at == begin || (at == begin + 1 && tokens.text(begin) == "void");
    if (!isNone) {
      std::optional<std::string> type = types.read(begin, at, /*isParameter=*/true);
      if (!type)
        return refuse("a parameter of it is neither a number nor a pointer to numbers");
      result.arguments.push_back(std::move(*type));
    }
    if (isEnd)
      break;
    begin = at + 1;
  }
  return result;
}

} // namespace analysis
