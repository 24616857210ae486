#include "mca-core/measure/cli/run_command.h"

#include "mca-core/assembly/program.h"
#include "mca-core/measure/measure_statement.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"

#include <algorithm>

namespace mca::measure {
namespace {

/// A region as the user sees it.
struct NamedRegion {
  std::string name;
  std::vector<uint32_t> instructions;
};

int fail(const llvm::Twine &message) {
  llvm::WithColor::error() << message << '\n';
  return 1;
}

/// The marker regions; without markers each innermost loop, whose name is its first line; without loops the whole text.
std::vector<NamedRegion> findRegions(const Program &program, const ProgramBranches &branches) {
  std::vector<NamedRegion> regions;
  for (const MarkerRegion &region : program.markerRegions())
    if (auto instructions = program.instructionsOf(region); !instructions.empty())
      regions.push_back({region.name, std::move(instructions)});
  if (!regions.empty())
    return regions;
  const auto from = [](uint32_t begin, uint32_t end) {
    const auto all = llvm::seq<uint32_t>(begin, end);
    return std::vector<uint32_t>(all.begin(), all.end());
  };
  uint32_t since = 0; // after the last backward branch: a loop that begins before it has one inside
  for (uint32_t i = 0; i < branches.size(); ++i) {
    const Branch &branch = branches.at(i);
    const bool isJump = branch.kind == BranchKind::Jump || branch.kind == BranchKind::ConditionalJump;
    if (!isJump || !branch.isBackward)
      continue;
    if (branch.target >= since)
      regions.push_back({"line " + std::to_string(branches.lineOf(branch.target)), from(branch.target, i + 1)});
    since = i + 1;
  }
  if (regions.empty() && branches.size())
    regions.push_back({"", from(0, branches.size())});
  return regions;
}

llvm::StringRef nameOf(RegionForm form) {
  return form == RegionForm::Loop ? "loop" : "unrolled";
}

/// Measures the regions one after the other, and prints each at once; JSON is printed at the end.
class Reporter {
public:
  Reporter(const Target &target, const Program &program, const RunOptions &options, llvm::raw_ostream &out)
      : target_(target), program_(program), branches_(target, program), options_(options), out_(out),
        printer_(target.createPrinter(program.syntaxVariant())), statements_(readMeasureStatements(program.text())) {}

  int run() {
    for (const Diagnostic &diagnostic : statements_.diagnostics)
      llvm::WithColor::warning() << "line " << lineAt(diagnostic.begin) << ": " << diagnostic.message << '\n';
    std::vector<NamedRegion> regions = findRegions(program_, branches_);
    if (!options_.region.empty())
      llvm::erase_if(regions, [&](const NamedRegion &one) { return one.name != options_.region; });
    if (regions.empty())
      return fail(options_.region.empty() ? "no assembly instructions found."
                                          : "there is no region '" + options_.region + "'");
    auto runner = CodeRunner::create();
    if (!runner)
      return fail(runner.message());
    auto gate = Gate::create(**runner);
    if (!gate)
      return fail(gate.message());
    RegionMeasurer measurer(**runner, *gate, {.timeout = options_.timeout});
    for (size_t i = 0; i < regions.size(); ++i)
      if (const int status = report(measurer, regions[i], i))
        return status;
    if (options_.json)
      out_ << llvm::formatv("{0:2}",
                            llvm::json::Value(llvm::json::Object{{"CPU", hostCpu()}, {"Regions", std::move(json_)}}))
           << '\n';
    return 0;
  }

private:
  int report(RegionMeasurer &measurer, const NamedRegion &region, size_t number) {
    const std::vector<RegisterSetting> settings = settingsOf(region);
    if (!options_.json)
      out_ << "[" << number << "]" << (region.name.empty() ? "" : " ") << region.name << '\n';
    llvm::json::Array forms;
    for (const RegionForm form : options_.forms) {
      const auto result = measurer.measure({.target = &target_,
                                            .program = &program_,
                                            .branches = &branches_,
                                            .instructions = region.instructions,
                                            .settings = settings},
                                           form);
      if (!result)
        return fail(result.message());
      if (options_.json)
        forms.push_back(toJson(form, *result));
      else
        print(form, *result);
    }
    if (options_.json)
      json_.push_back(llvm::json::Object{{"Name", region.name}, {"Forms", std::move(forms)}});
    out_.flush();
    return 0;
  }

