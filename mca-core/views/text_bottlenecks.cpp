// The bottleneck analysis as text: the shares of lost cycles, and the critical sequence drawn next to the instructions.
#include "mca-core/views/text.h"

#include "llvm/Support/FormattedStream.h"

namespace mca {
namespace {

/// Draws the sequence as an arrow beside the instructions, as llvm-mca does: from the first instruction of the sequence
/// down to its last, around the end of the loop if a dependency is loop-carried. Instructions are printed in program
/// order, so the part of the sequence after the end of the loop prints some of them again.
class CriticalSequencePrinter {
public:
  CriticalSequencePrinter(llvm::raw_ostream &out, const Report &report)
      : out_(out), report_(report), count_(static_cast<uint32_t>(report.instructions.size())) {}

  void print() {
    const std::vector<Dependency> &sequence = report_.bottlenecks->criticalSequence;
    out_ << "\nCritical sequence based on the simulation:\n\n";
    out_.PadToColumn(14) << "Instruction";
    out_.PadToColumn(58) << "Dependency Information";
    printStart(sequence.front());
    for (const Dependency &dependency : sequence)
      printStep(dependency);
    skipTo(count_, "\n        ");
    out_ << '\n';
  }

private:
  /// A sequence that begins with a loop-carried dependency starts in the iteration before: its first instruction is
  /// printed above the loop.
  void printStart(const Dependency &first) {
    if (first.loopCarried()) {
      printInstruction("\n +----< ", first.from);
      out_ << kLoopCarried;
      return;
    }
    skipTo(first.from, "\n        ");
    printInstruction("\n +----< ", next_++);
  }

  /// Prints the instructions up to the end of the dependency, then that end with its label.
  void printStep(const Dependency &step) {
    const bool wraps = next_ > step.to;
    skipTo(wraps ? count_ : step.to, "\n |      ");
    if (wraps)
      out_ << kLoopCarried;
    printInstruction("\n +----> ", step.to);
    ++next_; // one past the last instruction after wrapping around
    out_.PadToColumn(58);
    out_ << kKinds[static_cast<unsigned>(step.kind)] << step.name;
    if (step.kind == Dependency::Kind::Resource)
      out_ << " [ probability: " << step.frequency * 100 / report_.summary.iterations << "% ]";
  }

  /// Prints the instructions before `end` that take no part; `lead` draws the arrow that passes them.
  void skipTo(uint32_t end, const char *lead) {
    while (next_ < end)
      printInstruction(lead, next_++);
  }

  void printInstruction(const char *lead, uint32_t index) {
    out_ << lead << index << ".";
    out_.PadToColumn(14) << report_.instructions[index].text;
  }

  // By kind; a memory dependency has no name.
  static constexpr const char *kKinds[] = {"## REGISTER dependency:  ", "## MEMORY dependency.",
                                           "## RESOURCE interference:  "};
  static constexpr const char *kLoopCarried = "\n |\n |    < loop carried > \n |";
  llvm::formatted_raw_ostream out_;
  const Report &report_;
  uint32_t count_;
  uint32_t next_ = 0; ///< the next instruction to print
};

} // namespace

void printBottlenecks(llvm::raw_ostream &out, const Report &report) {
  const Bottlenecks &found = *report.bottlenecks;
  if (!found.found()) {
    out << "\n\nNo resource or data dependency bottlenecks discovered.\n";
    return;
  }
  // Shares are those of all cycles, so they add up to more than the increase if a cycle has several reasons.
  const auto share = [&](uint64_t cycles) { return formatRounded(double(cycles) * 100 / double(found.cycles), 2); };
  out << "\n\nCycles with backend pressure increase [ " << share(found.pressureCycles) << "% ]"
      << "\nThroughput Bottlenecks: "
      << "\n  Resource Pressure       [ " << share(found.resourceCycles) << "% ]";
  for (const Bottlenecks::Resource &resource : found.resources)
    out << "\n  - " << resource.name << "  [ " << share(resource.cycles) << "% ]";
  out << "\n  Data Dependencies:      [ " << share(found.dataDependencyCycles) << "% ]"
      << "\n  - Register Dependencies [ " << share(found.registerDependencyCycles) << "% ]"
      << "\n  - Memory Dependencies   [ " << share(found.memoryDependencyCycles) << "% ]\n";
  if (!found.criticalSequence.empty())
    CriticalSequencePrinter(out, report).print();
}

} // namespace mca
