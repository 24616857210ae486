// Addresses are those of one section: in an object file each section begins at 0. A jump to an address that the section
// lists becomes one to a label there, any other target the quoted name that the disassembler prints.
#include "analysis/dialect/disassembly.h"

#include "analysis/dialect/sample_lines.h"
#include "analysis/dialect/spelling.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>
#include <optional>

namespace analysis {
namespace {

using llvm::StringRef;

constexpr StringRef kBlanks = " \t";
constexpr StringRef kSectionLine = "Disassembly of section";
/// perf's separator: a colon, or a box-drawing bar.
constexpr StringRef kBar = "\xe2\x94\x82";

bool isHex(StringRef text) {
  return !text.empty() && llvm::all_of(text, llvm::isHexDigit);
}

/// Consumes the bytes of an instruction: groups of 2, 4 or 8 digits. One group of letters alone could be a mnemonic
/// ("bc"), unless two blanks or a tabulator follow.
bool consumeBytes(StringRef &text) {
  StringRef rest = text;
  size_t groups = 0;
  bool hasDigit = false;
  for (;;) {
    const StringRef group = rest.take_until([](char c) { return kBlanks.contains(c); });
    if (!isHex(group) || (group.size() != 2 && group.size() != 4 && group.size() != 8))
      break;
    ++groups;
    hasDigit |= llvm::any_of(group, llvm::isDigit);
    rest = rest.drop_front(group.size());
    const bool mayGoOn = rest.size() > 1 && rest.front() == ' ' && !kBlanks.contains(rest[1]);
    if (!mayGoOn)
      break;
    rest = rest.drop_front();
  }
  const bool isWide = rest.empty() || rest.starts_with("\t") || (rest.size() > 1 && kBlanks.contains(rest[0]));
  if (groups == 0 || !(groups > 1 || hasDigit || isWide))
    return false;
  text = rest.ltrim(kBlanks);
  return true;
}

/// Removes the column of perf's percentages. Returns false for a line that holds source text.
bool consumePercent(StringRef &line) {
  StringRef rest = line.ltrim(kBlanks);
  bool hasPercent = false;
  for (;;) {
    const StringRef number = rest.take_while([](char c) { return llvm::isDigit(c) || c == '.'; });
    if (!number.contains('.'))
      break;
    hasPercent = true;
    rest = rest.drop_front(number.size()).ltrim(kBlanks);
  }
  if (!rest.consume_front(":") && !rest.consume_front(kBar))
    return true; // none of perf's lines
  line = rest;
  return hasPercent;
}

/// A line of a listing. The parts are views into the text.
struct Line {
  StringRef whole;
  StringRef function;    ///< the name in a function's first line
  StringRef address;     ///< digits of an instruction's address
  StringRef instruction; ///< empty if there is none
  bool hasBytes = false;
  bool beginsSection = false;
};

/// The name in `0000000000401130 <sum>:`. perf puts the number of a source line before it.
StringRef functionIn(StringRef line) {
  constexpr size_t kFewestDigits = 8;
  StringRef name = line.trim(" \t\r");
  if (!name.consume_back(">:"))
    return {};
  const auto [before, function] = name.split('<');
  StringRef address = before.rtrim(kBlanks);
  if (const StringRef number = firstWordOf(address);
      llvm::all_of(number, llvm::isDigit) && number.size() < address.size())
    address = address.drop_front(number.size()).ltrim(kBlanks);
  return address.size() >= kFewestDigits && isHex(address) ? function : StringRef();
}

Line parse(StringRef whole) {
  Line line{.whole = whole};
  StringRef rest = whole;
  line.beginsSection = whole.contains(kSectionLine);
  const bool mayHaveCode = consumePercent(rest);
  line.function = functionIn(rest);
  if (!mayHaveCode || !line.function.empty())
    return line;
  rest = rest.ltrim(kBlanks);
  line.address = rest.take_while(llvm::isHexDigit);
  rest = rest.drop_front(line.address.size());
  if (line.address.empty() || !rest.consume_front(":") || (!rest.empty() && !kBlanks.contains(rest.front()))) {
    line.address = {};
    return line;
  }
  rest = rest.ltrim(kBlanks);
  line.hasBytes = consumeBytes(rest);
  line.instruction = rest.rtrim(" \t\r");
  if (line.instruction.empty() || !llvm::isAlpha(line.instruction.front()))
    line.instruction = {}; // further bytes of the instruction before, or "(bad)"
  return line;
}

bool isOurComment(StringRef line) {
  return line.contains("mca:") || line.contains("LLVM-MCA-");
}

/// The target of an instruction: `401136 <sum+0x6>`.
struct Target {
  StringRef whole;
  StringRef address; ///< digits
  StringRef name;
};

std::optional<Target> targetIn(StringRef operands) {
  const size_t open = operands.find('<'), close = operands.rfind('>');
  if (open == StringRef::npos || close == StringRef::npos || close < open)
    return std::nullopt;
  const StringRef before = operands.take_front(open).rtrim(kBlanks);
  StringRef address = before.substr(before.find_last_of(" \t,") + 1); // npos + 1 is 0
  const char *begin = address.data();
  address.consume_front("0x");
  if (!isHex(address))
    return std::nullopt;
  return Target{StringRef(begin, static_cast<size_t>(operands.data() + close + 1 - begin)), address,
                operands.slice(open + 1, close)};
}

bool isCall(StringRef instruction) {
  const StringRef mnemonic = firstWordOf(instruction);
  return mnemonic.starts_with("call") || mnemonic == "bl" || mnemonic == "blx" || mnemonic.starts_with("jal") ||
         mnemonic.starts_with("bras");
}

/// The instruction without the comment that a disassembler adds.
StringRef withoutComment(StringRef instruction) {
  for (const StringRef opening : {"# ", "//", ";", "@ "})
    instruction = instruction.take_front(instruction.find(opening));
  return instruction.rtrim(kBlanks);
}

class Rewriter {
public:
  Rewriter(StringRef text, bool isX86, bool isMachO) : text_(text), isX86_(isX86), isMachO_(isMachO) {}

