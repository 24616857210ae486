// A profile of a program while its source is edited: what changed since says so, and the rest stays.
'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { Editor, labelOf, temporaryFolder } = require('./editor');

const SOURCE = `float scale(const float *a, int n) {
  float f = 1;
  for (int i = 0; i < n; ++i)
    f = f * a[i] + 1;
  return f;
}
int sum(const int *a, int n) {
  int s = 1;
  for (int i = 0; i < n; ++i)
    s = s * a[i] + 1;
  return s;
}
`;
const SCALE = 2;
const SUM = 8;
const AT_THE_ADDEND = { start: { line: 9, character: 19 }, end: { line: 9, character: 20 } };

/** A program of the source, with samples at each byte of its two functions and most of them inside, as a profile. */
function recorded(folder) {
  const file = path.join(folder, 'k.c');
  fs.writeFileSync(file, SOURCE);
  const target = '--target=x86_64-linux-gnu';
  execFileSync('clang-22', [target, '-O2', '-g', '-c', file, '-o', path.join(folder, 'k.o')]);
  execFileSync('clang-22', [target, '-nostdlib', '-shared', path.join(folder, 'k.o'), '-o', path.join(folder, 'k')]);
  const offsets = Array.from({ length: 128 }, (_, offset) => offset);
  const sample = (name, offset, period) => `k ${period} cpu-clock: ${offset.toString(16)} ${name}+0x${offset.toString(16)} (/k)\n`;
  const samples = ['scale', 'sum'].flatMap((name) => offsets.map((offset) => sample(name, offset, offset > 31 && offset < 96 ? 10000 : 500)));
  fs.writeFileSync(path.join(folder, 'samples'), samples.join(''));
  const profile = path.join(folder, 'k.mcaprofile');
  execFileSync(process.env.MCA_LSP, ['--import-profile', 'perf', path.join(folder, 'samples'), '--program', path.join(folder, 'k'), '-o', profile],
    { stdio: 'ignore' });
  return { file, profile };
}

test('the share of an edited function is the one before the edit, until the edit is undone', async (t) => {
  const { file, profile } = recorded(temporaryFolder(t));
  const editor = await Editor.start(t, { args: ['--profile', profile], settings: { cpu: 'skylake' } });
  await editor.open(file, 'c', SOURCE);
  const shares = async () => {
    const hints = await editor.hints(file);
    return [SCALE, SUM].map((line) => labelOf(hints.find(({ position }) => position.line === line) ?? { label: '' }).split(' · ')[0]);
  };
  const edit = async (text) => {
    await editor.change(file, text, AT_THE_ADDEND);
    fs.writeFileSync(file, SOURCE.replace('s * a[i] + 1', `s * a[i] + ${text}`));
    await editor.save(file);
  };
  await editor.until(async () => (await shares()).every((share) => /^[\d.]+ %$/.test(share)), 'two exact shares');
  const [scale, sum] = await shares();

  await edit('2');
  await editor.until(async () => /^≈ [\d.]+ %$/.test((await shares())[1]), 'a share that is not exact');
  assert.equal((await shares())[0], scale, 'the other function stays as it is');
  const hover = await editor.hover(file, SUM, 4);
  assert.match(hover.contents.value, /recorded before the function was edited: .*Build and record the program again/);
  assert.doesNotMatch((await editor.hover(file, SCALE, 4)).contents.value, /recorded before/);

  await edit('1');
  await editor.until(async () => (await shares())[1] === sum, 'the exact share');
  assert.equal((await shares())[0], scale);
});
