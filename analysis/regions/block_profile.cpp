// Two readers, for clang's section and gcc's comments, fill the same blocks. Both name a block by a number that is
// unique in its function alone, so that edges become indices of instructions when the function is complete.
#include "analysis/regions/block_profile.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/DataExtractor.h"

#include <algorithm>

namespace analysis {
namespace {

constexpr const char *kMapSection = ".llvm_bb_addr_map";

/// The blocks of one function, named by their numbers in it until all are known. Frequencies are in the compiler's
/// unit.
struct FunctionBlocks {
  struct Block {
    uint32_t number = 0;
    ProfiledBlock profile;
  };
  struct Edge {
    uint32_t from = 0;
    uint32_t to = 0;
    double probability = 0;
    std::optional<double> count; ///< in the unit of frequencies, if the compiler writes it
  };
  std::vector<Block> blocks;
  std::vector<Edge> edges;
  double entryFrequency = 0;
  bool measured = false;

  /// Hands the blocks over, with their edges and with frequencies per entry of the function.
  void moveTo(std::vector<ProfiledBlock> &all) {
    // gcc's percentages have one digit after the point: of large counts the quotient is more exact.
    constexpr double kLargeCount = 10'000;
    llvm::DenseMap<uint64_t, ProfiledBlock *> byNumber; // 64 bits: every number may be a key
    for (Block &block : blocks)
      byNumber.try_emplace(block.number, &block.profile);
    for (const Edge &edge : edges) {
      ProfiledBlock *from = byNumber.lookup(edge.from), *to = byNumber.lookup(edge.to);
      if (!from || !to)
        continue;
      const bool isExact = edge.count && from->frequency >= kLargeCount;
      from->successors.push_back(
          {to->first, isExact ? std::min(1.0, *edge.count / from->frequency) : edge.probability});
    }
    for (Block &block : blocks) {
      block.profile.measured = measured;
      block.profile.frequency = entryFrequency > 0 ? block.profile.frequency / entryFrequency : 0;
      all.push_back(std::move(block.profile));
    }
    *this = {};
  }
};

// ---- clang's section -----------------------------------------------------------------------------------------------

/// Reads .llvm_bb_addr_map, in which an instruction's index stands for its address. The text may be hostile: reading
/// ends at the first entry that does not fit.
class AddressMap {
public:
  explicit AddressMap(const mca::Program &program)
      : instructions_(program.instructions().size()),
        data_(llvm::StringRef(program.data(kMapSection)), program.context().getAsmInfo()->isLittleEndian(),
              static_cast<uint8_t>(program.context().getAsmInfo()->getCodePointerSize())) {}

  std::vector<ProfiledBlock> read() {
    std::vector<ProfiledBlock> all;
    while (at_.tell() < data_.size()) {
      FunctionBlocks function;
      if (!readFunction(function))
        break;
      function.moveTo(all);
    }
    llvm::consumeError(at_.takeError());
    return all;
  }

private:
  using Features = llvm::object::BBAddrMap::Features;

  /// One entry of the section: version, features, ranges of blocks, profile. A version that is not known ends the
  /// reading, since the length of its entries is not known either.
  bool readFunction(FunctionBlocks &function) {
    constexpr uint8_t kFirstVersion = 2, kWideFeatures = 5, kLastVersion = 5;
    const uint8_t version = data_.getU8(at_);
    if (!at_ || version < kFirstVersion || version > kLastVersion)
      return false;
    llvm::Expected<Features> features =
        Features::decode(version < kWideFeatures ? data_.getU8(at_) : data_.getU16(at_));
    if (!features)
      llvm::consumeError(features.takeError());
    else
      features_ = *features;
    if (!at_ || !features || features_.PostLinkCfg) // what a linker adds is in no compiler's output
      return false;
    const uint64_t ranges = features_.MultiBBRange ? data_.getULEB128(at_) : 1;
    for (uint64_t i = 0; i < ranges && at_; ++i)
      if (!readRange(function))
        return false;
    readProfile(function);
    if (!features_.BBFreq)
      function.blocks.clear();
    return static_cast<bool>(at_);
  }

  /// The blocks of one range of addresses, each at a distance from the end of the one before.
  bool readRange(FunctionBlocks &function) {
    uint64_t end = data_.getAddress(at_); // of the block before
    const uint64_t count = data_.getULEB128(at_);
    for (uint64_t i = 0; i < count && !features_.OmitBBEntries && at_; ++i) {
      FunctionBlocks::Block block;
      block.number = static_cast<uint32_t>(data_.getULEB128(at_));
      const uint64_t first = end + data_.getULEB128(at_);
      end = first + readSize();
      data_.getULEB128(at_); // how it ends
      if (features_.BBHash)
        data_.getU64(at_);
      if (!at_ || first > end || end > instructions_)
        return false;
      block.profile.first = static_cast<uint32_t>(first);
      block.profile.last = static_cast<uint32_t>(end);
      function.blocks.push_back(std::move(block));
    }
    return true;
  }

