// The codec keeps every member of every message, whatever its bytes, and no sequence of bytes brings it down.
#include "analysis/wire/codec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace analysis::wire {
namespace {

using namespace std::string_literals;

// Not UTF-8, with a NUL, and with characters that a text format would escape.
const std::string kOddText = "a\0b\xff\xfe\x80\"\\\n\r\xc3\x28 é 漢 \xf0\x9f\x8f\x8e"s;

std::string_view payloadOf(std::string_view frame) {
  return frame.substr(4);
}

/// A message that differs from another in any member has another encoding: the encoding shows what was kept.
template <typename Message, typename Decode>
void expectRoundTrip(const Message &message, Decode decode) {
  const std::string frame = encode(message);
  const auto decoded = decode(payloadOf(frame));
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(encode(*decoded), frame);
}

AnalyzeRequest oddRequest() {
  const Settings settings{.cpu = kOddText,
                          .triple = "riscv64",
                          .cpus = {kOddText, "znver4"},
                          .features = "+v,-f",
                          .iterations = 4'000'000'000u,
                          .compiler = "/usr/bin/clang",
                          .compileCommandsDir = "/b",
                          .compileCommands = kOddText,
                          .extraFlags = {kOddText, "", "-O3"},
                          .markerRegions = false,
                          .loops = true,
                          .wholeSnippets = false,
                          .listings = true,
                          .compileOnChange = true,
                          .trustedFolders = {"/t", kOddText},
                          .allowedCompilers = {"/usr/bin/*"},
                          .cpuSource = "chosen",
                          .trace = "/t",
                          .predictor = "tage",
                          .mispredictPenalty = 14,
                          .calibration = "/c/" + kOddText,
                          .calibrationFolder = "/c",
                          .profile = "/p.mcaprofile",
                          .profileFolder = "/f",
                          .projectFolders = {"/p", kOddText}};
  return {std::numeric_limits<uint64_t>::max(),
          "/p/" + kOddText,
          Language::Cxx,
          kOddText + "\n",
          settings,
          {"/p/a.cpp", kOddText},
          {{DocumentKind::Assembly, 12}, {}},
          true,
          3,
          Version::Head,
          7,
          {0, ~0ull},
          "with -mavx2",
          "/p/" + kOddText,
          {3, ~0u},
          "/p",
          true,
          true,
          ~0u,
          true,
          true,
          true,
          {"-O3", kOddText},
          {"", kOddText},
          {~0ull, {kOddText, ""}, kOddText, true, {kOddText, 5}},
          true};
}

const Wait kOddWait{WaitKind::RetireWidth, kOddText, 3.5, {0, 2}};

Region oddRegion() {
  return {kOddText,
          "vector body ×8",
          "through line 7",
          RegionKind::Loop,
          {1, std::numeric_limits<uint32_t>::max()},
          2,
          3,
          4,
          16,
          0.3,
          31.5,
          {ProfiledLoop::Match::Changed, 0.25, 3.5, 1e9, 31, kOddText},
          {kOddText, ""},
          {kOddText},
          {"", kOddText},
          {{Caveat::Kind::OtherCpu, 7, 1.5, {"", kOddText}}, {}},
          {{Caveat::Kind::LateOperation, 1, 0, {kOddText, "r"}}, {}},
          {kOddText, ""},
          {{Transfer::Kind::IndirectJump, 9, kOddText, {10, 11}}, {}},
          {{"licm", kOddText, "why", {"/v.h", {}, 7, 9}, {{"ClobberedBy", kOddText, {"", {3, 4}, 1, 2}}, {}}}, {}},
          kOddText,
          kOddText,
          ~0ull,
          {{3, 4}, {}}};
}

Simulation oddSimulation() {
  Simulation simulation;
  simulation.id = ~0ull;
  simulation.instructions = 3;
  simulation.cyclesPerIteration = 1.0 / 7;
  simulation.ipc = 0.1;
  simulation.iterations = 100;
  simulation.cycles = std::numeric_limits<uint64_t>::max();
  simulation.microOps = 5;
  simulation.dispatchWidth = 6;
  simulation.averageIpc = 0.2;
  simulation.averageMicroOpsPerCycle = std::numeric_limits<double>::infinity();
  simulation.blockReciprocalThroughput = -0.0;
  simulation.pressure = {{"SBPort0", 1.0 / 3}, {"", std::numeric_limits<double>::denorm_min()}};
  simulation.verdict = {Verdict::Kind::Stall,
                        0.5,
                        0.75,
                        true,
                        8.25,
                        {{"p", 1, 2}, {}},
                        3,
                        "nop",
                        2,
                        1.5,
                        6,
                        {{1, kOddText, 2, 3}, {}},
                        {{1, kOddText, {{"p", 0.25}}, kOddWait}, {}},
                        true};
  simulation.loadsAndStores = true;
  simulation.orderedCycles = 7.5;
  simulation.timeline = {{1, 2, "D=eER", kOddText}, {}};
  simulation.timelineCycles = 5;
  simulation.otherCpus = {{kOddText, 8.5, 0.3, "why", false}, {}};
  simulation.body = {{kOddText, 1, 2, 0.5, {{"p", 0.25}}, {kOddWait}, {0, 1}, true}, {}};
  simulation.chainCycles = 9.5;
  simulation.chain = {{1, kOddText, 2, 3}, {}};
  simulation.calibrated = {1.0 / 3, 2.5, 7, {{kOddText, 0.5}, {}}, 4.5};
  simulation.uncorrectedCycles = 6.25;
  return simulation;
}

Budget oddBudget() {
  return {Budget::What::Ipc,
          4.5,
          "4.50",
          kOddText,
          {12, 13},
          {{kOddText, "why", 5.25, 0.4, 8, {kOddText}, {{Caveat::Kind::LateCopy, 1, 2, {"a"}}}, 5}, {}}};
}

View oddView() {
  return {{DocumentKind::Timeline, 3},
          View::Problem::SetAside,
          kOddText,
          ~0ull,
          {{1, kOddText, "why"}, {}},
          {kOddText, "#", {"p", ""}, {{"\tnop", true, true, 3, 0.5, {0.25, 0}, {1, 2}, 4}, {}}},
          6,
          {{"nop", ""}, {1, 0}, {{1, 2, 3, 4, 5, 6, {{7, 8, kOddWait}}}, {}}, {{"p", 0.25}}},
          {{"jle", ""}, {0, 2}, {{{1, 2, 3, 4, 5, 6, {{7, 8, kOddWait}}}, true, 9, ~0u}, {}}, {kOddText, ""}}};
}

AnalysisResult oddResult() {
  AnalysisResult result;
  result.id = 1ull << 63;
  result.status = Status::Cancelled;
  result.target = {"t",
                   "c",
                   "f",
                   kOddText,
                   "m",
                   "o",
                   {"without -mavx2", kOddText},
                   kOddText,
                   CpuModel::Borrowed,
                   {CalibrationSummary::Source::Profile, kOddText, "2026-11-23", "/c", "1f"}};
  result.regions = {oddRegion(), {}};
  result.simulations = {oddSimulation(), {}};
  result.budgets = {oddBudget(), {}};
  result.coverage = {3, 2, 1};
  result.vanishedLoops = {{{1, 2}, {{LoopFate::Kind::NeverRuns, 8, kOddText}, {}}}, {}};
  result.findings = {{{1, 2},
                      Severity::Hint,
                      "code",
                      kOddText,
                      {{"/other", {3, 4}, 12, "here"}, {}},
                      {Sentence::Last, {kOddText, ""}}}};
  result.views = {oddView(), {}};
  result.notes = {kOddText};
  result.compileMicros = 1;
  result.analysisMicros = 2;
  result.head = ~0ull;
  result.otherFiles = {{"/p/a.h", {0, ~0u}}, {kOddText, {}}};
  result.inputs = {"/p/a.h", kOddText};
  result.inputsUnknown = true;
  const Candidate change{
      "march", AdviceLabel::ChangesResults, {{{3, 4}, kOddText}, {}}, {"-O3"}, {kOddText}, {""}, true, true, true};
  result.advice = {{change, {}},
                   ~0ull,
                   SourceKept::Unreadable,
                   {kOddText, "f", "float", {"int32", "float*"}, "why not"},
                   true,
                   {7, {"f", kOddText}, kOddText, true, {"/t", ~0ull}}};
  return result;
}

TEST(Codec, KeepsRequests) {
  expectRoundTrip(ToWorker(oddRequest()), decodeToWorker);
  expectRoundTrip(ToWorker(AnalyzeRequest()), decodeToWorker);
  expectRoundTrip(ToWorker(CancelRequest{42}), decodeToWorker);
  expectRoundTrip(ToWorker(CpusRequest{42, kOddText}), decodeToWorker);
  expectRoundTrip(ToWorker(IdleWorkRequest{false}), decodeToWorker);
}

TEST(Codec, KeepsAnswers) {
  expectRoundTrip(FromWorker(oddResult()), decodeFromWorker);
  expectRoundTrip(FromWorker(AnalysisResult()), decodeFromWorker);
  expectRoundTrip(FromWorker(CpusResult{42, "t", {{kOddText, CpuModel::Borrowed}, {}}}), decodeFromWorker);
  expectRoundTrip(FromWorker(Progress{9, Stage::Simulating, kOddText, {1, 2}, 3, 4}), decodeFromWorker);
}

TEST(Codec, EveryMemberArrivesInItsPlace) {
  const AnalyzeRequest request = oddRequest();
  const auto toWorker = decodeToWorker(payloadOf(encode(ToWorker(request))));
  const auto &got = std::get<AnalyzeRequest>(toWorker.value());
  EXPECT_EQ(got.id, request.id);
  EXPECT_EQ(got.path, request.path);
  EXPECT_EQ(got.language, request.language);
  EXPECT_EQ(got.text, request.text);
  EXPECT_EQ(got.settings, request.settings);
  EXPECT_EQ(got.openFiles, request.openFiles);
  EXPECT_EQ(got.documents, request.documents);
  EXPECT_TRUE(got.reuseCompiled);
  EXPECT_EQ(got.fileEvents, request.fileEvents);
  EXPECT_EQ(got.version, Version::Head);
  EXPECT_EQ(got.knownHead, 7u);
  EXPECT_EQ(got.knownSimulations, request.knownSimulations);
  EXPECT_EQ(got.command, request.command);
  EXPECT_EQ(got.compiledThrough, request.compiledThrough);
  EXPECT_EQ(got.onlyLoops, request.onlyLoops);
  EXPECT_EQ(got.projectFolder, request.projectFolder);
  EXPECT_EQ(got.module, request.module);

  const AnalysisResult result = oddResult();
  const auto fromWorker = decodeFromWorker(payloadOf(encode(FromWorker(result))));
  const auto &answer = std::get<AnalysisResult>(fromWorker.value());
  EXPECT_EQ(answer.status, Status::Cancelled);
  EXPECT_EQ(answer.target.cpuOrigin, kOddText);
  EXPECT_EQ(answer.regions, result.regions);
  EXPECT_EQ(answer.simulations, result.simulations);
  EXPECT_TRUE(std::signbit(answer.simulations[0].blockReciprocalThroughput));
  EXPECT_EQ(answer.budgets, result.budgets);
  EXPECT_EQ(answer.coverage, result.coverage);
  EXPECT_EQ(answer.findings[0].related[0].line, 12u);
  EXPECT_EQ(answer.views, result.views);
  EXPECT_EQ(answer.notes, result.notes);
  EXPECT_EQ(answer.compileMicros, 1u);
  EXPECT_EQ(answer.analysisMicros, 2u);
  EXPECT_EQ(answer.head, ~0ull);
  ASSERT_EQ(answer.otherFiles.size(), 2u);
  EXPECT_EQ(answer.otherFiles[0].loops, result.otherFiles[0].loops);
}

TEST(Codec, KeepsNotANumber) {
  AnalysisResult result = oddResult();
  result.simulations[0].ipc = std::numeric_limits<double>::quiet_NaN();
  const auto decoded = decodeFromWorker(payloadOf(encode(FromWorker(result))));
  EXPECT_TRUE(std::isnan(std::get<AnalysisResult>(decoded.value()).simulations[0].ipc));
}

TEST(Codec, DirectionsAreApart) {
  EXPECT_FALSE(decodeFromWorker(payloadOf(encode(ToWorker(oddRequest())))));
  EXPECT_FALSE(decodeToWorker(payloadOf(encode(FromWorker(oddResult())))));
}

TEST(Codec, RefusesEveryTruncation) {
  const std::string frame = encode(FromWorker(oddResult()));
  for (size_t length = 0; length < payloadOf(frame).size(); ++length)
    EXPECT_FALSE(decodeFromWorker(payloadOf(frame).substr(0, length))) << length;
  EXPECT_FALSE(decodeFromWorker(frame.substr(4) + '\0'));
}

TEST(Codec, RefusesValuesOutOfRange) {
  // [1, [id]] is a CancelRequest: array(2) unsigned(1) array(1) unsigned(7).
  EXPECT_TRUE(decodeToWorker("\x82\x01\x81\x07"));
  EXPECT_FALSE(decodeToWorker("\x82\x02\x81\x07"));                                // no such kind
  EXPECT_FALSE(decodeToWorker("\x82\x01\x80"));                                    // a member is missing
  EXPECT_FALSE(decodeToWorker("\x82\x01\x82\x07\x07"));                            // one too many
  EXPECT_FALSE(decodeToWorker("\x82\x01\x81\x20"));                                // a negative number
  EXPECT_FALSE(decodeToWorker("\x82\x01\x81\x61x"));                               // a text for a number
  EXPECT_FALSE(decodeToWorker("\x82\x01\xa0"));                                    // a map
  EXPECT_FALSE(decodeToWorker("\x82\x01\x81\xf6"));                                // null
  EXPECT_FALSE(decodeFromWorker("\x82\x00\x86\x01\x04\x60\x82\x00\x00\x00\x00"s)); // no such stage
  EXPECT_TRUE(decodeFromWorker("\x82\x00\x86\x01\x03\x60\x82\x00\x00\x00\x00"s));
  EXPECT_FALSE(
      decodeFromWorker("\x82\x00\x86\x01\x03\x60\x82\x1b\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00"s)); // 2^32
}

TEST(Codec, DeepNestingIsRefusedBeforeItUsesTheStack) {
  EXPECT_FALSE(decodeToWorker(std::string(50'000'000, '\x81')));
  EXPECT_FALSE(decodeToWorker(std::string(50'000'000, '\x9f')));
  EXPECT_FALSE(decodeToWorker(std::string(50'000'000, '\xa1')));
}

TEST(Codec, LyingLengthsAllocateNothing) {
  EXPECT_FALSE(decodeToWorker("\x9b\xff\xff\xff\xff\xff\xff\xff\xff"));
  EXPECT_FALSE(decodeToWorker("\x7b\x7f\xff\xff\xff\xff\xff\xff\xff"));
  EXPECT_FALSE(decodeToWorker("\x5b\x7f\xff\xff\xff\xff\xff\xff\xff"));
}

TEST(Codec, ManySmallValuesAreRefused) {
  const std::string values = "\x82\x01\x9a\x05\xf5\xe1\x00"s + std::string(100'000'000, '\0');
  EXPECT_FALSE(decodeToWorker(values));
}

TEST(Codec, NoBytesBringItDown) {
  std::mt19937 random(1);
  const std::string good = encode(FromWorker(oddResult())).substr(4);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = good;
    for (uint32_t changes = 1 + random() % 4; changes > 0; --changes)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    (void)decodeFromWorker(bytes);
    std::string noise(random() % 64, '\0');
    for (char &byte : noise)
      byte = static_cast<char>(random());
    (void)decodeToWorker(noise);
  }
}

