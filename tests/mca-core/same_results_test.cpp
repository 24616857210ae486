// Versions of functions that have the same results, and versions that do not: each kind of difference is found and
// reported as what it is, and what cannot be compared is refused.
#include "mca-core/measure/code_run.h"
#include "mca-core/measure/same/same_results.h"

#include <gtest/gtest.h>

#include <chrono>
#include <sys/wait.h>

namespace {

using namespace mca;
using namespace mca::measure;

/// A function `f` of some instructions.
std::string function(const std::string &body) {
  return ".text\n.globl f\n.type f,@function\nf:\n" + body + "\n.size f, .-f\n";
}

Signature signatureOf(std::optional<const char *> returns, std::initializer_list<const char *> arguments) {
  Signature signature{.function = "f"};
  if (returns)
    signature.returns = parseValueType(*returns);
  for (const char *argument : arguments)
    signature.arguments.push_back(*parseValueType(argument));
  return signature;
}

class SameResults : public testing::Test {
protected:
  void SetUp() override {
    if (const auto runner = CodeRunner::create(); !runner)
      GTEST_SKIP() << runner.message();
    target_ = std::move(*Target::create({.triple = "x86_64-unknown-linux-gnu", .cpu = "x86-64-v3"}));
  }

  Result<SameReport> compare(const std::string &one, const std::string &other, const Signature &signature,
                             const SameOptions &options = {}) const {
    return compareResults(linkText(*target_, one, "f"), linkText(*target_, other, "f"), signature, options);
  }
  SameReport report(const std::string &one, const std::string &other, const Signature &signature,
                    const SameOptions &options = {}) const {
    const auto result = compare(one, other, signature, options);
    if (result)
      return *result;
    ADD_FAILURE() << result.message();
    return {};
  }
  std::string refusal(const std::string &one, const std::string &other, const Signature &signature) const {
    const auto result = compare(one, other, signature);
    return result ? "compared" : result.message();
  }

