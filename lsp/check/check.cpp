// One run, from the options to the status. The output is opened before the work begins, which would be lost otherwise,
// and after all names are known to lead to different files.
#include "lsp/check/check.h"

#include "analysis/files/regular_file.h"
#include "lsp/check/check_baseline.h"
#include "lsp/check/check_json.h"
#include "lsp/check/check_merge.h"
#include "lsp/check/check_ninja.h"
#include "lsp/check/check_report.h"
#include "lsp/check/check_run.h"
#include "lsp/check/check_unit.h"
#include "lsp/check/named_file.h"
#include "lsp/check/result_file.h"
#include "lsp/system/log.h"
#include "lsp/system/system.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

namespace lsp {
namespace {

/// The limit of a result that is read back, in bytes. One of 100,000 files has about 3 GB.
constexpr uint64_t kMaxResultBytes = uint64_t{8} << 30;

/// The text of an input. No value if it cannot be read; the log says why.
std::optional<std::string> readInput(const std::string &path, uint64_t maxBytes = kMaxInputBytes) {
  analysis::RegularFile file = analysis::readRegularFile(path, maxBytes);
  if (file.isRead())
    return std::move(file.text);
  logError(path + ": cannot be read: " + file.failure);
  return std::nullopt;
}

/// The JSON of an earlier run, or of a shard. The log says why it is no such document.
std::optional<CheckDocument> readDocument(const std::string &path) {
  const std::optional<std::string> json = readInput(path, kMaxResultBytes);
  if (!json)
    return std::nullopt;
  ReadCheckDocument read = readCheckJson(*json);
  if (!read.document)
    logError(path + ": " + read.error);
  return std::move(read.document);
}

/// A run in progress. The text of a file is written as soon as the files before it are done, so that a long run shows
/// what it found; the other formats are written at the end.
class Check {
public:
  Check(const CheckOptions &options, const WorkerOptions &worker, const CheckOutput &output)
      : options_(options), worker_(worker), output_(output) {
    document_.version = MCA_VERSION;
    document_.shard = options.selection.shard;
    document_.isUnit = !options.unit.empty();
  }

  int run() {
    if (!readBaseline() || !(options_.merge.empty() ? runFiles() : mergeFiles()))
      return kCheckUnusable;
    const bool isShard = document_.shard != CheckShard();
    const bool isPartsJson = (isShard || document_.isUnit) && options_.format == CheckFormat::Json;
    if (isPartsJson)
      checkJson(document_, writer_); // parts are merged where those of all shards are known
    addParts();
    if (!isPartsJson)
      writeEnd();
    if (!finishOutput())
      return kCheckUnusable;
    const std::string problem = baseline_ ? baseline_->whyNothingIsCompared(document_.files, isShard) : "";
    if (!problem.empty()) {
      logError(options_.baseline + ": nothing is compared with the baseline: " + problem);
      return kCheckUnusable;
    }
    return misconfigured_ || fails(document_.files, options_.failOn) ? kCheckFailed : 0;
  }

private:
  /// True without a baseline, too. On failure the log says why; the same holds for the next three.
  bool readBaseline() {
    if (options_.baseline.empty())
      return true;
    std::optional<CheckDocument> document = readDocument(options_.baseline);
    if (document)
      baseline_.emplace(std::move(*document), options_.regressionPercent);
    return baseline_.has_value();
  }

  /// The files that the run writes.
  std::vector<NamedFile> outputs() const {
    std::vector<NamedFile> outputs;
    if (!options_.output.empty())
      outputs.push_back({"--output", options_.output});
    if (!options_.depfile.empty())
      outputs.push_back({"--depfile", options_.depfile});
    return outputs;
  }

