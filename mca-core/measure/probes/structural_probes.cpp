#include "mca-core/measure/probes/structural_probes.h"

#include "mca-core/measure/probes/probe_batch.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mca::measure {
namespace {

using llvm::MCInst;
using llvm::MCOperand;
using llvm::StringRef;
using Insts = std::vector<MCInst>;
using Values = std::map<std::string, double>; // of a rule, by their names

// Registers of these probes: the base, a second pointer to the same place, values, and constants.
constexpr uint8_t kBase = 15, kOtherBase = 12, kValue = 8, kSecond = 9, kStackPointer = 4;
constexpr uint8_t kOne = 3, kZero = 11, kVector = 1;
constexpr int64_t kBelow = 2, kEqual = 4, kSign = 8;
/// Nops beside a pair whose slots are counted: enough to hide what executes.
constexpr size_t kPadding = 10;
/// How far a count of slots may be from the whole number.
constexpr double kSlotTolerance = .5;

/// Rounds events per cycle to steps of 1/`parts`, or cycles per event if there is less than one a cycle.
double roundedRate(double perCycle, double parts) {
  return perCycle >= 1 ? std::round(parts * perCycle) / parts : parts / std::round(parts / perCycle);
}

/// Calibration files have no blanks in the names of probes.
Provenance provenance(const char *probe, const Timing &timing) {
  std::string name = probe;
  llvm::replace(name, ' ', '-');
  return {.probe = std::move(name), .spread = timing.spread, .passes = timing.passes};
}

/// Short names for the instructions of these probes, and their times.
class Structure {
public:
  Structure(const InstanceMaker &maker, ProbeTimer &timer, double slots, Calibration &calibration)
      : maker_(maker), timer_(timer), slots_(slots), calibration_(calibration) {}

  void measure() {
    measureFrontEnd();
    measureMacroFusion();
    measureMoveFusion();
    measureStackEngine();
    measureCarry();
    measureForwarding();
    measureCommit();
    measureSplits();
    measureSmallLoops();
  }

private:
  MCOperand general(uint8_t number) const {
    return MCOperand::createReg(maker_.fullRegister(RegisterFamily::General, number));
  }
  MCOperand part(uint8_t number, StringRef opcode, unsigned operand) const {
    return MCOperand::createReg(maker_.registerFor(*maker_.opcodeOf(opcode), operand, number));
  }
  static MCOperand immediate(int64_t value) { return MCOperand::createImm(value); }
  MCInst make(StringRef opcode, llvm::ArrayRef<MCOperand> operands) const { return maker_.assemble(opcode, operands); }
  MCInst nop() const { return maker_.nop(); }
  Insts nops(size_t count) const { return Insts(count, nop()); }
  MCInst jump(int64_t condition) const { return make("JCC_1", {immediate(0), immediate(condition)}); }
  /// An instance of the probes' registers.
  MCInst plain(StringRef opcode) const { return *maker_.make(*maker_.opcodeOf(opcode), {}, formPlacement(), 0); }

  std::vector<MCOperand> address(uint8_t base, int64_t displacement, bool indexed = false) const {
    return {general(base), immediate(1), indexed ? general(kZero) : MCOperand::createReg(llvm::MCRegister()),
            immediate(displacement), MCOperand::createReg(llvm::MCRegister())};
  }
  MCInst load(StringRef opcode, MCOperand to, uint8_t base, int64_t displacement = 0, bool indexed = false) const {
    std::vector<MCOperand> operands{to};
    llvm::append_range(operands, address(base, displacement, indexed));
    return make(opcode, operands);
  }
  MCInst store(StringRef opcode, MCOperand from, uint8_t base, int64_t displacement = 0, bool indexed = false) const {
    std::vector<MCOperand> operands = address(base, displacement, indexed);
    operands.push_back(from);
    return make(opcode, operands);
  }
  MCInst extend(uint8_t to, uint8_t from) const {
    return make("MOVSX64rr32", {general(to), part(from, "MOVSX64rr32", 1)});
  }
  MCInst lea(uint8_t to, uint8_t base, int64_t displacement) const {
    return load("LEA64r", general(to), base, displacement);
  }

