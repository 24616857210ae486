#include "tests/bench/engine/bodies.h"

#include "mca-core/program/loops.h"
#include "tests/differential/compiled.h"
#include "tests/differential/corpus.h"
#include "tests/differential/process.h"

#include "llvm/MC/MCSymbol.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace bench {
namespace {

void run(const std::vector<std::string> &command) {
  const differential::ProcessResult result = differential::runProcess(command);
  if (result.status != 0)
    throw std::runtime_error("clang-22 failed: " + result.errors.substr(0, 500));
}

/// The headers are preprocessed for this machine, which has them, and compiled for the CPU.
void compileHeaders(const differential::Cpu &cpu, const char *level, const std::string &folder,
                    const std::string &output) {
  const std::string triple = cpu.triple, preprocessed = folder + "/headers.i";
  run({"clang-22", "--target=x86_64-unknown-linux-gnu", "-U__SSE2__", "-E", BENCH_FILES "/headers.c", "-o",
       preprocessed});
  const bool takesMarch = triple.starts_with("x86") || triple.starts_with("s390x");
  run({"clang-22", "--target=" + triple, std::string(takesMarch ? "-march=" : "-mcpu=") + cpu.name, level, "-w", "-S",
       preprocessed, "-o", output});
}

bool isFunction(const mca::Target &target, const mca::Program &program, const mca::Label &label) {
  return target.triple().isOSBinFormatMachO() ? label.name.starts_with("_") : program.isFunction(*label.symbol);
}

/// From each function's label to the next one in its section.
std::vector<Body> functionsOf(const mca::Target &target, const std::shared_ptr<const mca::Program> &program) {
  std::vector<uint32_t> starts;
  for (const mca::Label &label : program->labels())
    if (isFunction(target, *program, label))
      starts.push_back(label.instruction);
  const auto end = static_cast<uint32_t>(program->instructions().size());
  starts.push_back(end);
  std::vector<Body> bodies;
  for (size_t i = 0; i + 1 < starts.size(); ++i) {
    Body body{program, {}, false};
    for (uint32_t at = starts[i]; at < starts[i + 1]; ++at)
      if (program->instructions()[at].section == program->instructions()[starts[i]].section)
        body.region.push_back(at);
    bodies.push_back(std::move(body));
  }
  return bodies;
}

void addBodies(const mca::Target &target, const std::string &path, std::vector<Body> &bodies) {
  const std::shared_ptr<const mca::Program> program = mca::Program::parse(differential::readFile(path), target, {});
  for (Body &body : functionsOf(target, program))
    bodies.push_back(std::move(body));
  for (mca::Loop &loop : mca::findInnermostLoops({target, *program}))
    bodies.push_back({program, std::move(loop.instructions), true});
}

} // namespace

std::string Body::text() const {
  std::string result;
  const std::string &all = program->text();
  for (const uint32_t index : region) {
    const size_t begin = program->instructions()[index].offset;
    result += "\t" + all.substr(begin, all.find('\n', begin) - begin) + "\n";
  }
  return result;
}

std::vector<Body> compileBodies(const differential::Cpu &cpu, const mca::Target &target,
                                const std::vector<const char *> &levels, size_t count) {
  const differential::TemporaryFolder folder;
  const std::string assembly = folder / "code.s";
  std::vector<Body> all;
  for (const char *level : levels) {
    for (const char *source : differential::kKernelSources) {
      const std::string error = differential::compileKernels({cpu.triple, cpu.name, level}, source, assembly);
      if (!error.empty())
        throw std::runtime_error(error);
      addBodies(target, assembly, all);
    }
    compileHeaders(cpu, level, folder / "", assembly);
    addBodies(target, assembly, all);
  }
  std::erase_if(all, [](const Body &b) { return b.region.empty() || b.region.size() > kMaxInstructions; });
  std::vector<Body> chosen;
  const size_t wanted = std::min(count, all.size());
  for (size_t i = 0; i < wanted; ++i)
    chosen.push_back(all[i * all.size() / wanted]);
  return chosen;
}

} // namespace bench
