// The order of jobs, what supersedes what, and when a content is set aside.
#include "lsp/jobs/scheduler.h"

#include "analysis/wire/view_progress.h"
#include "tests/lsp/memory_runner.h"

#include <array>
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
  JobStart startJob(const JobKey &job, size_t worker) override {
    if (job.uri == refuses)
      throw std::runtime_error("a bug");
    JobStart start;
    start.request.path = job.uri;
    start.request.text = texts[job.uri];
    start.request.documents = views;
    start.ticket.worker = worker;
    start.ticket.saves = saves;
    return start;
  }
  void jobProgress(const JobKey &job, const analysis::wire::Progress &) override {
    events.push_back(job.uri + " progress");
  }
  void jobFinished(const JobKey &job, const JobTicket &ticket, AnalysisResult result) override {
    events.push_back(job.uri + " finished");
    made = std::move(result.views);
    tickets[job.uri] = ticket;
    if (job.uri == throwsAt)
      throw std::runtime_error("a bug");
  }
  void jobCancelled(const JobKey &job) override { events.push_back(job.uri + " cancelled"); }
  void workerDied(const JobKey &job, const WorkerDeath &, AfterDeath after) override {
    events.push_back(job.uri + (after == AfterDeath::SetAside       ? " set aside"
                                : after == AfterDeath::ViewSetAside ? " goes on without a view"
                                                                    : " tried again"));
  }
  void workerUnavailable(const JobKey &job, const std::string &) override {
    events.push_back(job.uri + " unavailable");
  }

  std::map<std::string, std::string> texts;
  std::vector<std::string> events;
  std::vector<DocumentRequest> views;
  std::vector<analysis::wire::View> made;   ///< of the last result
  unsigned saves = 0;                       ///< when a job starts
  std::map<std::string, JobTicket> tickets; ///< of the finished jobs, the last of each document
  std::string throwsAt;                     ///< the document whose result is too much
  std::string refuses;                      ///< the document that has no request
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
  Scheduler scheduler{io, {runner}, client, [this] { return now; }};
};

TEST(PauseBeforeJob, IsTheLastJobsTimeWithinBounds) {
  EXPECT_EQ(pauseBeforeJob(milliseconds(0)), milliseconds(50));
  EXPECT_EQ(pauseBeforeJob(milliseconds(123)), milliseconds(123));
  EXPECT_EQ(pauseBeforeJob(milliseconds(9000)), milliseconds(500));
}

TEST_F(SchedulerTest, OneJobAtATimeInTheirOrder) {
  scheduler.scheduleNow({"a"});
  scheduler.scheduleNow({"b"});
  scheduler.scheduleNow({"c"});
  scheduler.scheduleNow({"b"});
  ASSERT_EQ(runner.started.size(), 1u);
  EXPECT_TRUE(scheduler.pending("c"));
  for (int i = 0; i < 3; ++i)
    runner.finish(AnalysisResult());
  EXPECT_EQ(client.events, (Events{"a finished", "c finished", "b finished"}));
  EXPECT_FALSE(scheduler.pending("c"));
}

TEST_F(SchedulerTest, TheNewestSupersedes) {
  scheduler.scheduleNow({"a"});
  client.texts["a"] = "new";
  scheduler.scheduleNow({"a"});
  scheduler.scheduleNow({"a"});
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
  scheduler.scheduleNow({"b"});
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
  scheduler.scheduleNow({"a"});
  scheduler.scheduleNow({"b"});
  scheduler.forget({"b"});
  scheduler.forget({"a"});
  EXPECT_FALSE(scheduler.pending("a"));
  runner.progress({});
  runner.finish(AnalysisResult());
  EXPECT_EQ(client.events, Events{"a cancelled"});
  EXPECT_EQ(runner.started.size(), 1u);
}

