// Manners: the server leaves when it is told to, answers what it is asked, bears a client that has no manners itself,
// and is not impressed by size.
'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { Editor, FAKE_WORKER, FULL_CAPABILITIES, RawClient, isAlive, labelOf, lsp, temporaryFolder, until } = require('./editor');

const WITH_FAKE = ['--worker', FAKE_WORKER, '--sandbox=off']; // it leaves marks in the tests' folders
const INTEL = { triple: 'x86_64-unknown-linux-gnu', cpu: 'skylake' };
const LOOP = '.Lloop:\n\taddq %rcx, %rax\n\tdecq %rdi\n\tjne .Lloop\n';
/** Within this time the server has gone, whatever it was doing. */
const EXIT_MS = 1000;
const REQUEST_CANCELLED = -32800;

const uriOf = (name) => `file:///${name}`;
const didOpen = (name, text) => ({
  method: 'textDocument/didOpen',
  params: { textDocument: { uri: uriOf(name), languageId: 'asm', version: 1, text } },
});
const hints = (name) => ({
  textDocument: { uri: uriOf(name) },
  range: { start: { line: 0, character: 0 }, end: { line: 9999999, character: 0 } },
});
const hover = (name) => ({ textDocument: { uri: uriOf(name) }, position: { line: 0, character: 0 } });

/** All processes that `pid` started, and those that they did. */
function descendants(pid) {
  let tasks = [];
  try {
    tasks = fs.readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
  const children = tasks.flatMap((task) => {
    try {
      return fs.readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
    } catch {
      return [];
    }
  });
  return children.flatMap((child) => [child, ...descendants(child)]);
}

/** Ends the server by `leave`, and checks that it goes at once, with that status, and with all that it started. */
async function expectExit(child, status, leave) {
  const started = descendants(child.pid);
  const start = performance.now();
  await leave();
  assert.equal(await child.exited, status);
  const time = performance.now() - start;
  assert.ok(time < EXIT_MS, `it took ${time.toFixed(0)} ms to leave`);
  await until(() => !started.some(isAlive), 'the end of what the server started');
}

// What the server may be doing, by the text that makes it do so.
const STATES = {
  idle: 'hint IPC\n',
  'in the middle of a job': 'step here\nhang\n',
  'with a worker that does not listen': 'step here\ndeaf\n',
};

for (const [state, text] of Object.entries(STATES)) {
  test(`it leaves ${state}`, async (t) => {
    const polite = await Editor.start(t, { args: WITH_FAKE });
    await polite.open('/a.s', 'asm', text);
    await polite.worker();
    await expectExit(polite.child, 0, () => polite.quit());

    const gone = await Editor.start(t, { args: WITH_FAKE });
    await gone.open('/a.s', 'asm', text);
    await gone.worker();
    await expectExit(gone.child, 1, () => gone.child.stdin.end());
  });
}

test('it leaves while a compiler runs, and the compiler with it', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'a.c');
  const source = '#include "pipe.h"\nint sum(int n) { int s = 0; while (n--) s += n; return s; }\n';
  fs.writeFileSync(file, source);
  // The compiler waits for somebody to write.
  assert.equal(spawnSync('mkfifo', [path.join(folder, 'pipe.h')]).status, 0);
  const editor = await Editor.start(t);
  await editor.open(file, 'c', source);
  await editor.until(() => descendants(editor.child.pid).length >= 2, 'a compiler');
  await expectExit(editor.child, 0, () => editor.quit());
});

test('it leaves a client that does not read', async (t) => {
  const client = new RawClient(t, [...WITH_FAKE, '--log=error']);
  await client.initialize();
  client.send(didOpen('a.s', 'hint IPC\n'.repeat(2000)));
  const id = 'all';
  assert.equal((await client.request(id, 'textDocument/inlayHint', hints('a.s'))).result.length, 2000);
  client.child.stdout.pause();
  for (let id = 0; id < 3; ++id) client.send({ id, method: 'textDocument/inlayHint', params: hints('a.s') });
  await expectExit(client.child, 0, () => {
    client.send({ id: 'end', method: 'shutdown' });
    client.send({ method: 'exit' });
  });
});

test('a client whose output closes does not hold it', async (t) => {
  const client = new RawClient(t, WITH_FAKE);
  await client.initialize();
  client.child.stdout.destroy();
  client.send(didOpen('a.s', 'hint IPC\n'));
  client.send({ id: 1, method: 'textDocument/inlayHint', params: hints('a.s') });
  await expectExit(client.child, 1, () => client.child.stdin.end());
});

test('a closed document has no findings left', async (t) => {
  const editor = await Editor.start(t, { args: WITH_FAKE });
  for (const text of ['warn one\nwarn two\n', 'warn one\nhang\n']) {
    await editor.open('/a.s', 'asm', text);
    if (!text.includes('hang')) assert.equal((await editor.diagnosticsOf('/a.s', (list) => list.length > 0)).length, 2);
    editor.diagnostics.clear();
    await editor.close('/a.s');
    await editor.until(() => editor.diagnostics.has(editor.uri('/a.s')), 'the diagnostics of a closed document');
    assert.deepEqual(editor.diagnostics.get(editor.uri('/a.s')).diagnostics, []);
    assert.deepEqual(await editor.hints('/a.s'), []);
    assert.equal(await editor.hover('/a.s', 0, 0), null);
  }
  // Nothing of the cancelled job comes late.
  await editor.open('/b.s', 'asm', 'hint other\n');
  await editor.hintsOf('/b.s');
  assert.deepEqual(editor.diagnostics.get(editor.uri('/a.s')).diagnostics, []);
  assert.equal(await editor.quit(), 0);
});

