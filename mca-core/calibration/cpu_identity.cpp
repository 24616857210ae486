// LLVM names the CPU; what its host functions do not report (family, model, stepping, brand) comes from cpuid itself.
// Only the operating system knows the microcode.
#include "mca-core/calibration/cpu_identity.h"

#include "mca-core/calibration/calibration_file.h"
#include "mca-core/calibration/calibration_lines.h"
#include "mca-core/target/target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <array>
#include <cstdlib>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace mca {
namespace {

/// Without what a calibration's text could not hold.
std::string quotable(std::string text) {
  std::erase_if(text, [](char c) { return c < ' ' || c > '~' || c == '"'; });
  return llvm::StringRef(text).trim().str();
}

/// The first value of this name in /proc/cpuinfo; empty if there is none.
std::string_view valueIn(std::string_view cpuinfo, llvm::StringRef wanted) {
  for (llvm::StringRef rest = cpuinfo; !rest.empty();) {
    const auto [line, after] = rest.split('\n');
    const auto [name, value] = line.split(':');
    if (name.trim() == wanted)
      return value.trim();
    rest = after;
  }
  return "";
}

#if defined(__x86_64__) || defined(__i386__)
using Leaf = std::array<unsigned, 4>; ///< eax, ebx, ecx, edx

/// Zeros if the CPU does not have the leaf.
Leaf readLeaf(unsigned number) {
  Leaf leaf{};
  __get_cpuid(number, &leaf[0], &leaf[1], &leaf[2], &leaf[3]);
  return leaf;
}

/// The bytes of registers as text.
std::string textOf(llvm::ArrayRef<unsigned> registers) {
  std::string text;
  for (const unsigned reg : registers)
    for (unsigned shift = 0; shift < 32; shift += 8)
      text += static_cast<char>(reg >> shift & 0xFF);
  return quotable(text);
}

/// Intel's and AMD's manuals agree on how families and models from 15 on are composed.
void readSignature(unsigned eax, CpuIdentity &cpu) {
  const unsigned family = eax >> 8 & 0xF, model = eax >> 4 & 0xF;
  cpu.family = family == 15 ? family + (eax >> 20 & 0xFF) : family;
  cpu.model = family == 6 || family == 15 ? model + (eax >> 12 & 0xF0) : model;
  cpu.stepping = eax & 0xF;
}

void readHardware(CpuIdentity &cpu) {
  const Leaf vendor = readLeaf(0);
  cpu.vendor = textOf({vendor[1], vendor[3], vendor[2]});
  // A part of a file's name; two of the rarer vendors have blanks.
  std::erase_if(cpu.vendor, [](char c) { return !llvm::isAlnum(c); });
  readSignature(readLeaf(1)[0], cpu);
  llvm::SmallVector<unsigned, 12> brand;
  for (const unsigned leaf : {0x80000002, 0x80000003, 0x80000004})
    llvm::append_range(brand, readLeaf(leaf));
  cpu.brand = textOf(brand);
}
#else
void readHardware(CpuIdentity &) {}
#endif

std::string dataFolder() {
  if (const char *const folder = std::getenv("XDG_DATA_HOME"); folder && llvm::sys::path::is_absolute(folder))
    return folder;
  const char *const home = std::getenv("HOME");
  return home && llvm::sys::path::is_absolute(home) ? std::string(home) + "/.local/share" : "";
}

} // namespace

CpuIdentity thisCpu() {
  CpuIdentity cpu{.llvmName = hostCpu()};
  readHardware(cpu);
  const auto cpuinfo = llvm::MemoryBuffer::getFileAsStream("/proc/cpuinfo");
  if (!cpuinfo)
    return cpu;
  const std::string_view text((*cpuinfo)->getBuffer());
  cpu.microcode = microcodeIn(text);
  // Where a hypervisor gives another name than the system has, users know the system's.
  if (std::string brand = quotable(std::string(valueIn(text, "model name"))); !brand.empty())
    cpu.brand = std::move(brand);
  return cpu;
}

std::string microcodeIn(std::string_view cpuinfo) {
  const std::string_view microcode = valueIn(cpuinfo, "microcode");
  return llvm::all_of(microcode, calibration::isNameCharacter) ? std::string(microcode) : "";
}

bool isSameCpu(const CpuIdentity &a, const CpuIdentity &b) {
  return a.vendor == b.vendor && a.family == b.family && a.model == b.model;
}

bool speaksOf(const Calibration &calibration, std::string_view cpu) {
  return calibration.isProfile() ? llvm::is_contained(calibration.profiled, cpu) : calibration.cpu.llvmName == cpu;
}

std::string userCalibrationPath(const CpuIdentity &cpu) {
  const std::string folder = dataFolder();
  if (folder.empty() || cpu.vendor.empty())
    return "";
  return folder + "/mca-lsp/calibrations/" + cpu.vendor + "-" + std::to_string(cpu.family) + "-" +
         std::to_string(cpu.model) + ".calibration";
}

const ShippedCalibration *findShipped(const CpuIdentity &cpu) {
  for (const ShippedCalibration &shipped : shippedCalibrations()) {
    const auto own = readCalibratedCpus(shipped.text, std::string(shipped.file));
    if (own && (cpu.vendor.empty() ? speaksOf(*own, cpu.llvmName) : isSameCpu((*own).cpu, cpu)))
      return &shipped;
  }
  return nullptr;
}

std::string ownCalibrationPath(const std::string &llvmName, const CpuIdentity &machine) {
  return llvmName == machine.llvmName ? userCalibrationPath(machine) : "";
}

const ShippedCalibration *findShippedFor(const std::string &llvmName, const CpuIdentity &machine) {
  if (llvmName == machine.llvmName && !machine.vendor.empty())
    if (const ShippedCalibration *exact = findShipped(machine))
      return exact;
  return findShipped({.llvmName = llvmName});
}

const ShippedCalibration *findDocumented(const std::string &llvmName) {
  for (const ShippedCalibration &profile : documentedProfiles())
    if (const auto read = readCalibratedCpus(profile.text, std::string(profile.file));
        read && speaksOf(*read, llvmName))
      return &profile;
  return nullptr;
}

AutomaticCalibration findAutomatic(const std::string &llvmName, const CpuIdentity &machine) {
  std::string own = ownCalibrationPath(llvmName, machine);
  if (!own.empty() && llvm::sys::fs::exists(own))
    return {.own = std::move(own)};
  if (const ShippedCalibration *const shipped = findShippedFor(llvmName, machine))
    return {.shipped = shipped};
  return {.documented = findDocumented(llvmName)};
}

} // namespace mca
