// The analyses of the open documents without a client: what is reported of a job, and which job is next.
#include "lsp/jobs/document_jobs.h"

#include "tests/lsp/memory_runner.h"

#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace lsp {
namespace {

using analysis::wire::AnalysisResult;
using analysis::wire::Version;

class Events final : public JobListener {
public:
  void working(const Document &, const analysis::wire::Progress &) override { all.push_back("working"); }
  void analysed(const Document &) override { all.push_back("analysed"); }
  void jobOver(const std::string &, bool isPending) override { all.push_back(isPending ? "over, pending" : "over"); }
  void showOnce(protocol::MessageType, const std::string &message) override { all.push_back(message); }
  void findingsChanged(const Document &) override { all.push_back("findings"); }
  void hintsChanged() override { all.push_back("hints"); }
  void virtualDocumentsChanged(const std::vector<std::string> &uris) override {
    if (!uris.empty())
      all.push_back("virtual documents");
  }
  void settingsApplied() override { all.push_back("settings"); }

  std::vector<std::string> all;
};

class DocumentJobsTest : public testing::Test {
protected:
  const std::string uri = "file:///dir/a.s";

  const std::string source = "file:///dir/a.c";

  void open() { open(uri, "asm"); }
  void open(const std::string &name, const std::string &language) {
    workspace.documents.emplace(name, Document({name, language, 1, ""}, "aaa\n"));
    jobs.opened(name);
  }
  static AnalysisResult region() {
    AnalysisResult result;
    result.regions.push_back({.name = "r", .at = {0, 3}, .simulation = 7});
    result.simulations.push_back({.id = 7, .cyclesPerIteration = 4, .ipc = 1});
    return result;
  }
  std::vector<std::string> events() { return std::exchange(listener.all, {}); }

