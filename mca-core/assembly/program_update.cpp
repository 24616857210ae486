// Follows an edit of the text without parsing everything again, for keystrokes that change a few instructions.
//
// The meaning of a line depends on other lines in many ways: macros, conditions, `.option`, numbered labels, open
// comments. An update is only possible if the text contains none of these and the changed lines contain plain
// instructions. In every other case, including anything unexpected, the caller must parse the text.
#include "mca-core/assembly/program_parts.h"
#include "mca-core/assembly/statements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <algorithm>

namespace mca {
namespace {

/// Updates are for keystrokes; a larger edit is parsed completely.
constexpr size_t kMaxChangedBytes = 4096;
/// Each update leaves its lines in the source manager, whose searches are linear.
constexpr unsigned kMaxUpdates = 200;

/// The range in which two texts differ, in whole lines without the last newline. If lines were only inserted or only
/// removed, the range has the newline before them instead, if there is one: the lines around them have not changed.
struct ChangedLines {
  uint32_t begin = 0;
  uint32_t oldEnd = 0;
  uint32_t newEnd = 0;
  uint32_t firstLine = 0; ///< where the first changed line of the old text begins
  uint32_t rest = 0;      ///< what begins here, or after it, is behind them
};

/// Finds the common start and end of the texts, and extends what is between them to whole lines.
ChangedLines changedLines(llvm::StringRef before, llvm::StringRef after) {
  const size_t shorter = std::min(before.size(), after.size());
  const size_t head = std::mismatch(before.begin(), before.begin() + shorter, after.begin()).first - before.begin();
  size_t tail = 0;
  while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  const auto isWholeLines = [&](llvm::StringRef text) { // between lines of the text
    return text.size() - tail == head || text[text.size() - tail - 1] == '\n';
  };
  if ((!head || before[head - 1] == '\n') && isWholeLines(before) && isWholeLines(after)) {
    const size_t newline = head ? 1 : 0;
    const auto oldEnd = static_cast<uint32_t>(before.size() - tail - newline);
    return {static_cast<uint32_t>(head - newline), oldEnd, static_cast<uint32_t>(after.size() - tail - newline),
            static_cast<uint32_t>(head), static_cast<uint32_t>(oldEnd + newline)};
  }
  const size_t lineEnd = before.find('\n', before.size() - tail);
  const size_t rest = before.size() - std::min(lineEnd, before.size());
  const size_t begin = head ? before.rfind('\n', head) + 1 : 0; // npos + 1 is 0
  const auto oldEnd = static_cast<uint32_t>(before.size() - rest), first = static_cast<uint32_t>(begin);
  return {first, oldEnd, static_cast<uint32_t>(after.size() - rest), first, oldEnd + 1};
}

/// Directives that neither produce instructions, nor change how instructions read, nor change the section.
bool isNeutral(llvm::StringRef directive) {
  if (directive.starts_with(".cfi_"))
    return true;
  return llvm::StringSwitch<bool>(directive)
      .Cases({".globl", ".global", ".local", ".weak", ".hidden", ".protected", ".internal", ".type", ".size"}, true)
      .Cases({".p2align", ".align", ".balign", ".file", ".loc", ".ident", ".addrsig", ".addrsig_sym"}, true)
      .Cases({".byte", ".short", ".hword", ".2byte", ".word", ".4byte", ".long", ".int", ".quad", ".8byte"}, true)
      .Cases({".xword", ".dword", ".ascii", ".asciz", ".string", ".zero", ".skip", ".space", ".comm"}, true)
      .Default(false);
}

/// An update allows these directives, but not between an added instruction and the one whose section it gets.
bool changesSection(llvm::StringRef directive) {
  return llvm::StringSwitch<bool>(directive)
      .Cases({".text", ".data", ".bss", ".section", ".pushsection", ".popsection", ".previous"}, true)
      .Default(false);
}

/// Whether the condition holds for each statement's text after its labels. Every `;` counts as the end of a statement,
/// even in strings and comments.
template <typename Condition>
bool allStatements(llvm::StringRef text, const Condition &holds) {
  return llvm::all_of(llvm::split(text, '\n'), [&](llvm::StringRef line) {
    return llvm::all_of(llvm::split(line, ';'), [&](llvm::StringRef part) { return holds(withoutLabels(part)); });
  });
}

/// Whether the line closes its strings, with the escapes of GNU as. An open string may continue on the next line, and
/// so may an unclosed character.
bool closesItsStrings(llvm::StringRef line, llvm::StringRef comment) {
  if (line.take_front(line.find(comment)).contains('\''))
    return false;
  bool open = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\')
      ++i;
    else if (line[i] == '"')
      open = !open;
  }
  return !open;
}

/// Whether the text refers to a numbered label such as `1f` or `0 b`, whose meaning depends on the place.
bool namesNumberedLabel(llvm::StringRef text) {
  const auto wordAt = [&](size_t i) {
    return text.drop_front(i).take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  };
  for (size_t i = 0; i < text.size();) {
    const llvm::StringRef word = wordAt(i);
    i += std::max<size_t>(word.size(), 1);
    const llvm::StringRef number = word.take_while(llvm::isDigit);
    const llvm::StringRef rest = number.size() < word.size()
                                     ? word.drop_front(number.size())
                                     : wordAt(std::min(text.find_first_not_of(" \t", i), text.size()));
    if (!number.empty() && (rest == "b" || rest == "f"))
      return true;
  }
  return false;
}

/// Whether the text itself contains the label. The parser creates others for `.` and for pairs of relocations.
bool isWritten(const Label &label, llvm::StringRef text) {
  return !label.name.empty() && text.drop_front(label.offset).starts_with(label.name);
}

/// Whether the line is empty or begins with a character that assembly uses. After an error, LLVM's parser skips the
/// first token of the next line without a message if that is none: the line's errors depend on the line before it.
bool beginsWithToken(llvm::StringRef line) {
  const llvm::StringRef content = line.ltrim(" \t\r");
  return content.empty() || (llvm::isPrint(content.front()) && content.front() != '`');
}

/// Whether the text contains a literal such as `ldr x0, =f`, which is placed at the end of the text.
bool hasLiterals(llvm::StringRef text) {
  return text.contains(",=") || text.contains(", =");
}

/// Whether the text contains only labels, instructions and data, so that no line changes the meaning of another.
bool isUniform(const Program::Parts &parts, const Target &target) {
  const llvm::StringRef text = parts.text;
  // Expansions and included files have buffers of their own. An AArch64 instruction after `movprfx` depends on it.
  if (parts.sources.getNumBuffers() > 1 || !parts.data.empty() || text.contains("/*") || namesNumberedLabel(text) ||
      hasLiterals(text) || text.contains_insensitive("movprfx"))
    return false;
  if (!llvm::all_of(parts.labels, [&](const Label &label) { return isWritten(label, text); }) ||
      !llvm::all_of(parts.instructions, [](const Instruction &one) { return one.placed && !one.fromMacro; }))
    return false;
  const char *firstInstruction =
      text.data() + (parts.instructions.empty() ? text.size() : parts.instructions.front().offset);
  const auto isHarmless = [&](llvm::StringRef statement) {
    const llvm::StringRef name = nameAt(statement);
    // The fragment is parsed in the syntax at the end of the text, which must be that of all instructions.
    if (name == ".intel_syntax" || name == ".att_syntax")
      return name.data() < firstInstruction;
    if (statement.starts_with(".") && !isNeutral(name) && !changesSection(name))
      return false;
    return !statement.starts_with("\"") && !statement.drop_front(name.size()).ltrim(" \t").starts_with("=");
  };
  const llvm::StringRef comment = target.asmInfo().getCommentString();
  return allStatements(text, isHarmless) &&
         llvm::all_of(llvm::split(text, '\n'),
                      [&](llvm::StringRef line) { return closesItsStrings(line, comment) && beginsWithToken(line); }) &&
         target.triple().isOSBinFormatELF() &&
         (target.triple().isX86() || target.triple().isAArch64() || target.triple().isRISCV());
}

/// Whether the line, which must be plain, has no instruction.
bool isBlank(llvm::StringRef line) {
  const llvm::StringRef content = line.ltrim(" \t");
  return content.empty() || content.starts_with("#") || content.starts_with("//");
}

/// Whether the line is empty, a comment, or one instruction.
bool isPlain(llvm::StringRef line) {
  if (line.find_first_of("\"';=\\\r") != llvm::StringRef::npos || line.contains("/*") || line.contains("LLVM-MCA-") ||
      line.contains("mca:") || line.contains_insensitive("movprfx") || namesNumberedLabel(line))
    return false;
  const llvm::StringRef content = line.ltrim(" \t");
  if (content.empty() || content.starts_with("//"))
    return true;
  if (content.starts_with("#")) {
    const llvm::StringRef comment = content.drop_front().ltrim(" \t");
    return comment.empty() || !llvm::isDigit(comment.front()); // `# 7 "file.c"` is no comment
  }
  return llvm::isAlpha(content.front()) && withoutLabels(content).data() == content.data();
}

bool all(llvm::StringRef lines, bool (*is)(llvm::StringRef line)) {
  return llvm::all_of(llvm::split(lines, '\n'), is);
}

/// The part of a program that an update replaces.
struct Splice {
  ChangedLines lines;
  size_t first = 0; ///< [first, end): instructions of the changed lines
  size_t end = 0;
  int64_t by = 0; ///< the shift of everything after them, in bytes
};

/// Offsets ascend with the instructions, so the range is found by two binary searches.
Splice spliceOf(const std::vector<Instruction> &instructions, const ChangedLines &lines) {
  const auto indexAt = [&](uint32_t offset) {
    return static_cast<size_t>(std::ranges::lower_bound(instructions, offset, {}, &Instruction::offset) -
                               instructions.begin());
  };
  return {lines, indexAt(lines.begin), indexAt(lines.oldEnd), int64_t{lines.newEnd} - int64_t{lines.oldEnd}};
}

/// Returns the section of the instruction before the changed lines, or null if the text in between may change it.
llvm::MCSection *sectionAt(const Program::Parts &parts, const Splice &splice) {
  if (splice.first == 0)
    return nullptr;
  const Instruction &previous = parts.instructions[splice.first - 1];
  const llvm::StringRef between = llvm::StringRef(parts.text).slice(previous.offset, splice.lines.begin);
  if (!allStatements(between, [](llvm::StringRef statement) { return !changesSection(nameAt(statement)); }))
    return nullptr;
  return const_cast<llvm::MCSection *>(previous.section);
}

/// A program with instruments is not updated, so that all its instructions share one set.
bool hasInstruments(const Program::Parts &parts) {
  return llvm::any_of(parts.instrumentSets, [](const InstrumentSet &set) { return !set.empty(); });
}

/// Whether the fragment contains instructions and nothing else.
bool isOnlyInstructions(const Program::Parts &fragment) {
  return fragment.labels.empty() && fragment.tableEntries.empty() && fragment.functions.empty() &&
         fragment.lines.empty() && fragment.regions.regions().empty() && !hasInstruments(fragment) &&
         llvm::none_of(fragment.diagnostics, [](const Diagnostic &one) { return one.fromMarker; }) &&
         llvm::all_of(fragment.instructions, [](const Instruction &one) { return one.placed && !one.fromMacro; });
}

/// Shifts a diagnostic's positions that are at or after `from`.
void move(Diagnostic &diagnostic, uint32_t from, int64_t by) {
  const auto moveOne = [&](auto &place) {
    if (place.begin < from)
      return;
    place.begin += by;
    place.end += by;
  };
  moveOne(diagnostic);
  llvm::for_each(diagnostic.related, moveOne);
}

/// The current `.loc` at the changed lines.
uint32_t lineAt(const Program::Parts &parts, const Splice &splice) {
  const auto line =
      llvm::partition_point(parts.lines, [&](const LineEntry &entry) { return entry.offset < splice.lines.begin; });
  return line == parts.lines.begin() ? kNone : static_cast<uint32_t>(line - parts.lines.begin() - 1);
}

/// Whether instructions may come between an aligned one and the directive that aligns it, or take its place.
bool movesAlignment(const Program::Parts &parts, const Program::Parts &fragment, const Splice &splice) {
  const std::vector<Instruction> &all = parts.instructions;
  const auto isAligned = [&](size_t i) { return i < all.size() && all[i].alignment != 0; };
  if (fragment.instructions.size() != splice.end - splice.first)
    return isAligned(splice.first) || isAligned(splice.end);
  return false;
}

/// Replaces the changed instructions. The others keep theirs, with shifted offsets.
void spliceInstructions(Program::Parts &parts, Program::Parts &fragment, const Splice &splice) {
  const uint32_t line = lineAt(parts, splice);
  for (Instruction &added : fragment.instructions) {
    added.offset += splice.lines.begin;
    added.line = line;
    // Without instruments, all instructions share one set.
    added.instrumentSet = parts.instructions[splice.first - 1].instrumentSet;
  }
  std::vector<Instruction> &all = parts.instructions;
  if (splice.first != splice.end && !fragment.instructions.empty())
    fragment.instructions.front().alignment = all[splice.first].alignment;
  for (size_t i = splice.end; i < all.size(); ++i)
    all[i].offset += splice.by;
  const auto first = all.begin() + static_cast<ptrdiff_t>(splice.first);
  const auto end = all.begin() + static_cast<ptrdiff_t>(splice.end);
  // Replaces common elements in place, and erases or inserts the rest: most edits keep the number of instructions.
  const auto common = std::min<ptrdiff_t>(std::ssize(fragment.instructions), end - first);
  const auto added = fragment.instructions.begin();
  const auto rest = all.erase(std::move(added, added + common, first), end);
  all.insert(rest, std::make_move_iterator(added + common), std::make_move_iterator(fragment.instructions.end()));
}

/// Replaces the diagnostics of the changed lines, in the order that a complete parse reports: the parser's, then those
/// of markers.
void spliceDiagnostics(Program::Parts &parts, Program::Parts &fragment, const Splice &splice) {
  std::vector<Diagnostic> &all = parts.diagnostics;
  llvm::erase_if(all, [&](const Diagnostic &one) {
    return !one.fromMarker && one.begin >= splice.lines.firstLine && one.begin < splice.lines.rest;
  });
  const auto place =
      llvm::find_if(all, [&](const Diagnostic &one) { return one.fromMarker || one.begin >= splice.lines.rest; });
  for (Diagnostic &one : all)
    move(one, splice.lines.rest, splice.by);
  for (Diagnostic &added : fragment.diagnostics)
    move(added, 0, splice.lines.begin);
  all.insert(place, std::make_move_iterator(fragment.diagnostics.begin()),
             std::make_move_iterator(fragment.diagnostics.end()));
  parts.hasErrors = parts.parserFailed = false;
  for (const Diagnostic &one : all)
    if (one.severity == Diagnostic::Severity::Error) {
      parts.hasErrors = true;
      parts.parserFailed |= !one.fromMarker;
    }
}

/// Replaces the unread lines among the changed ones. `more`: instructions.
void spliceUnreadLines(Program::Parts &parts, Program::Parts &fragment, const Splice &splice, int64_t more) {
  std::vector<UnreadLine> &all = parts.unreadLines;
  llvm::erase_if(all, [&](const UnreadLine &one) {
    return one.offset >= splice.lines.firstLine && one.offset < splice.lines.rest;
  });
  const auto rest = llvm::find_if(all, [&](const UnreadLine &one) { return one.offset >= splice.lines.rest; });
  for (auto one = rest; one != all.end(); ++one) {
    one->offset += splice.by;
    one->instruction += more;
  }
  const auto label = static_cast<uint32_t>(
      llvm::count_if(parts.labels, [&](const Label &one) { return one.offset < splice.lines.firstLine; }));
  for (UnreadLine &added : fragment.unreadLines) {
    const Instruction &previous = parts.instructions[splice.first - 1];
    added = {.offset = added.offset + splice.lines.begin,
             .instruction = added.instruction + static_cast<uint32_t>(splice.first),
             .label = label,
             .line = lineAt(parts, splice),
             .section = previous.section};
  }
  all.insert(rest, fragment.unreadLines.begin(), fragment.unreadLines.end());
}

/// Shifts labels, line directives, markers and statements after the change. The changed lines have none (isPlain).
void moveRest(Program::Parts &parts, const Splice &splice, int64_t moreInstructions) {
  for (Label &label : parts.labels)
    if (label.offset >= splice.lines.rest) {
      label.offset += splice.by;
      label.instruction += moreInstructions;
    }
  for (LineEntry &entry : parts.lines)
    if (entry.offset >= splice.lines.rest)
      entry.offset += splice.by;
  parts.regions.shiftFrom(splice.lines.rest, splice.by);
  for (PointerStatement &statement : parts.pointerStatements)
    if (statement.begin >= splice.lines.rest) {
      statement.begin += splice.by;
      statement.end += splice.by;
    }
}

} // namespace

