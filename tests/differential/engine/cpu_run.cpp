// A child process simulates a chunk of bodies with one Simulator, as its users do. Shared memory tells the parent which
// body and stage a child died at; the parent then looks, in further children, whose fault it was.
#include "tests/differential/engine/cpu_run.h"

#include "tests/differential/engine/generator.h"
#include "tests/differential/engine/isolated.h"
#include "tests/differential/engine/judge.h"
#include "tests/differential/engine/shrink.h"
#include "tests/differential/reference/description.h"
#include "tests/differential/reference/simulation.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <sstream>

namespace differential {
namespace {

constexpr uint64_t kBodiesOfAChunk = 100;
constexpr uint64_t kMinBodies = 5;    // however little time there is
constexpr double kSecondsOfABody = 5; // they take some hundredths of one
constexpr double kSecondsToShrink = 120;
// What a body may take, all iterations together.
constexpr double kMaxCycles = 50000;
constexpr double kMaxLongCycles = 400000;
constexpr double kMaxLongInstructions = 60000;
constexpr size_t kMaxRefusals = 5;

const char *nameOf(Stage stage) {
  constexpr const char *kNames[] = {"parsing",
                                    "LLVM's pipeline",
                                    "the simulator without steady state",
                                    "the simulator with steady state",
                                    "the simulator along a trace",
                                    "the comparison"};
  return kNames[static_cast<size_t>(stage)];
}

/// The same everywhere, unlike std::hash.
uint64_t hashOf(const std::string &text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

struct ChunkState {
  uint64_t body = 0;
  Stage stage = Stage::Parsing;
  RunCounts counts;
};

std::unique_ptr<mca::Target> targetOf(const Cpu &cpu) {
  auto target = mca::Target::create({.triple = cpu.triple, .cpu = cpu.name});
  return target ? std::move(*target) : nullptr;
}

/// Lines that do not parse beside the others go.
void dropBadLines(const mca::Target &target, EngineCase &engineCase) {
  for (size_t before = 0; before != engineCase.lines.size() && !engineCase.lines.empty();) {
    before = engineCase.lines.size();
    std::vector<std::string> good;
    for (const size_t i : goodLines(target, engineCase.lines))
      good.push_back(engineCase.lines[i]);
    engineCase.lines = std::move(good);
  }
}

/// Cycles that an iteration takes when nothing happens at the same time. Some vector instructions take hundreds.
double cyclesOfAnIteration(const mca::Target &target, const ParsedBody &body) {
  const llvm::MCSubtargetInfo &subtarget = target.subtarget();
  double cycles = 1;
  for (const mca::Instruction &instruction : body.program->instructions()) {
    const unsigned id = mca::reference::schedulingClassOf(target, *body.program, instruction);
    const llvm::MCSchedClassDesc &sched = *subtarget.getSchedModel().getSchedClassDesc(id);
    cycles += std::max<double>(llvm::MCSchedModel::computeInstrLatency(subtarget, sched),
                               llvm::MCSchedModel::getReciprocalThroughput(subtarget, sched));
  }
  return cycles;
}

uint32_t atMost(uint32_t iterations, double limit) {
  return std::max<uint32_t>(1, static_cast<uint32_t>(std::min<double>(iterations, limit)));
}

/// The same body with more iterations than LLVM could be asked for.
EngineCase longCase(const mca::Target &target, EngineCase engineCase) {
  const ParsedBody body(target, engineCase.lines);
  const uint32_t wanted = 1000 + engineCase.options.iterations * 31 % 2000;
  engineCase.options.iterations = atMost(wanted, std::min(kMaxLongInstructions / double(engineCase.lines.size()),
                                                          kMaxLongCycles / cyclesOfAnIteration(target, body)));
  return engineCase;
}

bool isAlsoLong(uint64_t body) {
  return body % 8 == 0;
}

/// Of a long case only the simulator's two ways: LLVM would take too long.
Verdict judge(mca::Simulator &simulator, const mca::Target &target, const EngineCase &engineCase) {
  const ParsedBody body(target, engineCase.lines);
  Stage stage = Stage::Parsing;
  if (engineCase.options.iterations < 500)
    return judgeCase(simulator, target, body, engineCase.options, stage);
  return judgeSteadyState(simulator, body, engineCase.options, stage);
}

using Clock = std::chrono::steady_clock;

class CpuRun {
public:
  CpuRun(const Cpu &cpu, const RunOptions &options)
      : cpu_(cpu), options_(options),
        pool_(makeInstructionPool({.triple = cpu.triple, .cpu = cpu.name}, options.seed, options.opcodes)),
        generator_(cpu, pool_) {}

  RunResult run();

private:
  EngineCase caseOf(const mca::Target &target, uint64_t body) const;
  void runChunk(uint64_t end);
  void compare(mca::Simulator &simulator, const mca::Target &target, Output &out);
  std::string describe(uint64_t body, uint64_t firstOfChunk, const std::string &difference) const;
  std::string describeSmall(const EngineCase &engineCase) const;
  std::string describeAfterOthers(uint64_t body, uint64_t firstOfChunk) const;
  void diagnose(const std::string &why);
  bool survives(const EngineCase &engineCase, bool llvm) const;
  std::string heading(uint64_t body) const;

  bool timeIsUp() const {
    return options_.seconds && state_->counts.bodies >= kMinBodies &&
           std::chrono::duration<double>(Clock::now() - begin_).count() > options_.seconds;
  }

  Cpu cpu_;
  RunOptions options_;
  Clock::time_point begin_ = Clock::now();
  InstructionPool pool_;
  CaseGenerator generator_;
  Shared<ChunkState> state_;
  RunResult result_;
};

RunResult CpuRun::run() {
  const auto begin = Clock::now();
  result_.instructions = pool_.lines.size() + pool_.odd.size();
  result_.leftOut = pool_.leftOut;
  const uint64_t end = options_.first + options_.bodies;
  state_->body = options_.first;
  while (result_.instructions && state_->body < end && !timeIsUp())
    runChunk(std::min(end, state_->body + kBodiesOfAChunk));
  result_.counts = state_->counts;
  result_.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return std::move(result_);
}

void CpuRun::runChunk(uint64_t end) {
  const uint64_t first = state_->body;
  const Ending ending = runIsolated(kSecondsOfABody, [&](Output &out) {
    const std::unique_ptr<mca::Target> target = targetOf(cpu_);
    mca::Simulator simulator(*target);
    for (; state_->body < end && !timeIsUp(); ++state_->body)
      compare(simulator, *target, out);
  });
  std::istringstream differences(ending.output); // "17 against LLVM: …"
  for (uint64_t body; differences >> body;) {
    std::string difference;
    std::getline(differences >> std::ws, difference);
    result_.findings.push_back(describe(body, first, difference));
  }
  if (ending.finished)
    return;
  diagnose(ending.why);
  ++state_->body;
}

EngineCase CpuRun::caseOf(const mca::Target &target, uint64_t body) const {
  const std::string name = std::to_string(options_.seed) + " " + cpu_.triple + " " + cpu_.name + " ";
  EngineCase engineCase = generator_.make(hashOf(name + std::to_string(body)));
  dropBadLines(target, engineCase);
  const double cycles = cyclesOfAnIteration(target, ParsedBody(target, engineCase.lines));
  engineCase.options.iterations = atMost(engineCase.options.iterations, kMaxCycles / cycles);
  return engineCase;
}

void CpuRun::compare(mca::Simulator &simulator, const mca::Target &target, Output &out) {
  allowSeconds(kSecondsOfABody);
  state_->stage = Stage::Parsing;
  const EngineCase engineCase = caseOf(target, state_->body);
  if (engineCase.lines.empty())
    return;
  const ParsedBody body(target, engineCase.lines);
  Verdict verdict = judgeCase(simulator, target, body, engineCase.options, state_->stage);
  ++state_->counts.bodies;
  if (!verdict.differs() && isAlsoLong(state_->body)) {
    ++state_->counts.longBodies;
    const Verdict ofLong = judgeSteadyState(simulator, body, longCase(target, engineCase).options, state_->stage);
    if (ofLong.differs())
      verdict = ofLong;
  }
  state_->counts.ties += verdict.kind == Verdict::Kind::Tie;
  if (!verdict.differs())
    return;
  ++state_->counts.differences;
  out.write(std::to_string(state_->body) + " " + verdict.difference + "\n");
}

std::string CpuRun::heading(uint64_t body) const {
  return "---- " + std::string(cpu_.triple) + " " + cpu_.name + ", seed " + std::to_string(options_.seed) + ", body " +
         std::to_string(body) + ": ";
}

/// The case made small. Nothing was simulated in this process, so that it stands for itself.
std::string CpuRun::describe(uint64_t body, uint64_t firstOfChunk, const std::string &difference) const {
  const std::unique_ptr<mca::Target> target = targetOf(cpu_);
  const EngineCase engineCase = caseOf(*target, body);
  std::string text = describeSmall(engineCase);
  if (text.empty() && isAlsoLong(body))
    text = describeSmall(longCase(*target, engineCase));
  if (text.empty())
    text = describeAfterOthers(body, firstOfChunk);
  return heading(body) + difference + "\n" + text;
}

/// Empty when the case alone does not differ.
std::string CpuRun::describeSmall(const EngineCase &engineCase) const {
  const Ending ending = runIsolated(kSecondsToShrink, [&](Output &out) {
    const std::unique_ptr<mca::Target> target = targetOf(cpu_);
    Verdict last;
    const auto differs = [&](const EngineCase &candidate) {
      mca::Simulator fresh(*target);
      const Verdict now = judge(fresh, *target, candidate);
      if (now.differs())
        last = now;
      return now.differs();
    };
    if (!differs(engineCase))
      return;
    const EngineCase small = shrinkCase(engineCase, differs);
    static_cast<void>(differs(small));
    out.write(writeCase(small, last.difference));
  });
  return ending.finished ? ending.output : writeCase(engineCase, "making it smaller: " + ending.why);
}

/// For a difference that a new Simulator does not show: which earlier body it needs.
std::string CpuRun::describeAfterOthers(uint64_t body, uint64_t firstOfChunk) const {
  const std::unique_ptr<mca::Target> target = targetOf(cpu_);
  const EngineCase engineCase = caseOf(*target, body);
  for (uint64_t other = body; other-- > firstOfChunk;) {
    const EngineCase before = caseOf(*target, other);
    const Ending ending = runIsolated(2 * kSecondsOfABody, [&](Output &out) {
      mca::Simulator simulator(*target);
      if (!before.lines.empty())
        static_cast<void>(judge(simulator, *target, before));
      out.write(judge(simulator, *target, engineCase).difference);
    });
    if (!ending.output.empty())
      return "only with a Simulator that has simulated this before:\n" + writeCase(before, "") + "and then this:\n" +
             writeCase(engineCase, ending.output);
  }
  return "only with a Simulator that has simulated the bodies from " + std::to_string(firstOfChunk) + " on:\n" +
         writeCase(engineCase, "");
}

/// Whether one side alone comes to its end with the case.
bool CpuRun::survives(const EngineCase &engineCase, bool llvm) const {
  return runIsolated(kSecondsOfABody,
                     [&](Output &) {
                       const std::unique_ptr<mca::Target> target = targetOf(cpu_);
                       const ParsedBody body(*target, engineCase.lines);
                       Stage stage = Stage::Parsing;
                       mca::Simulator simulator(*target);
                       if (llvm)
                         static_cast<void>(
                             mca::reference::simulateWithLlvm(*target, *body.program, body.region, engineCase.options));
                       else
                         static_cast<void>(judgeSteadyState(simulator, body, engineCase.options, stage));
                     })
      .finished;
}

/// After a child died at a body.
void CpuRun::diagnose(const std::string &why) {
  const std::string title = heading(state_->body) + nameOf(state_->stage) + ": " + why + "\n";
  const std::unique_ptr<mca::Target> target = targetOf(cpu_);
  const EngineCase engineCase = caseOf(*target, state_->body);
  if (!survives(engineCase, true)) {
    ++state_->counts.refused;
    if (result_.refusals.size() < kMaxRefusals)
      result_.refusals.push_back(title + writeCase(engineCase, "LLVM's pipeline alone: " + why));
    return;
  }
  ++state_->counts.differences;
  const auto dies = [&](const EngineCase &candidate) { return !survives(candidate, false); };
  for (const EngineCase &candidate : {engineCase, longCase(*target, engineCase)})
    if (dies(candidate)) {
      result_.findings.push_back(title + writeCase(shrinkCase(candidate, dies, 150), "the simulator alone: " + why));
      return;
    }
  result_.findings.push_back(title + writeCase(engineCase, "each side alone comes to its end: " + why));
}

} // namespace

RunResult runCpu(const Cpu &cpu, const RunOptions &options) {
  return CpuRun(cpu, options).run();
}

} // namespace differential
