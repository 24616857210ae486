// The dynamic loader says which libraries are loaded (dl_iterate_phdr(3)).
#include "analysis/job/inputs.h"

#include "analysis/compile/includes.h"
#include "analysis/compile/paths.h"

#include "llvm/ADT/STLExtras.h"

#include <link.h>

namespace analysis {

std::optional<std::vector<std::string>> inputsOf(const CompileCommand &command, const wire::CompileLimits &limits,
                                                 const std::stop_token &stop) {
  std::optional<std::vector<std::string>> files = filesReadBy(command, limits, stop);
  if (!files)
    return std::nullopt;
  llvm::append_range(*files, command.readFrom);
  files->push_back(command.arguments.front());
  return files;
}

const std::vector<std::string> &ownPrograms() {
  static const std::vector<std::string> programs = [] {
    std::vector<std::string> loaded{resolveLinks("/proc/self/exe")};
    dl_iterate_phdr(
        [](dl_phdr_info *object, size_t, void *list) {
          if (object->dlpi_name[0] == '/') // the program itself has no name here, and the kernel's part has no file
            static_cast<std::vector<std::string> *>(list)->emplace_back(object->dlpi_name);
          return 0;
        },
        &loaded);
    return loaded;
  }();
  return programs;
}

} // namespace analysis