TEST(FrameSplitter, CutsWhateverTheChunks) {
  std::mt19937 random(2);
  std::string stream;
  std::vector<std::string> expected;
  for (int i = 0; i < 500; ++i) {
    expected.push_back(encode(ToWorker(CancelRequest{random()})).substr(4));
    stream += encode(decodeToWorker(expected.back()).value());
  }
  for (const size_t maxChunk : {size_t{1}, size_t{3}, size_t{64}, stream.size()}) {
    FrameSplitter splitter;
    std::vector<std::string> got;
    for (size_t at = 0; at < stream.size();) {
      const size_t chunk = 1 + random() % maxChunk;
      splitter.feed(std::string_view(stream).substr(at, chunk));
      at += chunk;
      while (const auto payload = splitter.next())
        got.emplace_back(*payload);
    }
    EXPECT_EQ(got, expected);
    EXPECT_FALSE(splitter.broken());
  }
}

TEST(FrameSplitter, TakesAnEmptyFrame) {
  FrameSplitter splitter;
  splitter.feed("\0\0\0\0"s);
  ASSERT_TRUE(splitter.next().has_value());
  EXPECT_FALSE(splitter.next().has_value());
}

TEST(FrameSplitter, ALengthBeyondTheLimitBreaksIt) {
  FrameSplitter splitter;
  splitter.feed("\x01\x00\x00\x20"s);
  EXPECT_FALSE(splitter.next().has_value());
  EXPECT_TRUE(splitter.broken());
  splitter.feed(encode(ToWorker(CancelRequest{1})));
  EXPECT_FALSE(splitter.next().has_value());
}

TEST(FrameSplitter, CarriesALargeTextInSmallChunks) {
  AnalyzeRequest request;
  request.text.assign(100u << 20, 'x');
  const std::string frame = encode(ToWorker(request));
  FrameSplitter splitter;
  for (size_t at = 0; at < frame.size(); at += 4096) {
    ASSERT_FALSE(splitter.next().has_value());
    splitter.feed(std::string_view(frame).substr(at, 4096));
  }
  const auto decoded = decodeToWorker(splitter.next().value());
  EXPECT_EQ(std::get<AnalyzeRequest>(decoded.value()).text, request.text);
}

/// A reader that takes one frame for each two that arrive: the backlog grows, the cost of each byte does not.
TEST(FrameSplitter, ABacklogCostsNoMore) {
  const std::string frame = encode(ToWorker(CancelRequest{1}));
  FrameSplitter splitter;
  for (int i = 0; i < 200'000; ++i) {
    splitter.feed(frame);
    splitter.feed(frame);
    ASSERT_TRUE(splitter.next().has_value());
  }
  for (int i = 0; i < 200'000; ++i)
    ASSERT_TRUE(splitter.next().has_value());
  EXPECT_FALSE(splitter.next().has_value());
}

} // namespace
} // namespace analysis::wire
