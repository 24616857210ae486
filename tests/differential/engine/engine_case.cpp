#include "tests/differential/engine/engine_case.h"

#include "mca-core/target/target.h"

#include <sstream>
#include <stdexcept>

namespace differential {
namespace {

using mca::SimulationOptions;

constexpr const char *kTargetMark = "mca: ";
constexpr const char *kOptionsMark = "engine: ";

std::string commentMark(const EngineCase &engineCase) {
  const auto target = mca::Target::create(engineCase.selection());
  return target ? (*target)->asmInfo().getCommentString().str() : "#";
}

/// The words "name=value" behind `mark`.
std::vector<std::pair<std::string, std::string>> settingsBehind(const std::string &line, const std::string &mark) {
  std::istringstream stream(line.substr(line.find(mark) + mark.size()));
  std::vector<std::pair<std::string, std::string>> settings;
  for (std::string word; stream >> word;) {
    const size_t equals = word.find('=');
    if (equals == word.npos)
      throw std::runtime_error("no value: " + word);
    settings.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return settings;
}

void setOption(SimulationOptions &options, const std::string &name, const std::string &value) {
  for (const EngineOption &option : engineOptions())
    if (name == option.name)
      return setValue(options, option, std::stoll(value));
  throw std::runtime_error("no such option: " + name);
}

} // namespace

const std::vector<EngineOption> &engineOptions() {
  static const std::vector<EngineOption> options = {
      {"iterations", &SimulationOptions::iterations},
      {"callLatency", &SimulationOptions::callLatency},
      {"timeline", &SimulationOptions::timeline},
      {"timelineMaxIterations", &SimulationOptions::timelineMaxIterations},
      {"timelineMaxCycles", &SimulationOptions::timelineMaxCycles},
      {"bottlenecks", &SimulationOptions::bottlenecks},
      {"syntaxVariant", &SimulationOptions::syntaxVariant},
      {"hexImmediates", &SimulationOptions::hexImmediates},
      {"microOpQueueSize", &SimulationOptions::microOpQueueSize},
      {"decoderThroughput", &SimulationOptions::decoderThroughput},
      {"dispatchWidth", &SimulationOptions::dispatchWidth},
      {"registerFileSize", &SimulationOptions::registerFileSize},
      {"loadQueueSize", &SimulationOptions::loadQueueSize},
      {"storeQueueSize", &SimulationOptions::storeQueueSize},
      {"noAlias", &SimulationOptions::noAlias},
      {"customBehaviour", &SimulationOptions::customBehaviour},
      {"pressure", &SimulationOptions::pressure},
      {"dispatchStatistics", &SimulationOptions::dispatchStatistics},
      {"schedulerStatistics", &SimulationOptions::schedulerStatistics},
      {"retireStatistics", &SimulationOptions::retireStatistics},
      {"registerFileStatistics", &SimulationOptions::registerFileStatistics},
      {"encodings", &SimulationOptions::encodings},
      {"schedulingDetails", &SimulationOptions::schedulingDetails},
      {"instructionTables", &SimulationOptions::instructionTables},
  };
  return options;
}

int64_t valueOf(const SimulationOptions &options, const EngineOption &option) {
  return std::visit([&](auto member) { return static_cast<int64_t>(options.*member); }, option.member);
}

void setValue(SimulationOptions &options, const EngineOption &option, int64_t value) {
  std::visit(
      [&](auto member) {
        using Value = std::remove_reference_t<decltype(options.*member)>;
        options.*member = static_cast<Value>(value);
      },
      option.member);
}

std::string describeOptions(const SimulationOptions &options) {
  std::string text;
  for (const EngineOption &option : engineOptions())
    if (valueOf(options, option) != valueOf({}, option))
      text += (text.empty() ? "" : " ") + std::string(option.name) + "=" + std::to_string(valueOf(options, option));
  return text;
}

std::string writeCase(const EngineCase &engineCase, const std::string &remark) {
  const std::string mark = commentMark(engineCase) + " ";
  std::string text = mark + kTargetMark + "triple=" + engineCase.triple + " cpu=" + engineCase.cpu + "\n" + mark +
                     kOptionsMark + describeOptions(engineCase.options) + "\n";
  std::istringstream remarks(remark);
  for (std::string line; std::getline(remarks, line);)
    text += mark + line + "\n";
  for (const std::string &line : engineCase.lines)
    text += "\t" + line + "\n";
  return text;
}

EngineCase readCase(const std::string &text) {
  EngineCase engineCase;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    if (line.find(kTargetMark) != line.npos) {
      for (const auto &[name, value] : settingsBehind(line, kTargetMark))
        (name == "triple" ? engineCase.triple : engineCase.cpu) = value;
    } else if (line.find(kOptionsMark) != line.npos) {
      for (const auto &[name, value] : settingsBehind(line, kOptionsMark))
        setOption(engineCase.options, name, value);
    } else if (line.starts_with('\t')) {
      engineCase.lines.push_back(line.substr(1));
    }
  if (engineCase.triple.empty() || engineCase.cpu.empty() || engineCase.lines.empty())
    throw std::runtime_error("a case starts with two comments: `mca: triple=… cpu=…` and `engine: iterations=…`");
  return engineCase;
}

} // namespace differential
