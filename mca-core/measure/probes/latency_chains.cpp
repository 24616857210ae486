#include "mca-core/measure/probes/latency_chains.h"

#include "mca-core/measure/probes/probe_batch.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

namespace mca::measure {
namespace {

using llvm::MCInst;
using llvm::MCOperand;
using llvm::StringRef;

/// Registers that formPlacement() leaves to chains.
constexpr uint8_t kChainGeneral = 12, kOtherGeneral = 13, kChainVector = 11, kChainMask = 7;
constexpr uint8_t kDividendHigh = 2;
constexpr unsigned kCertainMoves = 4, kMovesBesideForwarding = 12;
constexpr int64_t kBelow = 2, kEqual = 4;
constexpr unsigned kRotating = 24;
constexpr size_t kMostPairs = 12;

MCOperand immediate(int64_t value) {
  return MCOperand::createImm(value);
}

/// The bridges' instructions.
class Bridge {
public:
  /// `isVex`: the form's own encoding. Legacy instructions are slow beside vectors of 256 bits.
  Bridge(const InstanceMaker &maker, const BridgeLatencies &latencies, bool isVex)
      : maker_(maker), latencies_(latencies), isVex_(isVex) {}

  void moveGeneral(uint8_t to, uint8_t from) {
    add("MOVSX64rr32",
        {general(to), MCOperand::createReg(maker_.registerFor(*maker_.opcodeOf("MOVSX64rr32"), 1, from))},
        latencies_.move);
  }
  void moveVector(uint8_t to, uint8_t from) {
    add(isVex_ ? "VPSHUFDri" : "PSHUFDri", {vector(to), vector(from), immediate(0xe4)}, latencies_.shuffle);
  }
  void toGeneral(uint8_t to, uint8_t from) {
    add(isVex_ ? "VMOVPQIto64rr" : "MOVPQIto64rr", {general(to), vector(from)}, latencies_.toGeneral);
  }
  void toVector(uint8_t to, uint8_t from) {
    add(isVex_ ? "VMOV64toPQIrr" : "MOV64toPQIrr", {vector(to), general(from)}, latencies_.toVector);
  }
  void toMask(uint8_t to, uint8_t from) { add("KMOVQkr", {mask(to), general(from)}, latencies_.toMask); }
  void fromMask(uint8_t to, uint8_t from) { add("KMOVQrk", {general(to), mask(from)}, latencies_.fromMask); }
  void select(uint8_t to, int64_t condition) {
    add("CMOV64rr", {general(to), general(to), general(formPlacement().index), immediate(condition)},
        latencies_.select);
  }
  void test(uint8_t from) { add("TEST64rr", {general(from), general(from)}, latencies_.test); }
  void clear(uint8_t reg) { add("AND64ri8", {general(reg), general(reg), immediate(0)}, latencies_.mask); }
  void setBits(uint8_t reg, uint8_t from) {
    add("OR64rr", {general(reg), general(reg), general(from)}, latencies_.mask);
  }

  std::vector<MCInst> insts;
  double cycles = 0;

private:
  MCOperand general(uint8_t number) const {
    return MCOperand::createReg(maker_.fullRegister(RegisterFamily::General, number));
  }
  MCOperand vector(uint8_t number) const {
    return MCOperand::createReg(maker_.fullRegister(RegisterFamily::Vector, number));
  }
  MCOperand mask(uint8_t number) const {
    return MCOperand::createReg(maker_.fullRegister(RegisterFamily::Mask, number));
  }
  void add(StringRef opcode, llvm::ArrayRef<MCOperand> operands, double latency) {
    insts.push_back(maker_.assemble(opcode, operands));
    cycles += latency;
  }

  const InstanceMaker &maker_;
  BridgeLatencies latencies_;
  bool isVex_;
};

using NumberedRegister = std::pair<RegisterFamily, uint8_t>;

bool isVector(const std::optional<NumberedRegister> &reg) {
  return reg && reg->first == RegisterFamily::Vector;
}

bool isMask(const std::optional<NumberedRegister> &reg) {
  return reg && reg->first == RegisterFamily::Mask;
}

/// The register of the family that formPlacement() leaves to chains.
uint8_t chainRegister(RegisterFamily family) {
  return family == RegisterFamily::General ? kChainGeneral : family == RegisterFamily::Mask ? kChainMask : kChainVector;
}

/// Builds the chains of one form.
class ChainBuilder {
public:
  ChainBuilder(const InstanceMaker &maker, const BridgeLatencies &bridges, unsigned opcode, const Variant &variant)
      : maker_(maker), bridges_(bridges), opcode_(opcode), variant_(variant),
        inst_(*maker.make(opcode, variant, formPlacement(), 0)), name_(maker.target().instructions().getName(opcode)),
        operands_(formOperandsOf(inst_, maker.target())) {}

