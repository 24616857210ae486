// The sentences of each kind of verdict. They name numbers that the hint shows, so that a reader finds them again.
#include "lsp/wording/verdict_text.h"

#include "analysis/text/instruction_text.h"
#include "analysis/wire/finding_codes.h"
#include "lsp/wording/resource_names.h"

#include <algorithm>
#include <array>

namespace lsp::wording {
namespace {

using wire::ChainLink;
using wire::ResourceUse;
using wire::Verdict;
using wire::WaitKind;
namespace codes = wire::codes;

constexpr double kNoticeable = 0.1; // of the unit that an instruction uses most
constexpr size_t kNamedUnits = 3;
constexpr size_t kNamedRegisters = 3;

/// "4.0 of 4.1 cycles per iteration", "14.0 of 14.1 cycles per 2 iterations (7.04 each)"; the last number is the
/// hint's. A unit may be held beyond the last cycle of the simulation: at most all cycles are shown as busy.
std::string cyclesOf(const Verdict &verdict, uint32_t sourceIterations) {
  return decimals(std::min(verdict.busy, verdict.cycles), 1) + " of " + decimals(verdict.cycles, 1) + " cycles " +
         perIterations(sourceIterations) +
         (sourceIterations > 1 ? " (" + decimals(verdict.cycles / sourceIterations, 2) + " each)" : "");
}

// ---- resources -----------------------------------------------------------------------------------------------------

/// Names of busy units.
struct UnitNames {
  std::vector<std::string> words; ///< in a sentence: "both units of ALU"
  std::vector<std::string> plain; ///< as in the model: "ALU"
};

/// If all units of a resource are busy, the resource's name stands for them.
UnitNames namesOf(const std::vector<Verdict::Unit> &units) {
  UnitNames names;
  const auto add = [&](const std::string &before, const std::string &name) {
    names.words.push_back(before + name);
    names.plain.push_back(name);
  };
  for (auto first = units.begin(); first != units.end(); ++first) {
    const auto &[resource, number, all] = *first;
    if (std::ranges::find(units, resource, &Verdict::Unit::resource) != first)
      continue; // named with an earlier unit of the resource
    if (all > 1 && std::ranges::count(units, resource, &Verdict::Unit::resource) == all)
      add((all == 2 ? "both" : "all " + std::to_string(all)) + " units of ", resource);
    else
      for (const Verdict::Unit &unit : units)
        if (unit.resource == resource)
          add("", analysis::unitName(resource, unit.number, all));
  }
  return names;
}

/// "4 vpshufd", "1 divss and 1 other", "6 instructions".
std::string usersInWords(const Verdict &verdict) {
  if (verdict.mnemonic.empty())
    return counted(verdict.users, "instruction");
  const uint32_t others = verdict.users - verdict.usersOfMnemonic;
  return std::to_string(verdict.usersOfMnemonic) + " " + verdict.mnemonic +
         (others ? " and " + counted(others, "other") : "");
}

/// "A for 0.50 and B for 0.25 cycles": how long an instruction holds the busy units, the longest first, without those
/// that it hardly uses.
std::string usesInWords(const std::vector<ResourceUse> &all) {
  if (all.empty())
    return {};
  const double most = std::ranges::max(all, {}, &ResourceUse::perIteration).perIteration;
  std::vector<ResourceUse> uses;
  std::ranges::copy_if(all, std::back_inserter(uses),
                       [&](const ResourceUse &use) { return use.perIteration >= kNoticeable * most; });
  std::ranges::stable_sort(uses, std::greater(), &ResourceUse::perIteration);
  std::vector<std::string> named;
  for (const ResourceUse &use : uses)
    if (named.size() < kNamedUnits)
      named.push_back(use.name + " for " + decimals(use.perIteration, 2));
  const size_t more = uses.size() - named.size();
  return listOf(named, named.size()) + " cycles" + (more ? ", and " + counted(more, "more unit") : "");
}

// ---- chains --------------------------------------------------------------------------------------------------------

/// The registers that carry the chain from an iteration to a later one, and memory.
std::vector<std::string> carriersOf(const std::vector<ChainLink> &chain) {
  std::vector<std::string> names;
  for (const ChainLink &link : chain)
    if (const std::string name = registerInWords(link.reg);
        link.iterations && std::ranges::find(names, name) == names.end())
      names.push_back(name);
  return names;
}

/// "for the next iteration", "8 iterations later"; iterations of the source loop if it is known how many the code does
/// at once. `iterations` are the machine code's.
std::string laterInWords(uint32_t iterations, uint32_t sourceIterations) {
  const uint32_t several = std::max(sourceIterations, 1u);
  if (iterations > 1)
    return std::to_string(iterations * several) + " iterations later";
  return several > 1 ? "for the next " + std::to_string(several) + " iterations" : "for the next iteration";
}

std::string linkInWords(const ChainLink &link, uint32_t sourceIterations) {
  return registerInWords(link.reg) + " after " + counted(link.cycles, "cycle") +
         (link.iterations == 0 ? "" : ", " + laterInWords(link.iterations, sourceIterations));
}

std::string chainOf(const Verdict &verdict, const std::string &cycles) {
  return "limited by a loop-carried chain through " + listOf(carriersOf(verdict.chain), kNamedRegisters) + ": " +
         cycles;
}

std::string linkRole(const Verdict::Witness &witness, const Verdict &verdict, uint32_t sourceIterations) {
  const auto link = std::ranges::find(verdict.chain, witness.instruction, &ChainLink::instruction);
  if (link == verdict.chain.end())
    return {};
  const size_t more = verdict.chain.size() - std::min(verdict.chain.size(), verdict.witnesses.size());
  const bool isLast = &witness == &verdict.witnesses.back();
  return linkInWords(*link, sourceIterations) + (isLast && more ? ", and " + std::to_string(more) + " more" : "");
}

// ---- stalls --------------------------------------------------------------------------------------------------------

/// What an in-order CPU's next instruction waits for most.
struct StallWords {
  const char *limit; ///< in a hint
  const char *words; ///< in a sentence
};

StallWords stallWords(WaitKind kind) {
  switch (kind) {
  case WaitKind::Register:
    return {"dep", "register dependencies"};
  case WaitKind::Resource:
    return {"", "busy units"}; // the hint names the unit
  case WaitKind::Memory:
    return {"mem", "memory order"};
  case WaitKind::WriteBack:
    return {"order", "the order in which results are written"};
  default:
    return {"rule", "rules of the target"};
  }
}

std::string stallLimit(const wire::Wait &wait) {
  return wait.kind == WaitKind::Resource ? shortResourceName(wait.what.substr(0, wait.what.find(", ")))
                                         : stallWords(wait.kind).limit;
}

// ---- buffers -------------------------------------------------------------------------------------------------------

/// The buffer that an instruction waits for room in, before dispatch.
struct BufferWords {
  const char *limit; ///< in a hint
  const char *words; ///< in a sentence
};

BufferWords bufferWords(WaitKind kind) {
  switch (kind) {
  case WaitKind::RegisterFile:
    return {"regs", "the physical registers"};
  case WaitKind::RetireTokens:
    return {"ROB", "the reorder buffer"};
  case WaitKind::LoadQueue:
    return {"loads", "the load queue"};
  case WaitKind::StoreQueue:
    return {"stores", "the store queue"};
  default:
    return {"sched", "the scheduler's buffers"};
  }
}

/// What is the same for all verdicts of a kind.
struct KindWords {
  const char *code;  ///< of the finding
  const char *limit; ///< in a hint; empty if it depends on the verdict
};
/// By Verdict::Kind.
constexpr std::array<KindWords, static_cast<size_t>(Verdict::Kind::Buffer) + 1> kKinds{
    {{"", ""},
     {codes::kResourceBottleneck, ""},
     {codes::kDispatchLimit, "dispatch"},
     {codes::kDispatchLimit, "dispatch"},
     {codes::kRegisterDependency, "dep"},
     {codes::kMemoryDependency, "mem"},
     {codes::kInOrderStall, ""},
     {codes::kBufferLimit, ""}}};

/// The limit in a word, or the largest one.
std::string wordOf(const Verdict &verdict) {
  if (verdict.kind == Verdict::Kind::Resource)
    return shortResourceNames(namesOf(verdict.units).plain);
  if (verdict.kind == Verdict::Kind::Stall)
    return stallLimit(verdict.witnesses.front().wait);
  if (verdict.kind == Verdict::Kind::Buffer)
    return bufferWords(verdict.witnesses.front().wait.kind).limit;
  return kKinds[static_cast<size_t>(verdict.kind)].limit;
}

std::string microOpsOf(const Verdict &verdict) {
  return decimals(verdict.microOps, 1) + (verdict.isCalibrated ? " slots" : " micro-ops");
}

/// "8.0 micro-ops, at most 3 per cycle, take 2.7 of 3.0 cycles per iteration". If that is more than the width allows,
/// micro-ops that go together leave slots empty.
std::string dispatchInWords(const Verdict &verdict, const std::string &cycles) {
  constexpr double kVisible = 0.05;                                          // cycles
  const bool leavesSlots = !verdict.isCalibrated && verdict.dispatchWidth && // a calibration's width was rounded

                           verdict.busy > verdict.microOps / verdict.dispatchWidth + kVisible;
  return microOpsOf(verdict) + ", at most " + std::to_string(verdict.dispatchWidth) + " per cycle" +
         (leavesSlots ? " and some only together" : "") + ", take " + cycles;
}

std::string longestWait(const Verdict &verdict, const char *verb) {
  const Verdict::Witness &witness = verdict.witnesses.front();
  return analysis::mnemonicOf(witness.text) + verb + phraseOf(witness.wait);
}

std::string usesOf(const Verdict &verdict, const std::string &units, const std::string &cycles) {
  return usersInWords(verdict) + (verdict.users == 1 ? " keeps " : " keep ") + units + " busy in " + cycles;
}

std::string roomInWords(const Verdict &verdict, const std::string &cycles) {
  return "dispatch waits for room in " + cycles + "; " + decimals(verdict.roomyCycles, 1) + " with larger buffers";
}

/// "no single limit, largest: p5 62 %: 4 vpshufd keep SKLPort5 busy in 2.5 of 4.0 cycles per iteration".
std::string largestInWords(const Verdict &verdict, const std::string &cycles) {
  const std::string largest =
      "no single limit, largest: " + wordOf(verdict) + " " + percent(verdict.busy / verdict.cycles) + ": ";
  switch (verdict.kind) {
  case Verdict::Kind::Resource:
    return largest + usesOf(verdict, listOf(namesOf(verdict.units).words, kNamedUnits), cycles);
  case Verdict::Kind::Dispatch:
    return largest + dispatchInWords(verdict, cycles);
  case Verdict::Kind::IssueWidth:
    return largest + "nothing waits in " + cycles;
  case Verdict::Kind::Registers:
  case Verdict::Kind::Memory:
    return largest + "a loop-carried chain through " + listOf(carriersOf(verdict.chain), kNamedRegisters) + " takes " +
           cycles;
  case Verdict::Kind::Stall:
    return largest + "instructions wait for " + stallWords(verdict.witnesses.front().wait.kind).words + " in " +
           cycles + ", longest " + longestWait(verdict, " ");
  case Verdict::Kind::Buffer:
    return largest + roomInWords(verdict, cycles);
  default:
    return "";
  }
}

} // namespace

std::string limitOf(const Verdict &verdict) {
  return verdict.isLargest ? "" : wordOf(verdict);
}

std::string sentenceOf(const Verdict &verdict, uint32_t sourceIterations) {
  const std::string cycles = cyclesOf(verdict, sourceIterations);
  if (verdict.isLargest)
    return largestInWords(verdict, cycles);
  switch (verdict.kind) {
  case Verdict::Kind::None:
    return "";
  case Verdict::Kind::Resource:
    return "limited by " + listOf(namesOf(verdict.units).words, kNamedUnits) + ": " +
           usesOf(verdict, verdict.units.size() == 1 ? "it" : "them", cycles);
  case Verdict::Kind::Dispatch:
    return "limited by dispatch: " + dispatchInWords(verdict, cycles);
  case Verdict::Kind::IssueWidth:
    return "limited by the issue width: nothing waits in " + cycles + ", " + microOpsOf(verdict) + " at " +
           std::to_string(verdict.dispatchWidth) + " per cycle";
  case Verdict::Kind::Registers:
    return chainOf(verdict, cycles);
  case Verdict::Kind::Memory:
    if (!verdict.chain.empty())
      return chainOf(verdict, cycles);
    return "limited by memory order: " + longestWait(verdict, " waits ") + " in " + cycles;
  case Verdict::Kind::Stall:
    return std::string("limited by ") + stallWords(verdict.witnesses.front().wait.kind).words +
           ": instructions wait in " + cycles + ", longest " + longestWait(verdict, " ");
  case Verdict::Kind::Buffer:
    return std::string("limited by the size of ") + bufferWords(verdict.witnesses.front().wait.kind).words + ": " +
           roomInWords(verdict, cycles);
  }
  return "";
}

std::string bottleneckOf(const AnalysedRegion &region) {
  if (region.simulation->verdict.isLargest && isLowerBound(region.region))
    return "";
  std::string sentence = sentenceOf(region.simulation->verdict, region.region.sourceIterations);
  if (sentence.empty() || !isLowerBound(region.region))
    return sentence;
  return (region.region.calls.empty() ? "apart from what is left out, " : "apart from what it calls, ") + sentence;
}

const char *codeOf(Verdict::Kind kind) {
  return kKinds[static_cast<size_t>(kind)].code;
}

std::string roleOf(const Verdict::Witness &witness, const Verdict &verdict, uint32_t sourceIterations) {
  switch (verdict.kind) {
  case Verdict::Kind::Resource:
    return usesInWords(witness.uses);
  case Verdict::Kind::Registers:
    return linkRole(witness, verdict, sourceIterations);
  case Verdict::Kind::Memory:
    if (!verdict.chain.empty())
      return linkRole(witness, verdict, sourceIterations);
    return &witness == &verdict.witnesses.front() ? "waits for memory order" : "must come first";
  case Verdict::Kind::Stall:
  case Verdict::Kind::Buffer:
    return "waits " + decimals(witness.wait.cycles, 1) + " cycles " + phraseOf(witness.wait);
  default:
    return "";
  }
}

} // namespace lsp::wording