  std::vector<mca::TextEdit> run() {
    forEachLine([&](const Line &line) { collect(line); });
    section_ = 0;
    forEachLine([&](const Line &line) { rewrite(line); });
    llvm::sort(edits_, [](const mca::TextEdit &a, const mca::TextEdit &b) { return a.begin < b.begin; });
    return std::move(edits_);
  }

private:
  using Address = std::pair<uint32_t, uint64_t>; ///< section and address

  template <typename Visit>
  void forEachLine(const Visit &visit) {
    for (size_t begin = 0; begin < text_.size();) {
      const size_t end = std::min(text_.find('\n', begin), text_.size());
      const Line line = parse(text_.slice(begin, end).rtrim("\r"));
      section_ += line.beginsSection;
      visit(line);
      begin = end + 1;
    }
  }

  Address addressOf(StringRef digits) const {
    uint64_t value = 0;
    digits.getAsInteger(16, value);
    return {section_, value};
  }

  /// Finds the instructions, and of these the ones that others jump to.
  void collect(const Line &line) {
    if (line.instruction.empty())
      return;
    known_.try_emplace(addressOf(line.address), 0);
    if (const std::optional<Target> target = targetIn(operandsOf(withoutComment(line.instruction))))
      targets_.try_emplace(addressOf(target->address), static_cast<uint32_t>(targets_.size()));
  }

  void edit(StringRef part, std::string text) {
    edits_.push_back(
        {static_cast<uint32_t>(part.data() - text_.data()), static_cast<uint32_t>(part.size()), std::move(text)});
  }

  std::string labelOf(uint32_t index) const { return (isMachO_ ? "L" : ".L") + std::to_string(index); }

  void rewrite(const Line &line) {
    if (!line.function.empty())
      return edit(line.whole, functionLabel(line.function));
    if (line.instruction.empty()) {
      if (!line.whole.empty() && !isOurComment(line.whole))
        edit(line.whole, "");
      return;
    }
    const auto target = targets_.find(addressOf(line.address));
    const std::string label = target == targets_.end() ? "" : labelOf(target->second) + ": ";
    edit({line.whole.data(), static_cast<size_t>(line.instruction.data() - line.whole.data())}, label);
    rewriteOperands(line.instruction);
  }

  void rewriteOperands(StringRef instruction) {
    const StringRef code = withoutComment(instruction);
    if (isX86_)
      for (Respelling &one : respellX86(code))
        edit(one.part, std::move(one.text));
    if (const std::optional<Target> target = targetIn(operandsOf(code))) {
      const Address address = addressOf(target->address);
      const bool isLocal = known_.contains(address) && !isCall(code);
      edit(target->whole, isLocal ? labelOf(targets_.lookup(address)) : quoted(target->name));
    }
    // `;` separates statements in LLVM's parser.
    if (code.size() < instruction.size())
      edit(instruction.drop_front(code.size()), "");
  }

  static std::string quoted(StringRef name) {
    std::string text = "\"";
    for (const char c : name)
      if (c != '"' && c != '\\')
        text += c;
    return text + '"';
  }

  /// Several functions of a listing may have one name, such as static ones.
  std::string functionLabel(StringRef name) {
    const uint32_t copies = functions_[name]++;
    const std::string label = quoted(copies ? (name + " (" + llvm::Twine(copies + 1) + ")").str() : name.str());
    return (isMachO_ ? "" : ".type " + label + ",%function\n") + label + ":";
  }

  StringRef text_;
  bool isX86_;
  bool isMachO_; ///< where local labels begin with "L"
  uint32_t section_ = 0;
  llvm::DenseMap<Address, uint32_t> known_, targets_; ///< targets: the label's number
  llvm::StringMap<uint32_t> functions_;               ///< how often each name was there
  std::vector<mca::TextEdit> edits_;
};

} // namespace

bool isDisassembly(std::string_view text) {
  bool hasOwnLines = false;
  size_t instructions = 0, withBytes = 0;
  forEachSampleLine(text, [&](StringRef content) {
    const Line line = parse(content);
    hasOwnLines |= !line.function.empty() || line.beginsSection || content.contains("Source code & Disassembly of");
    instructions += !line.instruction.empty();
    withBytes += !line.instruction.empty() && line.hasBytes;
    return withBytes < 2 && !(hasOwnLines && instructions);
  });
  return withBytes >= 2 || (hasOwnLines && instructions);
}

StringRef listedInstruction(StringRef line) {
  return withoutComment(parse(line).instruction);
}

std::vector<mca::TextEdit> editsOfDisassembly(std::string_view text, const llvm::Triple &triple) {
  return Rewriter(text, triple.isX86(), triple.isOSBinFormatMachO()).run();
}

} // namespace analysis
