// The order of jobs, what supersedes what, and when a content is set aside.
#include "lsp/jobs/scheduler.h"

#include "analysis/wire/view_progress.h"
#include "tests/lsp/memory_runner.h"

#include <gtest/gtest.h>
#include <map>
#include <stdexcept>

namespace lsp {
namespace {

using analysis::wire::AnalysisResult;
using analysis::wire::DocumentKind;
using analysis::wire::DocumentRequest;
using std::chrono::milliseconds;

/// Documents are texts; what happens to them is written down.
class Client final : public JobClient {
public:
  analysis::wire::AnalyzeRequest jobRequest(const std::string &uri) override {
    if (uri == refuses)
      throw std::runtime_error("a bug");
    analysis::wire::AnalyzeRequest request;
    request.path = uri;
    request.text = texts[uri];
    request.documents = views;
    return request;
  }
  void jobProgress(const std::string &uri, const analysis::wire::Progress &) override {
    events.push_back(uri + " progress");
  }
  void jobFinished(const std::string &uri, AnalysisResult result) override {
    events.push_back(uri + " finished");
    documents = std::move(result.documents);
    if (uri == throwsAt)
      throw std::runtime_error("a bug");
  }
  void jobCancelled(const std::string &uri) override { events.push_back(uri + " cancelled"); }
  void workerDied(const std::string &uri, const WorkerDeath &, Verdict verdict) override {
    events.push_back(uri + (verdict == Verdict::SetAside       ? " set aside"
                            : verdict == Verdict::ViewSetAside ? " goes on without a view"
                                                               : " tried again"));
  }
  void workerUnavailable(const std::string &uri, const std::string &) override {
    events.push_back(uri + " unavailable");
  }

  std::map<std::string, std::string> texts;
  std::vector<std::string> events;
  std::vector<DocumentRequest> views;
  std::vector<analysis::wire::DocumentText> documents; ///< of the last result
  std::string throwsAt;                                ///< the document whose result is too much
  std::string refuses;                                 ///< the document that has no request
};

class SchedulerTest : public testing::Test {
protected:
  using Events = std::vector<std::string>;

  /// An edit, and the job's end when one starts at once. True when it did.
  bool startsAtOnce(const std::string &uri, milliseconds jobTime = milliseconds(0)) {
    scheduler.scheduleAfterPause(uri);
    if (!runner.busy())
      return false;
    now += jobTime;
    runner.finish(AnalysisResult());
    return true;
  }

  /// Runs timers until a job runs.
  void awaitJob() {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!runner.busy() && std::chrono::steady_clock::now() < deadline)
      io.run_one_for(milliseconds(100)), io.restart(), now += milliseconds(100);
    ASSERT_TRUE(runner.busy());
  }