  std::vector<LatencyChain> build() {
    for (const FormOperand &source : operands_.sources)
      for (const FormOperand &destination : operands_.destinations)
        if (chains_.size() < 2 * kMostPairs)
          addPair(source, destination);
    return std::move(chains_);
  }

private:
  Bridge newBridge() const { return {maker_, bridges_, name_.starts_with("V")}; }
  /// How many moves make a certain chain: longer together than the instruction occupies the machine. Executions that
  /// change one place in memory wait for each other.
  unsigned certainMoves() const {
    const llvm::MCInstrDesc &description = maker_.target().instructions().get(opcode_);
    return description.mayLoad() && description.mayStore() ? kMovesBesideForwarding : kCertainMoves;
  }

  void addPair(const FormOperand &source, const FormOperand &destination) {
    using Kind = FormOperand::Kind;
    if (source.kind == Kind::OldValue) {
      // The others do not read it: only copies with one destination tell.
      if (source.number == destination.number && !variant_.sameRegisters && !variant_.ownDestination)
        finish(source, destination, {inst_}, {}, 1, 0, false);
      return;
    }
    if (source.kind == Kind::Flags && destination.kind == Kind::Flags) {
      std::vector<MCInst> block;
      for (unsigned copy = 0; copy < kRotating; ++copy)
        block.push_back(*maker_.make(opcode_, variant_, aloneFormPlacement(), copy));
      finish(source, destination, std::move(block), {}, kRotating, 0, false);
      return;
    }
    if (variant_.sameRegisters || variant_.ownDestination)
      addOfSame(source, destination);
    else if (isDirect(source, destination))
      addDirect(source, destination);
    else
      addBridged(source, destination);
  }

  bool isTied(const FormOperand &source, const FormOperand &destination) const {
    return source.number < kFirstImplicit && destination.number < kFirstImplicit &&
           maker_.target().instructions().get(opcode_).getOperandConstraint(source.number, llvm::MCOI::TIED_TO) ==
               destination.number;
  }

  /// Whether the destination can be the source without a bridge.
  bool isDirect(const FormOperand &source, const FormOperand &destination) const {
    if (source.kind != FormOperand::Kind::Register || destination.kind != FormOperand::Kind::Register)
      return false;
    const auto from = maker_.numberOf(source.reg), to = maker_.numberOf(destination.reg);
    if (!from || !to || from->first != to->first)
      return false;
    return (source.number < kFirstImplicit && destination.number < kFirstImplicit) || *from == *to;
  }

  void addDirect(const FormOperand &source, const FormOperand &destination) {
    const auto from = maker_.numberOf(source.reg), to = maker_.numberOf(destination.reg);
    if (isTied(source, destination) || *from == *to) {
      finish(source, destination, {inst_}, {}, 1, 0, false);
    } else {
      // Two registers in turn: with one, it would be another form.
      MCInst there = inst_, back = inst_;
      const uint8_t other = chainRegister(to->first);
      if (!maker_.setRegister(there, source.number, other) || !maker_.setRegister(back, destination.number, other) ||
          !maker_.setRegister(back, source.number, to->second))
        return;
      finish(source, destination, {there, back}, {}, 2, 0, false);
    }
    if (!isMask(to))
      addCertain(source, destination, from->second, *to);
  }

  void addCertain(const FormOperand &source, const FormOperand &destination, uint8_t from, const NumberedRegister &to) {
    Bridge bridge = newBridge();
    const auto move = [&](uint8_t target, uint8_t origin) {
      to.first == RegisterFamily::General ? bridge.moveGeneral(target, origin) : bridge.moveVector(target, origin);
    };
    MCInst inst = inst_;
    uint8_t target = from;
    // A source that others share gets a register of its own.
    if (source.number < kFirstImplicit && !isTied(source, destination)) {
      target = chainRegister(to.first);
      if (!maker_.setRegister(inst, source.number, target))
        return;
    }
    move(target, to.second);
    for (unsigned i = 1; i < certainMoves(); ++i)
      move(target, target);
    finish(source, destination, {inst}, {}, 1, bridge, true);
  }

