// Each method of the protocol with right, wrong, missing and extra params, in each state of the server. The methods and
// their params come from the meta model (model.js, values.js), the answers that they must get from expectations.js.
'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');
const { lsp } = require('../transcripts/editor');
const {
  INITIALIZE,
  LINES,
  MODEL,
  SETTINGS,
  didOpen,
  initialize,
  open,
  samplesFor,
  start,
  symbols,
} = require('./client');
const { CODES, isOffered, wrongAnswer, wrongCode } = require('./expectations');
const { mismatch } = require('./shapes');
const { Maker, casesOf } = require('./values');

const requests = MODEL.filter((one) => one.kind === 'request');
/** exit is in lifecycle.test.js. */
const notifications = MODEL.filter((one) => one.kind === 'notification' && one.method !== 'exit');
const others = requests.filter(({ method }) => !['initialize', 'shutdown'].includes(method));

/** Sends all cases of all requests, and notes each answer that is not as it must be. Returns how many there were. */
async function askAll(session, methods, samples, state, capabilities = {}) {
  const sent = [];
  for (const method of methods)
    for (const one of casesOf(method, samples))
      sent.push({ method, one, id: session.send(method.method, one.params, one.what) });
  await session.settle();
  for (const { method, one, id } of sent)
    session.note(
      `${method.method} (${one.what})`,
      wrongAnswer(method, one, session.answers.get(id), state, capabilities),
    );
  return sent.length;
}

/** The same for notifications, which have no answer. `before` is done for each method. */
function notifyAll(session, methods, samples, before = () => {}) {
  for (const method of methods) {
    before(method);
    for (const one of casesOf(method, samples)) session.notify(method.method, one.params, one.demand === 'malformed');
  }
}

/** Each method as what it is not: a request without an id, and a notification with one. Both are unknown. */
async function swapAll(session, code) {
  for (const { method } of requests) session.notify(method, {});
  const ids = MODEL.filter((one) => one.kind === 'notification').map(({ method }) => session.send(method, {}));
  await session.settle();
  for (const id of ids) session.note(session.asked.get(id), wrongCode(session.answers.get(id), [code]));
}

test('the model has every method of LSP 3.17', () => {
  const known = new Set(MODEL.map((one) => one.method));
  const of317 = Object.values(lsp).filter(
    (one) => one?.type?.method && /Request|Notification/.test(one.type.constructor.name),
  );
  assert.ok(of317.length > 80);
  for (const { type } of of317) assert.ok(known.has(type.method), type.method);
});

test('the types and samples make right params', () => {
  const maker = new Maker(samplesFor('file:///a.s'));
  for (const { method, params } of MODEL.filter((one) => one.params))
    for (const made of [maker.minimal(params), maker.full(params)]) assert.equal(mismatch(params, made, method), '');
});

test('before initialize: ServerNotInitialized to each request, and nothing is done', async (t) => {
  const started = start(t);
  const { session, samples, uri } = started;
  const shutdown = requests.find((one) => one.method === 'shutdown');
  await askAll(session, [...others, shutdown], samples, 'uninitialized');
  notifyAll(session, notifications, samples);
  await swapAll(session, CODES.notInitialized);
  const capabilities = await initialize(started);
  assert.ok(capabilities.hoverProvider);
  const exported = await session.request('workspace/executeCommand', {
    command: 'mca.exportJson',
    arguments: [{ uri }],
  });
  assert.match(exported.error?.message ?? '', /no open/, 'what was sent before initialize has been dropped');
  session.check();
});

test('initialize needs an object', async (t) => {
  const started = start(t);
  const { session, samples } = started;
  const wrong = [...casesOf(INITIALIZE, samples)].filter((one) => /^(no )?params/.test(one.what));
  assert.ok(wrong.length > 5);
  for (const { what, params, demand } of wrong) {
    const answer = await session.request('initialize', params, what);
    const codes = demand === 'malformed' ? [CODES.invalidParams, CODES.invalidRequest] : [CODES.invalidParams];
    session.note(`initialize (${what})`, wrongCode(answer, codes));
  }
  await initialize(started);
  session.check();
});

/** Everything that a client may send while the server runs; the open document is as it was afterwards. */
async function sendEverything({ session, uri, samples }, capabilities) {
  await open(session, uri);
  const before = await symbols(session, uri);
  const show = { command: 'mca.showReport', arguments: [{ uri, position: samples.Position }] };
  const { result } = await session.request('workspace/executeCommand', show);
  const all = { ...samples, 'TextDocumentContentParams.uri': result.uri };
  const sent = await askAll(session, [...others, INITIALIZE], all, 'running', capabilities);
  assert.ok(sent > 5000, `${sent} requests`);
  const notified = `${uri}.other.s`;
  notifyAll(session, notifications, samplesFor(notified), () => didOpen(session, notified));
  await swapAll(session, CODES.methodNotFound);
  assert.deepEqual(await symbols(session, uri), before);
  session.check();
}

