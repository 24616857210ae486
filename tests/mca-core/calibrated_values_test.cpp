// Each value that a calibration's file may have, at both ends of its range: what a region has of it, and the error of
// what is outside.
#include "mca-core/calibration/calibration_file.h"
#include "mca-core/model/calibrated_body.h"
#include "tests/mca-core/parsed.h"

#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

namespace mca {
namespace {

using Kind = StoreForward::Kind;

std::string textOf(double number) {
  char buffer[32];
  return {buffer, std::to_chars(std::begin(buffer), std::end(buffer), number).ptr};
}

/// A calibration of resources and a few forms, with these facts and rules: its text.
std::string fileOf(const std::string &statements) {
  return "mca-calibration 1\n"
         "cpu vendor=AuthenticAMD family=25 model=1 stepping=1 llvm=znver3\n"
         "made date=2026-11-26 by=test\n"
         "resource alu 4\n"
         "resource load 2\n"
         "resource store 1\n"
         "form MOV64rm base slots=1 uses=load:1 latencies=1>0:4\n"
         "form MOV64mr base slots=1 uses=store:1\n"
         "form ADD64rr slots=1 uses=alu:1 latencies=1>0:1,2>0:1\n" +
         statements + "\nend\n";
}

Calibration read(const std::string &statements) {
  const auto calibration = readCalibration(fileOf(statements), "x");
  EXPECT_TRUE(calibration) << calibration.message();
  return calibration ? *calibration : Calibration();
}

CalibratedBody bodyOf(const std::string &text, const Calibration &calibration) {
  const Parsed parsed(kX86, "znver3", text);
  std::vector<uint32_t> region(parsed.count());
  std::iota(region.begin(), region.end(), 0);
  Lowering lowering(*parsed.target, 100);
  const LoweredRegion lowered = lowering.lower(*parsed.program, region);
  const ResourceTable resources(parsed.target->subtarget().getSchedModel());
  return CalibratedBodyBuilder(*parsed.target, resources, calibration)
      .build(*parsed.program, lowered, CalibratedRegion());
}

double unitsOf(uint32_t ticks) {
  return double(ticks) / kTicksPerUnit;
}

CalibratedLimits limitsOf(const Calibration &calibration) {
  return bodyOf("nop\n", calibration).limits;
}

double commitOf(const std::string &stores, const Calibration &calibration, size_t instruction = 0) {
  return unitsOf(bodyOf(stores, calibration).instructions[instruction].commitTicks);
}

bool fuses(const std::string &text, const Calibration &calibration) {
  return bodyOf("1:\n" + text, calibration).instructions[0].fusedWithNext;
}

/// The kind of macro-fusion, by the branches that it fuses with.
double fusionOf(const std::string &first, const Calibration &calibration) {
  if (!fuses(first + "jne 1b\n", calibration))
    return 0;
  return fuses(first + "js 1b\n", calibration) ? 1 : fuses(first + "jb 1b\n", calibration) ? 2 : 3;
}

/// Of accesses of 1 to 32 bytes: the size of the first one that `holds`, otherwise 64.
template <typename Holds>
double leastBytes(const Holds &holds) {
  const std::pair<const char *, const char *> kAccesses[] = {
      {"movb %al, (%rdi)\n", "movb (%rdi), %bl\n"},           {"movw %ax, (%rdi)\n", "movw (%rdi), %bx\n"},
      {"movl %eax, (%rdi)\n", "movl (%rdi), %ebx\n"},         {"movq %rax, (%rdi)\n", "movq (%rdi), %rbx\n"},
      {"vmovups %xmm0, (%rdi)\n", "vmovups (%rdi), %xmm1\n"}, {"vmovups %ymm0, (%rdi)\n", "vmovups (%rdi), %ymm1\n"}};
  double bytes = 1;
  for (const auto &[store, load] : kAccesses) {
    if (holds(store, load))
      return bytes;
    bytes *= 2;
  }
  return bytes;
}

/// Whether the load of the region reads its store in this way.
bool isForwarded(const std::string &text, const Calibration &calibration, Kind kind) {
  const CalibratedBody body = bodyOf(text, calibration);
  for (const CalibratedInstruction &instruction : body.instructions)
    if (instruction.forward != kNone)
      return body.forwards[instruction.forward].kind == kind;
  return false;
}

double forwardLatency(const std::string &text, const Calibration &calibration) {
  const CalibratedBody body = bodyOf(text, calibration);
  EXPECT_FALSE(body.forwards.empty());
  return body.forwards.empty() ? -1 : body.forwards[0].latency;
}

/// What shows a value: the other statements and items, how a region has it, and what it has for a value.
struct Shown {
  std::string items = {}; ///< of the same rule
  std::string statements = {};
  std::function<double(const Calibration &)> measure;
  std::function<double(double)> expect = [](double value) { return value; };
};

std::map<std::string, Shown> shownFacts() {
  const auto limit = [](auto member) {
    return Shown{.measure = [member](const Calibration &calibration) { return double(limitsOf(calibration).*member); }};
  };
  const auto units = [](uint32_t CalibratedLimits::*member) {
    return Shown{
        .measure = [member](const Calibration &calibration) { return unitsOf(limitsOf(calibration).*member); }};
  };
  const auto chase = [](const std::string &load) {
    return Shown{.measure =
                     [load](const Calibration &calibration) {
                       return double(bodyOf(load, calibration).instructions[0].loadLatency);
                     },
                 .expect = [](double value) { return 4 + value; }};
  };
  using Limits = CalibratedLimits;
  Shown taken = units(&Limits::takenBranchTicks);
  taken.expect = [](double value) { return 1 / value; };
  return {{"slots-per-cycle", units(&Limits::slots)},
          {"vector-slots-per-cycle", units(&Limits::vectorSlots)},
          {"code-bytes-per-cycle", units(&Limits::codeBytes)},
          {"taken-branches-per-cycle", taken},
          {"fetch-queue", limit(&Limits::fetchQueue)},
          {"reorder-buffer", limit(&Limits::reorderBuffer)},
          {"scheduler", limit(&Limits::scheduler)},
          {"vector-scheduler", limit(&Limits::vectorScheduler)},
          {"load-queue", limit(&Limits::loadQueue)},
          {"store-queue", limit(&Limits::storeQueue)},
          {"retired-per-cycle", limit(&Limits::retired)},
          {"load-latency", limit(&Limits::loadLatency)},
          {"scaled-index-latency", chase("movq (%rdi,%rsi,8), %rdi\n")},
          {"three-part-latency", chase("movq 8(%rdi,%rsi), %rdi\n")}};
}

void addFusions(std::map<std::string, Shown> &all) {
  const auto fusion = [](const std::string &items, const std::string &first) {
    return Shown{.items = items, .measure = [first](const Calibration &calibration) {
                   return double(fuses(first + "jne 1b\n", calibration));
                 }};
  };
  for (const char *name : {"cmp", "test", "and", "or", "xor", "add", "sub", "inc", "dec"}) {
    const bool hasOne = name == std::string("inc") || name == std::string("dec");
    const std::string first = std::string(name) + (hasOne ? "q %rbx\n" : "q %rax, %rbx\n");
    all["macro-fusion " + std::string(name)] = {
        .measure = [first](const Calibration &calibration) { return fusionOf(first, calibration); }};
  }
  all["macro-fusion memory"] = fusion("cmp=1", "cmpq (%rdi), %rbx\n");
  all["macro-fusion memory-immediate"] = fusion("cmp=1 memory=1", "cmpq $5, (%rdi)\n");
  all["macro-fusion rip"] = fusion("cmp=1 memory=1", "cmpq 64(%rip), %rbx\n");
  for (const char *name : {"add", "sub", "and", "or", "xor", "inc", "dec", "not", "neg", "shl", "shr", "sar"}) {
    const std::string operation = name;
    const std::string operands = operation.starts_with('s') && operation != "sub"         ? "q $3, %rbx\n"
                                 : operation.ends_with("c") || operation.starts_with('n') ? "q %rbx\n"
                                                                                          : "q %rcx, %rbx\n";
    all["move-fusion " + operation] = {
        .measure = [text = "movq %rax, %rbx\n" + operation + operands](const Calibration &calibration) {
          return double(fuses(text, calibration));
        }};
  }
}

void addRegisters(std::map<std::string, Shown> &all) {
  const auto slots = [](const std::string &last) {
    return [last](const Calibration &calibration) {
      return unitsOf(bodyOf("pushq %rax\n" + last, calibration).instructions[1].slots) - 1;
    };
  };
  all["stack-engine read-slots"] = {.measure = slots("movq %rsp, %rcx\n")};
  all["stack-engine write-slots"] = {.measure = slots("addq $8, %rsp\n")};
  all["stack-engine write-latency"] = {.measure = [](const Calibration &calibration) {
    return double(std::ranges::max(bodyOf("pushq %rax\naddq $8, %rsp\n", calibration).latencies) - 1);
  }};
  all["partial-registers merge"] = {.measure = [](const Calibration &calibration) {
    return double(bodyOf("movb $1, %al\nimulq %rax, %rax\n", calibration).instructions[0].sources.count);
  }};
  all["dependent-issue RESOURCE"] = {.measure = [](const Calibration &calibration) {
    return unitsOf(bodyOf("addq %rax, %rbx\n", calibration).resources[0].dependentTicks);
  }};
  all["store-pairs RESOURCE"] = {.measure = [](const Calibration &calibration) {
    const CalibratedBody body =
        bodyOf("addq %rax, %rbx\nvmovups %ymm0, (%rdi)\nvmovups %ymm0, 32(%rdi)\n", calibration);
    const std::span stores = CalibratedBody::slice(body.uses, body.instructions[2].storeUses);
    return stores.empty() ? 0 : unitsOf(stores.back().ticks);
  }};
  all["port-binding RESOURCE"] = {.measure = [](const Calibration &calibration) {
    return double(bodyOf("addq %rax, %rbx\n", calibration).portCount);
  }};
}

const std::string kBytes = "movq %rax, 8(%rdi)\nmovq 8(%rdi), %rbx\n";
const std::string kVectors = "vmovups %ymm0, (%rdi)\nvmovups (%rdi), %ymm1\n";

void addForwarding(std::map<std::string, Shown> &all) {
  const auto latency = [](const std::string &statements, const std::string &text, const std::string &items = "") {
    return Shown{.items = items, .statements = statements, .measure = [text](const Calibration &calibration) {
                   return forwardLatency(text, calibration);
                 }};
  };
  const auto isKind = [](const std::string &statements, const std::string &items, const std::string &text, Kind kind) {
    return Shown{.items = items, .statements = statements, .measure = [text, kind](const Calibration &calibration) {
                   return double(isForwarded(text, calibration, kind));
                 }};
  };
  const auto least = [](const std::string &statements, const std::string &items, const std::string &end, Kind kind) {
    return Shown{.items = items, .statements = statements, .measure = [end, kind](const Calibration &calibration) {
                   return leastBytes([&](const std::string &store, const std::string &load) {
                     return isForwarded("1:\n" + store + load + end, calibration, kind);
                   });
                 }};
  };
  all["store-forwarding general"] = latency("", kBytes);
  all["store-forwarding vector"] = latency("", kVectors);
  all["store-forwarding partial"] = latency("", "movl %eax, 8(%rdi)\nmovq 8(%rdi), %rbx\n");
  all["memory-renaming latency"] = latency("", kBytes);
  all["memory-renaming vector"] = isKind("", "", kVectors, Kind::Renamed);
  all["memory-renaming index"] = isKind("", "", "movq %rax, (%rdi,%rsi)\nmovq (%rdi,%rsi), %rbx\n", Kind::Renamed);
  all["memory-renaming rip"] = isKind("", "", "movq %rax, 64(%rip)\nmovq 64(%rip), %rbx\n", Kind::Renamed);
  all["memory-renaming other-stores"] =
      isKind("", "", "leaq 8(%rdi), %rsi\nmovq %rax, 8(%rdi)\nmovl (%rsi), %ebx\n", Kind::Renamed);
  all["memory-renaming words"] = isKind("", "least-bytes=1", "movw %ax, (%rdi)\nmovzwl (%rdi), %ebx\n", Kind::Renamed);
  all["memory-renaming sign-extending"] = isKind("", "", "movl %eax, (%rdi)\nmovslq (%rdi), %rbx\n", Kind::Renamed);
  all["memory-renaming stack-only"] = isKind("", "", kBytes, Kind::Renamed);
  all["memory-renaming stack-only"].expect = [](double value) { return 1 - value; };
  all["memory-renaming least-bytes"] = least("", "vector=1", "", Kind::Renamed);
  const std::string forwarding = "rule store-forwarding general=7 vector=7\n", branch = "jne 1b\n";
  // More loads than any loop of a test of another value has.
  std::string many = "1:\n";
  constexpr int kManyLoads = 4100;
  for (int i = 0; i < kManyLoads; ++i)
    many += kBytes;
  all["predictive-forwarding loads"] = isKind(forwarding, "", many + branch, Kind::Predicted);
  all["predictive-forwarding loads"].expect = [](double value) { return double(value >= kManyLoads); };
  all["predictive-forwarding latency"] = latency(forwarding, "1:\n" + kBytes + branch, "loads=1");
  all["predictive-forwarding least-bytes"] = least(forwarding, "loads=1", branch, Kind::Predicted);
  all["predictive-forwarding vector"] = isKind(forwarding, "loads=1", "1:\n" + kVectors + branch, Kind::Predicted);
  all["predictive-forwarding operations"] =
      isKind(forwarding, "loads=1", "1:\nmovq %rax, (%rdi)\naddq (%rdi), %rbx\n" + branch, Kind::Predicted);
}

void addMemory(std::map<std::string, Shown> &all) {
  const auto commit = [](const std::string &items, const std::string &stores) {
    return Shown{.items = items,
                 .measure = [stores](const Calibration &calibration) { return commitOf(stores, calibration); }};
  };
  const auto split = [](const std::string &access) {
    return Shown{.measure = [access](const Calibration &calibration) {
      return unitsOf(bodyOf(access, calibration).uses[0].ticks) - 1;
    }};
  };
  all["splits load"] = split("movq 60(%rdi), %rax\n");
  all["splits store"] = split("movq %rax, 60(%rdi)\n");
  all["splits line"] = {.measure = [](const Calibration &calibration) {
    for (int line = 8; line <= 4096; line *= 2)
      if (bodyOf("movq " + std::to_string(line - 4) + "(%rdi), %rax\n", calibration).uses[0].ticks > kTicksPerUnit)
        return double(line);
    return 0.0;
  }};
  const auto countBanks = [](int64_t distance, const Calibration &calibration) {
    const CalibratedBody body =
        bodyOf("movb (%rdi), %al\nmovb " + std::to_string(distance) + "(%rdi), %bl\n", calibration);
    return std::ranges::count_if(body.resources, [](const auto &one) { return one.name.starts_with("load bank"); });
  };
  all["load-banks per-cycle"] = {.measure = [](const Calibration &calibration) {
    return unitsOf(bodyOf("movb (%rdi), %al\n", calibration).resources.back().ticksPerCycle);
  }};
  all["load-banks bytes"] = {.items = "line=4096", .measure = [countBanks](const Calibration &calibration) {
                               int64_t bytes = 1;
                               while (bytes < 8192 && countBanks(bytes, calibration) == 1)
                                 bytes *= 2;
                               return double(bytes);
                             }};
  all["load-banks line"] = {.items = "bytes=4", .measure = [countBanks](const Calibration &calibration) {
                              int64_t line = 8;
                              while (line < 8192 && countBanks(line, calibration) == 2)
                                line *= 2;
                              return double(line);
                            }};
  all["store-commit per-cycle"] = commit("", "movq %rax, (%rdi)\nmovq %rax, 64(%rdi)\n");
  all["store-commit per-cycle"].expect = [](double value) {
    return std::lround(kTicksPerUnit / value) / double(kTicksPerUnit);
  };
  all["store-commit bytes"] = {.measure = [](const Calibration &calibration) {
    int block = 1;
    while (block < 8192 &&
           commitOf("movb %al, (%rdi)\nmovb %al, " + std::to_string(2 * block - 1) + "(%rdi)\n", calibration, 1) == 0)
      block *= 2;
    return double(block);
  }};
  all["store-commit together"] = {.measure = [](const Calibration &calibration) {
    std::string stores = "movb %al, 64(%rdi)\n";
    for (int i = 0; i < 12; ++i)
      stores += "movb %al, " + std::to_string(i) + "(%rdi)\n";
    for (size_t i = 2; i < 13; ++i)
      if (commitOf(stores, calibration, i) == 1)
        return double(i - 1);
    return 0.0;
  }};
  all["store-commit alone-if-read"] = commit("", "movq %rax, (%rdi)\nmovq %rax, 8(%rdi)\nmovq (%rdi), %rbx\n");
  all["store-commit narrow-bytes"] = {.items = "narrow-cycles=3", .measure = [](const Calibration &calibration) {
                                        return leastBytes([&](const std::string &store, const std::string &) {
                                          return commitOf(store + "movq %rax, 4096(%rdi)\n", calibration) == 1;
                                        });
                                      }};
  all["store-commit narrow-bytes"].expect = [](double value) { return std::max(value, 1.0); };
  all["store-commit narrow-cycles"] = commit("narrow-bytes=2", "movb %al, (%rdi)\nmovq %rax, 64(%rdi)\n");
  all["store-commit narrow-cycles"].expect = [](double value) { return 1 + value; };
}

void addLoops(std::map<std::string, Shown> &all) {
  const auto limit = [](const std::function<double(const CalibratedLimits &)> &get) {
    return Shown{.measure = [get](const Calibration &calibration) { return get(limitsOf(calibration)); }};
  };
  all["micro-fusion index-within"] = limit([](const auto &limits) { return double(limits.unlaminatedWithin); });
  all["micro-fusion index-per-cycle"] = limit([](const auto &limits) { return double(limits.unlaminatedPerCycle); });
  all["float-add-bypass other-cycles"] = limit([](const auto &limits) { return double(limits.floatAddDelay); });
  all["small-loops lost-slots"] = limit([](const auto &limits) { return unitsOf(limits.lostSlots); });
  all["small-loops least-cycles"] = limit([](const auto &limits) { return double(limits.leastCycles); });
  all["small-loops whole-cycles"] = limit([](const auto &limits) { return double(limits.wholeCycles); });
  const auto fetchCycles = [](size_t nops, const Calibration &calibration) {
    std::string text = ".p2align 6\n";
    for (size_t i = 0; i < nops; ++i)
      text += "nop\n";
    return double(bodyOf(text, calibration).limits.leastCycles);
  };
  constexpr size_t kLine = 64; // nops
  all["small-loops fetch-ops"] = {.measure = [fetchCycles](const Calibration &calibration) {
    const double cycles = fetchCycles(2 * kLine, calibration);
    return cycles ? 2 * kLine / cycles : 0;
  }};
  all["small-loops further-cycles"] = {
      .items = "fetch-ops=32",
      .measure = [fetchCycles](const Calibration &calibration) { return fetchCycles(kLine, calibration) - 1; }};
}

std::map<std::string, Shown> shownRules() {
  std::map<std::string, Shown> all;
  addFusions(all);
  addRegisters(all);
  addForwarding(all);
  addMemory(all);
  addLoops(all);
  return all;
}

/// `before`: the statement up to the value.
void expectRange(const ValueRow &row, const Shown &shown, const std::string &before) {
  const std::string name(row.name);
  for (const double value : {row.least, row.most})
    EXPECT_EQ(shown.measure(read(before + textOf(value))), shown.expect(value)) << before << textOf(value);
  const std::string lines = fileOf(before);
  const auto line = std::count(lines.begin(), lines.end(), '\n') - 1;
  const std::string place =
      "x:" + std::to_string(line) + ":" + std::to_string(before.size() - (before.rfind('\n') + 1) + 1) + ": `";
  const auto errorOf = [&](double value) {
    const auto result = readCalibration(fileOf(before + textOf(value)), "x");
    return result ? std::string() : result.message();
  };
  const std::string range = "` is not within " + textOf(row.least) + " to " + textOf(row.most);
  for (const double value : {std::nextafter(row.least, -1e9), std::nextafter(row.most, 1e9), -1.0, 1e6})
    EXPECT_EQ(errorOf(value), place + textOf(value) + range);
  const double half = row.least + 0.5;
  EXPECT_EQ(errorOf(half), row.steps == ValueRow::Steps::Any ? "" : place + textOf(half) + "` is no whole number");
  const double odd = 3 * row.least;
  if (row.steps == ValueRow::Steps::PowersOfTwo) {
    EXPECT_EQ(errorOf(odd), place + textOf(odd) + "` is no power of two");
  }
}

TEST(CalibratedBody, UsesEachFactThatAFileMayHave) {
  std::map<std::string, Shown> all = shownFacts();
  for (const FactRow &row : factTable()) {
    const std::string name(row.value.name);
    if (name == "redirect-penalty" || name == "learnt-period" || name == "override-penalty" ||
        name == "target-penalty") // of runs along a trace
      continue;
    ASSERT_TRUE(all.contains(name)) << name;
    expectRange(row.value, all[name], "fact " + name + " ");
  }
  EXPECT_EQ(all.size() + 4, factTable().size());
}

TEST(CalibratedBody, UsesEachValueOfARuleThatAFileMayHave) {
  std::map<std::string, Shown> all = shownRules();
  size_t values = 0;
  for (const RuleRow &rule : ruleTable())
    for (const ValueRow &row : rule.values) {
      const std::string name = std::string(rule.name) + " " + std::string(row.name);
      ASSERT_TRUE(all.contains(name)) << name;
      const Shown &shown = all[name];
      const std::string items = shown.items.empty() ? "" : shown.items + " ";
      expectRange(row, shown,
                  shown.statements + "rule " + std::string(rule.name) + " " + items +
                      (row.perResource ? "alu" : std::string(row.name)) + "=");
      ++values;
    }
  EXPECT_EQ(all.size(), values);
}

} // namespace
} // namespace mca
