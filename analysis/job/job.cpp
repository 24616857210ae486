// The steps of a job from the text to the numbers: settings, compiler, target, parser, regions, simulation. A step that
// fails adds a finding, and the steps that depend on it are skipped.
#include "analysis/job/job.h"

#include "analysis/compile/modules.h"
#include "analysis/dialect/read_assembly.h"
#include "analysis/files/regular_file.h"
#include "analysis/job/calibration_advice.h"
#include "analysis/job/cpu_list.h"
#include "analysis/job/findings.h"
#include "analysis/job/inputs.h"
#include "analysis/job/late_copies.h"
#include "analysis/job/marked_loops.h"
#include "analysis/job/other_files.h"
#include "analysis/regions/block_profile.h"
#include "analysis/regions/caveats.h"
#include "analysis/regions/errno_calls.h"
#include "analysis/regions/region_limits.h"
#include "analysis/regions/source_iterations.h"
#include "analysis/regions/source_markers.h"
#include "analysis/regions/vector_type.h"
#include "analysis/regions/why_not.h"
#include "analysis/simulate/model_errors.h"
#include "analysis/text/comment_syntax.h"
#include "analysis/text/counts.h"
#include "analysis/wire/finding_codes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <set>

namespace analysis {

using wire::Sentence;
namespace {

constexpr uint32_t kDefaultIterations = 100; // llvm-mca's
/// Largest assembly of a source, in bytes, that stays parsed for its headers. `--check` analyses each header of a
/// project once per source, and parsing would be repeated for each.
constexpr size_t kMaxSourceProgram = size_t{8} << 20;

using Clock = std::chrono::steady_clock;

uint64_t microsSince(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start).count();
}

/// Of a loop with branches they are those of all its code, so that all ways through it begin alike.
std::vector<mca::EntryOffset> entryOffsetsOf(const Region &region, const mca::ControlFlow &code) {
  if (region.body)
    return mca::findEntryOffsets(code, region.body->loop.header(), region.body->loop.instructions);
  return mca::findEntryOffsets(code, region.instructions.front(), region.instructions);
}

} // namespace

wire::AnalysisResult Job::run() {
  const Clock::time_point start = Clock::now();
  bufferSettings_ = readBufferSettings(lines_);
  for (wire::Finding &finding : bufferSettings_.findings)
    addFinding(std::move(finding));
  if (!reportForeignDialect())
    analyse();
  makeViews();
  if (keepsProgram_)
    programs_->put(programKey(), std::move(program_), isAssembly() ? ProgramCache::kMaxText : kMaxSourceProgram);
  if (request_.listInputs)
    listInputs();
  if (stop_.stop_requested())
    return {.id = request_.id, .status = wire::Status::Cancelled};
  result_.analysisMicros = microsSince(start) - result_.compileMicros;
  return std::move(result_);
}

void Job::analyse() {
  std::string assembly;
  isPreprocessed_ = goesThroughPreprocessor();
  readSigns();
  const bool isRead = isAssembly() && !isPreprocessed();
  const bool compiled = isRead || compileSource(assembly);
  reportInferredTarget();
  if (!compiled || !selectTarget())
    return;
  parse(isRead ? request_.text : std::move(assembly));
  if (!usesOldModule())
    analyseRegions();
}

void Job::analyseRegions() {
  findRegions();
  simulateRegions();
  if (!stop_.stop_requested())
    takeResults();
  if (!stop_.stop_requested())
    addFlows();
  if (request_.onlyLine && !stop_.stop_requested())
    listAdvice();
  if (request_.settings.markerRegions)
    checkBudgets();
}

/// Assembly for the C preprocessor has the suffix .S or .sx, and what it includes has any. The preprocessor reads the
/// file, so a buffer without a file is parsed as it is.
bool Job::goesThroughPreprocessor() const {
  const llvm::StringRef path = request_.path;
  const bool isNamedSo = path.ends_with(".S") || path.ends_with(".sx") || !request_.compiledThrough.empty();
  return isAssembly() && isNamedSo && llvm::sys::path::is_absolute(path) && llvm::sys::fs::exists(path);
}

std::string Job::fileName() const {
  return llvm::sys::path::filename(request_.path).str();
}

void Job::tell(wire::Stage stage, std::string what, wire::ByteRange at, size_t done, size_t total) {
  progress_({.id = request_.id,
             .stage = stage,
             .what = std::move(what),
             .at = at,
             .done = static_cast<uint32_t>(done),
             .total = static_cast<uint32_t>(total)});
}

