// Commands, virtual documents, comparisons and a clean end, with the real worker where the answer is its own.
'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { Editor, FAKE_WORKER, FULL_CAPABILITIES, RawClient, isAlive, labelOf, lsp, temporaryFolder, until } = require('./editor');

const WITH_FAKE = ['--worker', FAKE_WORKER, '--sandbox=off']; // it leaves marks in the tests' folders
const WHOLE = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
const AT_START = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
const INTEL = { triple: 'x86_64-unknown-linux-gnu', cpu: 'skylake' };
const LOOP = `	.type	scale,@function
scale:
.Lloop:
	mulss	(%rdi), %xmm0
	addq	$4, %rdi
	cmpq	%rsi, %rdi
	jne	.Lloop
	retq
`;
const SOURCE = `int sum(const int *p, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    s = s * p[i] + 1;
  return s;
}
`;

async function openLoop(t, options = {}) {
  const editor = await Editor.start(t, { settings: INTEL, ...options });
  await editor.open('/scale.s', 'asm', LOOP);
  await editor.hintsOf('/scale.s');
  await editor.until(() => editor.statuses.at(-1)?.cpu === 'skylake', 'the settings');
  return editor;
}

test('a report of the real worker follows the edits', async (t) => {
  const capabilities = { ...FULL_CAPABILITIES, window: { showDocument: { support: true } } };
  const editor = await openLoop(t, { capabilities });
  const { uri } = await editor.command('mca.showReport', editor.place('/scale.s', 4));
  await editor.until(() => editor.shown.includes(uri), 'window/showDocument');
  const report = await editor.content(uri);
  for (const part of ['scale.s, line ', 'CPU: skylake', 'mulss', 'Timeline view:', 'Resource pressure', 'Retire Control'])
    assert.ok(report.includes(part), `${part} in\n${report}`);
  await editor.change('/scale.s', '\t# a new line\n', AT_START);
  await editor.until(async () => (await editor.content(uri)).includes('scale.s, line 4'), 'the moved line');
  assert.ok(editor.changedDocuments.includes(uri));
});

