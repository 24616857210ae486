// The format is that of log_cpu_exec() in qemu's accel/tcg/cpu-exec.c, of versions 5 to 9, and of the older ones that
// have only the address between the brackets. A block may be given up before it begins, which a line of its own says
// ("Stopped execution of TB chain before"), so each block is reported with the next line.
#include "analysis/import/qemu_reader.h"

#include "llvm/ADT/StringRef.h"

namespace analysis {
namespace {

class QemuReader final : public RecordingReader {
public:
  std::optional<ImportError> read(std::string_view text, BranchSink &sink) override {
    ++line_;
    llvm::StringRef line(text.data(), text.size());
    if (line.consume_front("Trace "))
      return readBlock(line, sink);
    if (line.starts_with("Stopped execution of TB chain before"))
      waiting_.reset();
    else if (line.consume_front("start_code "))
      readStart(line, sink);
    return {};
  }

  std::optional<ImportError> finish(BranchSink &sink) override {
    report(sink);
    if (blocks_ == 0)
      return ImportError{.message = "the file has no line of qemu's `-d exec`, such as `Trace 0: 0x7f07000bd700 "
                                    "[0000000000000000/0000004000001180/1040c0b3/00000200]`"};
    return {};
  }

private:
  struct Block {
    uint64_t thread = 0, address = 0;
    std::string symbol;
  };

  /// Takes a line after its first word. A broken one is an error, except for the last: the recording may have been cut
  /// off within it.
  std::optional<ImportError> readBlock(llvm::StringRef line, BranchSink &sink) {
    if (broken_)
      return broken_;
    Block block;
    llvm::StringRef rest = line;
    const bool hasThread = !rest.consumeInteger(10, block.thread) && rest.consume_front(":");
    auto [fields, symbol] = rest.split('[').second.split(']');
    const bool isWhole = rest.contains(']');
    if (fields.contains('/'))
      fields = fields.split('/').second.split('/').first;
    if (!hasThread || !isWhole || fields.empty() || fields.getAsInteger(16, block.address)) {
      const auto column = static_cast<uint32_t>(sizeof("Trace "));
      broken_ = ImportError{line_, column,
                            "expected a thread and an address, as in `Trace 0: 0x7f07000bd700 "
                            "[0000000000000000/0000004000001180/1040c0b3/00000200]`"};
      return {};
    }
    report(sink);
    block.symbol = symbol.trim();
    waiting_ = std::move(block);
    ++blocks_;
    return {};
  }

  void readStart(llvm::StringRef line, BranchSink &sink) {
    uint64_t address = 0;
    if (!line.trim().getAsInteger(0, address) && address != 0)
      sink.map({.address = address});
  }

  void report(BranchSink &sink) {
    if (!waiting_)
      return;
    sink.thread(waiting_->thread);
    if (!waiting_->symbol.empty())
      sink.symbol(waiting_->address, waiting_->symbol);
    sink.visit(waiting_->address);
    waiting_.reset();
  }

  uint64_t line_ = 0;
  uint64_t blocks_ = 0;
  std::optional<Block> waiting_;
  std::optional<ImportError> broken_;
};

} // namespace

std::unique_ptr<RecordingReader> createQemuReader() {
  return std::make_unique<QemuReader>();
}

} // namespace analysis
