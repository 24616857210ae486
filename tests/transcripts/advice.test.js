// What makes a loop faster, with the real worker: loops about which rules alone, or LLVM's numbers alone, are wrong.
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { Editor, FULL_CAPABILITIES, temporaryFolder } = require('./editor');

const CAPABILITIES = {
  ...FULL_CAPABILITIES,
  textDocument: { ...FULL_CAPABILITIES.textDocument, codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['refactor'] } } } },
};
const TARGET = ['-target', 'x86_64-linux-gnu'];

/** The reply to the question about the loop of a line, with the document that is shown: `text`. */
async function ask(t, source, line, { cpu = 'skylake', cpus = [], flags = ['-O2'] } = {}) {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'a.c');
  const command = [{ directory: folder, file, arguments: ['clang', ...TARGET, ...flags, '-c', file] }];
  for (const [name, text] of Object.entries({ 'a.c': source, 'compile_commands.json': JSON.stringify(command) }))
    fs.writeFileSync(path.join(folder, name), text);
  const editor = await Editor.start(t, { capabilities: CAPABILITIES, settings: { cpu, cpus } });
  await editor.open(file, 'c', source);
  await editor.hintsOf(file);
  const reply = await editor.command('mca.advise', editor.place(file, line));
  return { ...reply, editor, file, text: await editor.content(reply.uri) };
}

const idsOf = ({ advice }) => advice.map(({ id }) => id);
const adviceOf = ({ advice, text }, id) => {
  const found = advice.find((one) => one.id === id);
  assert.ok(found, `${id} in\n${text}`);
  return found;
};

const SEARCH = `int find(const int *a, int n, int key) {
  int low = 0, high = n;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (a[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
`;

/** The way of one call through clang's code of SEARCH; `isLess` says of each step where the key is. */
function traced(isLess) {
  const steps = isLess.map((one) => (one ? 'N T' : 'T N')).join(' ');
  return SEARCH.replace('  while', `  // mca: trace find: ENTRY T ${steps} N N RET\n  while`);
}

test('a binary search: a select wins with random keys, and not with keys along a trace that is predicted', async (t) => {
  const steps = Array.from({ length: 1000 }, (_, i) => i);
  let state = 1;
  const isRandom = () => (state = (state * 1103515245 + 12345) % 2 ** 31) & 0x40000;
  const expected = adviceOf(await ask(t, SEARCH, 2), 'select');
  assert.match(expected.words, /× if its branches are random/);
  const random = adviceOf(await ask(t, traced(steps.map(isRandom)), 3), 'select');
  assert.doesNotMatch(random.words, /if its branches are random/, 'the trace shows that they are');
  for (const select of [expected, random]) {
    assert.equal(select.label, 'same-results');
    assert.ok(select.factor > 1.2, select.words);
  }
  const sorted = await ask(t, traced(steps.map(() => true)), 3);
  assert.ok(!idsOf(sorted).some((id) => id.includes('select')), sorted.text);
  assert.match(sorted.text, /compute both ways in place of branching, __builtin_unpredictable: [\d.]+× slower/);
});

test("a gather on znver4 is not advised from LLVM's model alone", async (t) => {
  const source = `void pick(float *restrict a, const float *restrict b, const int *restrict at, const float *restrict c, int n) {
  for (int i = 0; i < n; ++i)
    a[i] = b[at[i]] / c[i];
}
`;
  const reply = await ask(t, source, 1, { cpu: 'znver4', flags: ['-O2', '-march=znver4', '-fno-vectorize'] });
  assert.deepEqual(idsOf(reply), [], reply.text);
  const doubtful = 'predicted, by a model that is known to be wrong about these instructions: measure it';
  for (const change of ['compile without -fno-vectorize', "vectorize against the compiler's estimate, vectorize(enable)"])
    assert.ok(new RegExp(`${change.replace(/[()]/g, '\\$&')}: [\\d.]+× ${doubtful}`).test(reply.text), reply.text);
});