void Job::addFinding(wire::Finding finding) {
  assert(wire::findFindingKind(finding.code) && "each code is in the table");
  finding.message = shortened(std::move(finding.message), wire::kMaxMessageBytes);
  for (std::string &operand : finding.words.operands)
    operand = shortened(std::move(operand), wire::kMaxMessageBytes);
  if (result_.findings.size() < wire::kMaxFindings)
    result_.findings.push_back(std::move(finding));
}

bool Job::selectTarget() {
  const TargetChoice choice = chooseTarget({.buffer = bufferSettings_,
                                            .settings = request_.settings,
                                            .compiled = compiled_,
                                            .signs = signs_,
                                            .isAssembly = isAssembly()});
  selection_ = choice.selection;
  std::string error;
  SimulatedTarget *const simulated = shared_.findTarget(selection_, error);
  result_.target.triple = choice.selection.triple;
  result_.target.cpu = choice.selection.cpu;
  result_.target.cpuOrigin = choice.cpuOrigin;
  if (!simulated) {
    addFinding(wholeFileFinding(lines_, wire::codes::kUnknownTarget, error));
    return false;
  }
  const mca::Target *target = simulated->target.get();
  target_ = target;
  result_.target.features = changedFeatures(*target);
  simulators_ = &simulated->simulators;
  programs_ = &simulated->programs;
  pointers_ = &simulated->pointers;
  if (!target->cpuIsKnown()) {
    result_.target.modelOrigin = "none: LLVM does not know the CPU";
    result_.target.model = wire::CpuModel::None;
    addFinding(wholeFileFinding(lines_, wire::codes::kUnknownCpu,
                                {Sentence::UnknownCpu, {target->cpu(), target->triple().str(), choice.cpuOrigin}}));
    return false;
  }
  result_.target.modelOrigin = target->modelOrigin().describe(target->cpu());
  result_.target.model = modelOf(target->modelOrigin());
  addTargetFindings(choice);
  if (target->hasSchedulingModel())
    prepareSimulations();
  return true;
}

void Job::prepareSimulations() {
  CalibrationChoice choice = shared_.calibrations.choose(request_.settings, target_->cpu());
  if (!choice.problem.empty())
    assumptions_.push_back(
        wholeFileFinding(lines_, wire::codes::kCalibrationUnusable, {Sentence::CalibrationUnusable, {choice.problem}}));
  calibration_ = std::move(choice.calibration);
  if (calibration_)
    result_.target.calibration = calibration_->summary;
  const bool isMeasured = calibration_ && calibration_->summary.source != wire::CalibrationSummary::Source::Profile;
  if (!isMeasured && choice.problem.empty() && request_.settings.calibration == "auto")
    result_.target.calibrationAdvised = isCalibrationAdvised(result_.target, shared_.calibrations.machine());
  simulations_.emplace(Simulations::Context{.target = *target_,
                                            .options = simulationOptions(),
                                            .reports = shared_.reports,
                                            .simulators = *simulators_,
                                            .threads = shared_.threads,
                                            .stop = stop_,
                                            .progress = progress_,
                                            .calibration = calibration_});
}

void Job::addTargetFindings(const TargetChoice &choice) {
  std::vector<std::string> operands{target_->cpu(), choice.cpuOrigin, commentOpening()};
  if (!target_->hasSchedulingModel()) {
    addFinding(wholeFileFinding(lines_, wire::codes::kNoSchedulingModel, {Sentence::NoSchedulingModel, operands}));
  } else if (choice.cpuAssumed) {
    llvm::append_range(operands, choice.otherCpus);
    assumptions_.push_back(wholeFileFinding(lines_, wire::codes::kAssumedCpu, {Sentence::AssumedCpu, operands}));
  }
  for (const std::string &feature : target_->unknownFeatures())
    addFinding(wholeFileFinding(lines_, wire::codes::kUnknownFeature,
                                {Sentence::UnknownFeature, {feature, target_->triple().str()}}));
}

/// The key of the parsed program for the next job: of the same assembly buffer in the same syntax, or of another file
/// that was compiled or preprocessed as a part of the same source.
std::string Job::programKey() const {
  if (isAssembly() && !isPreprocessed())
    return request_.path + (syntax_ ? "\nIntel's syntax" : "");
  return command_.compiledFile + '\n' + request_.command;
}

