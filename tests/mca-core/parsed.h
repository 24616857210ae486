// A parsed text with the target it refers to, and questions that tests ask of it.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/target/target.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace mca {

constexpr const char *kX86 = "x86_64-unknown-linux-gnu";
constexpr const char *kAArch64 = "aarch64-unknown-linux-gnu";
constexpr const char *kRiscv = "riscv64-unknown-linux-gnu";

inline std::unique_ptr<Target> targetOf(const std::string &triple, const std::string &cpu,
                                        const std::string &features = "") {
  auto target = Target::create({.triple = triple, .cpu = cpu, .features = features});
  EXPECT_TRUE(target) << triple << " " << cpu;
  return target ? std::move(*target) : nullptr;
}

class Parsed {
public:
  Parsed(const std::string &triple, const std::string &cpu, std::string text, const ParseOptions &options = {})
      : target(targetOf(triple, cpu)), program(Program::parse(std::move(text), *target, options)) {}

  size_t count() const { return program->instructions().size(); }
  /// LLVM's name of the opcode.
  std::string opcode(uint32_t instruction) const {
    return target->instructions().getName(program->instructions()[instruction].inst.getOpcode()).str();
  }
  /// 1-based.
  uint32_t lineOf(uint32_t offset) const {
    const std::string &text = program->text();
    return 1 + static_cast<uint32_t>(std::count(text.begin(), text.begin() + offset, '\n'));
  }
  /// The 1-based line that each instruction stands on.
  std::vector<uint32_t> lines() const {
    std::vector<uint32_t> result;
    for (const Instruction &instruction : program->instructions())
      result.push_back(lineOf(instruction.offset));
    return result;
  }
  /// "3: message" for each diagnostic, by 1-based line.
  std::vector<std::string> diagnostics() const {
    std::vector<std::string> result;
    for (const Diagnostic &diagnostic : program->diagnostics())
      result.push_back(std::to_string(lineOf(diagnostic.begin)) + ": " + diagnostic.message);
    return result;
  }
  /// The instruments in force at an instruction: "RISCV-LMUL=M4 RISCV-SEW=E32", sorted.
  std::string instruments(uint32_t instruction) const {
    std::vector<std::string> found;
    for (const llvm::mca::Instrument *instrument : program->instrumentsOf(program->instructions()[instruction]))
      found.push_back(instrument->getDesc().str() + "=" + instrument->getData().str());
    std::sort(found.begin(), found.end());
    std::string text;
    for (const std::string &one : found)
      text += (text.empty() ? "" : " ") + one;
    return text;
  }

  std::unique_ptr<Target> target;
  std::unique_ptr<Program> program;
};

using Strings = std::vector<std::string>;
using Lines = std::vector<uint32_t>;

} // namespace mca
