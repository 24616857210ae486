import assert from 'node:assert/strict';
import test from 'node:test';
import { basicBlocks, LONGEST, mnemonicOf, normalise, obstacleOf, readDisassembly, refusalOf } from './blocks.mjs';

// As llvm-objdump prints it.
const FUNCTION = `
code:	file format elf64-x86-64

Disassembly of section .text:

0000000000001000 <.text>:
    1000:      	nopw	%cs:(%rax,%rax)
    100a:      	pushq	%rbx
    100b:      	subq	$0x2c8, %rsp            # imm = 0x2C8
    1012:      	testq	%rax, %rax
    1015:      	je	0x1020 <.text+0x20>
    1017:      	movq	-0x8(%rdi,%rax,8), %rcx
    101c:      	nopl	(%rax)
    1020:      	leaq	0x10(%rip), %rsi    # 0x1037
    1027:      	cmpl	$0x0, 0x9(%rip)    # 0x1037
    102e:      	mulsd	-0x10(%rip), %xmm0    # 0x1026
    1036:      	callq	0x900 <memcpy@plt>
    103b:      	rep		stosq	%rax, %es:(%rdi)
    103e:      	retq
    103f:      	int3
    1040:      	bnd jmp	0x100b <.text+0xb>
`;

const blocksOf = (text) => basicBlocks(readDisassembly(text));

test('blocks end at branches, calls and returns, and begin at the targets of branches', () => {
  assert.deepEqual(blocksOf(FUNCTION), [
    ['pushq %rbx'],
    ['subq $712, %rsp', 'testq %rax, %rax'],
    ['movq -8(%rdi,%rax,8), %rcx', 'nopl (%rax)'],
    ['leaq .Ldata0(%rip), %rsi', 'cmpl $0, .Ldata0(%rip)', 'mulsd .Ldata1(%rip), %xmm0'],
    ['rep stosq %rax, %es:(%rdi)'],
  ]);
});

test('what runs into data is no block', () => {
  const text = '  10: \taddl\t%eax, %eax\n  12: \t<unknown>\n  13: \tsubl\t%eax, %eax\n  15: \tud2\n  17: \txorl\t%eax, %eax\n  19: \tretq\n';
  assert.deepEqual(blocksOf(text), [['xorl %eax, %eax']]);
});

test('an indirect jump has no target in the text', () => {
  assert.deepEqual(blocksOf('  10: \tincl\t%eax\n  12: \tjmpq\t*0x18(%rax)\n  18: \tincl\t%ebx\n  1a: \tincl\t%ecx\n  1c: \tretq\n'), [
    ['incl %eax'],
    ['incl %ebx', 'incl %ecx'],
  ]);
});

test('one instruction has one spelling', () => {
  assert.equal(normalise('movabsq\t$0x7fffffffffffffff, %rax  # imm = 0x7FFF'), 'movabsq $9223372036854775807, %rax');
  assert.equal(normalise('je\t0x1020 <.text+0x20>'), 'je 4128');
  assert.equal(normalise('lock\t\tcmpxchgl\t%ecx, -0x4(%rdx)'), 'lock cmpxchgl %ecx, -4(%rdx)');
});

test('the operation is found after its prefixes', () => {
  assert.equal(mnemonicOf('lock cmpxchgl %ecx, (%rdx)'), 'cmpxchgl');
  assert.equal(mnemonicOf('bnd jmp 12'), 'jmp');
  assert.equal(mnemonicOf('cltq'), 'cltq');
});

test('instructions that cannot be measured alone', () => {
  for (const text of ['syscall', 'cpuid', 'rdtsc', 'xgetbv', 'int $128', 'movl %eax, %ds', 'pushq %fs', 'pause', 'wrfsbaseq %rax', 'vmcall'])
    assert.equal(obstacleOf(text), 'a system instruction', text);
  assert.equal(obstacleOf('movq %fs:40, %rax'), 'memory of the thread (fs, gs)');
  assert.equal(obstacleOf('rep movsq (%rsi), %es:(%rdi)'), 'a string instruction');
});

test('instructions whose names look like those', () => {
  for (const text of ['leaq 16(%rip), %rsi', 'insertps $0, %xmm0, %xmm1', 'vmovdqa (%rax), %ymm0', 'vmulpd %ymm0, %ymm1, %ymm2'])
    assert.equal(obstacleOf(text), undefined, text);
  for (const text of ['movsd (%rax), %xmm0', 'movsbl %al, %eax', 'cmpsd $1, %xmm0, %xmm1', 'lock incl (%rax)', 'shlq %cl, %rax'])
    assert.equal(obstacleOf(text), undefined, text);
});

test('a block is refused for its length or its first obstacle', () => {
  const longest = Array.from({ length: LONGEST }, () => 'incl %eax');
  assert.equal(refusalOf(longest), undefined);
  assert.equal(refusalOf([...longest, 'incl %eax']), `more than ${LONGEST} instructions`);
  assert.equal(refusalOf(['incl %eax', 'syscall']), 'a system instruction');
});

test('a prefix on a line of its own belongs to the instruction after it', () => {
  const [block] = blocksOf('    10:      \tlock\n    11:      \taddl\t$0x1, (%rdi)\n    14:      \tmovl\t%eax, %ecx\n    16:      \tretq\n');
  assert.deepEqual(block, ['lock addl $1, (%rdi)', 'movl %eax, %ecx']);
});