/// The parsed assembly. For an assembly buffer, the program of the previous job is updated if possible, which costs a
/// hundredth of parsing a long file.
std::unique_ptr<mca::Program> Job::programOf(std::string assembly) {
  keepsProgram_ = isAssembly() ? request_.version == wire::Version::Buffer : !request_.projectFolder.empty();
  const std::string_view syntax = bufferSettings_.syntax;
  Dialect dialect = isAssembly() ? dialectOf(assembly, *target_, syntax) : Dialect{};
  syntax_ = dialect.syntax;
  if (keepsProgram_)
    if (std::unique_ptr<mca::Program> known = programs_->take(programKey());
        known && (isAssembly() ? known->update(assembly, *target_) : known->text() == assembly) &&
        !hasRespellableErrors(*known, *target_))
      return known;
  mca::ParseOptions options;
  options.stop = stop_;
  options.dataAsCode = true;
  // A text that was opened for a look may not read other files: `.include` and `.incbin` find nothing.
  options.files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  if (isAssembly() && !isPreprocessed() && request_.settings.loops && simulations_)
    options.onFunction = [this](const mca::Program &soFar) {
      simulations_->lookAhead(soFar, {.id = request_.id, .stage = wire::Stage::Parsing, .what = fileName()});
    };
  if (!isAssembly()) {
    options.keepData = InlineScopes::sections();
    for (std::string &section : blockProfileSections())
      options.keepData.push_back(std::move(section));
  }
  std::unique_ptr<mca::Program> program = readAssembly(std::move(assembly), *target_, std::move(dialect), options);
  keepsProgram_ &= !stop_.stop_requested();
  return program;
}

void Job::parse(std::string assembly) {
  tell(wire::Stage::Parsing, fileName());
  program_ = programOf(std::move(assembly));
  if (isAssembly())
    map_ = SourceMap::ofAssembly(*program_, lines_, preprocessed());
  reportParseErrors();
  if (isAssembly())
    return;
  scopes_ = InlineScopes::read(*program_);
  map_ = SourceMap::ofSource(*program_, lines_, request_.path, command_.directory, scopes_);
}

/// Of what was preprocessed as a part of another file, that file's own lines are not the buffer's.
bool Job::isOfBuffer(const mca::Diagnostic &diagnostic) const {
  return !isCompiledAsPart() || !isPreprocessed() || map_->preprocessed()->placeOf(diagnostic.begin).line;
}

/// Makes the buffer's statements about variables ones about the program's registers.
void Job::nameStatements() {
  NamedPointers found = findNamedPointers(bufferSettings_.pointers, *program_, regions_, lines_);
  for (wire::Finding &finding : found.findings)
    addFinding(std::move(finding));
  program_->setNamedStatements(std::move(found.statements));
  checkStatements();
}

/// Reports statements about pointers that don't fit the code.
void Job::checkStatements() {
  for (const mca::PointerStatement &statement : program_->pointerStatements())
    for (const mca::Diagnostic &problem : pointers_->check(*program_, statement)) {
      wire::Finding finding = wholeFileFinding(lines_, wire::codes::kPointerStatement,
                                               {Sentence::PointerProblem, {mca::textOf(statement), problem.message}});
      // Those that a C or C++ buffer has in inline assembly are nowhere else in it.
      if (isAssembly())
        finding.at = map_->inBuffer(wire::ByteRange{problem.begin, problem.end});
      else if (statement.isNamed)
        finding.at = {problem.begin, problem.end};
      addFinding(std::move(finding));
    }
}

std::optional<Preprocessed> Job::preprocessed() const {
  if (!isPreprocessed())
    return std::nullopt;
  return Preprocessed(program_->text(), lines_, request_.path, command_.directory);
}

/// The preprocessor may have included what must not be quoted. The places are those in its output.
wire::Finding Job::withoutQuotes(wire::Finding finding) const {
  const auto wordsFor = [&](uint32_t at) {
    const std::string file = isPreprocessed() ? preprocessedFileAt(program_->text(), at) : "";
    return file.empty() ? "" : wordsInPlaceOfQuote(command_, file);
  };
  if (std::string words = wordsFor(finding.at.begin); !words.empty())
    finding.words.operands = {std::move(words)};
  for (wire::RelatedPlace &place : finding.related)
    if (std::string words = place.path.empty() ? wordsFor(place.at.begin) : ""; !words.empty())
      place.message = std::move(words);
  return finding;
}

wire::Finding Job::inBuffer(wire::Finding finding) const {
  finding.at = map_->inBuffer(finding.at);
  for (wire::RelatedPlace &place : finding.related)
    if (place.path.empty())
      place.at = map_->inBuffer(place.at);
  return finding;
}

