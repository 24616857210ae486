// CLI11 writes most options into CheckOptions directly. An option without --check is an error, because it would be
// ignored.
#include "lsp/check/check_command.h"

#include "lsp/check/check_ninja.h"
#include "lsp/check/named_file.h"
#include "lsp/check/result_file.h"
#include "lsp/check/terminal.h"
#include "lsp/system/log.h"
#include "lsp/system/system.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <set>
#include <thread>
#include <unistd.h>

namespace {

/// As the value of --output.
constexpr const char *kStandardOutput = "-";

const std::vector<std::string> kFormats = {"text", "json", "sarif", "markdown"}; // by CheckFormat

/// Flushed at once: the text of a long run is read while it grows, and may be interrupted.
bool print(std::string_view text) {
  const size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  return std::fflush(stdout) == 0 && written == text.size();
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
  app_ = &app;
  app.option_defaults()->group("Checking files");
  const Adder add{app, app.add_flag("--check", wanted_, "Analyse files without an editor, print, and exit")};
  addSelection(add);
  addOutput(add);
  add.flag("--listing", settings.listings, "Add each region's instructions as a text for llvm-mca");
  add.app
      .add_flag(
          "--advise{predicted}", options_.advise,
          "Say what would make each loop of C and C++ faster: compiles each with up to 17 changes; with =measured "
          "also time what is found on this machine, which runs code of trusted folders")
      ->check(CLI::IsMember({"predicted", "measured"}))
      ->needs(add.check);
  addJudgement(add);
  addParts(add);
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
  add.option("--merge", options_.merge, "FILE",
             "In place of files: the JSON of each shard of a run; @FILE for those that FILE names, one a line")
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
  add.app
      .add_option("--output,-o", options_.output,
                  "Write the result, the trace or the profile to this file (- is standard output)")
      ->type_name("FILE");
  add.choice("--color", color_, "WHEN", {"auto", "always", "never"}, "Colour the text: auto, always or never");
  add.flag("--quiet,-q", quiet_, "Show no progress on the terminal");
}

void CheckCommand::addJudgement(const Adder &add) {
  add.option(
         "--fail-on", failOn_, "WHAT,...",
         "What makes the status 3: error, warning, information, regression, hot-regression, a finding's code, or never "
         "(default: error,budget-exceeded,budget-unchecked)")
      ->delimiter(',')
      ->allow_extra_args(false);
  auto *baseline = add.option("--baseline", options_.baseline, "FILE", "Compare with the JSON of an earlier run");
  add.app
      .add_option("--regression-percent", options_.regressionPercent,
                  "More cycles than this are slower than the baseline")
      ->type_name("P")
      ->check([](const std::string &text) {
        double percent = -1;
        const bool isNumber = CLI::detail::lexical_cast(text, percent);
        return isNumber && std::isfinite(percent) && percent >= 0 ? "" : "'" + text + "' is no percentage";
      })
      ->capture_default_str()
      ->needs(baseline);
}

/// A run in pieces that a build system puts together. What Ninja decides, and what it does with a result, excludes
/// options.
void CheckCommand::addParts(const Adder &add) {
  CLI::App &app = add.app;
  auto *ninja =
      add.option("--ninja", ninja_, "FILE",
                 "Analyse nothing: write a Ninja file that does the run, an edge for each file of the database, "
                 "and later only what has changed")
          ->needs(app.get_option("--compile-commands"));
  auto *unit =
      add.option("--unit", options_.unit, "FILE", "In place of files: the one that an edge of --ninja describes");
  for (const char *other : {"FILE", "--shard", "--merge", "--annotate"}) {
    ninja->excludes(app.get_option(other));
    unit->excludes(app.get_option(other));
  }
  for (const char *other : {"--jobs", "--unit"})
    ninja->excludes(app.get_option(other));
  unit->excludes(app.get_option("--compile-commands"));
  add.option("--depfile", options_.depfile, "FILE",
             "Write a rule of make, as compilers do with -MD: --output depends on the files that were read")
      ->needs(app.get_option("--output"))
      ->excludes(ninja)
      ->excludes(app.get_option("--merge"));
}

namespace {

/// The options that only --merge has, and those of the run that its pieces lack.
const std::set<std::string> kOfTheEnd = {"--format",  "--top",      "--color",
                                         "--fail-on", "--baseline", "--regression-percent"};
const std::set<std::string> kOfTheRun = {"--check", "--compile-commands", "--ninja", "--output", "--quiet"};

/// "--cpu=znver4" for each value that was given; a flag that was named alone has "true".
void append(std::vector<std::string> &words, const CLI::Option &option) {
  const std::string name = option.get_name();
  const bool isFlag = option.get_expected_min() == 0;
  for (const std::string &value : option.results())
    words.push_back(isFlag && value == "true" ? name : name + "=" + value);
}

/// "mca.ninja" with the extension of the result's form.
std::string resultBeside(const std::string &ninja, const std::string &format) {
  const std::string extension = format == "text" ? "txt" : format == "markdown" ? "md" : format;
  return std::filesystem::path(ninja).replace_extension(extension).string();
}

/// Why the Ninja file, or later its result, would replace what the run reads; empty if neither does.
std::string whyNotWritable(const lsp::NinjaFile &file) {
  if (file.result == kStandardOutput)
    return "--ninja needs a file as --output: Ninja keeps the result to see whether it is out of date";
  std::vector<lsp::NamedFile> inputs = {
      {"the compile database", file.database}, {"the baseline", file.baseline}, {"this program", file.program}};
  for (const lsp::CheckUnit &unit : file.units)
    inputs.push_back({"a source", unit.file});
  return lsp::whyNotWritable({{"--ninja", file.path}, {"the result", file.result}}, inputs);
}

} // namespace

/// The options are taken as they were given, and not from what they were converted to, so that one that is added later
/// reaches the pieces without a change here.
int CheckCommand::writeNinja() const {
  lsp::NinjaFile file{.path = ninja_,
                      .program = lsp::system::ownPath(),
                      .again = {"--quiet"},
                      .unitOptions = {},
                      .mergeOptions = {},
                      .database = lsp::databaseFile(options_.selection.compileCommands),
                      .baseline = options_.baseline,
                      .result = options_.output.empty() ? resultBeside(ninja_, format_) : options_.output,
                      .units = {}};
  for (const CLI::Option *option : app_->get_options()) {
    if (option->count() == 0)
      continue;
    const std::string name = option->get_name();
    if (name != "--check" && name != "--quiet")
      append(file.again, *option);
    if (kOfTheEnd.contains(name))
      append(file.mergeOptions, *option);
    else if (!kOfTheRun.contains(name))
      append(file.unitOptions, *option);
  }
  const std::string folder = std::filesystem::current_path().string();
  std::string error;
  file.units = lsp::unitsOf(options_.selection, folder, error);
  if (error.empty())
    error = whyNotWritable(file);
  const lsp::NinjaText ninja = error.empty() ? lsp::ninjaText(file) : lsp::NinjaText{"", error};
  if (!ninja.error.empty()) {
    lsp::logError(ninja.error);
    return lsp::kCheckUnusable;
  }
  if (!lsp::writeWholeFile(ninja_, ninja.text)) {
    lsp::logError(ninja_ + ": cannot be written");
    return lsp::kCheckUnusable;
  }
  if (!quiet_)
    std::printf("%s: %zu files; `ninja -f %s` analyses those that have changed and writes %s\n", ninja_.c_str(),
                file.units.size(), ninja_.c_str(), file.result.c_str());
  return 0;
}

int CheckCommand::run(const analysis::wire::Settings &settings, const lsp::WorkerOptions &worker,
                      const std::string &measure) {
  options_.measure = measure;
  const lsp::CheckSelection &selection = options_.selection;
  const bool isUnit = !options_.unit.empty();
  if (selection.files.empty() && selection.compileCommands.empty() && options_.merge.empty() && !isUnit) {
    lsp::logError("--check needs a file, --compile-commands or --merge");
    return lsp::kCheckUnusable;
  }
  const bool isStandardOutput = options_.output == kStandardOutput;
  if (ninja_ == kStandardOutput || options_.depfile == kStandardOutput ||
      (isStandardOutput && !options_.depfile.empty())) {
    lsp::logError("--ninja and --depfile need files, and --output does with them: - is standard output");
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
  if (!ninja_.empty())
    return writeNinja();
  if (isStandardOutput)
    options_.output.clear();
  options_.settings = settings;
  options_.selection.shard = lsp::readShard(shard_).value_or(lsp::CheckShard());
  options_.format = static_cast<lsp::CheckFormat>(std::ranges::find(kFormats, format_) - kFormats.begin());
  if (isUnit) { // the merge judges, of the JSON
    options_.format = lsp::CheckFormat::Json;
    options_.failOn = {};
  }
  const int terminal = options_.output.empty() ? lsp::system::terminalWidth() : 0;
  options_.style.color = color_ == "always" || (color_ == "auto" && terminal > 0);
  if (terminal > 0)
    options_.style.width = static_cast<size_t>(terminal);
  lsp::CheckOutput output{print, [](size_t, size_t, const std::string &) {}};
  if (!quiet_ && isatty(STDERR_FILENO))
    output.progress = showProgress;
  return lsp::check(options_, worker, output);
}
