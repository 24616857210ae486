#include "mca-core/measure/probes/blockers.h"

#include "mca-core/measure/probes/probe_batch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCInstrInfo.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace mca::measure {
namespace {

using llvm::MCInst;

struct Candidate {
  const char *resource;
  std::vector<const char *> opcodes; ///< one after the other
};

/// Wide resources first: a later candidate is left out if an earlier one explains its rate. Names of resources that
/// belong to the load or the store part of an instruction begin with `load` or `store`.
const Candidate kCandidates[] = {
    {"alu", {"MOV32ri"}},
    {"alu", {"ADD64ri8"}},
    {"vector-logic", {"VPANDrr"}},
    {"vector-add", {"VPADDDrr"}},
    {"load", {"MOV64rm"}},
    {"load-vector", {"VMOVAPSrm"}},
    {"load-wide", {"VMOVAPSYrm"}},
    {"store", {"MOV64mr"}},
    {"store-vector", {"VMOVAPSmr"}},
    {"store-wide", {"VMOVAPSYmr"}},
    {"load-store", {"MOV64rm", "MOV64rm", "MOV64mr"}},
    {"branch", {"JCC_1"}},
    {"shift", {"SHL64ri"}},
    {"bit-scan", {"POPCNT64rr"}},
    {"condition", {"CMOV64rr"}},
    {"set", {"SETCCr"}},
    {"bit-test", {"BT64ri8"}},
    {"zero-count", {"TZCNT64rr"}},
    {"multiply", {"IMUL64rri8"}},
    {"bit-field", {"BEXTR64rr"}},
    {"swap", {"BSWAP64r"}},
    {"address", {"LEA64r"}},
    {"float-multiply", {"VMULPSrr"}},
    {"float-add", {"VADDPSrr"}},
    {"shuffle", {"VPSHUFDrr"}},
    {"shuffle", {"VPSHUFDri"}},
    {"vector-shift", {"VPSLLDri"}},
    {"vector-multiply", {"VPMULUDQrr"}},
    {"vector-bytes", {"VPSHUFBrr"}},
    {"blend", {"VPBLENDVBrrr"}},
    {"convert", {"VCVTDQ2PSrr"}},
    {"float-convert", {"VCVTPS2PDrr"}},
    {"float-compare", {"VMINPSrr"}},
    {"wide-multiply", {"VPMULLDrr"}},
    {"absolute-differences", {"VPSADBWrr"}},
    {"encryption", {"VAESENCrr"}},
    {"carryless-multiply", {"VPCLMULQDQrri"}},
    {"lanes", {"VPERMDYrr"}},
    {"vector-to-general", {"VMOVPDI2DIrr"}},
    {"vector-signs", {"VPMOVMSKBrr"}},
    {"general-to-vector", {"VMOVDI2PDIrr"}},
    {"float-divide", {"VDIVPSrr"}},
    {"float-root", {"VSQRTPSrr"}},
    {"bit-deposit", {"PDEP64rr"}},
    {"checksum", {"CRC32r64r64"}},
};

constexpr size_t kInstances = 60;          ///< of a candidate in a probe; a multiple of the registers of a placement
constexpr double kSame = .07;              ///< relative difference of rates that are one
constexpr double kFrontEndShare = .8;      ///< how full nops make the front end: no core fills it wholly with every mix
constexpr double kCapacityTolerance = .08; ///< units per cycle, from a quarter
constexpr double kUsageTolerance = .1;
/// What takes no longer than so many times its longest chain may be limited by that.
constexpr double kChainMargin = 1.2;

struct Tried {
  Blocker blocker;
  double rate = 0; ///< instructions per cycle
};

std::vector<MCInst> instancesOf(const InstanceMaker &maker, const Candidate &candidate) {
  std::vector<MCInst> insts;
  for (unsigned copy = 0; insts.size() < kInstances; ++copy)
    for (const char *name : candidate.opcodes) {
      const std::optional<unsigned> opcode = maker.opcodeOf(name);
      const std::optional<MCInst> inst =
          opcode ? maker.make(*opcode, {}, blockerPlacement(), copy) : std::optional<MCInst>();
      if (!inst)
        return {};
      insts.push_back(*inst);
    }
  return insts;
}

/// Executions of the instructions that wait for each other, as they read the register that they write: at most. A core
/// may have more units than blockers have registers.
size_t longestChain(const InstanceMaker &maker, const std::vector<MCInst> &insts) {
  const llvm::MCInstrInfo &descriptions = maker.target().instructions();
  std::map<unsigned, size_t> executions;
  for (const MCInst &inst : insts) {
    const llvm::MCInstrDesc &description = descriptions.get(inst.getOpcode());
    const auto isTied = [&](unsigned operand) {
      return description.getOperandConstraint(operand, llvm::MCOI::TIED_TO) >= 0;
    };
    // A byte is written into a register whose other bytes stay.
    const int registers = descriptions.getOpRegClassID(description.operands()[0], 0);
    const bool isByte = registers >= 0 && maker.target().registers().getRegClass(registers).getSizeInBits() == 8;
    if (isByte || llvm::any_of(llvm::seq(0u, description.getNumOperands()), isTied))
      ++executions[inst.getOperand(0).getReg().id()];
  }
  size_t longest = 0;
  for (const auto &[reg, count] : executions)
    longest = std::max(longest, count);
  return longest;
}

/// The candidates that run below the front end's rate, alone as well as beside nops.
std::vector<Tried> validCandidates(const InstanceMaker &maker, ProbeTimer &timer, double slotsPerCycle) {
  struct Running {
    const Candidate *candidate;
    std::vector<MCInst> insts;
    size_t alone, withNops = 0;
  };
  ProbeBatch batch;
  std::vector<Running> running;
  for (const Candidate &candidate : kCandidates)
    if (std::vector<MCInst> insts = instancesOf(maker, candidate); !insts.empty()) {
      const size_t alone =
          batch.add({.name = std::string(candidate.resource) + ": alone", .setup = {}, .block = insts});
      running.push_back({&candidate, std::move(insts), alone});
    }
  batch.run(timer);
  llvm::erase_if(running, [&](Running &each) {
    const std::optional<double> cycles = batch.cycles(each.alone);
    const double room = cycles ? *cycles * slotsPerCycle * kFrontEndShare - double(each.insts.size()) : 0;
    if (room < 1 || *cycles < kChainMargin * double(longestChain(maker, each.insts)))
      return true;
    std::vector<MCInst> block = each.insts;
    block.insert(block.end(), static_cast<size_t>(room), maker.nop());
    // Spread over the block: a run of nops would let the blocker's queue run empty.
    std::vector<MCInst> spread;
    const size_t nops = static_cast<size_t>(room);
    for (size_t i = 0, given = 0; i < each.insts.size(); ++i) {
      spread.push_back(each.insts[i]);
      for (; given < (i + 1) * nops / each.insts.size(); ++given)
        spread.push_back(block.back());
    }
    each.withNops =
        batch.add({.name = std::string(each.candidate->resource) + ": with nops", .setup = {}, .block = spread});
    return false;
  });
  batch.run(timer);
  std::vector<Tried> valid;
  for (Running &each : running) {
    const std::optional<Timing> alone = batch.timing(each.alone);
    const std::optional<double> withNops = batch.cycles(each.withNops);
    if (!withNops || *withNops > alone->cycles * (1 + kSame))
      continue;
    const double rate = double(each.insts.size()) / alone->cycles;
    valid.push_back({.blocker = {.resource = {.name = each.candidate->resource,
                                              .capacity = snapToQuarter(rate, kCapacityTolerance),
                                              .from = {.probe = "blocker-" + std::string(each.candidate->opcodes[0]),
                                                       .spread = alone->spread,
                                                       .passes = alone->passes}},
                                 .insts = std::move(each.insts)},
                     .rate = rate});
  }
  return valid;
}

/// What an instruction of `guest` takes of `host`'s resource, from a mix that would take as long without the guest.
struct Mix {
  size_t host, guest, probe;
  size_t hosts = 0, guests = 0;
};

} // namespace