  void addOfSame(const FormOperand &source, const FormOperand &destination) {
    const auto to = maker_.numberOf(destination.reg);
    MCInst inst = inst_;
    if (source.kind != FormOperand::Kind::Register || source.number >= kFirstImplicit)
      return;
    if (destination.kind == FormOperand::Kind::Flags)
      return addBridged(source, destination);
    if (!to || destination.number >= kFirstImplicit)
      return;
    for (const FormOperand &each : operands_.sources)
      if (each.kind == FormOperand::Kind::Register && each.number < kFirstImplicit &&
          !maker_.setRegister(inst, each.number, to->second))
        return;
    finish(source, destination, {inst}, {}, 1, 0, false);
    if (isMask(to))
      return;
    Bridge bridge = newBridge();
    for (unsigned i = 0; i < certainMoves(); ++i)
      to->first == RegisterFamily::General ? bridge.moveGeneral(to->second, to->second)
                                           : bridge.moveVector(to->second, to->second);
    finish(source, destination, {inst}, {}, 1, bridge, true);
  }

  /// Carries the destination to a general register. False if nothing can.
  bool bridgeToGeneral(const FormOperand &destination, uint8_t to, Bridge &bridge) const {
    if (destination.kind == FormOperand::Kind::Flags) {
      // These write no carry.
      const bool keepsCarry = name_.starts_with("INC") || name_.starts_with("DEC") || name_.starts_with("BSF") ||
                              name_.starts_with("BSR") || name_.starts_with("CMPXCHG");
      bridge.select(to, keepsCarry ? kEqual : kBelow);
      return true;
    }
    const auto reg = maker_.numberOf(destination.reg);
    if (!reg)
      return false;
    if (isMask(reg))
      bridge.fromMask(to, reg->second);
    else
      isVector(reg) ? bridge.toGeneral(to, reg->second) : bridge.moveGeneral(to, reg->second);
    return true;
  }

  void addBridged(const FormOperand &source, const FormOperand &destination) {
    MCInst inst = inst_;
    Bridge bridge = newBridge();
    std::vector<MCInst> setup;
    if (source.kind == FormOperand::Kind::Address) {
      if (!bridgeToAddress(source, destination, inst, bridge, setup))
        return;
    } else if (source.kind == FormOperand::Kind::Flags) {
      if (!bridgeToGeneral(destination, kChainGeneral, bridge))
        return;
      for (unsigned i = kCertainMoves; i < certainMoves(); ++i)
        bridge.moveGeneral(kChainGeneral, kChainGeneral);
      bridge.test(kChainGeneral);
    } else if (!bridgeToRegister(source, destination, inst, bridge)) {
      return;
    }
    const llvm::MCInstrDesc &description = maker_.target().instructions().get(opcode_);
    if (source.kind == FormOperand::Kind::Address && description.mayLoad() && description.mayStore())
      return addThroughPlaces(source, destination, inst, std::move(setup), bridge);
    finish(source, destination, {inst}, std::move(setup), 1, bridge, true);
  }

  /// Executions that change memory, each in a place of its own: what one stores is in the cache before it is loaded
  /// again, which is faster than a load of what has just been stored.
  void addThroughPlaces(const FormOperand &source, const FormOperand &destination, const MCInst &inst,
                        std::vector<MCInst> setup, const Bridge &bridge) {
    constexpr unsigned kPlaces = 8, kPlaceBytes = 8, kDisplacement = 3;
    const std::optional<unsigned> address = maker_.addressOf(opcode_);
    if (!address)
      return;
    std::vector<MCInst> block;
    for (unsigned place = 0; place < kPlaces; ++place) {
      block.push_back(inst);
      block.back().getOperand(*address + kDisplacement).setImm(int64_t{place} * kPlaceBytes);
      llvm::append_range(block, bridge.insts);
    }
    finish(source, destination, std::move(block), std::move(setup), kPlaces, bridge.cycles, true);
  }

  bool bridgeToRegister(const FormOperand &source, const FormOperand &destination, MCInst &inst, Bridge &bridge) const {
    const auto from = maker_.numberOf(source.reg), to = maker_.numberOf(destination.reg);
    if (!from)
      return false;
    uint8_t target = from->second;
    const bool isShared = source.number < kFirstImplicit && !variant_.sameRegisters;
    if (isShared) {
      target = chainRegister(from->first);
      if (!maker_.setRegister(inst, source.number, target))
        return false;
    }
    if (isVector(from) && isVector(to)) {
      bridge.moveVector(target, to->second);
    } else if (isVector(from) || isMask(from)) {
      if (!bridgeToGeneral(destination, kOtherGeneral, bridge))
        return false;
      isVector(from) ? bridge.toVector(target, kOtherGeneral) : bridge.toMask(target, kOtherGeneral);
    } else {
      if (!bridgeToGeneral(destination, target, bridge))
        return false;
      for (unsigned i = 1; i < certainMoves(); ++i)
        bridge.moveGeneral(target, target);
      // A dividend with ones in its upper half overflows.
      if (target == kDividendHigh && StringRef(name_).contains("DIV"))
        bridge.clear(target);
    }
    return true;
  }