  boost::asio::io_context io;
  MemoryRunner runner;
  Client client;
  Scheduler::Clock::time_point now;
  Scheduler scheduler{io, runner, client, [this] { return now; }};
};

TEST(PauseBeforeJob, IsTheLastJobsTimeWithinBounds) {
  EXPECT_EQ(pauseBeforeJob(milliseconds(0)), milliseconds(50));
  EXPECT_EQ(pauseBeforeJob(milliseconds(123)), milliseconds(123));
  EXPECT_EQ(pauseBeforeJob(milliseconds(9000)), milliseconds(500));
}

TEST_F(SchedulerTest, OneJobAtATimeInTheirOrder) {
  scheduler.scheduleNow("a");
  scheduler.scheduleNow("b");
  scheduler.scheduleNow("c");
  scheduler.scheduleNow("b");
  ASSERT_EQ(runner.started.size(), 1u);
  EXPECT_TRUE(scheduler.pending("c"));
  for (int i = 0; i < 3; ++i)
    runner.finish(AnalysisResult());
  EXPECT_EQ(client.events, (Events{"a finished", "c finished", "b finished"}));
  EXPECT_FALSE(scheduler.pending("c"));
}

TEST_F(SchedulerTest, TheNewestSupersedes) {
  scheduler.scheduleNow("a");
  client.texts["a"] = "new";
  scheduler.scheduleNow("a");
  scheduler.scheduleNow("a");
  EXPECT_EQ(runner.cancels, 1);
  EXPECT_TRUE(scheduler.pending("a"));
  runner.finish(AnalysisResult());
  ASSERT_EQ(runner.started.size(), 2u);
  EXPECT_EQ(runner.started[1].text, "new");
  runner.finish(AnalysisResult());
  EXPECT_EQ(client.events, (Events{"a cancelled", "a finished"}));
}

TEST_F(SchedulerTest, AQuietDocumentDoesNotWait) {
  EXPECT_TRUE(startsAtOnce("a", milliseconds(80)));
  now += milliseconds(79);
  EXPECT_TRUE(startsAtOnce("a", milliseconds(60))) << "159 ms after the edit before, with a pause of 80 ms";
  now += milliseconds(1);
  EXPECT_TRUE(startsAtOnce("a")) << "61 ms after the edit before, with a pause of 60 ms";
}

TEST_F(SchedulerTest, APauseComesBetweenEditsInARow) {
  ASSERT_TRUE(startsAtOnce("a"));
  now += milliseconds(49);
  EXPECT_FALSE(startsAtOnce("a"));
  now += milliseconds(49);
  EXPECT_FALSE(startsAtOnce("a")) << "the pause starts over";
  EXPECT_TRUE(scheduler.pending("a"));
  scheduler.scheduleNow("b");
  runner.finish(AnalysisResult());
  EXPECT_FALSE(runner.busy());
  awaitJob();
  EXPECT_EQ(runner.started.back().path, "a");
}

TEST_F(SchedulerTest, AnEditDuringAJobWaitsHoweverLongItWasQuiet) {
  scheduler.scheduleAfterPause("a");
  now += milliseconds(5000);
  scheduler.scheduleAfterPause("a");
  EXPECT_EQ(runner.cancels, 1);
  runner.finish(AnalysisResult());
  EXPECT_FALSE(runner.busy());
  awaitJob();
  EXPECT_EQ(client.events, Events{"a cancelled"});
}

TEST_F(SchedulerTest, AClosedDocumentIsForgotten) {
  scheduler.scheduleNow("a");
  scheduler.scheduleNow("b");
  scheduler.forget("b");
  scheduler.forget("a");
  EXPECT_FALSE(scheduler.pending("a"));
  runner.progress({});
  runner.finish(AnalysisResult());
  EXPECT_EQ(client.events, Events{"a cancelled"});
  EXPECT_EQ(runner.started.size(), 1u);
}

TEST_F(SchedulerTest, AContentThatKilledTwoWorkersIsSetAside) {
  client.texts["a"] = "bad";
  scheduler.scheduleNow("a");
  runner.crash();
  EXPECT_TRUE(scheduler.pending("a"));
  runner.crash();
  EXPECT_FALSE(scheduler.pending("a"));
  EXPECT_FALSE(runner.busy());
  scheduler.scheduleNow("a");
  EXPECT_FALSE(runner.busy());
  EXPECT_EQ(client.events, (Events{"a tried again", "a set aside", "a set aside"}));

  client.texts["a"] = "good";
  scheduler.scheduleNow("a");
  EXPECT_TRUE(runner.busy());
  runner.finish(AnalysisResult());
  client.texts["a"] = "bad";
  scheduler.scheduleNow("a");
  EXPECT_EQ(client.events.back(), "a set aside");
}

TEST_F(SchedulerTest, AContentThatUsedUpItsTimeIsNotTriedAgain) {
  scheduler.scheduleNow("a");
  runner.finish(WorkerDeath{WorkerDeath::Cause::TimedOut, "it used 60 s", std::nullopt});
  EXPECT_FALSE(runner.busy());
  scheduler.scheduleNow("a");
  EXPECT_FALSE(runner.busy());
  EXPECT_EQ(client.events, (Events{"a set aside", "a set aside"}));
}

TEST_F(SchedulerTest, ASuccessClearsTheRecord) {
  scheduler.scheduleNow("a");
  runner.crash();
  runner.finish(AnalysisResult());
  scheduler.scheduleNow("a");
  runner.crash();
  EXPECT_TRUE(runner.busy());
  EXPECT_EQ(client.events, (Events{"a tried again", "a finished", "a tried again"}));
}

TEST_F(SchedulerTest, OtherDocumentsGoOnAfterAnyEnd) {
  scheduler.scheduleNow("a");
  scheduler.scheduleNow("b");
  runner.finish(WorkerUnavailable{"gone"});
  EXPECT_EQ(runner.started.back().path, "b");
  runner.crash();
  runner.crash();
  scheduler.scheduleNow("a");
  EXPECT_EQ(runner.started.back().path, "a");
}

// ---- views that kill the worker ------------------------------------------------------------------------------------

const DocumentRequest kReport{DocumentKind::Report, 3}, kTimeline{DocumentKind::Timeline, 3},
    kOtherReport{DocumentKind::Report, 9};

class ViewsTest : public SchedulerTest {
protected:
  ViewsTest() { client.views = {kReport, kTimeline, kOtherReport}; }