test("distribute(enable), which the compiler's own remark recommends, is tried in vain", async (t) => {
  const recurrence = 'void f(float *a, int n) {\n  for (int i = 1; i < n; ++i)\n    a[i] = a[i - 1] * .5f + a[i];\n}\n';
  const scatter = `void f(float *restrict y, const int *restrict at, const float *restrict x, float *restrict c, int n) {
  for (int i = 0; i < n; ++i) {
    y[at[i]] += x[i];
    c[i] = c[i] * x[i];
  }
}
`;
  for (const source of [recurrence, scatter]) {
    const reply = await ask(t, source, 1);
    assert.ok(!idsOf(reply).some((id) => id.includes('distribute')), reply.text);
    assert.match(reply.text, /split the loop as the compiler's remark recommends, distribute\(enable\): no faster, the compiler makes the same code/);
  }
});

test('a loop that is vectorized by two changes, and by neither alone', async (t) => {
  const source = `#include <math.h>
float norm(const float *p, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += sqrtf(p[i]);
  return s;
}
`;
  const reply = await ask(t, source, 3);
  const both = adviceOf(reply, 'reassociate+no-errno');
  assert.equal(both.label, 'changes-results');
  assert.ok(both.cyclesPerIteration < adviceOf(reply, 'no-errno').cyclesPerIteration / 2, reply.text);
  assert.match(reply.text, /It is still not vectorized: its floating-point operations may not be reordered/);
});

const SUM = `float sum(const float *p, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i];
  return s;
}
`;

test('advice is about one CPU where hints compare several', async (t) => {
  const one = await ask(t, SUM, 2);
  assert.deepEqual((await ask(t, SUM, 2, { cpus: ['znver3', 'haswell'] })).advice, one.advice);
});

/** The compile takes a second, so versions compile only the part of the file which the loop needs. */
test('what makes a loop faster does not depend on the rest of its file', async (t) => {
  const calls = `static float weight(float x);
static float weights[16];
float weighted(const float *p, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += weight(p[i]);
  return s;
}
static float weight(float x) { return x * weights[(int)x & 15]; }
void setWeight(int i, float w) { weights[i & 15] = w; }
`;
  const rest = Array.from({ length: 240 }, (_, i) => `double rest${i}(double *a, const double *b, long n) {
  double sum = ${i};
  for (long j = 0; j < n; ++j)
    for (long k = 0; k < n; ++k)
      sum += a[j * n + k] * b[k * n + j] > ${i} ? a[j] : a[k * ${i + 3}] / (b[j] + ${i});
  return sum;
}
`).join('');
  const alone = await ask(t, calls, 4);
  const withRest = await ask(t, calls + rest, 4);
  assert.ok(withRest.advice.length > 0, withRest.text);
  assert.deepEqual(withRest.advice, alone.advice);
});

test('-fassociative-math alone, which clang ignores, is neither offered nor a reason to offer less', async (t) => {
  const plain = await ask(t, SUM, 2);
  const ignored = await ask(t, SUM, 2, { flags: ['-O2', '-fassociative-math'] });
  assert.equal(adviceOf(plain, 'reassociate').label, 'changes-results');
  assert.deepEqual(ignored.advice, plain.advice);
  assert.doesNotMatch(plain.text + ignored.text, /-fassociative-math/);
});

/** A pragma lets clang reorder additions without a word. */
test('of a reduction, changes that vectorize it in another way change results', async (t) => {
  const inMemory = 'void add(float *s, const float *p, int n) {\n  for (int i = 0; i < n; ++i)\n    *s += p[i];\n}\n';
  const enabled = SUM.replace('  for', '  _Pragma("clang loop vectorize(enable)") for');
  for (const [source, line] of [[SUM, 2], [inMemory, 1], [enabled, 2]]) {
    const { advice, text } = await ask(t, source, line);
    assert.ok(advice.length > 0, text);
    for (const { id, label } of advice) assert.equal(label, 'changes-results', `${id} in\n${text}`);
  }
});

test('vectors of 512 bits: the level of instructions and the preference are tried together', async (t) => {
  const add = 'void add(int *restrict a, const int *restrict b, int n) {\n  for (int i = 0; i < n; i++)\n    a[i] += b[i];\n}\n';
  const reply = await ask(t, add, 1, { cpu: 'sapphirerapids' });
  const wide = adviceOf(reply, 'wide-march');
  assert.equal(wide.label, 'hardware');
  assert.match(wide.words, /-march=x86-64-v4 -mprefer-vector-width=512/);
  assert.match(reply.text, /may lower its clock/);
  const skylake = await ask(t, add, 1, { cpu: 'skylake' });
  assert.ok(!skylake.text.includes('512'), skylake.text);
});

test('what is found is timed on request, in a trusted folder', async (t) => {
  const { editor, file } = await ask(t, SUM, 2, { cpu: '' });
  const place = editor.place(file, 2);
  const start = { line: 2, character: 0 };
  const actions = await editor.connection.sendRequest('textDocument/codeAction', { textDocument: { uri: editor.uri(file) }, range: { start, end: start }, context: { diagnostics: [] } });
  const offered = actions.find(({ title }) => title === 'Measure each change and the present loop on this machine');
  if (process.arch !== 'x64') return assert.equal(offered, undefined);
  const [{ measured, ...where }] = offered.command?.arguments ?? offered.arguments;
  assert.deepEqual([measured, where.uri], [true, place.uri]);
  await assert.rejects(editor.command('mca.advise', { ...place, measured }), /timing runs the document's code/);
  const { uri, advice } = await editor.command('mca.advise', { ...place, measured, trusted: true });
  const text = await editor.content(uri);
  assert.match(text, /measured on this machine: [\d.]+ and [\d.]+ cyc\/iter|not measured: /);
  for (const one of advice) if (one.measured !== undefined) assert.ok(one.measured > 1, text);
});
