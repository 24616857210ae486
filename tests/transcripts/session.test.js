// Whole sessions with the real worker: what a person does in an editor, and what they get to see.
'use strict';

const assert = require('node:assert/strict');
const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { Editor, FULL_CAPABILITIES, SERVER, labelOf, lsp, temporaryFolder } = require('./editor');

const LOOP = `	# mca: cpu=znver4
	# LLVM-MCA-BEGIN dot
.Lloop:
	vmovups (%rdi,%rax,4), %ymm1
	vfmadd231ps (%rsi,%rax,4), %ymm1, %ymm0
	addq $8, %rax
	cmpq %rax, %rdx
	jne .Lloop
	# LLVM-MCA-END dot
`;
// Takes the worker a second or more: each of its loops is another one, so that none is known from an earlier one.
const MANY_LOOPS = Array.from({ length: 8000 }, (_, number) => LOOP.replaceAll('dot', `dot${number}`)
  .replaceAll('.Lloop', `.Lloop${number}`).replace('(%rsi,', `${4 * number}(%rsi,`)).join('');
const INTEL = { triple: 'x86_64-unknown-linux-gnu' };
const LABEL = /^IPC \d+\.\d\d · \d+\.\d cyc/;
const at = (line, character) => ({ start: { line, character }, end: { line, character } });

test('assembly: hints, findings and hover, moved by edits and renewed', async (t) => {
  const editor = await Editor.start(t, { settings: INTEL });
  assert.equal(editor.initialized.capabilities.positionEncoding, 'utf-16');
  await editor.open('/dot.s', 'asm', LOOP);
  const [hint] = await editor.hintsOf('/dot.s');
  assert.match(labelOf(hint), LABEL);
  assert.equal(hint.paddingLeft, true);
  const lengthOfLine = LOOP.split('\n')[hint.position.line].length;
  assert.equal(hint.position.character, lengthOfLine);
  await editor.until(() => editor.refreshes > 0, 'a refresh');

  const hover = await editor.hover('/dot.s', 4, 3);
  assert.equal(hover.contents.kind, 'markdown');
  assert.ok(hover.contents.value.length > 0);

  await editor.change('/dot.s', '\t# a new line\n', at(0, 0));
  const [moved] = await editor.hints('/dot.s');
  assert.deepEqual(moved.position, { line: hint.position.line + 1, character: lengthOfLine });

  await editor.change('/dot.s', '\tbogus %rax\n', at(6, 0));
  const findings = await editor.diagnosticsOf('/dot.s', (list) => list.some((one) => one.severity === 1));
  const error = findings.find((one) => one.severity === 1);
  assert.equal(error.range.start.line, 6);
  assert.equal(error.source, 'mca');
  assert.match(labelOf((await editor.hintsOf('/dot.s'))[0]), /^≥ \d.* cyc · lacks 1 line$/, 'a line of it is missing');

  await editor.close('/dot.s');
  await editor.until(() => editor.diagnostics.get(editor.uri('/dot.s')).diagnostics.length === 0, 'no diagnostics');
  assert.equal(await editor.quit(), 0);
});

test('columns count in what was negotiated', async (t) => {
  const text = LOOP.replace('BEGIN dot', 'BEGIN d\u{1F680}t').replace('END dot', 'END d\u{1F680}t');
  for (const [encoding, length] of [
    ['utf-16', 22],
    ['utf-8', 24],
  ]) {
    const editor = await Editor.start(t, {
      capabilities: { general: { positionEncodings: [encoding] }, workspace: { inlayHint: { refreshSupport: true } } },
    });
    assert.equal(editor.initialized.capabilities.positionEncoding, encoding);
    await editor.open('/dot.s', 'asm', text);
    const [hint] = await editor.hintsOf('/dot.s');
    assert.deepEqual(hint.position, { line: 1, character: length });
    assert.equal(await editor.quit(), 0);
  }
});

