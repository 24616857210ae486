// Messages apart from their params: ids, unknown methods, answers to nothing, odd answers to the server's own requests,
// and the cancellation of what is not there.
'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');
const { MODEL, didOpen, initialize, open, start } = require('./client');
const { CODES, wrongCode } = require('./expectations');
const { isObject } = require('./shapes');
const { Literal, Maker, textOf } = require('./values');

const HINTS = MODEL.find((one) => one.method === 'textDocument/inlayHint');
const PARSE_ERROR = -32700;
const REQUEST_CANCELLED = -32800;

/** A server in use. */
async function running(t) {
  const started = start(t);
  await initialize(started);
  started.session.notify('initialized', {});
  await open(started.session, started.uri);
  return started;
}

// LSP 3.17 allows integers of 32 bits and strings.
const IDS = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31), '', '1', '-1', '1e0', 'ünï\u0000💥"\\', 'x'.repeat(10000), '__proto__'];

for (const [state, prepare] of [
  ['before initialize', start],
  ['while the server runs', running],
])
  test(`an answer has the id of its request, and the id's type, ${state}`, async (t) => {
    const { session } = await prepare(t);
    for (const id of IDS) session.sendAs(id, 'textDocument/hover', {}, `id ${id}`);
    await session.settle();
    session.check();
  });

// What lies beyond may be answered with the same id, or refused with none: JSON-RPC 2.0 discourages fractions and null
// and leaves the size of numbers open. Another id would be the answer to another request.
test('odd ids are never taken for others', async (t) => {
  const { session } = await running(t);
  const numbers = [
    '2147483648',
    '9007199254740993',
    '9223372036854775807',
    '9223372036854775808',
    '18446744073709551615',
  ];
  const far = ['-9223372036854775809', '99999999999999999999', '1.5', '1.0', '1e2', '1e300'];
  for (const text of [...numbers, ...far]) await expectIdOrNone(session, new Literal(text), Number(text));
  for (const id of [null, true, [], [1], {}]) await expectIdOrNone(session, id, null);
  session.check();
});

/** One answer to a request with this id, in which JavaScript reads `read`, or null instead of it. */
async function expectIdOrNone(session, id, read) {
  const answers = await session.sendOdd([{ id, method: 'textDocument/hover', params: {} }]);
  const text = `${textOf({ id })} was answered by ${JSON.stringify(answers)}`;
  assert.equal(answers.length, 1, text);
  const [{ id: answered, error }] = answers;
  assert.ok(error && (answered === read || (answered === null && error.code === CODES.invalidRequest)), text);
}

test('unknown methods: MethodNotFound to a request, nothing to a notification', async (t) => {
  const { session } = await running(t);
  const hover = 'textDocument/hover';
  const near = [
    ` ${hover}`,
    `${hover} `,
    `${hover}/`,
    hover.toUpperCase(),
    `${hover}\u0000`,
    'textDocument',
    '',
    '/',
    '__proto__',
  ];
  const strange = [
    '$/unknown',
    '$/',
    '$',
    '$/cancelRequest/',
    'mca/unknown',
    'rpc.discover',
    'x'.repeat(10000),
    'ünï💥',
  ];
  for (const method of [...near, ...strange])
    for (const params of [undefined, null, {}, []]) {
      session.notify(method, params);
      session.send(method, params);
    }
  await session.settle();
  for (const [id, what] of session.asked)
    if (![hover, 'initialize', 'textDocument/documentSymbol'].includes(what.split(' (')[0]))
      session.note(what.slice(0, 100), wrongCode(session.answers.get(id), [CODES.methodNotFound]));
  session.check();
});

test('a method that is no string is an invalid request', async (t) => {
  const { session } = await running(t);
  for (const method of [null, true, 7, [], {}]) {
    const answers = await session.sendOdd([{ id: 'odd', method, params: {} }]);
    const text = `the method ${JSON.stringify(method)} was answered by ${JSON.stringify(answers)}`;
    assert.equal(answers.length, 1, text);
    // JSON-RPC 2.0 gives an example without the id, too.
    assert.ok(answers[0].id === 'odd' || answers[0].id === null, text);
    session.note(text, wrongCode(answers[0], [CODES.invalidRequest]));
  }
  session.check();
});

// Answers have no answer, not even wrong ones: two sides that answered each other's errors would never end. An error
// has the id null if that of the request could not be read (LSP 3.17, Response Message).
test('answers to no request are not answered', async (t) => {
  const { session } = await running(t);
  const error = { code: PARSE_ERROR, message: 'what?' };
  const errors = [{ error }, { error: { ...error, data: [1] } }];
  for (const id of [999, -1, 0, 'no'])
    for (const content of [{ result: null }, { result: {} }, ...errors])
      session.client.sendContent(textOf({ id, ...content }));
  for (const content of errors) session.client.sendContent(textOf({ id: null, ...content }));
  await session.request('textDocument/hover', {});
  session.check();
});

