// For which CPUs the user is told that a calibration would help.
#include "analysis/job/calibration_advice.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

const mca::CpuIdentity kZen5{.vendor = "AuthenticAMD", .family = 26, .model = 2, .llvmName = "znver5"};
const mca::CpuIdentity kZen3{.vendor = "AuthenticAMD", .family = 25, .model = 1, .llvmName = "znver3"};

wire::TargetSummary targetOf(const std::string &cpu, wire::CpuModel model, const std::string &triple = "x86_64-linux") {
  wire::TargetSummary target;
  target.triple = triple;
  target.cpu = cpu;
  target.model = model;
  return target;
}

TEST(CalibrationAdvice, ABorrowedModelOrALargeErrorOfThisMachine) {
  EXPECT_TRUE(isCalibrationAdvised(targetOf("znver5", wire::CpuModel::Borrowed), kZen5));
  EXPECT_TRUE(isCalibrationAdvised(targetOf("znver3", wire::CpuModel::Own), kZen3));
}

TEST(CalibrationAdvice, NotIfTheModelIsNotKnownToBeWrong) {
  EXPECT_FALSE(isCalibrationAdvised(targetOf("znver5", wire::CpuModel::Own), kZen5));
  EXPECT_FALSE(isCalibrationAdvised(targetOf("znver3", wire::CpuModel::None), kZen3))
      << "nothing is simulated without a model";
}

TEST(CalibrationAdvice, NotForOtherCpusThanThisMachines) {
  EXPECT_FALSE(isCalibrationAdvised(targetOf("znver5", wire::CpuModel::Borrowed), kZen3));
  EXPECT_FALSE(isCalibrationAdvised(targetOf("znver5", wire::CpuModel::Borrowed, "i686-linux"), kZen5));
  const mca::CpuIdentity arm{.llvmName = "apple-m4"};
  EXPECT_FALSE(isCalibrationAdvised(targetOf("apple-m4", wire::CpuModel::Borrowed, "aarch64-linux"), arm));
}

} // namespace
} // namespace analysis
