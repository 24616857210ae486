// The command mca.calibrate, with a shell script in place of mca-measure that replays what such a run prints.
#include "lsp/tasks/measure_program.h"
#include "tests/lsp/server_scripts.h"

namespace lsp {
namespace {

using protocol::ErrorCode;
using protocol::Json;

/// Keeps its arguments and prints the file `lines`. With a file `slow` it then waits for an interrupt, on which it
/// prints `rest`, as mca-measure does.
ServerOptions withScript() {
  ServerOptions options = withoutHead();
  options.programs.architecture = "x86_64";
  options.programs.measure =
      makeScript("measure", "echo \"$*\" >> arguments\n"
                            "trap 'kill $!; cat rest >&2; exit 0' INT\n"
                            "cat lines >&2\n"
                            "if test -e slow; then echo started > started; sleep 100 >/dev/null 2>&1 & wait; fi\n"
                            "test ! -e failing\n");
  return options;
}

const std::string kRecorded = R"({"phase":"structure","done":3,"total":40,"secondsLeft":20.4})"
                              "\n"
                              R"({"phase":"forms","done":0,"total":2386})"
                              "\n"
                              R"({"phase":"forms","done":800,"total":2386,"secondsLeft":141.2})"
                              "\n";
const std::string kEnd = R"({"file":"/data/x.calibration","forms":2386})"
                         "\n";

class ServerCalibrate : public ServerScriptTest {
protected:
  explicit ServerCalibrate(ServerOptions options = withScript()) : ServerScriptTest(std::move(options)) {}

