// Intel's manual, volume 1, "Basic Program Execution Registers".
#include "analysis/dialect/x86_registers.h"

#include "llvm/ADT/STLExtras.h"

namespace analysis {
namespace {

using llvm::StringRef;

bool isLegacy(StringRef name) {
  return llvm::is_contained({"ax", "bx", "cx", "dx", "si", "di", "bp", "sp"}, name);
}

/// r8 to r31, with APX.
bool isNumbered(StringRef name, unsigned first, unsigned last) {
  unsigned number = 0;
  return !name.empty() && !name.starts_with("0") && !name.getAsInteger(10, number) && number >= first && number <= last;
}

} // namespace

bool isX86Register64(StringRef name) {
  return name.consume_front("r") && (isLegacy(name) || isNumbered(name, 8, 31));
}

bool isX86Register(StringRef name) {
  if (isX86Register64(name) || (name.starts_with("e") && isLegacy(name.drop_front())))
    return true;
  StringRef rest = name;
  if (rest.consume_front("r") && rest.consume_back("d"))
    return isNumbered(rest, 8, 31);
  rest = name;
  if (rest.consume_front("xmm") || rest.consume_front("ymm") || rest.consume_front("zmm"))
    return rest == "0" || isNumbered(rest, 1, 31);
  return false;
}

} // namespace analysis
