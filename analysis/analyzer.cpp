// The steps of one analysis, in order: settings, compiler, target, parser, regions, simulation, insight. Each step adds
// its findings to the result and the next one works with what there is.
#include "analysis/analyzer.h"

#include "analysis/buffer_settings.h"
#include "analysis/compile/git_head.h"
#include "analysis/compile/ready_compiler.h"
#include "analysis/compile_cache.h"
#include "analysis/cpu_list.h"
#include "analysis/insight/budget_check.h"
#include "analysis/insight/documents/document.h"
#include "analysis/insight/findings.h"
#include "analysis/insight/listing.h"
#include "analysis/parallel.h"
#include "analysis/presentation.h"
#include "analysis/regions/block_profile.h"
#include "analysis/regions/region.h"
#include "analysis/regions/source_iterations.h"
#include "analysis/regions/source_markers.h"
#include "analysis/report_cache.h"
#include "analysis/simulations.h"
#include "analysis/source_map/inline_scopes.h"
#include "analysis/target_choice.h"
#include "analysis/wire/finding_codes.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <iterator>
#include <set>
#include <span>
#include <thread>

namespace analysis {
namespace {

constexpr size_t kCachedReports = 16384;     // more than the loops of the largest files
constexpr size_t kCachedTargets = 16;        // more than a job asks for
constexpr size_t kMaxMessageBytes = 600;     // a parser's message may quote a whole line
constexpr size_t kMostThreads = 8;           // the editor has work for the others
constexpr uint32_t kDefaultIterations = 100; // llvm-mca's

using Clock = std::chrono::steady_clock;

uint64_t microsSince(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start).count();
}

/// Whether the text may hold markers written as `asm volatile`, which keep a loop from being vectorized.
bool marksWithAsm(const std::string &text) {
  return text.find("LLVM-MCA-") != std::string::npos && text.find("asm") != std::string::npos;
}

} // namespace

struct Analyzer::State {
  /// The target, made once; null with a message when there is none.
  SimulatedTarget *target(const mca::TargetSelection &selection, std::string &error);

  wire::AnalysisResult analyse(wire::AnalyzeRequest request, std::stop_token stop, const ProgressSink &progress);
  wire::AnalysisResult analyseHead(wire::AnalyzeRequest request, std::stop_token stop, const ProgressSink &progress);

  size_t threads = 1; ///< that simulate
  ReportCache reports{kCachedReports};
  CompileCache compiled;
  ReadyCompiler readyCompiler;
  std::list<std::pair<mca::TargetSelection, std::unique_ptr<SimulatedTarget>>> targets;
};

SimulatedTarget *Analyzer::State::target(const mca::TargetSelection &selection, std::string &error) {
  for (auto it = targets.begin(); it != targets.end(); ++it)
    if (it->first == selection) {
      targets.splice(targets.begin(), targets, it);
      return it->second.get();
    }
  auto made = mca::Target::create(selection);
  if (!made) {
    error = made.message();
    return nullptr;
  }
  targets.emplace_front(selection, std::make_unique<SimulatedTarget>(std::move(*made)));
  if (targets.size() > kCachedTargets)
    targets.pop_back();
  return targets.front().second.get();
}

namespace {

/// One run: what the steps hand on to each other.
class Job {
public:
  Job(wire::AnalyzeRequest request, std::stop_token stop, const ProgressSink &progress, ReportCache &reports,
      CompileCache &compileCache, ReadyCompiler &readyCompiler, FindTarget findTarget, size_t threads)
      : request_(std::move(request)), stop_(std::move(stop)), progress_(progress), reports_(reports),
        compileCache_(compileCache), readyCompiler_(readyCompiler), findTarget_(std::move(findTarget)),
        threads_(threads), lines_(request_.text) {
    result_.id = request_.id;
  }