  /// The statements inside the region and those before all regions, in their order.
  std::vector<RegisterSetting> settingsOf(const NamedRegion &region) const {
    const auto offsetOf = [&](uint32_t instruction) { return program_.instructions()[instruction].offset; };
    const uint32_t first = offsetOf(region.instructions.front()), last = offsetOf(region.instructions.back());
    const uint32_t begin = program_.markerRegions().empty() ? offsetOf(0) : program_.markerRegions().front().begin;
    std::vector<RegisterSetting> settings;
    for (const MeasureStatement &statement : statements_.statements)
      if (statement.offset < begin || (statement.offset > startOf(region, first) && statement.offset < last))
        llvm::append_range(settings, statement.settings);
    return settings;
  }

  /// Where the region begins, with its comments.
  uint32_t startOf(const NamedRegion &region, uint32_t first) const {
    for (const MarkerRegion &marker : program_.markerRegions())
      if (marker.name == region.name && marker.contains(first))
        return marker.begin;
    return first;
  }

  void print(RegionForm form, const RegionResult &result) {
    const std::string start = llvm::formatv("  {0,-9}", nameOf(form));
    if (const auto *refusal = std::get_if<RegionRefusal>(&result)) {
      out_ << start << "not measured: " << refusal->reason;
      if (refusal->instruction != kNone)
        out_ << " (line " << branches_.lineOf(refusal->instruction) << ": " << textOf(refusal->instruction) << ")";
      out_ << '\n';
      return;
    }
    const RegionCycles &cycles = std::get<RegionCycles>(result);
    out_ << start << llvm::formatv("{0,8:f2} cycles per iteration, ±{1:f1} %", cycles.cycles, cycles.spread * 50);
    if (form == RegionForm::Loop)
      out_ << (cycles.hasOwnBranch ? ", closed by its own branch" : ", closed by a counter");
    if (cycles.extraPages)
      out_ << ", " << cycles.extraPages << " further pages";
    if (cycles.symbols)
      out_ << ", " << cycles.symbols << (cycles.symbols == 1 ? " symbol" : " symbols") << " with other contents";
    out_ << '\n';
  }

  llvm::json::Object toJson(RegionForm form, const RegionResult &result) const {
    llvm::json::Object object{{"Form", nameOf(form)}};
    if (const auto *refusal = std::get_if<RegionRefusal>(&result)) {
      object["Refused"] = refusal->reason;
      if (refusal->instruction != kNone) {
        object["Line"] = branches_.lineOf(refusal->instruction);
        object["Instruction"] = textOf(refusal->instruction);
      }
      return object;
    }
    const RegionCycles &cycles = std::get<RegionCycles>(result);
    object["Cycles"] = cycles.cycles;
    object["Spread"] = cycles.spread;
    object["Rounds"] = cycles.rounds;
    object["Iterations"] = static_cast<int64_t>(cycles.iterations);
    object["OwnBranch"] = cycles.hasOwnBranch;
    object["FurtherPages"] = static_cast<int64_t>(cycles.extraPages);
    object["Symbols"] = static_cast<int64_t>(cycles.symbols);
    return object;
  }

  std::string textOf(uint32_t instruction) const {
    std::string text;
    llvm::raw_string_ostream stream(text);
    printer_->printInst(&program_.instructions()[instruction].inst, 0, "", target_.subtarget(), stream);
    std::ranges::replace(text, '\t', ' ');
    return llvm::StringRef(text).trim().str();
  }

  uint64_t lineAt(uint32_t offset) const {
    return 1 + llvm::count(llvm::StringRef(program_.text()).take_front(offset), '\n');
  }

  const Target &target_;
  const Program &program_;
  const ProgramBranches branches_;
  const RunOptions &options_;
  llvm::raw_ostream &out_;
  std::unique_ptr<llvm::MCInstPrinter> printer_;
  MeasureStatements statements_;
  llvm::json::Array json_;
};

} // namespace

int runRegions(const RunOptions &options, llvm::raw_ostream &out) {
  auto input = llvm::MemoryBuffer::getFileOrSTDIN(options.input);
  if (!input)
    return fail(options.input + ": " + input.getError().message());
  const auto target = Target::create(options.target);
  if (!target)
    return fail(target.message());
  if (!(*target)->cpuIsKnown())
    return 1; // LLVM has said so
  const std::unique_ptr<Program> program =
      Program::parse((*input)->getBuffer().str(), **target, {.bufferName = (*input)->getBufferIdentifier().str()});
  for (const Diagnostic &diagnostic : program->diagnostics()) {
    const llvm::StringRef before = llvm::StringRef(program->text()).take_front(diagnostic.begin);
    auto &stream =
        diagnostic.severity == Diagnostic::Severity::Error ? llvm::WithColor::error() : llvm::WithColor::warning();
    stream << "line " << 1 + before.count('\n') << ": " << diagnostic.message << '\n';
  }
  if (program->hasErrors())
    return 1;
  return Reporter(**target, *program, options, out).run();
}

} // namespace mca::measure
