// The worker's misfortunes, with the worker of tests/lsp that has them on command.
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { Editor, FAKE_WORKER, FULL_CAPABILITIES, isAlive, labelOf, lsp, temporaryFolder, until } = require('./editor');

const WITH_FAKE = ['--worker', FAKE_WORKER, '--sandbox=off']; // it leaves marks in the tests' folders
/** The label of the fake worker's hints. */
const IPC = 'IPC 1.00 · 4.0 cyc';
const WHOLE = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };

test('a worker killed in the middle of a job becomes a diagnostic, and another one finishes the job', async (t) => {
  const editor = await Editor.start(t, { args: WITH_FAKE });
  const marker = path.join(temporaryFolder(t), 'crashed');
  await editor.open('/a.s', 'asm', `step the first region\ncrash-once ${marker}\nhint IPC\n`);
  const [hint] = await editor.hintsOf('/a.s');
  assert.equal(labelOf(hint), IPC);
  assert.deepEqual(await editor.diagnosticsOf('/a.s', (list) => list.length === 0), []);
  assert.match(editor.child.log, /the analysis crashed while simulating the first region/);
});

test('SIGKILL from outside does not stop the server', async (t) => {
  const editor = await Editor.start(t, { args: WITH_FAKE });
  await editor.open('/a.s', 'asm', 'hint before\nstep here\ndeaf\n');
  for (const verdict of [/trying once more/, /set aside until it or the settings change/]) {
    const worker = await editor.worker();
    await editor.until(() => editor.child.log.includes(`started worker ${worker}`), 'the start');
    process.kill(worker, 'SIGKILL');
    const [finding] = await editor.diagnosticsOf('/a.s', (list) => list[0]?.message.match(verdict));
    assert.equal(finding.code, 'worker-crashed');
    assert.equal(finding.source, 'mca');
  }
  await editor.change('/a.s', 'hint after\n', WHOLE);
  assert.equal(labelOf((await editor.hintsOf('/a.s'))[0]), IPC);
  assert.deepEqual(await editor.diagnosticsOf('/a.s'), []);
  assert.equal(await editor.quit(), 0);
});

test('a content that crashes twice is set aside until it changes', async (t) => {
  const editor = await Editor.start(t, { args: WITH_FAKE });
  await editor.open('/a.s', 'asm', 'step region r\ncrash\n');
  const [finding] = await editor.diagnosticsOf('/a.s', (list) => list[0]?.message.includes('set aside'));
  assert.deepEqual(finding.range, { start: { line: 0, character: 0 }, end: { line: 0, character: 13 } });
  const starts = () => editor.child.log.split('started worker').length - 1;
  assert.equal(starts(), 2);
  await editor.open('/b.s', 'asm', 'hint other\n');
  assert.equal(labelOf((await editor.hintsOf('/b.s'))[0]), IPC);
  await editor.change('/a.s', 'hint good\n', WHOLE);
  assert.equal(labelOf((await editor.hintsOf('/a.s'))[0]), IPC);
  assert.equal(starts(), 3);
});

test('a hanging worker is ended after its budget', async (t) => {
  const editor = await Editor.start(t, { args: [...WITH_FAKE, '--job-timeout-ms', '200'] });
  await editor.open('/a.s', 'asm', 'step region r\ndeaf\n');
  const [finding] = await editor.diagnosticsOf('/a.s', (list) => list[0]?.message.includes('set aside'));
  assert.equal(finding.code, 'analysis-timeout');
});

test('an edit ends a job that does not listen, with everything it started', async (t) => {
  const editor = await Editor.start(t, { args: WITH_FAKE });
  const file = path.join(temporaryFolder(t), 'child');
  await editor.open('/a.s', 'asm', `child ${file}\ndeaf\n`);
  await editor.until(() => fs.existsSync(file), 'the child');
  const child = Number(fs.readFileSync(file, 'utf8'));
  await editor.change('/a.s', 'hint IPC\n', WHOLE);
  assert.equal(labelOf((await editor.hintsOf('/a.s'))[0]), IPC);
  await until(() => !isAlive(child), 'the end of the child');
});

test('without a worker the server lives and says so once', async (t) => {
  const editor = await Editor.start(t, { args: ['--worker', '/no/such/worker'] });
  await editor.open('/a.s', 'asm', 'nop\n');
  await editor.open('/b.s', 'asm', 'nop\n');
  await editor.until(() => editor.messages.length > 0, 'the message');
  assert.deepEqual(await editor.hints('/a.s'), []);
  assert.equal(await editor.quit(), 0);
  assert.equal(editor.messages.length, 1);
  assert.match(editor.messages[0].message, /--worker PATH/);
});

test('a client that cannot refresh gets its hints when the job is done, and may cancel', async (t) => {
  const capabilities = { ...FULL_CAPABILITIES, workspace: {} };
  const editor = await Editor.start(t, { args: WITH_FAKE, capabilities });
  await editor.open('/a.s', 'asm', 'hint IPC\n');
  assert.equal(labelOf((await editor.hints('/a.s'))[0]), IPC);
  await editor.open('/b.s', 'asm', 'hang\n');
  const source = new lsp.CancellationTokenSource();
  const held = editor.hints('/b.s', source.token);
  source.cancel();
  await assert.rejects(held, { code: lsp.LSPErrorCodes.RequestCancelled });
});

test('settings reach the worker, and a folder cannot choose the compiler', async (t) => {
  const editor = await Editor.start(t, {
    args: WITH_FAKE,
    options: { compiler: 'mine' },
    settings: { cpu: 'znver4', compiler: '/evil' },
  });
  await editor.open('/a.s', 'asm', 'settings\n');
  const told = () => editor.diagnostics.get(editor.uri('/a.s'))?.diagnostics[0]?.message;
  await editor.until(() => told() === 'znver4/mine', 'the pulled settings');
  editor.settings = { cpu: 5 };
  await editor.connection.sendNotification(lsp.DidChangeConfigurationNotification.type, { settings: null });
  await editor.until(() => editor.messages.length > 0, 'the warning');
  assert.match(editor.messages[0].message, /mca\.cpu must be a string/);
  assert.equal(told(), 'znver4/mine');
});

test('progress is shown while a file is compiled', async (t) => {
  const editor = await Editor.start(t, { args: WITH_FAKE });
  await editor.open('/a.cpp', 'cpp', 'hang\n');
  await editor.until(() => editor.progress[0]?.kind === 'begin', 'the begin');
  await editor.close('/a.cpp');
  await editor.until(() => editor.progress.at(-1)?.kind === 'end', 'the end');
  assert.match(editor.progress[0].title, /a\.cpp/);
});