test('the assembly of a source follows each save, and its lines are linked', async (t) => {
  const file = path.join(temporaryFolder(t), 'sum.cpp');
  fs.writeFileSync(file, SOURCE);
  const editor = await Editor.start(t, { settings: { cpu: 'skylake' } });
  await editor.open(file, 'cpp', SOURCE);
  await editor.hintsOf(file);
  const { uri } = await editor.command('mca.showAssembly', editor.place(file, 3));
  const before = await editor.content(uri);
  assert.match(before, /# 4: s = s \* p\[i\] \+ 1;/);
  assert.match(before, /imul/);
  const { document, links } = await editor.connection.sendRequest('mca/links', { uri });
  assert.equal(document, editor.uri(file));
  const multiply = before.split('\n').findIndex((line) => line.includes('imul'));
  assert.equal(links.find((link) => link.line === multiply)?.bufferLine, 3);
  const definition = (of, line) =>
    editor.connection.sendRequest(lsp.DefinitionRequest.type, { textDocument: { uri: of }, position: { line, character: 0 } });
  const listed = await definition(editor.uri(file), 3);
  assert.ok(listed.some(({ uri: to, range }) => to === uri && range.start.line <= multiply && multiply < range.end.line));
  assert.deepEqual((await definition(uri, multiply)).map((to) => [to.uri, to.range.start.line]), [[document, 3]]);

  const changed = SOURCE.replace('s * p[i] + 1', 's + p[i]');
  await editor.change(file, changed, WHOLE);
  fs.writeFileSync(file, changed);
  await editor.save(file);
  await editor.until(() => editor.changedDocuments.includes(uri), 'the change');
  // The first word of a change may be about the analysis before the save.
  let after = await editor.content(uri);
  for (const end = Date.now() + 10_000; !/s = s \+/.test(after) && Date.now() < end; after = await editor.content(uri))
    await new Promise((resolve) => setTimeout(resolve, 50));
  assert.match(after, /# 4: s = s \+ p\[i\];/);
  assert.doesNotMatch(after, /imul/);
});

test('a timeline of the real worker says why each cycle is waited, and follows the edits', async (t) => {
  const editor = await openLoop(t);
  const { uri: document, position } = editor.place('/scale.s', 4);
  const timeline = await editor.connection.sendRequest('mca/timeline', { textDocument: { uri: document }, position });
  assert.equal(timeline.cpu, 'skylake');
  assert.deepEqual(timeline.instructions.map((one) => one.line), [3, 4, 5, 6]);
  assert.equal(timeline.instances.length, 40);
  const later = timeline.instances.find((one) => one.iteration === 3 && one.instruction === 0);
  assert.ok(later.waits.some((wait) => wait.why === 'for xmm0' && wait.by[0] === 0), JSON.stringify(later));
  assert.ok(timeline.pressure.some((one) => one.unit === 'SKLPort6'));
  await editor.change('/scale.s', '\tmulss\t%xmm1, %xmm0\n', { start: { line: 4, character: 0 }, end: { line: 4, character: 0 } });
  await editor.until(() => editor.changedDocuments.includes(timeline.uri), 'the change');
  const longer = await editor.connection.sendRequest('mca/timeline', { uri: timeline.uri });
  assert.equal(longer.instructions.length, 5);
  assert.ok(longer.cyclesPerIteration > timeline.cyclesPerIteration + 3);
});

test('the clang beside the worker is used where PATH has none', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'sum.cpp');
  const worker = path.join(folder, 'mca-worker');
  const text = `#include <stddef.h>\n#include <immintrin.h>\n${SOURCE}`;
  fs.writeFileSync(file, text);
  fs.copyFileSync(path.join(path.dirname(process.env.MCA_LSP), 'mca-worker'), worker);
  const real = execFileSync('sh', ['-c', 'command -v clang-22'], { encoding: 'utf8' }).trim();
  const own = process.env.PATH;
  t.after(() => (process.env.PATH = own));
  process.env.PATH = folder + '/none';
  const settings = { triple: INTEL.triple, cpu: INTEL.cpu };
  const without = await Editor.start(t, { args: ['--worker', worker], settings });
  await without.open(file, 'cpp', text);
  await without.until(() => without.diagnostics.get(without.uri(file))?.diagnostics.length, 'the complaint');
  assert.match(without.diagnostics.get(without.uri(file)).diagnostics[0].message, /clang-22 was not found/);
  fs.symlinkSync(fs.realpathSync(real), path.join(folder, 'clang-22'));
  const beside = await Editor.start(t, { args: ['--worker', worker], settings });
  await beside.open(file, 'cpp', text);
  assert.equal((await beside.hintsOf(file)).length, 1);
});

