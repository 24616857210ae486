// Compares the simulator with LLVM's pipeline on random bodies for many CPUs, until told to stop.
//
//   engine_fuzzer [--cpu NAME]... [--triple TRIPLE] [--bodies N] [--seconds S] [--seed N] [--first N] [--jobs N]
//
// Prints one line a CPU and every difference as a file for engine_cases/. The exit status is 1 when there is one.
#include "tests/differential/engine/cpu_run.h"
#include "tests/differential/engine/isolated.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <deque>
#include <unistd.h>

namespace differential {
namespace {

struct Arguments {
  std::vector<std::string> cpus;
  std::string triple;
  RunOptions run;
  unsigned jobs = 1;
  bool leftOut = false;
};

/// The CPUs that are asked for; with a triple, also ones that are not on our list.
std::vector<Cpu> chosenCpus(const Arguments &arguments) {
  std::vector<Cpu> chosen;
  if (!arguments.triple.empty()) {
    for (const std::string &name : arguments.cpus)
      chosen.push_back({arguments.triple.c_str(), name.c_str()});
    return chosen;
  }
  for (const Cpu &cpu : engineCpus())
    if (arguments.cpus.empty() || std::count(arguments.cpus.begin(), arguments.cpus.end(), cpu.name))
      chosen.push_back(cpu);
  return chosen;
}

std::string summaryOf(const Cpu &cpu, const RunResult &result) {
  const std::string triple = cpu.triple;
  const RunCounts &counts = result.counts;
  char line[300];
  std::snprintf(line, sizeof line,
                "%-10s %-18s %6zu instructions, %7llu bodies compared (%llu long), %llu differences, %llu ties, "
                "%llu refused by LLVM, %5.0f bodies/s\n",
                triple.substr(0, triple.find('-')).c_str(), cpu.name, result.instructions,
                static_cast<unsigned long long>(counts.bodies), static_cast<unsigned long long>(counts.longBodies),
                static_cast<unsigned long long>(counts.differences), static_cast<unsigned long long>(counts.ties),
                static_cast<unsigned long long>(counts.refused),
                double(counts.bodies) / std::max(result.seconds, 1e-3));
  return line;
}

std::string reportOf(const Cpu &cpu, const RunResult &result, bool leftOut) {
  std::string text = summaryOf(cpu, result);
  if (!result.leftOut.empty())
    text += "  left out, as LLVM's process ends: " + std::to_string(result.leftOut.size()) + " instructions\n";
  for (const std::string &instruction : result.leftOut)
    if (leftOut)
      text += "    " + instruction + "\n";
  for (const std::string &refusal : result.refusals)
    if (leftOut)
      text += refusal;
  for (const std::string &finding : result.findings)
    text += finding;
  return text;
}

/// Runs the CPUs in so many processes; each takes the next one. Returns whether all of them agree.
bool runAll(const Arguments &arguments, const std::vector<Cpu> &cpus) {
  Shared<std::atomic<size_t>> next;
  Shared<std::atomic<uint64_t>> bodies, differences;
  const auto work = [&](Output &) {
    for (size_t i; (i = (*next)++) < cpus.size();) {
      const RunResult result = runCpu(cpus[i], arguments.run);
      Output(STDOUT_FILENO).write(reportOf(cpus[i], result, arguments.leftOut));
      *bodies += result.counts.bodies;
      *differences += result.counts.differences;
    }
  };
  std::deque<Isolated> jobs;
  for (unsigned i = 0; i < arguments.jobs; ++i)
    jobs.emplace_back(0, work);
  bool finished = true;
  for (Isolated &job : jobs) {
    const Ending ending = job.wait();
    finished &= ending.finished;
    if (!ending.finished)
      std::printf("a job ended: %s\n", ending.why.c_str());
  }
  std::printf("%llu bodies, %llu differences\n", static_cast<unsigned long long>(bodies->load()),
              static_cast<unsigned long long>(differences->load()));
  return finished && !*differences;
}

} // namespace
} // namespace differential

int main(int argc, char **argv) {
  using namespace differential;
  Arguments arguments;
  arguments.run.seed = static_cast<uint64_t>(std::time(nullptr)) % 1000000;
  double seconds = 0;
  CLI::App app("Compares the simulator with LLVM's pipeline on random bodies");
  app.add_option("--cpu", arguments.cpus, "only this CPU; may be repeated");
  app.add_option("--triple", arguments.triple, "of the CPUs, when they are none of our list")->needs("--cpu");
  app.add_option("--bodies", arguments.run.bodies, "for each CPU");
  app.add_option("--seconds", seconds, "in total, shared by the CPUs: as many bodies as they allow");
  app.add_option("--seed", arguments.run.seed, "of the bodies; by default the time's");
  app.add_option("--first", arguments.run.first, "number of the first body");
  app.add_option("--opcodes", arguments.run.opcodes, "that the instructions are made of; 0: all");
  app.add_option("--jobs", arguments.jobs, "processes that work at the same time");
  app.add_flag("--left-out", arguments.leftOut, "list the instructions and bodies that end LLVM's process");
  CLI11_PARSE(app, argc, argv);
  const std::vector<Cpu> cpus = chosenCpus(arguments);
  if (cpus.empty())
    return std::fprintf(stderr, "engine_fuzzer: no such CPU\n"), 2;
  if (seconds > 0) {
    arguments.run.bodies = ~0ull >> 1;
    arguments.run.seconds = seconds * arguments.jobs / double(cpus.size());
  }
  std::printf("seed %llu\n", static_cast<unsigned long long>(arguments.run.seed));
  std::fflush(stdout);
  return runAll(arguments, cpus) ? 0 : 1;
}
