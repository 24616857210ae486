#include "lsp/tasks/loop_measure.h"

#include "lsp/tasks/measure_program.h"

#include <utility>
#include <variant>
#include <vector>

namespace lsp {
namespace {

/// For a quiet machine, in seconds: there are many loops to time.
constexpr unsigned kLongestWait = 20;

/// Why a result says nothing of the prediction; empty if it does.
std::string whyNotComparable(const PathMeasured &path, const std::string &cpu) {
  if (!path.refused.empty())
    return path.refused;
  if (path.measurement.cycles <= 0)
    return "no run was quiet enough";
  const std::string &here = path.measurement.cpu;
  return here == cpu ? ""
                     : "this machine is " + (here.empty() ? "of an unknown CPU" : "a " + here) +
                           ", and the numbers are for " + cpu;
}

} // namespace

/// Gives the cycles per iteration of the source, or why there are none.
void LoopMeasure::run(const LoopCode &code, const std::function<void(double cycles, std::string refused)> &done) {
  const auto read = [code, done](const CommandEnd &end) {
    auto reply = readMeasurements(end.output, 1);
    const auto *paths = std::get_if<std::vector<PathMeasured>>(&reply);
    if (end.status != 0 || !paths) {
      const std::string last = lastMessageOf(end, {"mca-measure: ", "error: "});
      return done(0, last.empty() ? "mca-measure gave no reply" : last);
    }
    std::string why = whyNotComparable(paths->front(), code.target.cpu);
    done(why.empty() ? paths->front().measurement.cycles / code.sourceIterations : 0, std::move(why));
  };
  std::vector<std::string> arguments = measureArguments(program_, code.target);
  arguments.push_back("--timeout=" + std::to_string(kLongestWait));
  command_.start(std::move(arguments), measuredText({code.text}), read);
}

void LoopMeasure::start(const LoopCode &now, const LoopCode &then, Done done) {
  run(now, [this, then, done = std::move(done)](double before, std::string refused) {
    if (!refused.empty())
      return done({.refused = std::move(refused)});
    run(then, [before, done](double after, std::string why) {
      done({.refused = std::move(why), .now = before, .then = after});
    });
  });
}

} // namespace lsp
