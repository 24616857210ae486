// The parts of the benchmark of loops: sources, measurements, hints, tables; and mca-lsp itself on all kernels.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { BUILDS, hostCpu, kernelFiles, writeDatabase } from './builds.mjs';
import { kernelsOf, readKernels } from './kernels.mjs';
import { Measurements, confirmedTime, iterationOf, readRun } from './measure.mjs';
import { checkFiles, predictionOf, readLabel } from './predict.mjs';
import { differenceText, judgeLoops, reportText } from './report.mjs';

test('a kernel is a judged loop and the statement after it', () => {
  const text = 'void f(int n) {\n  while (n) // judged\n    --n;\n}\nKERNEL(f, n, 0, (n))\n';
  assert.deepEqual(readKernels(text), [{ name: 'f', line: 2, first: 1, last: 5 }]);
  assert.throws(() => readKernels('KERNEL(f, n, 0, (n))'), /no loop of f is judged/);
  assert.throws(() => readKernels(text.replace('KERNEL', '//') + text), /lines 2 and 7 are judged/);
});

test('kernels have different names, and each has a kind', () => {
  const kernels = kernelsOf(kernelFiles());
  assert.ok(kernels.length >= 80);
  assert.equal(new Set(kernels.map(({ kernel }) => kernel)).size, kernels.length);
  assert.equal(kernels.find(({ kernel }) => kernel === 'sum_floats').kind, 'reductions');
});

test('the fastest time counts that another run confirms', () => {
  assert.equal(confirmedTime([1010, 1000, 900]), 1000);
  assert.equal(confirmedTime([1011, 1000, 900]), undefined);
  assert.equal(confirmedTime([102, 100]), 100);
  assert.equal(confirmedTime([100]), undefined);
});

test('an iteration is what calls grow by', () => {
  const { cycles, curvature, ofCall } = iterationOf([[512, 1124], [640, 1380], [768, 1636], [896, 1892], [1024, 2148]]);
  assert.equal(cycles, 2);
  assert.equal(curvature, 0);
  assert.equal(ofCall, 2148 / 1024);
  assert.match(iterationOf([[512, 1100], [640, 2000], [768, 1500], [896, 3000], [1024, 2148]]).refused, /not proportional/);
  assert.match(iterationOf([[512, 1100], [640, 1380]]).refused, /not quiet enough/);
});

test('runs without a quiet moment do not count', () => {
  const measurements = new Measurements(['f']);
  const run = (canary, cycles) => readRun([100, 200, 300, 400, 500].map((n) => `f ${n} ${cycles * n}`).join('\n') + `\ncanary ${canary}\n`);
  measurements.add(0, run(1400, 1));
  assert.equal(measurements.canary, 1400);
  for (let i = 0; i < 7; ++i) measurements.add(0, run(1300, 2));
  assert.deepEqual(measurements.openOf(0), ['f']);
  measurements.add(0, run(1301, 2));
  assert.equal(measurements.canary, 1300);
  assert.deepEqual(measurements.openOf(0), []);
  assert.deepEqual(measurements.sizesOf(0, 'f')[1], [200, 400]);
  assert.deepEqual(measurements.openOf(1), ['f']);
});

test('labels have cycles or a range of them', () => {
  assert.deepEqual(readLabel('IPC 2.37 · 4.0 cyc · p5 +2'), { low: 4, high: 4, digits: 1 });
  assert.deepEqual(readLabel('0.17 cyc/iter · dispatch'), { low: 0.17, high: 0.17, digits: 2 });
  assert.deepEqual(readLabel('1.3–11 cyc'), { low: 1.3, high: 11, digits: 1 });
  assert.equal(readLabel('nothing'), undefined);
});

const region = (line, loop, cyclesPerIteration, sourceIterations = 1) => ({ line, loop, cyclesPerIteration, sourceIterations });
const kernel = { line: 7, first: 5, last: 9 };
const predict = (regions, label, more) =>
  predictionOf({ regions, hints: label ? [{ line: 7, label }] : [], coverage: {}, ...more }, kernel);

test('the prediction is of the loop that the hint shows', () => {
  const regions = [region(7, 0, 1), region(7, 1, 0.0625, 16), region(8, 2, 0.06)];
  assert.deepEqual(predict(regions, '0.06 cyc/iter · p0 +1'), { cycles: 0.0625, label: '0.06 cyc/iter · p0 +1' });
  assert.match(predict(regions, '2.0 cyc').refused, /of no region/);
});

