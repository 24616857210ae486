// The compiler's part of a job: the command, its run, and what is said if it fails.
#include "analysis/compile/modules.h"
#include "analysis/files/regular_file.h"
#include "analysis/job/findings.h"
#include "analysis/job/inputs.h"
#include "analysis/job/job.h"
#include "analysis/wire/finding_codes.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <utility>

namespace analysis {

using wire::Sentence;

bool Job::compileSource(std::string &assembly) {
  if (!llvm::sys::path::is_absolute(request_.path)) {
    addFinding(wholeFileFinding(lines_, wire::codes::kNotSaved, {Sentence::NoFile}));
    return false;
  }
  const CompileCache::Key key = CompileCache::keyOf(request_, namesPointers(), tripleForFallback());
  // A search for advice, which compiles the file anew many times, does not begin with one that changes just now.
  const bool mayReuse = request_.reuseCompiled && (!request_.listCandidates || isSameAsOnDisk());
  CompileCache::Entry output = mayReuse ? shared_.compiled.find(key) : nullptr;
  if (!output || lacksReasons(*output)) {
    const bool isFirst = !output;
    output = compileAnew();
    const bool isWhole = !request_.isVariant && request_.module.functions.empty();
    if (isWhole && (output->result.succeeded || (isFirst && output->result.reachedLimit)))
      shared_.compiled.insert(key, output);
  }
  compiledOutput_ = output;
  command_ = output->command;
  takeCommand();
  if (!output->result.succeeded) {
    reportCompileFailure(output->result);
    return false;
  }
  compiled_ = targetOf(command_);
  if (!command_.inferredFrom.empty())
    assumptions_.push_back(
        wholeFileFinding(lines_, wire::codes::kInferredCommand,
                         {Sentence::InferredCommand, {command_.origin, isCompiledAsPart() ? "1" : ""}}));
  else if (command_.fallback)
    assumptions_.push_back(wholeFileFinding(lines_, wire::codes::kNoCompileCommand,
                                            {Sentence::NoCompileCommand, {command_.origin, isAssembly() ? "1" : ""}}));
  if (!isAssembly() && !compiled_->optimizes)
    assumptions_.push_back(wholeFileFinding(lines_, wire::codes::kUnoptimized, {Sentence::Unoptimized}));
  result_.hasReasons = output->result.hasReasons;
  assembly = output->result.assembly;
  return true;
}

/// Whether the compiler would say more if it were asked to.
bool Job::lacksReasons(const CompileCache::Output &known) const {
  return request_.reasons && !known.forReasons && known.result.succeeded && !known.result.hasReasons;
}

void Job::takeCommand() {
  result_.target.commandOrigin = command_.origin;
  result_.target.commands = command_.variants;
  result_.target.command = command_.variant;
  result_.notes = command_.notes;
}

/// Runs the compiler. If there is no output, the result is a failure and findings say why.
CompileCache::Entry Job::compileAnew() {
  tell(wire::Stage::Compiling, fileName());
  const auto output = std::make_shared<CompileCache::Output>();
  output->forReasons = request_.reasons;
  output->command = command_ = commandWith(request_.addedFlags, request_.removedFlags);
  const bool saved = isSameAsOnDisk();
  const bool mayDiffer = isAssembly() || request_.settings.compileOnChange || request_.isVariant ||
                         request_.version == wire::Version::Head;
  if (!saved && !(mayDiffer && compilesUnsavedText(command_))) {
    addFinding(wholeFileFinding(lines_, wire::codes::kNotSaved, {Sentence::NotSaved}));
    return output;
  }
  // All versions are of one text, also if the file changes meanwhile.
  output->result = runCompiler(saved && !(request_.isVariant && compilesUnsavedText(command_)));
  result_.compileMicros = output->result.micros;
  const bool isEdited = !request_.isVariant && !request_.reasons && request_.version == wire::Version::Buffer &&
                        request_.projectFolder.empty();
  if (isEdited && !isCompiledAsPart())
    shared_.preambles.want(command_, request_.text, {output, &output->result});
  if (request_.listInputs)
    output->inputs = inputsOf(command_, shared_.compileLimits, stop_);
  return output;
}

CompileCommand Job::commandWith(std::vector<std::string> addedFlags, std::vector<std::string> removedFlags) const {
  return findCompileCommand(request_.compiledThrough.empty() ? request_.path : request_.compiledThrough,
                            request_.language, request_.settings,
                            {.variableLocations = namesPointers(),
                             .reasons = request_.reasons,
                             .openFiles = request_.openFiles,
                             .triple = isAssembly() ? bufferSettings_.triple : "",
                             .fallbackTriple = tripleForFallback(),
                             .stop = stop_,
                             .command = request_.command,
                             .confined = shared_.compileLimits.confined,
                             .addedFlags = std::move(addedFlags),
                             .removedFlags = std::move(removedFlags)});
}

CompileResult Job::runCompiler(bool isSaved) {
  PrewarmedCompiler *const ready = &shared_.prewarmedCompiler;
  const FrontEndRuns::Tools tools{shared_.preambles, stop_, ready, shared_.compileLimits};
  const wire::FrontEndModule &module = request_.module;
  if (!module.text.empty() && !isCompiledAsPart()) {
    const FrontEndRuns::Version version{commandWith({}, {}), command_, request_.text, module};
    if (auto result = shared_.frontEndRuns.compile(version, tools)) {
      module_ = {module.search, module.functions, {}, true, {}};
      return std::move(*result);
    }
  }
  if (!module.functions.empty() && !isCompiledAsPart()) {
    auto made = shared_.frontEndRuns.compileInSteps(command_, request_.text,
                                                    {module.functions, copies(), module.preamble}, tools);
    if (made) {
      module_ = {module.search, module.functions, request_.listModule ? std::move(made->part) : "", false, {}};
      return std::move(made->result);
    }
  }
  if (!isCompiledAsPart())
    return shared_.preambles.compile(command_, {request_.text, isSaved}, stop_, ready, shared_.compileLimits);
  const UnsavedText unsaved{request_.path, isSaved ? "" : request_.text};
  return compile(command_, stop_, isSaved ? nullptr : &unsaved, ready, shared_.compileLimits);
}

/// Of a part of the module.
Copies Job::copies() const {
  return request_.listFunction ? Copies::All : Copies::Wanted;
}

/// What the front end makes of the text, if versions gain from sharing it: a compile has to take long, and the part of
/// the functions has to give them the same code as the whole compile.
wire::FrontEndModule Job::provenModule(std::vector<std::string> functions) {
  const CompileResult &whole = compiledOutput_->result;
  if (isCompiledAsPart() || !FrontEndRuns::isWorthwhile(whole))
    return {};
  auto made = shared_.frontEndRuns.compileInSteps(
      command_, request_.text, {functions, copies()},
      {shared_.preambles, stop_, &shared_.prewarmedCompiler, shared_.compileLimits});
  if (!made || !(fingerprintOf(made->result, functions) == fingerprintOf(whole, functions)))
    return {};
  return {request_.id, std::move(functions), std::move(made->part), false,
          shared_.preambles.lend(command_, request_.text)};
}

/// The compiler reads the file, not the buffer. If they differ, line numbers of one mean nothing in the other.
bool Job::isSameAsOnDisk() const {
  // Opening a FIFO would block here. The compiler, which may be ended, says what is wrong with what is no regular file.
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(request_.path, status) || !llvm::sys::fs::is_regular_file(status))
    return true;
  if (status.getSize() != request_.text.size())
    return false;
  const RegularFile file = readRegularFile(request_.path, request_.text.size());
  return !file.isRead() || file.text == request_.text;
}

void Job::reportCompileFailure(const CompileResult &compiled) {
  if (const auto error = moduleErrorOf(compiled.diagnostics, command_, request_.path, request_.text))
    return addFinding(findingOf(*error, request_.path, lines_));
  for (const CompilerDiagnostic &diagnostic : compiled.diagnostics)
    addFinding(findingOf(diagnostic, request_.path, lines_));
  if (compiled.diagnostics.empty() && !compiled.failure.empty())
    addFinding(wholeFileFinding(lines_, wire::codes::kCompileError, compiled.failure));
}

/// Reports a module whose code in the compiler's output is not that of its source. There are no numbers then.
bool Job::usesOldModule() {
  std::vector<std::string> sources;
  for (uint32_t file = 0; map_ && file < map_->fileCount(); ++file)
    sources.push_back(map_->fileName(file));
  const auto error = oldModuleErrorOf(sources, command_, request_.path, request_.text);
  if (error)
    addFinding(findingOf(*error, request_.path, lines_));
  return error.has_value();
}

} // namespace analysis
