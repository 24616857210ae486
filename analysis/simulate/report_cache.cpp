// The bytes that a key is a hash of: numbers as their type has them, texts with their length before them.
#include "analysis/simulate/report_cache.h"

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace analysis {
namespace {

template <typename... Numbers>
void append(std::string &blob, Numbers... values) {
  (blob.append(reinterpret_cast<const char *>(&values), sizeof values), ...);
}

void appendInst(std::string &blob, const llvm::MCInst &inst) {
  append(blob, inst.getOpcode(), inst.getFlags());
  for (const llvm::MCOperand &operand : inst) {
    if (operand.isReg()) {
      append(blob, 'r', operand.getReg().id());
    } else if (operand.isImm()) {
      append(blob, 'i', operand.getImm());
    } else if (operand.isExpr()) {
      append(blob,
             'e'); // a symbol's value does not change a simulation, and its name is part of the text or added below
    } else if (operand.isInst()) {
      append(blob, 'n');
      appendInst(blob, *operand.getInst());
    } else {
      append(blob, 'f');
      if (operand.isDFPImm())
        append(blob, operand.getDFPImm());
      else if (operand.isSFPImm())
        append(blob, operand.getSFPImm());
    }
  }
}

void appendText(std::string &blob, llvm::StringRef text) {
  append(blob, text.size());
  blob.append(text.data(), text.size());
}

/// The expressions in the operands of an instruction whose text is that of a macro's call: operands with one symbol are
/// one address (mca-core/model/memory_operands.h).
void appendExpressions(std::string &blob, const mca::Target &target, const llvm::MCInst &inst) {
  for (const llvm::MCOperand &operand : inst)
    if (operand.isExpr()) {
      std::string text;
      llvm::raw_string_ostream stream(text);
      target.asmInfo().printExpr(stream, *operand.getExpr());
      appendText(blob, text);
    }
}

/// What follows instructions on their lines. One line may have any number of them: those after the first one only have
/// their distance from the one before.
class RestOfLines {
public:
  explicit RestOfLines(llvm::StringRef text) : text_(text) {}

  void append(std::string &blob, size_t offset) {
    if (offset >= begin_ && offset < end_) {
      analysis::append(blob, '+', offset - begin_);
    } else {
      end_ = std::min(text_.find_first_of("\r\n", offset), text_.size()); // LLVM ends a line at a carriage return, too
      blob += '=';
      appendText(blob, text_.slice(offset, end_));
    }
    begin_ = offset;
  }

private:
  llvm::StringRef text_;
  size_t begin_ = 0; ///< the instruction before
  size_t end_ = 0;   ///< of its line
};

/// The statements about pointers that hold for some of the instructions, and for which of them.
void appendStatements(std::string &blob, const mca::Program &program, std::span<const uint32_t> region) {
  for (const mca::PointerStatement &statement : program.pointerStatements()) {
    std::string held;
    for (const uint32_t index : region)
      held += statement.holdsFor(index) ? '1' : '0';
    if (held.find('1') == std::string::npos)
      continue;
    append(blob, statement.meet, statement.names.size());
    for (const std::string &name : statement.names)
      appendText(blob, name);
    blob += held;
  }
}

/// The options that a job sets, of all that a report depends on.
void appendOptions(std::string &blob, const mca::SimulationOptions &options) {
  append(blob, options.iterations, options.callLatency, options.timeline, options.timelineMaxIterations,
         options.timelineMaxCycles, options.bottlenecks, options.pressure, options.rate, options.noAlias,
         options.sameOperands, options.waitReasons, options.corrections, options.entryOffsets.size());
  for (const mca::EntryOffset &one : options.entryOffsets)
    append(blob, one.reg.id(), one.bytes);
}

} // namespace

ReportCache::Key ReportCache::keyOf(const mca::Target &target, const mca::Program &program,
                                    std::span<const uint32_t> region, const mca::SimulationOptions &options) {
  std::string blob;
  blob.reserve(64 * region.size() + 256);
  appendText(blob, target.triple().str());
  appendText(blob, target.cpu());
  appendText(blob, target.features());
  appendOptions(blob, options);
  append(blob, options.syntaxVariant < 0 ? program.syntaxVariant() : unsigned(options.syntaxVariant));
  appendStatements(blob, program, region);
  RestOfLines rest(program.text());
  uint32_t instrumentSet = ~0u;
  for (const uint32_t index : region) {
    const mca::Instruction &instruction = program.instructions()[index];
    appendInst(blob, instruction.inst);
    rest.append(blob, instruction.offset);
    if (instruction.fromMacro)
      appendExpressions(blob, target, instruction.inst);
    if (instruction.instrumentSet == instrumentSet)
      continue;
    instrumentSet = instruction.instrumentSet;
    for (const llvm::mca::Instrument *instrument : program.instrumentsOf(instruction)) {
      appendText(blob, instrument->getDesc());
      appendText(blob, instrument->getData());
    }
    append(blob, '|'); // the end of a list that has no length
  }
  return llvm::xxh3_128bits(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(blob.data()), blob.size()));
}

ReportCache::Entry ReportCache::find(const Key &key) {
  const auto found = byKey_.find(key);
  if (found == byKey_.end())
    return nullptr;
  order_.splice(order_.begin(), order_, found->second);
  return found->second->second;
}

void ReportCache::insert(const Key &key, Entry entry) {
  if (byKey_.contains(key))
    return;
  order_.emplace_front(key, std::move(entry));
  byKey_[key] = order_.begin();
}

void ReportCache::trim() {
  size_t bytes = 0;
  for (auto it = order_.begin(); it != order_.end();) {
    CachedSimulation &entry = *it->second;
    if (!entry.bytes)
      entry.bytes = bytesOf(entry);
    if (bytes + entry.bytes <= maxBytes_) {
      bytes += entry.bytes;
      ++it;
    } else {
      byKey_.erase(it->first);
      it = order_.erase(it);
    }
  }
}

void ReportCache::erase(const Key &key) {
  if (const auto found = byKey_.find(key); found != byKey_.end()) {
    order_.erase(found->second);
    byKey_.erase(found);
  }
}

} // namespace analysis
