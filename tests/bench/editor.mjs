// What a person waits for in an editor, measured with the real server: its start, from save to hints over the bare
// compiler, from keystroke to hints in a long assembly file, requests while a job runs, and the memory of both processes.
// Each figure is printed with its aim. Only an error fails: time is the machine's as much as ours.
//
//   node editor.mjs FOLDER-OF-THE-PROGRAMS [--quick] [--profile]
//
// --profile: only what a profile costs.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { COMPILER, compileTime, hintsAround, median, ms, quantile, sleep, untilHints, untilIdle } from './waiting.mjs';

const quick = process.argv.includes('--quick');
const programs = path.resolve(process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? 'build/release/bin');
process.env.MCA_LSP = path.join(programs, 'mca-lsp');
const { Editor, RawClient, until, childrenOf } = createRequire(import.meta.url)('../transcripts/editor.js');

const ROUNDS = quick ? 3 : 5;
const KEYSTROKES = quick ? 20 : 60;
const REQUESTS = quick ? 500 : 2000;
const STARTS = quick ? 5 : 20;
const DOCUMENTS = 200;
/** The shortest pause before a job (lsp/jobs/scheduler.h), in ms. */
const PAUSE = 50;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mca-bench-'));
const cleanups = [() => fs.rmSync(folder, { recursive: true, force: true })];
const test = { after: (action) => cleanups.unshift(action) };

const SOURCES = [
  {
    name: 'loop over std::vector, 20 lines',
    file: 'mean.cpp',
    text: `#include <vector>
double mean(const std::vector<double> &v) {
  double sum = 0;
  for (double x : v) sum += x;
  return sum / static_cast<double>(v.size());
}
void scale(std::vector<float> &v, float f) {
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = v[i] * f + 1;
}
`,
  },
  {
    name: 'around xxhash.h',
    file: 'checksum.c',
    text: `#define XXH_INLINE_ALL
#include <xxhash.h>
unsigned hash(const unsigned char *p, unsigned long n) { return XXH32(p, n, 0); }
unsigned long sum(const unsigned *p, unsigned long n) {
  unsigned long s = 0;
  for (unsigned long i = 0; i < n; ++i) s += p[i];
  return s;
}
`,
  },
  {
    name: 'around stb_image.h',
    file: 'image.c',
    text: `#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>
unsigned long sum(const unsigned *p, unsigned long n) {
  unsigned long s = 0;
  for (unsigned long i = 0; i < n; ++i) s += p[i];
  return s;
}
`,
  },
];

/** What hints need of clang: the line of each instruction, what became of loops, and how often blocks run. */
const TELLING = [
  ...['-gline-directives-only', '-mllvm', '-experimental-debug-variable-locations=false'],
  ...['-opt-record-file', '/dev/null', '-opt-record-format', 'bitstream'].flatMap((flag) => ['-Xclang', flag]),
  ...['-fbasic-block-address-map', '-mllvm', '-pgo-analysis-map=all'],
];

/** Whatever reads clang's assembly by lines has to pay for the second compile; the third figure is what we add. */
async function benchSave(editor) {
  console.log(
    `from save to hints over the bare \`${COMPILER} -S -O2\` of the same file, and over one that tells lines, remarks ` +
      `and block frequencies (median of ${ROUNDS}, in turns)`,
  );
  for (const source of quick ? SOURCES.slice(0, 1) : SOURCES) await benchSaves(editor, source);
}

async function benchSaves(editor, { name, file, text }) {
  const full = path.join(folder, file);
  const languageId = file.endsWith('.c') ? 'c' : 'cpp';
  const flags = languageId === 'c' ? ['-O2'] : ['-O2', '-std=c++20'];
  fs.writeFileSync(full, text);
  fs.writeFileSync(path.join(folder, 'compile_flags.txt'), `${flags.join('\n')}\n`);
  await untilIdle(editor);
  const first = await untilHints(editor, full, () => editor.open(full, languageId, text));
  const saves = [];
  const compiles = [];
  const telling = [];
  for (let round = 0; round < ROUNDS; ++round) {
    // What is published in idle time is no answer to the next save, and the worker's idle work no part of the compiler's
    // time.
    await untilIdle(editor);
    compiles.push(compileTime(full, flags));
    telling.push(compileTime(full, [...flags, ...TELLING]));
    saves.push(await untilHints(editor, full, () => editor.save(full)));
  }
  const over = (times) => median(saves.map((value, round) => value / times[round])).toFixed(2);
  console.log(
    `  ${name.padEnd(34)} save ${ms(median(saves))}, compiler ${ms(median(compiles))}, telling ${ms(median(telling))}; ` +
      `ratios ${over(compiles)} and ${over(telling)}; first open ${ms(first)}`,
  );
  await editor.close(full);
}