  wire::AnalysisResult run();

private:
  /// A header is compiled through a source that includes it.
  bool isCompiledAsPart() const { return command_.compiledFile != request_.path; }
  bool isAssembly() const { return request_.language == wire::Language::Assembly; }
  std::string fileName() const { return llvm::sys::path::filename(request_.path).str(); }
  bool compileSource(std::string &assembly);
  CompileCache::Entry compileAnew();
  bool isSameAsOnDisk() const;
  void reportCompileFailure(const CompileResult &compiled);
  bool selectTarget();
  void addTargetFindings(const TargetChoice &choice);
  void parse(std::string assembly);
  std::unique_ptr<mca::Program> programOf(std::string assembly);
  void findRegions();
  uint32_t wantedIterations() const;
  void simulateRegions();
  void addSimulated(SimulatedRegion simulated);
  std::vector<std::string> caveatsOf(const Region &region, const mca::Simulation &simulation) const;
  void addSkipped(const Region &region, const mca::Simulation &simulation);
  mca::SimulationOptions simulationOptions() const;
  bool answersInParts() const;
  void tellLines(Presentation &presentation);
  void takeParts(std::vector<wire::Part> parts, const Presentation &presentation);
  void appendPart(wire::Part part, std::span<const size_t> orders);
  void countCoverage();
  void present();
  void checkBudgets();
  BudgetedRegion checkBudget(const Budget &budget, const std::string &cpu, const Region &region) const;
  void makeDocuments();
  void addFinding(wire::Finding finding);
  void tell(wire::Stage stage, std::string what, wire::ByteRange at = {}, size_t done = 0, size_t total = 0);

  wire::AnalyzeRequest request_;
  std::stop_token stop_;
  const ProgressSink &progress_;
  ReportCache &reports_;
  CompileCache &compileCache_;
  ReadyCompiler &readyCompiler_;
  /// What the numbers rest on, worth a finding once there are numbers.
  std::vector<wire::Finding> assumptions_;
  FindTarget findTarget_;
  size_t threads_;
  TextLines lines_;

