#include "tests/differential/engine/instruction_pool.h"

#include "tests/differential/engine/instruction_maker.h"
#include "tests/differential/engine/isolated.h"
#include "tests/differential/engine/odd_instructions.h"
#include "tests/differential/engine/parsed_body.h"
#include "tests/differential/reference/description.h"
#include "tests/differential/reference/simulation.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <sstream>

namespace differential {
namespace {

constexpr double kSecondsToPrint = 0.2; // some operands that are not legal keep printers busy for ever
constexpr double kSecondsToParse = 20;  // a batch
constexpr double kSecondsToRun = 0.3;   // one instruction
constexpr size_t kTextsOfAnOpcode = 2;
constexpr size_t kLinesOfABatch = 256;
constexpr size_t kMaxUnmodelled = 24;

using Lines = std::vector<std::string>;

Lines linesOf(const std::string &text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

std::unique_ptr<mca::Target> targetOf(const mca::TargetSelection &selection) {
  auto target = mca::Target::create(selection);
  return target ? std::move(*target) : nullptr;
}

/// The opcodes that stand for machine instructions: first one of each scheduling class, then a second one, and so on,
/// so that any beginning of the list has a bit of everything. The seed chooses which.
std::vector<unsigned> opcodesOf(const mca::Target &target, Random &random) {
  const llvm::MCInstrInfo &instructions = target.instructions();
  std::vector<unsigned> opcodes;
  for (unsigned opcode = 0; opcode < instructions.getNumOpcodes(); ++opcode)
    if (!instructions.get(opcode).isPseudo() && !instructions.get(opcode).isPreISelOpcode())
      opcodes.push_back(opcode);
  for (size_t i = opcodes.size(); i > 1; --i)
    std::swap(opcodes[i - 1], opcodes[random.below(static_cast<uint32_t>(i))]);
  std::map<unsigned, size_t> ofClass;
  std::vector<size_t> turn(instructions.getNumOpcodes());
  for (const unsigned opcode : opcodes)
    turn[opcode] = ofClass[instructions.get(opcode).getSchedClass()]++;
  std::stable_sort(opcodes.begin(), opcodes.end(), [&](unsigned a, unsigned b) { return turn[a] < turn[b]; });
  return opcodes;
}

/// Whether the scheduling model knows the body. Does all that may crash when it does.
bool runs(const mca::Target &target, const ParsedBody &body) {
  mca::SimulationOptions options{.iterations = 3, .timeline = true, .bottlenecks = true};
  options.dispatchStatistics = options.schedulerStatistics = true;
  options.retireStatistics = options.registerFileStatistics = options.schedulingDetails = true;
  if (!mca::reference::simulateWithLlvm(target, *body.program, body.region, options))
    return false;
  options.noAlias = false;
  options.encodings = true;
  return bool(mca::reference::simulateWithLlvm(target, *body.program, body.region, options));
}

class PoolBuilder {
public:
  PoolBuilder(const mca::TargetSelection &selection, uint64_t seed) : selection_(selection), seed_(seed) {}

  InstructionPool build(size_t limit) {
    const auto target = targetOf(selection_);
    if (!target || !target->hasSchedulingModel())
      return {};
    Random random(seed_);
    opcodes_ = opcodesOf(*target, random);
    if (limit && limit < opcodes_.size())
      opcodes_.resize(limit);
    print();
    keepRunnable(someOfEachOpcode(parsable(texts_)), pool_.lines);
    const Lines odd = oddInstructions(target->triple());
    Lines goodOdd;
    for (const size_t i : parsable(odd))
      goodOdd.push_back(odd[i]);
    keepRunnable(goodOdd, pool_.odd);
    return std::move(pool_);
  }

private:
  using Died = std::function<void(size_t, const Ending &)>;
  void print();
  std::set<size_t> parsable(const Lines &texts);
  void parse(const Lines &texts, size_t pieces, const std::function<size_t(size_t)> &beginOf, size_t size,
             std::set<size_t> &good, const Died &died);
  Lines someOfEachOpcode(const std::set<size_t> &good) const;
  void keepRunnable(const Lines &lines, Lines &runnable);

  mca::TargetSelection selection_;
  uint64_t seed_;
  std::vector<unsigned> opcodes_;
  Lines texts_;                   // as printed
  std::vector<unsigned> printed_; // the opcode of each text
  InstructionPool pool_;
};

/// Several texts of each opcode. Operands that are not legal may crash the printer, which is no news.
void PoolBuilder::print() {
  const auto makeWork = [this] {
    std::shared_ptr<mca::Target> target = targetOf(selection_);
    std::shared_ptr<mca::Program> empty = mca::Program::parse("", *target, {});
    std::shared_ptr<llvm::MCInstPrinter> printer = target->createPrinter(empty->syntaxVariant());
    return [=, this](size_t i, Output &out) {
      const unsigned opcode = opcodes_[i / InstructionMaker::kStyles], style = i % InstructionMaker::kStyles;
      InstructionMaker maker(*target, empty->context(), seed_ + i);
      if (style >= kTextsOfAnOpcode && !maker.hasImmediates(opcode))
        return;
      const llvm::MCInst inst = maker.make(opcode, style);
      std::string text;
      llvm::raw_string_ostream stream(text);
      printer->printInst(&inst, 0, "", target->subtarget(), stream);
      // Printers put what they have no syntax for into comments.
      if (text.find('\n') == text.npos && text.find("/*") == text.npos)
        out.write(std::to_string(opcode) + " " + llvm::StringRef(text).trim().str() + "\n");
    };
  };
  const size_t pieces = opcodes_.size() * InstructionMaker::kStyles;
  for (const std::string &line : linesOf(runPieces(kSecondsToPrint, pieces, makeWork, [](auto &&...) {}))) {
    size_t length = 0;
    printed_.push_back(static_cast<unsigned>(std::stoul(line, &length)));
    texts_.push_back(line.substr(length + 1));
  }
}

/// Positions of the texts that are good assembly. Parses in batches; when one ends the process, text by text.
std::set<size_t> PoolBuilder::parsable(const Lines &texts) {
  std::set<size_t> good;
  std::vector<size_t> suspects;
  const size_t batches = (texts.size() + kLinesOfABatch - 1) / kLinesOfABatch;
  parse(
      texts, batches, [](size_t batch) { return batch * kLinesOfABatch; }, kLinesOfABatch, good,
      [&](size_t batch, const Ending &) {
        for (size_t i = batch * kLinesOfABatch; i < std::min((batch + 1) * kLinesOfABatch, texts.size()); ++i)
          suspects.push_back(i);
      });
  parse(
      texts, suspects.size(), [&](size_t i) { return suspects[i]; }, 1, good,
      [&](size_t i, const Ending &ending) {
        pool_.leftOut.push_back("parsing " + texts[suspects[i]] + ": " + ending.why);
      });
  return good;
}

/// Parses `pieces` pieces of `size` texts and adds those that are good assembly to `good`.
void PoolBuilder::parse(const Lines &texts, size_t pieces, const std::function<size_t(size_t)> &beginOf, size_t size,
                        std::set<size_t> &good, const Died &died) {
  const auto makeWork = [&] {
    std::shared_ptr<mca::Target> target = targetOf(selection_);
    return [&, target](size_t piece, Output &out) {
      const size_t begin = beginOf(piece), end = std::min(begin + size, texts.size());
      std::string kept;
      for (const size_t i : goodLines(*target, {texts.begin() + begin, texts.begin() + end}))
        kept += std::to_string(begin + i) + "\n";
      out.write(kept);
    };
  };
  for (const std::string &line : linesOf(runPieces(kSecondsToParse, pieces, makeWork, died)))
    good.insert(std::stoul(line));
}

Lines PoolBuilder::someOfEachOpcode(const std::set<size_t> &good) const {
  std::map<unsigned, size_t> ofOpcode;
  std::set<std::string> known;
  Lines some;
  for (const size_t i : good)
    if (ofOpcode[printed_[i]]++ < kTextsOfAnOpcode && known.insert(texts_[i]).second)
      some.push_back(texts_[i]);
  return some;
}

/// Runs each line alone through LLVM's pipeline, as a loop, with all that can be asked for. Where it does not come to
/// an end, it would not with others of the same scheduling class: they are left out without a try.
void PoolBuilder::keepRunnable(const Lines &lines, Lines &runnable) {
  Shared<unsigned> schedClass;
  std::set<unsigned> endless;
  const auto makeWork = [&] {
    std::shared_ptr<mca::Target> target = targetOf(selection_);
    return [&, target](size_t i, Output &out) {
      const ParsedBody body(*target, {lines[i]});
      *schedClass = mca::reference::schedulingClassOf(*target, *body.program, body.program->instructions().front());
      if (!endless.contains(*schedClass))
        out.write((runs(*target, body) ? "+" : "-") + lines[i] + "\n");
    };
  };
  const Died died = [&](size_t i, const Ending &ending) {
    pool_.leftOut.push_back("running " + lines[i] + ": " + ending.why);
    if (ending.tookTooLong)
      endless.insert(*schedClass);
  };
  for (const std::string &line : linesOf(runPieces(kSecondsToRun, lines.size(), makeWork, died)))
    if (line.front() == '+')
      runnable.push_back(line.substr(1));
    else if (pool_.unmodelled.size() < kMaxUnmodelled)
      pool_.unmodelled.push_back(line.substr(1));
}

} // namespace

InstructionPool makeInstructionPool(const mca::TargetSelection &selection, uint64_t seed, size_t limit) {
  return PoolBuilder(selection, seed).build(limit);
}

} // namespace differential