test('each request is refused before initialize and after shutdown, and answered once', async (t) => {
  const client = new RawClient(t, WITH_FAKE);
  const requests = [
    ['textDocument/inlayHint', hints('a.s')],
    ['textDocument/hover', hover('a.s')],
    ['shutdown', undefined],
    ['no/such/request', {}],
  ];
  const codes = async (when) => {
    for (const [method, params] of requests)
      assert.equal((await client.request(`${when} ${method}`, method, params)).error?.code, when, method);
  };
  client.send(didOpen('a.s', 'hint IPC\n'));
  await codes(-32002);
  await client.initialize();
  assert.deepEqual((await client.request('dropped', ...requests[0])).result, [], 'opened too early');
  await client.request('end', 'shutdown');
  client.send(didOpen('a.s', 'hint IPC\n'));
  await codes(-32600);
  const answers = client.received.filter((message) => message.id !== undefined).map((message) => message.id);
  assert.equal(new Set(answers).size, answers.length);
  await expectExit(client.child, 0, () => client.send({ method: 'exit' }));
});

test('a cancelled request of any kind is answered once', async (t) => {
  const client = new RawClient(t, WITH_FAKE);
  const send = (id, method, params) => {
    client.send({ id, method, params });
    client.send({ method: '$/cancelRequest', params: { id } });
    return client.answer(id);
  };
  assert.ok((await send('first', 'initialize', { processId: null, capabilities: {} })).result);
  client.send(didOpen('a.s', 'step here\nhang\n'));
  assert.equal((await send('hints', 'textDocument/inlayHint', hints('a.s'))).error.code, REQUEST_CANCELLED);
  assert.equal((await send('hover', 'textDocument/hover', hover('a.s'))).result, null);
  assert.equal((await send('unknown', 'no/such/request', {})).error.code, -32601);
  for (const id of [12345, 'nobody', null, {}]) client.send({ method: '$/cancelRequest', params: { id } });
  client.send({ method: '$/cancelRequest' });
  assert.equal((await send('last', 'shutdown')).result, null);
  const answers = client.received.filter((message) => message.id !== undefined).map((message) => message.id);
  assert.deepEqual(answers, ['first', 'hints', 'hover', 'unknown', 'last']);
});

test('a client that answers nothing gets its hints all the same', async (t) => {
  const client = new RawClient(t, WITH_FAKE);
  await client.initialize({ capabilities: FULL_CAPABILITIES });
  client.send({ method: 'initialized', params: {} });
  for (const version of [1, 2, 3]) {
    const text = `hint ${version}\n`;
    if (version === 1) client.send(didOpen('a.s', text));
    else
      client.send({
        method: 'textDocument/didChange',
        params: { textDocument: { uri: uriOf('a.s'), version }, contentChanges: [{ text }] },
      });
    let id = 0;
    await until(async () => {
      const { result } = await client.request(`${version} ${++id}`, 'textDocument/inlayHint', hints('a.s'));
      return result[0] && labelOf(result[0]) === `IPC 1.00 · ${version}.0 cyc`;
    }, `the hint of version ${version}`);
  }
  const asked = new Set(client.received.filter((message) => message.method && 'id' in message).map((one) => one.method));
  for (const method of ['workspace/configuration', 'workspace/inlayHint/refresh'])
    assert.ok(asked.has(method), method);
  client.send({ id: 'end', method: 'shutdown' });
  await client.answer('end');
  await expectExit(client.child, 0, () => client.send({ method: 'exit' }));
});

test('a document of 50 MB is edited like any other', async (t) => {
  const editor = await Editor.start(t, { args: [...WITH_FAKE, '--log=error'] });
  const line = '# a line of thirty-two characters\n'.slice(-32);
  const lines = Math.floor((50 << 20) / line.length);
  await editor.open('/large.s', 'asm', line.repeat(lines));
  const middle = { line: lines / 2, character: 0 };
  await editor.change('/large.s', 'hint middle\n', { start: middle, end: middle });
  const everything = { textDocument: { uri: editor.uri('/large.s') }, range: { start: middle, end: { line: lines + 1, character: 0 } } };
  const hintAt = () => editor.connection.sendRequest(lsp.InlayHintRequest.type, everything);
  const hint = await editor.until(async () => (await hintAt())[0], 'the hint in the middle');
  assert.equal(hint.position.line, middle.line);
  await editor.change('/large.s', '\n\n', { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } });
  assert.equal((await hintAt())[0].position.line, middle.line + 2);
  assert.equal(await editor.hover('/large.s', lines, 3), null);
  await editor.close('/large.s');
  assert.equal(await editor.quit(), 0);
});

test('200 documents have their own findings, and leave none', async (t) => {
  const editor = await Editor.start(t, { settings: INTEL, args: ['--log=error'] });
  const files = [...Array(200).keys()].map((i) => `/document${i}.s`);
  for (const [i, file] of files.entries()) await editor.open(file, 'asm', `${'\n'.repeat(i)}${LOOP}`);
  for (const [i, file] of files.entries()) {
    const [finding] = await editor.diagnosticsOf(file, (list) => list.length > 0);
    assert.equal(finding.range.start.line, i);
    assert.equal((await editor.hints(file))[0].position.line, i);
  }
  for (const file of files) await editor.close(file);
  await editor.until(
    () => files.every((file) => editor.diagnostics.get(editor.uri(file)).diagnostics.length === 0),
    'empty diagnostics',
  );
  await expectExit(editor.child, 0, () => editor.quit());
});
