// What a job knows of a text before its instructions: its dialect, the target that it tells, and how much of it could
// be read.
#include "analysis/dialect/foreign_dialect.h"
#include "analysis/job/findings.h"
#include "analysis/job/job.h"
#include "analysis/wire/finding_codes.h"

#include <algorithm>

namespace analysis {

using wire::Sentence;
namespace {

/// A text with fewer lines that could not be read shows each of them, even if they are most of it: someone is writing
/// it.
constexpr size_t kManyErrors = 10;

/// Whether the message is about a line that could not be read, or data that could not.
bool isUnread(const mca::Diagnostic &message) {
  return !message.fromMarker && (message.fromData || message.severity == mca::Diagnostic::Severity::Error);
}

} // namespace

std::string Job::commentOpening() const {
  return isAssembly() ? "#" : "//";
}

/// Whether the text is written for another assembler, which a finding then says. A setting of the syntax is somebody's
/// word that it is not.
bool Job::reportForeignDialect() {
  if (!isAssembly() || !bufferSettings_.syntax.empty())
    return false;
  const ForeignDialect *dialect = foreignDialectOf(request_.text);
  if (!dialect)
    return false;
  addFinding(wholeFileFinding(lines_, wire::codes::kForeignDialect,
                              {Sentence::ForeignDialect, {dialect->name, dialect->advice}}));
  return true;
}

/// Reads the signs of the target. C and C++ have none but the CPU that is named.
void Job::readSigns() {
  const wire::Settings &settings = request_.settings;
  const std::string &cpu = bufferSettings_.cpu.empty() ? settings.cpu : bufferSettings_.cpu;
  signs_ =
      readTargetSigns(isAssembly() ? request_.text : "", cpu, llvm::Triple(standardTriple(bufferSettings_, settings)));
  if (!bufferSettings_.triple.empty() || !settings.triple.empty())
    signs_.triple.clear();
}

void Job::reportInferredTarget() {
  const bool isRead = isAssembly() && !isPreprocessed();
  const bool isUsed = isRead || (command_.fallback && tripleForFallback() == signs_.triple);
  if (isUsed && !signs_.triple.empty())
    addFinding(wholeFileFinding(lines_, wire::codes::kInferredTarget,
                                {Sentence::InferredTarget,
                                 {llvm::Triple(signs_.triple).getArchName().str(), signs_.reason, commentOpening()}}));
}

/// The target of a file that no command names. Flags in the settings count more than what a text tells.
std::string Job::tripleForFallback() const {
  const bool isFlag = std::ranges::any_of(request_.settings.extraFlags, [](const std::string &flag) {
    return flag.starts_with("--target") || flag.starts_with("-target");
  });
  return bufferSettings_.triple.empty() && !isFlag ? signs_.triple : bufferSettings_.triple;
}

/// Reports the lines that could not be read: each one of an assembly buffer, unless they are most of it or need a
/// feature that the CPU lacks.
void Job::reportParseErrors() {
  const auto diagnostics = program_->diagnostics();
  if (!isAssembly()) {
    if (const auto first = std::ranges::find_if(diagnostics, isUnread); first != diagnostics.end()) {
      const auto unread = static_cast<size_t>(std::ranges::count_if(diagnostics, isUnread));
      wire::Finding finding = wholeFileFinding(
          lines_, wire::codes::kParseError, {Sentence::CompiledLinesUnread, {std::to_string(unread), first->message}});
      finding.severity = wire::Severity::Warning; // the user's text has no mistake, but numbers may be missing
      addFinding(std::move(finding));
    }
    return;
  }
  reportMissingFeatures();
  const auto needsNone = [&](const mca::Diagnostic &one) { return isUnread(one) && !needsMissingFeature(one.begin); };
  const auto errors = static_cast<size_t>(std::ranges::count_if(diagnostics, needsNone));
  const bool isMostly = errors >= kManyErrors && errors > program_->instructions().size();
  if (isMostly)
    reportMostlyUnread(errors);
  for (const mca::Diagnostic &diagnostic : diagnostics)
    if (isOfBuffer(diagnostic) && !(isUnread(diagnostic) && (isMostly || needsMissingFeature(diagnostic.begin))))
      addFinding(inBuffer(withoutQuotes(findingOf(diagnostic))));
}

/// One finding for each feature in place of one for each line.
void Job::reportMissingFeatures() {
  missingFeatures_ = findMissingFeatures(*program_, *target_);
  for (const MissingFeature &missing : missingFeatures_) {
    const uint32_t at = map_->inBuffer(missing.offsets.front());
    addFinding(wire::makeFinding(lines_.content(lines_.lineOf(at)), wire::codes::kMissingFeature,
                                 {Sentence::MissingFeature,
                                  {std::to_string(missing.offsets.size()), missing.name, target_->cpu(),
                                   closestCpuWith(missing.name, *target_)}}));
  }
}

bool Job::needsMissingFeature(uint32_t offset) const {
  return std::ranges::any_of(missingFeatures_, [&](const MissingFeature &missing) {
    return std::ranges::binary_search(missing.offsets, offset);
  });
}

/// One finding in place of one for each line.
void Job::reportMostlyUnread(size_t errors) {
  const mca::Diagnostic &first = *std::ranges::find_if(program_->diagnostics(), isUnread);
  addFinding(wholeFileFinding(lines_, wire::codes::kMostlyUnread,
                              {Sentence::MostlyUnread,
                               {std::to_string(errors), target_->triple().getArchName().str(),
                                withoutQuotes(findingOf(first)).words.operands.front(), commentOpening()}}));
}

/// Whether more lines of a region could not be read than it has instructions. Such a number is of the lines that happen
/// to be right.
bool Job::isMostlyUnread(const Region &region) const {
  const auto unread = std::ranges::find(region.caveats, wire::Caveat::Kind::UnreadLine, &wire::Caveat::kind);
  return unread != region.caveats.end() && unread->count > region.instructions.size();
}

} // namespace analysis