test('the prediction for unaligned data is another one where there is one', () => {
  const report = (calibrated) => ({ regions: [{ ...region(7, 0, 0.125, 32), calibrated }], hints: [{ line: 7, label: '0.13 cyc/iter' }] });
  assert.equal(predictionOf(report({ unalignedCyclesPerIteration: 8 }), kernel, true).cycles, 0.25);
  assert.equal(predictionOf(report({ unalignedCyclesPerIteration: 8 }), kernel).cycles, 0.125);
  assert.equal(predictionOf(report({}), kernel, true).cycles, 0.125);
  assert.equal(predictionOf(report(undefined), kernel, true).cycles, 0.125);
});

test('a loop without one number has a reason', () => {
  const paths = predict([region(7, 0, 2), region(7, 0, 5)], '2.0–5.0 cyc');
  assert.deepEqual([paths.refused, paths.low, paths.high], ['a range over several paths', 2, 5]);
  assert.equal(predict([region(7, 0, 2)], '≥ 2.0 cyc · calls sqrt +1').refused, 'a lower bound: calls sqrt');
  assert.match(predict([region(7, 0, 2, 0)], '2.0 cyc').refused, /cannot be counted/);
  assert.match(predict([], undefined, { coverage: { vanished: [7] } }).refused, /no loop in the machine code/);
  assert.match(predict([], undefined, { hints: [{ line: 6, label: '' }] }).refused, /on line 6, not on 7/);
  assert.equal(predict([], undefined, { hints: [{ line: 10, label: '' }] }).refused, 'no hint');
});

const row = (name, measured, llvm, build = 'gcc') => ({ kernel: name, kind: 'streams', build, measured, llvm });

test('the report judges what is measured and predicted, and counts the rest', () => {
  const rows = [
    row('copy', { cycles: 2, ofCall: 4 }, { cycles: 3, label: '3.0 cyc' }),
    row('copy', { cycles: 1, ofCall: 1 }, { cycles: 1, label: '1.0 cyc' }, 'clang'),
    row('fill', { refused: 'it is not quiet' }, { cycles: 1, label: '1.0 cyc' }),
    row('find', { cycles: 2 }, { refused: 'a range over several paths', low: 1, high: 3 }),
  ];
  const text = reportText({ rows, models: ['llvm'], builds: ['gcc', 'clang'] });
  assert.match(text, /^copy +\| +2\.00 +\+50 % \| +1\.00 +0 %$/m);
  assert.match(text, /^streams +\| +2 +25\.0 % +25\.0 % +25\.0 % +1 +1$/m);
  assert.match(text, /^all +\| +2 +12\.5 %/m);
  assert.match(text, /Not measured: 1 of 4 loops\n +1 {2}it is not quiet: fill \(gcc\)/);
  assert.match(text, /Not predicted by llvm: 1 of 4 loops\n.*find \(gcc\)\nRanges of llvm: 1, of which 1 hold/);
});

test('the best 97 % leave out the worst of 34 loops', () => {
  const pairs = Array.from({ length: 34 }, (_, i) => ({ measured: 1, predicted: i === 0 ? 35 : 1 }));
  assert.deepEqual(judgeLoops(pairs), { loops: 34, mean: 1, median: 0, within: 33, beyond: 1, most: 0 });
});

test('two runs are compared loop by loop', () => {
  const rows = [row('copy', { cycles: 2.2 }, { cycles: 1 }), row('fill', { cycles: 1 }, { cycles: 3 })];
  const text = differenceText(rows, [row('fill', { cycles: 1 }, { cycles: 3 }), row('copy', { cycles: 2 }, { cycles: 1 })], ['llvm']);
  assert.match(text, /^measured +2 +5\.0 %/m);
  assert.match(text, /^llvm +2 +0\.0 %/m);
});

test('mca-lsp has one number for nearly all kernels, or says why not', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loops-'));
  const [build] = BUILDS;
  const reports = checkFiles(process.env.PROGRAMS, writeDatabase(folder, build), hostCpu(), 'off');
  fs.rmSync(folder, { recursive: true });
  const kernels = kernelsOf(kernelFiles());
  const predictions = kernels.map((one) => predictionOf(reports.get(one.file), one));
  assert.deepEqual(predictions.filter(({ refused }) => /no region|not on/.test(refused)), []);
  assert.ok(predictions.filter(({ cycles }) => cycles > 0).length > 0.9 * kernels.length);
});