test('a loop is measured beside its prediction, until its instructions change', async (t) => {
  const folder = temporaryFolder(t);
  const measure = path.join(folder, 'mca-measure');
  const reply = { CPU: 'skylake', Regions: [{ Name: '0', Forms: [{ Form: 'loop', Cycles: 5.5, Spread: 0.01 }] }] };
  fs.writeFileSync(measure, `#!/bin/sh\ncat > '${folder}/input'\necho '${JSON.stringify(reply)}'\n`, { mode: 0o755 });
  const editor = await openLoop(t, { args: ['--measure', measure] });
  const place = editor.place('/scale.s', 4);
  await assert.rejects(editor.command('mca.measureRegion', place), /its folder is not trusted/);
  const measured = await editor.command('mca.measureRegion', { ...place, trusted: true });
  assert.equal(measured.predictedFor, 'skylake');
  assert.equal(measured.paths[0].cycles, 5.5);
  const input = fs.readFileSync(path.join(folder, 'input'), 'utf8');
  assert.match(input, /^# LLVM-MCA-BEGIN 0\n\.Lmca_measured_0_0:\n\tmulss[^]*\n\tjne\t\.Lmca_measured_0_0\n# LLVM-MCA-END 0\n$/);
  const label = async () => labelOf((await editor.hints('/scale.s'))[0]);
  assert.match(await label(), /4\.0 cyc \(measured 5\.5\)/);
  await editor.change('/scale.s', '\t# a new line\n', AT_START);
  assert.match(labelOf((await editor.hintsOf('/scale.s'))[0]), /\(measured 5\.5\)/, 'an edit elsewhere keeps it');
  await editor.change('/scale.s', '\tmulss\t%xmm1, %xmm0\n', { start: { line: 5, character: 0 }, end: { line: 5, character: 0 } });
  await editor.until(async () => !/measured/.test(await label()), 'numbers of the other instructions');
});

test('this CPU is calibrated until the user ends it, and the documents are analysed anew', { skip: process.arch !== 'x64' }, async (t) => {
  const measure = path.join(temporaryFolder(t), 'mca-measure');
  const step = { phase: 'forms', done: 800, total: 2386, secondsLeft: 141 };
  const end = { file: '/data/x.calibration', forms: 800 };
  fs.writeFileSync(measure, `#!/bin/sh
trap 'kill $!; echo '\\''${JSON.stringify(end)}'\\'' >&2; exit 0' INT
echo '${JSON.stringify(step)}' >&2
sleep 100 >/dev/null 2>&1 &
wait
`, { mode: 0o755 });
  const editor = await openLoop(t, { args: ['--measure', measure] });
  const statuses = editor.statuses.length;
  const reply = editor.command('mca.calibrate');
  await editor.until(() => editor.progress.some((one) => one.message === '800 of 2386 forms, about 2 min left'), 'the progress');
  const [begin] = editor.progress;
  assert.deepEqual([begin.kind, begin.title, begin.cancellable], ['begin', 'Calibrating for this CPU', true]);
  assert.equal(editor.progress.at(-1).percentage, 33);
  await assert.rejects(editor.command('mca.measureRegion', { ...editor.place('/scale.s', 4), trusted: true }), /being calibrated/);
  await editor.connection.sendNotification('window/workDoneProgress/cancel', { token: editor.progressTokens.at(-1) });
  assert.deepEqual(await reply, { ...end, complete: false });
  await editor.until(() => editor.progress.at(-1).kind === 'end', 'the end of the display');
  await editor.until(() => editor.statuses.length > statuses && editor.statuses.at(-1).state === 'idle', 'another analysis');
});

test('other CPUs, the list of CPUs, a chosen CPU and its status', async (t) => {
  const editor = await openLoop(t);
  const compared = await editor.command('mca.compareCpus', { ...editor.place('/scale.s', 3), cpus: ['znver4', 'nonsense'] });
  assert.deepEqual(compared.cpus.map((one) => one.cpu), ['skylake', 'znver4', 'nonsense']);
  assert.ok(compared.cpus[1].cycles > 0);
  assert.equal(compared.cpus[2].cycles, 0);
  assert.match(compared.cpus[2].remark, /knows no x86_64 CPU/);

  const { triple, cpus } = await editor.command('mca.listCpus', { uri: editor.uri('/scale.s') });
  assert.equal(triple, INTEL.triple);
  assert.equal(cpus.find((one) => one.name === 'znver4').model, 'own');
  assert.equal(cpus.find((one) => one.name === 'znver5').model, 'borrowed');

  await editor.command('mca.setCpu', { cpu: 'znver3' });
  await editor.until(() => editor.statuses.at(-1).cpu === 'znver3', 'the chosen CPU');
  assert.equal(editor.statuses.at(-1).cpuOrigin, 'chosen for this session');
  await editor.command('mca.setCpu', { cpu: '' });
  await editor.until(() => editor.statuses.at(-1).cpu === 'skylake', 'the setting');
});

test('the other commands, and what is wrong with an argument', async (t) => {
  const editor = await openLoop(t);
  const json = await editor.command('mca.exportJson', { uri: editor.uri('/scale.s') });
  assert.equal(json.files[0].target.cpu, 'skylake');
  assert.equal(json.files[0].regions[0].instructions, 4);
  assert.equal((await editor.command('mca.toggleHints')).enabled, false);
  assert.deepEqual(await editor.hints('/scale.s'), []);
  assert.equal((await editor.command('mca.toggleHints')).enabled, true);
  assert.match(await editor.command('mca.showMemory'), /^mca-lsp: \d+ MiB, mca-worker: \d+ MiB$/);
  const worker = await editor.worker();
  assert.equal(await editor.command('mca.restartWorker'), null);
  await until(() => !isAlive(worker), 'the end of the worker');
  await editor.until(async () => (await editor.worker()) !== worker, 'another worker');
  assert.equal((await editor.hints('/scale.s')).length, 1);
  assert.equal(editor.diagnostics.get(editor.uri('/scale.s')).diagnostics.some((one) => one.code === 'worker-crashed'), false);
  await assert.rejects(editor.command('mca.showReport', { uri: 5 }), { code: -32602 });
  await assert.rejects(editor.command('mca.nothing'), { code: -32602 });
});

test('numbers are compared with the last save and with git HEAD', async (t) => {
  const editor = await Editor.start(t, { args: WITH_FAKE });
  const changes = async (...wanted) => {
    const are = async () => (await editor.hints('/a.s'))[0]?.tooltip?.value ?? '';
    await editor.until(async () => {
      const tooltip = await are();
      return wanted.every((one) => tooltip.includes(one)) && tooltip.split(' since ').length === wanted.length + 1;
    }, wanted.join(' and '));
  };
  await editor.open('/a.s', 'asm', 'region 4\nhead 6\n');
  await changes('6.0 → 4.0 cyc (−33 %) since git HEAD');
  await editor.change('/a.s', 'region 3\nhead 6\n', WHOLE);
  await changes('4.0 → 3.0 cyc (−25 %) since the last save', '6.0 → 3.0 cyc (−50 %) since git HEAD');
  await editor.save('/a.s');
  await editor.change('/a.s', 'region 2\nhead 6\n', WHOLE);
  await changes('3.0 → 2.0 cyc (−33 %) since the last save', '6.0 → 2.0 cyc (−67 %) since git HEAD');
});

test('the real worker finds the version in git HEAD', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'scale.s');
  const git = (...args) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t', ...args], { stdio: 'ignore' });
  fs.writeFileSync(file, LOOP);
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'one');
  const editor = await Editor.start(t, { options: INTEL });
  const slower = LOOP.replace('\tmulss', '\tmulss\t%xmm0, %xmm0\n\tmulss');
  await editor.open(file, 'asm', slower);
  const [finding] = await editor.diagnosticsOf(file, (list) => list.some((one) => one.code === 'region-slower'))
    .then((list) => list.filter((one) => one.code === 'region-slower'));
  assert.match(finding.message, /since git HEAD/);
});

