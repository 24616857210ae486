// What a person waits for in an editor, measured with the real server: from save to hints over the bare compiler, from
// keystroke to hints in a long assembly file, and the memory of both processes.
//
//   node editor.mjs FOLDER-OF-THE-PROGRAMS
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

const programs = path.resolve(process.argv[2] ?? 'build/release/bin');
process.env.MCA_LSP = path.join(programs, 'mca-lsp');
const { Editor, until, childrenOf } = createRequire(import.meta.url)('../transcripts/editor.js');

const COMPILER = 'clang-22';
const ROUNDS = 9;
const KEYSTROKES = 60;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mca-bench-'));
const cleanups = [() => fs.rmSync(folder, { recursive: true, force: true })];
const test = { after: (action) => cleanups.unshift(action) };

const sorted = (values) => [...values].sort((a, b) => a - b);
const quantile = (values, q) => sorted(values)[Math.min(values.length - 1, Math.floor(values.length * q))];
const median = (values) => quantile(values, 0.5);
const ms = (value) => `${value.toFixed(1)} ms`;

/** Milliseconds from the call of `act` until the document's diagnostics were published anew and its hints are there. */
async function untilHints(editor, file, act) {
  const uri = editor.uri(file);
  const before = editor.diagnostics.get(uri);
  const start = performance.now();
  act();
  await until(() => editor.diagnostics.get(uri) !== before, 'diagnostics', editor.changes);
  const hints = await editor.hints(file);
  if (hints.length === 0) throw new Error(`no hints in ${file}`);
  return performance.now() - start;
}

function compileTime(file, flags) {
  const start = performance.now();
  const run = spawnSync(COMPILER, [...flags, '-w', '-S', '-o', '/dev/null', file], { cwd: folder });
  if (run.status !== 0) throw new Error(run.stderr.toString());
  return performance.now() - start;
}

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

async function benchSave(editor) {
  console.log(`from save to hints over the bare \`${COMPILER} -S -O2\` of the same file (median of ${ROUNDS}, in turns)`);
  for (const { name, file, text } of SOURCES) {
    const full = path.join(folder, file);
    fs.writeFileSync(full, text);
    fs.writeFileSync(path.join(folder, 'compile_flags.txt'), '-O2\n');
    const languageId = file.endsWith('.c') ? 'c' : 'cpp';
    const first = await untilHints(editor, full, () => editor.open(full, languageId, text));
    const saves = [];
    const compiles = [];
    for (let round = 0; round < ROUNDS; ++round) {
      compiles.push(compileTime(full, ['-O2']));
      saves.push(await untilHints(editor, full, () => editor.save(full)));
    }
    const ratio = median(saves.map((value, round) => value / compiles[round]));
    console.log(
      `  ${name.padEnd(34)} save ${ms(median(saves))}, compiler ${ms(median(compiles))}, ` +
        `ratio ${ratio.toFixed(2)}; first open ${ms(first)}`,
    );
    await editor.close(full);
  }
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

async function benchKeystroke(editor) {
  const file = path.join(folder, 'long.s');
  const lines = longAssembly(10000);
  const open = await untilHints(editor, file, () => editor.open(file, 'asm', lines.join('\n')));
  const times = [];
  for (let i = 0; i < KEYSTROKES; ++i) {
    // A digit more in the immediate of some addq, somewhere in the file: one loop becomes another one.
    let line = (i * 7919) % lines.length;
    while (!lines[line].startsWith('\taddq')) line = (line + 1) % lines.length;
    const character = lines[line].indexOf('$') + 1;
    lines[line] = lines[line].replace('$', '$1');
    const position = { line, character };
    times.push(await untilHints(editor, file, () => editor.change(file, '1', { start: position, end: position })));
  }
  console.log(
    `from keystroke to hints, assembly of 10,000 lines (${KEYSTROKES} keystrokes, the debounce of 50 to 500 ms ` +
      `included): median ${ms(median(times))}, p95 ${ms(quantile(times, 0.95))}; first open ${ms(open)}`,
  );
}

function peakMemory(pid) {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  return `${(Number(/^VmHWM:\s+(\d+)/m.exec(status)[1]) / 1024).toFixed(0)} MiB`;
}

const editor = await Editor.start(test);
try {
  await benchSave(editor);
  await benchKeystroke(editor);
  const [worker] = childrenOf(editor.child.pid);
  console.log(`peak memory: server ${peakMemory(editor.child.pid)}, worker ${peakMemory(worker)}`);
  await editor.quit();
} finally {
  for (const action of cleanups) action();
}