TEST_F(SchedulerTest, AContentThatKilledTwoWorkersIsSetAside) {
  client.texts["a"] = "bad";
  scheduler.scheduleNow({"a"});
  runner.crash();
  EXPECT_TRUE(scheduler.pending("a"));
  runner.crash();
  EXPECT_FALSE(scheduler.pending("a"));
  EXPECT_FALSE(runner.busy());
  scheduler.scheduleNow({"a"});
  EXPECT_FALSE(runner.busy());
  EXPECT_EQ(client.events, (Events{"a tried again", "a set aside", "a set aside"}));

  client.texts["a"] = "good";
  scheduler.scheduleNow({"a"});
  EXPECT_TRUE(runner.busy());
  runner.finish(AnalysisResult());
  client.texts["a"] = "bad";
  scheduler.scheduleNow({"a"});
  EXPECT_EQ(client.events.back(), "a set aside");
}

TEST_F(SchedulerTest, AContentThatReachedALimitIsNotTriedAgain) {
  scheduler.scheduleNow({"a"});
  runner.finish(WorkerDeath{WorkerDeath::Cause::TimedOut, "it used 60 s", std::nullopt, /*wouldRepeat=*/true});
  EXPECT_FALSE(runner.busy());
  scheduler.scheduleNow({"a"});
  EXPECT_FALSE(runner.busy());
  EXPECT_EQ(client.events, (Events{"a set aside", "a set aside"}));
}

TEST_F(SchedulerTest, ASuccessClearsTheRecord) {
  scheduler.scheduleNow({"a"});
  runner.crash();
  runner.finish(AnalysisResult());
  scheduler.scheduleNow({"a"});
  runner.crash();
  EXPECT_TRUE(runner.busy());
  EXPECT_EQ(client.events, (Events{"a tried again", "a finished", "a tried again"}));
}

TEST_F(SchedulerTest, OtherDocumentsGoOnAfterAnyEnd) {
  scheduler.scheduleNow({"a"});
  scheduler.scheduleNow({"b"});
  runner.finish(WorkerUnavailable{"gone"});
  EXPECT_EQ(runner.started.back().path, "b");
  runner.crash();
  runner.crash();
  scheduler.scheduleNow({"a"});
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
      result.views.push_back({.request = view, .listing = {.function = "made"}});
    runner.finish(std::move(result));
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const analysis::wire::View &view : client.made)
      all.push_back(view.problem == analysis::wire::View::Problem::SetAside ? view.failure : view.listing.function);
    return all;
  }
};

const std::string kAside = "the analysis crashed while simulating for the timeline: signal 11; this happened twice, so "
                           "the view is set aside until the "
                           "file or the settings change";

TEST_F(ViewsTest, OneThatKillsTwoWorkersIsSetAsideAlone) {
  scheduler.scheduleNow({"a"});
  crashMaking(kTimeline);
  EXPECT_EQ(asked(), (std::vector{kReport, kTimeline, kOtherReport}));
  crashMaking(kTimeline);
  EXPECT_EQ(asked(), (std::vector{kReport, kOtherReport}));
  finish();
  EXPECT_EQ(client.events, (Events{"a tried again", "a goes on without a view", "a finished"}));
  EXPECT_EQ(texts(), (Events{"made", kAside, "made"}));
  EXPECT_EQ(client.made[1].request, kTimeline);
  scheduler.scheduleNow({"a"});
  EXPECT_EQ(asked(), (std::vector{kReport, kOtherReport})) << "it stays aside";
  finish();
  client.texts["a"] = "new";
  scheduler.scheduleNow({"a"});
  EXPECT_EQ(asked().size(), 3u) << "of another content it is another view";
}

TEST_F(ViewsTest, SeveralAreSetAsideOneByOne) {
  scheduler.scheduleNow({"a"});
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
  scheduler.scheduleNow({"a"});
  crashMaking(kReport);
  finish();
  scheduler.scheduleNow({"a"});
  crashMaking(kReport);
  EXPECT_EQ(asked().size(), 3u);
}

