// One run, from the options to the status.
#include "lsp/check/check.h"

#include "lsp/check/check_baseline.h"
#include "lsp/check/check_json.h"
#include "lsp/check/check_merge.h"
#include "lsp/check/check_parts.h"
#include "lsp/check/check_run.h"
#include "lsp/check/check_sarif.h"
#include "lsp/check/check_summary.h"
#include "lsp/system/log.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

namespace lsp {
namespace {

using protocol::CheckDocument;
using protocol::CheckFile;

std::optional<CheckDocument> readDocument(const std::string &path) {
  const std::optional<std::string> json = readWholeFile(path);
  protocol::ReadCheckDocument read;
  if (json)
    read = protocol::readCheckJson(*json);
  if (!read.document)
    logError(path + ": " + (json ? read.error : "cannot be read"));
  return std::move(read.document);
}

class Check {
public:
  Check(const CheckOptions &options, const WorkerOptions &worker, const CheckOutput &output)
      : options_(options), worker_(worker), output_(output) {
    document_.version = MCA_VERSION;
    document_.shard = options.selection.shard;
  }

  int run();

private:
  bool readBaseline();
  std::string whyNothingIsCompared() const;
  bool openOutput();
  bool mergeFiles();
  bool runFiles();
  std::string render(CheckFile &file, const Text &text);
  void add(std::vector<CheckFile> files, const std::vector<std::string> &pages);
  void addParts();
  void write(std::string_view text);
  void writeEnd();

  const CheckOptions &options_;
  const WorkerOptions &worker_;
  const CheckOutput &output_;
  std::optional<features::Baseline> baseline_;
  std::ofstream file_;
  CheckDocument document_;
  bool misconfigured_ = false;
  bool isAnyPrinted_ = false;
};

int Check::run() {
  if (!readBaseline() || !(options_.merge.empty() ? runFiles() : mergeFiles()))
    return kCheckUnusable;
  const bool isShard = document_.shard != protocol::CheckShard();
  if (isShard && options_.format == CheckFormat::Json)
    write(protocol::checkJson(document_)); // parts are put together where all of them are there
  addParts();
  if (!isShard || options_.format != CheckFormat::Json)
    writeEnd();
  if (!options_.output.empty() && !file_.flush()) {
    logError(options_.output + ": cannot be written");
    return kCheckUnusable;
  }
  if (const std::string why = whyNothingIsCompared(); !why.empty()) {
    logError(options_.baseline + ": nothing is compared with the baseline: " + why);
    return kCheckUnusable;
  }
  return misconfigured_ || features::fails(document_.files, options_.failOn) ? kCheckFailed : 0;
}

std::string Check::whyNothingIsCompared() const {
  return baseline_ ? baseline_->whyNothingIsCompared(document_.files, document_.shard.count > 1) : "";
}

bool Check::readBaseline() {
  if (options_.baseline.empty())
    return true;
  std::optional<CheckDocument> document = readDocument(options_.baseline);
  if (!document)
    return false;
  baseline_.emplace(std::move(*document), options_.regressionPercent);
  return true;
}

/// Before the work begins, so that it is not in vain; after everything is read, which may be the same file.
bool Check::openOutput() {
  if (options_.output.empty())
    return true;
  file_.open(options_.output, std::ios::binary | std::ios::trunc);
  if (!file_)
    logError(options_.output + ": cannot be written");
  return static_cast<bool>(file_);
}

bool Check::mergeFiles() {
  std::vector<CheckDocument> shards;
  for (const std::string &path : options_.merge) {
    std::optional<CheckDocument> shard = readDocument(path);
    if (!shard)
      return false;
    shards.push_back(std::move(*shard));
  }
  std::string error;
  std::optional<CheckDocument> whole = features::mergeShards(std::move(shards), error);
  if (!whole)
    logError("cannot merge: " + error);
  if (!whole || !openOutput())
    return false;
  document_.version = whole->version;
  document_.shard = {};
  for (CheckFile &file : whole->files) {
    std::vector<std::string> pages;
    if (file.through.empty())
      pages.push_back(render(file, Text()));
    add({std::move(file)}, pages);
  }
  return true;
}

bool Check::runFiles() {
  const std::string folder = std::filesystem::current_path().string();
  CheckFiles files = listCheckFiles(options_.selection, folder);
  if (!files.error.empty())
    logError(files.error);
  if (!files.error.empty() || !openOutput())
    return false;
  CheckRunOptions options{.files = std::move(files.names),
                          .folder = folder,
                          .projectFolder = std::move(files.projectFolder),
                          .isExcluded = [&](const std::string &name) { return isExcluded(name, options_.selection); },
                          .settings = options_.settings,
                          .jobs = options_.jobs,
                          .worker = worker_};
  if (!files.databaseFolder.empty())
    options.settings.compileCommandsDir = files.databaseFolder;
  const size_t total = options.files.size();
  CheckRun run(options, {[&](size_t number, const std::string &name) { output_.progress(number, total, name); },
                         [&](CheckFile &file, const Text &text) { return render(file, text); },
                         [&](std::vector<CheckFile> done, const std::vector<std::string> &pages) {
                           add(std::move(done), pages);
                         }});
  run.run();
  misconfigured_ = run.misconfigured();
  return true;
}

std::string Check::render(CheckFile &file, const Text &text) {
  if (baseline_)
    baseline_->compare(file);
  if (options_.format != CheckFormat::Text)
    return "";
  return options_.annotate ? features::annotatedSource(file, text, options_.style)
                           : features::checkReport(file, options_.style);
}

void Check::add(std::vector<CheckFile> files, const std::vector<std::string> &pages) {
  for (const std::string &page : pages) {
    if (options_.annotate && std::exchange(isAnyPrinted_, true))
      write("\n");
    write(page);
  }
  std::move(files.begin(), files.end(), std::back_inserter(document_.files));
}

/// What was compiled as a part of the files, once all of them are there.
void Check::addParts() {
  for (CheckFile &part : features::takeParts(document_.files)) {
    const Text text(options_.annotate ? readWholeFile(part.name).value_or("") : "");
    const std::string page = render(part, text);
    add({std::move(part)}, {page});
  }
}

void Check::write(std::string_view text) {
  if (text.empty())
    return;
  output_.progress(0, 0, "");
  if (options_.output.empty())
    output_.print(text);
  else
    file_.write(text.data(), static_cast<std::streamsize>(text.size()));
}

/// What can be said once all files are done.
void Check::writeEnd() {
  output_.progress(0, 0, "");
  if (options_.format == CheckFormat::Json)
    write(protocol::checkJson(document_));
  else if (options_.format == CheckFormat::Sarif)
    write(protocol::checkSarif(document_));
  else if (options_.format == CheckFormat::Markdown)
    write(features::checkMarkdown(document_.files, options_.top));
  else {
    write(features::setUpLines(document_.files, options_.style));
    if (!options_.annotate)
      write(features::checkSummary(document_.files, options_.top, options_.style));
  }
}

} // namespace

int check(const CheckOptions &options, const WorkerOptions &worker, const CheckOutput &output) {
  return Check(options, worker, output).run();
}

} // namespace lsp