  std::unique_ptr<Target> target_;
};

/// float f(const float *a, int32_t n): the sum from the front.
const std::string kSum = function(R"(
  xorps %xmm0, %xmm0
  testl %esi, %esi
  jle 2f
  movl %esi, %esi
  xorl %eax, %eax
1: addss (%rdi,%rax,4), %xmm0
  incq %rax
  cmpq %rax, %rsi
  jne 1b
2: retq)");

/// The same, with other instructions.
const std::string kSumOtherwise = function(R"(
  pxor %xmm0, %xmm0
  testl %esi, %esi
  jle 2f
1: addss (%rdi), %xmm0
  addq $4, %rdi
  decl %esi
  jnz 1b
2: retq)");

/// Two sums of every other element.
const std::string kSumReassociated = function(R"(
  xorps %xmm0, %xmm0
  xorps %xmm1, %xmm1
1: subl $2, %esi
  jl 2f
  addss (%rdi), %xmm0
  addss 4(%rdi), %xmm1
  addq $8, %rdi
  jmp 1b
2: jnp 3f
3: testb $1, %sil
  jz 4f
  addss (%rdi), %xmm0
4: addss %xmm1, %xmm0
  retq)");

/// void f(float *to, const float *from, int32_t n): to[i] = from[i], one after the other.
const std::string kCopy = function(R"(
  xorl %eax, %eax
  jmp 2f
1: movss (%rsi,%rax,4), %xmm0
  movss %xmm0, (%rdi,%rax,4)
  incq %rax
2: cmpl %edx, %eax
  jl 1b
  retq)");

/// Four at a time, as `restrict` allows it.
const std::string kCopyOfSeparate = function(R"(
  xorl %eax, %eax
  jmp 2f
1: movups (%rsi,%rax,4), %xmm0
  movups %xmm0, (%rdi,%rax,4)
  addq $4, %rax
2: leal 4(%rax), %ecx
  cmpl %edx, %ecx
  jle 1b
  jmp 4f
3: movss (%rsi,%rax,4), %xmm0
  movss %xmm0, (%rdi,%rax,4)
  incq %rax
4: cmpl %edx, %eax
  jl 3b
  retq)");

/// void f(int8_t *to, const int32_t *bound): to[0..*bound-1] = 1, with a bound that is read each time.
const std::string kFill = function(R"(
  xorl %eax, %eax
  jmp 2f
1: movb $1, (%rdi,%rax)
  incq %rax
2: cmpl (%rsi), %eax
  jl 1b
  retq)");

/// The bound is read once.
const std::string kFillWithLocalBound = function(R"(
  xorl %eax, %eax
  movl (%rsi), %ecx
  jmp 2f
1: movb $1, (%rdi,%rax)
  incq %rax
2: cmpl %ecx, %eax
  jl 1b
  retq)");

TEST_F(SameResults, OfTheSameSums) {
  const SameReport same = report(kSum, kSumOtherwise, signatureOf("float", {"float*", "int32"}));
  EXPECT_TRUE(same.isSame());
  EXPECT_GE(same.runs, 402u);
  EXPECT_EQ(same.overlapping, 0u);
}

TEST_F(SameResults, FindsReassociatedAdditions) {
  const SameReport found = report(kSum, kSumReassociated, signatureOf("float", {"float*", "int32"}));
  ASSERT_TRUE(found.separate);
  EXPECT_FALSE(found.separate->isOnlyNaN);
  EXPECT_FALSE(found.separate->isOverlapping);
  EXPECT_GE(found.separate->count, 3);
  EXPECT_TRUE(found.separate->what.starts_with("the returned value: ")) << found.separate->what;
}

TEST_F(SameResults, FindsWhatDiffersOnlyIfArraysOverlap) {
  const SameReport found = report(kCopy, kCopyOfSeparate, signatureOf({}, {"float*", "float*", "int32"}));
  EXPECT_FALSE(found.separate);
  EXPECT_GE(found.runs, 402u);
  EXPECT_GE(found.overlapping, 201u);
  ASSERT_TRUE(found.overlapped);
  EXPECT_TRUE(found.overlapped->isOverlapping);
  EXPECT_FALSE(found.overlapped->isOnlyNaN);
}

TEST_F(SameResults, BytesMayOverlapEverything) {
  const SameReport found = report(kFill, kFillWithLocalBound, signatureOf({}, {"int8*", "int32*"}));
  EXPECT_FALSE(found.separate);
  EXPECT_TRUE(found.overlapped);
}

TEST_F(SameResults, OtherTypesOverlapOnRequest) {
  const Signature signature = signatureOf({}, {"float*", "int32*", "int32"});
  const SameReport found = report(kCopy, kCopyOfSeparate, signature);
  EXPECT_TRUE(found.isSame());
  EXPECT_EQ(found.overlapping, 0u);
  EXPECT_TRUE(report(kCopy, kCopyOfSeparate, signature, {.anyOverlap = true}).overlapped);
}

TEST_F(SameResults, FindsWhatDiffersOnlyInNaN) {
  // to[i] += from[i], whose result has the bits of the first operand that is NaN.
  const auto add = [](const std::string &sum) {
    return function("xorl %eax, %eax\njmp 2f\n1: " + sum +
                    "\nmovss %xmm0, (%rdi,%rax,4)\nincq %rax\n2: cmpl %edx, "
                    "%eax\njl 1b\nretq");
  };
  const SameReport found = report(add("movss (%rdi,%rax,4), %xmm0\naddss (%rsi,%rax,4), %xmm0"),
                                  add("movss (%rsi,%rax,4), %xmm0\naddss (%rdi,%rax,4), %xmm0"),
                                  signatureOf({}, {"float*", "float*", "int32"}));
  ASSERT_TRUE(found.separate);
  EXPECT_TRUE(found.separate->isOnlyNaN);
  EXPECT_NE(found.separate->what.find("nan (0x"), std::string::npos) << found.separate->what;
}

TEST_F(SameResults, FindsSignsOfZerosAndDenormals) {
  const std::string negate = function("movsd .LC(%rip), %xmm1\nxorpd %xmm1, %xmm0\nretq\n.section "
                                      ".rodata,\"a\",@progbits\n.LC: .quad 0x8000000000000000\n.text");
  const SameReport zero = report(negate, function("xorpd %xmm1, %xmm1\nsubsd %xmm0, %xmm1\nmovapd %xmm1, %xmm0\nretq"),
                                 signatureOf("double", {"double"}));
  ASSERT_TRUE(zero.separate);
  EXPECT_EQ(zero.separate->what, "the returned value: -0 and 0");
  const SameReport denormal =
      report(function("addss (%rdi), %xmm0\nretq"),
             function("pushq $0x9fc0\nldmxcsr (%rsp)\naddss (%rdi), %xmm0\npopq %rax\nretq"), // flushes them to zero
             signatureOf("float", {"float", "float*"}));
  EXPECT_TRUE(denormal.separate);
}

TEST_F(SameResults, FindsWhatDiffersOnlyWithoutIterations) {
  const SameReport found = report(function("movl %edi, %eax\nretq"),
                                  function("movl %edi, %eax\ntestl %eax, %eax\njnz 1f\nincl %eax\n1: retq"),
                                  signatureOf("int32", {"int32"}));
  ASSERT_TRUE(found.separate);
  EXPECT_EQ(found.separate->count, 0);
  EXPECT_EQ(found.separate->what, "the returned value: 0 and 1");
}

TEST_F(SameResults, FindsWhatDiffersForNegativeIntegers) {
  const SameReport found =
      report(function("movslq %edi, %rax\nretq"), function("movl %edi, %eax\nretq"), signatureOf("int64", {"int32"}));
  ASSERT_TRUE(found.separate);
  EXPECT_LT(found.separate->count, 0);
}

TEST_F(SameResults, PassesArgumentsOnTheStack) {
  const Signature signature =
      signatureOf("int32", {"int32", "int32", "int32", "int32", "int32", "int32", "int32", "double", "int32"});
  EXPECT_TRUE(report(function("movl 8(%rsp), %eax\nretq"), function("movq 8(%rsp), %rax\nretq"), signature).isSame());
  EXPECT_FALSE(report(function("movl 8(%rsp), %eax\nretq"), function("movl 16(%rsp), %eax\nretq"), signature).isSame());
}

TEST_F(SameResults, ComparesVariablesWhereverTheyAre) {
  const std::string increment = function("incl counter(%rip)\nretq");
  const std::string variable = ".bss\n.globl counter\n.type counter,@object\n.size counter, 4\ncounter: .zero 4\n";
  const std::string other = ".data\n.globl large\n.type large,@object\n.size large, 64\nlarge: .zero 64\n";
  EXPECT_TRUE(report(increment + other + variable, increment + variable + other, signatureOf({}, {"int32"})).isSame());
  const SameReport found =
      report(increment + variable, function("addl $2, counter(%rip)\nretq") + variable, signatureOf({}, {"int32"}));
  ASSERT_TRUE(found.separate);
  EXPECT_TRUE(found.separate->what.starts_with("variable counter, byte 0: ")) << found.separate->what;
  EXPECT_EQ(refusal(increment + variable, increment + variable + other, signatureOf({}, {"int32"})),
            "the two versions have different variables");
}

TEST_F(SameResults, RunsJumpTablesAndOtherFunctionsOfTheText) {
  const std::string table = function(R"(
  andl $1, %edi
  jmpq *.Ltable(,%rdi,8)
1: callq g
  retq
2: xorl %eax, %eax
  retq
  .section .rodata,"a",@progbits
.Ltable: .quad 1b, 2b
  .text
g: movl $7, %eax
  retq)");
  const std::string plain = function("xorl %eax, %eax\nandl $1, %edi\njnz 1f\nmovl $7, %eax\n1: retq");
  EXPECT_TRUE(report(table, plain, signatureOf("int32", {"int32"})).isSame());
}

TEST_F(SameResults, ProvidesWhatIsExact) {
  const std::string call = function("movslq %edx, %rdx\njmp memmove@PLT");
  const std::string byGot = function("movslq %edx, %rdx\njmpq *memmove@GOTPCREL(%rip)");
  const Signature signature = signatureOf({}, {"int8*", "int8*", "int32"});
  EXPECT_TRUE(report(call, byGot, signature).isSame());
  EXPECT_TRUE(report(call, function("movslq %edx, %rdx\njmp memcpy@PLT"), signature).overlapped);
  EXPECT_TRUE(
      report(function("jmp floorf@PLT"), function("roundss $9, %xmm0, %xmm0\nretq"), signatureOf("float", {"float"}))
          .isSame());
}

TEST_F(SameResults, AFaultOfTheOtherVersionIsADifference) {
  const SameReport found =
      report(kCopy, function("movss -0x8000(%rsi), %xmm0\nretq"), signatureOf({}, {"float*", "float*", "int32"}));
  ASSERT_TRUE(found.separate);
  EXPECT_TRUE(found.separate->what.starts_with("the other version fails: it reads address")) << found.separate->what;
  const SameReport endless = report(function("retq"), function("1: jmp 1b"), signatureOf({}, {"int32"}));
  ASSERT_TRUE(endless.separate);
  EXPECT_EQ(endless.separate->what, "the other version fails: it does not end within the time limit");
}

TEST_F(SameResults, DiscardsWhatTheFirstVersionIsNotMadeFor) {
  // An index that is not in the array.
  const std::string gather = function("movslq (%rdi), %rax\nmovl (%rsi,%rax,4), %eax\nretq");
  const SameReport found = report(gather, gather, signatureOf("int32", {"int32*", "int32*"}));
  EXPECT_TRUE(found.isSame());
  EXPECT_GT(found.discarded, 0u);
  EXPECT_GT(found.runs, 100u);
}

TEST_F(SameResults, HasMemoryForMatrices) {
  // to[n * n - 1] = 1
  const std::string last = function("imull %esi, %esi\nmovl $1, -4(%rdi,%rsi,4)\nretq");
  EXPECT_TRUE(report(last, last, signatureOf({}, {"float*", "int32"})).isSame());
}

TEST_F(SameResults, DependOnTheSeedAlone) {
  const Signature signature = signatureOf("float", {"float*", "int32"});
  const SameReport one = report(kSum, kSumReassociated, signature), again = report(kSum, kSumReassociated, signature),
                   other = report(kSum, kSumReassociated, signature, {.seed = 2});
  ASSERT_TRUE(one.separate && again.separate && other.separate);
  EXPECT_EQ(one.separate->what, again.separate->what);
  EXPECT_EQ(one.separate->run, again.separate->run);
  EXPECT_NE(one.separate->what, other.separate->what);
}

TEST_F(SameResults, RefusesWhatCannotBeCompared) {
  const Signature integer = signatureOf("int32", {"int32"});
  const std::string plain = function("movl %edi, %eax\nretq");
  EXPECT_EQ(refusal(function("1: jmp 1b"), plain, integer), "it does not end within the time limit");
  EXPECT_EQ(refusal(function("jmp expf@PLT"), plain, integer), "it calls expf");
  EXPECT_EQ(refusal(plain, function("jmpq *expf@GOTPCREL(%rip)"), integer), "the other version calls expf");
  EXPECT_EQ(refusal(function("movl elsewhere(%rip), %eax\nretq"), plain, integer),
            "it uses elsewhere, which it does not define");
  EXPECT_EQ(refusal(function("rdtsc\nretq"), function("rdtsc\nretq"), integer)
                .find("it has other results when it runs again with the same arguments: the returned value"),
            0u);
  EXPECT_EQ(
      refusal(function("movl 0, %eax\nretq"), plain, integer).find("it fails with most random arguments: it reads"),
      0u);
  EXPECT_EQ(refusal("g: retq\n", plain, integer), "there is no function 'f'");
  EXPECT_EQ(refusal(plain, "g: retq\n", integer), "the other version: there is no function 'f'");
  EXPECT_EQ(refusal(function("frob %eax"), plain, integer).find("line 5: "), 0u);
  EXPECT_EQ(refusal(function("movl %fs:x@TPOFF, %eax\nretq"), plain, integer), "it has thread-local variables");
  EXPECT_EQ(refusal(function("retq"), function("retq"), signatureOf({}, {})),
            "it has no arguments and no variables, so nothing to compare for different inputs");
}

/// None of them gets further than a refusal or a difference, within its time, and no process is left.
TEST_F(SameResults, HostileCodeEndsInItsChild) {
  const char *const codes[] = {
      "movl $57, %eax\nsyscall\nretq",
      "int $0x80\nretq",
      "vmcall\nretq",
      ".byte 0x0f, 0x01, 0xc1\nretq",
      "movl $0xc1010f, %eax\nleaq -7(%rip), %rcx\nincq %rcx\nincq %rcx\njmpq *%rcx",
      ".byte 0x06",
      "hlt",
      "ud2",
      "int3",
      "xorl %esp, %esp\npushq %rax",
      "1: pushq %rax\njmp 1b",
      "std\nretq",
      "pushq $0x100\npopfq\nnop\nretq",
      "movl $0x18000000, %edi\nmovl $1000000, %ecx\nxorl %eax, %eax\nrep stosb\nretq",
      "movl $0x18000010, %edi\n1: incq (%rdi)\njmp 1b",
      "movl $0x10000000, %edi\nmovb $1, (%rdi)\nretq",
      "movl $0x30000000, %edi\nmovl $65536, %ecx\nxorl %eax, %eax\nrep stosb\nretq",
      "movl $0x18010100, %esp\nxorl %ecx, %ecx\nmovq (%rcx), %rax",
      "movl $231, %eax\nxorl %edi, %edi\nsyscall",
      "movabsq $0x7fffffffffff, %rcx\n1: decq %rcx\njnz 1b\nretq",
  };
  const std::string plain = function("movl %edi, %eax\nretq");
  for (const char *code : codes) {
    SCOPED_TRACE(code);
    const auto start = std::chrono::steady_clock::now();
    auto first = compare(function(code), plain, signatureOf("int32", {"int32"}));
    EXPECT_FALSE(first && first->isSame());
    auto second = compare(plain, function(code), signatureOf("int32", {"int32"}));
    EXPECT_FALSE(second && second->isSame());
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  }
}

TEST(SameTypes, AreRead) {
  EXPECT_EQ(parseValueType("uint16")->element, Element::UInt16);
  EXPECT_TRUE(parseValueType("double *")->isPointer);
  EXPECT_TRUE(parseValueType("int8")->isInteger());
  for (const char *text : {"", "*", "int", "float**", "const float*"})
    EXPECT_FALSE(parseValueType(text)) << text;
}

} // namespace
