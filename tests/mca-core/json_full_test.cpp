// The whole report as JSON: it holds llvm-mca's members unchanged, and the others that docs/json.md names.
#include "mca-core/views/json.h"
#include "tests/mca-core/parsed.h"

#include "llvm/Support/FormatVariadic.h"

namespace mca {
namespace {

const SimulationOptions kEverything{.iterations = 3,
                                    .timeline = true,
                                    .bottlenecks = true,
                                    .dispatchStatistics = true,
                                    .schedulerStatistics = true,
                                    .retireStatistics = true,
                                    .registerFileStatistics = true,
                                    .waitReasons = true,
                                    .schedulingDetails = true};

std::string textOf(llvm::json::Object object) {
  return llvm::formatv("{0:2}", llvm::json::Value(std::move(object))).str();
}

class JsonFull : public testing::Test {
protected:
  Simulation simulate() const {
    auto simulation = Simulator(*parsed.target).simulate(*parsed.program, region, kEverything);
    EXPECT_TRUE(simulation);
    return simulation ? std::move(*simulation) : Simulation();
  }
  llvm::json::Object whole() const {
    return toFullJson(simulate(), {}, "loop", *parsed.program, region, [](uint32_t) { return std::string(); });
  }
  std::vector<uint32_t> region{0, 1};
  Parsed parsed{kX86, "skylake", "# a chain\nimull %esi, %eax\n  addl %eax, %ebx\n"};
};

TEST_F(JsonFull, HoldsWhatLlvmMcaHolds) {
  const llvm::json::Object stock = toJson(simulate().report, {}, "loop");
  llvm::json::Object full = whole();
  for (const char *same : {"Name", "Instructions", "SummaryView", "ResourcePressureView", "TimelineView"})
    EXPECT_EQ(*full.get(same), *stock.get(same)) << same;
  for (const auto &member : stock)
    EXPECT_TRUE(full.get(member.first)) << member.first.str();
}

TEST_F(JsonFull, HoldsTheRest) {
  const llvm::json::Object full = whole();
  for (const char *own : {"AverageWaitTimes", "OmittedInstructions", "RegisterFileStatistics", "ResourceUnits",
                          "RetireStatistics", "SchedulerStatistics", "SourcePositions", "WaitReasons"})
    EXPECT_TRUE(full.get(own)) << own;
  const llvm::json::Object &second = *(*full.getArray("SourcePositions"))[1].getAsObject();
  EXPECT_EQ(second.getInteger("Line"), 3);
  EXPECT_EQ(second.getInteger("Column"), 3);
  const llvm::json::Object &waits = *(*full.getObject("WaitReasons")->getArray("Instructions"))[1].getAsObject();
  EXPECT_EQ(waits.getInteger("Cycles"), 18);
  const llvm::json::Object &reason = *(*waits.getArray("Reasons"))[0].getAsObject();
  EXPECT_EQ(reason.getString("Kind"), "Register");
  EXPECT_EQ(reason.getString("What"), "%eax");
  EXPECT_EQ(reason.getInteger("By"), 0);
}

TEST_F(JsonFull, IsTheSameEachTime) {
  EXPECT_EQ(textOf(whole()), textOf(whole()));
}

TEST(JsonFullTarget, SaysWhoseModelItIs) {
  const auto target = targetOf(kAArch64, "apple-m4");
  const llvm::json::Object json = targetToFullJson(*target, {});
  EXPECT_EQ(json.getObject("ModelOrigin")->getString("Kind"), "Borrowed");
  EXPECT_EQ(json.getObject("ModelOrigin")->getString("Owner"), "apple-a7");
}

} // namespace
} // namespace mca