  const std::vector<DocumentRequest> &asked() const { return runner.started.back().documents; }
  /// The worker dies while it makes a view.
  void crashMaking(const DocumentRequest &view) {
    runner.finish(WorkerDeath{WorkerDeath::Cause::Crashed, "signal 11", analysis::wire::viewProgress(1, view)});
  }
  /// With all the views that were asked for.
  void finish() {
    AnalysisResult result;
    for (const DocumentRequest &view : asked())
      result.documents.push_back({view, "made", {}});
    runner.finish(std::move(result));
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const analysis::wire::DocumentText &document : client.documents)
      all.push_back(document.text);
    return all;
  }
};

const std::string kAside = "the analysis crashed while simulating for the timeline: signal 11; this happened twice, so "
                           "the view is set aside until the "
                           "file or the settings change";

TEST_F(ViewsTest, OneThatKillsTwoWorkersIsSetAsideAlone) {
  scheduler.scheduleNow("a");
  crashMaking(kTimeline);
  EXPECT_EQ(asked(), (std::vector{kReport, kTimeline, kOtherReport}));
  crashMaking(kTimeline);
  EXPECT_EQ(asked(), (std::vector{kReport, kOtherReport}));
  finish();
  EXPECT_EQ(client.events, (Events{"a tried again", "a goes on without a view", "a finished"}));
  EXPECT_EQ(texts(), (Events{"made", kAside, "made"}));
  EXPECT_EQ(client.documents[1].request, kTimeline);
  scheduler.scheduleNow("a");
  EXPECT_EQ(asked(), (std::vector{kReport, kOtherReport})) << "it stays aside";
  finish();
  client.texts["a"] = "new";
  scheduler.scheduleNow("a");
  EXPECT_EQ(asked().size(), 3u) << "of another content it is another view";
}

TEST_F(ViewsTest, SeveralAreSetAsideOneByOne) {
  scheduler.scheduleNow("a");
  crashMaking(kReport);
  crashMaking(kOtherReport);
  crashMaking(kReport);
  EXPECT_EQ(asked(), (std::vector{kTimeline, kOtherReport}));
  crashMaking(kOtherReport);
  EXPECT_EQ(asked(), (std::vector{kTimeline}));
  finish();
  ASSERT_EQ(texts().size(), 3u);
  EXPECT_NE(texts()[0].find("for the report"), std::string::npos);
  EXPECT_EQ(texts()[1], "made");
  EXPECT_EQ(texts()[0], texts()[2]);
}

TEST_F(ViewsTest, ASuccessClearsTheirRecords) {
  scheduler.scheduleNow("a");
  crashMaking(kReport);
  finish();
  scheduler.scheduleNow("a");
  crashMaking(kReport);
  EXPECT_EQ(asked().size(), 3u);
}

TEST_F(ViewsTest, ADeathBeforeThemIsTheContents) {
  scheduler.scheduleNow("a");
  crashMaking(kReport);
  runner.crash();
  crashMaking({DocumentKind::Assembly, 3}); // which nobody asked for
  EXPECT_FALSE(runner.busy());
  EXPECT_EQ(client.events, (Events{"a tried again", "a tried again", "a set aside"}));
}

TEST_F(SchedulerTest, WhatTheClientThrowsStopsNoOtherDocument) {
  client.throwsAt = "a";
  client.refuses = "b";
  for (const char *uri : {"a", "b", "c"})
    scheduler.scheduleNow(uri);
  EXPECT_THROW(runner.finish(AnalysisResult()), std::runtime_error);
  EXPECT_THROW(io.poll(), std::runtime_error) << "of b";
  io.poll();
  ASSERT_TRUE(runner.busy());
  EXPECT_EQ(runner.started.back().path, "c");
}

} // namespace
} // namespace lsp
