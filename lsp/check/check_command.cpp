#include "lsp/check/check_command.h"

#include "lsp/check/terminal.h"
#include "lsp/system/log.h"
#include "lsp/system/system.h"

#include <algorithm>
#include <cstdio>
#include <thread>
#include <unistd.h>

namespace {

constexpr size_t kProgressWidth = 79; ///< characters: a line that wraps could not be taken back

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

lsp::CheckFormat formatOf(const std::string &name) {
  using lsp::CheckFormat;
  return name == "json"       ? CheckFormat::Json
         : name == "sarif"    ? CheckFormat::Sarif
         : name == "markdown" ? CheckFormat::Markdown
                              : CheckFormat::Text;
}

/// One line on the terminal, which the next one takes the place of.
void showProgress(size_t number, size_t total, const std::string &name) {
  const std::string line = name.empty() ? "" : "[" + std::to_string(number) + "/" + std::to_string(total) + "] " + name;
  std::fprintf(stderr, "\r\x1b[K%s",
               lsp::features::cutToWidth(lsp::features::displayLine(line), kProgressWidth).c_str());
  std::fflush(stderr);
}

} // namespace

void CheckCommand::addTo(CLI::App &app, analysis::wire::Settings &settings) {
  app.option_defaults()->group("Checking files");
  auto *check = app.add_flag("--check", wanted_, "Analyse files without an editor, print, and exit");
  addSelection(app, check);
  addOutput(app, check);
  app.add_flag("--listing", settings.listings, "Add each region's instructions as a text for llvm-mca")->needs(check);
  addJudgement(app, check);
}

void CheckCommand::addSelection(CLI::App &app, CLI::Option *check) {
  auto *files = app.add_option("FILE", files_, "The files")->needs(check);
  auto *database =
      app.add_option("--compile-commands", compileCommands_,
                     "Also each file of this compile_commands.json, or of the one in this folder, and their headers")
          ->type_name("PATH")
          ->needs(check);
  app.add_option("--exclude", excludes_, "Leave out files whose name matches (* matches / too); may be repeated")
      ->type_name("GLOB")
      ->allow_extra_args(false)
      ->needs(check);
  auto *shard =
      app.add_option("--shard", shard_, "Only each Nth file, from the Ith on")
          ->type_name("I/N")
          ->check([](const std::string &text) {
            return lsp::readShard(text) ? std::string() : "'" + text + "' is not of the form I/N with I from 1 to N";
          })
          ->needs(check);
  app.add_option("--merge", merge_, "In place of files: the JSON of each shard of a run")
      ->type_name("FILE")
      ->needs(check)
      ->excludes(files)
      ->excludes(database)
      ->excludes(shard);
  app.add_option("--jobs,-j", jobs_, "Files that are analysed at a time (default: the processors)")
      ->type_name("N")
      ->check(CLI::Range(1u, 1024u))
      ->needs(check);
}

void CheckCommand::addOutput(CLI::App &app, CLI::Option *check) {
  auto *format = app.add_option("--format", format_, "The result's form: text, json, sarif or markdown")
                     ->check(CLI::IsMember({"text", "json", "sarif", "markdown"}).description(""))
                     ->type_name("FORM")
                     ->capture_default_str()
                     ->needs(check);
  app.add_flag("--annotate", annotate_, "Print the source with its hints in the margin")
      ->needs(check)
      ->excludes(format)
      ->excludes(app.get_option("--merge"));
  app.add_option("--top", top_, "Loops in each list at the end: the most costly, the most changed, budgets missed")
      ->type_name("N")
      ->capture_default_str()
      ->needs(check);
  app.add_option("--output,-o", output_, "Write the result to this file")->type_name("FILE")->needs(check);
  app.add_option("--color", color_, "Colour the text: auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""))
      ->type_name("WHEN")
      ->capture_default_str()
      ->needs(check);
  app.add_flag("--quiet,-q", quiet_, "Show no progress on the terminal")->needs(check);
}

void CheckCommand::addJudgement(CLI::App &app, CLI::Option *check) {
  app.add_option("--fail-on", failOn_,
                 "What makes the status 3: error, warning, information, regression, a finding's code, or never "
                 "(default: error,budget-exceeded,budget-unchecked)")
      ->type_name("WHAT,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->needs(check);
  auto *baseline = app.add_option("--baseline", baseline_, "Compare with the JSON of an earlier run")
                       ->type_name("FILE")
                       ->needs(check);
  app.add_option("--regression-percent", regressionPercent_, "More cycles than this are slower than the baseline")
      ->type_name("P")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->needs(baseline);
}

std::optional<lsp::CheckOptions> CheckCommand::options(const analysis::wire::Settings &settings) const {
  if (files_.empty() && compileCommands_.empty() && merge_.empty()) {
    lsp::logError("--check needs a file, --compile-commands or --merge");
    return std::nullopt;
  }
  lsp::CheckOptions options;
  if (!failOn_.empty()) {
    std::string unknown;
    const auto failOn = lsp::features::readFailOn(failOn_, unknown);
    if (!failOn) {
      lsp::logError("--fail-on: '" + unknown + "' is neither a severity nor the code of a finding");
      return std::nullopt;
    }
    options.failOn = *failOn;
  }
  options.selection = {files_, compileCommands_, excludes_,
                       lsp::readShard(shard_).value_or(lsp::protocol::CheckShard{})};
  options.merge = merge_;
  options.settings = settings;
  options.jobs = jobs_ ? jobs_ : std::max(std::thread::hardware_concurrency(), 1u);
  options.format = formatOf(format_);
  options.annotate = annotate_;
  options.output = output_;
  options.baseline = baseline_;
  options.top = top_;
  options.regressionPercent = regressionPercent_;
  const int terminal = output_.empty() ? lsp::system::terminalWidth() : 0;
  options.style.color = color_ == "always" || (color_ == "auto" && terminal > 0);
  if (terminal > 0)
    options.style.width = static_cast<size_t>(terminal);
  return options;
}

int CheckCommand::run(const analysis::wire::Settings &settings, const lsp::WorkerOptions &worker) const {
  const std::optional<lsp::CheckOptions> wanted = options(settings);
  if (!wanted)
    return lsp::kCheckUnusable;
  lsp::CheckOutput output{print, [](size_t, size_t, const std::string &) {}};
  if (!quiet_ && isatty(STDERR_FILENO))
    output.progress = showProgress;
  return lsp::check(*wanted, worker, output);
}