double snapToQuarter(double value, double tolerance) {
  const double quarter = std::round(value * 4) / 4;
  return std::abs(value - quarter) <= tolerance ? quarter : value;
}

std::vector<MCInst> repeat(const Blocker &blocker, size_t count) {
  std::vector<MCInst> insts;
  for (size_t i = 0; i < count; ++i)
    insts.push_back(blocker.insts[i % blocker.insts.size()]);
  return insts;
}

std::vector<Blocker> findBlockers(const InstanceMaker &maker, ProbeTimer &timer, double slotsPerCycle) {
  std::vector<Tried> tried = validCandidates(maker, timer, slotsPerCycle);
  ProbeBatch batch;
  std::vector<Mix> mixes;
  const Placement guestPlacement = formPlacement();
  for (size_t guest = 0; guest < tried.size(); ++guest)
    for (size_t host = 0; host < guest; ++host) {
      // Half of the host's rate would be left if the guest needed nothing of the resource.
      Mix mix{.host = host, .guest = guest, .probe = 0, .hosts = kInstances, .guests = 0};
      mix.guests = std::max<size_t>(1, static_cast<size_t>(kInstances / tried[host].rate * tried[guest].rate / 2));
      std::vector<MCInst> block;
      const std::vector<MCInst> &guests = tried[guest].blocker.insts;
      for (size_t i = 0, given = 0; i < mix.hosts; ++i) {
        block.push_back(tried[host].blocker.insts[i % tried[host].blocker.insts.size()]);
        for (; given < (i + 1) * mix.guests / mix.hosts; ++given)
          block.push_back(
              *maker.make(guests[given % guests.size()].getOpcode(), {}, guestPlacement, static_cast<unsigned>(given)));
      }
      mix.probe =
          batch.add({.name = tried[guest].blocker.resource.name + " beside " + tried[host].blocker.resource.name,
                     .setup = {},
                     .block = std::move(block)});
      mixes.push_back(mix);
    }
  batch.run(timer);
  std::vector<bool> isKept(tried.size(), true);
  for (size_t guest = 0; guest < tried.size(); ++guest)
    for (const Mix &mix : mixes) {
      if (mix.guest != guest || !isKept[mix.host])
        continue;
      const std::optional<double> cycles = batch.cycles(mix.probe);
      const double alone = double(mix.hosts) / tried[mix.host].rate;
      const double usage = cycles ? (*cycles - alone) * tried[mix.host].rate / double(mix.guests) : 0;
      // At the guest's own rate it would take all of the host's resource.
      if (usage * tried[guest].rate >= tried[mix.host].rate * (1 - kUsageTolerance))
        isKept[guest] = false;
    }
  std::vector<Blocker> kept;
  for (size_t i = 0; i < tried.size(); ++i)
    if (isKept[i] && llvm::none_of(kept, [&](const Blocker &earlier) {
          return earlier.resource.name == tried[i].blocker.resource.name;
        }))
      kept.push_back(std::move(tried[i].blocker));
  return kept;
}

} // namespace mca::measure
