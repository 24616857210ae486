// The programs that the benchmark runs: mca itself, and a stand-in for mca-measure, whose answers are chosen here.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { KIND_NAMES, kindsOf } from './causes.mjs';
import { textInForm } from './forms.mjs';
import { measureBlocks } from './measure.mjs';
import { Predictor } from './predict.mjs';
import { processorText, readProcessor } from './processor.mjs';
import { countReasons, differenceText, reportText, rulesReport } from './report.mjs';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'truth-'));
test.after(() => fs.rmSync(folder, { recursive: true }));

const predictor = () => new Predictor(process.env.MCA, ['-mcpu=znver3'], folder);

test('a prediction is the steady rate', () => {
  const [chain, throughput] = predictor().predict(['imulq %rax, %rax', 'addl $1, %eax\naddl $1, %ebx\naddl $1, %ecx\naddl $1, %edx']);
  assert.equal(chain.cycles, 3);
  assert.equal(throughput.cycles, 1);
  assert.equal(throughput.kinds.length, 4);
});

test('a block that mca refuses costs only itself', () => {
  const some = predictor();
  const predictions = some.predict(['imulq %rax, %rax', 'nonsense %rax', 'addq %rax, %rax', 'addq %rbx, %rbx']);
  assert.deepEqual(predictions.map(({ cycles }) => cycles), [3, undefined, 1, 1]);
  assert.match(predictions[1].refused, /invalid instruction mnemonic/);
  assert.equal(some.cpu, 'znver3');
});

test('a loop counts in a register that the block does not use', () => {
  assert.equal(textInForm('incl %eax', 'steady'), 'incl %eax');
  assert.equal(textInForm('movl %r15d, %eax', 'loop'), '1:\nmovl %r15d, %eax\ndecq %r14\njne 1b');
  const all = [...[8, 9, 10, 11, 12, 13, 14, 15].map((n) => `incb %r${n}b`), 'incb %bpl', 'incw %di', 'incl %esi'];
  assert.equal(textInForm(all.join('\n'), 'loop'), undefined);
  assert.match(textInForm(all.slice(0, -1).join('\n'), 'loop'), /decq %rsi/);
});

test('blocks are of the kinds that they contain', () => {
  const texts = ['movq %rax, 8(%rsp)', 'movq 8(%rsp), %rcx', 'xorl %eax, %eax', 'vdivps %ymm0, %ymm1, %ymm2', 'movq %rdi, %rsi', 'movb $1, %al', 'lock incl (%rdx)'];
  const kinds = predictor().predict([texts.join('\n')])[0].kinds;
  assert.deepEqual(kindsOf({ instructions: texts, kinds }), [
    ...['loads', 'stores', 'loads of what they store', 'moves between registers', 'zero idioms', 'writes of parts of registers'],
    ...['vectors of 256 or 512 bits', 'vector divisions, square roots', 'lock'],
  ]);
  assert.deepEqual(kindsOf({ instructions: ['cmpl %eax, %ebx'], kinds: [{}] }), []);
});

/** A program that prints `output` and ends with `status`. */
function standIn(output, status) {
  const file = path.join(folder, 'mca-measure');
  fs.writeFileSync(file, `#!/bin/sh\necho "too noisy" >&2\nprintf '%s' '${output}'\nexit ${status}\n`, { mode: 0o755 });
  return file;
}

test('measurements are assigned by the names of the regions', () => {
  const regions = [
    { Name: 'b1', Forms: [{ Form: 'unrolled', Refused: 'it divides by zero' }] },
    { Name: 'b0', Forms: [{ Form: 'unrolled', Cycles: 2.5, Spread: 0.01 }] },
  ];
  const { results, stopped } = measureBlocks(standIn(JSON.stringify({ Regions: regions }), 0), ['nop', 'divl %ecx', 'nop'], 'steady', folder, () => {});
  assert.deepEqual(results, [{ cycles: 2.5, spread: 0.01 }, { refused: 'it divides by zero' }, { refused: 'mca-measure does not mention it' }]);
  assert.equal(stopped, undefined);
});

test('a machine that is too noisy ends the measuring', () => {
  assert.deepEqual(measureBlocks(standIn('', 1), ['nop'], 'loop', folder, () => {}), { results: [], stopped: 'too noisy' });
  const regions = [{ Name: 'b0', Forms: [{ Form: 'unrolled', Cycles: 2, Spread: 0 }] }];
  const stopped = measureBlocks(standIn(JSON.stringify({ Regions: regions, Error: 'busy' }), 1), ['nop', 'nop'], 'steady', folder, () => {});
  assert.deepEqual(stopped, { results: [{ cycles: 2, spread: 0 }], stopped: 'busy' });
});

test('reasons are counted without their numbers', () => {
  assert.deepEqual(countReasons(['it reads address 0x10', 'it divides', 'it reads address 0x2a8']), [
    ['it reads address N', 2],
    ['it divides', 1],
  ]);
});

test('the report judges only what is measured and predicted', () => {
  const row = (text, measured, llvm) => ({ text, length: 1, from: 'p', kinds: ['lea'], steady: { measured, llvm }, loop: { refused: 'it divides' } });
  const rows = [row('a', 2, 1), row('b', 1, 1), row('c', undefined, 7)];
  const text = reportText({ rows, models: ['llvm'], packages: [{ name: 'p', blocks: 5 }], collected: { 'a system instruction': 3 } }, KIND_NAMES);
  assert.match(text, /^Left out by the collector: 3 of 8 blocks\n +3 {2}a system instruction/);
  assert.match(text, /^all +\| +2 +25\.0 % +25\.0 % +-25\.0 %/m);
  assert.match(text, /^lea +2 +25\.0 %/m);
  assert.match(text, /Not measured, loop: 3 of 3 blocks\n +3 {2}it divides/);
});

test('two runs are compared block by block', () => {
  const row = (text, measured, llvm) => ({ text, steady: { measured, llvm }, loop: {} });
  const text = differenceText([row('b', 2.2, 1), row('a', 1, 3)], [row('a', 1, 3), row('b', 2, 1)], ['llvm']);
  assert.match(text, /^steady, measured +2 +5\.0 %/m);
  assert.match(text, /^steady, llvm +2 +0\.0 %/m);
  assert.doesNotMatch(text, /loop/);
});

test('the CPU is named by what the system says of it', () => {
  const text = 'processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\nmodel name\t: AMD EPYC\nstepping\t: 1\n';
  assert.equal(processorText(readProcessor(text)), 'AMD EPYC (AuthenticAMD, family 25, model 1, stepping 1, microcode unknown)');
});

test('the worth of a rule is the error without it', () => {
  const rowWith = (calibrated) => ({ text: 'nop', length: 1, kinds: [], steady: { measured: 2, calibrated }, loop: { measured: 2, calibrated: 2 } });
  const report = rulesReport([rowWith(2)], [{ name: 'some-rule', rows: [rowWith(3)] }]);
  assert.match(report, /^some-rule +50\.0 % +\+50\.0 % +0\.0 % +0\.0 %$/m);
});