  size_t add(const char *name, Insts block, Insts setup = {}, bool isLoop = false) {
    return batch_.add({.name = name, .setup = std::move(setup), .block = std::move(block), .isLoop = isLoop});
  }
  void run() { batch_.run(timer_); }
  std::optional<double> cycles(size_t probe) const { return batch_.cycles(probe); }
  // What is out of its range was measured badly, and is left out.
  void fact(const char *name, double value, const char *probe, size_t number) {
    setFact(calibration_, name, value, provenance(probe, batch_.timing(number).value_or(Timing())));
  }
  void rule(const char *name, const Values &values, const char *probe, size_t number) {
    switchOn(calibration_, name, values, provenance(probe, batch_.timing(number).value_or(Timing())));
  }

  /// A probe of the slots of a few instructions, which are padded with nops.
  size_t addCount(const char *name, Insts insts, Insts setup = {}) {
    llvm::append_range(insts, nops(kPadding));
    return add(name, std::move(insts), std::move(setup));
  }
  std::optional<double> count(size_t probe) const {
    const std::optional<double> time = cycles(probe);
    return time ? std::optional(*time * slots_ - double(kPadding)) : std::nullopt;
  }
  bool isOneSlot(size_t probe) const {
    const std::optional<double> slots = count(probe);
    return slots && *slots < 1 + kSlotTolerance;
  }

  void measureFrontEnd();
  void measureMacroFusion();
  void measureMoveFusion();
  void measureStackEngine();
  void measureCarry();
  void measureForwarding();
  bool measureRenaming(double forwarding);
  void measurePredictiveForwarding(double forwarding, uint8_t loadBase);
  void measureCommit();
  void measureSplits();
  void measureSmallLoops();

