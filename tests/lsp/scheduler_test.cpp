// The order of jobs, what supersedes what, and when a content is set aside.
#include "lsp/server/scheduler.h"

#include "tests/lsp/memory_runner.h"

#include <gtest/gtest.h>
#include <map>

namespace lsp {
namespace {

using analysis::wire::AnalysisResult;
using std::chrono::milliseconds;

/// Documents are texts; what happens to them is written down.
class Client final : public JobClient {
public:
  analysis::wire::AnalyzeRequest jobRequest(const std::string &uri) override {
    analysis::wire::AnalyzeRequest request;
    request.path = uri;
    request.text = texts[uri];
    return request;
  }
  void jobProgress(const std::string &uri, const analysis::wire::Progress &) override {
    events.push_back(uri + " progress");
  }
  void jobFinished(const std::string &uri, AnalysisResult) override { events.push_back(uri + " finished"); }
  void jobCancelled(const std::string &uri) override { events.push_back(uri + " cancelled"); }
  void workerDied(const std::string &uri, const WorkerDeath &, Verdict verdict) override {
    events.push_back(uri + (verdict == Verdict::SetAside ? " set aside" : " tried again"));
  }
  void workerUnavailable(const std::string &uri, const std::string &) override {
    events.push_back(uri + " unavailable");
  }

  std::map<std::string, std::string> texts;
  std::vector<std::string> events;
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

} // namespace
} // namespace lsp
