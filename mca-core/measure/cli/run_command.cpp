#include "mca-core/measure/cli/run_command.h"

#include "mca-core/measure/cli/measured_regions.h"
#include "mca-core/measure/cli/reading_limits.h"
#include "mca-core/measure/registers.h"
#include "mca-core/program/entry_offsets.h"
#include "mca-core/target/input_file.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"

#include <algorithm>

namespace mca::measure {
namespace {

constexpr uint64_t kMaxInputBytes = 64u << 20;

int fail(const llvm::Twine &message) {
  llvm::WithColor::error() << message << '\n';
  return 1;
}

llvm::StringRef nameOf(RegionForm form) {
  return form == RegionForm::Loop ? "loop" : "unrolled";
}

/// Measures the regions one after the other, and prints each at once; JSON is printed at the end.
class Reporter {
public:
  Reporter(const Target &target, const Program &program, const RunOptions &options, llvm::raw_ostream &out)
      : target_(target), program_(program), flow_(target, program), options_(options), out_(out),
        printer_(target.createPrinter(program.syntaxVariant())), statements_(readMeasureStatements(program.text())),
        regions_(findRegions(program, flow_.branches)) {}

  int run() {
    if (regions_.empty())
      return fail("no assembly instructions found.");
    warnOfStatements();
    if (!options_.region.empty() && llvm::none_of(regions_, [&](const MeasuredRegion &one) { return isWanted(one); }))
      return fail("there is no region '" + options_.region + "'");
    const Result<bool> measured = measureAll();
    if (options_.json)
      printJson(measured ? "" : measured.message());
    return measured ? 0 : fail(measured.message());
  }

private:
  bool isWanted(const MeasuredRegion &region) const {
    return options_.region.empty() || region.name == options_.region;
  }

  void warnOfStatements() const {
    for (const Diagnostic &diagnostic : statements_.diagnostics)
      llvm::WithColor::warning() << "line " << lineAt(diagnostic.begin) << ": " << diagnostic.message << '\n';
    for (const MeasureStatement &statement : statements_.statements)
      if (!isForAll(statement, regions_) &&
          llvm::none_of(regions_, [&](const MeasuredRegion &one) { return one.contains(statement.offset); }))
        llvm::WithColor::warning()
            << "line " << lineAt(statement.offset)
            << ": this statement is in no region and not before all of them, so it sets nothing\n";
  }

  /// Fails if the machine is too busy; what is measured until then is reported.
  Result<bool> measureAll() {
    auto runner = CodeRunner::create();
    if (!runner)
      return Failure{runner.message()};
    auto gate = Gate::create(**runner);
    if (!gate)
      return Failure{gate.message()};
    RegionMeasurer measurer(**runner, *gate, {.timeout = options_.timeout});
    for (size_t i = 0; i < regions_.size(); ++i)
      if (isWanted(regions_[i]))
        if (const auto failure = measure(measurer, regions_[i], i))
          return *failure;
    return true;
  }

  std::optional<Failure> measure(RegionMeasurer &measurer, const MeasuredRegion &region, size_t number) {
    const std::vector<RegisterSetting> settings = settingsOf(region);
    if (!options_.json)
      out_ << "[" << number << "]" << (region.name.empty() ? "" : " ") << region.name << '\n';
    llvm::json::Array forms;
    std::optional<Failure> failure;
    std::optional<RegionRefusal> ofBoth;
    for (const RegionForm form : options_.forms) {
      const auto result = ofBoth ? Result<RegionResult>(RegionResult(*ofBoth))
                                 : measurer.measure({.target = &target_,
                                                     .program = &program_,
                                                     .branches = &flow_.branches,
                                                     .instructions = region.instructions,
                                                     .settings = settings},
                                                    form);
      if (!result) {
        failure = Failure{result.message()};
        break;
      }
      if (const auto *refusal = std::get_if<RegionRefusal>(&*result); refusal && refusal->holdsForBothForms)
        ofBoth = *refusal;
      if (options_.json)
        forms.push_back(toJson(form, *result));
      else
        print(form, *result);
    }
    if (!forms.empty())
      json_.push_back(llvm::json::Object{{"Name", region.name}, {"Forms", std::move(forms)}});
    out_.flush();
    return failure;
  }

  /// `error`: why regions are missing; empty if none is.
  void printJson(const std::string &error) {
    llvm::json::Object object{{"CPU", hostCpu()}, {"Regions", std::move(json_)}};
    if (!error.empty())
      object["Error"] = error;
    out_ << llvm::formatv("{0:2}", llvm::json::Value(std::move(object))) << '\n';
    out_.flush();
  }

  /// Pointers begin where the code before the region has them begin, in a line of the cache.
  std::vector<RegisterSetting> settingsOf(const MeasuredRegion &region) const {
    std::vector<RegisterSetting> settings;
    const GeneralRegisters registers(target_.registers());
    for (const EntryOffset &entry : findEntryOffsets(flow_, region.instructions.front(), region.instructions))
      if (const std::optional<uint32_t> one = registers.indexOf(entry.reg))
        settings.push_back({.generalRegister = *one, .kind = RegisterSetting::Kind::Added, .value = entry.bytes});
    for (const MeasureStatement &statement : statements_.statements)
      if (region.contains(statement.offset) || isForAll(statement, regions_))
        llvm::append_range(settings, statement.settings);
    return settings;
  }

  void print(RegionForm form, const RegionResult &result) {
    const std::string start = llvm::formatv("  {0,-9}", nameOf(form));
    if (const auto *refusal = std::get_if<RegionRefusal>(&result)) {
      out_ << start << "not measured: " << refusal->reason;
      if (refusal->instruction != kNone)
        out_ << " (line " << flow_.branches.lineOf(refusal->instruction) << ": " << textOf(refusal->instruction) << ")";
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
        object["Line"] = flow_.branches.lineOf(refusal->instruction);
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
  const ControlFlow flow_;
  const RunOptions &options_;
  llvm::raw_ostream &out_;
  std::unique_ptr<llvm::MCInstPrinter> printer_;
  MeasureStatements statements_;
  std::vector<MeasuredRegion> regions_;
  llvm::json::Array json_; ///< of the regions that are measured
};

} // namespace

namespace {

Result<std::unique_ptr<llvm::MemoryBuffer>> readInput(const std::string &path) {
  if (path != "-")
    return readInputFile(path, kMaxInputBytes);
  auto input = llvm::MemoryBuffer::getSTDIN();
  if (!input)
    return Failure{path + ": " + input.getError().message()};
  return std::move(*input);
}

} // namespace

int runRegions(const RunOptions &options, llvm::raw_ostream &out) {
  std::optional<ReadingLimits> limits(std::in_place);
  auto input = readInput(options.input);
  if (!input)
    return fail(input.message());
  const auto target = Target::create(options.target);
  if (!target)
    return fail(target.message());
  if (!(*target)->cpuIsKnown())
    return 1; // LLVM has said so
  const std::unique_ptr<Program> program =
      Program::parse((*input)->getBuffer().str(), **target,
                     {.files = regularFiles(kMaxInputBytes), .bufferName = (*input)->getBufferIdentifier().str()});
  limits.reset();
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
