// Loops with branches: the cycles that this CPU takes, and those that the simulator predicts along their traces. The
// penalty of a redirect is measured first, with loops made for that; nothing was tuned to the other loops. The cycles
// are predicted in LLVM's model, and with a calibration or a documented profile if this CPU has one.
//
//   node branches.mjs FOLDER-OF-THE-PROGRAMS FOLDER-TO-BUILD-IN [--calibration=FILE] [--truth]
//
// --truth: the cycles that the last run measured count, nothing is measured.
// Each loop runs with random, periodic and biased data (nine of ten draws are the same). Only an error fails: how well
// the model fits depends on the CPU.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from '../truth/statistics.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { calibration: { type: 'string', default: 'auto' }, truth: { type: 'boolean', default: false } },
});
const [programs, folder] = positionals;
const sources = path.dirname(fileURLToPath(import.meta.url));
/**
 * By how many bytes the code is moved. Where a branch lies decides which entries of the predictor it has, so that each
 * loop is measured at several places; the linker chooses one of them.
 */
const PLACES = [0, 16, 32, 48];
const measuredPrograms = PLACES.map((bytes) => path.join(folder, `branches-${bytes}`));
const [tracedProgram] = measuredPrograms;
const COMPILER = 'clang-22';
/**
 * Passes over all loops, and processes of each that measure a loop at each place. The fastest at a place counts: other
 * programs on the machine disturb the caches of instructions and the predictor, for seconds at a time.
 */
const PASSES = 2;
const PROCESSES = 2;
/** By so much of the fastest, a loop's times at two places differ if it depends on its address. */
const MOVES = 0.2;

const PERIOD = '16';
const ORDERS = { random: 'random', periodic: PERIOD, biased: 'biased' };
const KERNELS = [
  ...['skip', 'filter', 'binary_search', 'tree_search', 'interpreter', 'string_lengths', 'intersection', 'run_lengths'],
  ...['utf8', 'hash_probe', 'insertion_sort', 'tokenizer', 'partition', 'varints', 'match_lengths', 'collatz'],
];
/**
 * Loops that load what they have stored shortly before. The simulator assumes that no load depends on a store; a CPU
 * predicts which do, and that with random data as badly as the branches.
 */
const RELOADING = ['skip', 'interpreter', 'insertion_sort'];
const CALIBRATION = ['0', '2', '5', '10', '20', 'apart', 'chain'].map((name) => `calibrate_${name}`);
/** The loop that shows how long a sequence the predictor learns. */
const PREDICTED = 'calibrate_5';
const PENALTIES = Array.from({ length: 13 }, (_, i) => i + 9);
const PERIODS = ['8', '512', '2048', '4096', '8192', '16384', '65536'];
/** A loop is bound by its branches if mispredictions take this share of its cycles. */
const BOUND = 0.3;
/** With periodic data nothing is mispredicted. A larger error there is one of the model of the instructions. */
const MODEL_ERROR = 0.1;

const run = (command, ...args) => execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const mean = (values) => values.reduce((total, value) => total + value, 0) / values.length;
const error = (predicted, measured) => predicted / measured - 1;
const isFitting = (row) => Math.abs(error(row.perfect, row.periodic)) <= MODEL_ERROR;

/** The name by which LLVM knows this CPU. */
function hostCpu() {
  const { stderr } = spawnSync(COMPILER, ['-march=native', '-###', '-c', '-x', 'c', os.devNull], { encoding: 'utf8' });
  return /"-target-cpu" "([^"]+)"/.exec(stderr)[1];
}

const assembly = path.join(folder, 'kernels.s');
const calibration = path.join(sources, 'calibration.s');
const elements = Number(/ELEMENTS = (\d+)/.exec(fs.readFileSync(path.join(sources, 'kernels.h'), 'utf8'))[1]);

/** Builds the kernels. What is simulated is the text that the program is assembled from. */
function build() {
  fs.mkdirSync(folder, { recursive: true });
  run(COMPILER, '-O2', '-S', path.join(sources, 'kernels.c'), '-o', assembly);
  const text = fs.readFileSync(assembly, 'utf8');
  PLACES.forEach((bytes, i) => {
    const moved = path.join(folder, `kernels-${bytes}.s`);
    fs.writeFileSync(moved, `\t.text\n\t.p2align 6\n\t.skip ${bytes}\n${text}`);
    run(COMPILER, '-O2', '-static', path.join(sources, 'driver.c'), moved, calibration, '-o', measuredPrograms[i]);
  });
}

const textOf = (kernel) => (kernel.startsWith('calibrate') ? calibration : assembly);

/** Records one call of a kernel under qemu; returns the trace's file. */
function recordTrace(kernel, data) {
  const file = path.join(folder, `${kernel}-${data}.mcatrace`);
  const options = ['--record-trace', '--assembly', textOf(kernel), '--function', kernel, '--output', file];
  run(path.join(programs, 'mca-lsp'), ...options, '--', tracedProgram, 'run', kernel, data);
  return file;
}

