// The rules: whatever a definition names is kept, and its comdat group; aliases of a kept definition are, as they are
// uses of it, too. Of a definition that other modules do not see the users are kept, but for constants, whose values
// alone matter; and the users of those users, if they are only emitted for being used.
#include "analysis/compile/module_part.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

namespace analysis {
namespace {

using llvm::GlobalValue;

class Part {
public:
  void add(GlobalValue &value) {
    if (kept_.insert(&value).second)
      open_.push_back(&value);
  }
  /// Adds all that what was added depends on.
  void close() {
    while (!open_.empty()) {
      GlobalValue &value = *open_.pop_back_val();
      addNamedBy(value);
      if (const llvm::Comdat *group = value.getComdat())
        for (llvm::GlobalObject *member : group->getUsers())
          add(*member);
      addUsersOf(value, isDecidedByUsers(value));
    }
  }
  bool has(const GlobalValue &value) const { return kept_.contains(&value); }
  /// Whether another definition depends on that this one uses it.
  bool isUser(const GlobalValue &value) const { return users_.contains(&value); }

private:
  bool isDecidedByUsers(const GlobalValue &value) const {
    const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&value);
    const bool isConstant = variable && variable->isConstant();
    return (value.hasLocalLinkage() && !isConstant) || (value.isDiscardableIfUnused() && users_.contains(&value));
  }
  /// Adds a user of what is decided by its users.
  void addUser(GlobalValue &user) {
    kept_.insert(&user);
    if (users_.insert(&user).second)
      open_.push_back(&user); // again, if it was there, as its own users count from now on
  }
  void addNamedBy(GlobalValue &value) {
    addNamedIn(value);
    if (auto *function = llvm::dyn_cast<llvm::Function>(&value))
      for (llvm::Instruction &instruction : llvm::instructions(*function))
        addNamedIn(instruction);
  }
  /// Adds what the operands name, through the operands of constants.
  void addNamedIn(llvm::User &user) {
    llvm::SmallVector<llvm::User *, 8> open = {&user};
    while (!open.empty())
      for (llvm::Value *operand : open.pop_back_val()->operand_values()) {
        if (auto *named = llvm::dyn_cast<GlobalValue>(operand))
          add(*named);
        else if (auto *constant = llvm::dyn_cast<llvm::Constant>(operand); constant && seen_.insert(constant).second)
          open.push_back(constant);
      }
  }
  /// Adds what names the value, or only its aliases.
  void addUsersOf(GlobalValue &value, bool all) {
    llvm::SmallVector<llvm::User *, 8> open(value.user_begin(), value.user_end());
    llvm::SmallPtrSet<llvm::User *, 8> seen;
    while (!open.empty()) {
      llvm::User *user = open.pop_back_val();
      if (!seen.insert(user).second)
        continue;
      if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(user)) {
        if (all)
          addUser(*instruction->getFunction());
      } else if (auto *global = llvm::dyn_cast<GlobalValue>(user)) {
        if (all)
          addUser(*global);
        else if (llvm::isa<llvm::GlobalAlias>(global))
          add(*global);
      } else {
        open.append(user->user_begin(), user->user_end());
      }
    }
  }

  llvm::SmallPtrSet<const GlobalValue *, 32> kept_;
  llvm::SmallPtrSet<const GlobalValue *, 32> users_; ///< of what is decided by its users
  llvm::SmallVector<GlobalValue *, 32> open_;        ///< what of these is left to look at
  llvm::SmallPtrSet<llvm::Constant *, 32> seen_;     ///< whose names were added
};

/// Takes all out of the module that is not in the part.
void removeRest(llvm::Module &module, const Part &part) {
  std::vector<GlobalValue *> rest;
  for (GlobalValue &value : module.global_values())
    if (!part.has(value))
      rest.push_back(&value);
  for (GlobalValue *value : rest) {
    if (auto *function = llvm::dyn_cast<llvm::Function>(value))
      function->deleteBody();
    else if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(value))
      variable->setInitializer(nullptr);
    else
      value->dropAllReferences();
  }
  for (GlobalValue *value : rest) {
    value->removeDeadConstantUsers();
    if (!value->use_empty())
      value->replaceAllUsesWith(llvm::PoisonValue::get(value->getType()));
    value->eraseFromParent();
  }
}

/// Has the function emitted even if the part does not use it.
void emit(llvm::Function &function) {
  if (function.hasLinkOnceLinkage())
    function.setLinkage(function.hasLinkOnceODRLinkage() ? GlobalValue::WeakODRLinkage : GlobalValue::WeakAnyLinkage);
}

/// Has a copy of a template or an inline function, which every module that uses it has, optimized only as far as its
/// callers see it.
void doNotEmit(llvm::Function &function) {
  const bool isCopy = function.hasLinkOnceODRLinkage() || function.hasWeakODRLinkage();
  if (!isCopy || function.isDeclaration() || llvm::any_of(function.users(), llvm::IsaPred<llvm::GlobalAlias>))
    return;
  function.setComdat(nullptr);
  function.setLinkage(GlobalValue::AvailableExternallyLinkage);
}

/// Whether where a variable is, and so how it is addressed, depends on all variables that the module defines.
bool placesVariablesTogether(const llvm::Module &module, const Part &part) {
  if (module.getTargetTriple().getArch() == llvm::Triple::x86_64)
    return false;
  return llvm::any_of(module.globals(), [&](const llvm::GlobalVariable &variable) {
    return part.has(variable) && !variable.isDeclaration() && !variable.isConstant();
  });
}

} // namespace

std::optional<std::string> partOf(std::string_view bitcode, llvm::ArrayRef<std::string> functions, Copies copies) {
  llvm::LLVMContext context;
  auto read = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "module"), context);
  if (!read) {
    llvm::consumeError(read.takeError());
    return std::nullopt;
  }
  llvm::Module &module = **read;
  Part part;
  for (const std::string &name : functions) {
    llvm::Function *const function = module.getFunction(name);
    if (!function || function->isDeclaration())
      return std::nullopt;
    part.add(*function);
  }
  part.close();
  if (functions.empty() || placesVariablesTogether(module, part))
    return std::nullopt;
  removeRest(module, part);
  for (llvm::Function &function : module) {
    if (llvm::is_contained(functions, function.getName()))
      emit(function);
    else if (copies == Copies::Wanted && !part.isUser(function))
      doNotEmit(function);
  }
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out, nullptr, /*ShouldPreserveUseListOrder=*/true);
  return text;
}

} // namespace analysis
