// Probes of fetch, branches, renaming, fusion, the stack engine, flags and short loops.
#include "mca-core/measure/probes/structural_probe_set.h"
#include "mca-core/trace/counter.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mca::measure {
namespace {

using llvm::MCInst;
using llvm::MCOperand;

constexpr int64_t kBelow = 2, kEqual = 4, kSign = 8; ///< conditions of jumps

class FrontEndProbes : public StructuralProbes {
public:
  using StructuralProbes::StructuralProbes;

  void measure() {
    measureLimits();
    measurePredictor();
    measureOverride();
    measureMacroFusion();
    measureMoveFusion();
    measureStackEngine();
    measureCarry();
    measureSmallLoops();
  }

private:
  void measureLimits();
  void measurePredictor();
  void measureOverride();
  void measureMacroFusion();
  void measureMoveFusion();
  void measureStackEngine();
  void measureCarry();
  void measureSmallLoops();
};

void FrontEndProbes::measureLimits() {
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
}

/// Loops with a branch by one bit of a linear congruential generator modulo 2^64. Bit b repeats after 2^(b + 1) numbers
/// and looks random before; a high one does not repeat within a run. The same loop with a constant in place of the bit
/// takes the time without mispredictions.
void FrontEndProbes::measurePredictor() {
  constexpr uint32_t kShortest = 6, kLongest = 16; // binary logarithms of periods
  constexpr int64_t kFactor = 0x5851f42d, kIncrement = 0x14057b7f, kHighBit = 45;
  constexpr double kLearnt = .1; // of the time that random outcomes cost
  const auto addLoop = [&](const char *name, uint8_t tested, int64_t bit, uint32_t logarithm) {
    return add(name,
               {make("IMUL64rri32", {general(kValue), general(kValue), immediate(kFactor)}),
                make("ADD64ri32", {general(kValue), general(kValue), immediate(kIncrement)}),
                make("BT64ri8", {general(tested), immediate(bit)}), jump(kBelow)},
               {}, true, 1u << logarithm);
  };
  const size_t guessed = addLoop("mispredicted branch", kValue, kHighBit, kLongest),
               known = addLoop("predicted branch", kZero, kHighBit, kLongest);
  std::vector<size_t> periodic;
  for (uint32_t logarithm = kShortest; logarithm < kLongest; ++logarithm)
    periodic.push_back(addLoop("periodic branch", kValue, logarithm - 1, logarithm));
  run();
  const auto slow = cycles(guessed), fast = cycles(known);
  if (!slow || !fast || *slow <= *fast + 1)
    return;
  // Every second one is mispredicted. The next multiplication would start with the value; now it starts after the bit
  // test, the branch, the redirect and a cycle from renaming to execution.
  constexpr double kBeside = 3;
  fact("redirect-penalty", std::round(2 * (*slow - *fast) - kBeside), "mispredicted branch", guessed);
  size_t learnt = 0;
  while (learnt < periodic.size()) {
    const auto time = cycles(periodic[learnt]);
    if (!time || *time - *fast > kLearnt * (*slow - *fast))
      break;
    ++learnt;
  }
  if (learnt)
    fact("learnt-period", double(1u << (kShortest + learnt - 1)), "periodic branch", periodic[learnt - 1]);
}

/// Loops with a branch by the bits of a number, one after the other: of one that looks random and is soon learnt, and
/// of one without changes.
void FrontEndProbes::measureOverride() {
  constexpr uint64_t kChanging = 0x5851'f42d'4c95'7f2d;
  const auto addLoop = [&](const char *name, uint64_t bits) {
    const MCOperand value = general(kValue);
    return add(name, {make("ROL64ri", {value, value, immediate(1)}), jump(kBelow)},
               {make("MOV64ri", {value, immediate(static_cast<int64_t>(bits))})}, true);
  };
  const size_t changing = addLoop("changing branch", kChanging), taken = addLoop("taken branch", ~uint64_t{0}),
               notTaken = addLoop("branch that is not taken", 0);
  run();
  const auto slow = cycles(changing), one = cycles(taken), other = cycles(notTaken);
  if (!slow || !one || !other)
    return;
  // In each iteration the closing branch pays, and the one by the bit if it is taken, or if a two-bit counter that has
  // seen the number before is wrong.
  constexpr int kBits = 64;
  Counter<2> counter;
  int paying = kBits;
  for (int i = 0; i < 2 * kBits; ++i) {
    const bool isSet = kChanging >> (kBits - 1 - i % kBits) & 1;
    paying += i >= kBits && (isSet || isSet != counter.yes());
    counter.count(isSet);
  }
  const double penalty = std::round((*slow - std::max(*one, *other)) * kBits / paying);
  if (penalty >= 1)
    fact("override-penalty", penalty, "changing branch", changing);
}

void FrontEndProbes::measureMacroFusion() {
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

void FrontEndProbes::measureMoveFusion() {
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

void FrontEndProbes::measureStackEngine() {
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
void FrontEndProbes::measureCarry() {
  const size_t probe = add("carry", {make("ADC64rr", {general(kSecond), general(kSecond), general(kZero)}),
                                     make("IMUL64rri8", {general(kValue), general(kSecond), immediate(3)}),
                                     make("TEST64rr", {general(kZero), general(kZero)}),
                                     make("DEC64r", {general(kValue), general(kValue)})});
  run();
  constexpr double kMultiplication = 3;
  if (const auto time = cycles(probe); time && *time < kMultiplication)
    rule("separate-carry", {}, "carry", probe);
}

/// Loops of 1 to 24 nops and a fused decrement and branch. Of the descriptions of what they cost, the one counts whose
/// error is the least.
void FrontEndProbes::measureSmallLoops() {
  constexpr size_t kLongest = 24, kNopBytes = 4, kDecrementBytes = 3, kLine = 64;
  const MCInst shortNop = make("NOOPL", address(kBase, 8));
  std::vector<size_t> probes;
  for (size_t length = 1; length <= kLongest; ++length)
    probes.push_back(add("small loop", Insts(length, shortNop), {}, true));
  run();
  if (!cycles(probes.front()))
    return;
  const double least = std::max(1.0, std::round(*cycles(probes.front())));
  // As CalibratedBodyBuilder counts them.
  const auto fetchCycles = [&](size_t length, size_t atOnce, size_t furtherCycles) {
    const size_t end = length * kNopBytes + kDecrementBytes; // the first byte of the branch
    const size_t lastLine = (end + 1) / kLine;
    size_t sum = 0;
    for (size_t line = 0; line <= lastLine; ++line) {
      const size_t perLine = kLine / kNopBytes;
      const size_t ofLine = std::min(perLine, length - std::min(length, line * perLine)) + (line == lastLine);
      sum += ofLine ? 1 + (ofLine - 1) / atOnce * furtherCycles : 0;
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
  for (const size_t further : {1, 2, 3})
    for (size_t atOnce = 4; atOnce <= 16; ++atOnce)
      consider({{"fetch-ops", double(atOnce)}, {"further-cycles", double(further)}},
               [&](size_t length) { return std::max(slotCycles(length), fetchCycles(length, atOnce, further)); });
  best["least-cycles"] = least;
  rule("small-loops", best, "small loop", probes.front());
}

} // namespace

void measureFrontEnd(const InstanceMaker &maker, ProbeTimer &timer, double slotsPerCycle, Calibration &calibration) {
  FrontEndProbes(maker, timer, slotsPerCycle, calibration).measure();
}

} // namespace mca::measure
