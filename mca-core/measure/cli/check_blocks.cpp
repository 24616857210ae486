#include "mca-core/measure/cli/check_blocks.h"

#include "mca-core/measure/region_setup.h"
#include "mca-core/measure/registers.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringRef.h"

#include <iterator>
#include <random>

namespace mca::measure {
namespace {

constexpr const char *kBlocks[] = {
#include "mca-core/measure/cli/check_blocks.inc"
};

/// Null if it has errors.
std::unique_ptr<Program> parse(const std::string &text, const Target &target, std::vector<uint32_t> &instructions) {
  std::unique_ptr<Program> program = Program::parse(text, target, {});
  if (program->hasErrors())
    return nullptr;
  const auto all = llvm::seq<uint32_t>(0, static_cast<uint32_t>(program->instructions().size()));
  instructions = {all.begin(), all.end()};
  return program;
}

} // namespace

size_t checkBlockCount() {
  return std::size(kBlocks);
}

std::vector<std::string> drawCheckBlocks(uint64_t seed) {
  std::vector<std::string> blocks(std::begin(kBlocks), std::end(kBlocks));
  // Written out, because the order of std::shuffle depends on the library.
  std::mt19937_64 random(seed);
  for (size_t i = blocks.size(); i > 1; --i)
    std::swap(blocks[i - 1], blocks[random() % i]);
  return blocks;
}

std::unique_ptr<CheckBlock> CheckBlock::create(const Target &target, const std::string &text, MeasureMemory memory) {
  auto block = std::make_unique<CheckBlock>();
  block->program = parse(text + "\n", target, block->instructions);
  if (!block->program)
    return nullptr;
  block->branches.emplace(target, *block->program);
  const auto code =
      RegionCode::assemble(target, *block->program, *block->branches, block->instructions,
                           {memory.begin + memory.size - RegionSetup::kSymbolBytes, RegionSetup::kSymbolBytes});
  const auto *made = std::get_if<RegionCode>(&code);
  if (!made || made->counter() == kNone)
    return nullptr;
  const std::string counter = llvm::StringRef(kRegisterNames[made->counter()]).lower();
  // Measured loops begin a line of code.
  block->loop =
      parse(".p2align 6\n.Lbegin: " + text + "\ndecq %" + counter + "\njne .Lbegin\n", target, block->loopInstructions);
  return block->loop ? std::move(block) : nullptr;
}

} // namespace mca::measure