TEST_F(ViewsTest, ADeathBeforeThemIsTheContents) {
  scheduler.scheduleNow({"a"});
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
    scheduler.scheduleNow({uri});
  EXPECT_THROW(runner.finish(AnalysisResult()), std::runtime_error);
  EXPECT_THROW(io.poll(), std::runtime_error) << "of b";
  io.poll();
  ASSERT_TRUE(runner.busy());
  EXPECT_EQ(runner.started.back().path, "c");
}

// ---- two workers ---------------------------------------------------------------------------------------------------

class TwoWorkersTest : public testing::Test {
protected:
  using Events = std::vector<std::string>;
  static constexpr milliseconds kLong{200}, kIdle{300000};

  /// The document of the worker's running job; empty if there is none.
  std::string jobOf(size_t worker) const { return workers[worker].busy() ? workers[worker].started.back().path : ""; }
  void compile(size_t worker) { workers[worker].progress({.stage = analysis::wire::Stage::Compiling}); }
  void finish(size_t worker) { workers[worker].finish(AnalysisResult()); }
  /// Runs timers until the condition holds.
  template <class Condition>
  void runUntil(const Condition &reached) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!reached() && std::chrono::steady_clock::now() < deadline)
      io.run_one_for(milliseconds(20)), io.restart(), now += milliseconds(20);
    ASSERT_TRUE(reached());
  }
  /// The first document compiles on the first worker, the second runs on the second.
  void runBoth() {
    scheduler.scheduleNow({"a"});
    compile(0);
    scheduler.scheduleNow({"b"});
    ASSERT_EQ(jobOf(0), "a");
    ASSERT_EQ(jobOf(1), "b");
  }

  boost::asio::io_context io;
  std::array<MemoryRunner, 2> workers;
  Client client;
  Scheduler::Clock::time_point now;
  Scheduler scheduler{io, {workers[0], workers[1]}, client, [this] { return now; }, {kLong, kIdle}};
};

TEST_F(TwoWorkersTest, ACompilingJobHoldsNoOtherUp) {
  scheduler.scheduleNow({"a"});
  scheduler.scheduleNow({"b"});
  EXPECT_EQ(jobOf(1), "") << "the first job may be a short one";
  compile(0);
  EXPECT_EQ(jobOf(1), "b");
  finish(1);
  EXPECT_EQ(client.events, (Events{"a progress", "b finished"}));
  finish(0);
  EXPECT_EQ(client.events.back(), "a finished");
}

TEST_F(TwoWorkersTest, NothingIsMadeInAdvanceWhileOneCompiles) {
  const auto mayWorkIdly = [&] { return std::pair(workers[0].mayWorkIdly, workers[1].mayWorkIdly); };
  scheduler.scheduleNow({"a"});
  EXPECT_EQ(mayWorkIdly(), std::pair(true, true));
  compile(0);
  EXPECT_EQ(mayWorkIdly(), std::pair(false, false));
  workers[0].progress({.stage = analysis::wire::Stage::Parsing});
  EXPECT_EQ(mayWorkIdly(), std::pair(true, true)) << "what follows a compile is short";
  compile(0);
  scheduler.scheduleNow({"b"});
  compile(1);
  finish(0);
  EXPECT_EQ(mayWorkIdly(), std::pair(false, false)) << "the other one still compiles";
  workers[1].crash();
  EXPECT_EQ(mayWorkIdly(), std::pair(true, true));
}

TEST_F(TwoWorkersTest, ALongJobHoldsNoOtherUp) {
  scheduler.scheduleNow({"a"});
  workers[0].progress({.stage = analysis::wire::Stage::Simulating});
  scheduler.scheduleNow({"b"});
  EXPECT_EQ(jobOf(1), "");
  runUntil([&] { return workers[1].busy(); });
  EXPECT_EQ(jobOf(1), "b");
  EXPECT_GE(now.time_since_epoch(), kLong);
}

