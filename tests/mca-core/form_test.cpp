// Forms of instructions: the shape of each as the parser reads it, the rows that may stand for it, and its operands.
#include "mca-core/calibration/form.h"

#include "tests/mca-core/parsed.h"

#include "llvm/MCA/InstrBuilder.h"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mca {
namespace {

/// "MOV64rm base+disp", or the opcode alone for an empty shape.
std::string formIn(const std::string &line, const char *triple = kX86, const char *cpu = "znver4") {
  const Parsed parsed(triple, cpu, line + "\n");
  EXPECT_EQ(parsed.count(), 1u) << line;
  const Form form = formOf(parsed.program->instructions()[0].inst, *parsed.target);
  return form.opcode + (form.shape.empty() ? "" : " " + form.shape);
}

TEST(Forms, SayWhichPartsAnAddressHas) {
  EXPECT_EQ(formIn("movq (%rdi), %rax"), "MOV64rm base");
  EXPECT_EQ(formIn("movq 8(%rdi), %rax"), "MOV64rm base+disp");
  EXPECT_EQ(formIn("movq (%rdi,%rcx), %rax"), "MOV64rm base+index");
  EXPECT_EQ(formIn("movq 8(%rdi,%rcx), %rax"), "MOV64rm base+index+disp");
  EXPECT_EQ(formIn("movq (%rdi,%rcx,8), %rax"), "MOV64rm base+scaled");
  EXPECT_EQ(formIn("movq 8(%rdi,%rcx,8), %rax"), "MOV64rm base+scaled+disp");
  EXPECT_EQ(formIn("movq table(,%rcx,8), %rax"), "MOV64rm scaled+disp");
  EXPECT_EQ(formIn("movq 64, %rax"), "MOV64rm absolute");
  EXPECT_EQ(formIn("movq table(%rip), %rax"), "MOV64rm rip");
  EXPECT_EQ(formIn("addl %eax, (%rdi,%rcx,4)"), "ADD32mr base+scaled");
  EXPECT_EQ(formIn("vgatherdps %ymm2, (%rdi,%ymm1,4), %ymm0"), "VGATHERDPSYrm base+scaled");
  EXPECT_EQ(formIn("leaq (%rax,%rcx,4), %rdx"), "LEA64r base+scaled");
  EXPECT_EQ(formIn("leaq 1(%rax,%rcx), %rdx"), "LEA64r base+index+disp");
  EXPECT_EQ(formIn("movsb"), "MOVSB");
  EXPECT_EQ(formIn("movabsb 1234605616436508552, %al"), "MOV8ao64");
}

TEST(Forms, SayWhenAllRegistersThatAreReadAreOne) {
  EXPECT_EQ(formIn("xorl %eax, %eax"), "XOR32rr same");
  EXPECT_EQ(formIn("xorl %eax, %ecx"), "XOR32rr");
  EXPECT_EQ(formIn("vpxor %xmm1, %xmm1, %xmm2"), "VPXORrr same");
  EXPECT_EQ(formIn("testq %rax, %rax"), "TEST64rr same");
  EXPECT_EQ(formIn("vfmadd231ps %xmm1, %xmm1, %xmm2"), "VFMADD231PSr");
  EXPECT_EQ(formIn("addq (%rax), %rax"), "ADD64rm base");
  EXPECT_EQ(formIn("incl %eax"), "INC32r");
}

TEST(Forms, SayWhenARegisterIsMovedToItself) {
  EXPECT_EQ(formIn("movl %eax, %eax"), "MOV32rr self");
  EXPECT_EQ(formIn("movzbl %al, %eax"), "MOVZX32rr8 self");
  EXPECT_EQ(formIn("movl %eax, %ecx"), "MOV32rr");
  EXPECT_EQ(formIn("popcntl %eax, %eax"), "POPCNT32rr");
}

TEST(Forms, SayWhatElseTheOpcodeLeavesOpen) {
  EXPECT_EQ(formIn("shll $0, %eax"), "SHL32ri imm0");
  EXPECT_EQ(formIn("shldl $1, %eax, %ecx"), "SHLD32rri8 imm1");
  EXPECT_EQ(formIn("shll $2, %eax"), "SHL32ri");
  EXPECT_EQ(formIn("addl $1, %eax"), "ADD32ri8");
  EXPECT_EQ(formIn("movb %ah, %bl"), "MOV8rr high8");
  EXPECT_EQ(formIn("cmoval %eax, %ecx"), "CMOV32rr carry+zero");
  EXPECT_EQ(formIn("setbe (%rdi)"), "SETCCm base,carry+zero");
  EXPECT_EQ(formIn("cmovel %eax, %ecx"), "CMOV32rr");
  EXPECT_EQ(formIn("movl %fs:8(%rax), %eax"), "MOV32rm base+disp,segment");
  EXPECT_EQ(formIn("lock addl $1, (%rax)"), "ADD32mi8 base,lock");
  EXPECT_EQ(formIn("rep movsb"), "MOVSB rep");
  EXPECT_EQ(formIn("repne scasb"), "SCASB repne");
}

TEST(Forms, OfOtherTargetsHaveNoShape) {
  EXPECT_EQ(formIn("ldr x0, [x1, x2, lsl #3]", kAArch64, "neoverse-n1"), "LDRXroX");
}

using Shapes = std::vector<std::string>;

TEST(Forms, FallBackToLessPreciseOnes) {
  EXPECT_EQ(shapesToTry({"MOV64rm", "base+scaled+disp,segment"}),
            (Shapes{"base+scaled+disp,segment", "base+scaled+disp", "base+scaled", "base+index", "base"}));
  EXPECT_EQ(shapesToTry({"MOV64rm", "scaled+disp"}),
            (Shapes{"scaled+disp", "scaled", "base+scaled", "base+index", "base"}));
  EXPECT_EQ(shapesToTry({"MOV64rm", "rip"}), (Shapes{"rip", "base"}));
  EXPECT_EQ(shapesToTry({"MOV8rr", "high8"}), (Shapes{"high8", ""}));
  EXPECT_EQ(shapesToTry({"TEST64rr", "same"}), (Shapes{"same", ""}));
  EXPECT_EQ(shapesToTry({"ADD64rr", ""}), (Shapes{""}));
}

TEST(Forms, DoNotFallBackWhereLlvmKnowsTheDifference) {
  for (const char *opcode : {"XOR32rr", "SUB64rr", "SBB8rr", "CMP32rr", "PXORrr", "VPXORDZrr", "VXORPSYrr", "PCMPEQBrr",
                             "VPCMPGTQYrr", "ANDN64rr", "VPTERNLOGDZrri", "KXORWkk"})
    EXPECT_EQ(shapesToTry({opcode, "same"}), Shapes{"same"}) << opcode;
  for (const char *opcode : {"SUBPSrr", "VCMPPSrri", "CMPXCHG32rr", "AND64rr", "IMUL64rr"})
    EXPECT_EQ(shapesToTry({opcode, "same"}).size(), 2u) << opcode;
  EXPECT_EQ(shapesToTry({"LEA64r", "base+scaled+disp"}), Shapes{"base+scaled+disp"});
  EXPECT_EQ(shapesToTry({"CMOV32rr", "carry+zero"}), Shapes{"carry+zero"});
  EXPECT_EQ(shapesToTry({"ADD32mi8", "base+disp,lock"}), (Shapes{"base+disp,lock", "base,lock"}));
}

TEST(Forms, ATableFindsTheMostPreciseRow) {
  Calibration calibration;
  calibration.forms = {{.opcode = "MOV64rm", .shape = "base"}, {.opcode = "MOV64rm", .shape = "base+scaled"}};
  const FormTable table(calibration);
  EXPECT_EQ(table.find({"MOV64rm", "base+scaled+disp"}), &calibration.forms[1]);
  EXPECT_EQ(table.find({"MOV64rm", "rip"}), &calibration.forms[0]);
  EXPECT_EQ(table.find({"MOV64rm", "base,lock"}), nullptr);
  EXPECT_EQ(table.find({"MOV32rm", "base"}), nullptr);
}

/// What EVEX encodes for registers from 16 on is executed as what VEX encodes, but for masks.
TEST(Forms, ATableHasVexsRowsForEvex) {
  Calibration calibration;
  calibration.forms = {{.opcode = "VADDPSYrr"},
                       {.opcode = "VADDSSrr_Int"},
                       {.opcode = "VPXORrm", .shape = "base"},
                       {.opcode = "VMOVDQUYmr", .shape = "base"},
                       {.opcode = "VPCMPEQBrr"},
                       {.opcode = "VADDPSZ128rr"},
                       {.opcode = "VADDPSrr"},
                       {.opcode = "VMULPDYrm", .shape = "base"},
                       {.opcode = "VMOVAPSrr"},
                       {.opcode = "VMOVPQIto64rr"}};
  const FormTable table(calibration);
  EXPECT_EQ(table.find({"VADDPSZ256rr", ""}), &calibration.forms[0]);
  EXPECT_EQ(table.find({"VADDSSZrr_Int", ""}), &calibration.forms[1]);
  EXPECT_EQ(table.find({"VPXORQZ128rm", "base+disp"}), &calibration.forms[2]);
  EXPECT_EQ(table.find({"VMOVDQU8Z256mr", "base"}), &calibration.forms[3]);
  EXPECT_EQ(table.find({"VADDPSZ128rr", ""}), &calibration.forms[5]) << "its own row";
  EXPECT_EQ(table.find({"VMULPDZ256rmb", "base"}), &calibration.forms[7]) << "a broadcast of what is loaded";
  EXPECT_EQ(table.find({"VMOVAPSrr_REV", ""}), &calibration.forms[8]);
  EXPECT_EQ(table.find({"VMOVPQIto64Zrr", ""}), &calibration.forms[9]);
  for (const char *opcode : {"VPCMPEQBZ128rr", "VADDPSZ256rrk", "VADDPSZ256rrkz", "VADDPSZrr", "VADDPSZ256rmb"})
    EXPECT_EQ(table.find({opcode, ""}), nullptr) << opcode;
}

/// "OPCODE source>destination:cycles", or "none".
std::string unmasked(const FormTable &table, const std::string &line) {
  const Parsed parsed(kX86, "znver4", line + "\n");
  const auto row = table.findUnmasked(parsed.program->instructions()[0].inst, *parsed.target);
  if (!row)
    return "none";
  std::string text = row->opcode;
  for (const CalibratedForm::Latency &latency : row->latencies)
    text += " " + std::to_string(latency.source) + ">" + std::to_string(latency.destination) + ":" +
            std::to_string(static_cast<int>(latency.cycles));
  return text;
}

/// Before the operands that are read, EVEX has what is kept, if the others are not zeroed, and the mask.
TEST(Forms, WithAMaskTakeTheRowWithoutOne) {
  const auto row = [](const char *opcode, const char *shape, std::vector<CalibratedForm::Latency> latencies) {
    CalibratedForm form{.opcode = opcode, .shape = shape};
    form.latencies = std::move(latencies);
    return form;
  };
  Calibration calibration;
  calibration.forms = {row("VADDPSZrr", "", {{1, 0, 3}, {2, 0, 4}}),
                       row("VFMADD231PSZr", "", {{1, 0, 5}, {3, 0, 6}}),
                       row("VMULPSrr", "", {{2, 0, 7}}),
                       row("VMOVUPSZrm", "base", {{1, 0, 8}}),
                       row("VPXORDZrr", "", {{1, 0, 1}}),
                       row("VMOVAPSZrr", "", {{1, 0, 0}}),
                       row("VPXORDZrr", "same", {})};
  calibration.forms[5].treatment = RenameTreatment::Eliminated;
  calibration.forms[6].treatment = RenameTreatment::Zero;
  const FormTable table(calibration);
  EXPECT_EQ(unmasked(table, "vaddps %zmm1, %zmm2, %zmm3 {%k1}"), "VADDPSZrr 3>0:3 4>0:4");
  EXPECT_EQ(unmasked(table, "vaddps %zmm1, %zmm2, %zmm3 {%k1} {z}"), "VADDPSZrr 2>0:3 3>0:4");
  EXPECT_EQ(unmasked(table, "vfmadd231ps %zmm1, %zmm2, %zmm3 {%k1}"), "VFMADD231PSZr 1>0:5 4>0:6");
  EXPECT_EQ(unmasked(table, "vmulps %xmm1, %xmm2, %xmm3 {%k1}"), "VMULPSrr 4>0:7");
  EXPECT_EQ(unmasked(table, "vmovups (%rdi), %zmm3 {%k1}"), "VMOVUPSZrm 3>0:8");
  EXPECT_EQ(unmasked(table, "vmovups (%rdi), %zmm3 {%k1} {z}"), "VMOVUPSZrm 2>0:8");
  EXPECT_EQ(unmasked(table, "vpxord %zmm1, %zmm2, %zmm3 {%k1}"), "VPXORDZrr 3>0:1");
  EXPECT_EQ(unmasked(table, "vpxord %zmm1, %zmm1, %zmm3 {%k1}"), "VPXORDZrr 3>0:1") << "what it keeps is no zero";
  EXPECT_EQ(unmasked(table, "vmovaps %zmm1, %zmm3 {%k1}"), "none") << "renaming copies no part of a register";
  EXPECT_EQ(unmasked(table, "vaddps %zmm1, %zmm2, %zmm3"), "none") << "it has no mask";
  EXPECT_EQ(unmasked(table, "vsubps %zmm1, %zmm2, %zmm3 {%k1}"), "none");
}

/// "1:RAX i0:EFLAGS/flags": the number, the register and its kind, if that is none of Register.
std::string shown(const llvm::SmallVectorImpl<FormOperand> &operands, const Target &target) {
  constexpr const char *kKinds[] = {"", "/address", "/flags", "/old"};
  std::string text;
  for (const FormOperand &operand : operands) {
    const bool isImplicit = operand.number >= kFirstImplicit;
    text += (text.empty() ? "" : " ") + std::string(isImplicit ? "i" : "") +
            std::to_string(operand.number - (isImplicit ? kFirstImplicit : 0)) + ":" +
            target.registers().getName(operand.reg) + kKinds[static_cast<size_t>(operand.kind)];
  }
  return text;
}
std::string operandsIn(const std::string &line) {
  const Parsed parsed(kX86, "znver4", line + "\n");
  EXPECT_EQ(parsed.count(), 1u) << line;
  const FormOperands operands = formOperandsOf(parsed.program->instructions()[0].inst, *parsed.target);
  return shown(operands.sources, *parsed.target) + " -> " + shown(operands.destinations, *parsed.target);
}

TEST(FormOperands, HaveTheNumbersOfTheInstructionAndItsImplicitRegisters) {
  EXPECT_EQ(operandsIn("addq %rcx, %rax"), "1:RAX 2:RCX -> 0:RAX i0:EFLAGS/flags");
  EXPECT_EQ(operandsIn("adcq %rcx, %rax"), "1:RAX 2:RCX i0:EFLAGS/flags -> 0:RAX i0:EFLAGS/flags");
  EXPECT_EQ(operandsIn("divl %ecx"), "0:ECX i0:EAX i1:EDX -> i0:EAX i1:EDX i2:EFLAGS/flags");
  EXPECT_EQ(operandsIn("pushq %rax"), "0:RAX i0:RSP -> i0:RSP");
  EXPECT_EQ(operandsIn("xchgl %edx, %ecx"), "2:ECX 3:EDX -> 0:ECX 1:EDX");
}

TEST(FormOperands, NameThePartsOfAddresses) {
  EXPECT_EQ(operandsIn("movq %fs:8(%rdi,%rcx,8), %rax"), "1:RDI/address 3:RCX/address 0:RAX/old -> 0:RAX");
  EXPECT_EQ(operandsIn("movq %rax, table(%rip)"), "5:RAX -> ");
  EXPECT_EQ(operandsIn("leaq (%rax,%rcx,4), %rdx"), "1:RAX/address 3:RCX/address 0:RDX/old -> 0:RDX");
  EXPECT_EQ(operandsIn("movsb"), "0:RDI/address 1:RSI/address i0:EDI i1:ESI -> i0:EDI i1:ESI");
}

TEST(FormOperands, ThatAreOnlyWrittenHaveOldValues) {
  EXPECT_EQ(operandsIn("movb %ah, %bl"), "1:AH 0:BL/old -> 0:BL");
  EXPECT_EQ(operandsIn("popcntl %ecx, %eax"), "1:ECX 0:EAX/old -> 0:EAX i0:EFLAGS/flags");
}

using Numbered = std::set<std::pair<uint16_t, unsigned>>; ///< numbers of operands with LLVM's numbers of registers

template <typename Descriptors>
Numbered numberedBy(const Descriptors &descriptors, const llvm::MCInst &inst) {
  Numbered operands;
  for (const auto &descriptor : descriptors) {
    const unsigned reg =
        descriptor.OpIndex < 0 ? descriptor.RegisterID : inst.getOperand(descriptor.OpIndex).getReg().id();
    if (reg)
      operands.emplace(formOperandNumber(descriptor.OpIndex), reg);
  }
  return operands;
}
Numbered numberedByUs(const llvm::SmallVectorImpl<FormOperand> &list) {
  Numbered operands;
  for (const FormOperand &operand : list)
    if (operand.kind != FormOperand::Kind::OldValue)
      operands.emplace(operand.number, operand.reg.id());
  return operands;
}

TEST(FormOperands, AgreeWithTheIndexesOfLlvmsSimulator) {
  const Parsed parsed(kX86, "znver4", R"(
    addq %rcx, %rax
    adcq %rcx, %rax
    divl %ecx
    pushq %rax
    xchgl %edx, %ecx
    movq 8(%rdi,%rcx,8), %rax
    movq %rax, (%rdi,%rcx)
    mulxq %rax, %rcx, %rdx
    cmpxchgl %ecx, (%rdi)
    leaq (%rax,%rcx,4), %rdx
    vgatherdps %ymm2, (%rdi,%ymm1,4), %ymm0
    vpaddd %zmm1, %zmm2, %zmm3 {%k1}
)");
  const Target &target = *parsed.target;
  llvm::mca::InstrumentManager instruments(target.subtarget(), target.instructions());
  llvm::mca::InstrBuilder builder(target.subtarget(), target.instructions(), target.registers(), target.analysis(),
                                  instruments, 100);
  ASSERT_EQ(parsed.count(), 12u);
  for (const Instruction &instruction : parsed.program->instructions()) {
    auto built = builder.createInstruction(instruction.inst, {});
    ASSERT_TRUE(static_cast<bool>(built));
    const llvm::mca::InstrDesc &description = (*built)->getDesc();
    const FormOperands operands = formOperandsOf(instruction.inst, target);
    const std::string opcode = formOf(instruction.inst, target).opcode;
    EXPECT_EQ(numberedBy(description.Reads, instruction.inst), numberedByUs(operands.sources)) << opcode;
    EXPECT_EQ(numberedBy(description.Writes, instruction.inst), numberedByUs(operands.destinations)) << opcode;
  }
}

} // namespace
} // namespace mca
