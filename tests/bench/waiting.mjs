// How long a person waits for hints, and for the bare compiler: what the benchmarks of the editor have in common.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { descendantsOf } from '../transcripts/processes.js';

export const COMPILER = 'clang-22';
/** After so many ms a file is taken to have no hints. */
const LONGEST = 60_000;
/** A worker does nothing more if it and its compilers took no time for so long, in ms: it begins after a second. */
const IDLE = 2500;
/** Lines of a high screen. */
const SCREEN = 100;

const sorted = (values) => [...values].sort((a, b) => a - b);
export const quantile = (values, q) => sorted(values)[Math.min(values.length - 1, Math.floor(values.length * q))];
export const median = (values) => quantile(values, 0.5);
export const ms = (value) => `${value.toFixed(1)} ms`;
export const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** The hints of the lines that an editor shows around `line`; without one, of all. */
export const hintsAround = (editor, file, line) =>
  editor.connection.sendRequest('textDocument/inlayHint', {
    textDocument: { uri: editor.uri(file) },
    range: {
      start: { line: line === undefined ? 0 : Math.max(0, line - SCREEN / 2), character: 0 },
      end: { line: line === undefined ? 1e6 : line + SCREEN / 2, character: 0 },
    },
  });

/**
 * Milliseconds from the call of `act` until the document's diagnostics were published anew and the hints around `line`
 * are there.
 */
export async function untilHints(editor, file, act, line) {
  const uri = editor.uri(file);
  const before = editor.diagnostics.get(uri);
  const start = performance.now();
  act();
  await editor.until(() => editor.diagnostics.get(uri) !== before, 'diagnostics');
  // Of a file that takes long to compile, an answer without hints comes first.
  while ((await hintsAround(editor, file, line)).length === 0) {
    if (performance.now() - start > LONGEST) throw new Error(`no hints in ${file}`);
    await sleep(5);
  }
  return performance.now() - start;
}

/** Milliseconds of the bare compiler, from a source to assembly that is not kept. */
export function compileTime(file, flags) {
  const start = performance.now();
  const run = spawnSync(COMPILER, [...flags, '-w', '-S', '-o', '/dev/null', file], { cwd: path.dirname(file) });
  if (run.status !== 0) throw new Error(run.stderr.toString());
  return performance.now() - start;
}

/** Clock ticks that a process and the children it has waited for took; 0 if it has ended. */
function ticks(pid) {
  try {
    const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  } catch {
    return 0;
  }
}

/** Until the server's workers have made what they make in idle time. */
export async function untilIdle(editor) {
  const taken = () => descendantsOf(editor.child.pid).reduce((sum, pid) => sum + ticks(pid), 0);
  let last = taken();
  for (let since = performance.now(); performance.now() - since < IDLE; await sleep(100)) {
    const now = taken();
    if (now > last + 1) since = performance.now();
    last = now;
  }
}
