// The JSON of --check: that it says everything, and that it is read back as it was written.
#include "lsp/check/check_file.h"
#include "lsp/check/check_json.h"
#include "tests/lsp/analysed_document.h"
#include "tests/lsp/check_samples.h"

#include <functional>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lsp {
namespace {

using analysis::wire::RegionKind;
using analysis::wire::Severity;
using nlohmann::json;

CheckDocument fullDocument() {
  CheckRegion region = checkedRegion("dot, vector body ×8", 4.03, RegionKind::Path);
  region.loop = 7;
  region.sourceIterations = 8;
  region.share = 0.25;
  region.iterationsPerCall = 31.5;
  region.profile = {
      .share = 0.25, .cyclesPerIteration = 9.5, .isByLines = true, .isOutsideOfCore = true, .change = "another `addl`"};
  region.numbers.microOps = 500;
  region.numbers.dispatchWidth = 6;
  region.numbers.ipc = 1.0 / 3;
  region.numbers.cycles = 410;
  region.numbers.averageIpc = 0.3;
  region.numbers.averageMicroOpsPerCycle = 1.25;
  region.numbers.blockReciprocalThroughput = 1.5;
  region.numbers.pressure = {{"P0", 1}, {"P1", 0.1}};
  region.code = "1f3a";
  region.bottleneck = "P0 is busy";
  region.caveats = {"a missing line"};
  region.corrections = {"corrected: a division"};
  region.numbers.uncorrectedCycles = 6.5;
  region.calls = {"f", "ns::g"};
  region.leftOut = {"a missing line"};
  region.numbers.otherCpus = {{"znver3", 5.5, 0.7, "its remark"}};
  region.budgets = {{"cycles", 4.5, 4.03, "znver4", true}};
  region.flow.numbers = {.source = analysis::wire::ControlFlow::Source::File,
                         .file = "a.mcatrace",
                         .statement = "f",
                         .predictor = "tage",
                         .mispredictPenalty = 14,
                         .iterations = 1000,
                         .instructions = 4000,
                         .cycles = 16,
                         .perfectCycles = 4.6,
                         .missesPerThousand = 125,
                         .isBarelyTrained = true,
                         .calls = {"ns::g"}};
  region.flow.branches = {{3, 2, {.text = "jle", .isIndirect = true, .executions = 1, .taken = 0.25, .missed = 0.5}}};
  region.numbers.calibrated = {3.25, 0.75, 2, {{"alu", 4}, {"slots", 1.5}}};
  region.listing = "nop\n";
  region.firstLine = 2;
  region.lastLine = 9;
  region.baseline = 0.1;
  CheckFile file = checkedFile("a.cpp", {region, checkedRegion("x", 1, RegionKind::Marker)});
  file.target.calibration = {analysis::wire::CalibrationSummary::Source::Project, "AMD EPYC", "2026-11-23",
                             "ci/a.calibration", "1f"};
  file.coverage = {3, 2, 1, {7, 12}};
  file.hints = {{3, "IPC 0.33"}};
  CheckFinding finding = checkedFinding(Severity::Warning, "call");
  finding.at = {1, 2, 3, 4, 5, 6};
  finding.related = {{"", {7, 8, 9, 10, 11, 12}, "here"}, {"/h.h", {}, "there"}};
  file.findings = {finding, checkedFinding(Severity::Error, "parse-error"), checkedFinding(Severity::Hint, "x")};
  file.notes = {"a note"};
  return {"0.1", {2, 3}, {file, checkedFile("b.s")}};
}

std::string written(const CheckDocument &document) {
  std::string text;
  checkJson(document, [&](std::string_view piece) { text += piece; });
  return text;
}

TEST(CheckJson, IsReadBackAsItWasWritten) {
  const std::string text = written(fullDocument());
  const ReadCheckDocument read = readCheckJson(text);
  ASSERT_TRUE(read.document) << read.error;
  EXPECT_EQ(written(*read.document), text);
  EXPECT_EQ(read.document->shard, (CheckShard{2, 3}));
  ASSERT_EQ(read.document->files.size(), 2u);
  const CheckFile &file = read.document->files[0];
  EXPECT_EQ(file.regions.at(0).numbers.cyclesPerIteration, 4.03);
  EXPECT_EQ(file.regions.at(0).numbers.ipc, 1.0 / 3);
  EXPECT_EQ(file.regions.at(0).kind, RegionKind::Path);
  EXPECT_EQ(file.regions.at(0).baseline, 0.1);
  EXPECT_EQ(file.findings.at(0).related.at(0).at.utf16EndColumn, 12u);
  EXPECT_EQ(file.findings.at(2).severity, Severity::Hint);
}

/// The editor's text is written without a tree of objects.
TEST(CheckJson, OfAnEditorsDocumentHasTheSameMembers) {
  const auto documentWith = [](const std::string &name) {
    features::SentRegion region = features::markedRegion(name, {4, 9}, 4.0 / 3);
    region.region.sourceIterations = 8;
    region.region.calls = {"f", "ns::g"};
    return features::makeDocument("one\ntwo\nthree\n",
                                  features::analysisOf({region, features::markedRegion("second", {0, 0})}));
  };
  const Document document = documentWith("a \"b\" \xC3\xA9");
  const CheckFile file = checkFile(document.path(), document.text(), document.analysis(), {}, "/");
  EXPECT_EQ(json::parse(analysisText(document)), json::parse(written({.version = MCA_VERSION, .files = {file}})));
  EXPECT_EQ(analysisText(documentWith("\xE2\x80\xAE")).find("\xE2\x80\xAE"), std::string::npos) << "it is made visible";
}

TEST(CheckJson, HasTheDocumentedMembers) {
  const json document = json::parse(written(fullDocument()));
  EXPECT_EQ(document["schema"], "mca-lsp-check");
  EXPECT_EQ(document["schemaVersion"], 3);
  EXPECT_EQ(document["version"], "0.1");
  EXPECT_EQ(document["shard"], (json{{"index", 2}, {"count", 3}}));
  EXPECT_EQ(document["summary"], (json{{"files", 2},
                                       {"regions", 2},
                                       {"errors", 1},
                                       {"warnings", 1},
                                       {"information", 1},
                                       {"loops", 3},
                                       {"hinted", 2},
                                       {"compared", 1}}));
  const json &file = document["files"][0];
  EXPECT_EQ(file["file"], "a.cpp");
  EXPECT_EQ(file["target"]["cpu"], "znver4");
  EXPECT_EQ(file["coverage"], (json{{"loops", 3}, {"hinted", 2}, {"elsewhere", 1}, {"vanished", {7, 12}}}));
  EXPECT_FALSE(document["files"][1]["coverage"].contains("vanished")) << "only if there are any";
  const json &region = file["regions"][0];
  EXPECT_EQ(region["kind"], "path");
  EXPECT_DOUBLE_EQ(region["cyclesPerIteration"].get<double>(), 4.03 / 8);
  EXPECT_EQ(region["baselineCyclesPerIteration"], 0.1);
  EXPECT_EQ(region["machineCyclesPerIteration"], 4.03);
  EXPECT_EQ(region["cycles"], 410);
  EXPECT_EQ(region["ipc"], 1.0 / 3);
  EXPECT_EQ(region["averageIpc"], 0.3);
  EXPECT_EQ(region["averageMicroOpsPerCycle"], 1.25);
  EXPECT_EQ(region["pressure"][1], (json{{"resource", "P1"}, {"cyclesPerIteration", 0.1}}));
  EXPECT_EQ(
      region["budgets"][0],
      (json{{"what", "cycles"}, {"limit", 4.5}, {"value", 4.03}, {"cpu", "znver4"}, {"met", true}, {"checked", true}}));
  EXPECT_EQ(file["target"]["calibration"], (json{{"source", "project"},
                                                 {"cpu", "AMD EPYC"},
                                                 {"date", "2026-11-23"},
                                                 {"file", "ci/a.calibration"},
                                                 {"id", "1f"}}));
  EXPECT_EQ(region["calibrated"]["llvmCyclesPerIteration"], 3.25);
  EXPECT_EQ(region["calibrated"]["llvmIpc"], 0.75);
  EXPECT_EQ(region["calibrated"]["fromLlvm"], 2);
  EXPECT_EQ(region["calibrated"]["bounds"][0], (json{{"resource", "alu"}, {"cyclesPerIteration", 4}}));
  EXPECT_FALSE(file["regions"][1].contains("calibrated"));
  EXPECT_FALSE(document["files"][1]["target"].contains("calibration"));
  EXPECT_EQ(region["calls"], (json{"f", "ns::g"}));
  EXPECT_EQ(region["flow"]["source"], "file");
  EXPECT_EQ(region["flow"]["perfectCyclesPerIteration"], 4.6);
  EXPECT_EQ(region["flow"]["calls"], json{"ns::g"});
  EXPECT_EQ(region["flow"]["branches"][0]["line"], 3);
  EXPECT_EQ(region["flow"]["branches"][0]["missed"], 0.5);
  EXPECT_FALSE(file["regions"][1].contains("flow"));
  EXPECT_EQ(region["code"], "1f3a");
  EXPECT_EQ(region["listing"], "nop\n");
  EXPECT_FALSE(file["regions"][1].contains("baselineCyclesPerIteration"));
  EXPECT_FALSE(file["regions"][1].contains("listing"));
  EXPECT_EQ(file["findings"][0]["severity"], "warning");
  EXPECT_EQ(file["findings"][0]["endColumn"], 5);
  EXPECT_FALSE(file["findings"][0]["related"][0].contains("file"));
  EXPECT_EQ(file["findings"][0]["related"][1]["file"], "/h.h");
}

TEST(CheckJson, PiecesAreIndentedAsOneObject) {
  for (CheckDocument document : {fullDocument(), CheckDocument{"0.1", {}, {}}}) {
    const std::string text = written(document);
    EXPECT_EQ(text, nlohmann::ordered_json::parse(text).dump(1) + "\n");
  }
}

TEST(CheckJson, AWholeRunHasNoShard) {
  CheckDocument document = fullDocument();
  document.shard = {};
  EXPECT_FALSE(json::parse(written(document)).contains("shard"));
}

TEST(CheckJson, OddBytesStayValid) {
  CheckDocument document = fullDocument();
  document.files[0].name = "\xff\x01.s";
  EXPECT_TRUE(json::accept(written(document)));
}

TEST(CheckJson, OtherTextsAreNone) {
  for (const char *text : {"", "[]", "{}", "{\"schema\":\"mca-lsp-check\"}", "{\"schema\":\"x\",\"files\":[]}", "\xff"})
    EXPECT_FALSE(readCheckJson(text).document) << text;
}

TEST(CheckJson, TextsOfAnotherSchemaNameItsVersion) {
  for (const unsigned version : {1, 4}) {
    const ReadCheckDocument other =
        readCheckJson(R"({"schema":"mca-lsp-check","schemaVersion":)" + std::to_string(version) + R"(,"files":[]})");
    EXPECT_FALSE(other.document);
    EXPECT_EQ(other.error, "was written by another version of mca-lsp: its schemaVersion is " +
                               std::to_string(version) + ", and this program reads 2 to 3");
  }
  EXPECT_TRUE(readCheckJson(R"({"schema":"mca-lsp-check","schemaVersion":2,"version":"1","files":[]})").document);
}

/// What is said of the full document after `damage` was done to it.
std::string errorAfter(const std::function<void(json &document)> &damage) {
  json document = json::parse(written(fullDocument()));
  damage(document);
  const ReadCheckDocument read = readCheckJson(document.dump());
  EXPECT_EQ(read.document.has_value(), read.error.empty());
  return read.error;
}

TEST(CheckJson, MembersOfOtherTypesAreNamed) {
  const auto with = [](const char *pointer, const json &value) {
    return errorAfter([&](json &document) { document[json::json_pointer(pointer)] = value; });
  };
  EXPECT_EQ(with("/files", json::object()), "files is no list");
  EXPECT_EQ(with("/files/1", nullptr), "files[1] is no object");
  EXPECT_EQ(with("/files/0/findings", 7), "files[0].findings is no list");
  EXPECT_EQ(with("/files/0/file", 3), "files[0].file is no string");
  EXPECT_EQ(with("/files/0/findings/0/line", "y"), "files[0].findings[0].line is no whole number from 0 to 4294967295");
  EXPECT_EQ(with("/files/0/findings/0/line", -1), "files[0].findings[0].line is no whole number from 0 to 4294967295");
  EXPECT_EQ(with("/files/0/findings/0/line", 1.5), "files[0].findings[0].line is no whole number from 0 to 4294967295");
  EXPECT_EQ(with("/files/0/findings/0/severity", "x"), "files[0].findings[0].severity is no known word");
  EXPECT_EQ(with("/files/0/findings/0/related/0", json::array()), "files[0].findings[0].related[0] is no object");
  EXPECT_EQ(with("/files/0/regions/0/ipc", nullptr), "files[0].regions[0].ipc is no number");
  EXPECT_EQ(with("/files/0/regions/0/cyclesPerIteration", "x"), "files[0].regions[0].cyclesPerIteration is no number");
  EXPECT_EQ(with("/files/0/regions/0/budgets/0/met", 1), "files[0].regions[0].budgets[0].met is no true or false");
  EXPECT_EQ(with("/files/0/regions/0/calls/1", 1), "files[0].regions[0].calls[1] is no string");
  EXPECT_EQ(with("/files/0/regions/0/code", "xyz"), "the code of a region of a.cpp is no hexadecimal number");
  EXPECT_EQ(with("/version", json::object()), "version is no string");
  const std::string shard = "shard is no index from 1 to its count, which is at most 1000000";
  EXPECT_EQ(with("/shard/count", (uint64_t{1} << 32) + 1), "shard.count is no whole number from 0 to 4294967295");
  EXPECT_EQ(with("/shard/count", 1'000'001), shard);
  EXPECT_EQ(with("/shard/count", 1), shard);
  EXPECT_EQ(with("/shard/index", 0), shard);
}

TEST(CheckJson, NoMemberMayBeMissing) {
  EXPECT_EQ(errorAfter([](json &document) { document["files"][0].erase("findings"); }), "files[0].findings is missing");
  EXPECT_EQ(errorAfter([](json &document) { document["files"][0]["regions"][1].erase("ipc"); }),
            "files[0].regions[1].ipc is missing");
  EXPECT_EQ(errorAfter([](json &document) { document.erase("files"); }), "files is missing");
  EXPECT_EQ(errorAfter([](json &document) { document["files"][0] = json::object(); }), "files[0].file is missing");
}

TEST(CheckJson, NoMemberMayBeGivenTwice) {
  std::string text = written(fullDocument());
  text.insert(text.rfind('}'), ",\"files\":[]");
  EXPECT_EQ(readCheckJson(text).error, "files is given twice");
}

TEST(CheckJson, MembersOfOtherVersionsAreAccepted) {
  EXPECT_EQ(errorAfter([](json &document) {
              document["files"][0]["regions"][0].erase("code"); // older versions had none
              document["files"][0]["new"] = {{"a", {1, "x", nullptr, json::array({true})}}};
              document["files"][0]["regions"][0]["new"] = 7;
            }),
            "");
}

TEST(CheckJson, IsReadInWholeOrNotAtAll) {
  const std::string text = written(fullDocument());
  for (size_t end = 0; end + 2 < text.size(); end += 1 + text.size() / 400)
    EXPECT_FALSE(readCheckJson(text.substr(0, end)).document) << end;
  EXPECT_FALSE(readCheckJson(text + std::string(1, '\0')).document);
  EXPECT_FALSE(readCheckJson(text + "x").document);
}

/// A reader that keeps a tree, or goes down by recursion, dies of each of these.
TEST(CheckJson, AHostileTextIsRefusedAtOnce) {
  const std::string deep = std::string(500'000, '[') + std::string(500'000, ']');
  std::string text = written(fullDocument());
  text.insert(text.find("\"pressure\""), "\"zz\": " + deep + ", ");
  EXPECT_EQ(readCheckJson(text).error, "it is nested deeper than 256 levels");
  const std::string start = R"({"schema":"mca-lsp-check","schemaVersion":2,"version":"1","files":[)";
  std::string zeros;
  for (int i = 0; i < 5'000'000; ++i)
    zeros += "0,";
  EXPECT_EQ(readCheckJson(start + zeros + "0]}").error, "files[0] is no object");
  std::string notes = written(fullDocument()), many;
  for (int i = 0; i < 2'000'000; ++i)
    many += "\"\",";
  notes.insert(notes.find("\"a note\""), many);
  EXPECT_EQ(readCheckJson(notes).error, "files[0].notes[2000000] is no part of a list of at most 2,000,000 elements");
  const ReadCheckDocument skipped = readCheckJson(start + R"(],"unknown":[)" + zeros + "0]}");
  EXPECT_TRUE(skipped.document) << skipped.error;
}

} // namespace
} // namespace lsp
