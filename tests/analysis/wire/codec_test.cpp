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
                          .features = "+v,-f",
                          .iterations = 4'000'000'000u,
                          .compiler = "/usr/bin/clang",
                          .compileCommandsDir = "/b",
                          .extraFlags = {kOddText, "", "-O3"},
                          .markerRegions = false,
                          .loops = true,
                          .wholeSnippets = false,
                          .listings = true,
                          .compileOnChange = true,
                          .trustedFolders = {"/t", kOddText},
                          .slowerPercent = 7,
                          .allowedCompilers = {"/usr/bin/*"},
                          .cpuSource = "chosen"};
  return {std::numeric_limits<uint64_t>::max(),
          "/p/" + kOddText,
          Language::Cxx,
          kOddText + "\n",
          settings,
          {"/p/a.cpp", kOddText},
          {{"the last save", {{kOddText, 4.5, 0.1}, {}}, "znver4"}},
          {{DocumentKind::Assembly, 12}, {}},
          true,
          Version::Head,
          7,
          true,
          {0, ~0ull},
          "with -mavx2",
          "/p/" + kOddText,
          {3, ~0u},
          "/p"};
}

AnalysisResult oddResult() {
  AnalysisResult result;
  result.id = 1ull << 63;
  result.status = Status::Cancelled;
  result.target = {"t", "c", "f", kOddText, "m", "o", {"without -mavx2", kOddText}, kOddText};
  RegionSummary region;
  region.name = kOddText;
  region.instance = "loop in f";
  region.kind = RegionKind::Loop;
  region.at = {1, std::numeric_limits<uint32_t>::max()};
  region.line = 2;
  region.loop = 4;
  region.sourceIterations = 16;
  region.share = 0.3;
  region.iterationsPerCall = 31.5;
  region.instructions = 3;
  region.iterations = 100;
  region.cycles = std::numeric_limits<uint64_t>::max();
  region.microOps = 5;
  region.dispatchWidth = 6;
  region.cyclesPerIteration = 1.0 / 7;
  region.ipc = 0.1;
  region.averageIpc = 0.2;
  region.averageMicroOpsPerCycle = std::numeric_limits<double>::infinity();
  region.blockReciprocalThroughput = -0.0;
  region.pressure = {{"SBPort0", 1.0 / 3}, {"", std::numeric_limits<double>::denorm_min()}};
  const Wait wait{WaitKind::RetireWidth, kOddText, 3.5, {0, 2}};
  region.verdict = {Verdict::Kind::Stall,
                    0.5,
                    0.75,
                    {{"p", 1, 2}, {}},
                    3,
                    "nop",
                    2,
                    1.5,
                    6,
                    {{1, kOddText, 2, 3}, {}},
                    {{1, kOddText, {{"p", 0.25}}, wait}, {}}};
  region.caveats = {"", kOddText};
  region.calls = {kOddText, ""};
  region.body = {{{3, 4}, kOddText, 1, 2, 0.5, {{"p", 0.25}}, {wait}, {0, 1}, true}, {}};
  region.chain = {1, 0};
  region.budgets = {{"cycles", 4.5, 5.25, kOddText, false}, {"ipc", 0.1, 2, "", true, false}};
  result.regions = {region, {}};
  result.documents = {{{DocumentKind::Report, 3}, kOddText, {{1, 2}, {3, 4}}}, {}};
  result.documents[1].request.kind = DocumentKind::Timeline;
  result.documents[1].timeline = {
      kOddText, "c", 0.5, {"nop", ""}, {{1, 2, 3, 4, 5, 6, {{7, 8, kOddText, {0, 1}}, {}}}, {}}, {{"p", 0.25}}};
  result.hints = {{7,
                   {{"IPC 2.37", {{Block::Kind::Item, "i"}}}, {}},
                   {{Block::Kind::Heading, "h"}, {Block::Kind::Preformatted, kOddText}}}};
  result.findings = {{{1, 2}, Severity::Hint, "code", kOddText, {{"/other", {3, 4}, 12, "here"}, {}}}};
  result.hovers = {{{5, 6}, {{Block::Kind::Item, "i"}}}, {}};
  result.parts = {{~0ull, true, 7, {8, 9}, {region}, result.hints, result.findings, result.hovers}, {}};
  result.notes = {kOddText};
  result.compileMicros = 1;
  result.analysisMicros = 2;
  result.head = ~0ull;
  result.otherFiles = {{"/p/a.h", {0, ~0u}}, {kOddText, {}}};
  return result;
}

