// One analysis: the steps from a buffer's text to the result, and the state that they pass on. Each step adds its
// findings to the result, and the next one continues with what is available: a line that cannot be parsed costs that
// line, not the hints of the others.
//
// job.cpp has the steps up to the numbers, job_compile.cpp the one that runs the compiler, job_text.cpp what they need
// to know of the text's dialect and target, and job_results.cpp the steps from the numbers to the result.
#pragma once

#include "analysis/compile/compile.h"
#include "analysis/compile/front_end_runs.h"
#include "analysis/compile/preambles.h"
#include "analysis/compile/prewarmed_compiler.h"
#include "analysis/flows/loop_flows.h"
#include "analysis/job/analyzer.h"
#include "analysis/job/buffer_settings.h"
#include "analysis/job/compile_cache.h"
#include "analysis/job/missing_features.h"
#include "analysis/job/target_choice.h"
#include "analysis/profile/profile_files.h"
#include "analysis/regions/region.h"
#include "analysis/simulate/calibrations.h"
#include "analysis/simulate/left_out.h"
#include "analysis/simulate/other_cpus.h"
#include "analysis/simulate/report_cache.h"
#include "analysis/simulate/simulated_region.h"
#include "analysis/simulate/simulations.h"
#include "analysis/source_map/inline_scopes.h"
#include "analysis/source_map/source_map.h"
#include "mca-core/program/code_blocks.h"

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace analysis {

class ProjectFiles;

class Job {
public:
  /// Shared by all jobs of an Analyzer. The references outlive the jobs.
  struct Shared {
    ReportCache &reports;
    CompileCache &compiled;
    PrewarmedCompiler &prewarmedCompiler;
    Preambles &preambles;
    FrontEndRuns &frontEndRuns;
    FlowCache &flows;
    WalkCache &walks;
    TraceFiles &traceFiles;
    Calibrations &calibrations;
    ProfileFiles &profiles;
    FindTarget findTarget;
    size_t threads = 1; ///< for simulating
    wire::CompileLimits compileLimits;
  };

  Job(wire::AnalyzeRequest request, std::stop_token stop, const ProgressSink &progress, Shared shared)
      : request_(std::move(request)), stop_(std::move(stop)), progress_(progress), shared_(std::move(shared)),
        lines_(request_.text) {
    result_.id = request_.id;
  }

  wire::AnalysisResult run();

private:
  void analyse();
  void analyseRegions();
  bool reportForeignDialect();
  void readSigns();
  void reportInferredTarget();
  std::string tripleForFallback() const;
  void reportParseErrors();
  void reportMostlyUnread(size_t errors);
  void reportMissingFeatures();
  bool needsMissingFeature(uint32_t offset) const;
  bool isMostlyUnread(const Region &region) const;
  /// Whether the file was compiled as a part of another one, as a header is through a source that includes it.
  bool isCompiledAsPart() const { return command_.compiledFile != request_.path; }
  bool isAssembly() const { return request_.language == wire::Language::Assembly; }
  /// Whether the buffer has statements about pointers by their names.
  bool namesPointers() const { return !bufferSettings_.pointers.empty(); }
  /// Whether the buffer is assembly for the C preprocessor, see goesThroughPreprocessor().
  bool isPreprocessed() const { return isPreprocessed_; }
  bool goesThroughPreprocessor() const;
  std::string fileName() const;
  std::string commentOpening() const;
  bool compileSource(std::string &assembly);
  bool lacksReasons(const CompileCache::Output &known) const;
  CompileCache::Entry compileAnew();
  CompileCommand commandWith(std::vector<std::string> addedFlags, std::vector<std::string> removedFlags) const;
  CompileResult runCompiler(bool isSaved);
  Copies copies() const;
  wire::FrontEndModule provenModule(std::vector<std::string> functions);
  void listInputs();
  void takeCommand();
  std::string programKey() const;
  bool isSameAsOnDisk() const;
  void reportCompileFailure(const CompileResult &compiled);
  bool usesOldModule();
  bool selectTarget();
  void addTargetFindings(const TargetChoice &choice);
  void prepareSimulations();
  void parse(std::string assembly);
  void checkStatements();
  void nameStatements();
  std::unique_ptr<mca::Program> programOf(std::string assembly);
  std::optional<Preprocessed> preprocessed() const;
  wire::Finding withoutQuotes(wire::Finding finding) const;
  wire::Finding inBuffer(wire::Finding finding) const;
  bool isOfBuffer(const mca::Diagnostic &diagnostic) const;
  void findRegions();
  void findAssemblyRegions(RegionKinds kinds, const ProjectFiles *project);
  void reportEmptyMarkers(const std::vector<mca::MarkerRegion> &markers);
  bool isWanted(const Region &region) const;
  void reportBeyond();
  uint32_t wantedIterations() const;
  void simulateRegions();
  void useOneMachine(std::vector<SimulatedRegion> &found);
  void addSimulated(SimulatedRegion simulated);
  std::vector<LeftOut> leftOutOf(const Region &region, const mca::Simulation &simulation) const;
  std::vector<wire::Caveat> caveatsOf(const SimulatedRegion &simulated) const;
  mca::SimulationOptions simulationOptions() const;
  void addFinding(wire::Finding finding);
  void tell(wire::Stage stage, std::string what, wire::ByteRange at = {}, size_t done = 0, size_t total = 0);

  void takeResults();
  void addProfile();
  void addFlows();
  std::vector<std::string> functionsOfRegions() const;
  wire::ByteRange placeOf(uint32_t instruction, const Region &region) const;
  void reportLeftOut();
  void countCoverage();
  void listAdvice();
  void checkBudgets();
  wire::BudgetedRegion checkBudget(const wire::Budget &budget, const Region &region) const;
  void makeViews();

  wire::AnalyzeRequest request_;
  std::stop_token stop_;
  const ProgressSink &progress_;
  Shared shared_;
  /// Assumptions behind the numbers. They become findings only if there are numbers.
  std::vector<wire::Finding> assumptions_;
  TextLines lines_;

  bool isPreprocessed_ = false;
  unsigned syntax_ = 0; ///< as mca::ParseOptions::syntax
  BufferSettings bufferSettings_;
  CompileCommand command_;
  CompileCache::Entry compiledOutput_; ///< null if nothing was compiled
  wire::FrontEndModule module_;        ///< with AnalyzeRequest::listModule
  TargetSigns signs_;                  ///< what tells the target, where nobody names it
  std::optional<CompiledTarget> compiled_;
  mca::TargetSelection selection_;
  const mca::Target *target_ = nullptr;
  Simulators *simulators_ = nullptr;
  ProgramCache *programs_ = nullptr;
  mca::MemoryClassifier *pointers_ = nullptr;
  bool keepsProgram_ = false;                            ///< whether the next job may start from program_
  std::shared_ptr<const LoadedCalibration> calibration_; ///< null: the numbers are LLVM's
  std::unique_ptr<mca::Program> program_;
  std::optional<mca::ControlFlow> code_; ///< of program_
  InlineScopes scopes_;
  std::optional<SourceMap> map_;
  std::vector<MissingFeature> missingFeatures_; ///< of an assembly buffer
  std::vector<Region> regions_;
  RegionsBeyond beyond_;
  /// As the compiler expects.
  BranchProbability probability_ = [](uint32_t, uint32_t) { return std::nullopt; };
  std::optional<Simulations> simulations_; ///< set if the target has a scheduling model
  std::vector<SimulatedRegion> simulated_;
  decltype(Flows::recordWindow) recordWindow_; ///< empty if there are no flows
  wire::AnalysisResult result_;
};

} // namespace analysis
