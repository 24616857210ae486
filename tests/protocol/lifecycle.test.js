// From initialize to exit: what starts a session, what ends it, and with which status.
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const test = require('node:test');
const { INITIALIZE, MODEL, didOpen, initialize, open, samplesFor, start } = require('./client');
const { CODES, wrongCode } = require('./expectations');
const { isObject, mismatch } = require('./shapes');
const { Literal, Maker, casesOf } = require('./values');

const SHUTDOWN = MODEL.find((one) => one.method === 'shutdown');
const EXIT = MODEL.find((one) => one.method === 'exit');
const PLACE = { position: { line: 0, character: 0 } };

/** The server takes these params, and works: it refuses a second initialize, and shuts down. */
async function expectSession(t, params, what) {
  const { session } = start(t);
  const answer = await session.request('initialize', params, what);
  session.note(
    `initialize (${what})`,
    answer.error ? JSON.stringify(answer.error) : mismatch(INITIALIZE.result, answer.result),
  );
  const again = await session.request('initialize', {}, 'a second time');
  session.note(`initialize after initialize (${what})`, wrongCode(again, [CODES.invalidRequest]));
  const { result } = await session.request('shutdown');
  session.note(`shutdown after initialize (${what})`, result === null ? '' : 'no result');
  await session.leave(0);
}

/** `value` with each member at this depth replaced. */
function replaceAt(value, depth, replacement) {
  if (depth === 0) return replacement;
  if (Array.isArray(value)) return value.map((one) => replaceAt(one, depth - 1, replacement));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaceAt(one, depth - 1, replacement)]));
}

// LSP 3.17 has InitializeParams with three members that must be there. This server takes any object: a client with an
// odd member, or without one, still gets a session (lsp/protocol/params.cpp). Process ids that are too large have a
// test of their own.
test('initialize takes odd members', async (t) => {
  const samples = samplesFor('file:///a.s');
  const shallow = [...casesOf(INITIALIZE, samples)].filter(
    ({ what, params, demand }) =>
      demand !== 'malformed' && isObject(params) && /^[a-zA-Z]*: /.test(what) && !(params.processId instanceof Literal),
  );
  assert.ok(shallow.length > 60);
  for (const { what, params } of shallow) await expectSession(t, params, what);
  await expectSession(t, {}, 'nothing');
});

// Each capability is read on its own, so those of one depth are wrong together.
test('initialize takes odd capabilities', async (t) => {
  const right = new Maker(samplesFor('file:///a.s')).full(INITIALIZE.params);
  for (let depth = 1; depth <= 7; depth++)
    for (const odd of [null, true, -7, 1.5, 'text', [], [null], {}, new Literal('99999999999999999999')]) {
      const capabilities = replaceAt(right.capabilities, depth, odd);
      await expectSession(t, { ...right, capabilities }, `all capabilities at depth ${depth}: ${JSON.stringify(odd)}`);
    }
});

// LSP 3.17 has a server leave whose client is not alive, which a process with such a number cannot be. It may also take
// the number for no process id at all and stay, but not watch another process.
test('a process id that is too large names no other process', async (t) => {
  const other = spawn('sleep', ['1000']);
  t.after(() => other.kill());
  const { session } = start(t);
  let left = false;
  session.client.child.on('exit', () => (left = true));
  const isAlive = async () => {
    const id = session.send('textDocument/hover', {});
    await session.until(() => left || session.answers.has(id), 'an answer, or the end of the server');
    return !left;
  };
  const params = { processId: 2 ** 32 + other.pid, rootUri: null, capabilities: {} };
  assert.ok((await session.request('initialize', params)).result);
  if (!(await isAlive())) return;
  const ended = new Promise((resolve) => other.on('exit', resolve));
  other.kill();
  await ended;
  // The server sees the end of a process between two messages, so that several must pass.
  for (let i = 0; i < 10; i++) assert.ok(await isAlive(), 'the server has left with a process that is not its client');
});

test('shutdown has no params, and ignores them', async (t) => {
  for (const { what, params, demand } of casesOf(SHUTDOWN, {})) {
    const started = start(t);
    const { session } = started;
    await initialize(started, false);
    const answer = await session.request('shutdown', params, what);
    if (demand === 'malformed' && answer.error) {
      session.note(`shutdown (${what})`, wrongCode(answer, [CODES.invalidRequest, CODES.invalidParams]));
      assert.equal((await session.request('shutdown')).result, null);
    } else {
      session.note(
        `shutdown (${what})`,
        answer.error ? 'answered with an error' : mismatch(SHUTDOWN.result, answer.result),
      );
    }
    await session.leave(0);
  }
});

/** Brings a server into a state. */
const STATES = {
  'before initialize': async () => {},
  'after initialize': (started) => initialize(started),
  'while the server runs': async (started) => {
    await initialize(started);
    started.session.notify('initialized', {});
    await open(started.session, started.uri);
  },
  'after shutdown': async (started) => {
    await initialize(started, false);
    await started.session.request('shutdown');
  },
};

for (const [state, reach] of Object.entries(STATES))
  test(`exit ${state}`, async (t) => {
    const status = state === 'after shutdown' ? 0 : 1;
    for (const { what, params, demand } of casesOf(EXIT, {})) {
      const started = start(t);
      const { session } = started;
      await reach(started);
      session.notify('exit', params, demand === 'malformed');
      // What is no message may be ignored, so that another must follow.
      if (demand === 'malformed') session.notify('exit');
      assert.equal(await session.exited(), status, what);
      session.check();
    }
  });

test('requests that wait when shutdown comes are answered once', async (t) => {
  const started = start(t);
  const { session, uri, samples } = started;
  await initialize(started);
  didOpen(session, uri);
  const maker = new Maker(samples);
  for (const method of ['textDocument/inlayHint', 'textDocument/diagnostic', 'textDocument/hover'])
    for (let i = 0; i < 20; i++) session.send(method, maker.minimal(MODEL.find((one) => one.method === method).params));
  const show = { command: 'mca.showReport', arguments: [{ uri, ...PLACE }] };
  const report = session.send('workspace/executeCommand', show);
  const shutdown = session.send('shutdown');
  await session.settle();
  assert.ok(session.answers.get(report).result.uri);
  assert.equal(session.answers.get(shutdown).result, null);
  await session.leave(0);
});