  boost::asio::io_context io;
  MemoryRunner runner;
  Workspace workspace{.documents = {}, .configuration = Configuration({}), .baselines = {}, .virtualDocuments = {}};
  Events listener;
  DocumentJobs jobs{io, {runner}, workspace, listener};
};

TEST_F(DocumentJobsTest, ReportsAJobInTheOrderInWhichItIsShown) {
  open();
  runner.progress({});
  AnalysisResult result = region();
  result.notes = {"a note"};
  runner.finish(std::move(result));
  EXPECT_EQ(events(),
            (std::vector<std::string>{"working", "analysed", "findings", "mca-lsp: a note", "over", "hints"}));
}

TEST_F(DocumentJobsTest, AJobThatWasReplacedIsNoEnd) {
  open();
  jobs.schedule(uri);
  runner.finish(AnalysisResult{.status = analysis::wire::Status::Cancelled});
  EXPECT_EQ(events(), std::vector<std::string>{"over, pending"});
  EXPECT_TRUE(jobs.isPending(uri));
}

TEST_F(DocumentJobsTest, HeadWaitsForThePause) {
  open();
  auto pause = std::optional(jobs.side().pauseIdle());
  runner.finish(region());
  EXPECT_FALSE(runner.busy());
  pause.reset();
  ASSERT_TRUE(runner.busy());
  EXPECT_EQ(runner.started.back().version, Version::Head);
}

AnalysisResult withReasons(AnalysisResult result, bool hasReasons = true) {
  result.hasReasons = hasReasons;
  result.regions.front().whyNot.push_back({.pass = "licm", .name = "LoadWithLoopInvariantAddressInvalidated"});
  return result;
}

TEST_F(DocumentJobsTest, ReasonsComeAfterTheNumbers) {
  open(source, "c");
  EXPECT_FALSE(runner.started.back().reasons);
  runner.finish(region());
  ASSERT_TRUE(runner.busy());
  EXPECT_TRUE(runner.started.back().reasons);
  EXPECT_EQ(runner.started.back().version, Version::Buffer);
  EXPECT_FALSE(jobs.isPending(source)) << "nobody waits for them";
  events();
  runner.finish(withReasons(region()));
  EXPECT_EQ(events(), (std::vector<std::string>{"findings", "hints"}));
  EXPECT_EQ(workspace.documents.at(source).analysis().regions.front().region.whyNot.size(), 1u);
  EXPECT_EQ(runner.started.back().version, Version::Head);
}

TEST_F(DocumentJobsTest, ReasonsAreRequestedOnce) {
  open(source, "c");
  runner.finish(withReasons(region()));
  EXPECT_EQ(runner.started.back().version, Version::Head) << "the compiler's output had them";
  jobs.schedule(source);
  runner.finish(AnalysisResult{.status = analysis::wire::Status::Cancelled});
  runner.finish(region());
  EXPECT_TRUE(runner.started.back().reasons);
  runner.finish(withReasons(AnalysisResult(region()), /*hasReasons=*/false));
  EXPECT_EQ(runner.started.back().version, Version::Head);
  EXPECT_TRUE(workspace.documents.at(source).analysis().regions.front().region.whyNot.empty());
}

TEST_F(DocumentJobsTest, ReasonsThatFailAreTriedOnceMoreAfterTheNextJob) {
  open(source, "c");
  open("file:///other.s", "asm");
  runner.finish(region());
  runner.finish(region());
  const auto failsAfterAJob = [&](AnalysisResult failure) {
    EXPECT_TRUE(runner.started.back().reasons);
    runner.finish(std::move(failure));
    EXPECT_FALSE(runner.busy() && runner.started.back().reasons) << "not at once";
    jobs.schedule("file:///other.s");
    while (runner.busy() && !runner.started.back().reasons)
      runner.finish(region());
  };
  failsAfterAJob(AnalysisResult{});
  failsAfterAJob(AnalysisResult{});
  EXPECT_FALSE(runner.busy()) << "twice are enough";
}

TEST_F(DocumentJobsTest, AnAnalysisAsItIsReusesTheDocumentsOutput) {
  open(source, "c");
  runner.finish(withReasons(region()));
  runner.finish(AnalysisResult{}); // of HEAD
  const auto reused = [&](bool mayReuse) {
    jobs.side().addVariant(source, {.reuseCompiled = mayReuse}, [](const SideJobs::VariantOutcome &) {});
    runner.finish(AnalysisResult{});
    return runner.started.back().reuseCompiled;
  };
  EXPECT_TRUE(reused(true));
  EXPECT_FALSE(reused(false));
  jobs.otherFileSaved();
  EXPECT_FALSE(reused(true));
}

TEST_F(DocumentJobsTest, ReasonsAreDroppedForASave) {
  open(source, "c");
  runner.finish(region());
  EXPECT_TRUE(runner.started.back().reasons);
  jobs.saved(workspace.documents.at(source));
  runner.finish(AnalysisResult{.status = analysis::wire::Status::Cancelled});
  ASSERT_TRUE(runner.busy());
  EXPECT_FALSE(runner.started.back().reasons);
}

TEST_F(DocumentJobsTest, ASideJobEndsWithItsOutcome) {
  open();
  runner.finish(region());
  std::vector<std::string> outcomes;
  const auto note = [&](const SideJobs::Outcome &outcome) {
    const auto *failure = std::get_if<SideJobs::Failure>(&outcome);
    outcomes.push_back(failure ? failure->why : "an analysis");
  };
  jobs.side().add(uri, JobKind::OtherCpus, {"znver4"}, note);
  runner.finish(AnalysisResult{.status = analysis::wire::Status::Cancelled}); // the one on HEAD
  EXPECT_EQ(runner.started.back().settings.cpus, std::vector<std::string>{"znver4"});
  runner.finish(region());
  const JobKey cancelled = jobs.side().add(uri, JobKind::Listing, {}, note);
  jobs.side().cancel(cancelled);
  jobs.side().add(uri, JobKind::Listing, {}, note);
  jobs.reanalyse(uri, "another CPU was chosen");
  EXPECT_EQ(outcomes, (std::vector<std::string>{"an analysis", "another CPU was chosen"}));
}

} // namespace
} // namespace lsp
