// How long a person waits for hints, and for the bare compiler: what the benchmarks of the editor have in common.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

export const COMPILER = 'clang-22';
/** After so many ms a file is taken to have no hints. */
const LONGEST = 60_000;
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
