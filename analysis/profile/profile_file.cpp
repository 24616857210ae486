#include "analysis/profile/profile_file.h"

#include "mca-core/trace/trace_lexer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <set>

namespace analysis {
namespace {

using llvm::StringRef;
using mca::quoted;

constexpr StringRef kMagic = "mcaprofile";
constexpr StringRef kVersion = "1";
constexpr StringRef kBlanks = " \t";
constexpr size_t kCodeBytesOfLine = 32; // when it is written
constexpr size_t kMaxNames = 1u << 20;  // programs, functions and modules
constexpr size_t kMostWords = 6;        // of a statement

// ---- reading -------------------------------------------------------------------------------------------------------

/// A value or a name of a line.
struct Word {
  StringRef text; ///< as written, without the quotes
  size_t column = 1;
  bool isQuoted = false;
};

class Reader {
public:
  Reader(StringRef text, const std::string &file) : rest_(text), file_(file) {}

  mca::Result<Profile> read();

private:
  struct Statement {
    StringRef keyword;
    size_t leastWords, mostWords; ///< after the keyword
    StringRef usage;
    bool (Reader::*read)();
  };
  static const Statement kStatements[];

  bool readLine(StringRef line);
  bool splitLine(StringRef line);
  bool readEvent();
  bool readSamples();
  bool readRuns();
  bool readCounted();
  bool readClock();
  bool readProgram();
  bool readFunction();
  bool readAlias();
  bool readCode();
  bool readAt();
  bool readSource();
  bool readSourceLine();
  bool readRest();
  bool readEnd();
  bool finishFunction();
  bool addWeight(const Word &word, uint64_t weight);

  bool readNumber(const Word &word, uint64_t most, uint64_t &number);
  bool readAddress(const Word &word, uint64_t most, uint64_t &number);
  bool readName(const Word &word, std::string &name);
  bool failAt(size_t column, const llvm::Twine &message);
  bool fail(const Word &word, const llvm::Twine &message) { return failAt(word.column, message); }
  bool unexpected(const Word &word, const llvm::Twine &expected) {
    return fail(word, "expected " + expected + ", found " + quoted(word.text));
  }

