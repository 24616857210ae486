// The real programs mca-measure and mca -calibration: what a user and an editor see of them.
#include "mca-core/calibration/calibration_file.h"
#include "mca-core/calibration/cpu_identity.h"
#include "tests/differential/process.h"

#include "llvm/Support/JSON.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>

namespace {

namespace fs = std::filesystem;
using differential::ProcessResult;
using differential::runProcess;
using llvm::json::Object;

std::string readFile(const fs::path &path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

Object readJson(const std::string &text) {
  auto value = llvm::json::parse(text);
  if (!value) {
    ADD_FAILURE() << llvm::toString(value.takeError()) << "\n" << text;
    return {};
  }
  Object *const object = value->getAsObject();
  EXPECT_TRUE(object) << text;
  return object ? std::move(*object) : Object();
}

std::string lastLine(std::string text) {
  while (text.ends_with('\n'))
    text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

std::string textOf(const Object &object, llvm::StringRef name) {
  return object.getString(name).value_or("").str();
}

/// A folder that goes away, and files in it.
class Programs : public testing::Test {
protected:
  Programs() {
    std::string pattern = (fs::temp_directory_path() / "mca-measure-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~Programs() override { fs::remove_all(folder_); }

  fs::path path(const std::string &name) const { return folder_ / name; }
  std::string write(const std::string &name, const std::string &text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name).string();
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder_))
      names.push_back(entry.path().filename().string());
    return names;
  }

private:
  fs::path folder_;
};

class Measure : public Programs {
protected:
  void SetUp() override {
#if !defined(__linux__) || !defined(__x86_64__)
    GTEST_SKIP() << "mca-measure needs Linux on x86-64";
#endif
  }

  static ProcessResult measure(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), MCA_MEASURE_PROGRAM);
    return runProcess(arguments);
  }
  /// Again if the machine was too busy even to read the clock.
  static ProcessResult measureWhenQuiet(const std::vector<std::string> &arguments) {
    ProcessResult result = measure(arguments);
    for (int tries = 1; tries < 5 && result.errors.find("the clock disagrees") != std::string::npos; ++tries)
      result = measure(arguments);
    return result;
  }

  /// The only form of the only region of a text that is refused.
  Object refusalOf(const std::string &text) const {
    const ProcessResult result = measureWhenQuiet({"run", "--json", "--form=loop", write("code.s", text)});
    EXPECT_EQ(result.status, 0) << result.errors;
    Object report = readJson(result.output);
    EXPECT_FALSE(report.get("Error"));
    llvm::json::Array *regions = report.getArray("Regions");
    EXPECT_TRUE(regions && regions->size() == 1) << result.output;
    if (!regions || regions->size() != 1)
      return {};
    const llvm::json::Array *forms = regions->front().getAsObject()->getArray("Forms");
    EXPECT_TRUE(forms && forms->size() == 1) << result.output;
    return forms && forms->size() == 1 ? *forms->front().getAsObject() : Object();
  }

  /// A calibration of this machine, without any form.
  static mca::Calibration emptyCalibration() {
    mca::Calibration calibration;
    calibration.cpu = mca::thisCpu();
    calibration.date = "2026-11-23";
    calibration.madeBy = "a test";
    return calibration;
  }
};

TEST_F(Measure, ReportsRefusalsWithTheirLines) {
  const Object privileged = refusalOf("nop\nhlt\n");
  EXPECT_EQ(textOf(privileged, "Refused"), "it executes an instruction that only the system may execute");
  EXPECT_EQ(privileged.getInteger("Line"), 2);
  EXPECT_EQ(textOf(privileged, "Instruction"), "hlt");
  EXPECT_EQ(textOf(refusalOf("callq f\n"), "Refused"), "it calls a function");
  EXPECT_EQ(textOf(refusalOf("syscall\n"), "Refused").rfind("it makes a system call", 0), 0u);
}

