// The program mca-lsp: its options, and the event loop that connects a client's stream to the server.
//
// --stdio, --pipe, --socket and --clientProcessId are the names that LSP 3.17 recommends (Implementation
// Considerations): clients pass them without being configured. With --check, --doctor, --import-trace,
// --record-trace, --import-profile and --record-profile nothing of that runs; lsp/check, lsp/doctor_command,
// lsp/trace_command and lsp/profile_command have their parts.
#include "analysis/process/confinement.h"
#include "lsp/check/check_command.h"
#include "lsp/doctor_command.h"
#include "lsp/jobs/worker_supervisor.h"
#include "lsp/profile_command.h"
#include "lsp/server/server.h"
#include "lsp/settings/setting_table.h"
#include "lsp/settings/settings_docs.h"
#include "lsp/system/log.h"
#include "lsp/system/system.h"
#include "lsp/trace_command.h"
#include "lsp/transport/connection.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <filesystem>
#include <map>
#include <optional>

namespace {

using lsp::LogLevel;

/// The values of the options. Times are in milliseconds and become durations in main(), as CLI11 reads numbers.
struct Options {
  bool stdio = false; ///< has no effect: clients pass it, and it is the default
  std::string pipe;
  unsigned short socket = 0;
  int clientPid = 0;
  std::optional<LogLevel> log;
  lsp::WorkerOptions worker;
  std::string measure;
  int64_t jobTimeoutMs = 60000;
  int64_t compileTimeoutMs = analysis::wire::kCompileTime.count();
  analysis::wire::Settings settings = lsp::protocol::UserSettings().worker;
  CheckCommand check;
  TraceCommand trace;
  ProfileCommand profile;
  bool doctor = false;
  bool printSchema = false;
  bool printSettings = false;
};

CLI::Option *addPositive(CLI::App &app, const std::string &name, auto &value, const std::string &description) {
  return app.add_option(name, value, description)->type_name("N")->check(CLI::PositiveNumber)->capture_default_str();
}

/// Without allow_extra_args(false) a list would take the program's other arguments, too.
CLI::Option *addRepeatable(CLI::App &app, const std::string &name, std::vector<std::string> &values,
                           const std::string &description) {
  return app.add_option(name, values, description)->allow_extra_args(false);
}

/// A program that was installed with this one: PATH may name that of another version.
std::string programBesideThis(const std::string &name) {
  const std::string self = lsp::system::ownPath();
  return self.substr(0, self.rfind('/') + 1) + name;
}

void addMeasureOption(CLI::App &app, Options &options) {
  app.option_defaults()->group("Measuring");
  app.add_option("--measure", options.measure,
                 "What measures loops and calibrates this CPU (default: mca-measure beside this program)")
      ->type_name("PATH");
}

void addServerOptions(CLI::App &app, Options &options) {
  app.option_defaults()->group("The connection");
  app.add_flag("--stdio", options.stdio, "Speak over standard input and output (the default)");
  auto *pipe = app.add_option("--pipe", options.pipe, "Connect to the client's Unix socket")->type_name("PATH");
  app.add_option("--socket", options.socket, "Connect to the client's TCP port on this machine")
      ->type_name("PORT")
      ->excludes(pipe);
  app.add_option("--clientProcessId", options.clientPid, "Exit when this process ends")
      ->type_name("PID")
      ->check(CLI::PositiveNumber);
}

/// The limits of time have the names that the worker's own options have.
void addWorkerOptions(CLI::App &app, Options &options) {
  app.option_defaults()->group("The worker");
  app.add_option("--worker", options.worker.program, "The worker (default: mca-worker beside this program)")
      ->type_name("PATH");
  addPositive(app, analysis::wire::kJobMemoryOption, options.worker.memoryLimitMb,
              "Memory that each worker may use, in MiB");
  addPositive(app, analysis::wire::kCompileMemoryOption, options.worker.compileMemoryLimitMb,
              "Memory that one run of the compiler may use, in MiB");
  addPositive(app, analysis::wire::kJobTimeOption, options.jobTimeoutMs,
              "Processor time that a job may use without progress, the compiler's apart, in milliseconds");
  addPositive(app, analysis::wire::kCompileTimeOption, options.compileTimeoutMs,
              "Processor time that one run of the compiler may use, in milliseconds");
  const std::map<std::string, bool> switches{{"on", true}, {"off", false}};
  app.add_option("--sandbox", options.worker.sandbox,
                 "on or off: whether the kernel keeps the worker and the compiler from the network, from writing, and "
                 "the compiler from files outside of the project (default: on)")
      ->type_name("WORD")
      ->transform(CLI::CheckedTransformer(switches).description(""));
}

/// The path from the current folder of a file that the setting `calibration` names.
std::string absoluteUnlessWord(const std::string &value) {
  const std::vector<std::string> &words = lsp::protocol::findSetting("calibration")->choices;
  const bool isWord = std::ranges::find(words, value) != words.end();
  return value.empty() || isWord ? value : std::filesystem::absolute(value).lexically_normal().string();
}

/// The same settings as in a configuration file, one layer above the user's own file.
void addTargetOptions(CLI::App &app, Options &options) {
  app.option_defaults()->group("The target");
  app.add_option("--cpu", options.settings.cpu, "The CPU to model, by LLVM's name")->type_name("NAME");
  addRepeatable(app, "--other-cpu", options.settings.cpus, "Another CPU to show the numbers of; may be repeated")
      ->type_name("NAME");
  app.add_option("--triple", options.settings.triple, "The LLVM target triple")->type_name("TRIPLE");
  app.add_option("--features", options.settings.features, "LLVM subtarget features, as +avx2,-fma")->type_name("LIST");
  app.add_option("--iterations", options.settings.iterations, "Iterations to simulate (0: llvm-mca's 100)")
      ->type_name("N");
  app.add_option("--calibration", options.settings.calibration,
                 "The calibration of the CPU that the numbers come from: a file, auto (your own of this machine's CPU, "
                 "or a shipped one) or off")
      ->type_name("FILE")
      ->transform(absoluteUnlessWord)
      ->capture_default_str();
  app.add_option("--profile", options.settings.profile,
                 "A profile of the program, which says what share of its time a loop takes")
      ->type_name("FILE")
      ->transform([](const std::string &file) { return std::filesystem::absolute(file).lexically_normal().string(); });
  app.add_option(
         "--model", options.settings.model,
         "What a CPU without a calibration has with --calibration auto: documented (what is published of it, the "
         "default) or llvm (LLVM's model alone)")
      ->type_name("NAME")
      ->check(CLI::IsMember(lsp::protocol::findSetting("model")->choices))
      ->transform([](const std::string &value) { return value == "documented" ? std::string() : value; });
}

void addCompilerOptions(CLI::App &app, Options &options) {
  app.option_defaults()->group("The compiler of C and C++");
  app.add_option("--compiler", options.settings.compiler,
                 "The clang or gcc that lowers C and C++, or project for the compile command's own (default: clang-22)")
      ->type_name("PATH");
  addRepeatable(
      app, "--trusted-folder", options.settings.trustedFolders,
      "A folder whose loops may be measured, and with --compiler=project, whose databases may name the compiler")
      ->type_name("PATH")
      ->transform([](const std::string &folder) { return std::filesystem::absolute(folder).string(); });
  addRepeatable(app, "--readable-folder", options.settings.readableFolders,
                "A folder that the compiler may read, beside the project's and the system's")
      ->type_name("PATH")
      ->transform([](const std::string &folder) { return std::filesystem::absolute(folder).string(); });
  addRepeatable(app, "--allowed-compiler", options.settings.allowedCompilers,
                "With --compiler=project: compilers that may run, by their absolute path (* matches / too)")
      ->type_name("GLOB");
}

/// The groups are the headings of --help, in this order.
void addOptions(CLI::App &app, Options &options) {
  const std::map<std::string, LogLevel> levels{
      {"error", LogLevel::Error}, {"info", LogLevel::Info}, {"verbose", LogLevel::Verbose}};
  app.set_version_flag("--version", "mca-lsp " MCA_VERSION);
  app.add_option("--log", options.log, "How much to log: error, info or verbose (default: info; error with --check)")
      ->transform(CLI::CheckedTransformer(levels).description(""))
      ->type_name("LEVEL");
  addServerOptions(app, options);
  addWorkerOptions(app, options);
  addMeasureOption(app, options);
  addTargetOptions(app, options);
  addCompilerOptions(app, options);
  options.trace.addTo(app);
  options.profile.addTo(app);
  options.check.addTo(app, options.settings);
  app.add_flag("--doctor", options.doctor,
               "Print what is found on this machine and set in this folder, and what to do about what is missing");
  app.add_flag("--print-schema", options.printSchema, "Print the JSON schema of configuration files, and exit");
  app.add_flag("--print-settings", options.printSettings, "Print the page about all settings, and exit");
}

/// No value if the client cannot be reached; the reason is in the log.
std::optional<lsp::transport::Endpoint> openEndpoint(const Options &options) {
  std::string error;
  std::optional<lsp::transport::Endpoint> endpoint;
  if (!options.pipe.empty())
    endpoint = lsp::transport::connectPipe(options.pipe, error);
  else if (options.socket != 0)
    endpoint = lsp::transport::connectTcp(options.socket, error);
  else
    endpoint = lsp::transport::openStdio(error);
  if (!endpoint)
    lsp::logError("cannot connect to the client: " + error);
  return endpoint;
}

/// Runs handlers until the loop is stopped. An exception from a handler is our bug; the editor's session goes on
/// without that message.
void runLoop(boost::asio::io_context &io) {
  while (!io.stopped()) {
    try {
      io.run();
    } catch (const std::exception &error) {
      lsp::logError(std::string("internal error: ") + error.what());
    }
  }
}

lsp::ConfigurationOptions configurationOf(const Options &options) {
  lsp::ConfigurationOptions configuration;
  configuration.commandLine.worker = options.settings;
  configuration.userFile = lsp::userConfigPath();
  return configuration;
}

/// Returns the exit status: 0 after shutdown and exit, 1 if the client's stream or process has ended before that.
int runServer(const Options &options) {
  const auto endpoint = openEndpoint(options);
  if (!endpoint)
    return 1;
  boost::asio::io_context io(1);
  lsp::transport::Connection connection(io, *endpoint);
  lsp::WorkerSupervisor worker(io, options.worker), furtherWorker(io, options.worker);
  lsp::system::ProcessWatch watch(io);
  boost::asio::steady_timer flushTimeout(io);
  int status = 1;
  const auto stop = [&](int newStatus) {
    status = newStatus;
    // A client that has stopped reading must not keep this process alive.
    flushTimeout.expires_after(std::chrono::milliseconds(500));
    flushTimeout.async_wait([&](boost::system::error_code) { io.stop(); });
    connection.finish([&] { io.stop(); });
  };
  const auto watchClient = [&](int pid) {
    watch.watch(pid, [&] {
      lsp::logError("the client's process is gone");
      status = 1;
      io.stop();
    });
  };
  lsp::ServerOptions serverOptions;
  serverOptions.configuration = configurationOf(options);
  serverOptions.programs.worker = options.worker.program;
  serverOptions.missingConfinement = options.worker.sandbox ? analysis::describeMissing(analysis::confinementSupport())
                                                            : "the sandbox is turned off (--sandbox=off)";
  serverOptions.programs.measure = options.measure;
  const auto send = [&](std::string_view content) { connection.send(content); };
  if (!serverOptions.missingConfinement.empty())
    lsp::logInfo("not fully confined: " + serverOptions.missingConfinement);
  lsp::Server server(io, {worker, furtherWorker}, serverOptions, {send, stop, watchClient});
  if (options.clientPid > 0)
    watchClient(options.clientPid);
  connection.start({[&](std::string_view content) { server.receive(content); },
                    [&](const std::string &what) { server.receivedBadFrame(what); },
                    [&](const std::string &why) {
                      lsp::logError("the client's stream ended without exit: " + why);
                      stop(1);
                    }});
  runLoop(io);
  return status;
}

} // namespace

