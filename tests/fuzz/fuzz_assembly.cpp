// Assembly of any bytes for nine CPUs of six architectures: text → program → simulator. The first byte chooses the CPU,
// the second the options of the simulation, and the next two an edit of the text, which is the rest.
//
// Places lie inside the text. A program is the same whether repeated lines are parsed once or each time, and whether it
// was parsed or followed the edit. A report is the same with and without the steady state. A marked region has the
// instructions between its markers.
#include "mca-core/report/simulator.h"
#include "mca-core/views/json.h"
#include "tests/fuzz/llvm_crashes.h"
#include "tests/fuzz/property.h"
#include "tests/mca-core/described.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

namespace {

using fuzz::require;
using llvm::StringRef;

/// Out of order and in order, with instruments, with predication, with 128-bit immediates.
constexpr std::pair<const char *, const char *> kCpus[] = {{"x86_64-unknown-linux-gnu", "znver4"},
                                                           {"x86_64-unknown-linux-gnu", "skylake"},
                                                           {"aarch64-unknown-linux-gnu", "neoverse-v2"},
                                                           {"aarch64-unknown-linux-gnu", "cortex-a55"},
                                                           {"riscv64-unknown-linux-gnu", "sifive-p670"},
                                                           {"riscv64-unknown-linux-gnu", "sifive-x280"},
                                                           {"armv7-unknown-linux-gnueabihf", "cortex-a57"},
                                                           {"powerpc64le-unknown-linux-gnu", "pwr9"},
                                                           {"s390x-unknown-linux-gnu", "z16"}};

/// A CPU, with the simulator that a worker would keep for it.
struct Machine {
  std::unique_ptr<mca::Target> target;
  std::unique_ptr<mca::Simulator> simulator;
};

const Machine &machineOf(unsigned index) {
  static std::array<Machine, std::size(kCpus)> machines;
  Machine &machine = machines[index];
  if (!machine.target) {
    auto target = mca::Target::create({.triple = kCpus[index].first, .cpu = kCpus[index].second});
    require(target && (*target)->cpuIsKnown() && (*target)->hasSchedulingModel());
    machine.target = std::move(*target);
    machine.simulator = std::make_unique<mca::Simulator>(*machine.target);
  }
  return machine;
}

/// As the editor reads a text: `.include` and `.incbin` find nothing.
std::unique_ptr<mca::Program> parse(const std::string &text, const mca::Target &target, bool repeatedLines = true) {
  return mca::Program::parse(text, target,
                             {.repeatedLines = repeatedLines,
                              .dataAsCode = true,
                              .files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>()});
}

// ---- the program ---------------------------------------------------------------------------------------------------

void checkPlaces(const mca::Program &program) {
  const size_t size = program.text().size();
  for (const mca::Instruction &instruction : program.instructions())
    require(instruction.offset <= size &&
            (instruction.line == mca::kNone || instruction.line < program.lines().size()));
  require(std::ranges::is_sorted(program.instructions(), {}, &mca::Instruction::offset));
  for (const mca::Label &label : program.labels())
    require(label.offset <= size && label.instruction <= program.instructions().size());
  for (const mca::UnreadLine &line : program.unreadLines())
    require(line.offset <= size && line.label <= program.labels().size() &&
            line.instruction <= program.instructions().size());
  require(std::ranges::is_sorted(program.unreadLines(), {}, &mca::UnreadLine::instruction));
  require(std::ranges::is_sorted(program.unreadLines(), {}, &mca::UnreadLine::label));
  for (const mca::LineEntry &line : program.lines())
    require(line.offset <= size);
  for (const mca::PointerStatement &statement : program.pointerStatements()) {
    require(statement.begin <= statement.end && statement.end <= size);
    require(statement.firstInstruction <= statement.endInstruction &&
            statement.endInstruction <= program.instructions().size());
  }
  for (const mca::Diagnostic &diagnostic : program.diagnostics()) {
    require(diagnostic.begin <= diagnostic.end && diagnostic.end <= size && !diagnostic.message.empty());
    for (const mca::Diagnostic::Related &related : diagnostic.related)
      require(related.begin <= related.end && related.end <= size);
  }
}

void checkRegions(const mca::Program &program) {
  for (const mca::MarkerRegion &region : program.markerRegions()) {
    require(region.begin <= region.end && region.begin + region.beginLength <= program.text().size());
    require(region.end == mca::MarkerRegion::kOpen || region.end <= program.text().size());
    const std::vector<uint32_t> inside = program.instructionsOf(region);
    require(std::ranges::is_sorted(inside));
    for (uint32_t i = 0; i < program.instructions().size(); ++i)
      require(std::ranges::binary_search(inside, i) == region.contains(program.instructions()[i].offset));
  }
}

/// The text after one of its lines was removed, doubled or replaced by another one.
std::string edited(const std::string &text, uint8_t where, uint8_t what) {
  std::vector<std::string> lines;
  for (const StringRef line : llvm::split(StringRef(text), '\n'))
    lines.push_back(line.str());
  const size_t at = where % lines.size(), other = (what >> 2) % lines.size();
  if (what % 4 == 0)
    lines.erase(lines.begin() + static_cast<ptrdiff_t>(at));
  else if (what % 4 == 1)
    lines.insert(lines.begin() + static_cast<ptrdiff_t>(at), std::string(lines[other]));
  else if (what % 4 == 2)
    lines[at] = std::string(lines[other]);
  else
    lines[at].resize(lines[at].size() / 2);
  return llvm::join(lines, "\n");
}

void checkUpdate(mca::Program &program, const mca::Target &target, uint8_t where, uint8_t what) {
  const std::string after = edited(program.text(), where, what);
  if (program.update(after, target))
    require(mca::describe(program, target) == mca::describe(*parse(after, target), target));
}

// ---- the simulation ------------------------------------------------------------------------------------------------

mca::SimulationOptions optionsOf(uint8_t bits) {
  constexpr uint32_t kIterations[] = {1, 5, 20, 100};
  return {.iterations = kIterations[bits % 4],
          .timeline = true,
          .bottlenecks = (bits & 4) != 0,
          .inOrderBottlenecks = (bits & 4) != 0,
          .microOpQueueSize = bits & 8 ? 12u : 0u,
          .decoderThroughput = bits & 8 ? 3u : 0u,
          .dispatchWidth = bits & 16 ? 2u : 0u,
          .registerFileSize = bits & 32 ? 40u : 0u,
          .loadQueueSize = bits & 64 ? 3u : 0u,
          .storeQueueSize = bits & 64 ? 2u : 0u,
          .noAlias = (bits & 128) == 0,
          .rate = true,
          .dispatchStatistics = true,
          .schedulerStatistics = true,
          .retireStatistics = true,
          .registerFileStatistics = true,
          .waitReasons = (bits & 4) != 0,
          .schedulingDetails = true};
}

/// Whether an instruction has RISC-V's instrument for the vectors' length, but none for their elements' width: LLVM
/// divides by that width (RISCVInstrumentManager::getSchedClassID) and ends the process.
bool missesElementWidth(const mca::Program &program) {
  return llvm::any_of(program.instrumentSets(), [](const mca::InstrumentSet &set) {
    const auto has = [&](StringRef kind) {
      return llvm::any_of(set, [&](const llvm::mca::Instrument *one) { return one->getDesc() == kind; });
    };
    return has("RISCV-LMUL") && !has("RISCV-SEW");
  });
}

/// All of a simulation as text; why there is none if it fails.
std::string describe(mca::Result<mca::Simulation> simulation, const mca::Program &program,
                     llvm::ArrayRef<uint32_t> region) {
  if (!simulation)
    return simulation.message();
  const auto noText = [](uint32_t) { return std::string(); };
  std::string text;
  llvm::raw_string_ostream out(text);
  // LLVM asserts that what becomes JSON is UTF-8; without assertions it replaces the rest.
  if (llvm::json::isUTF8(program.text()))
    out << llvm::json::Value(mca::toFullJson(*simulation, {}, "", program, region, noText));
  mca::printReport(out, simulation->report, {});
  return text;
}

void checkSimulation(const Machine &machine, const mca::Program &program, llvm::ArrayRef<uint32_t> region,
                     mca::SimulationOptions options) {
  const std::string quick = describe(machine.simulator->simulate(program, region, options), program, region);
  options.steadyState = false;
  require(describe(machine.simulator->simulate(program, region, options), program, region) == quick);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  constexpr size_t kLongest = 4096, kMostInstructions = 24;
  if (size < 4 || size > kLongest)
    return 0;
  const Machine &machine = machineOf(data[0] % std::size(kCpus));
  const std::string text(fuzz::textOf(data + 4, size - 4));
  if (fuzz::crashesLlvm(text) || fuzz::crashesLlvm(edited(text, data[2], data[3])))
    return 0;
  const std::unique_ptr<mca::Program> program = parse(text, *machine.target);
  checkPlaces(*program);
  checkRegions(*program);
  require(mca::describe(*program, *machine.target) ==
          mca::describe(*parse(text, *machine.target, /*repeatedLines=*/false), *machine.target));

  const mca::SimulationOptions options = optionsOf(data[1]);
  std::vector<uint32_t> all(std::min(program->instructions().size(), kMostInstructions));
  std::iota(all.begin(), all.end(), 0);
  if (missesElementWidth(*program))
    return 0;
  if (!all.empty())
    checkSimulation(machine, *program, all, options);
  for (const mca::MarkerRegion &region :
       program->markerRegions().first(std::min<size_t>(2, program->markerRegions().size())))
    if (const std::vector<uint32_t> inside = program->instructionsOf(region);
        !inside.empty() && inside.size() <= kMostInstructions)
      checkSimulation(machine, *program, inside, options);
  checkUpdate(*program, *machine.target, data[2], data[3]);
  return 0;
}
