#include "tests/differential/llvm_report.h"

#include <cmath>
#include <cstdio>
#include <sstream>

namespace differential {
namespace {

std::vector<std::string> words(const std::string &line) {
  std::istringstream stream(line);
  std::vector<std::string> result;
  for (std::string word; stream >> word;)
    result.push_back(word);
  return result;
}

/// "[2.1]" in the resource list, "Zn4FP" -> "Zn4FP.1"; "[2]" -> the name alone.
std::string unitName(const std::string &bracket, const std::string &resource) {
  const size_t dot = bracket.find('.');
  return dot == std::string::npos ? resource : resource + "." + bracket.substr(dot + 1, bracket.size() - dot - 2);
}

class Reader {
public:
  explicit Reader(std::string_view text) : stream_(std::string(text)) {}

  std::vector<LlvmRegion> read() {
    for (std::string line; std::getline(stream_, line);)
      take(line);
    return std::move(regions_);
  }

private:
  void take(const std::string &line) {
    const size_t title = line.find("] Code Region");
    if (line.starts_with("[") && title != std::string::npos) {
      const size_t name = line.find(" - ", title);
      regions_.push_back({.name = name == std::string::npos ? "" : line.substr(name + 3)});
      named_ = true;
    } else if (line.starts_with("Iterations:") && !named_) {
      regions_.emplace_back();
    }
    if (line == "Resources:")
      readResources();
    else if (line == "Resource pressure per iteration:")
      readPressure();
    else if (!regions_.empty() && line.find(':') != std::string::npos && !line.starts_with("["))
      readField(line);
  }

  void readField(const std::string &line) {
    const size_t colon = line.find(':');
    const size_t value = line.find_first_not_of(' ', colon + 1);
    if (value != std::string::npos)
      regions_.back().fields.try_emplace(line.substr(0, colon), line.substr(value));
  }

  void readResources() {
    units_.clear();
    for (std::string line; std::getline(stream_, line) && !line.empty();) {
      const std::vector<std::string> row = words(line);
      units_.push_back(unitName(row.at(0), row.at(2)));
    }
  }

  void readPressure() {
    std::string header, values;
    std::getline(stream_, header);
    std::getline(stream_, values);
    const std::vector<std::string> numbers = words(values);
    for (size_t unit = 0; unit < numbers.size(); ++unit)
      if (numbers[unit] != "-")
        regions_.back().pressure.emplace_back(units_.at(unit), numbers[unit]);
  }

  std::istringstream stream_;
  std::vector<LlvmRegion> regions_;
  std::vector<std::string> units_;
  bool named_ = false;
};

} // namespace

std::string LlvmRegion::field(const std::string &name) const {
  const auto found = fields.find(name);
  return found == fields.end() ? "" : found->second;
}

std::vector<LlvmRegion> parseLlvmReport(std::string_view text) {
  return Reader(text).read();
}

std::string rounded(double value, int decimals) {
  const double scale = std::pow(10.0, decimals);
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", decimals, std::floor(value * scale + 0.5) / scale);
  return buffer;
}

} // namespace differential