  StringRef rest_;
  const std::string &file_;
  size_t line_ = 0;
  std::string error_;
  Profile profile_;
  SourcePaths sources_{profile_.sources};
  std::set<std::string> seen_; ///< statements that a file has once
  std::vector<Word> words_;    ///< of the line
  uint64_t size_ = 0;          ///< of the last function's code, in bytes
  size_t functionLine_ = 0;    ///< where it begins
  uint64_t total_ = 0;
  uint64_t ofLines_ = 0; ///< weight of source lines
  size_t names_ = 0;
  bool isComplete_ = false;
};

const Reader::Statement Reader::kStatements[] = {
    {"event", 2, 2, "event \"NAME\" UNIT", &Reader::readEvent},
    {"samples", 1, 1, "samples COUNT", &Reader::readSamples},
    {"runs", 1, 1, "runs COUNT", &Reader::readRuns},
    {"counted-runs", 1, 1, "counted-runs COUNT", &Reader::readCounted},
    {"clock", 1, 1, "clock HERTZ", &Reader::readClock},
    {"program", 2, 3, "program \"PATH\" TRIPLE [BUILD-ID]", &Reader::readProgram},
    {"function", 3, 3, "function \"NAME\" ADDRESS SIZE", &Reader::readFunction},
    {"alias", 1, 1, "alias \"NAME\"", &Reader::readAlias},
    {"code", 1, 1, "code BYTES", &Reader::readCode},
    {"at", 2, 3, "at OFFSET WEIGHT [EXECUTIONS]", &Reader::readAt},
    {"source", 1, 1, "source \"PATH\"", &Reader::readSource},
    {"line", 2, 5, "line NUMBER WEIGHT [DIGEST [ITERATIONS [ENDS]]]", &Reader::readSourceLine},
    {"rest", 2, 3, "rest module \"PATH\" WEIGHT, rest kernel WEIGHT or rest unknown WEIGHT", &Reader::readRest},
    {"end", 0, 0, "end", &Reader::readEnd},
};

bool Reader::failAt(size_t column, const llvm::Twine &message) {
  error_ = (file_ + ":" + llvm::Twine(line_) + ":" + llvm::Twine(column) + ": " + message).str();
  return false;
}

mca::Result<Profile> Reader::read() {
  line_ = 1;
  const auto [head, body] = rest_.split('\n');
  const auto [magic, version] = head.rtrim(" \t\r").split(' ');
  if (magic != kMagic)
    failAt(1, "this is no profile: expected `mcaprofile 1`; --import-profile makes one of what a profiler wrote");
  else if (version != kVersion)
    failAt(magic.size() + 2, "the version " + quoted(version) + " of the format is not known");
  rest_ = body;
  while (error_.empty() && !rest_.empty() && !isComplete_) {
    const auto [line, rest] = rest_.split('\n');
    rest_ = rest;
    ++line_;
    if (!readLine(line.rtrim('\r')))
      break;
  }
  if (error_.empty() && !isComplete_) {
    ++line_;
    failAt(1, "the line `end` is missing: the file is not whole");
  }
  if (error_.empty() && !rest_.trim(" \t\r\n").empty()) {
    ++line_;
    failAt(1, "expected nothing after `end`");
  }
  return error_.empty() ? mca::Result<Profile>(std::move(profile_)) : mca::Failure{std::move(error_)};
}

bool Reader::readLine(StringRef line) {
  if (!splitLine(line))
    return false;
  if (words_.empty())
    return true;
  const Word keyword = words_.front();
  const auto *const statement =
      llvm::find_if(kStatements, [&](const Statement &one) { return one.keyword == keyword.text; });
  if (statement == std::end(kStatements) || keyword.isQuoted)
    return unexpected(keyword, "a statement such as `function`");
  words_.erase(words_.begin());
  if (words_.size() < statement->leastWords || words_.size() > statement->mostWords)
    return fail(keyword, "expected `" + statement->usage + "`");
  return (this->*statement->read)();
}

/// Words are separated by blanks; a quoted one ends at the next quote. A `#` in place of a word starts a comment.
bool Reader::splitLine(StringRef line) {
  words_.clear();
  size_t at = 0;
  while ((at = line.find_first_not_of(kBlanks, at)) != StringRef::npos && line[at] != '#') {
    const bool isQuoted = line[at] == '"';
    const size_t begin = at + isQuoted;
    const size_t end = isQuoted ? line.find('"', begin) : std::min(line.find_first_of(kBlanks, at), line.size());
    if (end == StringRef::npos)
      return failAt(at + 1, "the quote is not closed");
    words_.push_back({line.slice(begin, end), at + 1, isQuoted});
    at = end + isQuoted;
    if (at < line.size() && !kBlanks.contains(line[at]))
      return failAt(at + 1, "expected a blank");
    if (words_.size() > kMostWords)
      return failAt(at + 1, "expected the end of the line");
  }
  return true;
}

bool Reader::readNumber(const Word &word, uint64_t most, uint64_t &number) {
  if (word.isQuoted || word.text.getAsInteger(10, number) || number > most)
    return unexpected(word, "a number of at most " + llvm::Twine(most));
  return true;
}

bool Reader::readAddress(const Word &word, uint64_t most, uint64_t &number) {
  StringRef digits = word.text;
  if (word.isQuoted || !digits.consume_front("0x") || digits.getAsInteger(16, number) || number > most)
    return unexpected(word, "a hexadecimal number such as `0x4f`");
  return true;
}

/// `\xx` in hexadecimal is a byte that is not written as it is.
bool Reader::readName(const Word &word, std::string &name) {
  if (!word.isQuoted || word.text.empty())
    return unexpected(word, "a name in quotes");
  if (++names_ > kMaxNames)
    return fail(word, "there are too many names");
  name.clear();
  for (size_t i = 0; i < word.text.size(); ++i) {
    if (word.text[i] != '\\') {
      name += word.text[i];
      continue;
    }
    uint8_t byte = 0;
    if (i + 2 >= word.text.size() || word.text.substr(i + 1, 2).getAsInteger(16, byte))
      return failAt(word.column + 1 + i, "expected two hexadecimal digits after the backslash");
    name += static_cast<char>(byte);
    i += 2;
  }
  return true;
}

bool Reader::readEvent() {
  if (!seen_.insert("event").second)
    return fail(words_.front(), "there is a second `event`");
  for (const ProfileUnit unit :
       {ProfileUnit::Instructions, ProfileUnit::Events, ProfileUnit::Nanoseconds, ProfileUnit::Cycles})
    if (words_[1].text == StringRef(nameOf(unit))) {
      profile_.unit = unit;
      return readName(words_[0], profile_.event);
    }
  return unexpected(words_[1], "`ns`, `cycles`, `instructions` or `events`");
}

bool Reader::readSamples() {
  return readNumber(words_[0], Profile::kMaxWeight, profile_.samples);
}

bool Reader::readRuns() {
  uint64_t runs = 0;
  const bool good = readNumber(words_[0], 1'000'000, runs);
  profile_.runs = static_cast<uint32_t>(runs);
  return good;
}

bool Reader::readCounted() {
  uint64_t runs = 0;
  const bool good = readNumber(words_[0], 1'000'000, runs);
  profile_.countedRuns = static_cast<uint32_t>(runs);
  return good;
}

bool Reader::readClock() {
  return readNumber(words_[0], 1'000'000'000'000, profile_.hertz);
}

bool Reader::readProgram() {
  if (!finishFunction())
    return false;
  ProfiledProgram program;
  if (!readName(words_[0], program.path))
    return false;
  program.triple = words_[1].text.str();
  if (words_.size() == 3) {
    const StringRef id = words_[2].text;
    if (id.empty() || id.size() > 128 || !llvm::all_of(id, llvm::isHexDigit))
      return unexpected(words_[2], "a build id in hexadecimal");
    program.buildId = id.str();
  }
  profile_.programs.push_back(std::move(program));
  return true;
}

bool Reader::readFunction() {
  if (!finishFunction())
    return false;
  if (profile_.programs.empty())
    return fail(words_[0], "the function's program must come before it");
  ProfiledFunction function{.program = static_cast<uint32_t>(profile_.programs.size() - 1)};
  uint64_t size = 0;
  if (!readName(words_[0], function.name) || !readAddress(words_[1], UINT64_MAX >> 1, function.address) ||
      !readAddress(words_[2], UINT32_MAX, size))
    return false;
  size_ = size;
  functionLine_ = line_;
  profile_.functions.push_back(std::move(function));
  return true;
}

/// The code of a function is there as a whole or not at all. Profiles stay in memory for long, so spare room is given
/// back.
bool Reader::finishFunction() {
  if (profile_.functions.empty())
    return true;
  ProfiledFunction &last = profile_.functions.back();
  last.code.shrink_to_fit();
  last.places.shrink_to_fit();
  last.executions.shrink_to_fit();
  last.lines.shrink_to_fit();
  if (last.code.empty() || last.code.size() == size_)
    return true;
  line_ = functionLine_;
  return failAt(1, "the function's code has " + llvm::Twine(last.code.size()) + " bytes, and its size is " +
                       llvm::Twine(size_));
}

bool Reader::readAlias() {
  if (profile_.functions.empty())
    return fail(words_[0], "expected a `function` before it");
  return readName(words_[0], profile_.functions.back().aliases.emplace_back());
}

bool Reader::readCode() {
  if (profile_.functions.empty() || !profile_.functions.back().places.empty())
    return fail(words_[0], "expected it directly after a `function` and its aliases");
  std::string &code = profile_.functions.back().code;
  std::string bytes;
  if (!llvm::tryGetFromHex(words_[0].text, bytes) || words_[0].text.size() % 2)
    return unexpected(words_[0], "bytes in hexadecimal");
  if (code.size() + bytes.size() > size_)
    return fail(words_[0], "the function has no more than " + llvm::Twine(size_) + " bytes");
  code += bytes;
  return true;
}

bool Reader::addWeight(const Word &word, uint64_t weight) {
  if (weight > Profile::kMaxWeight - total_)
    return fail(word, "the weights add up to too much");
  total_ += weight;
  return true;
}

bool Reader::readAt() {
  if (profile_.functions.empty())
    return fail(words_[0], "expected a `function` before it");
  ProfiledFunction &function = profile_.functions.back();
  uint64_t offset = 0, executions = 0;
  ProfiledPlace place;
  if (!readAddress(words_[0], UINT32_MAX, offset) || !readNumber(words_[1], Profile::kMaxWeight, place.weight) ||
      !addWeight(words_[1], place.weight))
    return false;
  if (words_.size() == 3 && !readNumber(words_[2], Profile::kMaxWeight, executions))
    return false;
  if (offset >= size_)
    return fail(words_[0], "the function has only " + llvm::Twine(size_) + " bytes");
  if (!function.places.empty() && offset <= function.places.back().offset)
    return fail(words_[0], "the offsets must ascend");
  place.offset = static_cast<uint32_t>(offset);
  function.addPlace(place, executions);
  return true;
}

bool Reader::readSource() {
  if (profile_.functions.empty())
    return fail(words_[0], "expected a `function` before it");
  std::string path;
  if (!readName(words_[0], path))
    return false;
  profile_.functions.back().source = sources_.indexOf(path);
  return true;
}

bool Reader::readSourceLine() {
  if (profile_.functions.empty() || profile_.functions.back().source == ProfiledFunction::kNoSource)
    return fail(words_[0], "expected the function's `source` before it");
  std::vector<ProfiledLine> &lines = profile_.functions.back().lines;
  uint64_t number = 0, digest = 0;
  ProfiledLine line;
  if (!readNumber(words_[0], UINT32_MAX, number) || !readNumber(words_[1], Profile::kMaxWeight, line.weight) ||
      (words_.size() >= 3 && !readAddress(words_[2], UINT32_MAX, digest)) ||
      (words_.size() >= 4 && !readNumber(words_[3], Profile::kMaxWeight, line.iterations)) ||
      (words_.size() == 5 && !readNumber(words_[4], Profile::kMaxWeight, line.ends)))
    return false;
  if (number <= (lines.empty() ? 0 : lines.back().line))
    return fail(words_[0], "the lines must ascend");
  if (line.weight > Profile::kMaxWeight - ofLines_)
    return fail(words_[1], "the weights add up to too much");
  ofLines_ += line.weight;
  line.line = static_cast<uint32_t>(number);
  line.digest = static_cast<uint32_t>(digest);
  lines.push_back(line);
  return true;
}

bool Reader::readRest() {
  UnattributedWeight one;
  const bool isModule = words_[0].text == "module";
  if (!isModule && words_[0].text != "kernel" && words_[0].text != "unknown")
    return unexpected(words_[0], "`module`, `kernel` or `unknown`");
  if (words_.size() != (isModule ? 3u : 2u))
    return fail(words_.back(), isModule ? "expected a path and a weight" : "expected a weight");
  one.kind = isModule                     ? UnattributedWeight::Kind::Module
             : words_[0].text == "kernel" ? UnattributedWeight::Kind::Kernel
                                          : UnattributedWeight::Kind::Unknown;
  if (isModule && !readName(words_[1], one.module))
    return false;
  if (!readNumber(words_.back(), Profile::kMaxWeight, one.weight) || !addWeight(words_.back(), one.weight))
    return false;
  if (++names_ > kMaxNames)
    return fail(words_[0], "there are too many names");
  profile_.rest.push_back(std::move(one));
  return true;
}

bool Reader::readEnd() {
  if (!finishFunction())
    return false;
  if (!seen_.contains("event") || profile_.runs + profile_.countedRuns == 0)
    return failAt(1, "the file has no `event` and `runs`");
  profile_.functions.shrink_to_fit();
  isComplete_ = true;
  return true;
}

// ---- writing -------------------------------------------------------------------------------------------------------

void writeName(StringRef name, llvm::raw_ostream &out) {
  out << '"';
  for (const char c : name)
    if (c == '"' || c == '\\' || !llvm::isPrint(c))
      out << '\\' << llvm::hexdigit(static_cast<unsigned char>(c) >> 4, /*LowerCase=*/true)
          << llvm::hexdigit(static_cast<unsigned char>(c) & 15, /*LowerCase=*/true);
    else
      out << c;
  out << '"';
}

void writeHex(uint64_t number, llvm::raw_ostream &out) {
  out << "0x" << llvm::utohexstr(number, /*LowerCase=*/true);
}

/// The code's bytes, or at least so many that each place lies within.
uint64_t sizeOf(const ProfiledFunction &function) {
  if (!function.code.empty() || function.places.empty())
    return function.code.size();
  return uint64_t{function.places.back().offset} + 1;
}

void writeFunction(const ProfiledFunction &function, StringRef source, llvm::raw_ostream &out) {
  out << "function ";
  writeName(function.name, out);
  out << ' ';
  writeHex(function.address, out);
  out << ' ';
  writeHex(sizeOf(function), out);
  out << '\n';
  for (const std::string &alias : function.aliases) {
    out << "alias ";
    writeName(alias, out);
    out << '\n';
  }
  for (StringRef code = function.code; !code.empty(); code = code.drop_front(std::min(kCodeBytesOfLine, code.size())))
    out << "code " << llvm::toHex(code.take_front(kCodeBytesOfLine), /*LowerCase=*/true) << '\n';
  for (size_t i = 0; i < function.places.size(); ++i) {
    out << "at ";
    writeHex(function.places[i].offset, out);
    out << ' ' << function.places[i].weight;
    if (const uint64_t executions = function.executionsOf(i))
      out << ' ' << executions;
    out << '\n';
  }
  if (source.empty())
    return;
  out << "source ";
  writeName(source, out);
  out << '\n';
  for (const ProfiledLine &line : function.lines) {
    out << "line " << line.line << ' ' << line.weight;
    if (line.digest || line.iterations || line.ends) {
      out << ' ';
      writeHex(line.digest, out);
    }
    if (line.iterations || line.ends)
      out << ' ' << line.iterations;
    if (line.ends)
      out << ' ' << line.ends;
    out << '\n';
  }
}

} // namespace

mca::Result<Profile> readProfile(std::string_view text, const std::string &file) {
  if (text.size() > kMaxProfileBytes)
    return mca::Failure{file + ": the file is longer than 256 MiB"};
  return Reader(text, file).read();
}

void writeProfile(const Profile &profile, llvm::raw_ostream &out) {
  out << kMagic << ' ' << kVersion << "\nevent ";
  writeName(profile.event, out);
  out << ' ' << StringRef(nameOf(profile.unit)) << "\nsamples " << profile.samples << "\nruns " << profile.runs << '\n';
  if (profile.countedRuns)
    out << "counted-runs " << profile.countedRuns << '\n';
  if (profile.hertz)
    out << "clock " << profile.hertz << '\n';
  for (uint32_t i = 0; i < profile.programs.size(); ++i) {
    const ProfiledProgram &program = profile.programs[i];
    out << "program ";
    writeName(program.path, out);
    out << ' ' << program.triple;
    if (!program.buildId.empty())
      out << ' ' << program.buildId;
    out << '\n';
    for (const ProfiledFunction &function : profile.functions)
      if (function.program == i)
        writeFunction(function, profile.sourceOf(function), out);
  }
  for (const UnattributedWeight &one : profile.rest) {
    out << "rest ";
    if (one.kind == UnattributedWeight::Kind::Module) {
      out << "module ";
      writeName(one.module, out);
    } else {
      out << (one.kind == UnattributedWeight::Kind::Kernel ? "kernel" : "unknown");
    }
    out << ' ' << one.weight << '\n';
  }
  out << "end\n";
}

} // namespace analysis