void Job::findRegions() {
  if (stop_.stop_requested())
    return;
  tell(wire::Stage::FindingRegions, fileName());
  code_.emplace(*target_, *program_);
  followVectorTypes(*code_, *program_);
  const RegionKinds kinds{request_.settings.markerRegions, request_.settings.loops, request_.settings.wholeSnippets};
  std::optional<ProjectFiles> project;
  if (!request_.projectFolder.empty())
    project.emplace(*map_, request_);
  if (isAssembly())
    return findAssemblyRegions(kinds, project ? &*project : nullptr);
  const SourceMarkers markers = findSourceMarkers(request_.text, request_.language);
  for (const mca::Diagnostic &diagnostic : markers.diagnostics)
    addFinding(findingOf(diagnostic));
  const LoopStatements statements(request_.text, request_.language);
  const std::vector<ProfiledBlock> blocks = readBlockProfiles(*program_);
  probability_ = withoutErrnoCalls(*code_, branchProbabilities(blocks));
  SourceFacts facts{.markers = markers.regions,
                    .statements = &statements,
                    .language = request_.language,
                    .probability = probability_,
                    .blocks = &blocks,
                    .scopes = &scopes_,
                    .tellsDuplication = tellsDuplication(command_)};
  if (project)
    facts.hasOwnReport = [&](uint32_t file) { return !project->path(file).empty(); };
  if (!request_.compiledThrough.empty())
    facts.onlyLoops = &request_.onlyLoops;
  Regions found = findSourceRegions(*code_, *map_, facts, kinds);
  const CompileResult &compiled = compiledOutput_->result;
  if (compiled.remarksMissing)
    for (Region &region : found.regions)
      region.sourceIterations = region.kind == wire::RegionKind::Marker ? 1 : 0;
  else
    findSourceIterations(*target_, *program_, compiled.remarks, found.regions);
  findReasons(*target_, *program_, *map_, compiled, request_.path, found.regions);
  addMarkedLoops(*target_, *program_, found);
  regions_ = std::move(found.regions);
  if (request_.onlyLine)
    std::erase_if(regions_, [&](const Region &region) { return !isWanted(region); });
  beyond_ = std::move(found.beyond);
  reportBeyond();
  nameStatements();
  if (project && request_.compiledThrough.empty())
    result_.otherFiles = takeOtherFiles(found.elsewhere, *map_, *project, request_);
  result_.coverage.elsewhere = static_cast<uint32_t>(found.elsewhere.size());
  for (const uint32_t keyword : found.vanished)
    result_.vanishedLoops.push_back({.at = lines_.content(lines_.lineOf(keyword)),
                                     .fates = fatesOf(keyword, statements, lines_, compiled.remarks, request_.path)});
  if (!isCompiledAsPart() && !found.elsewhere.empty())
    addFinding(elsewhereFinding(found.elsewhere, lines_));
  for (wire::Finding &finding : markerFindings(compiled.decisions, request_.path, lines_))
    addFinding(std::move(finding));
  if (kinds.markers)
    reportEmptyMarkers(markers.regions);
}

/// Whether a region is a loop with its hint on the only line that the request is about.
bool Job::isWanted(const Region &region) const {
  const bool isLoop = region.kind == wire::RegionKind::Loop || region.kind == wire::RegionKind::Path;
  return isLoop && lines_.lineOf(region.anchor) + 1 == request_.onlyLine;
}

void Job::findAssemblyRegions(RegionKinds kinds, const ProjectFiles *project) {
  AssemblyParts parts;
  if (project)
    parts.hasOwnReport = [&](uint32_t file) { return !project->path(file).empty(); };
  if (!request_.compiledThrough.empty())
    parts.onlyLoops = &request_.onlyLoops;
  Regions found = analysis::findAssemblyRegions(*code_, *map_, kinds, parts);
  regions_ = std::move(found.regions);
  beyond_ = std::move(found.beyond);
  reportBeyond();
  checkStatements();
  if (project && request_.compiledThrough.empty())
    result_.otherFiles = takeOtherFiles(found.elsewhere, *map_, *project, request_);
}

void Job::reportEmptyMarkers(const std::vector<mca::MarkerRegion> &markers) {
  std::set<uint32_t> found;
  for (const Region &region : regions_)
    if (region.kind == wire::RegionKind::Marker)
      found.insert(region.anchor);
  for (const mca::MarkerRegion &marker : markers)
    if (!found.contains(marker.begin) && (!beyond_.anchor || marker.end < *beyond_.anchor))
      addFinding(wire::makeFinding({marker.begin, marker.begin + marker.beginLength}, wire::codes::kEmptyRegion,
                                   {Sentence::EmptyRegion}));
}