  const InstanceMaker &maker_;
  ProbeTimer &timer_;
  const double slots_;
  Calibration &calibration_;
  ProbeBatch batch_;
};

void Structure::measureFrontEnd() {
  constexpr int64_t kFar = 0x12345678; // needs four bytes
  constexpr size_t kMoves = 24, kLongNops = 240;
  constexpr double kLongNop = 9; // bytes
  const size_t bytes = add("code bytes", Insts(kLongNops, make("NOOPW", address(kBase, kFar, true))), {}, true);
  const size_t loop = add("taken branches", {nop()}, {}, true);
  const size_t chase = add("load latency", {load("MOV64rm", general(kOtherBase), kOtherBase)},
                           {store("MOV64mr", general(kBase), kBase), lea(kOtherBase, kBase, 0)});
  // The same chain with an index of 0.
  const auto chaseThrough = [&](int64_t scale, int64_t displacement) {
    MCInst next = load("MOV64rm", general(kOtherBase), kOtherBase, displacement, true);
    next.getOperand(2).setImm(scale);
    return add("load latency", {next},
               {lea(kOtherBase, kBase, -displacement), store("MOV64mr", general(kOtherBase), kBase)});
  };
  const size_t indexed = chaseThrough(1, 0), scaled = chaseThrough(8, 0), three = chaseThrough(1, 8);
  const size_t moves = add("vector slots", [&] {
    Insts insts;
    for (unsigned copy = 0; copy < kMoves; ++copy)
      insts.push_back(*maker_.make(*maker_.opcodeOf("MOVAPSrr"), {}, formPlacement(), copy));
    return insts;
  }());
  // A branch whose condition is random, and one whose condition is a constant, beside the same computation.
  const auto random = [&](uint8_t tested) {
    constexpr int64_t kFactor = 0x5851f42d, kIncrement = 0x14057b7f, kBit = 45;
    return Insts{make("IMUL64rri32", {general(kValue), general(kValue), immediate(kFactor)}),
                 make("ADD64ri32", {general(kValue), general(kValue), immediate(kIncrement)}),
                 make("BT64ri8", {general(tested), immediate(kBit)}), jump(kBelow)};
  };
  const size_t guessed = add("mispredicted branch", random(kValue));
  const size_t known = add("predicted branch", random(kZero));
  run();
  if (const auto time = cycles(bytes); time && *time * slots_ > kLongNops * 1.08)
    fact("code-bytes-per-cycle", std::round(kLongNop * kLongNops / *time), "code bytes", bytes);
  if (const auto time = cycles(loop))
    fact("taken-branches-per-cycle", roundedRate(1 / *time, 2), "taken branches", loop);
  if (const auto time = cycles(chase))
    fact("load-latency", std::round(*time), "load latency", chase);
  const auto addExtra = [&](const char *name, size_t probe) {
    const auto plain = cycles(indexed), time = cycles(probe);
    if (plain && time && std::round(*time - *plain) > 0)
      fact(name, std::round(*time - *plain), "load latency", probe);
  };
  addExtra("scaled-index-latency", scaled);
  addExtra("three-part-latency", three);
  if (const auto time = cycles(moves); time && *time * slots_ > kMoves * 1.1)
    fact("vector-slots-per-cycle", std::round(kMoves / *time), "vector slots", moves);
  if (const auto slow = cycles(guessed), fast = cycles(known); slow && fast && *slow > *fast + 1)
    fact("redirect-penalty", std::round(2 * (*slow - *fast)), "mispredicted branch", guessed); // every second one
}

void Structure::measureMacroFusion() {
  struct First {
    const char *value;
    MCInst inst;
    size_t equal = 0, below = 0, sign = 0;
  };
  // Values that keep every result positive, so that no jump is taken.
  constexpr int64_t kMany = 0x4000'0000, kOnes = 0x7fff'ffff;
  const Insts setup{make("MOV64ri32", {general(kValue), immediate(kMany)}),
                    make("MOV64ri32", {general(kSecond), immediate(kOnes)})};
  const MCOperand value = general(kValue), ones = general(kSecond), zero = general(kZero);
  std::vector<First> firsts{
      {"cmp", make("CMP64rr", {value, zero})},        {"test", make("TEST64rr", {value, ones})},
      {"and", make("AND64rr", {value, value, ones})}, {"or", make("OR64rr", {value, value, ones})},
      {"xor", make("XOR64rr", {value, value, zero})}, {"add", make("ADD64rr", {value, value, zero})},
      {"sub", make("SUB64rr", {value, value, zero})}, {"inc", make("INC64r", {value, value})},
      {"dec", make("DEC64r", {value, value})}};
  const auto pair = [&](const MCInst &first, int64_t condition) {
    return addCount("macro-fusion", {first, jump(condition)}, setup);
  };
  for (First &first : firsts) {
    first.equal = pair(first.inst, kEqual);
    first.below = pair(first.inst, kBelow);
    first.sign = pair(first.inst, kSign);
  }
  const size_t memory = pair(plain("CMP64rm"), kEqual), constant = pair(plain("CMP64mi8"), kEqual);
  Variant relative;
  relative.address = {.relative = true};
  const size_t rip = pair(*maker_.make(*maker_.opcodeOf("CMP64rm"), relative, formPlacement(), 0), kEqual);
  run();
  Values values;
  for (const First &first : firsts)
    if (isOneSlot(first.equal))
      values[first.value] = !isOneSlot(first.below) ? 3 : !isOneSlot(first.sign) ? 2 : 1;
  if (values.empty())
    return;
  for (const auto &[name, probe] : {std::pair{"memory", memory}, {"memory-immediate", constant}, {"rip", rip}})
    if (isOneSlot(probe))
      values[name] = 1;
  rule("macro-fusion", values, "macro-fusion", firsts.front().equal);
}

void Structure::measureMoveFusion() {
  constexpr std::pair<const char *, const char *> kSeconds[] = {
      {"add", "ADD64rr"}, {"sub", "SUB64rr"}, {"and", "AND64rr"}, {"or", "OR64rr"},
      {"xor", "XOR64rr"}, {"inc", "INC64r"},  {"dec", "DEC64r"},  {"not", "NOT64r"},
      {"neg", "NEG64r"},  {"shl", "SHL64ri"}, {"shr", "SHR64ri"}, {"sar", "SAR64ri"}};
  std::vector<size_t> probes;
  for (const auto &[value, opcode] : kSeconds) {
    MCInst second = plain(opcode);
    probes.push_back(addCount("move fusion", {make("MOV64rr", {second.getOperand(0), general(kZero)}), second}));
  }
  run();
  Values values;
  for (size_t i = 0; i < probes.size(); ++i)
    if (isOneSlot(probes[i]))
      values[kSeconds[i].first] = 1;
  if (!values.empty())
    rule("move-fusion", values, "move fusion", probes.front());
}

void Structure::measureStackEngine() {
  constexpr size_t kPops = 20, kFew = 4;
  constexpr int64_t kStack = 0x400, kWord = 8;
  Insts fast{lea(kStackPointer, kBase, kStack)};
  fast.insert(fast.end(), kPops, make("POP64r", {general(kValue)}));
  const size_t many = add("stack engine", fast);
  const auto increment = [&](uint8_t reg, int64_t by) {
    return make("ADD64ri8", {general(reg), general(reg), immediate(by)});
  };
  const auto pushes = [&](const MCInst &last) {
    Insts insts(kFew, make("PUSH64r", {general(kValue)}));
    insts.push_back(last);
    llvm::append_range(insts, nops(2 * kPadding));
    return insts;
  };
  const size_t reads = add("stack read", pushes(lea(kSecond, kStackPointer, 24)));
  const size_t noRead = add("no stack read", pushes(lea(kSecond, kBase, 24)));
  const size_t writes = add("stack write", pushes(increment(kStackPointer, kFew * kWord)));
  const size_t noWrite = add("no stack write", pushes(increment(kSecond, kFew * kWord)));
  const size_t chain = add("stack chain", {make("PUSH64r", {general(kOne)}), increment(kStackPointer, kWord)});
  run();
  const auto time = cycles(many);
  if (!time || *time > kPops * .75) // without an engine, each pop waits for the last one
    return;
  Values values;
  const auto set = [&](const char *value, size_t with, size_t without) {
    const auto one = cycles(with), other = cycles(without);
    if (one && other && (*one - *other) * slots_ > .5)
      values[value] = std::round((*one - *other) * slots_);
  };
  set("read-slots", reads, noRead);
  set("write-slots", writes, noWrite);
  if (const auto latency = cycles(chain); latency && *latency > 1.5)
    values["write-latency"] = std::round(*latency - 1);
  rule("stack-engine", values, "stack engine", many);
}

/// An addition with carry waits for a slow instruction that writes all flags but carry, or it does not.
void Structure::measureCarry() {
  const size_t probe = add("carry", {make("ADC64rr", {general(kSecond), general(kSecond), general(kZero)}),
                                     make("IMUL64rri8", {general(kValue), general(kSecond), immediate(3)}),
                                     make("TEST64rr", {general(kZero), general(kZero)}),
                                     make("DEC64r", {general(kValue), general(kValue)})});
  run();
  constexpr double kMultiplication = 3;
  if (const auto time = cycles(probe); time && *time < kMultiplication)
    rule("separate-carry", {}, "carry", probe);
}

/// Chains of a store, a load of its value and a few extensions: with some numbers of them, loads are too early and have
/// to wait for another reason, so the one in the middle counts. The load has another base: a CPU that renames memory
/// knows by equal bases that no forwarding is needed.
void Structure::measureForwarding() {
  constexpr size_t kMostExtensions = 4;
  const MCOperand value = general(kValue),
                  vector = MCOperand::createReg(maker_.fullRegister(RegisterFamily::Vector, kVector));
  std::vector<size_t> plain;
  for (size_t extensions = 0; extensions <= kMostExtensions; ++extensions) {
    Insts chain{store("MOV64mr", value, kBase), load("MOV64rm", value, kOtherBase)};
    chain.insert(chain.end(), extensions, extend(kValue, kValue));
    plain.push_back(add("forwarding", std::move(chain), {lea(kOtherBase, kBase, 0)}));
  }
  const size_t vectors =
      add("vector forwarding", {store("MOVAPSmr", vector, kBase), load("MOVAPSrm", vector, kOtherBase)},
          {lea(kOtherBase, kBase, 0)});
  const size_t wider =
      add("forwarding of a part", {store("MOV32mr", part(kValue, "MOV32mr", 5), kBase), load("MOV64rm", value, kBase)});
  run();
  std::vector<double> latencies;
  for (size_t extensions = 0; extensions <= kMostExtensions; ++extensions)
    if (const auto time = cycles(plain[extensions]))
      latencies.push_back(*time - double(extensions));
  if (latencies.empty())
    return;
  std::ranges::sort(latencies);
  const double general = latencies[latencies.size() / 2];
  Values values{{"general", std::max(0.0, std::round(general))}};
  if (const auto time = cycles(vectors))
    values["vector"] = std::round(*time);
  if (const auto time = cycles(wider))
    values["partial"] = std::round(*time);
  rule("store-forwarding", values, "forwarding", plain.front());
  const bool renamesAnyBase = measureRenaming(general);
  measurePredictiveForwarding(general, renamesAnyBase ? kOtherBase : kBase);
}

/// Loops in which a value goes through many places in memory, from one to the next. A CPU that predicts which store a
/// load follows knows so many loads by their addresses in the code. Extensions keep other limits away. `loadBase`:
/// where equal bases rename memory, the loads have another one, as nothing is left to predict otherwise.
void Structure::measurePredictiveForwarding(double forwarding, uint8_t loadBase) {
  constexpr size_t kMostPlaces = 64;
  constexpr double kExtensions = 3;
  const Insts setup{lea(kOtherBase, kBase, 0)};
  const auto hop = [&](const char *to, const MCInst &from, int64_t at) {
    Insts insts{store(to, part(kValue, to, 5), kBase, at), from};
    insts.insert(insts.end(), size_t(kExtensions), extend(kValue, kValue));
    return insts;
  };
  std::vector<std::pair<size_t, size_t>> probes; // places, probe
  for (size_t places = 1; places <= kMostPlaces; places *= 2) {
    Insts insts;
    for (size_t place = 0; place < places; ++place) {
      const auto at = static_cast<int64_t>(8 * place);
      llvm::append_range(insts, hop("MOV64mr", load("MOV64rm", general(kValue), loadBase, at), at));
    }
    probes.emplace_back(places, add("predicted forwarding", std::move(insts), setup, true));
  }
  const auto narrow = [&](const char *to, const char *from) {
    return add("predicted forwarding", hop(to, load(from, part(kValue, from, 0), loadBase), 0), setup, true);
  };
  const size_t four = narrow("MOV32mr", "MOV32rm"), two = narrow("MOV16mr", "MOVZX32rm16"),
               one = narrow("MOV8mr", "MOVZX32rm8");
  Insts adding{store("MOV64mr", general(kValue), kBase)};
  MCInst addition = make("ADD64rm", {general(kSecond), general(kSecond)});
  for (const MCOperand &operand : address(loadBase, 0))
    addition.addOperand(operand);
  adding.push_back(addition);
  llvm::append_range(adding, Insts{extend(kValue, kSecond), extend(kValue, kValue)});
  const size_t operation = add("predicted forwarding", adding, setup, true);
  const MCOperand vector = MCOperand::createReg(maker_.fullRegister(RegisterFamily::Vector, kVector));
  const size_t vectors =
      add("predicted forwarding",
          {store("MOVAPSmr", vector, kBase), load("MOVAPSrm", vector, loadBase),
           make("PSHUFDri", {vector, vector, immediate(0xe4)}), make("PSHUFDri", {vector, vector, immediate(0xe4)})},
          setup, true);
  run();
  const auto latencyOf = [&](size_t probe, double hops) {
    const auto time = cycles(probe);
    return time ? *time / hops - kExtensions : forwarding;
  };
  const double most = forwarding / 2;
  double latency = 0;
  size_t loads = 0;
  for (const auto &[places, probe] : probes) {
    if (latencyOf(probe, double(places)) > most)
      break;
    latency = loads ? std::min(latency, latencyOf(probe, double(places))) : latencyOf(probe, double(places));
    loads = places;
  }
  if (!loads)
    return;
  double least = 8;
  for (const size_t probe : {four, two, one})
    if (latencyOf(probe, 1) <= most && least > 1)
      least /= 2;
    else
      break;
  rule("predictive-forwarding",
       {{"loads", double(loads)},
        {"latency", std::max(0.0, std::round(latency))},
        {"least-bytes", least},
        {"vector", latencyOf(vectors, 1) <= most ? 1 : 0},
        {"operations", latencyOf(operation, 1) <= most ? 1 : 0}},
       "predicted forwarding", probes.front().second);
}

/// Store and load through one expression. Extensions keep the store's own rate from limiting the chain. Returns whether
/// any base will do, not only the stack pointer.
bool Structure::measureRenaming(double forwarding) {
  constexpr double kExtensions = 2;
  struct Case {
    const char *name;
    size_t probe = 0;
  };
  const auto chain = [&](const char *name, const char *to, const char *from, uint8_t base, bool indexed) {
    const MCOperand reg = part(kValue, to, 5);
    return add(name, {store(to, reg, base, -64, indexed), load(from, part(kValue, from, 0), base, -64, indexed),
                      extend(kValue, kValue), extend(kValue, kValue)});
  };
  const size_t anyBase = chain("renaming", "MOV64mr", "MOV64rm", kBase, false);
  const size_t stack = chain("renaming of the stack", "MOV64mr", "MOV64rm", kStackPointer, false);
  const size_t indexed = chain("renaming with an index", "MOV64mr", "MOV64rm", kBase, true);
  const size_t stackIndexed = chain("renaming of the stack with an index", "MOV64mr", "MOV64rm", kStackPointer, true);
  const size_t narrow[] = {chain("renaming of 4 bytes", "MOV32mr", "MOV32rm", kStackPointer, false),
                           chain("renaming of 2 bytes", "MOV16mr", "MOV16rm", kStackPointer, false),
                           chain("renaming of 1 byte", "MOV8mr", "MOV8rm", kStackPointer, false)};
  const MCOperand vector = MCOperand::createReg(maker_.fullRegister(RegisterFamily::Vector, kVector));
  const size_t vectors = add("renaming of vectors", {store("MOVAPSmr", vector, kStackPointer, -64),
                                                     load("MOVAPSrm", vector, kStackPointer, -64)});
  run();
  const auto isRenamed = [&](size_t probe) {
    const auto time = cycles(probe);
    return time && *time - kExtensions < forwarding - 1.5;
  };
  if (!isRenamed(stack))
    return false;
  Values values{{"latency", std::max(0.0, std::round(*cycles(stack) - kExtensions))},
                {"stack-only", isRenamed(anyBase) ? 0 : 1},
                {"index", isRenamed(isRenamed(anyBase) ? indexed : stackIndexed) ? 1 : 0}};
  if (const auto time = cycles(vectors))
    values["vector"] = *time < forwarding - 1.5 ? 1 : 0;
  double least = 8;
  for (const size_t probe : narrow) {
    if (!isRenamed(probe))
      break;
    least /= 2;
  }
  values["least-bytes"] = least;
  rule("memory-renaming", values, "renaming of the stack", stack);
  return isRenamed(anyBase);
}

/// Stores to two places in turn leave one after the other; those to one block of memory may leave together.
void Structure::measureCommit() {
  constexpr size_t kCopies = 24;
  constexpr int64_t kFarthest = 256;
  std::vector<std::pair<int64_t, size_t>> probes; // distance, probe
  for (int64_t distance = 8; distance <= kFarthest; distance *= 2) {
    Insts insts;
    for (size_t copy = 0; copy < kCopies; ++copy)
      insts.push_back(store("MOV64mr", general(kOne), kBase, copy % 2 ? distance : 0));
    probes.emplace_back(distance, add("stores to blocks", std::move(insts)));
  }
  const auto beside = [&](const char *opcode) {
    return add("narrow stores",
               {store(opcode, part(kOne, opcode, 5), kBase), store("MOV64mr", general(kOne), kBase, kFarthest)});
  };
  const size_t eight = beside("MOV64mr"), four = beside("MOV32mr"), two = beside("MOV16mr"), one = beside("MOV8mr");
  const auto pairs = [&](int64_t loaded) {
    Insts insts;
    for (const int64_t place : {0, 8})
      insts.push_back(store("MOV64mr", general(kOne), kBase, place));
    for (const int64_t place : {0, 8})
      insts.push_back(load("MOV64rm", general(static_cast<uint8_t>(kValue + place / 8)), kBase, loaded + place));
    return insts;
  };
  const size_t read = add("stores that are read", pairs(0)), notRead = add("stores that are read", pairs(1024));
  run();
  const auto fast = cycles(probes.front().second), slow = cycles(probes.back().second);
  if (!fast || !slow || *slow < *fast * 1.1)
    return;
  const auto first = llvm::find_if(probes, [&](const auto &probe) {
    const auto time = cycles(probe.second);
    return time && *time > (*fast + *slow) / 2;
  });
  Values values{{"per-cycle", roundedRate(kCopies / *slow, 4)}, {"bytes", double(first->first)}};
  if (const auto with = cycles(read), without = cycles(notRead); with && without && *with > *without * 1.25)
    values["alone-if-read"] = 1;
  const auto plain = cycles(eight);
  const auto extra = [&](size_t probe) {
    const auto time = cycles(probe);
    return plain && time ? std::round(*time - *plain) : 0;
  };
  if (extra(one) >= 1) {
    values["narrow-bytes"] = extra(four) >= 1 ? 8 : extra(two) >= 1 ? 4 : 2;
    values["narrow-cycles"] = extra(one);
  }
  rule("store-commit", values, "stores to blocks", probes.back().second);
}

void Structure::measureSplits() {
  constexpr int64_t kAcross = 60;
  constexpr size_t kCopies = 24;
  const auto loads = [&](int64_t displacement) {
    Insts insts;
    for (unsigned copy = 0; copy < kCopies; ++copy)
      insts.push_back(load("MOV64rm", general(static_cast<uint8_t>(kValue + copy % 3)), kBase, displacement));
    return insts;
  };
  const size_t whole = add("loads", loads(0)), split = add("split loads", loads(kAcross));
  // Whole ones to two blocks in turn, since the halves of one leave one after the other, too.
  Insts inTurn;
  for (size_t copy = 0; copy < kCopies; ++copy)
    llvm::append_range(inTurn,
                       Insts{store("MOV64mr", general(kOne), kBase), store("MOV64mr", general(kOne), kBase, 256)});
  const size_t stores = add("stores", std::move(inTurn));
  const size_t splitStores = add("split stores", Insts(kCopies, store("MOV64mr", general(kOne), kBase, kAcross)));
  run();
  const auto extra = [&](size_t with, size_t without) {
    const auto one = cycles(with), other = cycles(without);
    return one && other ? std::max(0.0, std::round(4 * (*one / *other - 1)) / 4) : 0;
  };
  if (extra(split, whole) + extra(splitStores, stores) == 0)
    return;
  rule("splits", {{"load", extra(split, whole)}, {"store", extra(splitStores, stores)}, {"line", 64}}, "split loads",
       split);
}

/// Loops of 1 to 24 nops and a fused decrement and branch. Of the descriptions of what they cost, the one counts whose
/// error is the least.
void Structure::measureSmallLoops() {
  constexpr size_t kLongest = 24, kNopBytes = 4, kDecrementBytes = 3, kLine = 64;
  std::vector<size_t> probes;
  for (size_t length = 1; length <= kLongest; ++length)
    probes.push_back(add("small loop", nops(length), {}, true));
  run();
  if (!cycles(probes.front()))
    return;
  const double least = std::max(1.0, std::round(*cycles(probes.front())));
  // As CalibratedBodyBuilder counts them.
  const auto fetchCycles = [&](size_t length, size_t perCycle) {
    const size_t end = length * kNopBytes + kDecrementBytes; // the first byte of the branch
    const size_t lastLine = (end + 1) / kLine;
    size_t sum = 0;
    for (size_t line = 0; line <= lastLine; ++line) {
      const size_t perLine = kLine / kNopBytes;
      const size_t ofLine = std::min(perLine, length - std::min(length, line * perLine)) + (line == lastLine);
      sum += (ofLine + perCycle - 1) / perCycle;
    }
    return double(sum);
  };
  Values best;
  double bestError = std::numeric_limits<double>::max();
  const auto consider = [&](const Values &values, const auto &predict) {
    double error = 0;
    for (size_t i = 0; i < probes.size(); ++i)
      if (const auto time = cycles(probes[i]))
        error += std::abs(*time - std::max(least, predict(i + 1)));
    if (error > bestError * .98) // the simplest comes first
      return;
    bestError = error;
    best = values;
  };
  const auto slotCycles = [&](size_t length) { return double(length + 1) / slots_; };
  consider({}, slotCycles);
  consider({{"whole-cycles", 1}}, [&](size_t length) { return std::ceil(slotCycles(length)); });
  for (int halves = 1; halves <= slots_; ++halves)
    consider({{"lost-slots", halves / 2.0}}, [&](size_t length) { return slotCycles(length) + halves / 2.0 / slots_; });
  for (size_t perCycle = 4; perCycle <= 16; ++perCycle)
    consider({{"fetch-ops", double(perCycle)}},
             [&](size_t length) { return std::max(slotCycles(length), fetchCycles(length, perCycle)); });
  best["least-cycles"] = least;
  rule("small-loops", best, "small loop", probes.front());
}

} // namespace

