// Each line of the text is a JSON object about one object file; gcov's manual describes it ("Invoking gcov"). Here:
//
//     {"files": [{"file": "prog.c", "lines": [{"line_number": 9, "function_name": "kern", "count": 900,
//       "branches": [{"count": 443, "fallthrough": true, "throw": false}, {"count": 457, …}]}]}]}
//
// For traces the counts of branches are not used: nothing says which jump of the optimised text, and which way of it,
// is which of the source's. They follow from the lines that only one way reaches. For profiles they are the iterations
// of loops. An object of a file has the calls of its functions, too: `"functions": [{"name": "kern", "execution_count":
// 1}]`.
#include "analysis/import/gcov_reader.h"

#include "analysis/import/record_text.h"

#include "llvm/Support/JSON.h"

namespace analysis {
namespace {

using llvm::StringRef;

/// gcov nests 7 deep. LLVM's parser recurses, so a deeper text could overflow the stack.
constexpr int kMaxDepth = 32;
/// Numbers, strings and so on of an object: about 300 MB. A source file of 100,000 lines has a million.
constexpr size_t kMaxValues = 1u << 21;

class GcovReader final : public TextReader {
public:
  bool hasFileAddresses() const override { return true; }
  std::optional<ImportError> finish(BranchSink &) override {
    if (!hasLines_)
      return errorInFile("no lines: give what `gcov --json-format --branch-probabilities --stdout` prints");
    return {};
  }

private:
  std::optional<ImportError> readLine(StringRef line, BranchSink &sink) override;
  std::optional<ImportError> refuse(StringRef line) const;
  ImportError invalid(StringRef line, llvm::Error error) const;
  ImportError missing(StringRef expected) const { return errorInLine("gcov's JSON has no " + expected); }
  std::optional<ImportError> readFile(const llvm::json::Object &file, BranchSink &sink);
  std::optional<ImportError> readCounts(StringRef file, const llvm::json::Object &line, BranchSink &sink) const;

  bool hasLines_ = false;
};

/// A number that is at most `limit`.
std::optional<uint64_t> count(const llvm::json::Object &object, StringRef key, uint64_t limit = INT64_MAX) {
  const auto number = object.getInteger(key);
  if (!number || *number < 0 || static_cast<uint64_t>(*number) > limit)
    return {};
  return static_cast<uint64_t>(*number);
}

std::optional<ImportError> GcovReader::readLine(StringRef line, BranchSink &sink) {
  if (auto error = refuse(line))
    return error;
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(line);
  if (!parsed)
    return invalid(line, parsed.takeError());
  const llvm::json::Object *object = parsed->getAsObject();
  const llvm::json::Array *files = object ? object->getArray("files") : nullptr;
  if (!files)
    return missing("`files`");
  for (const llvm::json::Value &file : *files) {
    if (!file.getAsObject())
      return missing("objects in `files`");
    if (auto error = readFile(*file.getAsObject(), sink))
      return error;
  }
  return {};
}

/// Refuses what LLVM's parser cannot take.
std::optional<ImportError> GcovReader::refuse(StringRef line) const {
  if (line.starts_with("\x1f\x8b"))
    return errorInFile("the file is compressed: give what `zcat FILE.gcov.json.gz` prints");
  if (!line.ltrim(kBlanks).starts_with("{"))
    return unexpected(line.ltrim(kBlanks), "a JSON object, as `gcov --json-format --stdout` prints it");
  int depth = 0;
  size_t values = 0;
  bool isInString = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (isInString && c == '\\')
      ++i;
    else if (c == '"')
      isInString = !isInString;
    if (isInString)
      continue;
    depth += (c == '{' || c == '[') - (c == '}' || c == ']');
    values += c == ',';
    if (depth > kMaxDepth || values > kMaxValues)
      return errorAt(line.drop_front(i), depth > kMaxDepth ? "the JSON is nested too deeply" : "the JSON is too large");
  }
  return {};
}

/// Turns LLVM's `[1:5, byte=4]: Expected object key` into an error with a place.
ImportError GcovReader::invalid(StringRef line, llvm::Error error) const {
  const std::string text = toString(std::move(error));
  const auto [place, message] = StringRef(text).split("]: ");
  size_t byte = 0;
  if (place.split("byte=").second.getAsInteger(10, byte) || byte > line.size())
    return errorInLine("this is not JSON: " + text);
  return errorAt(line.drop_front(byte), "this is not JSON: " + message);
}

std::optional<ImportError> GcovReader::readFile(const llvm::json::Object &file, BranchSink &sink) {
  const auto path = file.getString("file");
  const llvm::json::Array *lines = file.getArray("lines");
  if (!path || !lines)
    return missing("`file` and `lines` for each file");
  if (const llvm::json::Array *functions = file.getArray("functions"))
    for (const llvm::json::Value &value : *functions)
      if (const llvm::json::Object *function = value.getAsObject())
        sink.called(function->getString("name").value_or(""), count(*function, "execution_count").value_or(0));
  for (const llvm::json::Value &line : *lines) {
    if (!line.getAsObject())
      return missing("objects in `lines`");
    if (auto error = readCounts(*path, *line.getAsObject(), sink))
      return error;
    hasLines_ = true;
  }
  return {};
}

std::optional<ImportError> GcovReader::readCounts(StringRef file, const llvm::json::Object &line,
                                                  BranchSink &sink) const {
  const auto number = count(line, "line_number", UINT32_MAX), executed = count(line, "count");
  if (!number || !executed)
    return missing("valid `line_number` and `count` for each line");
  const StringRef function = line.getString("function_name").value_or("");
  sink.line(file, function, static_cast<uint32_t>(*number), *executed);
  const llvm::json::Array *branches = line.getArray("branches");
  if (!branches || branches->size() != 2)
    return {};
  const llvm::json::Object *one = branches->front().getAsObject(), *other = branches->back().getAsObject();
  const auto first = one ? count(*one, "count") : std::nullopt, second = other ? count(*other, "count") : std::nullopt;
  if (!first || !second)
    return missing("valid `count` for each branch");
  sink.condition(file, function, static_cast<uint32_t>(*number), *first, *second);
  return {};
}

} // namespace

std::unique_ptr<RecordingReader> createGcovReader() {
  return std::make_unique<GcovReader>();
}

} // namespace analysis
