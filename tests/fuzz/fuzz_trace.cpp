// The text of a trace, of any bytes, over a small program: reading, resolving tokens, counts and walking. Places of
// errors must lie inside the text, and a walk executes only what the program has.
#include "mca-core/trace/profile_counts.h"
#include "mca-core/trace/trace_walk.h"
#include "tests/fuzz/property.h"

#include <algorithm>

namespace {

using fuzz::require;

/// Loops, calls that are followed and calls that are not, a jump table, and a tail call.
constexpr const char *kProgram = R"(
  .type helper, @function
helper:
  testl %eax, %eax
  je .L1
  incl %eax
.L1:
  ret
  .type kern, @function
kern:
  xorl %eax, %eax
.L3:
  testl %ecx, %ecx
  jne .L5
  callq helper
.L5:
  callq sin
  jmpq *.LJTI0(,%rax,8)
.L6:
  decl %ecx
.L7:
  jne .L3
  callq *%rdx
  jmp elsewhere
.L8:
  jmp .L8
  .section .rodata
.LJTI0:
  .quad .L6
  .quad .L7
  .quad .L8
)";

struct Code {
  std::unique_ptr<mca::Target> target;
  std::unique_ptr<mca::Program> program;
  std::unique_ptr<mca::ProgramBranches> branches;
};

Code parseCode() {
  Code code;
  auto target = mca::Target::create({.triple = "x86_64-unknown-linux-gnu", .cpu = "skylake"});
  require(static_cast<bool>(target));
  code.target = std::move(*target);
  code.program = mca::Program::parse(kProgram, *code.target, {});
  require(code.program->diagnostics().empty());
  code.branches = std::make_unique<mca::ProgramBranches>(*code.target, *code.program);
  return code;
}

/// The text's places are those of bytes, and an error at its end may be one after it.
void requireInside(const mca::TraceError &error, std::string_view text) {
  const auto lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  require(!error.message.empty() && error.position.line >= 1 && error.position.line <= lines);
  require(error.position.column >= 1 && error.position.column <= text.size() + 1);
}

void walk(const mca::TokenTargets &targets, const mca::TraceStatement &statement, std::string_view text) {
  constexpr uint64_t kMaxInstructions = 10'000;
  mca::TraceWalk walk(targets, statement);
  mca::TraceStep step;
  for (uint64_t i = 0; i < kMaxInstructions && walk.next(step); ++i)
    require(step.instruction < targets.branches().size());
  if (walk.error())
    requireInside(*walk.error(), text);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Code code = parseCode();
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  const auto read = mca::readTrace(text);
  if (const auto *error = std::get_if<mca::TraceError>(&read)) {
    requireInside(*error, text);
    return 0;
  }
  const mca::TraceText &trace = std::get<mca::TraceText>(read);
  const mca::TokenTargets targets(*code.branches, trace, [](uint32_t) { return 4; });
  const auto counts = mca::findCounts(targets);
  if (const auto *error = std::get_if<mca::TraceError>(&counts))
    requireInside(*error, text);
  for (const mca::TraceStatement &statement : trace.traces)
    walk(targets, statement, text);
  for (const mca::WeightedPath &path : trace.paths)
    walk(targets, path.path, text);
  return 0;
}