const truth = path.join(folder, 'cycles.json');
let times = new Map();

/** Measures each pair of a loop and its data. */
function measureAll(pairs) {
  if (flags.truth) {
    times = new Map(Object.entries(JSON.parse(fs.readFileSync(truth, 'utf8'))));
    return;
  }
  for (const pair of pairs) times.set(pair.join(), PLACES.map(() => []));
  for (let pass = 0; pass < PASSES; ++pass) {
    process.stderr.write(`measuring, pass ${pass + 1} of ${PASSES}\n`);
    for (const pair of pairs)
      measuredPrograms.forEach((program, place) => {
        for (let i = 0; i < PROCESSES; ++i) times.get(pair.join())[place].push(Number(run(program, 'measure', ...pair)));
      });
  }
  fs.writeFileSync(truth, JSON.stringify(Object.fromEntries(times)));
}

/**
 * Core cycles per element, the median over the places; by which share the second fastest process was slower at a place,
 * in the median, and the slowest place than the fastest.
 */
function measured(kernel, data) {
  const places = times.get([kernel, data].join()).map((all) => all.toSorted((a, b) => a - b));
  const fastest = places.map(([first]) => first);
  const spread = median(places.map(([first, second]) => second / first - 1));
  return { cycles: median(fastest), spread, moves: Math.max(...fastest) / Math.min(...fastest) - 1 };
}

/**
 * Cycles and mispredictions per element along a trace; `perfect`: cycles without mispredictions. `machine`: the options
 * that choose LLVM's model or a calibration.
 */
function predict(machine, kernel, trace, penalty) {
  const options = [...machine, '-mtriple=x86_64-linux-gnu', `-trace=${trace}`, '-json'];
  if (penalty !== undefined) options.push(`-mispredict-penalty=${penalty}`);
  const [report] = JSON.parse(run(path.join(programs, 'mca'), ...options, textOf(kernel))).Traces;
  // Only a part of the trace is counted; the elements are alike.
  const scale = (report.Instructions + report.TrainingInstructions) / report.Instructions / elements;
  return {
    cycles: report.TotalCycles * scale,
    perfect: report.PerfectCycles * scale,
    missed: report.Mispredictions * scale,
    penalty: report.MispredictPenalty,
  };
}

const number = (value, width = 9) => value.toFixed(2).padStart(width);
/** Of a share. */
const percent = (value, width = 9) => `${value > 0 ? '+' : ''}${(100 * value).toFixed(1)} %`.padStart(width);
const heading = (text) => console.log(`\n${text}\n`);

/** Prints the loops for calibration by penalty; returns the one with the smallest mean error. */
function calibrate(machine) {
  const rows = CALIBRATION.map((kernel) => {
    const trace = recordTrace(kernel, 'random');
    return {
      kernel,
      measured: measured(kernel, 'random').cycles,
      periodic: measured(kernel, PERIOD).cycles,
      perfect: predict(machine, kernel, recordTrace(kernel, PERIOD)).cycles,
      predicted: PENALTIES.map((penalty) => predict(machine, kernel, trace, penalty).cycles),
    };
  });
  const errors = PENALTIES.map((_, i) =>
    mean(rows.filter(isFitting).map((row) => Math.abs(error(row.predicted[i], row.measured)))),
  );
  const best = errors.indexOf(Math.min(...errors));
  const shown = PENALTIES.map((_, i) => i).filter((i) => Math.abs(i - best) <= 2);
  heading('Redirect penalty R: cycles per iteration, measured and predicted with periodic data, then with random data');
  const titles = ['periodic', 'model', 'random', ...shown.map((i) => `R = ${PENALTIES[i]}`)];
  console.log(`${'loop'.padEnd(16)}${titles.map((text) => text.padStart(9)).join('')}`);
  for (const row of rows) {
    const numbers = [row.periodic, row.perfect, row.measured, ...shown.map((i) => row.predicted[i])];
    const note = isFitting(row) ? '' : '  not counted: periodic data does not fit';
    console.log(`${row.kernel.padEnd(16)}${numbers.map((value) => number(value)).join('')}${note}`);
  }
  const means = shown.map((i) => `${(100 * errors[i]).toFixed(1)} %`.padStart(9));
  console.log(`${'mean error'.padEnd(43)}${means.join('')}`);
  return PENALTIES[best];
}

/** Prints how long a random sequence of one branch's outcomes can be for this CPU to learn it when it repeats. */
function showPredictor() {
  const cyclesOf = (data) => measured(PREDICTED, data).cycles;
  const learned = cyclesOf(PERIOD);
  const unknown = cyclesOf('random');
  heading('Mispredictions of this CPU per 1,000 executions of a branch, by the period of its outcomes');
  const missed = PERIODS.map((period) => (500 * (cyclesOf(period) - learned)) / (unknown - learned));
  console.log(PERIODS.map((period) => period.padStart(9)).join(''));
  console.log(missed.map((value) => Math.max(0, value).toFixed(0).padStart(9)).join(''));
}

