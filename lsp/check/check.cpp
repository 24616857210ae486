// One run, from the options to the status. Inputs are read before the output is opened, which may be the same file, and
// the output is opened before the work begins, which would be lost otherwise.
#include "lsp/check/check.h"

#include "lsp/check/check_baseline.h"
#include "lsp/check/check_json.h"
#include "lsp/check/check_merge.h"
#include "lsp/check/check_ninja.h"
#include "lsp/check/check_parts.h"
#include "lsp/check/check_run.h"
#include "lsp/check/check_sarif.h"
#include "lsp/check/check_summary.h"
#include "lsp/check/check_unit.h"
#include "lsp/check/result_file.h"
#include "lsp/system/log.h"
#include "lsp/system/system.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

namespace lsp {
namespace {

/// The JSON of an earlier run, or of a shard. The log says why it is no such document.
std::optional<CheckDocument> readDocument(const std::string &path) {
  const std::optional<std::string> json = readWholeFile(path);
  ReadCheckDocument read{.document = {}, .error = "cannot be read"};
  if (json)
    read = readCheckJson(*json);
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
    if (!options_.output.empty() && !file_.close()) {
      logError(options_.output + ": cannot be written");
      return kCheckUnusable;
    }
    if (!options_.depfile.empty() && !writeDepfile())
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

  /// Removes what the file held. Text is written as the run goes on, all else at its end.
  bool openOutput() {
    if (options_.output.empty() || file_.open(options_.output, /*grows=*/options_.format == CheckFormat::Text))
      return true;
    logError(options_.output + ": cannot be written");
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
      const std::optional<std::string> names = readWholeFile(path.substr(1));
      if (!names) {
        logError(path.substr(1) + ": cannot be read");
        return std::nullopt;
      }
      std::ranges::move(namesInResponseFile(*names), std::back_inserter(paths));
    }
    return paths;
  }

  CheckFiles unitsFile() const {
    const std::optional<std::string> text = readWholeFile(options_.unit);
    std::optional<CheckUnit> unit = text ? readUnit(*text) : std::nullopt;
    return unit ? filesOf(std::move(*unit)) : CheckFiles{.error = options_.unit + ": describes no file of a run"};
  }

  /// Names below the current folder are relative to it: a build folder can then be moved with its project.
  bool writeDepfile() const {
    const std::string below = std::filesystem::current_path().string() + "/";
    std::vector<std::string> files;
    for (const std::string &input : inputs_)
      files.push_back(input.starts_with(below) ? input.substr(below.size()) : input);
    std::ofstream file(options_.depfile, std::ios::binary | std::ios::trunc);
    file << makeRule(options_.output, files, !inputsUnknown_);
    if (!file.flush())
      logError(options_.depfile + ": cannot be written");
    return static_cast<bool>(file);
  }

  /// The results of shards in place of an analysis. Baseline and --fail-on apply to them as to those of a run.
  bool mergeFiles() {
    std::vector<CheckDocument> shards;
    const std::optional<std::vector<std::string>> paths = mergedFiles();
    if (!paths)
      return false;
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
    if (!whole || !openOutput())
      return false;
    document_.version = whole->version;
    document_.shard = {};
    for (CheckFile &file : whole->files)
      renderAndAdd(std::move(file), Text()); // --annotate, which needs the text, excludes --merge
    return true;
  }

  /// Analyses the files.
  bool runFiles() {
    const std::string folder = std::filesystem::current_path().string();
    CheckFiles files = options_.unit.empty() ? listCheckFiles(options_.selection, folder) : unitsFile();
    if (!files.error.empty())
      logError(files.error);
    if (!files.error.empty() || !openOutput())
      return false;
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
      const Text text(options_.annotate ? readWholeFile(part.name).value_or("") : "");
      renderAndAdd(std::move(part), text);
    }
  }

  /// To the output. Progress is erased first: the terminal may be the same.
  void write(std::string_view text) {
    if (text.empty())
      return;
    output_.progress(0, 0, "");
    if (options_.output.empty())
      output_.print(text);
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
};

} // namespace

int check(const CheckOptions &options, const WorkerOptions &worker, const CheckOutput &output) {
  return Check(options, worker, output).run();
}

} // namespace lsp