TEST_F(TwoWorkersTest, ShortJobsNeedNoSecondWorker) {
  for (const char *uri : {"a", "b", "c"})
    scheduler.scheduleNow({uri});
  for (int i = 0; i < 3; ++i) {
    now += kLong - milliseconds(1);
    io.poll();
    finish(0);
  }
  EXPECT_EQ(workers[0].started.size(), 3u);
  EXPECT_EQ(workers[1].started.size(), 0u);
}

TEST_F(TwoWorkersTest, TwoLongJobsHoldAThirdUp) {
  runBoth();
  compile(1);
  scheduler.scheduleNow({"c"});
  finish(0);
  EXPECT_EQ(jobOf(0), "c");
}

TEST_F(TwoWorkersTest, ADocumentReturnsToTheWorkerThatKnowsIt) {
  runBoth();
  finish(0);
  finish(1);
  scheduler.scheduleNow({"b"});
  EXPECT_EQ(jobOf(1), "b");
  scheduler.scheduleNow({"c"});
  EXPECT_EQ(jobOf(0), "c") << "the first one is free";
  finish(0);
  scheduler.scheduleNow({"a"});
  EXPECT_EQ(jobOf(0), "a");
}

TEST_F(TwoWorkersTest, ADocumentIsNeverOnBoth) {
  runBoth();
  client.texts["a"] = "new";
  scheduler.scheduleNow({"a"});
  scheduler.scheduleNow({"a", JobKind::OtherCpus, 1});
  finish(1);
  EXPECT_EQ(jobOf(1), "") << "the cancelled job is not over";
  finish(0);
  EXPECT_EQ(jobOf(0), "a");
  EXPECT_EQ(workers[0].started.back().text, "new");
  compile(0);
  EXPECT_EQ(jobOf(1), "") << "on other CPUs, too";
}

TEST_F(TwoWorkersTest, ACancelGoesToTheRightWorker) {
  runBoth();
  scheduler.forget({"b"});
  EXPECT_EQ(workers[0].cancels, 0);
  EXPECT_EQ(workers[1].cancels, 1);
  EXPECT_TRUE(scheduler.pending("a"));
  EXPECT_FALSE(scheduler.pending("b"));
  finish(1);
  finish(0);
  EXPECT_EQ(client.events, (Events{"a progress", "b cancelled", "a finished"}));
}

TEST_F(TwoWorkersTest, ADeathOnOneDoesNotDisturbTheOther) {
  runBoth();
  workers[1].crash();
  workers[1].finish(WorkerDeath{WorkerDeath::Cause::Crashed, "signal 11", std::nullopt});
  EXPECT_EQ(client.events, (Events{"a progress", "b tried again", "b set aside"}));
  EXPECT_EQ(jobOf(0), "a");
  finish(0);
  scheduler.scheduleNow({"b"});
  EXPECT_EQ(client.events.back(), "b set aside") << "on every worker";
}

TEST_F(TwoWorkersTest, TicketsGoWithTheirJobs) {
  client.saves = 1;
  scheduler.scheduleNow({"a"});
  compile(0);
  client.saves = 2;
  scheduler.scheduleNow({"b"});
  finish(0);
  finish(1);
  EXPECT_EQ(client.tickets["a"].saves, 1u);
  EXPECT_EQ(client.tickets["a"].worker, 0u);
  EXPECT_EQ(client.tickets["b"].saves, 2u);
  EXPECT_EQ(client.tickets["b"].worker, 1u);
}

TEST_F(TwoWorkersTest, TheSecondIsEndedWhenItHasBeenIdle) {
  runBoth();
  finish(0);
  finish(1);
  now += kIdle - milliseconds(1);
  scheduler.scheduleNow({"a"});
  EXPECT_EQ(workers[1].ends, 0);
  now += milliseconds(1);
  finish(0);
  EXPECT_EQ(workers[1].ends, 1);
  EXPECT_EQ(workers[0].ends, 0);
  scheduler.scheduleNow({"b"});
  EXPECT_EQ(jobOf(0), "b") << "nothing of it is left";
}