double measureSlots(const InstanceMaker &maker, ProbeTimer &timer, Calibration &calibration) {
  constexpr size_t kCopies = 24;
  ProbeBatch batch;
  std::vector<size_t> probes;
  const auto general = [&](uint8_t number) {
    return MCOperand::createReg(maker.fullRegister(RegisterFamily::General, number));
  };
  const auto address = [&](int64_t displacement) -> std::vector<MCOperand> {
    return {general(kBase), MCOperand::createImm(1), MCOperand::createReg(llvm::MCRegister()),
            MCOperand::createImm(displacement), MCOperand::createReg(llvm::MCRegister())};
  };
  // Nops of one, four, five and eight bytes: some cores take two short ones in a slot.
  for (const MCInst &nop : {maker.assemble("NOOP", {}), maker.assemble("NOOPL", address(0)),
                            maker.assemble("NOOPL", address(8)), maker.assemble("NOOPL", address(0x1000))})
    probes.push_back(batch.add({.name = "slots", .setup = {}, .block = Insts(kCopies, nop)}));
  batch.run(timer);
  std::optional<Timing> best;
  for (const size_t probe : probes)
    if (const auto timing = batch.timing(probe); timing && (!best || timing->cycles < best->cycles))
      best = timing;
  if (!best)
    return 0;
  const double slots = std::round(kCopies / best->cycles);
  return setFact(calibration, "slots-per-cycle", slots, provenance("slots", *best)) ? slots : 0;
}