TEST_F(Measure, AStatementAfterALabelIsForItsLoop) {
  const Object refusal = refusalOf("f:\n\tnop\n.L2:\n\t# mca: measure ecx=0\n\tdivl %ecx\n\tjne .L2\n\tret\n");
  EXPECT_EQ(textOf(refusal, "Refused"), "it divides by zero, or a quotient is too large for its register");
}

TEST_F(Measure, WarnsOfStatementsThatSetNothing) {
  const ProcessResult result = measureWhenQuiet(
      {"run", write("code.s", ".L2:\n\thlt\n\tjne .L2\n\tnop\n# mca: measure ecx=0\n\tret\n# mca: measure xmm0=0\n")});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.errors.find("line 5: this statement is in no region"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("line 7: 'xmm0' is no general register"), std::string::npos) << result.errors;
}

TEST_F(Measure, PrintsJsonAlsoIfTheMachineIsTooBusy) {
  // Without time to wait, it depends on the moment whether anything is measured.
  const ProcessResult result =
      measure({"run", "--json", "--timeout=0", write("code.s", "\timulq %rax, %rax\n\timulq %rax, %rcx\n")});
  const Object report = readJson(result.output);
  EXPECT_NE(report.getArray("Regions"), nullptr);
  EXPECT_FALSE(textOf(report, "CPU").empty());
  EXPECT_EQ(result.status, report.get("Error") ? 1 : 0);
  if (report.get("Error")) {
    EXPECT_NE(result.errors.find(textOf(report, "Error")), std::string::npos);
  }
}

TEST_F(Measure, ARefusedRegionNeverTakesTheOthersWithIt) {
  std::string text;
  const char *const refused[] = {
      "1: jmp 1b\nnop\n",
      "vmmcall\n",
      "hlt\n",
      "movq $1, 0x18000010\n",
      "clflush (%rdi)\n",
      "movq (%rdx), %rdx\n",
      "divl %ecx\n",
      "callq f\n",
      "movl $400000000, %ecx\n1: decl %ecx\njnz 1b\nrdtsc\nshlq $12, %rax\nmovq (%rax), %rcx\n"};
  for (const char *code : refused)
    text += std::string("# LLVM-MCA-BEGIN\n") + code + "# LLVM-MCA-END\n";
  text += "# LLVM-MCA-BEGIN last\nimulq %rax, %rax\n# LLVM-MCA-END\n";
  // On a busy machine, `last` would wait for longer than a test may take.
  const ProcessResult result =
      measureWhenQuiet({"run", "--json", "--form=loop", "--timeout=60", write("code.s", text)});
  Object report = readJson(result.output);
  if (report.get("Error"))
    GTEST_SKIP() << textOf(report, "Error");
  EXPECT_EQ(result.status, 0) << result.errors;
  llvm::json::Array *regions = report.getArray("Regions");
  ASSERT_TRUE(regions);
  ASSERT_EQ(regions->size(), std::size(refused) + 1);
  EXPECT_EQ(textOf(*regions->back().getAsObject(), "Name"), "last");
}

TEST_F(Measure, ReadsATextWithinLimits) {
  const auto errorOf = [](const std::string &file) {
    const ProcessResult result = measure({"run", file});
    EXPECT_EQ(result.status, 1) << file;
    return lastLine(result.errors);
  };
  EXPECT_NE(errorOf(write("device.s", ".incbin \"/dev/zero\"\nnop\n")).find("Could not find incbin file"),
            std::string::npos);
  EXPECT_NE(errorOf(write("include.s", ".include \"/dev/zero\"\nnop\n")).find("Could not find include file"),
            std::string::npos);
  write("large", "");
  fs::resize_file(path("large"), uintmax_t{65} << 20);
  EXPECT_NE(errorOf(write("large.s", ".incbin \"" + path("large").string() + "\"\nnop\n")).find("incbin"),
            std::string::npos);
  EXPECT_EQ(errorOf(path("large").string()), "error: " + path("large").string() + ": it is larger than 64 MiB");
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  EXPECT_EQ(errorOf(path("fifo").string()), "error: " + path("fifo").string() + ": it is no regular file");
  for (const char *text :
       {".rept 100000000\nnop\n.endr\n", ".dcb.l 100000000000, 1\nnop\n", ".macro f\nf\nf\n.endm\nf\n"})
    EXPECT_EQ(errorOf(write("bomb.s", text)), "error: reading the text takes more than 5 s or 2 GiB of memory") << text;
}