  /// A block's size is split at the ends of its calls if the section has these.
  uint64_t readSize() {
    uint64_t size = 0;
    const uint64_t calls = features_.CallsiteEndOffsets ? data_.getULEB128(at_) : 0;
    for (uint64_t i = 0; i < calls && at_; ++i)
      size += data_.getULEB128(at_);
    return size + data_.getULEB128(at_);
  }

  /// The count of the function's entries is zero unless a run was profiled. Frequencies are relative to the entry
  /// block's, and probabilities are in units of 2^-31 (llvm::BlockFrequency, llvm::BranchProbability).
  void readProfile(FunctionBlocks &function) {
    if (features_.FuncEntryCount)
      function.measured = data_.getULEB128(at_) > 0;
    if (!features_.BBFreq && !features_.BrProb)
      return;
    constexpr double kCertain = 1u << 31;
    for (FunctionBlocks::Block &block : function.blocks) {
      if (features_.BBFreq)
        block.profile.frequency = static_cast<double>(data_.getULEB128(at_));
      const uint64_t successors = features_.BrProb ? data_.getULEB128(at_) : 0;
      for (uint64_t i = 0; i < successors && at_; ++i) {
        const auto number = static_cast<uint32_t>(data_.getULEB128(at_));
        const auto probability = static_cast<double>(data_.getULEB128(at_)) / kCertain;
        function.edges.push_back({block.number, number, std::min(1.0, probability), std::nullopt});
      }
      if (!at_)
        return;
    }
    if (!function.blocks.empty())
      function.entryFrequency = function.blocks.front().profile.frequency;
  }

  const uint64_t instructions_;
  llvm::DataExtractor data_;
  llvm::DataExtractor::Cursor at_{0};
  Features features_ = {};
};

// ---- gcc's comments ------------------------------------------------------------------------------------------------

/// "count:850510901 (estimated locally, freq 1.0)": the unit is the compiler's, the words say where the number is from.
struct Count {
  double value = 0;
  bool measured = false;
};

/// Precise, adjusted and auto FDO counts come from a profile; gcc guesses all others (profile-count.cc).
std::optional<Count> countOf(llvm::StringRef text) {
  uint64_t value = 0;
  text = text.ltrim();
  if (!text.consume_front("count:") || text.consumeInteger(10, value) || !text.consume_front(" ("))
    return std::nullopt;
  const llvm::StringRef origin = text.take_until([](char c) { return c == ')' || c == ','; });
  return Count{static_cast<double>(value), origin == "precise" || origin == "adjusted" || origin == "auto FDO"};
}

/// "always", "never (adjusted)", "89.0% (guessed)"
double probabilityOf(llvm::StringRef text) {
  double percent = 0;
  if (text.starts_with("always"))
    return 1;
  const bool isNumber = !text.take_until([](char c) { return c == '%'; }).trim().getAsDouble(percent);
  return isNumber ? std::clamp(percent / 100, 0.0, 1.0) : 0;
}

/// Reads gcc's `# BLOCK` and `# PRED:` comments in the order of the text.
class BlockComments {
public:
  explicit BlockComments(const mca::Program &program) : program_(program) {
    for (const mca::Label &label : program.labels())
      if (program.isFunction(*label.symbol))
        functions_.push_back(&label);
  }

  /// From the text: a parsed program has no comments.
  std::vector<ProfiledBlock> read() {
    const llvm::StringRef text = program_.text();
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      readLine(text.slice(at, end), static_cast<uint32_t>(at));
      at = end + 1;
    }
    end(static_cast<uint32_t>(text.size()));
    function_.moveTo(all_);
    return std::move(all_);
  }

private:
  /// A comment opens with other characters on each target.
  void readLine(llvm::StringRef line, uint32_t offset) {
    line = line.ltrim(" \t");
    llvm::StringRef comment = line.ltrim("#/@;!|");
    if (comment.size() == line.size())
      return;
    if (comment.consume_front(" BLOCK "))
      begin(comment, offset);
    else if (!function_.blocks.empty() && comment.consume_front(" PRED:"))
      readEdges(comment);
  }