TEST_F(TwoWorkersTest, TheEndOfAnIdleOneNeedsNoOtherJob) {
  Client quiet;
  Scheduler scheduler{io, {workers[0], workers[1]}, quiet, [this] { return now; }, {kLong, milliseconds(50)}};
  scheduler.scheduleNow({"a"});
  compile(0);
  scheduler.scheduleNow({"b"});
  finish(1);
  runUntil([&] { return workers[1].ends == 1; });
}

TEST_F(TwoWorkersTest, CpusAreListedByAFreeOne) {
  scheduler.listCpus("x", [](const auto &) {});
  EXPECT_EQ(workers[0].askedTriple, "x");
  scheduler.scheduleNow({"a"});
  scheduler.listCpus("y", [](const auto &) {});
  EXPECT_EQ(workers[1].askedTriple, "y");
  EXPECT_EQ(scheduler.workerPids().size(), 2u);
  scheduler.forget({"a"});
  scheduler.restartWorkers();
  EXPECT_EQ(workers[0].ends + workers[1].ends, 2);
}

// ---- whose turn it is ----------------------------------------------------------------------------------------------

TEST_F(SchedulerTest, TheDocumentInUseComesFirst) {
  for (const char *uri : {"a", "b", "c", "d"})
    scheduler.scheduleNow({uri});
  scheduler.prefer("c");
  scheduler.prefer("d");
  scheduler.prefer("c");
  for (int i = 0; i < 4; ++i)
    runner.finish(AnalysisResult());
  EXPECT_EQ(client.events, (Events{"a finished", "c finished", "d finished", "b finished"}));
}

TEST_F(SchedulerTest, OtherKindsOfJobsComeLast) {
  scheduler.scheduleNow({"a"});
  scheduler.scheduleNow({"b", JobKind::Head});
  scheduler.scheduleNow({"c", JobKind::OtherCpus, 1});
  scheduler.scheduleNow({"d"});
  scheduler.prefer("b");
  for (int i = 0; i < 4; ++i)
    runner.finish(AnalysisResult());
  EXPECT_EQ(client.events, (Events{"a finished", "d finished", "c finished", "b finished"}));
}

// ---- contents ------------------------------------------------------------------------------------------------------

TEST(DeathRecordTest, AContentIsAllThatTheAnalysisDependsOn) {
  using analysis::wire::AnalyzeRequest;
  AnalyzeRequest request;
  request.text = "text";
  const auto contentOf = [&](auto change) {
    AnalyzeRequest changed = request;
    change(changed);
    return DeathRecord::contentOf(changed);
  };
  const auto content = DeathRecord::contentOf(request);
  EXPECT_EQ(request.text, "text");
  EXPECT_NE(contentOf([](AnalyzeRequest &r) { r.text = "other"; }), content);
  EXPECT_NE(contentOf([](AnalyzeRequest &r) { r.openFiles = {"/b.c"}; }), content);
  EXPECT_NE(contentOf([](AnalyzeRequest &r) { r.settings.listings = true; }), content);
  EXPECT_NE(contentOf([](AnalyzeRequest &r) { r.onlyLoops = {1}; }), content);
  EXPECT_EQ(contentOf([](AnalyzeRequest &r) { r.id = 7; }), content);
  EXPECT_EQ(contentOf([](AnalyzeRequest &r) { r.knownSimulations = {1}; }), content);
  EXPECT_EQ(contentOf([](AnalyzeRequest &r) { r.reuseCompiled = true; }), content);
  EXPECT_EQ(contentOf([](AnalyzeRequest &r) { r.fileEvents = 1; }), content);
}

} // namespace
} // namespace lsp
