// kernels.c and routines.c compiled for many CPUs: what compilers write, for the comparisons with llvm-mca.
#pragma once

#include <string>
#include <vector>

namespace differential {

struct Compiled {
  const char *triple;
  const char *cpu;
  const char *level; ///< "-O2"
};

/// CPUs with scheduling models of their own, of the targets that have many. Without ARM's cortex-a9: its model makes
/// llvm-mca write beyond its tables when the code is as long as this.
const std::vector<Compiled> &compiledKernels();

/// "riscv64 sifive-u74 -O2".
std::string nameOf(const Compiled &kernel);

/// The sources: loops over arrays, and routines of other kinds.
constexpr const char *kKernelSources[] = {"kernels.c", "routines.c"};

/// Writes the assembly of one of the sources. Returns what the compiler complained of when it failed.
std::string compileKernels(const Compiled &kernel, const std::string &source, const std::string &output);

/// A folder that goes away with the object.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  std::string operator/(const std::string &name) const { return path_ + "/" + name; }

private:
  std::string path_;
};

} // namespace differential