  /// "3, count:116812372 (estimated locally) seq:1": a function's first block has the sequence number 0.
  void begin(llvm::StringRef text, uint32_t offset) {
    FunctionBlocks::Block block;
    const llvm::StringRef sequence = text.rsplit(" seq:").second.rtrim();
    if (text.consumeInteger(10, block.number) || sequence.empty())
      return;
    text.consume_front(",");
    end(offset);
    const std::optional<Count> count = countOf(text);
    if (sequence == "0") {
      function_.moveTo(all_);
      function_.measured = count && count->measured;
    }
    block.profile.frequency = count ? count->value : 0;
    block.profile.first = instructionAt(offset);
    function_.blocks.push_back(std::move(block));
    begin_ = offset;
  }

  /// "5 [89.0% (guessed)]  count:85 (estimated locally) (DFS_BACK,CAN_FALLTHRU) a.c:3:1 ENTRY [always]  count:…":
  /// before each bracket the number of the block that control comes from. The edges to a block are complete; those from
  /// it (SUCC) are missing if its branch has a delay slot.
  void readEdges(llvm::StringRef text) {
    const uint32_t to = function_.blocks.back().number;
    while (true) {
      const auto [before, after] = text.split(" [");
      if (after.empty())
        return;
      const auto [probability, rest] = after.split(']');
      const llvm::StringRef name = before.rtrim().substr(before.rtrim().rfind(' ') + 1);
      const std::optional<Count> count = countOf(rest);
      uint32_t from = 0;
      if (name == "ENTRY" && count)
        function_.entryFrequency = count->value;
      else if (!name.getAsInteger(10, from))
        function_.edges.push_back({from, to, probabilityOf(probability), count ? count->value : 0});
      text = rest;
    }
  }

  /// Ends the open block at `offset`, or where another function begins before.
  void end(uint32_t offset) {
    if (function_.blocks.empty())
      return;
    ProfiledBlock &block = function_.blocks.back().profile;
    while (nextFunction_ < functions_.size() && functions_[nextFunction_]->offset < begin_)
      ++nextFunction_;
    block.last = instructionAt(offset);
    if (nextFunction_ < functions_.size())
      block.last = std::clamp(functions_[nextFunction_]->instruction, block.first, block.last);
  }

  /// The first instruction at or after `offset`, which ascends from call to call.
  uint32_t instructionAt(uint32_t offset) {
    const auto instructions = program_.instructions();
    while (nextInstruction_ < instructions.size() && instructions[nextInstruction_].offset < offset)
      ++nextInstruction_;
    return nextInstruction_;
  }

  const mca::Program &program_;
  std::vector<const mca::Label *> functions_; // in text order
  size_t nextFunction_ = 0;
  uint32_t nextInstruction_ = 0;
  uint32_t begin_ = 0;      // offset of the open block's comment
  FunctionBlocks function_; // the last of its blocks is open
  std::vector<ProfiledBlock> all_;
};

/// The block that holds an instruction; null if there is none. Of blocks that start together all but the last are
/// empty.
const ProfiledBlock *blockOf(const std::vector<ProfiledBlock> &blocks, uint32_t instruction) {
  const auto next = std::ranges::upper_bound(blocks, instruction, {}, &ProfiledBlock::first);
  return next == blocks.begin() || (next - 1)->last <= instruction ? nullptr : &*(next - 1);
}

} // namespace

std::vector<std::string> blockProfileSections() {
  return {kMapSection};
}

std::vector<ProfiledBlock> readBlockProfiles(const mca::Program &program) {
  std::vector<ProfiledBlock> blocks =
      program.data(kMapSection).empty() ? BlockComments(program).read() : AddressMap(program).read();
  std::ranges::stable_sort(blocks, {}, &ProfiledBlock::first);
  return blocks;
}

double runsPerCall(const std::vector<ProfiledBlock> &blocks, uint32_t instruction) {
  const ProfiledBlock *block = blockOf(blocks, instruction);
  return block ? block->frequency : 0;
}

BranchProbability branchProbabilities(std::vector<ProfiledBlock> blocks) {
  return [blocks = std::move(blocks)](uint32_t last, uint32_t to) -> std::optional<double> {
    const ProfiledBlock *block = blockOf(blocks, last);
    if (!block || block->successors.empty())
      return std::nullopt;
    const auto *const edge = llvm::find_if(block->successors, [&](const auto &one) { return one.to == to; });
    if (edge != block->successors.end())
      return edge->probability;
    // The compiler's block may hold several branches. It lists the ways out of the whole block, so that control goes on
    // inside of it for certain.
    return to == last + 1 && to < block->last ? 1 : 0;
  };
}

} // namespace analysis
