// CLI11 writes most options into CheckOptions directly. An option without --check is an error, because it would be
// ignored.
#include "lsp/check/check_command.h"

#include "lsp/check/terminal.h"
#include "lsp/system/log.h"
#include "lsp/system/system.h"

#include <algorithm>
#include <cstdio>
#include <thread>
#include <unistd.h>

namespace {

const std::vector<std::string> kFormats = {"text", "json", "sarif", "markdown"}; // by CheckFormat

/// Flushed at once: the text of a long run is read while it grows, and may be interrupted.
void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

/// One line on the terminal, which the next call replaces.
void showProgress(size_t number, size_t total, const std::string &name) {
  constexpr size_t kWidth = 79; // characters: a line that wraps could not be erased
  const std::string line = name.empty() ? "" : "[" + std::to_string(number) + "/" + std::to_string(total) + "] " + name;
  std::fprintf(stderr, "\r\x1b[K%s", lsp::cutToWidth(lsp::displayLine(line), kWidth).c_str());
  std::fflush(stderr);
}

} // namespace

/// Adds options that need --check. (--regression-percent needs --baseline, and with that --check.)
class CheckCommand::Adder {
public:
  CLI::App &app;
  CLI::Option *check;

  template <class Value>
  CLI::Option *option(const char *names, Value &value, const char *type, const char *description) const {
    return app.add_option(names, value, description)->type_name(type)->needs(check);
  }
  /// An option whose value is one of these words, which the description names.
  CLI::Option *choice(const char *names, std::string &value, const char *type, const std::vector<std::string> &words,
                      const char *description) const {
    return option(names, value, type, description)->check(CLI::IsMember(words).description(""))->capture_default_str();
  }
  CLI::Option *flag(const char *names, bool &value, const char *description) const {
    return app.add_flag(names, value, description)->needs(check);
  }
};

void CheckCommand::addTo(CLI::App &app, analysis::wire::Settings &settings) {
  app.option_defaults()->group("Checking files");
  const Adder add{app, app.add_flag("--check", wanted_, "Analyse files without an editor, print, and exit")};
  addSelection(add);
  addOutput(add);
  add.flag("--listing", settings.listings, "Add each region's instructions as a text for llvm-mca");
  addJudgement(add);
}

/// Files are named, or a database names them; --merge takes results in place of files.
void CheckCommand::addSelection(const Adder &add) {
  lsp::CheckSelection &selection = options_.selection;
  auto *files = add.app.add_option("FILE", selection.files, "The files")->needs(add.check);
  auto *database =
      add.option("--compile-commands", selection.compileCommands, "PATH",
                 "Also each file of this compile_commands.json, or of the one in this folder, and their headers");
  add.option("--exclude", selection.excludes, "GLOB",
             "Leave out files whose name matches (* matches / too); may be repeated")
      ->allow_extra_args(false);
  auto *shard =
      add.option("--shard", shard_, "I/N", "Only each Nth file, from the Ith on")->check([](const std::string &text) {
        return lsp::readShard(text) ? "" : "'" + text + "' is not of the form I/N with I from 1 to N";
      });
  add.option("--merge", options_.merge, "FILE", "In place of files: the JSON of each shard of a run")
      ->excludes(files)
      ->excludes(database)
      ->excludes(shard);
  options_.jobs = std::max(std::thread::hardware_concurrency(), 1u);
  add.option("--jobs,-j", options_.jobs, "N", "Files that are analysed at a time (default: the processors)")
      ->check(CLI::Range(1u, 1024u));
}

/// --annotate is a form of text, so it excludes --format; it needs the sources, which --merge does not read.
void CheckCommand::addOutput(const Adder &add) {
  auto *format = add.choice("--format", format_, "FORM", kFormats, "The result's form: text, json, sarif or markdown");
  add.flag("--annotate", options_.annotate, "Print the source with its hints in the margin")
      ->excludes(format)
      ->excludes(add.app.get_option("--merge"));
  add.option("--top", options_.top, "N",
             "Loops in each list at the end: the most costly, the most changed, budgets missed")
      ->capture_default_str();
  add.app.add_option("--output,-o", options_.output, "Write the result, or the trace, to this file")->type_name("FILE");
  add.choice("--color", color_, "WHEN", {"auto", "always", "never"}, "Colour the text: auto, always or never");
  add.flag("--quiet,-q", quiet_, "Show no progress on the terminal");
}

void CheckCommand::addJudgement(const Adder &add) {
  add.option("--fail-on", failOn_, "WHAT,...",
             "What makes the status 3: error, warning, information, regression, a finding's code, or never "
             "(default: error,budget-exceeded,budget-unchecked)")
      ->delimiter(',')
      ->allow_extra_args(false);
  auto *baseline = add.option("--baseline", options_.baseline, "FILE", "Compare with the JSON of an earlier run");
  add.app
      .add_option("--regression-percent", options_.regressionPercent,
                  "More cycles than this are slower than the baseline")
      ->type_name("P")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->needs(baseline);
}

int CheckCommand::run(const analysis::wire::Settings &settings, const lsp::WorkerOptions &worker) {
  const lsp::CheckSelection &selection = options_.selection;
  if (selection.files.empty() && selection.compileCommands.empty() && options_.merge.empty()) {
    lsp::logError("--check needs a file, --compile-commands or --merge");
    return lsp::kCheckUnusable;
  }
  if (!failOn_.empty()) {
    std::string unknown;
    const auto failOn = lsp::readFailOn(failOn_, unknown);
    if (!failOn) {
      lsp::logError("--fail-on: '" + unknown + "' is neither a severity nor the code of a finding");
      return lsp::kCheckUnusable;
    }
    options_.failOn = *failOn;
  }
  options_.settings = settings;
  options_.selection.shard = lsp::readShard(shard_).value_or(lsp::CheckShard());
  options_.format = static_cast<lsp::CheckFormat>(std::ranges::find(kFormats, format_) - kFormats.begin());
  const int terminal = options_.output.empty() ? lsp::system::terminalWidth() : 0;
  options_.style.color = color_ == "always" || (color_ == "auto" && terminal > 0);
  if (terminal > 0)
    options_.style.width = static_cast<size_t>(terminal);
  lsp::CheckOutput output{print, [](size_t, size_t, const std::string &) {}};
  if (!quiet_ && isatty(STDERR_FILENO))
    output.progress = showProgress;
  return lsp::check(options_, worker, output);
}
