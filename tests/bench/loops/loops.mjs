// How far the hints on loops of C are from this CPU: kernels, compiled in several ways, predicted by mca-lsp from their
// sources as an editor shows it, with LLVM's model and with a calibration, and timed as calls. docs/truth.md explains
// the method.
//
//   node loops.mjs FOLDER-OF-THE-PROGRAMS FOLDER-FOR-RESULTS [OPTION...]
//
//   --calibration=FILE predicts with it, too (default: auto, as in the editor: your own or a shipped one)
//   --cpu=NAME         LLVM's name of the CPU whose model is used (default: this one)
//   --minutes=N        how long measuring may take (default 8)
//   --unaligned        the kernels' arrays begin 16 bytes behind a line of the cache, and the predictions are for that
//   --again=FILE       measures, and compares the two runs
//   --truth=FILE       measures nothing: takes the measurements of that file, and predicts anew
//
// Only an error fails.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { processorText, thisProcessor } from '../truth/processor.mjs';
import { BUILDS, compile, hostCpu, kernelFiles, versionOf, writeDatabase } from './builds.mjs';
import { kernelsOf } from './kernels.mjs';
import { iterationOf, measureAll } from './measure.mjs';
import { checkFiles, predictionOf } from './predict.mjs';
import { differenceText, reportText } from './report.mjs';

const text = { type: 'string' };
const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { calibration: text, cpu: text, minutes: text, again: text, truth: text, unaligned: { type: 'boolean' } },
});
const programs = path.resolve(positionals[0]);
const folder = path.resolve(positionals[1]);

const readJson = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));

/** Predicts the rows with one model; returns the calibration of it, if there is one. */
function predictRows(rows, model, cpu, calibration, unaligned) {
  let used;
  for (const build of BUILDS) {
    const reports = checkFiles(programs, writeDatabase(folder, build), cpu, calibration);
    for (const row of rows.filter((one) => one.build === build.name)) {
      const report = reports.get(row.file);
      row[model] = predictionOf(report, row, unaligned);
      used ??= report.target.calibration;
    }
  }
  return used;
}

/** Compiles, and measures all rows. */
function measureRows(rows, unaligned) {
  const minutes = Number(options.minutes ?? 8);
  if (!(minutes > 0)) throw new Error('--minutes needs a number above 0');
  const binaries = BUILDS.map((build) => compile(folder, build, unaligned));
  const names = [...new Set(rows.map(({ kernel }) => kernel))];
  const report = (round, open) => process.stderr.write(`measuring, round ${round}: ${open} of ${rows.length} need more\n`);
  const measurements = measureAll(binaries, names, minutes, report);
  for (const row of rows) {
    row.sizes = measurements.sizesOf(BUILDS.findIndex(({ name }) => name === row.build), row.kernel);
    row.measured = iterationOf(row.sizes);
  }
}

/** Takes the measurements of an earlier run's rows. */
function takeMeasurements(rows, earlier) {
  const before = new Map(earlier.map((row) => [`${row.build} ${row.source}`, row]));
  for (const row of rows) {
    row.sizes = before.get(`${row.build} ${row.source}`)?.sizes;
    row.measured = row.sizes ? iterationOf(row.sizes) : { refused: 'it is not in the earlier run, or its source was another one' };
  }
}

/** Writes a run's file; its name says what it is of. The places of the sources on this machine are left out. */
function save(run) {
  const file = path.join(folder, `${options.again ? 'again' : options.truth ? 'predicted' : 'loops'}.json`);
  const rows = run.rows.map(({ file: _, ...row }) => row);
  fs.writeFileSync(file, `${JSON.stringify({ ...run, rows }, undefined, 1)}\n`);
  console.log(`\nall loops: ${file}`);
}

function main() {
  if (options.again && options.truth) throw new Error('--again measures and --truth does not: choose one');
  fs.mkdirSync(folder, { recursive: true });
  const earlierFile = options.again ?? options.truth;
  const earlier = earlierFile && readJson(earlierFile);
  const rows = BUILDS.flatMap(({ name: build }) => kernelsOf(kernelFiles()).map((kernel) => ({ build, ...kernel })));
  const cpu = options.cpu ?? (options.truth ? earlier.cpu : hostCpu());
  const unaligned = options.truth ? earlier.unaligned : options.unaligned;
  predictRows(rows, 'llvm', cpu, 'off', unaligned);
  const calibrationFile = options.calibration ? path.resolve(options.calibration) : 'auto';
  const calibration = predictRows(rows, 'calibrated', cpu, calibrationFile, unaligned);
  const models = ['llvm', ...(calibration ? ['calibrated'] : [])];
  if (options.truth) takeMeasurements(rows, earlier.rows);
  else measureRows(rows, unaligned);
  const compilers = [...new Set(BUILDS.map(({ compiler }) => compiler))].map(versionOf);
  const { processor, date } = options.truth ? earlier : { processor: thisProcessor(), date: new Date().toISOString().slice(0, 10) };
  const run = { processor, date, cpu, calibration, compilers, builds: BUILDS.map(({ name }) => name), models, unaligned, rows };
  console.log(`${processorText(processor)}; LLVM's model of ${cpu}; ${compilers.join('; ')}`);
  console.log(calibration ? `calibration: ${calibration.cpu} of ${calibration.date} (${calibration.source})\n` : 'no calibration of this CPU\n');
  console.log(reportText(run));
  if (earlier) console.log(`\n${differenceText(rows, earlier.rows, models)}`);
  save(run);
}

if (process.arch !== 'x64') throw new Error('the kernels are timed on x86-64');
main();
