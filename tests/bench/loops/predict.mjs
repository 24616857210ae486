// What mca-lsp shows for the judged loops: the number of the hint, as a user sees it.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** The report of mca-lsp on each file of a folder's database, by the files' absolute names; `more`: further options. */
export function checkFiles(programs, folder, cpu, calibration, more = []) {
  const options = ['--check', '--compile-commands', folder, '--compiler=project', `--trusted-folder=${folder}`];
  const target = [`--cpu=${cpu}`, `--calibration=${calibration}`];
  const { error, status, stdout, stderr } = spawnSync(
    path.join(programs, 'mca-lsp'),
    [...options, ...target, ...more, '--format=json', '--quiet', '--fail-on=never'],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  if (error) throw error;
  if (status !== 0) throw new Error(`mca-lsp ended with status ${status}: ${stderr}`);
  return new Map(JSON.parse(stdout).files.map((report) => [path.resolve(report.file), report]));
}

/** The cycles of a label: { low, high, digits }; `high` is low, or the end of a range, `digits` those after the point. */
export function readLabel(label) {
  const match = /(?:^|\s)(\d+(?:\.(\d+))?)(?:–([\d.]+))? cyc/.exec(label);
  if (!match) return undefined;
  const [, low, decimals, high] = match;
  return { low: Number(low), high: Number(high ?? low), digits: decimals?.length ?? 0 };
}

/** The regions of each loop on a line; several are the paths through it. */
function loopsOn(report, line) {
  const loops = new Map();
  for (const region of report.regions.filter((one) => one.line === line)) {
    if (!loops.has(region.loop)) loops.set(region.loop, []);
    loops.get(region.loop).push(region);
  }
  return [...loops.values()];
}

/** Which of the loops on a line the hint shows: the one with its cycles, of several the one that does most at once. */
function shownLoop(loops, { low, digits }) {
  const shortest = (loop) => Math.min(...loop.map((region) => region.cyclesPerIteration));
  return loops
    .filter((loop) => Math.abs(shortest(loop) - low) <= 0.501 * 10 ** -digits)
    .sort((a, b) => b[0].sourceIterations - a[0].sourceIterations)[0];
}

function withoutHint(report, { line, first, last }) {
  if (report.coverage.vanished?.includes(line)) return 'no loop in the machine code: unrolled, removed, or a call';
  const other = report.hints.find((hint) => hint.line >= first && hint.line <= last);
  return other ? `the hint is on line ${other.line}, not on ${line}` : 'no hint';
}

/**
 * The prediction for a kernel by a file's report: { cycles, label } of an iteration of the source's loop, or { refused,
 * label } with the reason. A range over paths has `low` and `high`, too. `unaligned`: for arrays that begin 16 bytes behind
 * a line of the cache.
 */
export function predictionOf(report, kernel, unaligned = false) {
  const label = report.hints.find((hint) => hint.line === kernel.line)?.label;
  if (label === undefined) return { refused: withoutHint(report, kernel) };
  if (label.startsWith('≥')) return { refused: `a lower bound: ${/· (.*?)( \+\d+)?$/.exec(label)?.[1] ?? label}`, label };
  const shown = readLabel(label);
  const loop = shown && shownLoop(loopsOn(report, kernel.line), shown);
  if (!loop) return { refused: 'the hint is of no region on its line', label };
  if (loop.length > 1) return { refused: 'a range over several paths', label, low: shown.low, high: shown.high };
  if (loop[0].sourceIterations === 0) return { refused: 'its iterations cannot be counted', label };
  const cycles = unaligned && loop[0].calibrated?.unalignedCyclesPerIteration;
  return { cycles: cycles ? cycles / loop[0].sourceIterations : loop[0].cyclesPerIteration, label };
}