  void start() {
    initialize({{"window", {{"workDoneProgress", true}}}});
    open("aaa\n");
    runner.finish(oneHint());
  }
  int calibrate(const Json &argument = Json::object()) { return command("mca.calibrate", argument); }
  int calibrateWith(const std::string &lines) {
    write("lines", lines);
    return calibrate();
  }
  /// A run that has printed its progress, and ends when it is interrupted.
  int runSlowly() {
    write("slow", "");
    remove("started");
    const int id = calibrateWith(kRecorded);
    await([] { return exists("started"); });
    return id;
  }
  std::vector<Json> progress() const {
    std::vector<Json> values;
    for (const Json &one : calls("$/progress"))
      values.push_back(one["params"]["value"]);
    return values;
  }
};

TEST_F(ServerCalibrate, SaysWhereTheFileIsAndAnalysesAnew) {
  start();
  const int id = calibrateWith(kRecorded + kEnd);
  respond("window/workDoneProgress/create", nullptr);
  awaitAnswer(id);
  EXPECT_EQ(contentOf("arguments"), "calibrate --progress=json\n");
  EXPECT_EQ(result(id), Json::parse(R"({"file": "/data/x.calibration", "forms": 2386, "complete": true})"));
  EXPECT_EQ(messages(), std::vector<std::string>{
                            "mca-lsp: this CPU is calibrated: 2386 forms of instructions in /data/x.calibration"});
  EXPECT_TRUE(runner.busy()) << "the document is analysed anew";
}

TEST_F(ServerCalibrate, ShowsHowFarItIs) {
  start();
  const int id = runSlowly();
  respond("window/workDoneProgress/create", nullptr);
  await([&] { return !progress().empty() && progress().back()["message"] == "800 of 2386 forms, about 2 min left"; });
  EXPECT_EQ(progress().front()["title"], "Calibrating for this CPU");
  EXPECT_EQ(progress().front()["cancellable"], true);
  EXPECT_TRUE(progress().front().contains("percentage")) << "otherwise the client shows no bar";
  EXPECT_EQ(progress().back()["percentage"], 33);
  write("rest", kEnd);
  notify("$/cancelRequest", {{"id", id}});
  awaitAnswer(id);
  EXPECT_EQ(progress().back()["kind"], "end");
}

TEST_F(ServerCalibrate, CancelledItKeepsWhatItHasAndGoesOnLater) {
  start();
  const int id = runSlowly();
  write("rest", R"({"file":"/data/x.calibration","forms":800})"
                "\n");
  const Json token = calls("window/workDoneProgress/create").back()["params"]["token"];
  notify("window/workDoneProgress/cancel", {{"token", token}});
  EXPECT_TRUE(answer(id).is_null()) << "it ends by itself";
  awaitAnswer(id);
  EXPECT_EQ(result(id), Json::parse(R"({"file": "/data/x.calibration", "forms": 800, "complete": false})"));
  EXPECT_EQ(messages().back(), "mca-lsp: the calibration was ended early: 800 forms of instructions in "
                               "/data/x.calibration. Start it again to measure the rest");
  remove("slow");
  awaitAnswer(calibrateWith(kEnd));
  awaitAnswer(calibrateWith(kEnd));
  EXPECT_EQ(contentOf("arguments"),
            "calibrate --progress=json\ncalibrate --progress=json --resume\ncalibrate --progress=json\n");
}

TEST_F(ServerCalibrate, CancelledBeforeItHasAnythingItFails) {
  start();
  const int id = runSlowly();
  write("rest", "");
  notify("$/cancelRequest", {{"id", id}});
  awaitAnswer(id);
  EXPECT_EQ(error(id), static_cast<int>(ErrorCode::RequestCancelled));
  EXPECT_TRUE(messages().empty());
  EXPECT_FALSE(runner.busy());
}

TEST_F(ServerCalibrate, GoesOnIfTheClientSaysSo) {
  start();
  write("lines", kEnd);
  awaitAnswer(calibrate({{"resume", true}}));
  EXPECT_EQ(contentOf("arguments"), "calibrate --progress=json --resume\n");
  EXPECT_EQ(error(calibrate({{"resume", "yes"}})), static_cast<int>(ErrorCode::InvalidParams));
}

TEST_F(ServerCalibrate, RunsOnceAtATimeAndNotBesideAMeasurement) {
  start();
  const int id = runSlowly();
  EXPECT_EQ(errorText(calibrate()), "this CPU is being calibrated already");
  EXPECT_TRUE(answer(id).is_null());
  const int shutdown = request("shutdown");
  EXPECT_EQ(error(id), static_cast<int>(ErrorCode::RequestCancelled));
  EXPECT_TRUE(answer(shutdown).contains("result"));
}

TEST_F(ServerCalibrate, FailsWithTheProgramsReason) {
  start();
  write("failing", "");
  const int noisy = calibrateWith(kRecorded + R"({"error":"the machine was not quiet for ten minutes"})" + "\n");
  awaitAnswer(noisy);
  EXPECT_EQ(errorText(noisy), "the machine was not quiet for ten minutes");
  const int old = calibrateWith("mca-measure: Unknown command line argument '--progress=json'.\n");
  awaitAnswer(old);
  EXPECT_EQ(errorText(old), "mca-measure: Unknown command line argument '--progress=json'.");
  const int silent = calibrateWith("");
  awaitAnswer(silent);
  EXPECT_EQ(errorText(silent), "mca-measure ended without a calibration");
  remove("measure");
  const int none = calibrate();
  awaitAnswer(none);
  EXPECT_EQ(errorText(none), "No such file or directory");
  EXPECT_FALSE(runner.busy());
}

/// The program gives up on a noisy machine, and has a file all the same.
TEST_F(ServerCalibrate, UsesWhatWasMeasuredUntilAFailure) {
  start();
  write("failing", "");
  const int id = calibrateWith(kEnd + R"({"error":"the machine was not quiet for ten minutes"})" + "\n");
  awaitAnswer(id);
  EXPECT_EQ(errorText(id), "the machine was not quiet for ten minutes");
  EXPECT_TRUE(runner.busy());
  runner.finish(oneHint());
  remove("failing");
  awaitAnswer(calibrateWith(kEnd));
  EXPECT_TRUE(contentOf("arguments").ends_with("--resume\n"));
}

class OnAnotherMachine : public ServerCalibrate {
protected:
  OnAnotherMachine()
      : ServerCalibrate([] {
          ServerOptions options = withScript();
          options.programs.architecture = "aarch64";
          return options;
        }()) {}
};

TEST_F(OnAnotherMachine, SaysThatItCannot) {
  start();
  EXPECT_EQ(errorText(calibrate()), "only x86-64 CPUs can be calibrated yet; this one is AArch64");
  EXPECT_FALSE(exists("arguments"));
}

TEST(CalibrationReport, SaysHowLongItTakes) {
  CalibrationReport report;
  EXPECT_EQ(report.inWords(), "the CPU's structure");
  report.read(R"({"phase":"structure","done":3,"total":40,"secondsLeft":20.4})");
  EXPECT_EQ(report.inWords(), "the CPU's structure, about 20 s left");
  EXPECT_EQ(report.percentage(), 0u);
  report.read(R"({"phase":"forms","done":2385,"total":2386,"secondsLeft":0})");
  EXPECT_EQ(report.inWords(), "2385 of 2386 forms, about 10 s left");
  EXPECT_EQ(report.percentage(), 99u);
  report.read(R"({"phase":"forms","done":9,"total":9,"secondsLeft":90})");
  EXPECT_EQ(report.inWords(), "9 of 9 forms, about 2 min left");
  EXPECT_EQ(report.percentage(), 100u);
}

TEST(CalibrationReport, IgnoresWhatMakesNoSense) {
  CalibrationReport report;
  for (const char *line : {"", "[]", "3", R"({})", R"({"phase":4})", R"({"file":1,"forms":2})", R"({"error":{}})"})
    report.read(line);
  report.error.clear(); // of the lines that are no objects
  EXPECT_EQ(report, CalibrationReport());
  report.read(R"({"phase":"forms","done":-1,"total":1e300,"secondsLeft":-4})");
  EXPECT_EQ(report.percentage(), 0u);
  EXPECT_EQ(report.secondsLeft, -1);
  report.read(R"({"phase":"forms","done":5,"total":4,"secondsLeft":1e300})");
  EXPECT_EQ(report.percentage(), 100u);
  EXPECT_EQ(report.secondsLeft, -1);
}

} // namespace
} // namespace lsp
