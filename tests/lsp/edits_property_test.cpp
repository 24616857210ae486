// Random edits: the text stays the editor's, what an analysis said moves with its lines or goes away, and what is shown
// in the end is what a fresh look at the final text shows. The worker is the real one.
//
// A number of fixed seeds runs always; MCA_PROPERTY_SEEDS=1000 asks for more.
#include "lsp/jobs/worker_supervisor.h"
#include "lsp/server/server.h"
#include "lsp/system/log.h"
#include "lsp/wording/loops_of_line.h"
#include "lsp/workspace/document.h"
#include "tests/lsp/edit_model.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <map>

namespace lsp {
namespace {

using protocol::ContentChange;
using protocol::Json;
using protocol::PositionEncoding;

constexpr std::array kEncodings{PositionEncoding::Utf8, PositionEncoding::Utf16, PositionEncoding::Utf32};
constexpr const char *kUri = "file:///random.s";

uint32_t seeds(uint32_t fixed) {
  const char *wanted = std::getenv("MCA_PROPERTY_SEEDS");
  return wanted ? static_cast<uint32_t>(std::atoi(wanted)) : fixed;
}

// ---- a document against the model ----------------------------------------------------------------------------------

/// What a hint was when its notification came: hints are distinguished by the names of their regions.
struct TrackedHint {
  std::string content;        ///< of its line
  size_t column = 0;          ///< in bytes
  std::optional<size_t> line; ///< where it must be; none once its line was touched
};
using TrackedHints = std::map<std::string, TrackedHint>;

std::string contentOf(const std::string &text, const ModelLine &line) {
  return text.substr(line.begin, line.end - line.begin);
}

size_t lineAt(const std::vector<ModelLine> &lines, size_t offset) {
  size_t line = lines.size() - 1;
  while (lines[line].begin > offset)
    --line;
  return line;
}

/// The bytes that a change replaces: for a whole text, those between the common beginning and end.
ModelLine replacedBytes(const std::string &before, const ContentChange &change, PositionEncoding encoding) {
  if (change.range)
    return {modelOffset(before, change.range->start, encoding), modelOffset(before, change.range->end, encoding)};
  const std::string &after = change.text;
  const size_t shorter = std::min(before.size(), after.size());
  size_t head = 0, tail = 0;
  while (head < shorter && before[head] == after[head])
    ++head;
  while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  return {head, before.size() - tail};
}

/// Lines before the replaced bytes stay, those behind them keep their distance from the end.
void track(TrackedHints &hints, const std::string &before, const std::string &after, ModelLine replaced) {
  const std::vector<ModelLine> old = modelLines(before);
  const size_t first = lineAt(old, replaced.begin), last = lineAt(old, replaced.end);
  const size_t newCount = modelLines(after).size();
  for (auto &[label, hint] : hints)
    if (hint.line && *hint.line > last)
      hint.line = newCount - (old.size() - *hint.line);
    else if (hint.line && *hint.line >= first)
      hint.line.reset();
}

/// The hints that are shown, by the names of their regions; the offsets where they belong. None is of a region whose
/// line was touched. (Two may share a line: an empty one that was joined with the next has not changed it.)
std::map<std::string, size_t> shownHints(const Document &document) {
  std::map<std::string, size_t> hints;
  for (const auto &[line, onLine] :
       wording::loopsByLine(document.analysis(), document.text(), 0, document.text().lineCount() - 1)) {
    if (!wording::isHinted(onLine))
      continue;
    for (const wording::ShownLoop &loop : onLine) {
      const analysis::wire::Region &region = loop.front()->region;
      EXPECT_EQ(loop.size(), 1u) << region.name << " is not alone";
      EXPECT_FALSE(loop.front()->anchorEdited) << region.name;
      hints[region.name] = region.anchor;
    }
  }
  return hints;
}

/// Checks the document's hints against what must have become of them.
void expectTracked(const Document &document, const std::string &text, TrackedHints hints) {
  const std::vector<ModelLine> lines = modelLines(text);
  for (const auto &[name, offset] : shownHints(document)) {
    const TrackedHint &was = hints.at(name);
    const size_t line = lineAt(lines, offset);
    EXPECT_LE(offset, lines[line].end) << name << " is not inside its line";
    EXPECT_EQ(contentOf(text, lines[line]), was.content) << name << " is on a line that changed";
    EXPECT_EQ(offset - lines[line].begin, was.column) << name;
    EXPECT_EQ(was.line.value_or(line), line) << name;
    hints.erase(name);
  }
  for (const auto &[name, hint] : hints)
    EXPECT_FALSE(hint.line) << name << " has gone, but nothing touched its line";
}

TrackedHints trackedHints(const Document &document, const std::string &text) {
  const std::vector<ModelLine> lines = modelLines(text);
  TrackedHints hints;
  for (const auto &[name, offset] : shownHints(document)) {
    const size_t line = lineAt(lines, offset);
    hints[name] = {contentOf(text, lines[line]), offset - lines[line].begin, line};
  }
  return hints;
}

/// A region of each line, with its hint somewhere on it.
Analysis hintOnEachLine(const std::string &text) {
  analysis::wire::AnalysisResult result;
  result.simulations.push_back({.id = 1});
  for (const ModelLine &line : modelLines(text)) {
    const auto number = static_cast<uint32_t>(result.regions.size());
    const auto begin = static_cast<uint32_t>(line.begin), end = static_cast<uint32_t>(line.end);
    result.regions.push_back({.name = "hint " + std::to_string(number),
                              .at = {begin, end},
                              .anchor = begin + (end - begin) / 2,
                              .loop = number,
                              .simulation = 1});
  }
  return Analysis::take(result, {});
}

void editDocument(uint32_t seed, PositionEncoding encoding) {
  constexpr int kNotifications = 30;
  RandomEdits edits(seed);
  std::string text = edits.text();
  Document document({kUri, "asm", 1, {}}, text);
  for (int i = 0; i < kNotifications && !testing::Test::HasFailure(); ++i) {
    if (i % 10 == 0) {
      document.jobStarted();
      document.setAnalysis(hintOnEachLine(text));
      document.jobEnded();
    }
    TrackedHints hints = trackedHints(document, text);
    const protocol::DidChangeParams change{kUri, i + 2, edits.notification(text, encoding)};
    for (const ContentChange &one : change.changes) {
      const std::string after = modelApply(text, one, encoding);
      track(hints, text, after, replacedBytes(text, one, encoding));
      text = after;
    }
    ASSERT_TRUE(document.apply(change, encoding));
    ASSERT_EQ(document.text().bytes(), text);
    ASSERT_EQ(document.text().lineCount(), modelLines(text).size());
    expectTracked(document, text, std::move(hints));
  }
}

TEST(RandomEditsOfADocument, KeepTheTextAndMoveTheHints) {
  for (uint32_t seed = 0; seed < seeds(300) && !HasFailure(); ++seed)
    for (const PositionEncoding encoding : kEncodings) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", encoding " + std::to_string(static_cast<int>(encoding)));
      editDocument(seed, encoding);
    }
}

