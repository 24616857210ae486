// The text of calibrations: what it says, each error at its line and column, and writing as the inverse of reading.
#include "mca-core/calibration/calibration_file.h"
#include "mca-core/calibration/cpu_identity.h"
#include "mca-core/target/target.h"

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace mca {
namespace {

const std::string kHead = "mca-calibration 1\n"
                          "cpu vendor=AuthenticAMD family=25 model=1 stepping=1 llvm=znver3\n"
                          "made date=2026-11-23 by=test\n"
                          "resource alu 4\n"; // 4 lines

/// The error in a text of line 5 and those that follow it, or nothing.
std::string errorIn(const std::string &statements) {
  const auto read = readCalibration(kHead + statements + "\nend\n", "x");
  return read ? "" : read.message();
}
std::string errorInText(const std::string &text, const WantedCpu &wanted = {}) {
  const auto read = readCalibration(text, "x", wanted);
  return read ? "" : read.message();
}

/// One of everything.
Calibration sample() {
  Calibration calibration{
      .cpu = {.vendor = "AuthenticAMD",
              .family = 25,
              .model = 1,
              .stepping = 1,
              .microcode = "0xa0011d1",
              .brand = "AMD EPYC 7763 #1 a=b",
              .llvmName = "znver3"},
      .date = "2026-11-23",
      .madeBy = "mca-measure 0.1.0",
      .checks = {{.blocks = "steady", .count = 200, .calibrated = {.06, .01, .93}, .llvm = {.54, .46, .81}}},
      .facts = {.slotsPerCycle = {6, {"nops", .004, 3}}, .loadLatency = {4, {}}},
      .resources = {{"alu", 4, {"saturation", .01, 3}}, {"load", 3, {}}}};
  switchOn(calibration, "store-forwarding", {{"general", 7}, {"vector", 9}}, {"forwarding", .012, 2});
  switchOn(calibration, "zero-idioms", {}, {});
  switchOn(calibration, "memory-renaming", {{"latency", 1}, {"vector", 1}}, {});
  switchOn(calibration, "dependent-issue", {{"alu", .1}}, {});
  calibration.forms = {{.opcode = "ADD64rm",
                        .shape = "base+scaled,lock",
                        .slots = 1.25,
                        .uses = {{1, 1}, {0, 1.0 / 3}},
                        .latencies = {{1, 0, 1}, {2, 256, 5.5}, {257, 0, 0}},
                        .from = {"mixes", .02, 3}},
                       {.opcode = "XOR32rr", .shape = "same", .slots = 1, .treatment = RenameTreatment::Zero},
                       {.opcode = "XOR32rr"},
                       {.opcode = "MOV64rr", .slots = 0, .treatment = RenameTreatment::Eliminated}};
  return calibration;
}

TEST(CalibrationFile, IsOneLineForEachRow) {
  EXPECT_EQ(writeCalibration(sample()),
            "mca-calibration 1\n"
            "cpu vendor=AuthenticAMD family=25 model=1 stepping=1 microcode=0xa0011d1 brand=\"AMD EPYC 7763 #1 a=b\" "
            "llvm=znver3\n"
            "made date=2026-11-23 by=\"mca-measure 0.1.0\"\n"
            "check steady count=200 mean=0.06 median=0.01 tau=0.93 llvm-mean=0.54 llvm-median=0.46 llvm-tau=0.81\n"
            "fact slots-per-cycle 6 from=nops:0.004:3\n"
            "fact load-latency 4\n"
            "resource alu 4 from=saturation:0.01:3\n"
            "resource load 3\n"
            "rule zero-idioms\n"
            "rule store-forwarding general=7 vector=9 from=forwarding:0.012:2\n"
            "rule memory-renaming latency=1 vector=1 index=1 rip=1 stack-only=0 other-stores=0 words=1 "
            "sign-extending=1 least-bytes=4\n"
            "rule dependent-issue alu=0.1\n"
            "form ADD64rm base+scaled,lock slots=1.25 uses=load:1,alu:0.3333333333333333 "
            "latencies=1>0:1,2>i0:5.5,i1>0:0 from=mixes:0.02:3\n"
            "form XOR32rr same slots=1 rename=zero\n"
            "form XOR32rr\n"
            "form MOV64rr slots=0 rename=eliminated\n"
            "end\n");
}

TEST(CalibrationFile, ReadsWhatItWrites) {
  const auto read = readCalibration(writeCalibration(sample()), "x");
  ASSERT_TRUE(read) << read.message();
  EXPECT_EQ(*read, sample());
}

TEST(CalibrationFile, MayHaveCommentsBlankLinesAndOtherLineEnds) {
  const auto read = readCalibration("mca-calibration 1 # by hand\r\n\r\n# a machine\n"
                                    "\tcpu  vendor=A family=1 model=2 stepping=3 llvm=a brand=\"b # c\"\r\n"
                                    "made date=2026-11-23 by=test\nend",
                                    "x");
  ASSERT_TRUE(read) << read.message();
  EXPECT_EQ((*read).cpu, (CpuIdentity{"A", 1, 2, 3, "", "b # c", "a"}));
}

TEST(CalibrationFile, OfAnotherKindOrVersionIsRefused) {
  const std::string kind = "x:1:1: this is no calibration: it does not begin with `mca-calibration 1`";
  EXPECT_EQ(errorInText(""), kind);
  EXPECT_EQ(errorInText("mcatrace 1\n"), kind);
  EXPECT_EQ(errorInText("\x7f"
                        "ELF"),
            kind);
  EXPECT_EQ(errorInText("mca-calibration\n"), kind);
  EXPECT_EQ(errorInText("mca-calibration 2\nwhat=ever \"\n"),
            "x:1:17: version 2 is newer than this program, which reads version 1");
  EXPECT_EQ(errorInText("mca-calibration 0\n"), "x:1:17: there is no version 0");
  EXPECT_EQ(errorInText("mca-calibration one\n"), "x:1:17: `one` is no whole number up to 1000000");
  EXPECT_EQ(errorInText("mca-calibration 1 2\n"), "x:1:19: nothing may follow the version");
  EXPECT_EQ(errorInText(std::string(kMaxCalibrationSize + 1, '#')), "x:1:1: the text is longer than 16 MiB");
}

TEST(CalibrationFile, OfAnotherCpuIsRefused) {
  const std::string text = kHead + "end\n";
  EXPECT_EQ(errorInText(text, {.llvmName = "znver3"}), "");
  EXPECT_EQ(errorInText(text, {.llvmName = "znver4"}), "x:2:59: this is the calibration of znver3, not of znver4");
  CpuIdentity machine{.vendor = "AuthenticAMD", .family = 25, .model = 1, .stepping = 7};
  EXPECT_EQ(errorInText(text, {.machine = machine}), "");
  machine.model = 33;
  EXPECT_EQ(
      errorInText(text, {.machine = machine}),
      "x:2:12: this is the calibration of AuthenticAMD family 25 model 1, not of AuthenticAMD family 25 model 33");
}

TEST(CalibrationFile, HasToBeComplete) {
  EXPECT_EQ(errorInText(kHead), "x:4:1: the text ends without `end`: a part of it is missing");
  EXPECT_EQ(errorInText("mca-calibration 1\nend\n"),
            "x:2:1: the first statement, and no other, has to be `cpu` or `profile`");
  EXPECT_EQ(errorInText("mca-calibration 1\ncpu vendor=A family=1 model=1 stepping=1 llvm=a\nend\n"),
            "x:3:1: there is no statement `made`");
  EXPECT_EQ(errorInText("mca-calibration 1\ncpu family=1 model=1 stepping=1 llvm=a\n"), "x:2:1: `cpu` needs `vendor=`");
  EXPECT_EQ(errorInText(kHead + "end\nform ADD64rr\n"), "x:6:1: nothing may follow `end`");
}

TEST(CalibrationFile, NamesTheLineAndColumnOfAnError) {
  EXPECT_EQ(errorIn("form ADD64rr slots=1 size=3"), "x:5:22: `form` has no `size`");
  EXPECT_EQ(errorIn("\n  row ADD64rr"), "x:6:3: no statement begins with `row`");
  EXPECT_EQ(errorIn("form"), "x:5:1: the statement has to begin with `form OPCODE [SHAPE]`, and NAME=VALUE may follow");
  EXPECT_EQ(errorIn("resource load 4 5"),
            "x:5:17: the statement has to begin with `resource NAME CAPACITY`, and NAME=VALUE may follow");
  EXPECT_EQ(errorIn("form ADD64rr slots=1 same"), "x:5:22: `same` is not of the form NAME=VALUE");
  EXPECT_EQ(errorIn("resource lo\"a\"d 4"),
            "x:5:10: `lo\"a\"d` is no name: it needs 1 to 200 letters, digits, and -_.+/");
  EXPECT_EQ(errorIn("resource lo\"ad 4"), "x:5:12: the quote is not closed");
  EXPECT_EQ(errorIn("resource l\xc3\xa4st 4"), "x:5:11: this byte is neither printable ASCII nor a tab");
  EXPECT_EQ(errorIn("resource from 4"), "x:5:10: a resource cannot have this name");
  EXPECT_EQ(errorIn(std::string(70'000, ' ')), "x:5:65537: the line is longer than 65536 bytes");
}

TEST(CalibrationFile, RefusesDuplicates) {
  EXPECT_EQ(errorIn("resource alu 3"), "x:5:1: a second `resource alu`");
  EXPECT_EQ(errorIn("form ADD64rr\nform ADD64rr base\nform ADD64rr"), "x:7:1: a second `form ADD64rr`");
  EXPECT_EQ(errorIn("rule zero-idioms\nrule zero-idioms"), "x:6:1: a second `rule zero-idioms`");
  EXPECT_EQ(errorIn("fact load-latency 4\nfact load-latency 5"), "x:6:1: a second `fact load-latency`");
  EXPECT_EQ(errorIn("made date=2026-11-23 by=test"), "x:5:1: a second `made`");
  EXPECT_EQ(errorIn("form ADD64rr slots=1 slots=2"), "x:5:22: a second `slots`");
  EXPECT_EQ(errorIn("form ADD64rr uses=alu:1,alu:2"), "x:5:25: a second `alu`");
  EXPECT_EQ(errorIn("form ADD64rr latencies=1>0:1,2>0:1,1>0:2"), "x:5:36: a second `1>0`");
}

TEST(CalibrationFile, RefusesUnknownNames) {
  EXPECT_EQ(errorIn("fact slots-a-cycle 4"), "x:5:6: there is no fact `slots-a-cycle`");
  EXPECT_EQ(errorIn("rule zero-idoms"), "x:5:6: there is no rule `zero-idoms`");
  EXPECT_EQ(errorIn("rule store-forwarding genral=4"), "x:5:23: rule `store-forwarding` has no `genral`");
  EXPECT_EQ(errorIn("rule dependent-issue load=4"), "x:5:22: rule `dependent-issue` has no `load`");
  EXPECT_EQ(errorIn("rule dependent-issue alu=4"), "");
  EXPECT_EQ(errorIn("form ADD64rr uses=load:1\nresource load 1"),
            "x:5:19: there is no resource `load` before this line");
  EXPECT_EQ(errorIn("form ADD64rr rename=zeros"), "x:5:21: renaming has no treatment `zeros`");
  EXPECT_EQ(errorIn("form ADD64rr rename="), "x:5:21: renaming has no treatment ``");
  for (const char *shape : {"indexed", "same,base", "same,self", "base,", ",base", ",", "base,base", "rep,lock"})
    EXPECT_EQ(errorIn(std::string("form ADD64rr ") + shape), "x:5:14: `" + std::string(shape) + "` is no shape");
}

TEST(CalibrationFile, RefusesNumbersOutOfRange) {
  EXPECT_EQ(errorIn("resource load 0"), "x:5:15: `0` is not within 0.01 to 38");
  for (const char *number : {"nan", "inf", "-inf", "1e999", "", "1x", "0x10", "+1", "1,5"})
    EXPECT_EQ(errorIn(std::string("form ADD64rr slots=") + number),
              "x:5:20: `" + std::string(number) + "` is no number");
  EXPECT_EQ(errorIn("form ADD64rr slots=-1"), "x:5:20: `-1` is not within 0 to 10000");
  EXPECT_EQ(errorIn("form ADD64rr latencies=1>0:1e300"), "x:5:28: `1e300` is not within 0 to 10000");
  EXPECT_EQ(errorIn("resource slow 0.01\nform ADD64rr uses=slow:101"),
            "x:6:19: it takes the resource for more than 10,000 cycles");
  EXPECT_EQ(errorIn("form ADD64rr latencies=256>0:1"), "x:5:24: `256` is no whole number up to 255");
  EXPECT_EQ(errorIn("form ADD64rr latencies=1>i999:1"), "x:5:27: `999` is no whole number up to 255");
  EXPECT_EQ(errorIn("form ADD64rr latencies=1:1"), "x:5:24: `1:1` is not of the form SOURCE>DESTINATION:CYCLES");
  EXPECT_EQ(errorIn("fact load-latency 0.5"), "x:5:19: `0.5` is not within 1 to 1000");
  EXPECT_EQ(errorIn("rule memory-renaming index=2"), "x:5:28: `2` is not within 0 to 1");
  EXPECT_EQ(errorIn("form ADD64rr from=mixes:0.1"), "x:5:19: `mixes:0.1` is not of the form PROBE:SPREAD:PASSES");
  EXPECT_EQ(errorIn("form ADD64rr from=mixes:0.1:-1"), "x:5:29: `-1` is no whole number up to 1000000");
}

TEST(CalibrationFile, BoundsItsLists) {
  std::string resources, uses, latencies;
  for (int i = 0; i < 70; ++i) {
    resources += "resource r" + std::to_string(i) + " 1\n";
    uses += (i ? ",r" : "r") + std::to_string(i) + ":1";
  }
  EXPECT_NE(errorIn(resources + "form A uses=" + uses).find("there are more than 64 uses"), std::string::npos);
  for (int i = 0; i < 129; ++i)
    latencies += (i ? "," : "") + std::to_string(i) + ">0:1";
  EXPECT_NE(errorIn("form A latencies=" + latencies).find("there are more than 128 latencies"), std::string::npos);
  for (int i = 70; i < 256; ++i)
    resources += "resource r" + std::to_string(i) + " 1\n";
  EXPECT_NE(errorIn(resources).find("there are more than 256 resources"), std::string::npos);
}

TEST(CalibrationFile, CanBeReadForItsCpuAlone) {
  const auto read = readCalibratedCpus(kHead + "what follows is not read", "x");
  ASSERT_TRUE(read);
  EXPECT_EQ((*read).cpu.llvmName, "znver3");
}

const std::string kProfile = "mca-calibration 1\n"
                             "profile brand=\"Some Core\" llvm=alderlake,sapphirerapids\n"
                             "made date=2026-11-26 by=hand\n"
                             "source manual text=\"A manual, page 3\"\n"; // 4 lines

TEST(DocumentedProfile, IsOfSeveralCpusAndNamesItsSources) {
  const std::string text = kProfile + "fact slots-per-cycle 6 from=manual\n"
                                      "resource llvm/Port05 1 from=manual\n"
                                      "rule zero-idioms from=manual\n"
                                      "form XOR32rr same slots=1 rename=zero from=manual\n"
                                      "end\n";
  const auto read = readCalibration(text, "x");
  ASSERT_TRUE(read) << read.message();
  EXPECT_TRUE((*read).isProfile());
  EXPECT_EQ((*read).cpu.brand, "Some Core");
  EXPECT_TRUE(speaksOf(*read, "alderlake"));
  EXPECT_TRUE(speaksOf(*read, "sapphirerapids"));
  EXPECT_FALSE(speaksOf(*read, "skylake"));
  EXPECT_EQ((*read).sources, (std::vector<DocumentedSource>{{"manual", "A manual, page 3"}}));
  EXPECT_EQ((*read).forms[0].from.probe, "manual");
  EXPECT_EQ(writeCalibration(*read), text);
  EXPECT_EQ(*readCalibration(writeCalibration(*read), "y"), *read);
}

TEST(DocumentedProfile, HasErrorsAtTheirPlaces) {
  const auto errorInProfile = [](const std::string &statements) {
    return errorInText(kProfile + statements + "\nend\n");
  };
  EXPECT_EQ(errorInProfile("fact load-latency 5"), "x:5:1: `fact` needs `from=`");
  EXPECT_EQ(errorInProfile("fact load-latency 5 from=web"), "x:5:26: there is no source `web` before this line");
  EXPECT_EQ(errorInProfile("fact load-latency 5 from=manual:0.1:3"),
            "x:5:26: there is no source `manual:0.1:3` before this line");
  EXPECT_EQ(errorInProfile("source manual text=b"), "x:5:1: a second `source manual`");
  EXPECT_EQ(errorInProfile("source web"), "x:5:1: `source` needs `text=`");
  EXPECT_EQ(errorInProfile("cpu vendor=A family=1 model=1 stepping=1 llvm=a"),
            "x:5:1: the first statement, and no other, has to be `cpu` or `profile`");
  EXPECT_EQ(errorIn("source manual text=a"), "x:5:1: only a profile has sources");
  EXPECT_EQ(errorInText("mca-calibration 1\nprofile brand=A llvm=a,a\n"), "x:2:24: a second `a`");
  EXPECT_EQ(errorInText("mca-calibration 1\nprofile brand=A llvm=a,\n").substr(0, 7), "x:2:24:");
  EXPECT_EQ(errorInText(kProfile + "end\n", {.llvmName = "skylake", .machine = std::nullopt}),
            "x:2:32: this is the profile of Some Core, not of skylake");
  EXPECT_NE(errorInText(kProfile + "end\n", {.llvmName = "alderlake", .machine = sample().cpu})
                .find("this is a documented profile, and no calibration of AuthenticAMD family 25 model 1"),
            std::string::npos);
}

/// 4,000 rows should take at most 20 ms; the limit here leaves room for sanitizers. Processor time, because the machine
/// may be busy.
TEST(CalibrationFile, IsReadFast) {
  Calibration calibration = sample();
  const CalibratedForm form = calibration.forms[0];
  for (int i = 0; i < 4000; ++i) {
    calibration.forms.push_back(form);
    calibration.forms.back().opcode += std::to_string(i);
  }
  const std::string text = writeCalibration(calibration);
  const std::clock_t start = std::clock();
  const auto read = readCalibration(text, "x");
  const double milliseconds = 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  RecordProperty("milliseconds", std::to_string(milliseconds));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, calibration);
  EXPECT_LT(milliseconds, 500);
}

// The table of values and its page.

std::string page() {
  std::ostringstream text;
  text << std::ifstream(CALIBRATION_PAGE).rdbuf();
  return text.str();
}

/// As the page shows it.
std::string rangeOf(const ValueRow &row) {
  std::ostringstream text;
  text << row.least << (row.most == 1 && row.steps == ValueRow::Steps::Whole ? " or " : " to ") << row.most;
  if (row.steps == ValueRow::Steps::PowersOfTwo)
    text << ", a power of two";
  else if (row.steps == ValueRow::Steps::Whole && row.most > 1)
    text << ", whole";
  return text.str();
}

std::string rowOf(const ValueRow &row) {
  std::ostringstream text;
  text << "| `" << row.name << "` | " << row.unit << " | " << rangeOf(row) << " | ";
  if (row.missing.empty())
    text << row.get(Calibration(), row.name).value_or(0);
  else
    text << row.missing;
  text << " | " << row.meaning << " |\n";
  return text.str();
}

constexpr const char *kColumns = " | unit | range | if it is missing | meaning |\n|---|---|---|---|---|\n";

/// The two sections of the page that the table makes.
std::string tables() {
  std::string text = std::string("## Facts\n\n| fact") + kColumns;
  for (const FactRow &row : factTable())
    text += rowOf(row.value);
  text += "\n## Rules\n\nA rule's values are its items; each may be missing.\n\n";
  for (const RuleRow &rule : ruleTable()) {
    text += "**`" + std::string(rule.name) + "`**: " + std::string(rule.meaning) + "\n\n";
    if (rule.values.empty())
      continue;
    text += std::string("| value") + kColumns;
    for (const ValueRow &row : rule.values)
      text += rowOf(row);
    text += "\n";
  }
  return text;
}

/// MCA_UPDATE_GOLDENS=1 rewrites the page.
TEST(CalibrationPage, IsCurrent) {
  const std::string text = page();
  const size_t begin = text.find("## Facts\n"), end = text.find("## Where calibrations lie\n");
  ASSERT_LT(begin, end);
  ASSERT_NE(end, std::string::npos);
  if (std::getenv("MCA_UPDATE_GOLDENS"))
    std::ofstream(CALIBRATION_PAGE) << text.substr(0, begin) << tables() << text.substr(end);
  else
    EXPECT_EQ(text.substr(begin, end - begin), tables()) << "MCA_UPDATE_GOLDENS=1 writes it";
}

TEST(CalibrationPage, HasAnExampleThatCanBeRead) {
  const std::string text = page();
  const size_t begin = text.find("mca-calibration 1\n");
  ASSERT_NE(begin, std::string::npos);
  EXPECT_EQ(errorInText(text.substr(begin, text.find("```", begin) - begin)), "");
}

// This machine and the shipped calibrations.

TEST(CpuIdentity, OfThisMachineCanBeWritten) {
  const CpuIdentity cpu = thisCpu();
  EXPECT_EQ(cpu.llvmName, hostCpu());
#if defined(__x86_64__)
  const Calibration calibration{.cpu = cpu, .date = "2026-11-23", .madeBy = "test"};
  EXPECT_EQ(errorInText(writeCalibration(calibration), {.llvmName = cpu.llvmName, .machine = cpu}), "");
  EXPECT_TRUE(speaksOf(calibration, hostCpu()));
#else
  EXPECT_EQ(cpu.vendor, "");
#endif
}

TEST(CpuIdentity, AgreesWithTheSystem) {
  std::ifstream cpuinfo("/proc/cpuinfo");
  std::map<std::string, std::string> values;
  for (std::string line; std::getline(cpuinfo, line) && !line.empty();)
    if (const size_t colon = line.find(':'); colon != std::string::npos && colon + 2 <= line.size())
      values[line.substr(0, line.find('\t'))] = line.substr(colon + 2);
  if (!values.contains("vendor_id"))
    GTEST_SKIP() << "no x86 Linux";
  const CpuIdentity cpu = thisCpu();
  EXPECT_EQ(cpu.vendor, values["vendor_id"]);
  EXPECT_EQ(std::to_string(cpu.family), values["cpu family"]);
  EXPECT_EQ(std::to_string(cpu.model), values["model"]);
  EXPECT_EQ(std::to_string(cpu.stepping), values["stepping"]);
  EXPECT_EQ(cpu.microcode, values["microcode"]);
  EXPECT_EQ(cpu.brand, values["model name"]);
}

TEST(CpuIdentity, ReadsTheMicrocode) {
  EXPECT_EQ(microcodeIn("processor\t: 0\nmicrocode\t: 0x1000065\n\nmicrocode\t: 0x2\n"), "0x1000065");
  EXPECT_EQ(microcodeIn("processor\t: 0\n"), "");
  EXPECT_EQ(microcodeIn("microcode : a b\n"), "");
}

TEST(CpuIdentity, SaysWhereTheUsersCalibrationLies) {
  const CpuIdentity cpu{.vendor = "AuthenticAMD", .family = 25, .model = 1};
  const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "/";
  setenv("XDG_DATA_HOME", "/data", 1);
  EXPECT_EQ(userCalibrationPath(cpu), "/data/mca-lsp/calibrations/AuthenticAMD-25-1.calibration");
  setenv("XDG_DATA_HOME", "relative", 1);
  setenv("HOME", "/home/a", 1);
  EXPECT_EQ(userCalibrationPath(cpu), "/home/a/.local/share/mca-lsp/calibrations/AuthenticAMD-25-1.calibration");
  EXPECT_EQ(userCalibrationPath({}), "");
  unsetenv("HOME");
  EXPECT_EQ(userCalibrationPath(cpu), "");
  setenv("HOME", home.c_str(), 1);
  unsetenv("XDG_DATA_HOME");
}

TEST(ShippedCalibrations, AreRightAndCanBeFound) {
  for (const ShippedCalibration &shipped : shippedCalibrations()) {
    const auto read = readCalibration(shipped.text, std::string(shipped.file));
    ASSERT_TRUE(read) << read.message();
    EXPECT_EQ(findShipped((*read).cpu), &shipped) << "each CPU has one";
    EXPECT_TRUE(userCalibrationPath((*read).cpu).empty() ||
                userCalibrationPath((*read).cpu).ends_with("/" + std::string(shipped.file)));
    EXPECT_NE(findShipped({.llvmName = (*read).cpu.llvmName}), nullptr);
    EXPECT_EQ(findShippedFor((*read).cpu.llvmName, (*read).cpu), &shipped);
    EXPECT_NE(findShippedFor((*read).cpu.llvmName, {.vendor = "Nobody", .llvmName = "i386"}), nullptr) << "any model";
  }
  EXPECT_EQ(findShipped({.vendor = "Nobody", .llvmName = "i386"}), nullptr);
  EXPECT_EQ(findShipped({.llvmName = "i386"}), nullptr);
}

TEST(DocumentedProfile, AllThatAreCompiledInAreRightAndCanBeFound) {
  for (const ShippedCalibration &text : documentedProfiles()) {
    const auto read = readCalibration(text.text, std::string(text.file));
    ASSERT_TRUE(read) << read.message();
    EXPECT_TRUE((*read).isProfile());
    for (const std::string &cpu : (*read).profiled) {
      EXPECT_EQ(findDocumented(cpu), &text) << cpu << " has one";
      const TargetSelection selection{.triple = "x86_64-unknown-linux-gnu", .cpu = cpu};
      const auto target = Target::create(selection);
      ASSERT_TRUE(target);
      EXPECT_TRUE((*target)->cpuIsKnown()) << cpu;
    }
    std::set<std::string> used;
    for (const CalibratedForm &form : (*read).forms)
      used.insert(form.from.probe);
    for (const FactRow &row : factTable())
      used.insert(row.from(*read).probe);
    for (const RuleRow &row : ruleTable())
      used.insert(row.rule(*read).from.probe);
    for (const DocumentedSource &source : (*read).sources)
      EXPECT_TRUE(used.contains(source.name)) << source.name << " is a source of nothing";
  }
  EXPECT_EQ(findDocumented("i386"), nullptr);
}

/// What was measured comes before what is published.
TEST(DocumentedProfile, CountsWithoutACalibrationOnly) {
  ASSERT_FALSE(documentedProfiles().empty());
  for (const ShippedCalibration &shipped : shippedCalibrations()) {
    const auto read = readCalibratedCpus(shipped.text, "x");
    ASSERT_TRUE(read);
    const AutomaticCalibration found = findAutomatic((*read).cpu.llvmName, {.llvmName = "i386"});
    EXPECT_NE(found.shipped, nullptr);
    EXPECT_EQ(found.documented, nullptr);
  }
  const auto profile = readCalibratedCpus(documentedProfiles()[0].text, "x");
  ASSERT_TRUE(profile);
  for (const std::string &cpu : (*profile).profiled) {
    const AutomaticCalibration found = findAutomatic(cpu, {.llvmName = "i386"});
    EXPECT_NE(found.shipped != nullptr, found.documented != nullptr) << cpu;
  }
}

} // namespace
} // namespace mca
