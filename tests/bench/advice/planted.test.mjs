// Edits that do change results, as a wrong row in the table of changes could: `mca-measure same` has to notice each of
// them, because that is what the labels of advice rest on. Two that change none are among them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';

const measure = path.join(process.env.PROGRAMS, 'mca-measure');
const floats = ['float*', 'float*', 'int32'];
const map = (expression) => `void f(float *a, float *b, int n) { for (int i = 0; i < n; i++) a[i] = ${expression}; }`;
const ints = (expression) => `void f(int *a, int *b, int n) { for (int i = 0; i < n; i++) a[i] = ${expression}; }`;
const sum = (body, end = '') => `float f(float *a, float *b, int n) { float s = 0; ${body} ${end} return s; }`;

/** [what, before, after, the arguments' types, what it returns, what is expected] */
const pairs = [
  ['additions are reordered', sum('for (int i = 0; i < n; i++) s += a[i];'), sum('float t = 0; int i = 0; for (; i + 1 < n; i += 2) s += a[i], t += a[i + 1]; for (; i < n; i++) s += a[i]; s += t;'), floats, 'float'],
  ['a reciprocal in place of a division', map('b[i] / 3.f'), map('b[i] * (1 / 3.f)'), floats],
  ['float in place of double', map('b[i] * .1'), map('b[i] * .1f'), floats],
  ['a product and a sum rounded once', map('b[i] * 3.1f + a[i]'), map('(float)((double)b[i] * 3.1f + a[i])'), floats],
  ['a comparison the other way round', sum('for (int i = 0; i < n; i++) s = a[i] < s ? a[i] : s;'), sum('for (int i = 0; i < n; i++) s = s < a[i] ? s : a[i];'), floats, 'float'],
  ['powers by squares', map('b[i] * b[i] * b[i] * b[i]'), map('(b[i] * b[i]) * (b[i] * b[i])'), floats],
  ['a zero that is added', map('b[i] + 0.f'), map('b[i]'), floats],
  ['a scale that is taken back', map('b[i] * 1e-20f * 1e20f'), map('b[i]'), floats],
  ['the sum in double', sum('for (int i = 0; i < n; i++) s += a[i];'), sum('double t = 0; for (int i = 0; i < n; i++) t += a[i]; s = t;'), floats, 'float'],
  ['a polynomial in another form', map('(b[i] * 2.1f + 3.3f) * b[i] + 1.7f'), map('b[i] * b[i] * 2.1f + 3.3f * b[i] + 1.7f'), floats],
  ['a shift in place of a division', ints('b[i] / 2'), ints('b[i] >> 1'), ['int32*', 'int32*', 'int32']],
  ['halves that are added', ints('(int)((unsigned)a[i] + (unsigned)b[i]) / 2'), ints('a[i] / 2 + b[i] / 2'), ['int32*', 'int32*', 'int32']],
  ['a sign that is cut off', ints('b[i] < 0 ? (int)-(unsigned)b[i] : b[i]'), ints('b[i] & 0x7fffffff'), ['int32*', 'int32*', 'int32']],
  ['fewer bits', ints('(int)((unsigned)a[i] + (unsigned)b[i])'), ints('(short)((unsigned)a[i] + (unsigned)b[i])'), ['int32*', 'int32*', 'int32']],
  ['an exit that is left out', 'int f(int *a, int n) { int s = 0; for (int i = 0; i < n && a[i] != 1; i++) s++; return s; }', 'int f(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] != 1; return s; }', ['int32*', 'int32'], 'int32'],
  ['a remainder that is left out', map('b[i]'), 'void f(float *a, float *b, int n) { for (int i = 0; i + 3 < n; i += 4) for (int j = 0; j < 4; j++) a[i + j] = b[i + j]; }', floats],
  ['another result of no iteration', sum('for (int i = 0; i < n; i++) s += a[i];'), sum('s = a[0]; for (int i = 1; i < n; i++) s += a[i];'), floats, 'float'],
  ['a store that is left out', 'void f(float *a, float *b, int n) { for (int i = 0; i < n; i++) a[i] = b[i]; if (n == 77) b[3] = 1; }', map('b[i]'), floats],
  ['a promise that arrays do not overlap', map('b[i] + 1'), 'void f(float *a, float *b, int n) { float c[256]; if (n < 0 || n > 256) return; for (int i = 0; i < n; i++) c[i] = b[i] + 1; for (int i = 0; i < n; i++) a[i] = c[i]; }', floats, undefined, 'overlap'],
  ['a bound that is read once', 'void f(unsigned char *a, int *m) { for (int i = 0; i < (*m & 255); i++) a[i] = 255 - a[i]; }', 'void f(unsigned char *a, int *m) { int n = *m & 255; for (int i = 0; i < n; i++) a[i] = 255 - a[i]; }', ['uint8*', 'int32*'], undefined, 'overlap'],
  ['nothing: a loop by two', ints('a[i] ^ b[i]'), 'void f(int *a, int *b, int n) { int i = 0; for (; i + 1 < n; i += 2) a[i] ^= b[i], a[i + 1] ^= b[i + 1]; if (i < n) a[i] ^= b[i]; }', ['int32*', 'int32*', 'int32'], undefined, 'same'],
  ['nothing: a product the other way round', map('b[i] * 3.1f'), map('3.1f * b[i]'), floats, undefined, 'same'],
];

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mca-planted-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));

function assemble(name, source) {
  const file = path.join(folder, `${name}.c`);
  fs.writeFileSync(file, source);
  execFileSync('clang-22', ['-O1', '-S', '-w', '-ffp-contract=off', file, '-o', `${file}.s`]);
  return `${file}.s`;
}

function verdictOf({ same, refused, differs, overlapDiffers }) {
  if (refused) return `refused: ${refused}`;
  if (same) return 'same';
  const isReal = (one) => one && !one.onlyNaN;
  if ([differs, overlapDiffers].some((one) => isReal(one) && !one.overlap)) return 'differs';
  return [differs, overlapDiffers].some((one) => isReal(one) && one.overlap) ? 'overlap' : 'same';
}

for (const [i, [what, before, after, types, returns, expected = 'differs']] of pairs.entries())
  test(`${expected}: ${what}`, () => {
    const options = [...(returns ? ['--returns', returns] : []), ...types.flatMap((type) => ['--argument', type])];
    const output = execFileSync(measure, ['same', assemble(`${i}-now`, before), assemble(`${i}-then`, after), '--function', 'f', ...options, '--json'], { encoding: 'utf8' });
    assert.equal(verdictOf(JSON.parse(output)), expected, output);
  });
