// The functions of an assembly text, by the names that a reader knows them by. They stand in regions' names, and tell
// loops of one place in several functions apart.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/program/loops.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

namespace analysis {

/// The function an instruction is in: the last label before it that is a function's. In a text that declares no
/// function
/// (`.type f,@function`) every label counts but the compiler's own (".LBB0_2").
class FunctionNames {
public:
  explicit FunctionNames(const mca::Program &program);

  /// Index of the function, -1 before the first.
  int indexOf(uint32_t instruction) const;
  /// That of the function with this symbol; -1 if it is none of the text's.
  int indexOf(const llvm::MCSymbol &symbol) const;
  /// The first instruction of the function; 0 before the first.
  uint32_t startOf(uint32_t instruction) const;
  /// After its last instruction; ~0 for the last function.
  uint32_t endOf(uint32_t instruction) const;
  /// The symbol of the function with this index, as the assembly has it; empty for -1.
  llvm::StringRef symbolOf(int index) const {
    return index < 0 ? llvm::StringRef() : llvm::StringRef(labels_[index]->name);
  }
  /// "ns::f<int>"; empty before the first.
  std::string nameOf(uint32_t instruction) const;
  /// The function a loop is in. Empty if the text declares no function and the label is the loop's own: it may be
  /// either.
  std::string nameAround(const mca::Loop &loop) const;

private:
  std::vector<const mca::Label *> labels_;
  llvm::DenseMap<const llvm::MCSymbol *, int> indices_;
  bool declared_ = false;
};

/// "ns::f<int>" of _ZN2ns1fIiEEvv: the name of a function without its parameters.
std::string readableName(std::string_view symbol);

/// "std::sort" of "std::sort<int *>". Angle brackets of an operator ("operator<<") are kept; if the others do not
/// match, the name is returned as it is.
std::string withoutTemplateArguments(llvm::StringRef name);

/// "ns::list::push" of _ZN2ns4listIiE4pushEi: the name of a function with neither parameters nor template arguments,
/// and without what a compiler appends to the name of a copy (".isra.0").
std::string shortFunctionName(std::string_view symbol);

} // namespace analysis