/// Another program reads it.
TEST_F(Measure, ATextWritesNothingIntoTheReport) {
  const ProcessResult result =
      measureWhenQuiet({"run", "--json", "--form=loop", write("code.s", ".print \"{}\"\nhlt\n.PRINT \"x\"\n")});
  EXPECT_NE(readJson(result.output).getArray("Regions"), nullptr) << result.output;
}

TEST_F(Measure, ComparesTwoVersionsOfAFunction) {
  const std::string one = write("one.s", "f: leal 1(%rdi), %eax\nretq\n"),
                    other = write("other.s", "f: movl $1, %eax\ntestl %edi, %edi\njnz 1f\nincl %eax\n1: addl %edi, "
                                             "%eax\nretq\n");
  const auto compare = [](const std::string &left, const std::string &right, const char *argument, const char *form) {
    return measure({"same", left, right, "--function=f", "--returns=int32", argument, form});
  };
  const ProcessResult same = compare(one, one, "--argument=int32", "--json");
  EXPECT_EQ(same.status, 0) << same.errors;
  Object report = readJson(same.output);
  if (const std::string reason = textOf(report, "refused"); reason.find("isolation") != std::string::npos)
    GTEST_SKIP() << reason;
  EXPECT_EQ(report.getBoolean("same"), true);
  EXPECT_EQ(report.get("differs"), nullptr);
  report = readJson(compare(one, other, "--argument=int32", "--json").output);
  EXPECT_EQ(report.getBoolean("same"), false);
  const Object *const differs = report.getObject("differs");
  ASSERT_TRUE(differs);
  EXPECT_EQ(differs->getInteger("n"), 0);
  EXPECT_EQ(differs->getBoolean("overlap"), false);
  EXPECT_EQ(differs->getBoolean("onlyNaN"), false);
  EXPECT_EQ(textOf(*differs, "what"), "the returned value: 1 and 2");
  EXPECT_EQ(textOf(readJson(compare(write("empty.s", "nop\n"), one, "--argument=int32", "--json").output), "refused"),
            "there is no function 'f'");
  EXPECT_EQ(
      compare(one, other, "--argument=int32", "--json=0").output.find("they differ: the returned value: 1 and 2 "), 0u);
  const ProcessResult wrong = compare(one, other, "--argument=int", "--json");
  EXPECT_EQ(wrong.status, 1);
  EXPECT_EQ(lastLine(wrong.errors).find("error: 'int' is no type: "), 0u) << wrong.errors;
}

TEST_F(Measure, NamesARegionThatIsMissing) {
  const ProcessResult result = measure({"run", "--region=x", write("code.s", "nop\n")});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(lastLine(result.errors), "error: there is no region 'x'");
}

TEST_F(Measure, CalibrateFindsOutFirstThatItsFileCannotBeWritten) {
  const std::string file = write("file", "text");
  for (const std::string &output : {file + "/inside", path("").string(), std::string("/dev/null")}) {
    const ProcessResult result = measure({"calibrate", "-o", output, "--progress=json"});
    EXPECT_EQ(result.status, 1) << output;
    EXPECT_NE(textOf(readJson(result.errors), "error").find("cannot be written"), std::string::npos) << result.errors;
  }
  EXPECT_EQ(readFile(file), "text");
  EXPECT_EQ(files(), std::vector<std::string>{"file"});
}