// JSON-RPC 2.0 says what is an answer, but not how to take something that is nearly one: an error may follow, with its
// id or without one.
test('what is nearly an answer does no harm', async (t) => {
  const { session } = await running(t);
  const errors = [{ error: null }, { error: 7 }, { error: {} }, { error: { code: 'x', message: 1 } }];
  const odd = [{}, { result: null }, ...errors, { result: 1, error: 1 }];
  const messages = [undefined, null, true, {}, new Literal('18446744073709551615')].flatMap((id) =>
    odd.map((content) => ({ id, ...content })),
  );
  messages.push(...[{}, ...errors].map((content) => ({ id: 999, ...content })));
  for (const answer of await session.sendOdd(messages))
    session.note(JSON.stringify(answer), wrongCode(answer, [CODES.invalidRequest]));
  session.check();
});

/** Answers the requests of the server by `answers` in turn, each a few times. Returns the methods of these requests. */
async function answerOddly(t, answers) {
  const started = start(t);
  const { session, uri, samples } = started;
  const methods = new Set();
  let next = 0;
  session.respond = ({ id, method }) => {
    methods.add(method);
    session.client.sendContent(textOf({ id, ...answers[next++ % answers.length] }));
  };
  await initialize(started);
  const show = { command: 'mca.showReport', arguments: [{ uri, position: samples.Position }] };
  while (next < 4 * answers.length) {
    session.notify('initialized', {});
    await open(session, uri);
    await session.request('workspace/executeCommand', show);
  }
  assert.ok((await session.request(HINTS.method, new Maker(samples).minimal(HINTS.params))).result.length > 0);
  session.check();
  return methods;
}

test("odd answers to the server's requests do no harm", async (t) => {
  const results = [null, true, 7, 'text', [], [null], [7], [[]], [{ cpu: 7 }], {}, { success: 'x' }];
  const errors = [
    { code: PARSE_ERROR, message: 'what?' },
    { code: 1, message: '', data: {} },
  ];
  const methods = await answerOddly(t, [
    ...results.map((result) => ({ result })),
    ...errors.map((error) => ({ error })),
  ]);
  for (const method of ['client/registerCapability', 'workspace/configuration', 'window/showDocument'])
    assert.ok(methods.has(method), method);
});

test('to cancel what is not there does nothing', async (t) => {
  const { session } = await running(t);
  const answered = session.lastId;
  for (const id of [...IDS, answered, null, true, 1.5, [], {}, new Literal('18446744073709551615')])
    session.notify('$/cancelRequest', { id });
  session.notify('$/cancelRequest', {});
  session.notify('$/cancelRequest', undefined);
  await session.request('textDocument/hover', {});
  session.check();
});

test('a request that is cancelled has one answer', async (t) => {
  const started = start(t);
  const { session, uri, samples } = started;
  await initialize(started);
  didOpen(session, uri);
  const ids = [];
  for (let i = 0; i < 50; i++) {
    ids.push(session.send(HINTS.method, new Maker(samples).minimal(HINTS.params)));
    session.notify('$/cancelRequest', { id: ids.at(-1) });
    if (i % 2 === 0) session.notify('$/cancelRequest', { id: ids.at(-1) });
  }
  await session.settle();
  for (const id of ids) {
    const { result, error } = session.answers.get(id);
    assert.ok(Array.isArray(result) || error.code === REQUEST_CANCELLED, JSON.stringify(error));
  }
  session.check();
});

// RFC 8259 leaves the range of numbers open, so a message with such a one may be no JSON to the server.
test('a number that no one can hold', async (t) => {
  const { session } = await running(t);
  session.sendBroken(textOf({ method: 'initialized', params: { number: new Literal('1e400') } }));
  session.sendBroken(textOf({ method: 'initialized', params: { number: new Literal('-1e400') } }));
  session.sendBroken(textOf({ method: 'initialized', params: { number: new Literal(`0.${'1'.repeat(10000)}`) } }));
  await session.request('textDocument/hover', {});
  session.check();
});

// A message without "jsonrpc": "2.0" is not one of JSON-RPC 2.0; whether it is refused is open, but not that it is
// answered.
test('a request without the version of the protocol is answered', async (t) => {
  const { session } = await running(t);
  for (const jsonrpc of [undefined, null, '1.0', 2]) {
    const id = `version ${jsonrpc}`;
    session.asked.set(id, id);
    session.client.sendContent(JSON.stringify({ jsonrpc, id, method: 'textDocument/hover', params: {} }));
    assert.ok(isObject((await session.answer(id)).error));
  }
  session.check();
});