test('C++: hints on open and on save, and compile errors at their place', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'sum.cpp');
  const source = `float sum(const float *values, int count) {
  float total = 0;
  for (int i = 0; i < count; ++i)
    total += values[i];
  return total;
}
`;
  fs.writeFileSync(file, source);
  const editor = await Editor.start(t, { settings: { cpu: 'znver4' } });
  await editor.open(file, 'cpp', source);
  const [hint] = await editor.hintsOf(file);
  assert.match(labelOf(hint), /^IPC \d\.\d\d · \d\.\d\d cyc\/iter/);
  assert.equal(hint.position.line, 2);
  await editor.until(() => editor.progress.at(-1)?.kind === 'end', 'the end of the progress');

  await editor.change(file, '\n', at(0, 0));
  assert.equal((await editor.hints(file))[0].position.line, 3);

  await editor.change(file, 'undeclared', { start: { line: 4, character: 13 }, end: { line: 4, character: 19 } });
  fs.writeFileSync(file, `\n${source.replace('values[i]', 'undeclared[i]')}`);
  await editor.save(file);
  const findings = await editor.diagnosticsOf(file, (list) => list.some((one) => one.severity === 1));
  assert.deepEqual(findings.find((one) => one.severity === 1).range.start, { line: 4, character: 13 });
  assert.equal(await editor.quit(), 0);
});

test('C++ is compiled as it is edited, where the user wants that', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'sum.cpp');
  const source = 'float sum(const float *v, int n) {\n  float s = 0;\n  for (int i = 0; i < n; ++i)\n    s += v[i];\n  return s;\n}\n';
  fs.writeFileSync(file, source);
  const editor = await Editor.start(t, { settings: { cpu: 'znver4', compileOn: 'change' } });
  await editor.open(file, 'cpp', source);
  const [hint] = await editor.hintsOf(file);
  await editor.change(file, 's = s * v[i] + v[i];', { start: { line: 3, character: 4 }, end: { line: 3, character: 14 } });
  await editor.until(() => editor.diagnostics.get(editor.uri(file))?.version === 2, 'findings of the edited text');
  const [changed] = await editor.hintsOf(file);
  assert.equal(changed.position.line, 2);
  assert.notEqual(labelOf(changed), labelOf(hint));
  assert.equal(fs.readFileSync(file, 'utf8'), source);
  assert.equal(await editor.quit(), 0);
});

test('a header is compiled as part of an open source that includes it', async (t) => {
  const folder = temporaryFolder(t);
  const header = path.join(folder, 'sum.h');
  const source = path.join(folder, 'main.cpp');
  const texts = {
    [header]: 'template <class T> T sum(const T *v, int n) {\n  T s = 0;\n  for (int i = 0; i < n; ++i)\n    s += v[i];\n  return s;\n}\n',
    [source]: '#include "sum.h"\ndouble total(const double *v, int n) { return sum(v, n); }\n',
  };
  for (const [file, text] of Object.entries(texts)) fs.writeFileSync(file, text);
  const entry = { directory: folder, file: source, command: `c++ -O2 -std=c++20 -c ${source}` };
  fs.writeFileSync(path.join(folder, 'compile_commands.json'), JSON.stringify([entry]));
  const editor = await Editor.start(t, { settings: { cpu: 'znver4' } });
  await editor.open(source, 'cpp', texts[source]);
  assert.equal((await editor.hintsOf(source))[0].position.line, 1);
  await editor.open(header, 'cpp', texts[header]);
  assert.equal((await editor.hintsOf(header))[0].position.line, 2);
  const findings = await editor.diagnosticsOf(header, (list) => list.some((one) => one.code === 'inferred-command'));
  assert.match(findings.find((one) => one.code === 'inferred-command').message, /inferred from .*main\.cpp/);
  assert.equal(await editor.quit(), 0);
});

test('a worker killed by SIGKILL in the middle of a job', async (t) => {
  const capabilities = { ...FULL_CAPABILITIES, workspace: { inlayHint: { refreshSupport: true } } };
  const editor = await Editor.start(t, { capabilities, options: INTEL });
  await editor.open('/dot.s', 'asm', MANY_LOOPS);
  for (const verdict of ['trying once more', 'set aside']) {
    const worker = await editor.worker();
    await editor.until(() => editor.child.log.includes(`started worker ${worker}`), 'the job');
    process.kill(worker, 'SIGKILL');
    const findings = await editor.diagnosticsOf('/dot.s', (list) => list[0]?.message.includes(verdict));
    assert.equal(findings[0].code, 'worker-crashed');
  }
  const settings = { mca: { ...INTEL, iterations: 50 } };
  await editor.connection.sendNotification(lsp.DidChangeConfigurationNotification.type, { settings });
  assert.match(labelOf((await editor.hintsOf('/dot.s'))[0]), LABEL);
  await editor.diagnosticsOf('/dot.s', (list) => list.every((one) => one.code !== 'worker-crashed'));
  assert.equal(await editor.quit(), 0);
});