test('the server ends within a second in any state', async (t) => {
  const ends = async (client, what) => {
    const begun = Date.now();
    await client.child.exited;
    assert.ok(Date.now() - begun < 1000, `${what}: ${Date.now() - begun} ms`);
  };
  for (const [what, text] of [
    ['idle', 'hint IPC\n'],
    ['a job that runs', 'step region\nhang\n'],
    ['a worker that hangs', 'step region\ndeaf\n'],
  ]) {
    const editor = await Editor.start(t, { args: WITH_FAKE });
    await editor.open('/a.s', 'asm', text);
    const worker = await editor.worker();
    const quit = editor.quit();
    await ends(editor, what);
    await quit;
    await until(() => !isAlive(worker), 'the end of the worker');
  }
  // A client that reads nothing: more is to be sent than a pipe takes.
  const deaf = new RawClient(t, WITH_FAKE);
  await deaf.initialize();
  deaf.child.stdout.pause();
  const long = `warn ${'x'.repeat(500)}\n`.repeat(1000);
  deaf.send({
    method: 'textDocument/didOpen',
    params: { textDocument: { uri: 'file:///a.s', languageId: 'asm', version: 1, text: long } },
  });
  await until(() => deaf.child.log.includes('1000 findings'), 'the analysis');
  deaf.send({ id: 1, method: 'shutdown' });
  deaf.send({ method: 'exit' });
  await ends(deaf, 'a client that does not read');
});