/** Assembly of `lines` lines: functions with a loop each, no two alike. */
function longAssembly(lines) {
  const out = ['# mca: triple=x86_64-linux-gnu cpu=skylake', '\t.text'];
  for (let f = 0; out.length < lines - 20; ++f) {
    out.push(`\t.type\tf${f},@function`, `f${f}:`, '\txorl\t%eax, %eax', `.L${f}:`);
    for (let i = 0; i < 6 + (f % 5); ++i) {
      out.push(`\tmovq\t${8 * i + 64 * f}(%rdi,%rax,8), %r${8 + (i % 4)}`, `\taddq\t$${f + i}, %r${8 + (i % 4)}`);
    }
    out.push('\tincq\t%rax', '\tcmpq\t%rsi, %rax', `\tjne\t.L${f}`, '\tret', '');
  }
  while (out.length < lines) out.push('# the end');
  return out;
}

/** From the start of the process to its answer to `initialize`. */
async function benchStart() {
  const times = [];
  for (let i = 0; i < STARTS; ++i) {
    const start = performance.now();
    const client = new RawClient(test, ['--log=error']);
    await client.initialize();
    times.push(performance.now() - start);
    client.child.kill();
  }
  console.log(`from start to the answer to initialize (${STARTS} starts): median ${ms(median(times))}; aim 15 ms`);
}

const LONG = path.join(folder, 'long.s');

/** A digit more in the immediate of some `addq`: one loop becomes another one. */
function edits(lines) {
  let next = 0;
  return () => {
    let line = (next++ * 7919) % lines.length;
    while (!lines[line].startsWith('\taddq')) line = (line + 1) % lines.length;
    const position = { line, character: lines[line].indexOf('$') + 1 };
    lines[line] = lines[line].replace('$', '$1');
    return { start: position, end: position };
  };
}

async function benchKeystroke(editor) {
  const lines = longAssembly(10000);
  const nextEdit = edits(lines);
  const open = await untilHints(editor, LONG, () => editor.open(LONG, 'asm', lines.join('\n')));
  const type = (edit = nextEdit()) => editor.change(LONG, '1', edit);
  const singles = [];
  for (let i = 0; i < KEYSTROKES; ++i) {
    await sleep(600); // longer than any pause before a job
    const edit = nextEdit();
    singles.push(await untilHints(editor, LONG, () => type(edit), edit.start.line));
  }
  const lineBreaks = [];
  for (let i = 0; i < KEYSTROKES / 4; ++i) {
    await sleep(600);
    const at = { line: 1 + i, character: 0 };
    const press = () => editor.change(LONG, '\n', { start: at, end: at });
    lineBreaks.push(await untilHints(editor, LONG, press, Math.floor(lines.length / 2)));
    lines.splice(at.line, 0, '');
  }
  const bursts = [];
  for (let i = 0; i < KEYSTROKES / 4; ++i) {
    for (let key = 0; key < 8; ++key, await sleep(20)) await type();
    bursts.push(await untilVersion(editor, LONG, type));
  }
  const aim = (beyond) => `aim ${PAUSE + beyond} ms: the pause of ${PAUSE} ms and ${beyond} ms beyond it`;
  console.log(`assembly of 10,000 lines: first open ${ms(open)}
  from one keystroke to hints (${KEYSTROKES}):         median ${ms(median(singles))}; ${aim(10)}
${' '.repeat(47)}p95 ${ms(quantile(singles, 0.95))}; ${aim(20)}
  from a new line at the top to hints:         median ${ms(median(lineBreaks))}
  from the last keystroke of a burst to hints: median ${ms(median(bursts))}, of which the pause is 50 to 500 ms`);
}

/** As untilHints(), but until the newest text's are there. */
async function untilVersion(editor, file, act) {
  const start = performance.now();
  await act();
  await editor.diagnosticsOf(file);
  await editor.hints(file);
  return performance.now() - start;
}

/**
 * Hovers and hints of a screen of the long file, while the worker is busy with another one; and, in turns with them, a
 * question without an answer, which tells what the way to the server and back takes on this machine.
 */
async function benchRequests(editor) {
  const busy = path.join(folder, 'busy.s');
  const text = longAssembly(200000).join('\n').replace('skylake', 'znver4 iterations=10000');
  await editor.open(busy, 'asm', text);
  await until(() => editor.child.log.includes('busy.s'), 'the job', editor.changes);
  const times = { hover: [], hints: [], nothing: [] };
  const kinds = Object.keys(times);
  for (let i = 0; i < REQUESTS; ++i) {
    const line = (i * 97) % 9900;
    const range = { start: { line, character: 0 }, end: { line: line + 50, character: 0 } };
    const textDocument = { uri: editor.uri(LONG) };
    const start = performance.now();
    const kind = kinds[i % kinds.length];
    if (kind === 'hover') await editor.hover(LONG, line, 1);
    else if (kind === 'nothing') await editor.hover(busy + '.none', line, 1);
    else await editor.connection.sendRequest('textDocument/inlayHint', { textDocument, range });
    times[kind].push(performance.now() - start);
  }
  if (editor.diagnostics.has(editor.uri(busy))) console.log('the job ended before the requests did');
  await editor.close(busy);
  console.log(`requests while a job runs (${REQUESTS}): ${Object.entries(times)
    .map(([name, values]) => `${name} median ${ms(median(values))}, p99 ${ms(quantile(values, 0.99))}`)
    .join('; ')}; aim p99 2 ms`);
}

