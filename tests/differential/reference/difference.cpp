// Each report struct is taken apart by a structured binding: a new field does not compile until it is compared here.
#include "tests/differential/reference/difference.h"

#include <algorithm>
#include <concepts>
#include <functional>
#include <limits>
#include <sstream>
#include <vector>

namespace mca::reference {
namespace {

std::string show(const std::string &value) {
  return "\"" + value + "\"";
}
std::string show(bool value) {
  return value ? "true" : "false";
}
template <std::integral T>
std::string show(T value) {
  return std::to_string(value);
}
std::string show(double value) {
  std::ostringstream out;
  out.precision(std::numeric_limits<double>::max_digits10);
  out << value;
  return std::move(out).str();
}
std::string show(Dependency::Kind kind) {
  constexpr const char *kNames[] = {"register", "memory", "resource"};
  return kNames[static_cast<int>(kind)];
}
std::string show(const std::vector<uint8_t> &bytes) {
  std::string text = "[";
  for (const uint8_t byte : bytes)
    text += std::to_string(byte) + " ";
  return text + "]";
}

template <typename T>
bool same(const T &a, const T &b) {
  return a == b;
}
bool same(double a, double b) {
  return a == b || (a != a && b != b);
}

/// Keeps the first difference. The way to it is put together on the way back: reports that are equal cost no words.
class Finder {
public:
  const std::string &found() const { return found_; }

  template <typename T>
  void field(const char *name, const T &ours, const T &reference) {
    if (found_.empty() && !same(ours, reference))
      found_ = std::string(name) + ": " + show(ours) + ", the reference has " + show(reference);
  }

  /// Calls `compare` for what belongs to a step of the way, which `step` names.
  template <typename Step, typename Compare>
  void inside(Step step, Compare compare) {
    if (!found_.empty())
      return;
    compare();
    if (!found_.empty())
      found_ = step() + ", " + found_;
  }
  template <typename Compare>
  void inside(const char *step, Compare compare) {
    inside([&] { return std::string(step); }, compare);
  }

  /// Lists: `name(i)` names an element, `compare` compares two of them.
  template <typename T, typename Name, typename Compare>
  void list(const char *what, const std::vector<T> &ours, const std::vector<T> &reference, Name name, Compare compare) {
    for (size_t i = 0; i < std::min(ours.size(), reference.size()) && found_.empty(); ++i)
      inside([&] { return std::string(what) + " " + name(i); }, [&] { compare(ours[i], reference[i]); });
    inside(what, [&] { field("count", ours.size(), reference.size()); });
  }

private:
  std::string found_;
};

std::string number(size_t i) {
  return std::to_string(i);
}

class ReportComparison {
public:
  ReportComparison(const Report &ours, const Report &reference) : ours_(ours), reference_(reference) {}

  std::string run() {
    const auto &[summary, instructions, pressure, resources, timeline, bottlenecks, dispatch, schedulers, retirement,
                 registerFiles, waits, calibrated] = reference_;
    // The waits and what a calibration adds are not LLVM's: tests/mca-core compares them.
    find_.inside("summary", [&] { compare(ours_.summary, summary); });
    const auto compareThem = [this](const auto &a, const auto &b) { compare(a, b); };
    find_.list("instruction", ours_.instructions, instructions, named(), compareThem);
    find_.inside("pressure", [&] { compare(ours_.pressure, pressure); });
    find_.list("resource", ours_.resources, resources, number, compareThem);
    part("timeline", ours_.timeline, timeline);
    part("bottlenecks", ours_.bottlenecks, bottlenecks);
    part("dispatch", ours_.dispatch, dispatch);
    part("schedulers", ours_.schedulers, schedulers);
    part("retirement", ours_.retirement, retirement);
    part("register files", ours_.registerFiles, registerFiles);
    return find_.found();
  }

private:
  template <typename T>
  void part(const char *name, const std::optional<T> &ours, const std::optional<T> &reference) {
    find_.inside(name, [&] {
      find_.field("present", ours.has_value(), reference.has_value());
      if (ours && reference)
        compare(*ours, *reference);
    });
  }

  /// "3 (addl %eax, %ebx)".
  std::string instructionName(size_t instruction) const {
    if (instruction >= reference_.instructions.size())
      return number(instruction);
    return number(instruction) + " (" + reference_.instructions[instruction].text + ")";
  }
  std::function<std::string(size_t)> named() const {
    return [this](size_t i) { return instructionName(i); };
  }