test('advice: a loop is tried with changes, and the best are actions that an editor can make', async (t) => {
  const file = path.join(temporaryFolder(t), 'sum.c');
  const source = 'float sum(const float *p, int n) {\n  float s = 0;\n  for (int i = 0; i < n; ++i)\n    s += p[i];\n  return s;\n}\n';
  fs.writeFileSync(file, source);
  const capabilities = { ...FULL_CAPABILITIES, window: { showDocument: { support: true }, workDoneProgress: true } };
  capabilities.textDocument = { ...capabilities.textDocument, codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['refactor'] } } } };
  const editor = await Editor.start(t, { capabilities, settings: { cpu: 'skylake' } });
  await editor.open(file, 'c', source);
  await editor.hintsOf(file);
  const reply = await editor.command('mca.advise', editor.place(file, 2));
  assert.equal(reply.loop, 'loop in sum');
  const best = reply.advice.find(({ id }) => id === 'reassociate');
  assert.ok(best.factor > 4, JSON.stringify(reply.advice));
  assert.equal(best.label, 'changes-results');
  await editor.until(() => editor.shown.includes(reply.uri), 'window/showDocument');
  const text = await editor.content(reply.uri);
  for (const part of ['What would make this loop faster?', 'sum.c:3: loop in sum', 'clang fp reassociate(on)', 'Tried in vain:'])
    assert.ok(text.includes(part), `${part} in\n${text}`);
  const hover = await editor.hover(file, 2, 4);
  assert.match(JSON.stringify(hover), /What would make it faster/);
  const range = { start: { line: 2, character: 0 }, end: { line: 2, character: 0 } };
  const actionsAt = () =>
    editor.connection.sendRequest(lsp.CodeActionRequest.type, { textDocument: { uri: editor.uri(file) }, range, context: { diagnostics: [] } });
  const actions = await actionsAt();
  const action = actions.find(({ edit, title }) => edit && title.includes('reorder'));
  assert.ok(action, JSON.stringify(actions.map(({ title }) => title)));
  assert.match(JSON.stringify(action.edit), /_Pragma/);
  await editor.change(file, '// ', { start: { line: 3, character: 0 }, end: { line: 3, character: 0 } });
  assert.equal((await actionsAt()).filter(({ edit }) => edit).length, 0);
});

test('advice: both versions are run in a trusted folder, and only there', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'roots.c');
  const source = '#include <math.h>\nvoid roots(float *a, int n) {\n  for (int i = 0; i < n; ++i)\n    a[i] = sqrtf(a[i]);\n}\n';
  fs.writeFileSync(file, source);
  for (const args of [[], [`--trusted-folder=${folder}`]]) {
    const editor = await Editor.start(t, { args, settings: { cpu: 'skylake' } });
    await editor.open(file, 'c', source);
    await editor.hintsOf(file);
    const { advice } = await editor.command('mca.advise', editor.place(file, 2));
    const best = advice.find(({ id }) => id === 'no-errno');
    assert.equal(best?.label, 'same-results', JSON.stringify(advice));
    assert.equal(/checked with \d+ random inputs: the same results/.test(best.words), args.length > 0, best.words);
    await editor.quit();
  }
});
