// Results are compared without the order of remarks, as clang itself prints some in an order that varies from run to
// run, and without that of what is defined between functions.
#include "analysis/compile/result_fingerprint.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <utility>

namespace analysis {
namespace {

class Parts {
public:
  template <class... Values>
  void add(const Values &...values) {
    std::string part;
    llvm::raw_string_ostream out(part);
    ((out << values << '\0'), ...);
    parts_.push_back(std::move(part));
  }
  /// All parts, in an order of their own.
  std::string text() {
    llvm::sort(parts_);
    return llvm::join(parts_, "\n");
  }

private:
  std::vector<std::string> parts_;
};

void add(Parts &parts, const MissedRemark &remark) {
  parts.add(remark.pass, remark.name, remark.function, remark.at.path, remark.at.line, remark.at.column, remark.text);
  for (const MissedRemark::Argument &argument : remark.arguments)
    parts.add(remark.function, remark.at.line, argument.key, argument.value, argument.at.path, argument.at.line,
              argument.at.column);
}

/// Whether the line of assembly may be the first about a symbol: the values of an object follow it, in their order.
bool beginsSymbol(llvm::StringRef line) {
  constexpr llvm::StringRef kFirst[] = {"\t.type\t",  "\t.globl\t",   "\t.weak\t",      "\t.hidden\t",
                                        "\t.local\t", "\t.section\t", "\t.addrsig_sym "};
  return llvm::any_of(kFirst, [&](llvm::StringRef one) { return line.starts_with(one); });
}

/// Adds what is between functions, and returns the functions in their order. clang's comments say where they begin.
std::string takeFunctions(llvm::StringRef assembly, Parts &parts) {
  std::string functions, part;
  bool isInside = false;
  for (const llvm::StringRef line : llvm::split(assembly.rtrim('\n'), '\n')) {
    isInside |= line.contains("-- Begin function");
    if (!isInside && beginsSymbol(line))
      parts.add(std::exchange(part, ""));
    ((isInside ? functions : part) += line) += '\n';
    isInside &= !line.contains("-- End function");
  }
  parts.add(part);
  return functions;
}

} // namespace

Fingerprint fingerprintOf(std::string_view text) {
  return llvm::xxh3_128bits(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
}

Fingerprint fingerprintOf(const CompileResult &result) {
  Parts parts;
  for (const LoopRemark &remark : result.remarks)
    parts.add(remark.path, remark.line, remark.column, static_cast<int>(remark.kind), remark.width, remark.scalable,
              remark.vectorBytes, remark.interleave, remark.unroll, remark.callee);
  for (const VectorizerDecision &decision : result.decisions) {
    parts.add(decision.function, decision.head.path, decision.head.line, decision.head.column, decision.vectorized);
    for (const MissedRemark &reason : decision.reasons)
      add(parts, reason);
  }
  for (const MissedRemark &remark : result.missed)
    add(parts, remark);
  std::string functions = takeFunctions(result.assembly, parts);
  return fingerprintOf(functions + parts.text());
}

} // namespace analysis