// ---- the server against a fresh one --------------------------------------------------------------------------------

/// Passes jobs on to the worker, and keeps the text of the last one.
class WatchedRunner final : public JobRunner {
public:
  explicit WatchedRunner(boost::asio::io_context &io) : worker_(io, {.program = MCA_WORKER}) {}
  void start(analysis::wire::AnalyzeRequest request, std::function<void(const analysis::wire::Progress &)> progress,
             std::function<void(JobOutcome)> done) override {
    lastText = request.text;
    worker_.start(std::move(request), std::move(progress), std::move(done));
  }
  void cancel() override { worker_.cancel(); }

  std::string lastText;

private:
  WorkerSupervisor worker_;
};

/// An editor and its server. The worker outlives both.
class Session {
public:
  Session(boost::asio::io_context &io, WatchedRunner &runner, PositionEncoding encoding)
      : io_(io), runner_(runner), encoding_(encoding) {
    static const std::map<PositionEncoding, const char *> kNames{
        {PositionEncoding::Utf8, "utf-8"}, {PositionEncoding::Utf16, "utf-16"}, {PositionEncoding::Utf32, "utf-32"}};
    const Json capabilities{{"general", {{"positionEncodings", {kNames.at(encoding)}}}},
                            {"workspace", {{"inlayHint", {{"refreshSupport", true}}}}}};
    // No job of the server's own may be left when a session ends.
    const Json options{{"comparison", {{"head", false}}}};
    request("initialize", {{"processId", nullptr}, {"capabilities", capabilities}, {"initializationOptions", options}});
  }

  void open(const std::string &opened) {
    text = opened;
    notify("textDocument/didOpen",
           {{"textDocument", {{"uri", kUri}, {"languageId", "asm"}, {"version", version_}, {"text", text}}}});
  }

