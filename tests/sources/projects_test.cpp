// Translation units of real projects: each innermost loop of their code has a hint, or the reader is told where it
// stands instead.
#include "analysis/job/analyzer.h"
#include "tests/analysis/compile/temp_folder.h"
#include "tests/sources/functions.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <iterator>
#include <sstream>

namespace sources {
namespace {

using analysis::wire::AnalysisResult;
using analysis::wire::Finding;
using analysis::wire::Language;
using analysis::wire::Severity;

struct Unit {
  std::string name; ///< of the file
  std::string flags;
  std::string text;
  uint32_t leastLoops; ///< that its code has at least
};

std::ostream &operator<<(std::ostream &out, const Unit &unit) {
  return out << unit.name;
}

AnalysisResult analyse(const Unit &unit) {
  const analysis::TempFolder folder;
  folder.write("compile_flags.txt", unit.flags);
  analysis::Analyzer analyzer;
  analysis::wire::AnalyzeRequest request{.id = 1, .path = folder.write(unit.name, unit.text), .text = unit.text};
  request.language = unit.name.ends_with(".c") ? Language::C : Language::Cxx;
  request.settings.cpu = "skylake";
  return analyzer.run(request, {}, [](const analysis::wire::Progress &) {});
}

class Projects : public testing::TestWithParam<Unit> {};

TEST_P(Projects, EachLoopHasAHintOrIsToldOf) {
  const AnalysisResult result = analyse(GetParam());
  for (const Finding &finding : result.findings)
    EXPECT_GT(finding.severity, Severity::Warning) << finding.code << ": " << finding.message;
  EXPECT_GE(result.coverage.loops, GetParam().leastLoops);
  EXPECT_GT(result.coverage.hinted, 0u);
  EXPECT_EQ(result.coverage.hinted + result.coverage.elsewhere, result.coverage.loops);
  const auto told = std::find_if(result.findings.begin(), result.findings.end(),
                                 [](const Finding &finding) { return finding.code == "loops-elsewhere"; });
  EXPECT_EQ(told != result.findings.end(), result.coverage.elsewhere != 0);
}

TEST_P(Projects, FunctionsHoldTheirHintsAndHovers) {
  const Unit &unit = GetParam();
  const analysis::TempFolder folder;
  std::istringstream stream(unit.flags);
  const std::vector<std::string> flags{std::istream_iterator<std::string>(stream), {}};
  const std::vector<Function> functions = functionsOf(folder.write(unit.name, unit.text), flags);
  EXPECT_FALSE(functions.empty());
  EXPECT_EQ(strays(analysis::shown(analyse(unit), unit.text), unit.text, functions), std::vector<std::string>());
}

const Unit kUnits[] = {
    {"eigen.cpp", "-O2\n-I/usr/include/eigen3\n",
     "#include <Eigen/Dense>\n"
     "Eigen::MatrixXf product(const Eigen::MatrixXf &a, const Eigen::MatrixXf &b) { return a * b; }\n"
     "float norm(const Eigen::VectorXf &v) { return v.squaredNorm(); }\n"
     "void addScaled(Eigen::VectorXf &y, float k, const Eigen::VectorXf &x) { y += k * x; }\n"
     "double trace(const Eigen::MatrixXd &a) {\n"
     "  double sum = 0;\n"
     "  for (int i = 0; i < a.rows(); ++i)\n"
     "    sum += a(i, i);\n"
     "  return sum;\n"
     "}\n",
     20},
    {"image.c", "-O3\n",
     "#define STB_IMAGE_IMPLEMENTATION\n"
     "#include <stb/stb_image.h>\n"
     "unsigned long sumOf(const unsigned *values, unsigned long count) {\n"
     "  unsigned long sum = 0;\n"
     "  for (unsigned long i = 0; i < count; ++i)\n"
     "    sum += values[i];\n"
     "  return sum;\n"
     "}\n",
     200},
    {"json.cpp", "-O2\n",
     "#include <nlohmann/json.hpp>\n"
     "double total(const nlohmann::json &values) {\n"
     "  double sum = 0;\n"
     "  for (const nlohmann::json &value : values)\n"
     "    sum += value.get<double>();\n"
     "  return sum;\n"
     "}\n"
     "nlohmann::json read(const std::string &text) { return nlohmann::json::parse(text); }\n",
     20},
};

INSTANTIATE_TEST_SUITE_P(Units, Projects, testing::ValuesIn(kUnits), [](const testing::TestParamInfo<Unit> &info) {
  return info.param.name.substr(0, info.param.name.find('.'));
});

} // namespace
} // namespace sources