TEST_F(Measure, CalibrateResumesNothingButACalibrationOfThisMachine) {
  mca::Calibration foreign = emptyCalibration();
  foreign.cpu.model += 1;
  const std::string own = writeCalibration(emptyCalibration());
  const std::pair<std::string, const char *> texts[] = {{"damaged", ":1:1: this is no calibration"},
                                                        {own.substr(0, own.size() - 4), "end"},
                                                        {"mca-calibration 2" + own.substr(own.find('\n')), ":1:17: "},
                                                        {writeCalibration(foreign), "this is the calibration of "}};
  for (const auto &[text, reason] : texts) {
    const std::string file = write("earlier.calibration", text);
    const ProcessResult result = measure({"calibrate", "--resume", "-o", file});
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.errors.find(reason), std::string::npos) << result.errors;
    EXPECT_EQ(readFile(file), text);
  }
  const ProcessResult missing = measure({"calibrate", "--resume", "-o", path("none").string()});
  EXPECT_EQ(missing.status, 1);
  EXPECT_NE(missing.errors.find("No such file"), std::string::npos);
  EXPECT_EQ(files(), std::vector<std::string>{"earlier.calibration"});
}

TEST_F(Measure, CalibrateSavesNothingBeforeItKnowsTheResources) {
  const std::string file = write("earlier.calibration", "not touched");
  const ProcessResult result = measureWhenQuiet({"calibrate", "--seconds=1", "-o", file});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(lastLine(result.errors), "error: stopped before the resources of this CPU were known: nothing is saved");
  EXPECT_EQ(readFile(file), "not touched");
  EXPECT_EQ(files(), std::vector<std::string>{"earlier.calibration"});
}

TEST_F(Measure, CalibrateIsInterruptedAndResumed) {
  const std::string file = path("own.calibration").string();
  size_t forms = 0;
  for (const char *resume : {"--resume=0", "--resume=1"}) {
    const std::string earlier = std::filesystem::exists(file) ? readFile(file) : "";
    // As an editor ends it: by one signal. Without --foreground timeout sends two, and the second ends it at once.
    const ProcessResult result = runProcess({"timeout", "--foreground", "-s", "TERM", "--preserve-status", "25",
                                             MCA_MEASURE_PROGRAM, "calibrate", resume, "-o", file, "--progress=json"});
    const Object last = readJson(lastLine(result.errors));
    // A run that ends so has left the earlier file as it was.
    if (textOf(last, "error").find("stopped before the resources") == 0 ||
        textOf(last, "error").find("the resources are not those of the earlier run") == 0) {
      EXPECT_EQ(earlier, std::filesystem::exists(file) ? readFile(file) : "");
      GTEST_SKIP() << "the machine is too busy to find the resources in 25 s";
    }
    ASSERT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(textOf(last, "file"), file);
    const auto read = mca::readCalibration(readFile(file), file, {.machine = mca::thisCpu()});
    ASSERT_TRUE(read) << read.message();
    EXPECT_EQ(last.getInteger("forms"), static_cast<int64_t>((*read).forms.size()));
    EXPECT_GE((*read).forms.size(), forms);
    EXPECT_TRUE((*read).facts.slotsPerCycle.value);
    forms = (*read).forms.size();
    EXPECT_EQ(files(), std::vector<std::string>{"own.calibration"});
    std::istringstream lines(result.errors);
    const Object first = readJson([&] {
      std::string line;
      std::getline(lines, line);
      return line;
    }());
    EXPECT_EQ(textOf(first, "phase"), "structure");
    EXPECT_EQ(first.getInteger("done"), 0);
  }
}