  BufferSettings bufferSettings_;
  CompileCommand command_;
  std::optional<CompiledTarget> compiled_;
  std::vector<LoopRemark> remarks_;
  mca::TargetSelection selection_;
  const mca::Target *target_ = nullptr;
  Simulators *simulators_ = nullptr;
  ProgramCache *programs_ = nullptr;
  bool keepsProgram_ = false; // the next job may start from it
  std::unique_ptr<mca::Program> program_;
  InlineScopes scopes_;
  std::optional<SourceMap> map_;
  std::vector<uint32_t> unreadable_; // offsets of parse errors in the assembly, ascending
  std::vector<Region> regions_;
  std::optional<Simulations> simulations_; // where the target has a model
  std::vector<SimulatedRegion> simulated_;
  wire::AnalysisResult result_;
};

wire::AnalysisResult Job::run() {
  const Clock::time_point start = Clock::now();
  bufferSettings_ = readBufferSettings(lines_);
  for (wire::Finding &finding : bufferSettings_.findings)
    addFinding(std::move(finding));
  std::string assembly;
  const bool compiled = isAssembly() || compileSource(assembly);
  if (compiled && selectTarget()) {
    parse(isAssembly() ? request_.text : std::move(assembly));
    findRegions();
    simulateRegions();
    if (!stop_.stop_requested())
      present();
    if (request_.settings.markerRegions)
      checkBudgets();
  }
  makeDocuments();
  if (keepsProgram_)
    programs_->put(request_.path, std::move(program_));
  if (stop_.stop_requested())
    return {.id = request_.id, .status = wire::Status::Cancelled};
  result_.analysisMicros = microsSince(start) - result_.compileMicros;
  return std::move(result_);
}

void Job::tell(wire::Stage stage, std::string what, wire::ByteRange at, size_t done, size_t total) {
  progress_({.id = request_.id,
             .stage = stage,
             .what = std::move(what),
             .at = at,
             .done = static_cast<uint32_t>(done),
             .total = static_cast<uint32_t>(total)});
}

/// The message cut at the end of a character.
wire::Finding shortened(wire::Finding finding) {
  if (finding.message.size() > kMaxMessageBytes) {
    size_t end = kMaxMessageBytes;
    while (end > 0 && (static_cast<unsigned char>(finding.message[end]) & 0xC0) == 0x80)
      --end; // not inside a character
    finding.message.resize(end);
    finding.message += "…";
  }
  return finding;
}

void Job::addFinding(wire::Finding finding) {
  assert(wire::findFindingKind(finding.code) && "each code is in the table");
  if (result_.findings.size() < wire::kMaxFindings)
    result_.findings.push_back(shortened(std::move(finding)));
}

bool Job::compileSource(std::string &assembly) {
  const CompileCache::Key key = CompileCache::keyOf(request_);
  CompileCache::Entry output = request_.reuseCompiled ? compileCache_.find(key) : nullptr;
  if (!output) {
    output = compileAnew();
    if (!output->result.succeeded)
      return false;
    compileCache_.insert(key, output);
  }
  command_ = output->command;
  result_.target.commandOrigin = command_.origin;
  result_.notes = command_.notes;
  compiled_ = targetOf(command_);
  if (!command_.inferredFrom.empty())
    assumptions_.push_back(wholeFileFinding(
        lines_, wire::Severity::Information, wire::codes::kInferredCommand,
        "command " + command_.origin + (isCompiledAsPart() ? ", as a part of which this file is compiled" : "")));
  else if (command_.fallback)
    assumptions_.push_back(
        wholeFileFinding(lines_, wire::Severity::Information, wire::codes::kNoCompileCommand,
                         "no compile command names this file; compiled with the " + command_.origin));
  assembly = output->result.assembly;
  remarks_ = output->result.remarks;
  return true;
}

/// Without success where there is no output; the findings say why.
CompileCache::Entry Job::compileAnew() {
  const auto output = std::make_shared<CompileCache::Output>();
  output->command = command_ = findCompileCommand(
      request_.path, request_.language, request_.settings,
      {.vectorizerReasons = marksWithAsm(request_.text), .openFiles = request_.openFiles, .stop = stop_});
  result_.target.commandOrigin = command_.origin;
  result_.notes = command_.notes;
  const bool saved = isSameAsOnDisk();
  const bool mayDiffer = request_.settings.compileOnChange || request_.version == wire::Version::Head;
  if (!saved && !(mayDiffer && compilesUnsavedText(command_))) {
    addFinding(wholeFileFinding(lines_, wire::Severity::Information, wire::codes::kNotSaved,
                                "the buffer differs from the file on disk: save it to analyse it"));
    return output;
  }
  tell(wire::Stage::Compiling, fileName());
  const UnsavedText unsaved{request_.path, saved ? "" : request_.text};
  output->result = compile(command_, stop_, saved ? nullptr : &unsaved, &readyCompiler_);
  result_.compileMicros = output->result.micros;
  if (!output->result.succeeded && !output->result.cancelled)
    reportCompileFailure(output->result);
  return output;
}

/// The compiler reads the file, not the buffer: lines of the one mean nothing in the other when they differ.
bool Job::isSameAsOnDisk() const {
  const auto file = llvm::MemoryBuffer::getFile(request_.path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return !file || (*file)->getBuffer() == request_.text;
}

void Job::reportCompileFailure(const CompileResult &compiled) {
  for (const CompilerDiagnostic &diagnostic : compiled.diagnostics)
    addFinding(findingOf(diagnostic, request_.path, lines_));
  if (compiled.diagnostics.empty())
    addFinding(wholeFileFinding(lines_, wire::Severity::Error, wire::codes::kCompileError, compiled.failure));
}

bool Job::selectTarget() {
  const TargetChoice choice = chooseTarget(bufferSettings_, request_.settings, compiled_);
  selection_ = choice.selection;
  std::string error;
  SimulatedTarget *const simulated = findTarget_(selection_, error);
  result_.target.triple = choice.selection.triple;
  result_.target.features = choice.selection.features;
  result_.target.cpu = choice.selection.cpu;
  result_.target.cpuOrigin = choice.cpuOrigin;
  if (!simulated) {
    addFinding(wholeFileFinding(lines_, wire::Severity::Error, wire::codes::kUnknownTarget, error));
    return false;
  }
  const mca::Target *target = simulated->target.get();
  target_ = target;
  simulators_ = &simulated->simulators;
  programs_ = &simulated->programs;
  if (!target->cpuIsKnown()) {
    result_.target.modelOrigin = "none: LLVM does not know the CPU";
    addFinding(wholeFileFinding(lines_, wire::Severity::Error, wire::codes::kUnknownCpu,
                                "LLVM knows no CPU '" + target->cpu() + "' for " + target->triple().str() + " (" +
                                    choice.cpuOrigin + ")"));
    return false;
  }
  result_.target.modelOrigin = target->modelOrigin().describe(target->cpu());
  std::erase_if(request_.before, [&](const wire::Baseline &before) { return before.cpu != target->cpu(); });
  addTargetFindings(choice);
  if (target->hasSchedulingModel())
    simulations_.emplace(Simulations::Context{.target = *target,
                                              .options = simulationOptions(),
                                              .reports = reports_,
                                              .simulators = *simulators_,
                                              .threads = threads_,
                                              .stop = stop_,
                                              .progress = progress_});
  return true;
}

void Job::addTargetFindings(const TargetChoice &choice) {
  const char *comment = isAssembly() ? "# mca: cpu=NAME" : "// mca: cpu=NAME";
  if (!target_->hasSchedulingModel())
    addFinding(wholeFileFinding(lines_, wire::Severity::Warning, wire::codes::kNoSchedulingModel,
                                "LLVM has no scheduling model for " + target_->cpu() + " (" + choice.cpuOrigin +
                                    "): choose another CPU with a comment `" + comment + "` or the setting mca.cpu"));
  else if (choice.cpuAssumed)
    assumptions_.push_back(wholeFileFinding(lines_, wire::Severity::Information, wire::codes::kAssumedCpu,
                                            "the numbers are for " + target_->cpu() + " (" + choice.cpuOrigin +
                                                "): name the CPU with a comment `" + comment +
                                                "` or the setting mca.cpu"));
  for (const std::string &feature : target_->unknownFeatures())
    addFinding(wholeFileFinding(lines_, wire::Severity::Warning, wire::codes::kUnknownFeature,
                                "LLVM knows no feature '" + feature + "' for " + target_->triple().str() +
                                    ": it is left out"));
}

/// Of an assembly buffer the program of the job before follows the edit, where it can.
std::unique_ptr<mca::Program> Job::programOf(std::string assembly) {
  keepsProgram_ = isAssembly() && request_.version == wire::Version::Buffer;
  if (keepsProgram_)
    if (std::unique_ptr<mca::Program> known = programs_->take(request_.path);
        known && known->update(assembly, *target_))
      return known;
  mca::ParseOptions options;
  options.stop = stop_;
  // A text that was opened for a look may not read other files: `.include` and `.incbin` find nothing.
  options.files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  if (isAssembly() && request_.settings.loops && simulations_)
    options.onFunction = [this](const mca::Program &soFar) {
      simulations_->lookAhead(soFar, {.id = request_.id, .stage = wire::Stage::Parsing, .what = fileName()});
    };
  if (!isAssembly()) {
    options.keepData = InlineScopes::sections();
    for (std::string &section : blockProfileSections())
      options.keepData.push_back(std::move(section));
  }
  std::unique_ptr<mca::Program> program = mca::Program::parse(std::move(assembly), *target_, options);
  keepsProgram_ &= !stop_.stop_requested();
  return program;
}

void Job::parse(std::string assembly) {
  tell(wire::Stage::Parsing, fileName());
  program_ = programOf(std::move(assembly));
  for (const mca::Diagnostic &diagnostic : program_->diagnostics()) {
    if (!diagnostic.fromMarker && diagnostic.severity == mca::Diagnostic::Severity::Error)
      unreadable_.push_back(diagnostic.begin);
    if (isAssembly())
      addFinding(findingOf(diagnostic));
  }
  std::sort(unreadable_.begin(), unreadable_.end());
  if (!isAssembly() && !unreadable_.empty())
    addFinding(wholeFileFinding(lines_, wire::Severity::Warning, wire::codes::kParseError,
                                std::to_string(unreadable_.size()) +
                                    " lines of the compiler's assembly could not be read, the first because: " +
                                    program_->diagnostics().front().message));
  if (!isAssembly())
    scopes_ = InlineScopes::read(*program_);
  map_ = isAssembly() ? SourceMap::ofAssembly(*program_, lines_)
                      : SourceMap::ofSource(*program_, lines_, request_.path, command_.directory, scopes_);
}

void Job::findRegions() {
  if (stop_.stop_requested())
    return;
  tell(wire::Stage::FindingRegions, fileName());
  const RegionKinds kinds{request_.settings.markerRegions, request_.settings.loops, request_.settings.wholeSnippets};
  if (isAssembly()) {
    regions_ = findAssemblyRegions(*target_, *program_, *map_, kinds).regions;
    return;
  }
  const SourceMarkers markers = findSourceMarkers(request_.text, request_.language);
  for (const mca::Diagnostic &diagnostic : markers.diagnostics)
    addFinding(findingOf(diagnostic));
  const LoopStatements statements(request_.text, request_.language);
  const SourceFacts facts{markers.regions, &statements, request_.language,
                          branchProbabilities(readBlockProfiles(*program_)), &scopes_};
  Regions found = findSourceRegions(*target_, *program_, *map_, facts, kinds);
  regions_ = std::move(found.regions);
  findSourceIterations(*target_, *program_, remarks_, regions_);
  result_.coverage.elsewhere = static_cast<uint32_t>(found.elsewhere.size());
  if (!isCompiledAsPart() && !found.elsewhere.empty())
    addFinding(elsewhereFinding(found.elsewhere, lines_));
  for (wire::Finding &finding : markerFindings(remarks_, request_.path, lines_))
    addFinding(std::move(finding));
  for (const mca::MarkerRegion &marker : markers.regions) {
    const bool found = std::any_of(regions_.begin(), regions_.end(), [&](const Region &region) {
      return region.kind == wire::RegionKind::Marker && region.anchor == marker.begin;
    });
    if (!found && kinds.markers)
      addFinding({.at = {marker.begin, marker.begin + marker.beginLength},
                  .severity = wire::Severity::Warning,
                  .code = wire::codes::kEmptyRegion,
                  .message = "the compiler made no instruction for the marked lines"});
  }
}

uint32_t Job::wantedIterations() const {
  return bufferSettings_.iterations     ? bufferSettings_.iterations
         : request_.settings.iterations ? request_.settings.iterations
                                        : kDefaultIterations;
}

mca::SimulationOptions Job::simulationOptions() const {
  mca::SimulationOptions options;
  options.iterations = wantedIterations();
  options.timeline = true;
  return options;
}

void Job::simulateRegions() {
  if (!simulations_)
    return;
  std::vector<SimulatedRegion> found;
  for (size_t i = 0; i < regions_.size() && !stop_.stop_requested(); ++i) {
    const Region &region = regions_[i];
    const ReportCache::Key key = simulations_->keyOf(*program_, region.instructions);
    const wire::Progress about{.id = request_.id,
                               .stage = wire::Stage::Simulating,
                               .what = region.name,
                               .at = region.at,
                               .done = static_cast<uint32_t>(i),
                               .total = static_cast<uint32_t>(regions_.size())};
    found.push_back({&region, key, simulations_->find(key, *program_, region.instructions, about), {}});
  }
  simulations_->finish();
  for (SimulatedRegion &simulated : found)
    if (simulated.entry->finished)
      addSimulated(std::move(simulated));
}

void Job::addSimulated(SimulatedRegion simulated) {
  const Region &region = *simulated.region;
  if (mca::Result<mca::Simulation> &simulation = simulated.entry->simulation) {
    simulated.caveats = caveatsOf(region, *simulation);
    simulated_.push_back(std::move(simulated));
  } else {
    addFinding({.at = lines_.content(lines_.lineOf(region.anchor)),
                .severity = wire::Severity::Warning,
                .code = wire::codes::kNotSimulated,
                .message = "this region cannot be simulated: " + simulation.message()});
  }
}

std::vector<std::string> Job::caveatsOf(const Region &region, const mca::Simulation &simulation) const {
  std::vector<std::string> caveats = region.caveats;
  // Of an assembly buffer the region's own lines, which may begin with one that could not be read; of a compiler's text
  // what lies between the instructions, among which a path may jump backwards.
  const auto [first, last] = std::minmax_element(region.instructions.begin(), region.instructions.end());
  const auto instructions = program_->instructions();
  const wire::ByteRange text =
      isAssembly() ? region.at : wire::ByteRange{instructions[*first].offset, instructions[*last].offset};
  const auto unread = std::lower_bound(unreadable_.begin(), unreadable_.end(), text.begin);
  if (unread != unreadable_.end() && *unread <= text.end)
    caveats.push_back("a line in it could not be read and is missing");
  if (!simulation.skipped.empty())
    caveats.push_back(std::to_string(simulation.skipped.size()) + " of its instructions " +
                      (simulation.skipped.size() == 1 ? "has" : "have") + " no scheduling data on " + target_->cpu() +
                      " and " + (simulation.skipped.size() == 1 ? "is" : "are") + " missing");
  using Kind = mca::ModelOrigin::Kind;
  const Kind origin = target_->modelOrigin().kind;
  if (origin == Kind::Borrowed || origin == Kind::Shared)
    caveats.push_back(result_.target.modelOrigin);
  return caveats;
}

/// Several paths may go through one such instruction, which is told once.
void Job::addSkipped(const Region &region, const mca::Simulation &simulation) {
  for (const mca::SkippedInstruction &skipped : simulation.skipped) {
    const uint32_t line = region.lines[skipped.instruction];
    if (!line)
      continue;
    const wire::ByteRange at = lines_.content(line - 1);
    const bool told = llvm::any_of(result_.findings, [&](const wire::Finding &one) {
      return one.at == at && one.code == wire::codes::kNoSchedulingData;
    });
    if (!told)
      addFinding({.at = at,
                  .severity = wire::Severity::Warning,
                  .code = wire::codes::kNoSchedulingData,
                  .message = "no scheduling data on " + target_->cpu() + ": left out of the numbers (" +
                             skipped.message + ")"});
  }
}

void Job::present() {
  if (!simulated_.empty()) {
    for (wire::Finding &assumption : assumptions_)
      addFinding(std::move(assumption));
    if (std::optional<wire::Finding> borrowed = modelFinding(*target_, lines_))
      addFinding(std::move(*borrowed));
  }
  for (const SimulatedRegion &simulated : simulated_)
    addSkipped(*simulated.region, *simulated.entry->simulation);
  const mca::SimulationOptions options = simulationOptions();
  const auto simulating = [&](size_t order) {
    const Region &region = *simulated_[order].region;
    tell(wire::Stage::Simulating, region.name, region.at, order, simulated_.size());
  };
  Presentation presentation({request_, result_.target, *target_, simulators_->own(), *program_, lines_, options,
                             findTarget_, stop_, simulating},
                            simulated_);
  tellLines(presentation);
  countCoverage();
}

/// Documents and budgets are made of all regions, so none may be missing. Where a compiler runs there is nothing to
/// gain.
bool Job::answersInParts() const {
  return request_.inParts && isAssembly() && request_.documents.empty() && bufferSettings_.budgets.empty();
}

/// Line by line, but for those that the server has as they are.
void Job::tellLines(Presentation &presentation) {
  const bool inParts = answersInParts();
  const std::set<uint64_t> known(request_.knownParts.begin(), request_.knownParts.end());
  std::vector<wire::Part> parts(presentation.lineCount());
  for (size_t line = 0; line < parts.size() && !stop_.stop_requested(); ++line) {
    if (inParts) {
      parts[line].id = presentation.idOf(line);
      parts[line].kept = known.contains(parts[line].id);
    }
    if (!parts[line].kept)
      presentation.deepen(line);
  }
  // LLVM prints expressions of any depth: for listings, that takes the stack of the job's own thread.
  const size_t threads = request_.settings.listings ? 1 : threads_;
  forEachInParallel(parts.size(), threads, [&](size_t line) {
    if (parts[line].kept || stop_.stop_requested())
      return;
    const uint64_t id = parts[line].id;
    parts[line] = presentation.part(line);
    parts[line].id = id;
  });
  if (stop_.stop_requested())
    return;
  if (inParts)
    return takeParts(std::move(parts), presentation);
  result_.regions.resize(simulated_.size());
  for (size_t line = 0; line < parts.size(); ++line)
    appendPart(std::move(parts[line]), presentation.ordersOf(line));
}

void Job::takeParts(std::vector<wire::Part> parts, const Presentation &presentation) {
  for (size_t line = 0; line < parts.size(); ++line) {
    wire::Part &part = parts[line];
    part.text = presentation.textOf(line);
    part.line = lines_.lineOf(part.text.begin);
    for (wire::Finding &finding : part.findings)
      finding = shortened(std::move(finding));
  }
  result_.parts = std::move(parts);
}

void Job::appendPart(wire::Part part, std::span<const size_t> orders) {
  std::move(part.hints.begin(), part.hints.end(), std::back_inserter(result_.hints));
  std::move(part.hovers.begin(), part.hovers.end(), std::back_inserter(result_.hovers));
  for (wire::Finding &finding : part.findings)
    addFinding(std::move(finding));
  for (size_t i = 0; i < orders.size(); ++i)
    result_.regions[orders[i]] = std::move(part.regions[i]);
}

void Job::checkBudgets() {
  for (const Budget &budget : bufferSettings_.budgets) {
    const std::string &cpu = budget.cpu.empty() ? result_.target.cpu : budget.cpu;
    if (cpu != result_.target.cpu)
      tell(wire::Stage::Simulating, "the budget on " + cpu, budget.at);
    std::vector<BudgetedRegion> checked;
    for (size_t i = 0; i < regions_.size() && !stop_.stop_requested(); ++i) {
      if (!isBudgetOf(budget, regions_[i]))
        continue;
      checked.push_back(checkBudget(budget, cpu, regions_[i]));
      for (size_t order = 0; order < simulated_.size(); ++order)
        if (simulated_[order].region == &regions_[i])
          result_.regions[order].budgets.push_back(resultOf(budget, cpu, checked.back()));
    }
    // However many there are: a build may fail on any of them.
    if (std::optional<wire::Finding> finding = findingOf(budget, cpu, checked))
      result_.findings.push_back(shortened(std::move(*finding)));
  }
}

BudgetedRegion Job::checkBudget(const Budget &budget, const std::string &cpu, const Region &region) const {
  const auto simulated = llvm::find_if(simulated_, [&](const SimulatedRegion &one) { return one.region == &region; });
  if (cpu == result_.target.cpu) {
    if (simulated == simulated_.end())
      return notBudgeted(region);
    BudgetedRegion here = budgetedHere(budget, Presentation::plain(*simulated));
    here.why = result_.regions[simulated - simulated_.begin()].bottleneck;
    return here;
  }
  const std::string listing = listingOf(*program_, *target_, region.instructions);
  // Asked for again, our own target is not the one that goes when another one is made.
  std::string error;
  findTarget_(selection_, error);
  return budgetedOn(budget, region, simulateOn(cpu, selection_.triple, listing, wantedIterations(), findTarget_));
}

void Job::makeDocuments() {
  DocumentSources sources{.path = request_.path,
                          .summary = result_,
                          .lines = lines_,
                          .target = target_,
                          .simulator = simulators_ ? &simulators_->own() : nullptr,
                          .program = program_.get(),
                          .map = map_ ? &*map_ : nullptr,
                          .regions = {}};
  // The summaries are in the order of the simulations.
  for (size_t i = 0; i < result_.regions.size(); ++i)
    sources.regions.push_back({simulated_[i].region, &result_.regions[i]});
  for (const wire::DocumentRequest &document : request_.documents)
    if (!stop_.stop_requested())
      result_.documents.push_back(makeDocument(sources, document));
}

void Job::countCoverage() {
  const auto isLoop = [&](const Region &region) {
    return region.kind == wire::RegionKind::Loop || region.kind == wire::RegionKind::Path;
  };
  llvm::DenseSet<uint32_t> all, hinted;
  for (const Region &region : regions_)
    if (isLoop(region))
      all.insert(region.loop);
  for (const SimulatedRegion &simulated : simulated_)
    if (isLoop(*simulated.region))
      hinted.insert(simulated.region->loop);
  result_.coverage.loops = static_cast<uint32_t>(all.size()) + result_.coverage.elsewhere;
  result_.coverage.hinted = static_cast<uint32_t>(hinted.size());
}

} // namespace

Analyzer::Analyzer(size_t threads) : state_(std::make_unique<State>()) {
  state_->threads = threads ? threads : std::clamp<size_t>(std::thread::hardware_concurrency(), 1, kMostThreads);
}
Analyzer::~Analyzer() = default;

wire::AnalysisResult Analyzer::State::analyse(wire::AnalyzeRequest request, std::stop_token stop,
                                              const ProgressSink &progress) {
  const auto findTarget = [this](const mca::TargetSelection &selection, std::string &error) {
    return target(selection, error);
  };
  return Job(std::move(request), std::move(stop), progress, reports, compiled, readyCompiler, findTarget, threads)
      .run();
}

wire::AnalysisResult Analyzer::State::analyseHead(wire::AnalyzeRequest request, std::stop_token stop,
                                                  const ProgressSink &progress) {
  std::optional<std::string> committed = readGitHead(request.path, stop);
  wire::AnalysisResult result;
  result.id = request.id;
  result.status = stop.stop_requested() ? wire::Status::Cancelled : wire::Status::Finished;
  if (!committed || *committed == request.text)
    return result;
  const uint64_t head = llvm::xxh3_64bits(*committed) | 1; // never 0
  if (head != request.knownHead) {
    request.text = std::move(*committed);
    result = analyse(std::move(request), std::move(stop), progress);
  }
  result.head = head;
  return result;
}

wire::AnalysisResult Analyzer::run(const wire::AnalyzeRequest &request, std::stop_token stop,
                                   const ProgressSink &progress) {
  return request.version == wire::Version::Head ? state_->analyseHead(request, std::move(stop), progress)
                                                : state_->analyse(request, std::move(stop), progress);
}

wire::CpusResult Analyzer::run(const wire::CpusRequest &request) {
  return listCpus(request);
}

void Analyzer::prepare() {
  state_->readyCompiler.prepare();
}

void Analyzer::rest() {
  state_->readyCompiler.end();
}

} // namespace analysis