/** One kernel, measured and predicted with each order of its data. */
function rowsOf(machine, kernel, penalty) {
  const rows = Object.entries(ORDERS).map(([order, data]) => ({
    kernel,
    order,
    ...measured(kernel, data),
    predicted: predict(machine, kernel, recordTrace(kernel, data), penalty),
  }));
  const periodic = rows.find((row) => row.order === 'periodic');
  const fits = Math.abs(error(periodic.predicted.cycles, periodic.cycles)) <= MODEL_ERROR;
  for (const row of rows) {
    row.error = error(row.predicted.cycles, row.cycles);
    row.isBound = 1 - row.predicted.perfect / row.predicted.cycles >= BOUND;
    row.counts = row.isBound && fits;
  }
  return rows;
}

/** Prints mean and worst error of some rows. */
function showErrors(name, rows) {
  const errors = rows.map((row) => Math.abs(row.error));
  if (errors.length === 0) return console.log(`${name}: none`);
  const worst = rows[errors.indexOf(Math.max(...errors))];
  console.log(
    `${name}: ${rows.length}, mean error ${(100 * mean(errors)).toFixed(1)} %, ` +
      `worst ${percent(worst.error, 0)} (${worst.kernel}, ${worst.order})`,
  );
}

/** Prints measured and predicted cycles of all loops. */
function compare(machine, penalty) {
  heading(`Loops: cycles per element, predicted with a penalty of ${penalty}`);
  console.log('loop            data       measured  predicted    perfect   missed     error   spread');
  const all = [];
  for (const kernel of KERNELS)
    for (const row of rowsOf(machine, kernel, penalty)) {
      const { cycles, perfect, missed } = row.predicted;
      const name = kernel.padEnd(16) + row.order.padEnd(9);
      const numbers = number(row.cycles, 10) + number(cycles, 11) + number(perfect, 11) + number(missed);
      const mark = (row.counts ? '  *' : row.isBound ? '  b' : '   ') + (RELOADING.includes(kernel) ? ' m' : '') +
        (row.moves > MOVES ? ` a ${percent(row.moves, 0)}` : '');
      console.log((name + numbers + percent(row.error, 10) + percent(row.spread) + mark).trimEnd());
      all.push(row);
    }
  console.log('\nmissed: mispredictions per element. spread: between the two fastest processes.');
  console.log(`b: mispredictions take ${100 * BOUND} % of the predicted cycles or more.`);
  console.log(`*: so they do, and the loop's periodic data is predicted within ${100 * MODEL_ERROR} %.`);
  console.log('m: it loads what it stored shortly before; the simulator assumes that no load depends on a store.');
  console.log('a: so much longer it takes where the linker puts it badly; the median of four places counts.\n');
  showErrors('loops *', all.filter((row) => row.counts));
  showErrors('loops * without m', all.filter((row) => row.counts && !RELOADING.includes(row.kernel)));
  showErrors('all loops bound by branches (* and b)', all.filter((row) => row.isBound));
  for (const order of Object.keys(ORDERS))
    showErrors(`all loops, ${order} data`, all.filter((row) => row.order === order));
  showErrors('all loops', all);
  showErrors('all loops without a', all.filter((row) => row.moves <= MOVES));
}

if (process.arch !== 'x64') throw new Error('the loops are for x86-64');
build();
const cpu = hostCpu();
const llvm = [`-mcpu=${cpu}`];
const calibrated = [...llvm, `-calibration=${flags.calibration}`];
const plain = predict(llvm, KERNELS[0], recordTrace(KERNELS[0], 'random'));
console.log(`${os.cpus()[0].model}: ${cpu}, whose scheduling model has a penalty of ${plain.penalty} cycles`);
measureAll([
  ...CALIBRATION.flatMap((kernel) => ['random', PERIOD].map((data) => [kernel, data])),
  ...PERIODS.map((period) => [PREDICTED, period]),
  ...KERNELS.flatMap((kernel) => Object.values(ORDERS).map((data) => [kernel, data])),
]);
showPredictor();
console.log("\n==== LLVM's model ====");
compare(llvm, calibrate(llvm));
console.log(`\n==== with the calibration ${flags.calibration} ====`);
try {
  predict(calibrated, KERNELS[0], recordTrace(KERNELS[0], 'random'));
} catch (problem) {
  console.log(String(problem.stderr ?? problem));
  process.exit();
}
const best = calibrate(calibrated);
// Its own penalty counts, if it has one: that is what its users see.
const { penalty } = predict(calibrated, KERNELS[0], recordTrace(KERNELS[0], 'random'));
compare(calibrated, penalty === plain.penalty ? best : penalty);