TEST_F(Measure, CalibrateKeepsAFileThatHasMore) {
  mca::Calibration more = emptyCalibration();
  for (int i = 0; i < 20'000; ++i)
    more.forms.push_back({.opcode = "OPCODE" + std::to_string(i), .slots = 1.0});
  const std::string text = writeCalibration(more), file = write("own.calibration", text);
  const ProcessResult result = measure({"calibrate", "--seconds=20", "-o", file, "--progress=json"});
  EXPECT_EQ(readFile(file), text);
  const Object last = readJson(lastLine(result.errors));
  if (textOf(last, "error").find("stopped before the resources") == 0)
    GTEST_SKIP() << "the machine is too busy to find the resources in 20 s";
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(textOf(last, "file"), file + ".part");
  EXPECT_TRUE(mca::readCalibration(readFile(file + ".part"), file));
}

TEST_F(Measure, CheckWritesTheErrorsIntoTheCalibration) {
  const std::string file = write("own.calibration", writeCalibration(emptyCalibration()));
  const std::string output = path("checked.calibration").string();
  const ProcessResult result = runProcess({"timeout", "-s", "INT", "-k", "20", "60", MCA_MEASURE_PROGRAM, "check", file,
                                           "--blocks=5", "--seed=1", "-o", output});
  if (result.status > 1 || result.errors.find("the clock disagrees") != std::string::npos)
    GTEST_SKIP() << "the machine is too busy to measure five blocks in a minute";
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.output.find("5 blocks of seed 1"), std::string::npos) << result.output;
  const auto read = mca::readCalibration(readFile(output), output);
  ASSERT_TRUE(read) << read.message();
  ASSERT_FALSE((*read).checks.empty());
  for (const mca::CalibrationCheck &check : (*read).checks) {
    EXPECT_TRUE(check.blocks.starts_with("steady") || check.blocks.starts_with("loop")) << check.blocks;
    EXPECT_GE(check.count, 1u);
    EXPECT_LE(check.count, 5u);
    EXPECT_NE(result.output.find("\n" + check.blocks + " "), std::string::npos) << result.output;
  }
  EXPECT_EQ(readFile(file), writeCalibration(emptyCalibration()));
}

TEST_F(Measure, CheckReportsWhatIsWrongBeforeItMeasures) {
  mca::Calibration foreign = emptyCalibration();
  foreign.cpu.family += 1;
  const std::string file = write("foreign.calibration", writeCalibration(foreign));
  EXPECT_NE(measure({"check", file}).errors.find("this is the calibration of "), std::string::npos);
  EXPECT_NE(measure({"check", path("none").string()}).errors.find("No such file"), std::string::npos);
  const std::string own = write("own.calibration", writeCalibration(emptyCalibration()));
  EXPECT_NE(measure({"check", own, "--blocks=0"}).errors.find("there are 1 to "), std::string::npos);
  EXPECT_NE(measure({"check", own, "-o", own + "/inside"}).errors.find("cannot be written"), std::string::npos);
}

using Calibrated = Programs;

TEST_F(Calibrated, AutoIsTheUsersOwnFile) {
  const mca::CpuIdentity cpu = mca::thisCpu();
  if (cpu.vendor.empty())
    GTEST_SKIP() << "a user's own calibration needs an x86 CPU";
  const std::string code = write("code.s", "imulq %rax, %rax\n");
  ASSERT_EQ(setenv("XDG_DATA_HOME", path("").c_str(), 1), 0);
  const std::string own = mca::userCalibrationPath(cpu);
  fs::create_directories(fs::path(own).parent_path());
  const ProcessResult before = runProcess({MCA_PROGRAM, "-list-calibrations"});
  EXPECT_EQ(before.status, 0);
  EXPECT_NE(before.output.find(own + " (not made yet)"), std::string::npos) << before.output;
  std::ofstream(own) << "mca-calibration 1\ncpu vendor=" << cpu.vendor << " family=" << cpu.family
                     << " model=" << cpu.model << " stepping=0 brand=\"My Own\" llvm=" << cpu.llvmName
                     << "\nmade date=2026-11-23 by=hand\nend\n";
  const ProcessResult result = runProcess({MCA_PROGRAM, "-calibration=auto", code});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(result.output.find("My Own"), std::string::npos) << result.output;
  std::ofstream(own) << "damaged";
  const ProcessResult damaged = runProcess({MCA_PROGRAM, "-calibration=auto", code});
  EXPECT_EQ(damaged.status, 1);
  EXPECT_NE(damaged.errors.find(own + ":1:1: this is no calibration"), std::string::npos) << damaged.errors;
  unsetenv("XDG_DATA_HOME");
}