test('after initialize, before initialized: as later', async (t) => {
  const started = start(t);
  await sendEverything(started, await initialize(started));
});

test('while the server runs', async (t) => {
  const started = start(t);
  const capabilities = await initialize(started);
  started.session.notify('initialized', {});
  const offered = others.filter((one) => isOffered(one, capabilities));
  assert.ok(offered.length >= 15 && offered.length < others.length, `${offered.length} methods are offered`);
  await sendEverything(started, capabilities);
});

test('after shutdown: InvalidRequest to each request', async (t) => {
  const started = start(t);
  const { session, samples, uri } = started;
  await initialize(started);
  await open(session, uri);
  assert.equal((await session.request('shutdown')).result, null);
  await askAll(session, requests, samples, 'shut down');
  notifyAll(session, notifications, samples);
  await swapAll(session, CODES.invalidRequest);
  await session.leave(0);
});

/** The params of a method at each place of the document that a test looks at. */
function* paramsEverywhere(method, uri) {
  const textDocument = { uri };
  const has = (name) => method.params.members.some((member) => member.name === name);
  if (!has('textDocument')) return;
  for (const [line, text] of LINES.entries())
    for (let character = 0; character <= text.length; character += 4) {
      const position = { line, character };
      const range = { start: { line, character: 0 }, end: { line: line + 1, character: 0 } };
      yield { textDocument, ...(has('position') && { position }), ...(has('range') && { range }) };
      if (!has('position')) break;
    }
}

/** Asks offered methods about each place, with what the server itself said of the document as their context. */
async function askEverywhere({ session, uri, samples }, capabilities) {
  const pulled = await session.request('textDocument/diagnostic', { textDocument: { uri } });
  const context = { diagnostics: pulled.result.items };
  assert.ok(context.diagnostics.length > 0);
  const filled = new Set();
  for (const method of others.filter((one) => isOffered(one, capabilities))) {
    for (const params of paramsEverywhere(method, uri)) {
      const full = new Maker({ ...samples, ...params, CodeActionContext: context }).minimal(method.params);
      const answer = await session.request(method.method, { ...full, ...params });
      const what = `${method.method} ${JSON.stringify(params)}`;
      session.note(what, wrongAnswer(method, { demand: 'right' }, answer, 'running', capabilities));
      if (answer.result && answer.result.length !== 0) filled.add(method.method);
      if (method.method === 'textDocument/inlayHint') await resolveAll(session, answer.result, capabilities);
    }
  }
  return filled;
}

async function resolveAll(session, hints, capabilities) {
  const resolve = MODEL.find((one) => one.method === 'inlayHint/resolve');
  for (const hint of hints) {
    const answer = await session.request(resolve.method, hint);
    session.note(resolve.method, wrongAnswer(resolve, { demand: 'right' }, answer, 'running', capabilities));
  }
}

const WITH_TOKENS = { ...SETTINGS, semanticTokens: { enabled: true } };
const WITH_LENSES = { ...SETTINGS, codeLens: { enabled: true }, inlayHints: { enabled: false } };
/** What every client is answered about this document, so that no result is right because it is empty. */
const COMMON = ['completion', 'definition', 'documentHighlight', 'documentSymbol', 'foldingRange', 'hover'];
const CLIENTS = [
  {
    name: 'with all capabilities',
    settings: WITH_TOKENS,
    more: ['codeAction', 'diagnostic', 'inlayHint', 'semanticTokens/full', 'semanticTokens/range'],
  },
  { name: 'with lenses instead of hints', settings: WITH_LENSES, more: ['codeAction', 'codeLens', 'diagnostic'] },
  { name: 'without capabilities', more: ['inlayHint'] },
];

for (const { name, settings, more } of CLIENTS)
  test(`results are of the types of the model, for a client ${name}`, async (t) => {
    const started = start(t, settings);
    const { session, uri } = started;
    const capabilities = await initialize(started, settings !== undefined);
    session.notify('initialized', {});
    await open(session, uri);
    const answered = [...COMMON, ...more].map((one) => `textDocument/${one}`).sort();
    assert.deepEqual([...(await askEverywhere(started, capabilities))].sort(), answered);
    session.check();
  });
