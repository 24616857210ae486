// The sentences of each kind of verdict.
#include "lsp/wording/verdict_text.h"

#include "analysis/common/counts.h"
#include "analysis/common/instruction_text.h"
#include "analysis/wire/finding_codes.h"
#include "lsp/wording/resource_names.h"
#include "lsp/wording/words.h"

#include <algorithm>
#include <map>

namespace lsp::wording {
namespace {

using analysis::counted;
using analysis::decimals;
using analysis::listOf;
using analysis::wire::ChainLink;
using analysis::wire::ResourceUse;
using analysis::wire::Verdict;
using analysis::wire::Wait;
using analysis::wire::WaitKind;

constexpr double kNoticeable = 0.1; ///< of what an instruction uses most
constexpr size_t kNamedUnits = 3;
constexpr size_t kNamedRegisters = 3;

/// "4.0 of 4.1 cycles per iteration", "14.0 of 14.1 cycles per 2 iterations (7.04 each)": the number that a hint shows
/// is among them. Units may be held beyond the last cycle.
std::string cyclesOf(const Verdict &verdict, uint32_t sourceIterations) {
  return decimals(std::min(verdict.busy, verdict.cycles), 1) + " of " + decimals(verdict.cycles, 1) + " cycles " +
         perIterations(sourceIterations) +
         (sourceIterations > 1 ? " (" + decimals(verdict.cycles / sourceIterations, 2) + " each)" : "");
}

// ---- resources -----------------------------------------------------------------------------------------------------

/// Names of busy units: in a sentence, and as they are in the model.
struct UnitNames {
  std::vector<std::string> words, plain;
};

/// If all units of a resource are busy, the resource stands for them.
UnitNames namesOf(const std::vector<Verdict::Unit> &units) {
  std::map<std::string, size_t> busy; // units of each resource
  for (const Verdict::Unit &unit : units)
    ++busy[unit.resource];
  UnitNames names;
  const auto add = [&](const std::string &before, const std::string &name) {
    names.words.push_back(before + name);
    names.plain.push_back(name);
  };
  std::vector<std::string> done;
  for (const Verdict::Unit &first : units) {
    if (std::find(done.begin(), done.end(), first.resource) != done.end())
      continue;
    done.push_back(first.resource);
    if (first.unitsOfResource > 1 && busy[first.resource] == first.unitsOfResource) {
      add((first.unitsOfResource == 2 ? "both" : "all " + std::to_string(first.unitsOfResource)) + " units of ",
          first.resource);
      continue;
    }
    for (const Verdict::Unit &unit : units)
      if (unit.resource == first.resource)
        add("", analysis::unitName(unit.resource, unit.number, unit.unitsOfResource));
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

/// "A for 0.50 and B for 0.25 cycles": how long an instruction keeps which of the units busy, the longest first, where
/// that is noticeable.
std::string usesInWords(const std::vector<ResourceUse> &all) {
  std::vector<const ResourceUse *> uses;
  double most = 0;
  for (const ResourceUse &use : all)
    most = std::max(most, use.perIteration);
  for (const ResourceUse &use : all)
    if (use.perIteration >= kNoticeable * most)
      uses.push_back(&use);
  if (uses.empty())
    return {};
  std::stable_sort(uses.begin(), uses.end(),
                   [](const auto *a, const auto *b) { return a->perIteration > b->perIteration; });
  const size_t named = std::min(uses.size(), kNamedUnits), more = uses.size() - named;
  std::string words;
  for (size_t i = 0; i < named; ++i) {
    words += i == 0 ? "" : i + 1 == named ? " and " : ", ";
    words += uses[i]->name;
    words += " for ";
    words += decimals(uses[i]->perIteration, 2);
  }
  return words + " cycles" + (more ? ", and " + counted(more, "more unit") : "");
}

// ---- registers -----------------------------------------------------------------------------------------------------

/// The registers that carry the chain from an iteration to a later one.
std::vector<std::string> carriersOf(const std::vector<ChainLink> &chain) {
  std::vector<std::string> names;
  for (const ChainLink &link : chain)
    if (const std::string name = registerInWords(link.reg);
        link.iterations && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  return names;
}

/// "for the next iteration", "8 iterations later": of the source's loop, where it is known how many the code does at
/// once.
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

std::string linkRole(const Verdict::Witness &witness, const Verdict &verdict, uint32_t sourceIterations) {
  const auto link = std::find_if(verdict.chain.begin(), verdict.chain.end(),
                                 [&](const ChainLink &one) { return one.instruction == witness.instruction; });
  if (link == verdict.chain.end())
    return {};
  const size_t more = verdict.chain.size() - std::min(verdict.chain.size(), verdict.witnesses.size());
  const bool isLast = &witness == &verdict.witnesses.back();
  return linkInWords(*link, sourceIterations) + (isLast && more ? ", and " + std::to_string(more) + " more" : "");
}

// ---- stalls --------------------------------------------------------------------------------------------------------

std::string stallLimit(const Wait &wait) {
  switch (wait.kind) {
  case WaitKind::Register:
    return "dep";
  case WaitKind::Resource:
    return shortResourceName(wait.what.substr(0, wait.what.find(", ")));
  case WaitKind::Memory:
    return "mem";
  case WaitKind::WriteBack:
    return "order";
  default:
    return "rule";
  }
}

const char *stallInWords(WaitKind kind) {
  switch (kind) {
  case WaitKind::Register:
    return "register dependencies";
  case WaitKind::Resource:
    return "busy units";
  case WaitKind::Memory:
    return "memory order";
  case WaitKind::WriteBack:
    return "the order in which results are written";
  default:
    return "rules of the target";
  }
}

} // namespace

std::string limitOf(const Verdict &verdict) {
  switch (verdict.kind) {
  case Verdict::Kind::None:
    return "";
  case Verdict::Kind::Resource:
    return shortResourceNames(namesOf(verdict.units).plain);
  case Verdict::Kind::Dispatch:
  case Verdict::Kind::IssueWidth:
    return "dispatch";
  case Verdict::Kind::Registers:
    return "dep";
  case Verdict::Kind::Memory:
    return "mem";
  case Verdict::Kind::Stall:
    return stallLimit(verdict.witnesses.front().wait);
  }
  return "";
}

std::string sentenceOf(const Verdict &verdict, uint32_t sourceIterations) {
  const std::string cycles = cyclesOf(verdict, sourceIterations);
  const std::string microOps = decimals(verdict.microOps, 1) + " micro-ops";
  switch (verdict.kind) {
  case Verdict::Kind::None:
    return "";
  case Verdict::Kind::Resource:
    return "limited by " + listOf(namesOf(verdict.units).words, kNamedUnits) + ": " + usersInWords(verdict) +
           (verdict.users == 1 ? " keeps " : " keep ") + (verdict.units.size() == 1 ? "it" : "them") + " busy in " +
           cycles;
  case Verdict::Kind::Dispatch:
    return "limited by dispatch: " + microOps + ", at most " + std::to_string(verdict.dispatchWidth) +
           " per cycle, take " + cycles;
  case Verdict::Kind::IssueWidth:
    return "limited by the issue width: nothing waits in " + cycles + ", " + microOps + " at " +
           std::to_string(verdict.dispatchWidth) + " per cycle";
  case Verdict::Kind::Registers:
    return "limited by a loop-carried chain through " + listOf(carriersOf(verdict.chain), kNamedRegisters) + ": " +
           cycles;
  case Verdict::Kind::Memory: {
    const Verdict::Witness &waiting = verdict.witnesses.front();
    return "limited by memory order: " + analysis::mnemonicOf(waiting.text) + " waits " + phraseOf(waiting.wait) +
           " in " + cycles;
  }
  case Verdict::Kind::Stall: {
    const Verdict::Witness &longest = verdict.witnesses.front();
    return std::string("limited by ") + stallInWords(longest.wait.kind) + ": instructions wait in " + cycles +
           ", longest " + analysis::mnemonicOf(longest.text) + " " + phraseOf(longest.wait);
  }
  }
  return "";
}

std::string bottleneckOf(const Verdict &verdict, uint32_t sourceIterations, const std::vector<std::string> &calls) {
  const std::string sentence = sentenceOf(verdict, sourceIterations);
  return calls.empty() || sentence.empty() ? sentence : "apart from what it calls, " + sentence;
}

std::string bottleneckOf(const AnalysedRegion &region) {
  return bottleneckOf(region.simulation->verdict, region.region.sourceIterations, region.region.calls);
}

const char *codeOf(Verdict::Kind kind) {
  switch (kind) {
  case Verdict::Kind::Resource:
    return analysis::wire::codes::kResourceBottleneck;
  case Verdict::Kind::Dispatch:
  case Verdict::Kind::IssueWidth:
    return analysis::wire::codes::kDispatchLimit;
  case Verdict::Kind::Registers:
    return analysis::wire::codes::kRegisterDependency;
  case Verdict::Kind::Memory:
    return analysis::wire::codes::kMemoryDependency;
  case Verdict::Kind::Stall:
    return analysis::wire::codes::kInOrderStall;
  case Verdict::Kind::None:
    break;
  }
  return "";
}

std::string roleOf(const Verdict::Witness &witness, const Verdict &verdict, uint32_t sourceIterations) {
  switch (verdict.kind) {
  case Verdict::Kind::Resource:
    return usesInWords(witness.uses);
  case Verdict::Kind::Registers:
    return linkRole(witness, verdict, sourceIterations);
  case Verdict::Kind::Memory:
    return &witness == &verdict.witnesses.front() ? "waits for memory order" : "must come first";
  case Verdict::Kind::Stall:
    return "waits " + decimals(witness.wait.cycles, 1) + " cycles " + phraseOf(witness.wait);
  default:
    return "";
  }
}

} // namespace lsp::wording