TEST_F(Calibrated, SaysThatThereIsNone) {
  const std::string code = write("code.s", "imulq %rax, %rax\n");
  for (const char *choice : {"-calibration=auto", "-calibration=shipped"}) {
    const ProcessResult result = runProcess({MCA_PROGRAM, "-mtriple=x86_64", "-mcpu=bdver2", choice, code});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.errors, "error: there is no calibration of 'bdver2': none is shipped (-list-calibrations lists "
                             "them; mca-measure calibrate makes one of this machine)\n");
  }
}

TEST_F(Calibrated, RefusesACalibrationOfAnotherCpu) {
  const std::string file = std::string(CALIBRATED_FILES) + "/skylake.calibration";
  const ProcessResult result =
      runProcess({MCA_PROGRAM, "-mtriple=x86_64", "-mcpu=znver3", "-calibration=" + file, write("code.s", "nop\n")});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.errors.find("this is the calibration of skylake, not of znver3"), std::string::npos)
      << result.errors;
}

/// Each load crosses a line of the cache, or none does.
TEST_F(Calibrated, TheCodeBeforeARegionSaysWhereItsPointersBegin) {
  const auto cyclesBehind = [&](const std::string &before) {
    const std::string code =
        write("code.s", before + "# LLVM-MCA-BEGIN\nvmovups (%rax), %zmm0\nvmovups 64(%rax), %zmm1\n"
                                 "addq $128, %rax\n# LLVM-MCA-END\n");
    const ProcessResult result =
        runProcess({MCA_PROGRAM, "-mtriple=x86_64-linux-gnu", "-mcpu=znver5", "-calibration=shipped", code});
    EXPECT_EQ(result.status, 0) << result.errors;
    const std::string name = "Total Cycles:";
    return std::stoi(result.output.substr(result.output.find(name) + name.size()));
  };
  const int aligned = cyclesBehind("movq %rdi, %rax\n");
  EXPECT_NEAR(aligned, 100, 15);
  EXPECT_NEAR(cyclesBehind("leaq 8(%rdi), %rax\n"), aligned + 100, 15);
}

// MCA_UPDATE_GOLDENS=1 rewrites them.
TEST_F(Calibrated, ReportIsTheGolden) {
  const std::string folder = std::string(CALIBRATED_FILES) + "/";
  const std::pair<const char *, std::vector<std::string>> goldens[] = {
      {"loops.txt", {"-timeline", "-timeline-max-iterations=3", "-explain"}},
      {"loops.json", {"-json"}},
      {"trace.txt", {"-trace=" + folder + "loops.mcatrace", "-timeline", "-explain", "-trace-window=0,12"}}};
  for (const auto &[golden, options] : goldens) {
    std::vector<std::string> arguments{MCA_PROGRAM, "-mtriple=x86_64-linux-gnu", "-mcpu=skylake",
                                       "-calibration=" + folder + "skylake.calibration"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.push_back(folder + "loops.s");
    const ProcessResult result = runProcess(arguments);
    EXPECT_EQ(result.status, 0) << result.errors;
    if (std::getenv("MCA_UPDATE_GOLDENS"))
      std::ofstream(folder + golden, std::ios::binary) << result.output;
    EXPECT_EQ(readFile(folder + golden), result.output) << golden;
  }
}

} // namespace
