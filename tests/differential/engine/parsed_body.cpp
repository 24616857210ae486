#include "tests/differential/engine/parsed_body.h"

#include <algorithm>
#include <numeric>

namespace differential {
namespace {

std::string joined(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += "\t" + line + "\n";
  return text;
}

} // namespace

ParsedBody::ParsedBody(const mca::Target &target, const std::vector<std::string> &lines)
    : program(mca::Program::parse(joined(lines), target, {})), region(program->instructions().size()) {
  std::iota(region.begin(), region.end(), 0);
}

std::vector<size_t> goodLines(const mca::Target &target, const std::vector<std::string> &lines) {
  const ParsedBody body(target, lines);
  const std::string &text = body.program->text();
  const auto lineOf = [&](uint32_t offset) {
    return static_cast<size_t>(std::count(text.begin(), text.begin() + std::min<size_t>(offset, text.size()), '\n'));
  };
  std::vector<bool> gives(lines.size() + 1, false), fails(lines.size() + 1, false);
  for (const mca::Instruction &instruction : body.program->instructions())
    gives[lineOf(instruction.offset)] = true;
  for (const mca::Diagnostic &diagnostic : body.program->diagnostics())
    if (diagnostic.severity == mca::Diagnostic::Severity::Error)
      fails[lineOf(diagnostic.begin)] = true;
  std::vector<size_t> good;
  for (size_t i = 0; i < lines.size(); ++i)
    if (gives[i] && !fails[i])
      good.push_back(i);
  return good;
}

} // namespace differential
