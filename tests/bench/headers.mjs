// Sources whose headers take most of the compiler's time: a save once the worker has compiled these in advance
// (analysis/compile/preambles.h), the first open, what makes a loop faster, and the memory of all of them open, each
// over the bare compiler's time for the same file. Only an error fails: time is the machine's as much as ours.
//
//   node headers.mjs FOLDER-OF-THE-PROGRAMS [--quick] [--rounds=N]
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { descendantsOf } from '../transcripts/processes.js';
import { compileTime, hintsAround, median, untilHints, untilIdle } from './waiting.mjs';

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, rounds: { type: 'string', default: '5' } },
  allowPositionals: true,
});
process.env.MCA_LSP = path.join(path.resolve(positionals[0] ?? 'build/release/bin'), 'mca-lsp');
const { Editor } = createRequire(import.meta.url)('../transcripts/editor.js');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mca-headers-'));
const cleanups = [() => fs.rmSync(folder, { recursive: true, force: true })];
const test = { after: (action) => cleanups.unshift(action) };
const originals = new URL('./headers/', import.meta.url).pathname;
/** A folder for C++ and one for C, each with the sources of its language and their flags. */
function makeSources() {
  const languages = { cpp: ['-O2', '-std=c++20'], c: ['-O2'] };
  return Object.entries(languages).flatMap(([languageId, flags]) => {
    const own = path.join(folder, languageId);
    fs.mkdirSync(own);
    fs.writeFileSync(path.join(own, 'compile_flags.txt'), `${flags.join('\n')}\n`);
    const names = fs.readdirSync(originals).filter((name) => name.endsWith(`.${languageId}`));
    return names.slice(0, values.quick ? 1 : undefined).map((name) => {
      const file = path.join(own, name);
      fs.copyFileSync(path.join(originals, name), file);
      return { name, file, flags, languageId, text: fs.readFileSync(file, 'utf8') };
    });
  });
}

/** Megabytes of the server and its workers. */
function memory(editor) {
  const of = (pid) => Number(/VmRSS:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  return Math.round([editor.child.pid, ...descendantsOf(editor.child.pid)].reduce((sum, pid) => sum + of(pid), 0) / 1024);
}

/**
 * What makes the source's own loop faster: the time until it is known, and how many versions were analysed for it. Without
 * a hint there, the first line with one is asked about, where loops of the library were inlined.
 */
async function advise(editor, file, text) {
  const lines = text.split('\n');
  const hints = await hintsAround(editor, file);
  const { line } = (hints.find(({ position }) => /\b(for|while)\b/.test(lines[position.line])) ?? hints[0]).position;
  const counted = editor.progress.length;
  const start = performance.now();
  await editor.command('mca.advise', editor.place(file, line));
  const time = performance.now() - start;
  const counts = editor.progress.slice(counted).map(({ message }) => Number(/ of (\d+) versions/.exec(message ?? '')?.[1] ?? 0));
  return { time, versions: Math.max(0, ...counts), line: line + 1 };
}

async function judge(editor, { name, file, flags, languageId, text }) {
  const first = await untilHints(editor, file, () => editor.open(file, languageId, text));
  await untilIdle(editor);
  const bare = [];
  const saves = [];
  for (let round = 0; round < Number(values.rounds); ++round) {
    bare.push(compileTime(file, flags));
    saves.push(await untilHints(editor, file, () => editor.save(file)));
    // The reasons why loops are not faster are published later, and are no answer to the next save.
    await untilIdle(editor);
  }
  const { time, versions, line } = await advise(editor, file, text);
  const compile = median(bare);
  const row = { languageId, save: median(saves.map((save, round) => save / bare[round])), first: first / compile };
  if (versions) row.eight = ((time / versions) * 8) / compile;
  const columns = [row.save, row.first, time / compile].map((ratio) => ratio.toFixed(2).padStart(8)).join('');
  console.log(`${name.padEnd(24)} ${compile.toFixed(0).padStart(6)} ms ${columns} ${String(versions).padStart(4)}, line ${line}`);
  return row;
}

const editor = await Editor.start(test, { settings: { cpu: 'skylake' } });
try {
  console.log(`${'times of the bare compile'.padEnd(24)} compile     save    open  advise  of versions`);
  const rows = [];
  for (const source of makeSources()) rows.push(await judge(editor, source));
  for (const [languageId, aim] of [['cpp', 0.5], ['c', 1]]) {
    const own = rows.filter((row) => row.languageId === languageId);
    console.log(
      `${languageId}: median save ${median(own.map(({ save }) => save)).toFixed(2)}, aim ${aim}; first open ` +
        `${median(own.map(({ first }) => first)).toFixed(2)}; eight versions ` +
        `${median(own.filter(({ eight }) => eight).map(({ eight }) => eight)).toFixed(2)}, aim 3`,
    );
  }
  console.log(`memory of the server and its workers with all ${rows.length} open: ${memory(editor)} MB, aim 700`);
  await editor.quit();
} finally {
  for (const action of cleanups) action();
}