TEST(Codec, KeepsRequests) {
  expectRoundTrip(ToWorker(oddRequest()), decodeToWorker);
  expectRoundTrip(ToWorker(AnalyzeRequest()), decodeToWorker);
  expectRoundTrip(ToWorker(CancelRequest{42}), decodeToWorker);
  expectRoundTrip(ToWorker(CpusRequest{42, kOddText}), decodeToWorker);
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
  EXPECT_EQ(got.before, request.before);
  EXPECT_EQ(got.documents, request.documents);
  EXPECT_TRUE(got.reuseCompiled);
  EXPECT_EQ(got.version, Version::Head);
  EXPECT_EQ(got.knownHead, 7u);
  EXPECT_TRUE(got.inParts);
  EXPECT_EQ(got.knownParts, request.knownParts);

  const AnalysisResult result = oddResult();
  const auto fromWorker = decodeFromWorker(payloadOf(encode(FromWorker(result))));
  const auto &answer = std::get<AnalysisResult>(fromWorker.value());
  EXPECT_EQ(answer.status, Status::Cancelled);
  EXPECT_EQ(answer.target.cpuOrigin, kOddText);
  ASSERT_EQ(answer.regions.size(), 2u);
  EXPECT_EQ(answer.regions[0].cycles, result.regions[0].cycles);
  EXPECT_EQ(answer.regions[0].ipc, 0.1);
  ASSERT_EQ(answer.regions[0].budgets.size(), 2u);
  EXPECT_EQ(answer.regions[0].budgets[0].value, 5.25);
  EXPECT_TRUE(answer.regions[0].budgets[1].met);
  EXPECT_TRUE(std::signbit(answer.regions[0].blockReciprocalThroughput));
  EXPECT_EQ(answer.regions[0].pressure[1].perIteration, std::numeric_limits<double>::denorm_min());
  ASSERT_EQ(answer.regions[0].body.size(), 2u);
  EXPECT_EQ(answer.regions[0].body[0].latency, 2u);
  EXPECT_EQ(answer.regions[0].body[0].waits[0].by, (std::vector<uint32_t>{0, 2}));
  EXPECT_TRUE(answer.regions[0].body[0].loads);
  EXPECT_EQ(answer.regions[0].chain, result.regions[0].chain);
  EXPECT_EQ(answer.documents[0].links[1].bufferLine, 4u);
  EXPECT_EQ(answer.findings[0].related[0].line, 12u);
  EXPECT_EQ(answer.hints[0].tooltip[1].text, kOddText);
  ASSERT_EQ(answer.parts.size(), 2u);
  EXPECT_EQ(answer.parts[0].id, ~0ull);
  EXPECT_TRUE(answer.parts[0].kept);
  EXPECT_EQ(answer.parts[0].line, 7u);
  EXPECT_EQ(answer.parts[0].text, (ByteRange{8, 9}));
  EXPECT_EQ(answer.parts[0].regions[0].name, kOddText);
  EXPECT_EQ(answer.parts[0].hints.size(), 1u);
  EXPECT_EQ(answer.parts[0].findings[0].code, "code");
  EXPECT_EQ(answer.parts[0].hovers.size(), 2u);
  EXPECT_EQ(answer.notes, result.notes);
  EXPECT_EQ(answer.head, ~0ull);
}

TEST(Codec, KeepsNotANumber) {
  AnalysisResult result = oddResult();
  result.regions[0].ipc = std::numeric_limits<double>::quiet_NaN();
  const auto decoded = decodeFromWorker(payloadOf(encode(FromWorker(result))));
  EXPECT_TRUE(std::isnan(std::get<AnalysisResult>(decoded.value()).regions[0].ipc));
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