  /// The address keeps its value: the chain clears the register and adds the base.
  bool bridgeToAddress(const FormOperand &source, const FormOperand &destination, MCInst &inst, Bridge &bridge,
                       std::vector<MCInst> &setup) const {
    const uint8_t base = formPlacement().base;
    const auto number = maker_.numberOf(source.reg);
    if (!number || source.number >= kFirstImplicit || !maker_.setRegister(inst, source.number, kChainGeneral) ||
        !bridgeToGeneral(destination, kChainGeneral, bridge))
      return false;
    Bridge start = newBridge();
    start.clear(kChainGeneral);
    bridge.clear(kChainGeneral);
    if (number->second == base) {
      start.setBits(kChainGeneral, base);
      bridge.setBits(kChainGeneral, base);
    }
    setup = std::move(start.insts);
    return true;
  }

  void finish(const FormOperand &source, const FormOperand &destination, std::vector<MCInst> block,
              std::vector<MCInst> setup, double executions, double bridgeCycles, bool isCertain) {
    chains_.push_back({.source = source.number,
                       .destination = destination.number,
                       .probe = {.name = name_.str() + ": latency " + std::to_string(source.number) + " to " +
                                         std::to_string(destination.number),
                                 .setup = std::move(setup),
                                 .block = std::move(block)},
                       .executions = executions,
                       .bridgeCycles = bridgeCycles,
                       .isCertain = isCertain});
  }
  void finish(const FormOperand &source, const FormOperand &destination, std::vector<MCInst> block,
              std::vector<MCInst> setup, double executions, const Bridge &bridge, bool isCertain) {
    llvm::append_range(block, bridge.insts);
    finish(source, destination, std::move(block), std::move(setup), executions, bridge.cycles, isCertain);
  }

  const InstanceMaker &maker_;
  const BridgeLatencies &bridges_;
  const unsigned opcode_;
  const Variant variant_;
  const MCInst inst_;
  const StringRef name_;
  const FormOperands operands_;
  std::vector<LatencyChain> chains_;
};

} // namespace

BridgeLatencies measureBridges(const InstanceMaker &maker, ProbeTimer &timer) {
  BridgeLatencies latencies;
  ProbeBatch batch;
  const auto add = [&](const char *name, const auto &fill) {
    Bridge bridge(maker, latencies, false);
    fill(bridge);
    return batch.add({.name = name, .setup = {}, .block = std::move(bridge.insts)});
  };
  constexpr uint8_t reg = kChainGeneral, vector = kChainVector;
  const size_t move = add("bridge: move", [](Bridge &bridge) { bridge.moveGeneral(reg, reg); });
  const size_t shuffle = add("bridge: shuffle", [](Bridge &bridge) { bridge.moveVector(vector, vector); });
  const size_t mask = add("bridge: mask", [](Bridge &bridge) { bridge.clear(reg); });
  const size_t round = add("bridge: to vector and back", [](Bridge &bridge) {
    bridge.toVector(vector, reg);
    bridge.toGeneral(reg, vector);
  });
  std::optional<size_t> maskRound;
  if (maker.fullRegister(RegisterFamily::Mask, kChainMask).isValid())
    maskRound = add("bridge: to mask and back", [](Bridge &bridge) {
      bridge.toMask(kChainMask, reg);
      bridge.fromMask(reg, kChainMask);
    });
  const size_t select = add("bridge: select", [](Bridge &bridge) { bridge.select(reg, kBelow); });
  const size_t both = add("bridge: test and select", [](Bridge &bridge) {
    bridge.test(reg);
    bridge.select(reg, kBelow);
  });
  batch.run(timer);
  const auto set = [&](double &latency, size_t probe) { latency = std::round(batch.cycles(probe).value_or(latency)); };
  set(latencies.move, move);
  set(latencies.shuffle, shuffle);
  set(latencies.mask, mask);
  set(latencies.select, select);
  const double total = std::round(batch.cycles(round).value_or(latencies.toVector + latencies.toGeneral));
  latencies.toVector = std::floor(total / 2);
  latencies.toGeneral = total - latencies.toVector;
  if (maskRound) {
    const double ofMasks = std::round(batch.cycles(*maskRound).value_or(latencies.toMask + latencies.fromMask));
    latencies.toMask = std::floor(ofMasks / 2);
    latencies.fromMask = ofMasks - latencies.toMask;
  }
  latencies.test = std::round(batch.cycles(both).value_or(latencies.select + latencies.test)) - latencies.select;
  return latencies;
}

std::vector<LatencyChain> latencyChainsOf(const InstanceMaker &maker, const BridgeLatencies &bridges, unsigned opcode,
                                          const Variant &variant) {
  return ChainBuilder(maker, bridges, opcode, variant).build();
}

} // namespace mca::measure
