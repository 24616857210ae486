// The protocol itself: broken frames, the lifecycle's errors, transports, and how the server ends.
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const net = require('node:net');
const path = require('node:path');
const test = require('node:test');
const { Editor, FAKE_WORKER, RawClient, isAlive, labelOf, lsp, startServer, temporaryFolder, until } = require('./editor');

const WITH_FAKE = ['--worker', FAKE_WORKER, '--sandbox=off']; // it leaves marks in the tests' folders

function didOpen(text, uri = 'file:///a.s') {
  return { method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'asm', version: 1, text } } };
}

function hintParams(uri = 'file:///a.s') {
  return { textDocument: { uri }, range: { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } } };
}

test('malformed frames are answered, and the conversation goes on', async (t) => {
  const client = new RawClient(t, WITH_FAKE);
  client.sendContent('{"not json');
  client.sendContent('');
  client.sendContent('[]');
  client.write('No-Length: 1\r\n\r\n{}');
  client.write('Content-Length: 99999999999\r\n\r\n');
  client.write('some garbage\n');
  assert.ok((await client.initialize()).result.capabilities);
  const codes = client.received.filter((message) => message.id === null).map((message) => message.error.code);
  assert.deepEqual(codes, [-32700, -32700, -32600, -32700, -32700]);
});

test('headers may be written in many ways', async (t) => {
  const client = new RawClient(t, WITH_FAKE);
  const content = JSON.stringify({ id: 1, method: 'initialize', params: { capabilities: {} } });
  client.write(`content-type: application/vscode-jsonrpc; charset=utf8\r\nCONTENT-LENGTH:${content.length}\r\n\r\n`);
  for (const character of content) client.write(character);
  assert.equal((await client.answer(1)).result.serverInfo.name, 'mca-lsp');
});

test('errors have the codes of the protocol', async (t) => {
  const client = new RawClient(t, WITH_FAKE);
  const code = async (id, method, params) => (await client.request(id, method, params)).error?.code;
  assert.equal(await code(1, 'textDocument/hover', {}), -32002);
  await client.initialize();
  assert.equal(await code(2, 'initialize', { capabilities: {} }), -32600);
  assert.equal(await code(3, 'no/such/method', {}), -32601);
  assert.equal(await code(4, '$/no/such/method', {}), -32601);
  assert.equal(await code(5, 'textDocument/hover', { textDocument: {} }), -32602);
  client.send({ method: 'no/such/notification', params: {} });
  client.send({ method: '$/setTrace', params: { value: 'off' } });
  assert.equal((await client.request(6, 'shutdown')).result, null);
  assert.equal(await code(7, 'textDocument/hover', {}), -32600);
});

test('exit status: 0 after shutdown, 1 without it, 1 when the input ends', async (t) => {
  const polite = await Editor.start(t, { args: WITH_FAKE });
  assert.equal(await polite.quit(), 0);

  const abrupt = new RawClient(t, WITH_FAKE);
  abrupt.send({ method: 'exit' });
  assert.equal(await abrupt.child.exited, 1);

  const silent = new RawClient(t, WITH_FAKE);
  await silent.initialize();
  silent.child.stdin.end();
  assert.equal(await silent.child.exited, 1);
});

test('answers reach a client that has ended its input', async (t) => {
  const client = new RawClient(t, WITH_FAKE);
  client.send({ id: 1, method: 'initialize', params: { capabilities: {} } });
  client.child.stdin.end();
  assert.ok((await client.answer(1)).result);
});

test('the server and its worker end with the client that initialize names', async (t) => {
  const owner = spawn('sleep', ['1000']);
  t.after(() => owner.kill());
  const client = new RawClient(t, WITH_FAKE);
  await client.initialize({ processId: owner.pid });
  client.send(didOpen('hint IPC\n'));
  owner.kill();
  assert.equal(await client.child.exited, 1);
});

test('the server ends with the client that --clientProcessId names', async (t) => {
  const owner = spawn('sleep', ['1000']);
  t.after(() => owner.kill());
  const client = new RawClient(t, ['--clientProcessId', String(owner.pid), ...WITH_FAKE]);
  await client.initialize();
  owner.kill();
  assert.equal(await client.child.exited, 1);
});

test('the worker does not outlive the server', async (t) => {
  const editor = await Editor.start(t, { args: WITH_FAKE });
  await editor.open('/a.s', 'asm', 'deaf\n');
  const worker = await editor.worker();
  editor.child.kill('SIGKILL');
  await until(() => !isAlive(worker), 'the end of the worker');
});

test('a document may hold NUL bytes and broken Unicode', async (t) => {
  const client = new RawClient(t, WITH_FAKE);
  await client.initialize();
  const open = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...didOpen('\0\ud800 @\nhint IPC\n') }));
  open[open.indexOf('@')] = 0xff;
  client.write(`Content-Length: ${open.length}\r\n\r\n`);
  client.write(open);
  const { result } = await client.request(2, 'textDocument/inlayHint', hintParams());
  assert.deepEqual(result.map((hint) => [labelOf(hint), hint.position.line]), [['IPC 1.00 · 4.0 cyc', 1]]);
});

test('100 MB on one line are a document like any other', async (t) => {
  const client = new RawClient(t, WITH_FAKE);
  await client.initialize();
  client.send(didOpen('x'.repeat(100 << 20)));
  const end = { line: 0, character: 100 << 20 };
  client.send({
    method: 'textDocument/didChange',
    params: {
      textDocument: { uri: 'file:///a.s', version: 2 },
      contentChanges: [{ range: { start: end, end }, text: '\nhint IPC' }],
    },
  });
  client.send({ method: 'textDocument/didSave', params: { textDocument: { uri: 'file:///a.s' } } });
  let id = 0;
  const hint = async () => (await client.request(++id, 'textDocument/inlayHint', hintParams())).result[0];
  const isThere = (one) => one && labelOf(one) === 'IPC 1.00 · 4.0 cyc';
  await until(async () => isThere(await hint()), 'the hint below the long line');
});

for (const [name, listenAt, argsFor] of [
  ['a Unix socket', (folder) => path.join(folder, 'socket'), (server) => ['--pipe', server.address()]],
  ['a TCP port', () => 0, (server) => ['--socket', String(server.address().port)]],
]) {
  test(`the client can be behind ${name}`, async (t) => {
    const server = net.createServer();
    await new Promise((resolve) => {
      const where = listenAt(temporaryFolder(t));
      server.listen(typeof where === 'number' ? { port: where, host: '127.0.0.1' } : where, resolve);
    });
    t.after(() => server.close());
    const connected = new Promise((resolve) => server.once('connection', resolve));
    const child = startServer([...argsFor(server), ...WITH_FAKE]);
    t.after(() => child.kill('SIGKILL'));
    const socket = await connected;
    const connection = lsp.createProtocolConnection(
      new lsp.SocketMessageReader(socket),
      new lsp.SocketMessageWriter(socket),
    );
    connection.listen();
    const { serverInfo } = await connection.sendRequest(lsp.InitializeRequest.type, {
      processId: null,
      rootUri: null,
      capabilities: {},
    });
    assert.equal(serverInfo.name, 'mca-lsp');
    await connection.sendRequest(lsp.ShutdownRequest.type);
    await connection.sendNotification(lsp.ExitNotification.type);
    assert.equal(await child.exited, 0);
    connection.dispose();
  });
}

test('a client that is not there is said', async (t) => {
  const child = startServer(['--pipe', path.join(temporaryFolder(t), 'nobody')]);
  assert.equal(await child.exited, 1);
  assert.match(child.log, /cannot connect to the client/);
});