  void compare(const Summary &ours, const Summary &reference);
  void compare(const InstructionInfo &ours, const InstructionInfo &reference);
  void compare(const SchedulingDetails &ours, const SchedulingDetails &reference);
  void compare(const ResourceDescription &ours, const ResourceDescription &reference);
  void compare(const ResourceUnit &ours, const ResourceUnit &reference);
  void compare(const ResourcePressure &ours, const ResourcePressure &reference);
  void compare(const Timeline &ours, const Timeline &reference);
  void compare(const TimelineEntry &ours, const TimelineEntry &reference);
  void compare(const Bottlenecks &ours, const Bottlenecks &reference);
  void compare(const Dependency &ours, const Dependency &reference);
  void compare(const DispatchStatistics &ours, const DispatchStatistics &reference);
  void compare(const SchedulerStatistics &ours, const SchedulerStatistics &reference);
  void compare(const RetireStatistics &ours, const RetireStatistics &reference);
  void compare(const RegisterFileStatistics &ours, const RegisterFileStatistics &reference);
  void compareHistograms(const char *name, const CycleHistogram &ours, const CycleHistogram &reference);

  const Report &ours_;
  const Report &reference_;
  Finder find_;
};

void ReportComparison::compare(const Summary &ours, const Summary &reference) {
  // LLVM's report knows no rate.
  const auto &[iterations, instructions, cycles, microOps, dispatchWidth, throughput, rate] = reference;
  find_.field("iterations", ours.iterations, iterations);
  find_.field("instructions", ours.instructions, instructions);
  find_.field("cycles", ours.cycles, cycles);
  find_.field("micro-ops", ours.microOps, microOps);
  find_.field("dispatch width", ours.dispatchWidth, dispatchWidth);
  find_.field("block reciprocal throughput", ours.blockReciprocalThroughput, throughput);
}

void ReportComparison::compare(const InstructionInfo &ours, const InstructionInfo &reference) {
  // LLVM's report knows no effective latency.
  const auto &[text, microOps, latency, effectiveLatency, throughput, mayLoad, mayStore, hasSideEffects, isCall,
               loadBarrier, storeBarrier, encoding, scheduling] = reference;
  find_.field("text", ours.text, text);
  find_.field("micro-ops", ours.microOps, microOps);
  find_.field("latency", ours.latency, latency);
  find_.field("reciprocal throughput", ours.reciprocalThroughput, throughput);
  find_.field("may load", ours.mayLoad, mayLoad);
  find_.field("may store", ours.mayStore, mayStore);
  find_.field("side effects", ours.hasSideEffects, hasSideEffects);
  find_.field("call", ours.isCall, isCall);
  find_.field("load barrier", ours.loadBarrier, loadBarrier);
  find_.field("store barrier", ours.storeBarrier, storeBarrier);
  find_.field("encoding", ours.encoding, encoding);
  part("scheduling", ours.scheduling, scheduling);
}

void ReportComparison::compare(const SchedulingDetails &ours, const SchedulingDetails &reference) {
  const auto &[bypassLatency, opcode, resources, comment] = reference;
  find_.field("bypass latency", ours.bypassLatency, bypassLatency);
  find_.field("opcode", ours.opcode, opcode);
  find_.list("use", ours.resources, resources, number, [this](const auto &a, const auto &b) {
    const auto &[resource, acquireAtCycle, releaseAtCycle] = b;
    find_.field("resource", a.resource, resource);
    find_.field("acquired at", a.acquireAtCycle, acquireAtCycle);
    find_.field("released at", a.releaseAtCycle, releaseAtCycle);
  });
  find_.field("comment", ours.comment, comment);
}

void ReportComparison::compare(const ResourceDescription &ours, const ResourceDescription &reference) {
  const auto &[name, units, members] = reference;
  find_.field("name", ours.name, name);
  find_.field("units", ours.units, units);
  find_.list("member", ours.members, members, number,
             [this](const std::string &a, const std::string &b) { find_.field("name", a, b); });
}

void ReportComparison::compare(const ResourceUnit &ours, const ResourceUnit &reference) {
  const auto &[name, resource, unit, unitsOfResource] = reference;
  find_.field("name", ours.name, name);
  find_.field("resource", ours.resource, resource);
  find_.field("unit", ours.unit, unit);
  find_.field("units of its resource", ours.unitsOfResource, unitsOfResource);
}

void ReportComparison::compare(const ResourcePressure &ours, const ResourcePressure &reference) {
  const auto &[units, byInstruction, perIteration] = reference;
  find_.list("unit", ours.units, units, number, [this](const auto &a, const auto &b) { compare(a, b); });
  const auto unitName = [&](size_t i) { return units[i].name + "." + number(units[i].unit); };
  const auto cycles = [this](double a, double b) { find_.field("cycles", a, b); };
  find_.list(
      "of instruction", ours.byInstruction, byInstruction,
      [&](size_t i) { return instructionName(i / units.size()) + " on unit " + unitName(i % units.size()); }, cycles);
  find_.list("of the region on unit", ours.perIteration, perIteration, unitName, cycles);
}

void ReportComparison::compare(const Timeline &ours, const Timeline &reference) {
  const auto &[iterations, lastCycle, entries, waits] = reference;
  find_.field("iterations", ours.iterations, iterations);
  find_.list(
      "iteration", ours.entries, entries,
      [&](size_t i) { return number(i / waits.size()) + ", instruction " + instructionName(i % waits.size()); },
      [this](const auto &a, const auto &b) { compare(a, b); });
  find_.list("waits of instruction", ours.waits, waits, named(), [this](const auto &a, const auto &b) {
    const auto &[inScheduler, inSchedulerReady, beforeRetire] = b;
    find_.field("in the scheduler", a.inScheduler, inScheduler);
    find_.field("in the scheduler, ready", a.inSchedulerReady, inSchedulerReady);
    find_.field("before retirement", a.beforeRetire, beforeRetire);
  });
  find_.field("last cycle", ours.lastCycle, lastCycle);
}

void ReportComparison::compare(const TimelineEntry &ours, const TimelineEntry &reference) {
  const auto &[dispatched, ready, issued, executed, retired] = reference;
  find_.field("dispatched", ours.dispatched, dispatched);
  find_.field("ready", ours.ready, ready);
  find_.field("issued", ours.issued, issued);
  find_.field("executed", ours.executed, executed);
  find_.field("retired", ours.retired, retired);
}

void ReportComparison::compare(const Bottlenecks &ours, const Bottlenecks &reference) {
  const auto &[cycles, stalled, pressureCycles, resourceCycles, dataCycles, registerCycles, memoryCycles, resources,
               criticalSequence] = reference;
  find_.field("cycles", ours.cycles, cycles);
  find_.field("stalled", ours.stalled, stalled);
  find_.field("pressure cycles", ours.pressureCycles, pressureCycles);
  find_.field("resource cycles", ours.resourceCycles, resourceCycles);
  find_.field("data dependency cycles", ours.dataDependencyCycles, dataCycles);
  find_.field("register dependency cycles", ours.registerDependencyCycles, registerCycles);
  find_.field("memory dependency cycles", ours.memoryDependencyCycles, memoryCycles);
  find_.list("resource", ours.resources, resources, number, [this](const auto &a, const auto &b) {
    const auto &[name, itsCycles] = b;
    find_.field("name", a.name, name);
    find_.field("cycles", a.cycles, itsCycles);
  });
  find_.list("critical sequence, step", ours.criticalSequence, criticalSequence, number,
             [this](const auto &a, const auto &b) { compare(a, b); });
}

void ReportComparison::compare(const Dependency &ours, const Dependency &reference) {
  const auto &[kind, from, to, fromNode, toNode, what, name, cost, frequency] = reference;
  find_.field("kind", ours.kind, kind);
  find_.field("from", ours.from, from);
  find_.field("to", ours.to, to);
  find_.field("from node", ours.fromNode, fromNode);
  find_.field("to node", ours.toNode, toNode);
  find_.field("name", ours.name, name);
  find_.field("register or resource", ours.resourceOrRegister, what);
  find_.field("cost", ours.cost, cost);
  find_.field("frequency", ours.frequency, frequency);
}

void ReportComparison::compareHistograms(const char *name, const CycleHistogram &ours,
                                         const CycleHistogram &reference) {
  find_.list(name, ours, reference, number, [this](const CycleCount &a, const CycleCount &b) {
    const auto &[count, cycles] = b;
    find_.field("count", a.count, count);
    find_.field("cycles", a.cycles, cycles);
  });
}

void ReportComparison::compare(const DispatchStatistics &ours, const DispatchStatistics &reference) {
  const auto &[cycles, stalls, microOps] = reference;
  constexpr const char *kStalls[kDispatchStalls] = {"register file", "retire tokens", "scheduler", "load queue",
                                                    "store queue",   "group",         "custom"};
  find_.field("cycles", ours.cycles, cycles);
  for (unsigned i = 0; i < kDispatchStalls; ++i)
    find_.inside("stalls", [&] { find_.field(kStalls[i], ours.stalls[i], stalls[i]); });
  compareHistograms("micro-ops", ours.microOps, microOps);
}

void ReportComparison::compare(const SchedulerStatistics &ours, const SchedulerStatistics &reference) {
  const auto &[cycles, microOps, buffers, anyBufferUsed] = reference;
  find_.field("cycles", ours.cycles, cycles);
  compareHistograms("micro-ops", ours.microOps, microOps);
  find_.field("any buffer used", ours.anyBufferUsed, anyBufferUsed);
  find_.list(
      "buffer", ours.buffers, buffers, [&](size_t i) { return buffers[i].resource; },
      [this](const auto &a, const auto &b) {
        const auto &[resource, size, maxUsed, sumOfCycles] = b;
        find_.field("resource", a.resource, resource);
        find_.field("size", a.size, size);
        find_.field("most used", a.maxUsed, maxUsed);
        find_.field("sum of cycles", a.sumOfCycles, sumOfCycles);
      });
}

void ReportComparison::compare(const RetireStatistics &ours, const RetireStatistics &reference) {
  const auto &[cycles, instructions, entries, maxUsed, sumOfCycles] = reference;
  find_.field("cycles", ours.cycles, cycles);
  compareHistograms("instructions", ours.instructions, instructions);
  find_.field("entries", ours.entries, entries);
  find_.field("most used", ours.maxUsed, maxUsed);
  find_.field("sum of cycles", ours.sumOfCycles, sumOfCycles);
}

void ReportComparison::compare(const RegisterFileStatistics &ours, const RegisterFileStatistics &reference) {
  const auto &[files] = reference;
  find_.list("file", ours.files, files, number, [this](const auto &a, const auto &b) {
    const auto &[name, physicalRegisters, mappings, maxMappings, optimizableMoves, eliminatedMoves, zeroMoves,
                 maxEliminatedInCycle] = b;
    find_.field("name", a.name, name);
    find_.field("physical registers", a.physicalRegisters, physicalRegisters);
    find_.field("mappings", a.mappings, mappings);
    find_.field("most mappings", a.maxMappings, maxMappings);
    find_.field("optimizable moves", a.optimizableMoves, optimizableMoves);
    find_.field("eliminated moves", a.eliminatedMoves, eliminatedMoves);
    find_.field("zero moves", a.zeroMoves, zeroMoves);
    find_.field("most eliminated in a cycle", a.maxEliminatedInCycle, maxEliminatedInCycle);
  });
}

} // namespace

std::string firstDifference(const Report &ours, const Report &reference) {
  return ReportComparison(ours, reference).run();
}

std::string firstDifference(const Result<Simulation> &ours, const Result<Simulation> &reference) {
  Finder find;
  find.field("fails", !ours, !reference);
  if (!find.found().empty())
    return find.found() + (ours ? ": " + reference.message() : ": " + ours.message());
  if (!ours) {
    find.field("failure", ours.message(), reference.message());
    return find.found();
  }
  const mca::Simulation &theirs = *reference;
  find.list("simulated instruction", (*ours).instructions, theirs.instructions, number,
            [&](uint32_t a, uint32_t b) { find.field("position", a, b); });
  find.list("skipped instruction", (*ours).skipped, theirs.skipped, number, [&](const auto &a, const auto &b) {
    const auto &[instruction, message] = b;
    find.field("position", a.instruction, instruction);
    find.field("message", a.message, message);
  });
  return find.found().empty() ? firstDifference((*ours).report, theirs.report) : find.found();
}

} // namespace mca::reference