function memory(pid, field) {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)[1]) / 1024;
}

async function memoryOf(editor, field) {
  const worker = memory(await editor.worker(), field);
  const server = memory(editor.child.pid, field);
  return `${(server + worker).toFixed(0)} MiB (server ${server.toFixed(0)}, worker ${worker.toFixed(0)})`;
}

/** Many documents of 1,000 lines, no two alike. */
async function benchDocuments(editor) {
  const lines = longAssembly(1000 * DOCUMENTS);
  const files = [...Array(DOCUMENTS).keys()].map((i) => path.join(folder, `document${i}.s`));
  const start = performance.now();
  for (const [i, file] of files.entries())
    await editor.open(file, 'asm', [lines[0], ...lines.slice(i * 1000 + 1, (i + 1) * 1000)].join('\n'));
  for (const file of files) await editor.diagnosticsOf(file);
  console.log(
    `${DOCUMENTS} documents of 1,000 lines: ${await memoryOf(editor, 'VmRSS')}; aim 600 MB; ` +
      `all opened and analysed in ${((performance.now() - start) / 1000).toFixed(1)} s`,
  );
}

/** A program of the text, with so many samples in its functions, as a profile. */
function profileOf(lines, samples) {
  const [object, program, recording, profile] = ['long.o', 'long', 'long.perf', 'long.mcaprofile'].map((name) => path.join(folder, name));
  const run = (command, ...args) => {
    const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  };
  fs.writeFileSync(LONG, lines.join('\n'));
  run(COMPILER, '--target=x86_64-linux-gnu', '-c', LONG, '-o', object);
  run(COMPILER, '--target=x86_64-linux-gnu', '-nostdlib', '-shared', object, '-o', program);
  const names = lines.filter((line) => /^f\d+:$/.test(line)).map((line) => line.slice(0, -1));
  const sample = (_, i) => {
    const offset = (Math.floor(i / names.length) % 64).toString(16);
    return `long 250000 cpu-clock: ${offset} ${names[i % names.length]}+0x${offset} (/long)\n`;
  };
  fs.writeFileSync(recording, Array.from({ length: samples }, sample).join(''));
  run(process.env.MCA_LSP, '--import-profile', 'perf', recording, '--program', program, '-o', profile);
  return profile;
}

/** Megabytes of the server and the worker together. */
const totalMemory = async (editor) => memory(await editor.worker(), 'VmRSS') + memory(editor.child.pid, 'VmRSS');

/** The same keystrokes with and without a profile, interleaved; each of the two is as often first. */
async function benchProfile() {
  const lines = longAssembly(10000);
  const profile = profileOf(lines, quick ? 100_000 : 1_000_000);
  const editors = [await Editor.start(test), await Editor.start(test, { args: ['--profile', profile] })];
  for (const editor of editors) await untilHints(editor, LONG, () => editor.open(LONG, 'asm', lines.join('\n')));
  const nextEdit = edits(lines);
  const times = editors.map(() => []);
  for (let i = 0; i < 2 * KEYSTROKES; ++i) {
    const edit = nextEdit();
    for (const which of i % 2 ? [1, 0] : [0, 1]) {
      const editor = editors[which];
      await sleep(600);
      times[which].push(await untilHints(editor, LONG, () => editor.change(LONG, '1', edit), edit.start.line));
    }
  }
  const [without, with_] = times.map(median);
  const later = median(times[1].map((time, i) => time - times[0][i]));
  const [memoryWithout, memoryWith] = [await totalMemory(editors[0]), await totalMemory(editors[1])];
  console.log(`from one keystroke to hints with a profile of ${quick ? '100,000' : '1,000,000'} samples in all of the text's functions: ` +
    `median ${ms(with_)}, without ${ms(without)}; median of the pairs' differences ${ms(later)}; aim 5 ms`);
  console.log(`  memory: ${(memoryWith - memoryWithout).toFixed(1)} MiB more; aim ${(fs.statSync(profile).size / 2 ** 20).toFixed(1)} MiB, the profile's size`);
  for (const editor of editors) await editor.quit();
}

if (process.argv.includes('--profile')) {
  await benchProfile();
  for (const action of cleanups) action();
  process.exit();
}
await benchStart();
const editor = await Editor.start(test);
try {
  await benchSave(editor);
  await benchKeystroke(editor);
  console.log(`peak memory until here: ${await memoryOf(editor, 'VmHWM')}`);
  await benchRequests(editor);
  await benchDocuments(editor);
  await editor.quit();
  await benchProfile();
} finally {
  for (const action of cleanups) action();
}