test('an edit cancels a long job, and the worker stays', async (t) => {
  const editor = await Editor.start(t, { settings: INTEL });
  await editor.open('/quick.s', 'asm', LOOP);
  await editor.hintsOf('/quick.s');
  const worker = await editor.worker();
  await editor.open('/dot.s', 'asm', LOOP.repeat(3000));
  await editor.change('/dot.s', LOOP);
  assert.match(labelOf((await editor.hintsOf('/dot.s'))[0]), LABEL);
  assert.equal(await editor.worker(), worker);
  assert.equal(await editor.quit(), 0);
});

test('an unknown CPU, an unknown triple and odd bytes get a clear answer', async (t) => {
  const editor = await Editor.start(t, { settings: INTEL });
  for (const [name, text] of [
    ['cpu', LOOP.replace('znver4', 'no-such-cpu')],
    ['triple', LOOP.replace('cpu=znver4', 'triple=no-such-triple')],
    ['nul', LOOP.replace('addq', '\0\0addq')],
  ]) {
    await editor.open(`/${name}.s`, 'asm', text);
    const findings = await editor.diagnosticsOf(`/${name}.s`, (list) => list.length > 0);
    assert.ok(findings.every((one) => one.code !== 'worker-crashed'), JSON.stringify(findings));
  }
  assert.equal(await editor.quit(), 0);
});

test('100 MB on one line of assembly leave the server alive', async (t) => {
  const editor = await Editor.start(t, { settings: INTEL, args: ['--worker-memory-limit-mb', '2048'] });
  await editor.open('/long.s', 'asm', 'x'.repeat(100 << 20));
  assert.deepEqual(await editor.hints('/long.s'), []);
  assert.equal(await editor.hover('/long.s', 0, 100), null);
  await editor.change('/long.s', LOOP);
  assert.match(labelOf((await editor.hintsOf('/long.s'))[0]), LABEL);
  assert.equal(await editor.quit(), 0);
});

const CALIBRATION = `mca-calibration 1
cpu vendor=GenuineIntel family=6 model=94 stepping=3 brand="Test CPU" llvm=skylake
made date=2026-11-23 by="hand"
fact slots-per-cycle 4
resource alu 2
form ADD32rr slots=1 uses=alu:1 latencies=1>0:1,2>0:1
end
`;
/** One cycle on LLVM's skylake, two on two ALUs. */
const ADDS = `	# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
# LLVM-MCA-BEGIN adds
	addl %ecx, %eax
	addl %ecx, %ebx
	addl %ecx, %edx
	addl %ecx, %esi
# LLVM-MCA-END
`;