  void change(const std::vector<ContentChange> &changes) {
    Json list = Json::array();
    for (const ContentChange &one : changes) {
      text = modelApply(text, one, encoding_);
      list.push_back({{"text", one.text}});
      if (one.range)
        list.back()["range"] = {{"start", position(one.range->start)}, {"end", position(one.range->end)}};
    }
    notify("textDocument/didChange",
           {{"textDocument", {{"uri", kUri}, {"version", ++version_}}}, {"contentChanges", list}});
  }

  /// Runs until the diagnostics of the present text are published.
  void settle() {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (diagnostics_.value("version", 0) != version_ && std::chrono::steady_clock::now() < deadline)
      io_.run_one_for(std::chrono::milliseconds(50)), io_.restart();
    ASSERT_EQ(diagnostics_.value("version", 0), version_);
    ASSERT_EQ(runner_.lastText, text);
  }
  void runFor(std::chrono::milliseconds time) { io_.run_for(time), io_.restart(); }

  Json hints() {
    const Json range{{"start", position({0, 0})}, {"end", position({UINT32_MAX, 0})}};
    return request("textDocument/inlayHint", {{"textDocument", {{"uri", kUri}}}, {"range", range}});
  }
  Json hover(uint32_t line) {
    return request("textDocument/hover", {{"textDocument", {{"uri", kUri}}}, {"position", position({line, 1})}});
  }

  void expectHintsInsideTheirLines() {
    const std::vector<ModelLine> lines = modelLines(text);
    for (const Json &hint : hints()) {
      const size_t line = hint["position"]["line"];
      ASSERT_LT(line, lines.size());
      EXPECT_LE(hint["position"]["character"], modelColumns(contentOf(text, lines[line]), encoding_));
    }
  }

  /// Everything that is shown.
  Json shown() {
    Json all{{"hints", hints()}, {"diagnostics", diagnostics_["diagnostics"]}, {"hovers", Json::array()}};
    for (uint32_t line = 0; line < modelLines(text).size(); ++line)
      all["hovers"].push_back(hover(line));
    return all;
  }

  std::string text;

private:
  static Json position(protocol::Position position) {
    return {{"line", position.line}, {"character", position.character}};
  }
  void notify(const char *method, const Json &params) {
    server_.receive(Json{{"jsonrpc", "2.0"}, {"method", method}, {"params", params}}.dump());
  }
  Json request(const char *method, const Json &params) {
    server_.receive(Json{{"jsonrpc", "2.0"}, {"id", "test"}, {"method", method}, {"params", params}}.dump());
    return std::exchange(result_, {});
  }
  void take(const Json &message) {
    if (message.value("method", "") == "textDocument/publishDiagnostics")
      diagnostics_ = message["params"];
    if (message.value("id", Json()) == "test")
      result_ = message.at("result");
  }

  boost::asio::io_context &io_;
  WatchedRunner &runner_;
  PositionEncoding encoding_;
  int version_ = 1;
  Json diagnostics_ = Json::object(); ///< the last ones published
  Json result_;
  Server server_{io_,
                 {runner_},
                 {},
                 {.send = [this](std::string_view content) { take(Json::parse(content)); },
                  .exit = [](int) {},
                  .watchProcess = [](int) {}}};
};

class RandomEditsInASession : public testing::Test {
protected:
  void run(uint32_t seed, PositionEncoding encoding) {
    constexpr int kNotifications = 12;
    RandomEdits edits(seed);
    std::mt19937 random(seed);
    Session edited(io_, {runner_}, encoding);
    edited.open(edits.text());
    for (int i = 0; i < kNotifications; ++i) {
      edited.change(edits.notification(edited.text, encoding));
      // Some edits interrupt a job, some come after its end.
      if (random() % 3 == 0)
        edited.settle();
      else
        edited.runFor(std::chrono::milliseconds(random() % 20));
      edited.expectHintsInsideTheirLines();
    }
    edited.settle();
    Session fresh(io_, freshRunner_, encoding);
    fresh.open(edited.text);
    fresh.settle();
    EXPECT_EQ(edited.shown(), fresh.shown()) << edited.text;
  }

  boost::asio::io_context io_;
  WatchedRunner runner_{io_};
  WatchedRunner freshRunner_{io_};
};

TEST_F(RandomEditsInASession, EndAsAFreshLook) {
  setLogLevel(LogLevel::Error);
  for (uint32_t seed = 0; seed < seeds(8) && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    run(seed, kEncodings[seed % kEncodings.size()]);
  }
}

} // namespace
} // namespace lsp