int main(int argc, char **argv) {
  lsp::system::openClosedStandardStreams();
  CLI::App app{"mca-lsp: shows in the editor how fast a loop runs on a CPU, and what holds it back", "mca-lsp"};
  Options options;
  addOptions(app, options);
  argc = options.trace.takeCommand(argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) { // for --help and --version, too
    const int status = app.exit(error);
    return status == 0 && !std::cout.flush() ? lsp::kCheckUnusable : status;
  }
  if (options.printSchema || options.printSettings) {
    std::cout << (options.printSchema ? lsp::protocol::settingsSchema() : lsp::protocol::settingsPage()) << std::flush;
    return std::cout ? 0 : lsp::kCheckUnusable;
  }
  const bool isCommand = options.check.wanted() || options.trace.wanted() || options.profile.wanted();
  if (!isCommand && !options.check.output().empty()) {
    std::cerr << "--output requires --check, --import-trace, --record-trace, --import-profile or --record-profile\n";
    return static_cast<int>(CLI::ExitCodes::RequiresError);
  }
  lsp::setLogLevel(options.log.value_or(isCommand ? LogLevel::Error : LogLevel::Info));
  if (options.worker.program.empty())
    options.worker.program = programBesideThis("mca-worker");
  if (options.measure.empty())
    options.measure = programBesideThis("mca-measure");
  options.worker.jobTimeout = std::chrono::milliseconds(options.jobTimeoutMs);
  options.worker.compileTimeout = std::chrono::milliseconds(options.compileTimeoutMs);
  std::signal(SIGPIPE, SIG_IGN);
  if (options.doctor)
    return DoctorCommand{configurationOf(options), options.worker, lsp::system::ownPath(), options.measure}.run();
  lsp::logInfo("mca-lsp " MCA_VERSION);
  if (options.trace.wanted())
    return options.trace.run(options.settings, options.worker.program, options.check.output());
  if (options.profile.wanted())
    return options.profile.run(options.trace.programs(), options.trace.command(), options.worker.program,
                               options.check.output());
  return options.check.wanted() ? options.check.run(options.settings, options.worker, options.measure)
                                : runServer(options);
}