  /// Text is written as the run goes on, all else at its end. `inputs`: those that are known so far, beside the
  /// options'.
  bool openOutput(std::vector<NamedFile> inputs) {
    inputs.insert(inputs.end(), {{"the baseline", options_.baseline},
                                 {"the description of its file", options_.unit},
                                 {"the calibration", options_.settings.calibration},
                                 {"the profile", options_.settings.profile},
                                 {"this program", system::ownPath()},
                                 {"the worker", worker_.program}});
    if (const std::string problem = whyNotWritable(outputs(), inputs); !problem.empty()) {
      logError(problem);
      return false;
    }
    if (options_.output.empty() || file_.open(options_.output, /*grows=*/options_.format == CheckFormat::Text))
      return true;
    logError(options_.output + ": the result cannot be written");
    return false;
  }

  /// A file that was there, and is no earlier result, is replaced only if the run did not read it.
  bool finishOutput() {
    std::vector<NamedFile> replaced, read;
    for (const NamedFile &output : outputs())
      if (output.path != options_.output || file_.replaces())
        replaced.push_back(output);
    for (const std::string &input : inputs_)
      read.push_back({"a file that the run has read", input});
    const std::string problem = whyNotWritable(replaced, read);
    if (!problem.empty())
      logError(problem);
    else if (options_.output.empty() ? !isPrinted_ : !file_.close())
      logError((options_.output.empty() ? "standard output" : options_.output) + ": the result cannot be written");
    else
      return options_.depfile.empty() || writeDepfile();
    return false;
  }

  /// The files that --merge names, response files expanded. No value if one cannot be read.
  std::optional<std::vector<std::string>> mergedFiles() const {
    std::vector<std::string> paths;
    for (const std::string &path : options_.merge) {
      if (!path.starts_with('@')) {
        paths.push_back(path);
        continue;
      }
      const std::optional<std::string> names = readInput(path.substr(1));
      if (!names)
        return std::nullopt;
      std::ranges::move(namesInResponseFile(*names), std::back_inserter(paths));
    }
    return paths;
  }

  CheckFiles unitsFile(const std::string &folder) const {
    const std::optional<std::string> text = readInput(options_.unit);
    std::optional<CheckUnit> unit = text ? readUnit(*text) : std::nullopt;
    return unit ? filesOf(std::move(*unit), folder)
                : CheckFiles{.error = options_.unit + ": describes no file of a run"};
  }

  /// Names below the current folder are relative to it: a build folder can then be moved with its project.
  bool writeDepfile() const {
    const std::string below = std::filesystem::current_path().string() + "/";
    std::vector<std::string> files;
    for (const std::string &input : inputs_)
      files.push_back(input.starts_with(below) ? input.substr(below.size()) : input);
    const bool isWritten = writeWholeFile(options_.depfile, makeRule(options_.output, files, !inputsUnknown_));
    if (!isWritten)
      logError(options_.depfile + ": cannot be written");
    return isWritten;
  }

  /// The results of shards in place of an analysis. Baseline and --fail-on apply to them as to those of a run.
  bool mergeFiles() {
    std::vector<CheckDocument> shards;
    const std::optional<std::vector<std::string>> paths = mergedFiles();
    if (!paths)
      return false;
    std::vector<NamedFile> inputs;
    for (const std::string &path : options_.merge)
      inputs.push_back({"the list of results", path.substr(path.starts_with('@'))});
    for (const std::string &path : *paths)
      inputs.push_back({"a result to merge", path});
    for (const std::string &path : *paths) {
      std::optional<CheckDocument> shard = readDocument(path);
      if (!shard)
        return false;
      shards.push_back(std::move(*shard));
    }
    std::string error;
    std::optional<CheckDocument> whole = mergeShards(std::move(shards), error);
    if (!whole)
      logError("cannot merge: " + error);
    if (!whole || !openOutput(std::move(inputs)))
      return false;
    document_.version = whole->version;
    document_.shard = {};
    for (CheckFile &file : whole->files)
      renderAndAdd(std::move(file), Text()); // --annotate, which needs the text, excludes --merge
    return true;
  }

