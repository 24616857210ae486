#include "lsp/doctor_command.h"

#include "analysis/process/child_process.h"
#include "analysis/process/confinement.h"
#include "analysis/text/visible_text.h"
#include "lsp/settings/setting_table.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sys/utsname.h>
#include <thread>
#include <unistd.h>

namespace {

constexpr int kNoNumbers = 2; // as with --check, when a run is impossible

/// The report: sections of names with what was found, and what to do at its end.
class Report {
public:
  void section(const std::string &title) { text_ += "\n" + title + "\n"; }
  void add(std::string name, const std::string &found) {
    constexpr size_t kNameWidth = 20;
    name.resize(std::max(kNameWidth, name.size()), ' ');
    text_ += "  " + name + " " + analysis::visibleText(found) + "\n";
  }
  void advise(const std::string &what) { advice_ += "  - " + analysis::visibleText(what) + "\n"; }
  std::string text() const {
    return text_ + "\nWhat to do\n" + (advice_.empty() ? "  nothing: all that is needed was found\n" : advice_);
  }

private:
  std::string text_ = "mca-lsp " MCA_VERSION "\n";
  std::string advice_;
};

std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? "none" : text;
}

/// PRETTY_NAME of os-release(5).
std::string distribution() {
  std::ifstream file("/etc/os-release");
  constexpr std::string_view kKey = "PRETTY_NAME=";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(kKey)) {
      line.erase(0, kKey.size());
      std::erase(line, '"');
      return line;
    }
  return "an unknown distribution";
}

void addSystem(Report &report) {
  utsname name{};
  uname(&name);
  const long pages = sysconf(_SC_PHYS_PAGES), pageSize = sysconf(_SC_PAGESIZE);
  report.section("System");
  report.add("system", distribution() + ", " + name.sysname + " " + name.release + ", " + name.machine);
  report.add("machine", std::to_string(std::thread::hardware_concurrency()) + " processors, " +
                            std::to_string((pages / 1024) * (pageSize / 1024)) + " MiB of memory");
  const std::string missing = analysis::describeMissing(analysis::confinementSupport());
  report.add("confinement", missing.empty() ? "Landlock and seccomp" : missing);
  if (!missing.empty())
    report.advise("the kernel lacks a part of the worker's confinement: open only folders that you trust");
}

/// What the worker found, line by line; its advice is ours.
void addWorkersLines(Report &report, std::string_view output) {
  while (!output.empty()) {
    const size_t end = output.find('\n');
    const std::string_view line = output.substr(0, end);
    output.remove_prefix(end == std::string_view::npos ? output.size() : end + 1);
    const size_t tab = line.find('\t');
    if (tab == std::string_view::npos)
      continue;
    const std::string name(line.substr(0, tab)), found(line.substr(tab + 1));
    if (name == "advice")
      report.advise(found);
    else
      report.add(name, found);
  }
}

/// Returns whether there is a worker.
bool addWorker(Report &report, const std::string &program, const analysis::wire::Settings &settings) {
  analysis::ChildCommand command{
      .directory = "/", .arguments = {program, "--doctor"}, .environment = {}, .confinement = {}};
  const std::pair<const char *, const std::string *> options[] = {
      {"--triple", &settings.triple},
      {"--cpu", &settings.cpu},
      {"--features", &settings.features},
      {"--calibration", &settings.calibration},
      {"--model", &settings.model},
      {"--compiler", &settings.compiler},
      {"--calibration-folder", &settings.calibrationFolder}};
  for (const auto &[name, value] : options)
    if (!value->empty())
      command.arguments.insert(command.arguments.end(), {name, *value});
  for (char **variable = environ; *variable; ++variable)
    command.environment.emplace_back(*variable);
  const analysis::ChildLimits limits{.time = std::chrono::seconds(60), .processes = 32};
  const analysis::ChildResult result = analysis::runChild(command, limits, {});
  const bool works = result.end == analysis::ChildResult::End::Exited && result.status == 0;
  report.add("worker", program + (works ? "" : " does not run"));
  if (!works)
    report.advise(
        "without the worker there are no numbers: install mca-worker beside mca-lsp, or name it with --worker" +
        (result.errors.empty() ? "" : ". It says: " + result.errors.substr(0, result.errors.find('\n'))));
  addWorkersLines(report, result.output);
  return works;
}

/// One configuration file: what it sets, and what is wrong with it.
void addConfiguration(Report &report, lsp::Configuration &configuration, const std::string &path) {
  const lsp::LoadedConfig *const loaded = path.empty() ? nullptr : configuration.load(path);
  if (!loaded) {
    if (!path.empty())
      report.add(path, "is not there");
    return;
  }
  size_t values = 0;
  for (const lsp::protocol::ConfigFragment &fragment : loaded->content.fragments)
    for (const lsp::protocol::SettingValue &value : fragment.values) {
      const std::string where = fragment.paths.empty() ? "" : " for " + joined(fragment.paths);
      if (values++ == 0)
        report.add(path, "sets");
      report.add("", value.setting->name + " = " + value.value.dump() + where);
    }
  if (values == 0)
    report.add(path, "sets nothing");
  for (const analysis::wire::Finding &finding : loaded->content.findings)
    report.advise(path + ":" + std::to_string(loaded->text.lineOf(finding.at.begin) + 1) + ": " + finding.message);
}

void addSettings(Report &report, const lsp::protocol::UserSettings &settings, const lsp::WorkerOptions &worker) {
  const analysis::wire::Settings &values = settings.worker;
  report.section("Trust");
  report.add("trusted folders", joined(values.trustedFolders));
  report.add("readable folders", joined(values.readableFolders));
  report.add("allowed compilers", joined(values.allowedCompilers));
  report.section("Limits");
  report.add("worker", std::to_string(worker.memoryLimitMb) + " MiB, " + std::to_string(worker.jobTimeout.count()) +
                           " ms without progress");
  report.add("compiler", std::to_string(worker.compileMemoryLimitMb) + " MiB, " +
                             std::to_string(worker.compileTimeout.count()) + " ms");
}

} // namespace

int DoctorCommand::run() const {
  Report report;
  lsp::Configuration settings(configuration);
  const std::string folder = std::filesystem::current_path().string();
  settings.setRoots({folder});
  const std::string anyFile = folder + "/source.c";
  const lsp::protocol::UserSettings inForce = settings.settingsFor(anyFile);
  addSystem(report);
  report.section("Programs and this CPU");
  report.add("mca-lsp", program);
  const bool measures = access(measure.c_str(), X_OK) == 0;
  report.add("mca-measure", measures ? measure : measure + " is not there");
  if (!measures)
    report.advise("without mca-measure no loop can be measured: install it beside mca-lsp, or name it with --measure");
  const bool works = addWorker(report, worker.program, inForce.worker);
  report.section("Configuration of " + folder);
  addConfiguration(report, settings, settings.userFile());
  addConfiguration(report, settings, settings.folderFile(anyFile));
  addSettings(report, inForce, worker);
  const std::string text = report.text();
  const bool isWritten = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return works && isWritten ? 0 : kNoNumbers;
}
