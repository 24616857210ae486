// The truth: how long calls of the kernels take at several sizes, by programs that accept only quiet moments.
import { spawnSync } from 'node:child_process';
import { median, quantile } from '../truth/statistics.mjs';

/** Two runs of a program agree on a call if they differ by this share of it, or by this many cycles. */
const AGREEMENT = 0.01;
const AGREEMENT_CYCLES = 2;
/** At which driver.c calls a kernel. */
const SIZES = 5;
/** Runs of each kernel, at least. Loops of about one cycle have several speeds, of which each run has one. */
const LEAST_RUNS = 8;
/** Runs after which a kernel is given up whose cycles are not proportional to the size. */
const MOST_RUNS = 30;
/** Canaries of two runs that were both quiet differ by this share at most. */
const CANARY_TOLERANCE = 0.015;
/** Of an iteration's cycles, by pairs of sizes: if these differ by more, the cycles are not proportional to the size. */
const MOST_CURVATURE = 0.15;

/** The fastest time that another run confirms; nothing if there is none. */
export function confirmedTime(times) {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted.find((time, i) => sorted[i + 1] <= Math.max(time * (1 + AGREEMENT), time + AGREEMENT_CYCLES));
}

/**
 * What an iteration takes, by `sizes`: [executions of the loop's body, cycles of the call], ascending. The cycles of
 * the larger call less those of the smaller one, over the executions by which they differ: what a call takes apart from
 * its iterations (its entry, the last branch, the rest behind a vector loop) is in both. The median over the pairs that
 * are half of the range apart or more; `curvature`: how far the middle half of these differ, as a share. `ofCall` is the largest call
 * over its executions. Or { refused } with the reason.
 */
export function iterationOf(sizes) {
  if (sizes.length < 3) return { refused: 'the machine was not quiet enough' };
  const range = sizes.at(-1)[0] - sizes[0][0];
  const slopes = sizes
    .flatMap((small, i) => sizes.slice(i + 1).map((large) => ({ small, large })))
    .filter(({ small, large }) => large[0] - small[0] >= range / 2)
    .map(({ small, large }) => (large[1] - small[1]) / (large[0] - small[0]));
  const cycles = median(slopes);
  const curvature = (quantile(slopes, 0.75) - quantile(slopes, 0.25)) / cycles;
  const [executions, time] = sizes.at(-1);
  if (!(cycles > 0 && curvature <= MOST_CURVATURE)) return { refused: 'its cycles are not proportional to the size' };
  return { cycles, curvature, ofCall: time / executions };
}

/** The runs of several programs with the same kernels. A program is named by its index. */
export class Measurements {
  #runs = [];
  #kernels;
  #leastRuns;

  constructor(kernels, leastRuns = LEAST_RUNS) {
    this.#kernels = kernels;
    this.#leastRuns = leastRuns;
  }

  add(program, { canary, lines }) {
    this.#runs.push({ program, canary, lines });
  }

  /** The fastest canary of all runs, or 0. */
  get canary() {
    return this.#runs.length > 0 ? Math.min(...this.#runs.map(({ canary }) => canary)) : 0;
  }

  /** [executions, confirmed cycles] of each size that has some, ascending. */
  sizesOf(program, kernel) {
    return this.#timesOf(program, kernel)
      .map(([executions, times]) => [executions, confirmedTime(times)])
      .filter(([, cycles]) => cycles !== undefined);
  }

  /** The kernels of a program that need another run. */
  openOf(program) {
    return this.#kernels.filter((kernel) => {
      const sizes = this.#timesOf(program, kernel);
      const runs = Math.min(...sizes.map(([, times]) => times.length));
      if (sizes.length < SIZES || runs < this.#leastRuns) return true;
      const confirmed = this.sizesOf(program, kernel);
      return confirmed.length < SIZES || (runs < MOST_RUNS && iterationOf(confirmed).refused !== undefined);
    });
  }

  /** [executions, times of the runs whose canaries were quiet] of each size, ascending. */
  #timesOf(program, kernel) {
    const most = this.canary * (1 + CANARY_TOLERANCE);
    const sizes = new Map();
    for (const run of this.#runs.filter((one) => one.program === program && one.canary <= most))
      for (const { name, executions, cycles } of run.lines)
        if (name === kernel) sizes.set(executions, [...(sizes.get(executions) ?? []), cycles]);
    return [...sizes].sort(([a], [b]) => a - b);
  }
}

/** What a program printed. */
export function readRun(output) {
  const lines = output.trim().split('\n').map((line) => line.split(' '));
  const [, canary] = lines.pop();
  return { canary: Number(canary), lines: lines.map(([name, executions, cycles]) => ({ name, executions: Number(executions), cycles: Number(cycles) })) };
}

function runProgram(program, canary, kernels) {
  const { error, status, signal, stdout } = spawnSync(program, [String(canary), ...kernels], { encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ended with ${signal ?? `status ${status}`}`);
  return readRun(stdout);
}

/**
 * Measures the kernels with each program, in turns, until every time is confirmed or the minutes are over;
 * `report(round, open)` after each round. Programs that differ only in the places of their code need fewer runs.
 */
export function measureAll(programs, kernels, minutes, report, leastRuns = LEAST_RUNS) {
  const end = Date.now() + minutes * 60_000;
  const measurements = new Measurements(kernels, leastRuns);
  const countOpen = () => programs.reduce((total, _, i) => total + measurements.openOf(i).length, 0);
  for (let round = 1; countOpen() > 0; ++round) {
    for (const [i, program] of programs.entries()) {
      if (Date.now() > end) return measurements;
      const open = measurements.openOf(i);
      if (open.length > 0) measurements.add(i, runProgram(program, measurements.canary, open));
    }
    report(round, countOpen());
  }
  return measurements;
}