test('a calibration: its numbers, whose they are, a changed file, a bad file, one outside of the folder', async (t) => {
  const file = path.join(temporaryFolder(t), 'a.calibration');
  fs.writeFileSync(file, CALIBRATION);
  const editor = await Editor.start(t, { options: { calibration: file } });
  const labelMatches = (pattern) =>
    editor.until(async () => {
      const [hint] = await editor.hints('/adds.s');
      return hint && pattern.test(labelOf(hint));
    }, `a hint like ${pattern}`);
  await editor.open('/adds.s', 'asm', ADDS);
  await labelMatches(/^IPC 2\.00 · 2\.0 cyc · alu/);
  const [finding] = await editor.diagnosticsOf('/adds.s', (list) => list.length > 0);
  assert.equal(finding.code, 'resource-bottleneck');
  assert.match(finding.message, /limited by alu: 4 addl keep it busy in 2\.0 of 2\.0 cycles/);
  const hover = (await editor.hover('/adds.s', 1, 0)).contents.value;
  assert.match(hover, /Calibrated: the CPU as it was measured, Test CPU of 2026-11-23/);
  assert.match(hover, /LLVM's model: 1\.00 cycles per iteration, IPC 4\.00/);
  const ofInstruction = (await editor.hover('/adds.s', 2, 1)).contents.value;
  assert.match(ofInstruction, /1 slot · latency 1 · reciprocal throughput 0\.50 cycles/, "the calibration's units, not LLVM's");

  fs.writeFileSync(file, CALIBRATION.replace('alu 2', 'alu 1.0'));
  await editor.change('/adds.s', '\t# a new line\n', at(0, 0));
  await labelMatches(/^IPC 1\.00 · 4\.0 cyc · alu/);

  fs.writeFileSync(file, CALIBRATION.replace('resource', 'resourse'));
  await editor.change('/adds.s', '\t# another one\n', at(0, 0));
  await labelMatches(/^IPC 4\.00 · 1\.0 cyc/);
  const unusable = await editor.diagnosticsOf('/adds.s', (list) => list.some((one) => one.code === 'calibration-unusable'));
  assert.ok(unusable.find((one) => one.code === 'calibration-unusable').message.includes(`${file}:5:1: `));
  assert.equal(await editor.quit(), 0);

  fs.writeFileSync(file, CALIBRATION);
  const folder = temporaryFolder(t);
  const source = path.join(folder, 'adds.s');
  fs.writeFileSync(path.join(folder, '.mca-lsp.json'), JSON.stringify({ calibration: file }));
  const project = await Editor.start(t);
  await project.open(source, 'asm', ADDS);
  const refused = await project.diagnosticsOf(source, (list) => list.some((one) => one.code === 'calibration-unusable'));
  assert.match(refused.find((one) => one.code === 'calibration-unusable').message, /a project's settings may only name a file in its own folder/);
  assert.equal(await project.quit(), 0);
});

test('--check with a calibration', (t) => {
  const folder = temporaryFolder(t);
  fs.writeFileSync(path.join(folder, 'a.calibration'), CALIBRATION);
  fs.writeFileSync(path.join(folder, 'adds.s'), ADDS);
  const check = (...args) => execFileSync(SERVER, ['--check', '--log=error', ...args, 'adds.s'], { cwd: folder, encoding: 'utf8' });
  const report = check('--calibration=a.calibration');
  assert.match(report, /adds\.s: calibration: Test CPU of 2026-11-23 \(a\.calibration\)\n/);
  assert.match(report, /\n {2}cycles per iteration: 2\.00\n {2}IPC: 2\.00\n {2}in LLVM's model: 1\.00 cycles per iteration, IPC 4\.00\n {2}limits: alu 2\.00, slots 1\.00\n/);
  assert.match(check('--calibration=off'), /\n {2}cycles per iteration: 1\.00\n {2}IPC: 4\.00\n {2}iterations:/);
  const document = JSON.parse(check('--calibration=a.calibration', '--format=json'));
  assert.equal(document.files[0].target.calibration.source, 'user');
  assert.equal(document.files[0].regions[0].machineCyclesPerIteration, 2);
  assert.equal(document.files[0].regions[0].calibrated.llvmCyclesPerIteration, 1);
  const missing = spawnSync(SERVER, ['--check', '--calibration=none.calibration', '--fail-on=warning', 'adds.s'], { cwd: folder, encoding: 'utf8' });
  assert.equal(missing.status, 3);
  assert.match(missing.stdout, /the calibration is not used, the numbers are LLVM's: .*none\.calibration: /);
});

test('--check prints numbers, and fails on an error', (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'dot.s');
  fs.writeFileSync(file, LOOP);
  const report = execFileSync(SERVER, ['--check', '--log=error', '--calibration=off', '--iterations', '200', file], { encoding: 'utf8' });
  assert.match(report, /: target: x86_64\S* znver4 /);
  assert.match(report, /: region dot \(marker\), lines 2-9\n {2}cycles per iteration: 4\.00\n {2}IPC: 1\.25\n {2}iterations: 200\n/);
  assert.match(report, /\n {2}average IPC: \d+\.\d\d\n {2}average uops\/cycle: \d+\.\d\d\n {2}block rthroughput: \d+\.\d\n/);
  assert.match(report, /\n {2}pressure: \S+=\d+\.\d\d/);
  assert.match(report, /dot\.s:2: hint: IPC /);

  const page = execFileSync(SERVER, ['--check', '--annotate', '--color=always', '--log=error', '--calibration=off', file], {
    encoding: 'utf8',
  });
  assert.match(page, /# LLVM-MCA-BEGIN dot {3}\x1b\[32mIPC /);

  fs.writeFileSync(file, '\tbogus %rax\n');
  assert.equal(spawnSync(SERVER, ['--check', file]).status, 3);
  assert.equal(spawnSync(SERVER, ['--check', path.join(folder, 'missing.s')]).status, 3);
  assert.equal(spawnSync(SERVER, ['--check', '--worker', '/no/such', file]).status, 3);
});