void measureStructure(const InstanceMaker &maker, ProbeTimer &timer, double slotsPerCycle, Calibration &calibration) {
  Structure(maker, timer, slotsPerCycle, calibration).measure();
}

void completeFromForms(Calibration &calibration) {
  for (const CalibratedForm &form : calibration.forms)
    if (CalibratedRule &rule = calibration.rules.renames[static_cast<size_t>(form.treatment)];
        form.treatment != RenameTreatment::None && !rule.isOn)
      rule = {.isOn = true, .from = form.from};
  const auto copy = [&](const char *from, const char *to, const char *shape) {
    const auto row = llvm::find_if(
        calibration.forms, [&](const CalibratedForm &form) { return form.opcode == from && form.shape == "base"; });
    const bool isKnown = llvm::any_of(calibration.forms, [&](const CalibratedForm &form) { return form.opcode == to; });
    if (row == calibration.forms.end() || isKnown)
      return;
    CalibratedForm made = *row;
    made.opcode = to;
    made.shape = shape;
    made.latencies.clear();
    made.from.probe = std::string("as-") + from;
    calibration.forms.push_back(std::move(made));
  };
  for (const char *push : {"PUSH64r", "PUSH64i8", "PUSH64i32"})
    copy("MOV64mr", push, "");
  copy("MOV64rm", "POP64r", "");
  // push of memory: both.
  const auto find = [&](const char *opcode) {
    return llvm::find_if(calibration.forms, [&](const CalibratedForm &form) {
      return form.opcode == opcode && form.shape == "base" && form.slots;
    });
  };
  const auto load = find("MOV64rm"), store = find("MOV64mr");
  if (load == calibration.forms.end() || store == calibration.forms.end() ||
      find("PUSH64rmm") != calibration.forms.end())
    return;
  CalibratedForm both{.opcode = "PUSH64rmm", .shape = "base", .slots = *load->slots + *store->slots};
  both.from = {.probe = "as-MOV64rm-and-MOV64mr", .spread = store->from.spread, .passes = store->from.passes};
  both.uses = store->uses;
  for (const CalibratedForm::Use &use : load->uses) {
    const auto same = llvm::find_if(both.uses, [&](const auto &other) { return other.resource == use.resource; });
    if (same == both.uses.end())
      both.uses.push_back(use);
    else
      same->amount += use.amount;
  }
  calibration.forms.push_back(std::move(both));
}

} // namespace mca::measure
