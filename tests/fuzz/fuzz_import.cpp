// Recordings of any bytes through each reader, and over a small program. Places of errors must lie inside the text,
// sinks may rely on what branch_records.h promises, and what is recorded must be a trace of the program.
#include "analysis/import/branch_records.h"
#include "analysis/import/trace_writer.h"
#include "mca-core/program/encoded_sizes.h"
#include "tests/fuzz/property.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <iterator>

namespace {

using fuzz::require;

/// Loops, calls that are followed and calls that are not, an indirect jump, executed padding, and a tail call. Its
/// first byte has the address 0.
constexpr const char *kProgram = R"(
  .file 1 "a.c"
  .type helper, @function
helper:
  .loc 1 3 0
  testl %eax, %eax
  je .L1
  incl %eax
.L1:
  ret
  .size helper, .-helper
  .type kern, @function
kern:
  .loc 1 5 0
  xorl %eax, %eax
.L3:
  testl %ecx, %ecx
  jne .L5
  callq helper
  .p2align 4
.L5:
  .loc 1 6 0
  callq sin
  jmpq *%rax
.L6:
  decl %ecx
  jne .L3
  rep movsb
  callq *%rdx
  jmp elsewhere
  .size kern, .-kern
)";

/// The program's text, and the file of the program.
struct Code {
  std::unique_ptr<mca::Target> target;
  std::unique_ptr<mca::Program> program;
  std::unique_ptr<mca::ProgramBranches> branches;
  std::unique_ptr<analysis::ProgramImage> image;
  std::unique_ptr<analysis::Placement> placement;
};

/// The program's file is the object file under another type: that has symbols and code, which is all that is read.
std::unique_ptr<analysis::ProgramImage> imageOf(const analysis::AssembledText &text) {
  std::string bytes = text.object().getData().str();
  bytes[16] = llvm::ELF::ET_DYN;
  llvm::SmallString<64> path;
  int descriptor = -1;
  require(!llvm::sys::fs::createTemporaryFile("fuzz-import", "", descriptor, path));
  llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << bytes;
  auto image = analysis::ProgramImage::open(path.str().str());
  llvm::sys::fs::remove(path);
  require(static_cast<bool>(image));
  return std::move(*image);
}

Code prepare() {
  Code code;
  auto target = mca::Target::create({.triple = "x86_64-unknown-linux-gnu", .cpu = "skylake"});
  require(static_cast<bool>(target));
  code.target = std::move(*target);
  code.program = mca::Program::parse(kProgram, *code.target, {});
  const auto text = analysis::AssembledText::assemble(*code.target, *code.program);
  require(static_cast<bool>(text));
  code.branches = std::make_unique<mca::ProgramBranches>(*code.target, *code.program);
  code.image = imageOf(**text);
  code.placement = std::make_unique<analysis::Placement>(*code.branches, *code.program, **text, *code.image);
  require(!code.placement->isEmpty());
  return code;
}

/// Checks what the reader says, and follows it through the program.
class CheckingSink final : public analysis::BranchSink {
public:
  explicit CheckingSink(analysis::BranchRecorder &recorder) : recorder_(recorder) {}
  void map(const analysis::MappedSegment &segment) override {
    require(!segment.path.empty() || segment.size == 0);
    recorder_.map(segment);
  }
  void thread(uint64_t number) override { recorder_.thread(number); }
  void symbol(uint64_t address, std::string_view name) override { recorder_.symbol(address, name); }
  void visit(uint64_t address) override { recorder_.visit(address); }
  void taken(uint64_t from, uint64_t to, analysis::Predicted predicted) override {
    recorder_.taken(from, to, predicted);
  }
  void notTaken(uint64_t from, analysis::Predicted predicted) override { recorder_.notTaken(from, predicted); }
  void gap() override { recorder_.gap(); }
  void edge(uint64_t from, uint64_t to, uint64_t count, std::optional<uint64_t> mispredictions) override {
    require(mispredictions.value_or(0) <= count);
    recorder_.edge(from, to, count, mispredictions);
  }
  void run(uint64_t begin, uint64_t last, uint64_t count) override {
    require(begin <= last);
    recorder_.run(begin, last, count);
  }
  void line(std::string_view file, std::string_view function, uint32_t line, uint64_t count) override {
    recorder_.line(file, function, line, count);
  }

private:
  analysis::BranchRecorder &recorder_;
};

} // namespace

/// The first byte chooses the format.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static constexpr const char *kKinds[] = {"perf", "perf-trace", "callgrind", "bolt", "gcov", "qemu"};
  if (size == 0)
    return 0;
  const auto reader = analysis::createReader(kKinds[data[0] % std::size(kKinds)]);
  std::string_view rest(reinterpret_cast<const char *>(data) + 1, size - 1);
  static const Code code = prepare();
  analysis::BranchRecorder recorder(*code.program, *code.branches, *code.placement, *code.image, {});
  if (reader->hasFileAddresses())
    recorder.useFileAddresses();
  CheckingSink sink(recorder);
  std::optional<analysis::ImportError> error;
  std::vector<size_t> lengths; // of the lines so far: an error may be about an earlier one
  while (!rest.empty() && !error) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    lengths.push_back(line.size());
    error = reader->read(line, sink);
    require(!error || error->line <= lengths.size());
    require(!error || error->column <= (error->line ? lengths[error->line - 1] : 0) + 1);
  }
  if (!error)
    error = reader->finish(sink);
  require(!error || !error->message.empty());
  const auto trace = analysis::writeTrace(recorder, {"fuzz", "a.s", "a", ""}, *code.program, *code.branches,
                                          mca::encodedSizes(*code.target, *code.program));
  require(trace || trace.message().starts_with("nothing of these functions"));
  return 0;
}