bool Program::update(const std::string &text, const Target &target) {
  Parts &parts = *parts_;
  const llvm::StringRef before = parts.text, after = text;
  if (before == after)
    return true;
  const ChangedLines lines = changedLines(before, after);
  const llvm::StringRef oldLines = before.slice(lines.begin, lines.oldEnd);
  const llvm::StringRef newLines = after.slice(lines.begin, lines.newEnd);
  // LLVM's own messages (asLlvmMca) would keep the places of the old text.
  // Any instruction may decide whether control flow reaches data.
  if (parts.asLlvmMca || parts.isRewritten || parts.hasCodeData || ++parts.updates > kMaxUpdates ||
      lines.oldEnd - lines.begin > kMaxChangedBytes || lines.newEnd - lines.begin > kMaxChangedBytes ||
      hasInstruments(parts) || !all(oldLines, isPlain) || !all(newLines, isPlain))
    return false;
  if (!parts.uniform)
    parts.uniform = isUniform(parts, target);
  if (!*parts.uniform)
    return false;
  // Until the fragment has been checked, only LLVM's context and sources change.
  const Splice splice = spliceOf(parts.instructions, lines);
  Parts fragment(newLines.str(), target);
  if (!all(oldLines, isBlank) || !all(newLines, isBlank)) {
    llvm::MCSection *section = sectionAt(parts, splice);
    if (!section)
      return false;
    parseFragment(fragment, parts, *section, target);
    if (!isOnlyInstructions(fragment))
      return false;
  }
  if (movesAlignment(parts, fragment, splice))
    return false;
  const int64_t more = int64_t(fragment.instructions.size()) - int64_t(splice.end - splice.first);
  spliceInstructions(parts, fragment, splice);
  spliceDiagnostics(parts, fragment, splice);
  spliceUnreadLines(parts, fragment, splice, more);
  moveRest(parts, splice, more);
  parts.text = text;
  placePointerStatements(parts, target);
  return true;
}

} // namespace mca
