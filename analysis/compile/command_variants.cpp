// Two commands are alike if they have the same flags and, where a flag has a relative path, run in the same directory.
#include "analysis/compile/command_variants.h"

#include "analysis/text/counts.h"
#include "analysis/text/visible_text.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

#include <array>

namespace analysis {
namespace {

using llvm::StringRef;
using Flags = std::vector<std::string>;

/// The number of flags that a name lists, and of bytes of each: a command may be of any length.
constexpr size_t kNamedFlags = 4;
constexpr size_t kFlagBytes = 60;

/// Flags whose value is a path that the compiler resolves in the command's directory.
constexpr std::array kPathFlags = {"-I",       "-isystem", "-iquote", "-idirafter",
                                   "-include", "-imacros", "-F",      "--sysroot="};

/// The flags that shape the code, each with its value as it is usually written: "-Iinclude", "-isystem include".
Flags flagsOf(const CompileCommand &command) {
  Flags flags{command.arguments.front()};
  bool mayHaveValue = false;
  for (const std::string &argument : llvm::drop_begin(command.arguments)) {
    if (argument == "-Xclang") // how a header reaches clang: keepHeader() in flags.cpp
      continue;
    const bool isFlag = argument.starts_with("-");
    if (!isFlag && mayHaveValue)
      flags.back() += (flags.back().size() == 2 ? "" : " ") + argument;
    else
      flags.push_back(argument);
    mayHaveValue = isFlag;
  }
  llvm::erase_if(flags, [](const std::string &flag) { return flag.starts_with("-Wno-"); });
  return flags;
}

bool namesRelativePath(const std::string &flag) {
  return llvm::any_of(kPathFlags, [&](StringRef name) {
    StringRef rest = flag;
    return rest.consume_front(name) && !rest.ltrim().empty() && llvm::sys::path::is_relative(rest.ltrim());
  });
}

/// What two commands with the same result have in common.
struct Shape {
  Flags flags;
  std::string directory; ///< empty if no flag depends on it
  bool operator==(const Shape &) const = default;
};

Shape shapeOf(const CompileCommand &command) {
  Flags flags = flagsOf(command);
  const bool dependsOnDirectory = llvm::any_of(flags, namesRelativePath);
  return {std::move(flags), dependsOnDirectory ? command.directory : ""};
}

/// The flags that occur more often in `flags` than in `all`, each once and in their order.
Flags beyond(const Flags &flags, Flags all) {
  Flags more;
  for (const std::string &flag : flags)
    if (const auto found = llvm::find(all, flag); found != all.end())
      all.erase(found);
    else if (!llvm::is_contained(more, flag))
      more.push_back(flag);
  return more;
}

/// The flags that each of them has.
Flags commonOf(const std::vector<Shape> &shapes) {
  Flags common = shapes.front().flags;
  for (const Shape &shape : shapes)
    for (const std::string &missing : beyond(common, shape.flags))
      std::erase(common, missing);
  return common;
}

/// Visible, as an editor sends the name of the command that its user chose back.
std::string listed(const Flags &flags) {
  std::string text;
  for (const StringRef flag : llvm::ArrayRef(flags).take_front(kNamedFlags)) {
    const bool isCompiler = flag.starts_with("/");
    text += " " + shortened(visibleText(isCompiler ? llvm::sys::path::filename(flag) : flag), kFlagBytes);
  }
  return flags.size() > kNamedFlags ? text + " …" : text;
}

/// By the flags that this command has and another lacks; if it has none of its own, by those that it lacks.
std::string nameOf(const Shape &shape, const std::vector<Shape> &all, const Flags &common) {
  if (const Flags own = beyond(shape.flags, common); !own.empty())
    return "with" + listed(own);
  Flags others;
  for (const Shape &other : all)
    for (const std::string &flag : beyond(beyond(other.flags, common), others))
      others.push_back(flag);
  return others.empty() ? "" : "without" + listed(others);
}

} // namespace

std::vector<CommandVariant> commandVariants(const std::vector<CompileCommand> &commands) {
  std::vector<CommandVariant> variants;
  std::vector<Shape> shapes;
  for (size_t i = 0; i < commands.size(); ++i)
    if (Shape shape = shapeOf(commands[i]); !llvm::is_contained(shapes, shape)) {
      shapes.push_back(std::move(shape));
      variants.push_back({i, ""});
    }
  if (variants.size() < 2)
    return variants;
  const Flags common = commonOf(shapes);
  for (size_t i = 0; i < variants.size(); ++i) {
    std::string name = nameOf(shapes[i], shapes, common);
    // An empty name is always taken: by this very variant, which has none yet.
    if (llvm::any_of(variants, [&](const CommandVariant &other) { return other.name == name; }))
      name +=
          (name.empty() ? "number " : ", number ") + std::to_string(i + 1) + " of " + std::to_string(variants.size());
    variants[i].name = std::move(name);
  }
  return variants;
}

} // namespace analysis
