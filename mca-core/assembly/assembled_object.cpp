#include "mca-core/assembly/assembled_object.h"

#include "mca-core/assembly/line_directives.h"

#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"

#include <algorithm>

namespace mca {
namespace {

/// Empties the lines of debug sections: they have no instructions, but refer to what `.loc` directives define, which
/// are read by a parser of our own.
std::string withoutDebugSections(llvm::StringRef text) {
  std::string kept;
  kept.reserve(text.size());
  bool isDebug = false;
  while (!text.empty()) {
    const auto [line, rest] = text.split('\n');
    const llvm::StringRef word = line.ltrim();
    if (word.starts_with(".section"))
      isDebug = word.drop_front(8).ltrim().starts_with(".debug_");
    else if (word.starts_with(".text") || word.starts_with(".data") || word.starts_with(".bss"))
      isDebug = false;
    if (!isDebug)
      kept += line;
    kept += '\n';
    text = rest;
  }
  return kept;
}

/// Keeps the first error of LLVM's parser.
struct FirstError {
  std::string message;
  static void take(const llvm::SMDiagnostic &diagnostic, void *context) {
    auto &error = *static_cast<FirstError *>(context);
    if (error.message.empty() && diagnostic.getKind() == llvm::SourceMgr::DK_Error)
      error.message =
          "line " + std::to_string(std::max(diagnostic.getLineNo(), 1)) + ": " + diagnostic.getMessage().str();
  }
};

} // namespace

Result<llvm::SmallVector<char, 0>> assembleObject(const Target &target, llvm::StringRef text,
                                                  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  const llvm::Target &backend = target.backend();
  llvm::SourceMgr sources;
  sources.setVirtualFileSystem(files ? std::move(files) : llvm::vfs::getRealFileSystem());
  FirstError error;
  sources.setDiagHandler(&FirstError::take, &error);
  const unsigned buffer =
      sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(withoutDebugSections(text)), {});
  // `.arch` changes it.
  llvm::MCSubtargetInfo subtarget(target.subtarget()); // NOLINT(performance-unnecessary-copy-initialization)
  llvm::MCContext context(target.triple(), &target.asmInfo(), &target.registers(), &subtarget, &sources,
                          &target.mcOptions());
  context.setDiagnosticHandler(
      [&](const llvm::SMDiagnostic &diagnostic, auto &&...) { FirstError::take(diagnostic, &error); });
  const std::unique_ptr<llvm::MCObjectFileInfo> fileInfo(backend.createMCObjectFileInfo(context, /*PIC=*/true));
  context.setObjectFileInfo(fileInfo.get());

  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  std::unique_ptr<llvm::MCAsmBackend> assembler(
      backend.createMCAsmBackend(subtarget, target.registers(), target.mcOptions()));
  std::unique_ptr<llvm::MCCodeEmitter> emitter(backend.createMCCodeEmitter(target.instructions(), context));
  if (!assembler || !emitter)
    return Failure{"the target has no assembler"};
  std::unique_ptr<llvm::MCObjectWriter> writer = assembler->createObjectWriter(out);
  const std::unique_ptr<llvm::MCStreamer> streamer(backend.createMCObjectStreamer(
      target.triple(), context, std::move(assembler), std::move(writer), std::move(emitter), subtarget));
  const std::unique_ptr<llvm::MCAsmParser> parser(
      llvm::createMCAsmParser(sources, context, *streamer, target.asmInfo(), buffer));
  const std::unique_ptr<llvm::MCTargetAsmParser> targetParser(
      backend.createMCAsmParser(subtarget, *parser, target.instructions(), target.mcOptions()));
  if (!targetParser)
    return Failure{"the target has no assembler"};
  parser->setTargetParser(*targetParser);
  // No table of lines is needed here.
  LineDirectives lineDirectives([](llvm::SMLoc) { return 0; });
  lineDirectives.Initialize(*parser);
  if (parser->Run(/*NoInitialTextSection=*/false) && error.message.empty())
    error.message = "the text does not assemble";
  if (!error.message.empty())
    return Failure{std::move(error.message)};
  return bytes;
}

} // namespace mca
