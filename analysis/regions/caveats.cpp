// What follows from the instructions of a region alone. Caveats about its paths, its place and its iterations are added
// where these are found.
#include "analysis/regions/caveats.h"

#include "analysis/regions/function_names.h"
#include "mca-core/program/branch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCSymbol.h"
#include "llvm/Support/raw_ostream.h"

namespace analysis {
namespace {

/// Whether rep or repne stands before an x86 string instruction, which then runs as often as a register says: LLVM's
/// models know one execution. Before other instructions the prefix is a part of the encoding.
bool repeats(const mca::Target &target, const llvm::MCInst &inst) {
  // IP_HAS_REPEAT_NE and IP_HAS_REPEAT of X86BaseInfo.h, which LLVM does not install.
  constexpr unsigned kRepeat = 1u << 2 | 1u << 3;
  if (!target.triple().isX86() || !(inst.getFlags() & kRepeat))
    return false;
  const llvm::StringRef name = target.instructions().getName(inst.getOpcode()); // "MOVSQ"
  constexpr llvm::StringLiteral kKinds[] = {"MOVS", "STOS", "LODS", "SCAS", "CMPS"};
  return name.size() == 5 && llvm::is_contained(kKinds, name.drop_back()) &&
         llvm::StringRef("BWLQ").contains(name.back());
}

/// Whether the operands name an entry of the table through which shared libraries are called, as -fno-plt compiles
/// `call *f@GOTPCREL(%rip)`. Another address in memory holds a pointer, to which function is not known.
bool isLinkersTable(const mca::Target &target, const llvm::MCInst &inst) {
  std::string printed;
  llvm::raw_string_ostream stream(printed);
  for (const llvm::MCOperand &operand : inst)
    if (operand.isExpr())
      target.asmInfo().printExpr(stream, *operand.getExpr());
  return printed.find("@GOT") != std::string::npos;
}

/// Whether control flow stands between instructions of the region: they are not executed one after the other.
bool isInPieces(const mca::Target &target, const mca::Program &program, const Region &region) {
  for (size_t i = 1; i < region.instructions.size(); ++i)
    for (uint32_t between = region.instructions[i - 1] + 1; between < region.instructions[i]; ++between)
      if (target.instructions().get(program.instructions()[between].inst.getOpcode()).isTerminator())
        return true;
  return false;
}

} // namespace

std::string calleeOf(const mca::Target &target, const llvm::MCInst &call) {
  const llvm::MCSymbol *symbol = mca::symbolOf(call);
  const bool isLoaded = target.instructions().get(call.getOpcode()).mayLoad();
  if (!symbol || (isLoaded && !isLinkersTable(target, call)))
    return kThroughPointer;
  return shortFunctionName({symbol->getName().data(), symbol->getName().size()});
}

void addCaveats(const mca::Target &target, const mca::Program &program, bool compiled, Region &region) {
  using Kind = wire::Caveat::Kind;
  bool holdsBranch = false, isRepeated = false;
  const size_t count = region.instructions.size();
  for (size_t i = 0; i < count; ++i) {
    const llvm::MCInst &inst = program.instructions()[region.instructions[i]].inst;
    const mca::Branch branch = mca::classifyBranch(target, inst);
    if (mca::isCall(branch.kind) || branch.isTailCall)
      if (std::string callee = calleeOf(target, inst); !llvm::is_contained(region.calls, callee))
        region.calls.push_back(std::move(callee));
    isRepeated |= repeats(target, inst);
    // The branch that ends the region is none inside it; its delay slot belongs to it.
    const size_t length = branch.hasDelaySlot ? 2 : 1;
    // A text goes on after a return only because something jumps there.
    const bool isReturn = branch.kind == mca::BranchKind::Return || branch.isTailCall;
    const bool leaves = isReturn ? region.kind == wire::RegionKind::Snippet : mca::isJump(branch.kind);
    holdsBranch |= leaves && i + length < count;
  }
  const auto add = [&](Kind kind) { region.caveats.push_back({.kind = kind}); };
  const bool isCompiledMarker = compiled && region.kind == wire::RegionKind::Marker;
  if (region.severalPaths)
    add(Kind::NoPath);
  else if (holdsBranch && region.kind == wire::RegionKind::Snippet)
    add(Kind::BranchingText);
  else if (holdsBranch && isCompiledMarker)
    add(Kind::BranchingSource);
  else if (isCompiledMarker && isInPieces(target, program, region))
    add(Kind::SourceInPieces);
  if (isRepeated)
    add(Kind::RepeatPrefix);
}

std::vector<ControlTransfer> findControlTransfers(const mca::Target &target, const mca::Program &program,
                                                  const Region &region) {
  std::vector<ControlTransfer> found;
  for (uint32_t i = 0; i < region.instructions.size(); ++i) {
    const llvm::MCInst &inst = program.instructions()[region.instructions[i]].inst;
    const mca::Branch branch = mca::classifyBranch(target, inst);
    if (mca::isCall(branch.kind) || branch.isTailCall)
      found.push_back({ControlTransfer::Kind::Call, i});
    else if (branch.kind == mca::BranchKind::IndirectJump)
      found.push_back({ControlTransfer::Kind::IndirectJump, i});
  }
  return found;
}

} // namespace analysis
