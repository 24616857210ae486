#include "mca-core/measure/measure_statement.h"

#include "mca-core/measure/registers.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace mca::measure {
namespace {

using Kind = RegisterSetting::Kind;

constexpr llvm::StringRef kPrefix = "mca:", kMeasure = "measure", kBlank = " \t", kOpening = "#/;* \t";
constexpr uint64_t kMaxBuffer = 24 << 10;

/// The index of a register by any of its names: rdi, edi, di and dil, r8, r8d, r8w and r8b.
std::optional<uint32_t> registerNamed(llvm::StringRef name) {
  const std::string upper = name.trim('%').upper();
  llvm::StringRef rest = upper;
  for (uint32_t i = 0; i < kRegisterNames.size(); ++i) {
    const llvm::StringRef whole = kRegisterNames[i], letters = whole.drop_front();
    if (i >= 8) {
      if (rest == whole ||
          (rest.size() == whole.size() + 1 && rest.starts_with(whole) && llvm::StringRef("DWB").contains(rest.back())))
        return i;
    } else if (rest == whole || rest == "E" + letters.str() || rest == letters ||
               rest == (letters[1] == 'X' ? letters.substr(0, 1) : letters).str() + "L") {
      return i;
    }
  }
  return std::nullopt;
}

/// Returns what is wrong with `word`, or an empty string. `buffer`: the last one of the statement.
std::string apply(llvm::StringRef word, std::optional<uint32_t> &buffer, std::vector<RegisterSetting> &settings) {
  const auto [name, value] = word.split('=');
  const auto one = registerNamed(name);
  if (!one)
    return "'" + name.str() + "' is no general register";
  RegisterSetting setting{.generalRegister = *one};
  const auto [kind, size] = value.split(':');
  if (kind == "buffer") {
    setting.kind = Kind::Buffer;
    if (!size.empty() && (size.getAsInteger(0, setting.bytes) || setting.bytes < 64 || setting.bytes > kMaxBuffer))
      return "a buffer has 64 to " + std::to_string(kMaxBuffer) + " bytes";
    buffer = one;
  } else if (value == "same-line") {
    if (!buffer)
      return "'same-line' needs a buffer before it";
    setting.kind = Kind::SameLine;
    setting.buffer = *buffer;
  } else if (value.starts_with("+")) {
    setting.kind = Kind::Added;
    if (value.drop_front().getAsInteger(0, setting.value) || setting.value > kMostAdded)
      return "'" + value.str() + "' adds no number up to " + std::to_string(kMostAdded);
  } else if (value.getAsInteger(0, setting.value)) {
    return "'" + value.str() + "' is neither a number nor +NUMBER, buffer, buffer:BYTES or same-line";
  }
  settings.push_back(setting);
  return {};
}

/// Whether only the characters that open a comment are before `at` on its line.
bool opensLine(llvm::StringRef text, size_t at) {
  const size_t begin = text.rfind('\n', at) + 1; // npos + 1 is 0
  const llvm::StringRef before = text.slice(begin, at);
  return before.find_first_not_of(kOpening) == llvm::StringRef::npos && before.find_first_of("#/;") != before.npos;
}

} // namespace

MeasureStatements readMeasureStatements(std::string_view whole) {
  const llvm::StringRef text = whole;
  MeasureStatements found;
  for (size_t at = text.find(kPrefix); at != llvm::StringRef::npos; at = text.find(kPrefix, at + 1)) {
    llvm::StringRef line = text.substr(at + kPrefix.size()).take_until([](char c) { return c == '\n' || c == '\r'; });
    line = line.ltrim(kBlank);
    if (!opensLine(text, at) || !line.consume_front(kMeasure) || (!line.empty() && !kBlank.contains(line.front())))
      continue;
    MeasureStatement &statement = found.statements.emplace_back(MeasureStatement{static_cast<uint32_t>(at), {}});
    std::optional<uint32_t> buffer;
    for (const llvm::StringRef word : llvm::split(line.rtrim("*/ \t"), ' ')) {
      if (word.trim().empty())
        continue;
      const std::string problem = apply(word.trim(), buffer, statement.settings);
      if (problem.empty())
        continue;
      const auto begin = static_cast<uint32_t>(word.data() - text.data());
      found.diagnostics.push_back(
          {.begin = begin, .end = begin + static_cast<uint32_t>(word.size()), .message = problem});
    }
  }
  return found;
}

} // namespace mca::measure