  static std::vector<NamedFile> inputsOf(const CheckFiles &files) {
    std::vector<NamedFile> inputs = {{"the compile database", files.database}};
    for (const std::string &name : files.names)
      inputs.push_back({"a source", name});
    return inputs;
  }

  /// Analyses the files.
  bool runFiles() {
    const std::string folder = std::filesystem::current_path().string();
    CheckFiles files = options_.unit.empty() ? listCheckFiles(options_.selection, folder) : unitsFile(folder);
    if (!files.error.empty())
      logError(files.error);
    if (!files.error.empty() || !openOutput(inputsOf(files)))
      return false;
    files.listInputs = !options_.depfile.empty() || file_.replaces();
    if (!files.database.empty())
      inputs_.insert(files.database);
    CheckRun run(options_, worker_, std::move(files), folder,
                 {.begun = output_.progress,
                  .render = [&](CheckFile &file, const Text &text) { return render(file, text); },
                  .done =
                      [&](std::vector<CheckedFile> done) {
                        for (CheckedFile &checked : done) {
                          inputs_.insert(checked.inputs.begin(), checked.inputs.end());
                          inputsUnknown_ |= checked.inputsUnknown;
                          add(std::move(checked));
                        }
                      }});
    run.run();
    misconfigured_ = run.misconfigured();
    return true;
  }

  /// The file's text in the result. Compares it with the baseline first, because the text has the change.
  std::string render(CheckFile &file, const Text &text) {
    if (baseline_)
      baseline_->compare(file);
    if (options_.format != CheckFormat::Text)
      return "";
    return options_.annotate ? annotatedSource(file, text, options_.style) : checkReport(file, options_.style);
  }

  /// Annotated sources are separated by an empty line; reports begin with the file's name.
  void add(CheckedFile checked) {
    if (options_.annotate && !checked.page.empty() && std::exchange(isAnyPrinted_, true))
      write("\n");
    write(checked.page);
    document_.files.push_back(std::move(checked.file));
  }

  void renderAndAdd(CheckFile file, const Text &text) {
    std::string page = file.through.empty() ? render(file, text) : "";
    add({std::move(file), std::move(page)});
  }

  /// Merged after all files are known: each may report of the same header.
  void addParts() {
    for (CheckFile &part : takeParts(document_.files)) {
      const Text text(options_.annotate ? analysis::readRegularFile(part.name, kMaxInputBytes).text : "");
      renderAndAdd(std::move(part), text);
    }
  }

  /// To the output. Progress is erased first: the terminal may be the same.
  void write(std::string_view text) {
    if (text.empty())
      return;
    output_.progress(0, 0, "");
    if (options_.output.empty())
      isPrinted_ &= output_.print(text);
    else
      file_.write(text);
  }

  /// The part of the result that needs all files.
  void writeEnd() {
    output_.progress(0, 0, "");
    switch (options_.format) {
    case CheckFormat::Json:
      return checkJson(document_, writer_);
    case CheckFormat::Sarif:
      return checkSarif(document_, writer_);
    case CheckFormat::Markdown:
      return write(checkMarkdown(document_.files, options_.top));
    case CheckFormat::Text:
      write(setUpLines(document_.files, options_.style));
      if (!options_.annotate)
        write(checkSummary(document_.files, options_.top, options_.style));
    }
  }

  const CheckOptions &options_;
  const WorkerOptions &worker_;
  const CheckOutput &output_;
  std::optional<CheckBaseline> baseline_;
  ResultFile file_;
  const JsonWriter writer_ = [this](std::string_view text) { write(text); };
  CheckDocument document_;
  std::set<std::string> inputs_{system::ownPath()}; ///< CheckedFile::inputs of all files
  bool inputsUnknown_ = false;
  bool misconfigured_ = false;
  bool isAnyPrinted_ = false;
  bool isPrinted_ = true; ///< all that went to `print`
};

} // namespace

int check(const CheckOptions &options, const WorkerOptions &worker, const CheckOutput &output) {
  return Check(options, worker, output).run();
}

} // namespace lsp
