// A search that knows nothing of advice: every change of a separate list is made to every kernel and timed. The best
// factor of each kernel is what advice is measured against.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { inParallel } from '../../projects/programs.mjs';
import { readKernels } from '../loops/kernels.mjs';
import { iterationOf, Measurements, readRun } from '../loops/measure.mjs';

const execute = promisify(execFile);
/** Runs of each program, of which each call's fastest time counts. */
const ROUNDS = 3;
/** More runs of advice whose times are not confirmed by then: the search has other changes that make the same code. */
const MORE_ROUNDS = 12;

/** The lines of one kernel: those of a file from `first` to `last`, with the judged loop at `line`. */
const before = (pragma) => (lines, { line }) => {
  lines[line - 1] = lines[line - 1].replace(/^(\s*)/, `$1_Pragma("clang loop ${pragma}") `);
};
const inBody = (pragma) => (lines, { line, last }) => {
  const at = lines[line - 1].indexOf('{', headEnd(lines[line - 1]));
  if (at >= 0) lines[line - 1] = `${lines[line - 1].slice(0, at + 1)} _Pragma("${pragma}") ${lines[line - 1].slice(at + 1)}`;
  else {
    // A body without braces: the statement after the head, up to its semicolon.
    const end = lines.slice(line, last).findIndex((text) => /;\s*(\/\/.*)?$/.test(text));
    if (end < 0) return;
    lines[line - 1] = lines[line - 1].replace('// judged', `{ _Pragma("${pragma}") // judged`);
    lines[line + end] = lines[line + end].replace(/;\s*(\/\/.*)?$/, '; }');
  }
};
const restricted = (lines, { first, line }) => {
  for (let i = first - 1; i < line - 1; ++i)
    if (/^\w.*\(.*\{$/.test(lines[i])) lines[i] = lines[i].replace(/\*\s*(\w+)(?=[,)])/g, '*__restrict $1');
};
const conditions = (open, close) => (lines, { first, last }) => {
  for (let i = first - 1; i < last - 1; ++i) lines[i] = lines[i].replace(/\b(if \()(.*)\)(?=( \{)?$|\s+\w.*;$)/, `$1${open}$2${close})`);
};

/** Where the parenthesis of a loop's head closes. */
function headEnd(text) {
  let depth = 0;
  for (let i = text.indexOf('('); i >= 0 && i < text.length; ++i) {
    depth += text[i] === '(' ? 1 : text[i] === ')' ? -1 : 0;
    if (depth === 0) return i;
  }
  return 0;
}

const FAST = ['-fassociative-math', '-fno-signed-zeros', '-freciprocal-math', '-fno-math-errno', '-fno-honor-nans', '-fno-trapping-math'];
const LEVELS = ['-march=x86-64-v2', '-march=x86-64-v3', '-march=x86-64-v4'];
const WIDE = ['-march=x86-64-v4', '-mprefer-vector-width=512'];

const flagSets = [
  ['-O3'], ['-fassociative-math', '-fno-signed-zeros'], ['-freciprocal-math'], ['-fno-math-errno'], ['-fno-honor-nans', '-fno-signed-zeros'], FAST,
  ['-mtune=native'], ['-fno-vectorize'], ['-fno-slp-vectorize'], ['-fno-unroll-loops'], ['-mllvm', '-x86-cmov-converter=false'],
  ...LEVELS.map((level) => [level]), ...LEVELS.slice(1).map((level) => [level, ...FAST]), ...LEVELS.slice(1).map((level) => [level, '-fno-math-errno']),
  ...LEVELS.slice(1).map((level) => [level, '-mno-gather']), WIDE, [...WIDE, ...FAST],
];
const edits = [
  ...['vectorize(enable)', 'vectorize(assume_safety)', 'vectorize(disable)', 'interleave_count(2)', 'interleave_count(4)', 'interleave_count(8)',
    'unroll_count(2)', 'unroll_count(4)', 'unroll_count(8)', 'vectorize_width(8)', 'vectorize_width(16)'].map((pragma) => [pragma, before(pragma)]),
  ['reassociate', inBody('clang fp reassociate(on)')],
  ['reciprocal', inBody('clang fp reciprocal(on)')],
  ['restrict', restricted],
  ['unpredictable', conditions('__builtin_unpredictable(', ')')],
  ['predictable', conditions('__builtin_expect_with_probability(!!(', '), 1, 0.99)')],
];
const with3 = ['vectorize(assume_safety)', 'interleave_count(4)', 'interleave_count(8)', 'unroll_count(4)', 'reassociate', 'restrict'];

/** Kernels whose iterations do depend on each other: the promise that they do not makes wrong code fast. */
const DEPENDENT = ['prefix_sums_in_place', 'relax', 'set_bits'];
const isFalse = ({ name }, kernel) => name.includes('assume_safety') && DEPENDENT.includes(kernel);

/** The changes: { name, flags, edit }. */
export const CHANGES = [
  ...flagSets.map((flags) => ({ name: flags.join(' '), flags })),
  ...edits.map(([name, edit]) => ({ name, flags: [], edit })),
  ...edits.filter(([name]) => with3.includes(name)).map(([name, edit]) => ({ name: `${name} ${LEVELS[1]}`, flags: [LEVELS[1]], edit })),
];

/** A file's text with the change at every kernel of it that the compiler accepts it for. */
export function changed(text, { edit }, isWanted = () => true) {
  const lines = text.split('\n');
  if (edit) for (const kernel of readKernels(text)) if (isWanted(kernel.name)) edit(lines, kernel);
  return lines.join('\n');
}

/** Builds the program of one file with a change; nothing if the compiler rejects it. */
async function buildChanged(file, change, { compiler, flags, driver, include, folder, number }) {
  const stem = path.join(folder, `${path.basename(file, '.c')}-${number}`);
  const original = fs.readFileSync(file, 'utf8').replace('"../kernels.h"', JSON.stringify(include));
  const compile = async (text) => {
    fs.writeFileSync(`${stem}.c`, text);
    await execute(compiler, ['-w', ...flags, ...change.flags, '-c', `${stem}.c`, '-o', `${stem}.o`]);
  };
  try {
    await compile(changed(original, change));
  } catch {
    if (!change.edit) return undefined;
    // One of its kernels is to blame: those stay as they are for which it does not compile alone.
    const accepted = new Set();
    for (const { name } of readKernels(original)) {
      try {
        await compile(changed(original, change, (one) => one === name));
        accepted.add(name);
      } catch { /* it stays as it is */ }
    }
    await compile(changed(original, change, (one) => accepted.has(one)));
  }
  await execute('clang-22', [driver, `${stem}.o`, '-lm', '-o', stem]);
  fs.rmSync(`${stem}.o`);
  return stem;
}

/** All programs: [{ file, kernels, programs: [{ change, program }] }], each file's first one without a change. */
export async function buildAll(kernels, options) {
  fs.mkdirSync(options.folder, { recursive: true });
  const driver = path.join(options.folder, 'driver.o');
  await execute('clang-22', ['-O2', '-c', options.driver, '-o', driver]);
  const files = [...new Set(kernels.map(({ file }) => file))];
  const work = files.flatMap((file) => [{ name: '', flags: [] }, ...CHANGES].map((change, number) => ({ file, change, number })));
  const built = await inParallel(work, os.availableParallelism(), ({ file, change, number }) => buildChanged(file, change, { ...options, driver, number }));
  return files.map((file) => ({
    file,
    kernels: kernels.filter((one) => one.file === file).map(({ kernel }) => kernel),
    programs: work.flatMap((one, i) => (one.file === file && built[i] ? [{ change: one.change, program: built[i] }] : [])),
  }));
}

/**
 * Times all of them: Map kernel → { change → factor }, each kernel's cycles without a change over those with it. `more`
 * are programs with one changed kernel each: { kernel, change, program }. Kernels without a confirmed time are left out.
 */
export async function timeAll(files, more, report) {
  const found = new Map();
  for (const { file, kernels, programs } of files) {
    report(path.basename(file));
    const all = [...programs.map((one) => ({ ...one, kernels })),
      ...more.filter(({ kernel }) => kernels.includes(kernel)).map((one) => ({ ...one, kernels: [one.kernel] }))];
    const measurements = new Measurements(kernels);
    const run = async (i, asked) => {
      const { stdout } = await execute(all[i].program, [String(measurements.canary), ...asked]);
      measurements.add(i, readRun(stdout));
    };
    const isOpen = (i) => (kernel) => iterationOf(measurements.sizesOf(i, kernel)).refused !== undefined;
    for (let round = 0; round < ROUNDS; ++round)
      for (const [i, one] of all.entries()) await run(i, one.kernels);
    for (let round = 0; round < MORE_ROUNDS; ++round)
      for (const i of all.keys()) {
        const asked = i === 0 || i >= programs.length ? all[i].kernels.filter(isOpen(i)) : [];
        if (asked.length > 0) await run(i, asked);
      }
    for (const kernel of kernels) {
      const now = iterationOf(measurements.sizesOf(0, kernel));
      if (now.refused) continue;
      const factors = all.slice(1).flatMap((one, i) => {
        const then = iterationOf(measurements.sizesOf(i + 1, kernel));
        return !one.kernels.includes(kernel) || then.refused || (one.change.name && isFalse(one.change, kernel)) ? [] : [[one.change, now.cycles / then.cycles]];
      });
      found.set(kernel, new Map(factors));
    }
  }
  return found;
}
