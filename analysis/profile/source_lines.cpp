#include "analysis/profile/source_lines.h"

#include "analysis/files/regular_file.h"
#include "analysis/profile/profile.h"

#include "llvm/DebugInfo/DIContext.h"

namespace analysis {
namespace {

constexpr uint64_t kMaxSourceBytes = uint64_t{64} << 20;

} // namespace

std::optional<llvm::DILineInfo> SourceLines::outermostAt(uint64_t address) {
  if (!debug_)
    debug_ = llvm::DWARFContext::create(
        image_.object(), llvm::DWARFContext::ProcessDebugRelocations::Ignore,
        /*L=*/nullptr, /*DWPName=*/"",
        [](llvm::Error error) {
          llvm::consumeError(std::move(error)); // what is broken has no lines
        },
        [](llvm::Error warning) { llvm::consumeError(std::move(warning)); });
  using Specifier = llvm::DILineInfoSpecifier;
  const llvm::DIInliningInfo frames = debug_->getInliningInfoForAddress(
      {address, llvm::object::SectionedAddress::UndefSection},
      Specifier(Specifier::FileLineInfoKind::AbsoluteFilePath, Specifier::FunctionNameKind::None));
  if (frames.getNumberOfFrames() == 0)
    return std::nullopt;
  return frames.getFrame(frames.getNumberOfFrames() - 1);
}

SourceLine SourceLines::at(uint64_t address) {
  const auto outermost = outermostAt(address);
  if (!outermost || outermost->Line == 0 || outermost->FileName == llvm::DILineInfo::BadString)
    return {};
  return {.path = outermost->FileName,
          .line = outermost->Line,
          .digest = digestOfLine(outermost->FileName, outermost->Line)};
}

SourceLine SourceLines::declarationAt(uint64_t address) {
  const auto outermost = outermostAt(address);
  if (!outermost || outermost->StartLine == 0 || outermost->StartFileName == llvm::DILineInfo::BadString)
    return {};
  return {.path = outermost->StartFileName, .line = outermost->StartLine};
}

uint32_t SourceLines::digestOfLine(const std::string &path, uint32_t line) {
  const std::vector<uint32_t> &digests = digestsOf(path);
  return line && line <= digests.size() ? digests[line - 1] : 0;
}

const std::vector<uint32_t> &SourceLines::digestsOf(const std::string &path) {
  const auto [known, isNew] = digests_.try_emplace(path);
  std::vector<uint32_t> &digests = known->second;
  const auto program = stampOfRegularFile(image_.path());
  if (!isNew || !program)
    return digests;
  const RegularFile file = readRegularFile(path, kMaxSourceBytes);
  if (!file.isRead() || file.stamp.modified > program->modified)
    return digests;
  for (llvm::StringRef rest = file.text; !rest.empty();) {
    const auto [line, after] = rest.split('\n');
    digests.push_back(digestOf(line));
    rest = after;
  }
  return digests;
}

} // namespace analysis