/// The first finding, as it must not be lost behind a thousand others.
void Job::reportBeyond() {
  if (!beyond_.anchor)
    return;
  static_assert(kMaxRegions == 20'000 && kMaxRegionInstructions == 400'000, "the message names them");
  wire::Finding finding = wire::makeFinding(lines_.content(lines_.lineOf(*beyond_.anchor)),
                                            wire::codes::kTooManyRegions, {Sentence::TooManyRegions});
  std::vector<wire::Finding> &all = result_.findings;
  all.insert(all.begin(), std::move(finding));
  all.resize(std::min(all.size(), wire::kMaxFindings));
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
  options.rate = true;
  options.callLatency = kCallLatency;
  options.sameOperands = true;
  options.corrections = mca::Corrections::All;
  return options;
}

void Job::simulateRegions() {
  if (!simulations_)
    return;
  std::vector<SimulatedRegion> found;
  for (size_t i = 0; i < regions_.size() && !stop_.stop_requested(); ++i) {
    Region &region = regions_[i];
    if (isMostlyUnread(region)) {
      addFinding(wire::makeFinding(lines_.content(lines_.lineOf(region.anchor)), wire::codes::kMostlyUnread,
                                   {Sentence::RegionMostlyUnread}));
      continue;
    }
    if (calibration_ || request_.settings.runnable)
      region.entryOffsets = entryOffsetsOf(region, *code_);
    const SimulatedCode code{*program_, region.instructions, region.entryOffsets};
    const ReportCache::Key key = simulations_->keyOf(code);
    const wire::Progress about{.id = request_.id,
                               .stage = wire::Stage::Simulating,
                               .what = region.name,
                               .at = region.at,
                               .done = static_cast<uint32_t>(i),
                               .total = static_cast<uint32_t>(regions_.size())};
    found.push_back({&region, key, simulations_->find(key, code, about), {}});
  }
  simulations_->finish();
  if (calibration_)
    useOneMachine(found);
  for (SimulatedRegion &simulated : found)
    if (simulated.entry->finished)
      addSimulated(std::move(simulated));
}

/// The paths through a loop are compared and make a range: if the calibrated machine cannot run one of them, all have
/// LLVM's numbers.
void Job::useOneMachine(std::vector<SimulatedRegion> &found) {
  const auto isCalibrated = [](const SimulatedRegion &one) { return one.entry->model.has_value(); };
  std::set<uint32_t> mixed;
  for (const SimulatedRegion &one : found)
    if (one.entry->simulation && !isCalibrated(one))
      mixed.insert(one.region->loop);
  for (SimulatedRegion &one : found) {
    if (!mixed.contains(one.region->loop))
      one.calibration = calibrationOf(calibration_);
    if (one.calibration || !isCalibrated(one))
      continue;
    const Region &region = *one.region;
    const wire::Progress about{
        .id = request_.id, .stage = wire::Stage::Simulating, .what = region.name, .at = region.at};
    const SimulatedCode code{*program_, region.instructions};
    one.key = simulations_->keyOf(code, Simulations::Machine::Llvms);
    one.entry = simulations_->find(one.key, code, about, Simulations::Machine::Llvms);
  }
  simulations_->finish();
}

void Job::addSimulated(SimulatedRegion simulated) {
  const Region &region = *simulated.region;
  if (mca::Result<mca::Simulation> &simulation = simulated.entry->simulation) {
    simulated.caveats = caveatsOf(simulated);
    ModelErrors errors = modelErrorsOf(*simulation);
    llvm::append_range(simulated.caveats, errors.uncertain);
    simulated.corrected = std::move(errors.corrected);
    simulated_.push_back(std::move(simulated));
  } else {
    addFinding(wire::makeFinding(lines_.content(lines_.lineOf(region.anchor)), wire::codes::kNotSimulated,
                                 {Sentence::NotSimulated, {simulation.message()}}));
  }
}

std::vector<LeftOut> Job::leftOutOf(const Region &region, const mca::Simulation &simulation) const {
  return analysis::leftOutOf(*target_, *program_, region.instructions, simulation.skipped);
}

std::vector<wire::Caveat> Job::caveatsOf(const SimulatedRegion &simulated) const {
  ReportCache::CachedSimulation &known = *simulated.entry;
  const mca::Simulation &simulation = *known.simulation;
  std::vector<wire::Caveat> caveats = simulated.region->caveats;
  if (known.withoutLateCopies)
    if (auto caveat = lateCopyCaveat(simulation.report, known.limit, *known.withoutLateCopies))
      caveats.push_back(std::move(*caveat));
  if (auto caveat = leftOutCaveat(*target_, leftOutOf(*simulated.region, simulation)))
    caveats.push_back(std::move(*caveat));
  return caveats;
}

} // namespace analysis
