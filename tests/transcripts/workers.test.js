// Two workers: a file that compiles for long, or for ever, holds no other document up.
'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { Editor, FAKE_WORKER, FULL_CAPABILITIES, childrenOf, labelOf, temporaryFolder, until } = require('./editor');

const WITH_FAKE = ['--worker', FAKE_WORKER, '--sandbox=off']; // it leaves marks in the tests' folders
const INTEL = { triple: 'x86_64-unknown-linux-gnu', cpu: 'skylake' };
const LOOP = '.Lloop:\n\taddq %rcx, %rax\n\tdecq %rdi\n\tjne .Lloop\n';
/** An editor that is not asked to come again gets its hints as soon as they are there. */
const WAITS_FOR_HINTS = { ...FULL_CAPABILITIES, workspace: {} };
const HINT_MS = 1000;

/** A C file that compiles until somebody writes to `pipe`. */
function blockedSource(t) {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'a.c');
  const pipe = path.join(folder, 'pipe.h');
  const source = '#include "pipe.h"\nint sum(int *v, int n) {\n  int s = 0;\n  for (int i = 0; i < n; ++i)\n    s += v[i];\n  return s;\n}\n';
  fs.writeFileSync(file, source);
  assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
  return { file, pipe, source };
}

/** Opens an assembly file, and gives the time until its hint is there. */
async function timeOfHint(editor, file) {
  const start = performance.now();
  await editor.open(file, 'asm', LOOP);
  const [hint] = await editor.hints(file);
  assert.match(labelOf(hint), /^IPC/);
  return performance.now() - start;
}

test('assembly has its hint while a C file compiles', async (t) => {
  const { file, pipe, source } = blockedSource(t);
  const editor = await Editor.start(t, { settings: INTEL, capabilities: WAITS_FOR_HINTS });
  await editor.open(file, 'c', source);
  const isCompiling = () => editor.statuses.some((one) => one.uri === editor.uri(file) && one.state === 'compiling');
  await editor.until(isCompiling, 'the compiler');
  for (const name of ['/first.s', '/second.s']) {
    const time = await timeOfHint(editor, name);
    t.diagnostic(`${name}: ${time.toFixed(0)} ms`);
    assert.ok(time < HINT_MS, `the hint took ${time.toFixed(0)} ms`);
  }
  assert.equal(childrenOf(editor.child.pid).length, 2);
  assert.equal(editor.statuses.filter((one) => one.uri === editor.uri(file)).at(-1).state, 'compiling');
  await fs.promises.writeFile(pipe, '');
  const [hint] = await editor.hintsOf(file);
  assert.equal(hint.position.line, 3);
  assert.equal(await editor.quit(), 0);
});

test('a C file is compiled while another one waits for ever', async (t) => {
  const { file, source } = blockedSource(t);
  const other = path.join(path.dirname(file), 'b.c');
  fs.writeFileSync(other, source.replace(/#.*\n/, '\n'));
  const editor = await Editor.start(t, { settings: INTEL });
  await editor.open(file, 'c', source);
  await editor.open(other, 'c', fs.readFileSync(other, 'utf8'));
  assert.equal((await editor.hintsOf(other))[0].position.line, 3);
  await editor.close(file);
  assert.equal(await editor.quit(), 0);
});

test('the death of one worker does not disturb the job of the other', async (t) => {
  const folder = temporaryFolder(t);
  const marker = path.join(folder, 'crashed');
  const editor = await Editor.start(t, { args: WITH_FAKE });
  await editor.open('/a.cpp', 'cpp', 'compile a\nsleep 1500\nhint 5\n');
  await editor.open('/b.s', 'asm', `step b\ncrash-once ${marker}\nhint quick\n`);
  assert.equal(labelOf((await editor.hintsOf('/b.s'))[0]), 'IPC 1.00 · 4.0 cyc');
  assert.ok(fs.existsSync(marker));
  assert.equal(labelOf((await editor.hintsOf('/a.cpp'))[0]), 'IPC 1.00 · 5.0 cyc');
  assert.equal(await editor.quit(), 0);
});

test('a restart ends both workers, and both documents are analysed again', async (t) => {
  const editor = await Editor.start(t, { args: WITH_FAKE });
  await editor.open('/a.cpp', 'cpp', 'deaf\n');
  await editor.open('/b.s', 'asm', 'hint quick\n');
  await editor.hintsOf('/b.s');
  const before = childrenOf(editor.child.pid);
  assert.equal(before.length, 2);
  assert.match(await editor.command('mca.showMemory'), /mca-worker: \d+ MiB and \d+ MiB$/);
  assert.deepEqual((await editor.command('mca.listCpus')).cpus.map((cpu) => cpu.name), ['fake-cpu']);
  await editor.command('mca.restartWorker');
  await until(() => {
    const after = childrenOf(editor.child.pid);
    return after.length === 2 && after.every((pid) => !before.includes(pid));
  }, 'two other workers');
  assert.equal(await editor.quit(), 0);
});
