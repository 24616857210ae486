#include "tests/differential/engine/odd_instructions.h"

#include <fstream>
#include <stdexcept>

namespace differential {
namespace {

/// The files of odd/ for the architecture.
std::vector<std::string> filesFor(const llvm::Triple &triple) {
  if (triple.isX86())
    return {"x86"};
  if (triple.isAArch64())
    return {"aarch64"};
  if (triple.isThumb())
    return {"arm", "thumb"};
  if (triple.isARM())
    return {"arm"};
  if (triple.isRISCV())
    return {"riscv"};
  if (triple.isPPC())
    return {"powerpc"};
  if (triple.isSystemZ())
    return {"systemz"};
  if (triple.isMIPS())
    return {"mips"};
  if (triple.isAMDGPU())
    return {"amdgpu"};
  return {};
}

} // namespace

std::vector<std::string> oddInstructions(const llvm::Triple &triple) {
  std::vector<std::string> lines;
  for (const std::string &name : filesFor(triple)) {
    const std::string path = std::string(ENGINE_FILES) + "/odd/" + name + ".s";
    std::ifstream file(path);
    if (!file)
      throw std::runtime_error("cannot read " + path);
    std::string line;
    std::getline(file, line); // the comment
    while (std::getline(file, line))
      lines.push_back(line);
  }
  return lines;
}

} // namespace differential
