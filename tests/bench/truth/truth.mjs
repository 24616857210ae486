// How far the simulator is from this CPU: blocks of real programs, measured by mca-measure and predicted by mca, with
// LLVM's model and with a calibration. docs/truth.md explains the method.
//
//   node truth.mjs FOLDER-OF-THE-PROGRAMS FOLDER-FOR-RESULTS [OPTION...]
//
//   --seed=N           repeats the choice of packages and blocks; otherwise it is drawn, and printed
//   --blocks=N         how many (default 1000)
//   --packages=N       how many packages they come from (default 20)
//   --calibration=FILE predicts with it, too
//   --cpu=NAME         LLVM's name of the CPU whose model is used (default: this one)
//   --again=FILE       measures the blocks of an earlier run's file again, and compares the two
//   --truth=FILE       measures nothing: takes blocks and measurements of that file, and predicts anew
//   --rules            with --truth and --calibration: also predicts without each of the calibration's rules
//
// Only an error or a machine that is too noisy fails.
import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { KIND_NAMES, kindsOf } from './causes.mjs';
import { FORMS, textInForm } from './forms.mjs';
import { measureBlocks } from './measure.mjs';
import { collect, readPackageList } from './packages.mjs';
import { Predictor } from './predict.mjs';
import { processorText, thisProcessor } from './processor.mjs';
import { Random, drawBlocks } from './random.mjs';
import { differenceText, reportText, rulesReport } from './report.mjs';

const text = { type: 'string' };
const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { seed: text, blocks: text, packages: text, calibration: text, cpu: text, again: text, truth: text, rules: { type: 'boolean' } },
});
const [programs, folder] = positionals;

/** A whole number from an option; ends the program if it is none. */
function wholeNumber(name, otherwise, least) {
  const value = options[name] === undefined ? otherwise : Number(options[name]);
  if (Number.isInteger(value) && value >= least && value < 2 ** 32) return value;
  process.stderr.write(`--${name} needs a whole number from ${least} on\n`);
  process.exit(2);
}

const readJson = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));

/** Draws blocks from packages: { seed, packages, collected, rows }. */
function drawSample() {
  const seed = wholeNumber('seed', randomInt(2 ** 32), 0);
  console.log(`seed ${seed} (--seed=${seed} chooses the same blocks)`);
  const random = new Random(seed);
  const list = path.join(path.dirname(fileURLToPath(import.meta.url)), 'packages.txt');
  const names = readPackageList(fs.readFileSync(list, 'utf8'));
  const { pools, packages, refused } = collect(random, names, wholeNumber('packages', 20, 1), path.join(folder, 'packages'));
  if (pools.length === 0) throw new Error('apt has none of the packages: is its list of packages there (apt-get update)?');
  const rows = drawBlocks(random, pools, wholeNumber('blocks', 1000, 1));
  return { seed, packages, collected: Object.fromEntries(refused), rows };
}

/** The sample of an earlier run, without predictions; with its measurements if they are wanted. */
function sampleOf(earlier, withTruth) {
  const formOf = ({ measured, spread, refused }) => (withTruth ? { measured, spread, refused } : {});
  const rows = earlier.rows.map(({ text, length, from, kinds, ...forms }) => ({
    ...{ text, length, from, kinds },
    ...Object.fromEntries(Object.keys(FORMS).map((form) => [form, formOf(forms[form])])),
  }));
  return { ...earlier, rows };
}

/** Notes why a model does not predict a form of a row. */
const fail = (form, model, reason) => void ((form.failures ??= {})[model] = reason);

/** Predicts all rows with one model; sets their kinds. */
function predictRows(rows, model, predictor) {
  for (const form of Object.keys(FORMS)) {
    const chosen = rows.filter((row) => textInForm(row.text, form));
    for (const row of rows) if (!chosen.includes(row)) fail(row[form], model, 'no register is left for a counter');
    const predictions = predictor.predict(chosen.map((row) => textInForm(row.text, form)));
    predictions.forEach(({ cycles, kinds, refused }, i) => {
      const row = chosen[i];
      if (refused) fail(row[form], model, refused);
      else row[form][model] = cycles;
      if (form === 'steady') row.kinds ??= kindsOf({ instructions: row.text.split('\n'), kinds: kinds ?? [] });
    });
  }
}

/**
 * Measures what mca can predict, form by form: a text that it cannot read would stop mca-measure. Returns mca-measure's
 * message if the machine was too noisy.
 */
function measureRows(allRows) {
  for (const form of Object.keys(FORMS)) {
    const rows = allRows.filter((row) => row[form].llvm !== undefined);
    const report = (done) => process.stderr.write(`measuring, ${form}: ${done} of ${rows.length}\n`);
    const texts = rows.map((row) => row.text);
    const { results, stopped } = measureBlocks(path.join(programs, 'mca-measure'), texts, form, folder, report);
    results.forEach(({ cycles, spread, refused }, i) => {
      Object.assign(rows[i][form], refused ? { refused } : { measured: cycles, spread });
    });
    if (stopped) return stopped;
  }
  return undefined;
}

/** What each rule of the calibration is worth: the errors without it, as text. */
function rulesText(rows) {
  const text = fs.readFileSync(options.calibration, 'utf8');
  const names = [...text.matchAll(/^rule (\S+)/gm)].map(([, name]) => name);
  const partial = path.join(folder, 'without-a-rule.calibration');
  const without = names.map((name) => {
    fs.writeFileSync(partial, text.replace(new RegExp(`^rule ${name}( .*)?\n`, 'm'), ''));
    const copies = rows.map((row) => ({ ...row, steady: { ...row.steady }, loop: { ...row.loop } }));
    const cpu = options.cpu ? [`-mcpu=${options.cpu}`] : [];
    predictRows(copies, 'calibrated', new Predictor(path.join(programs, 'mca'), [...cpu, `-calibration=${partial}`], folder));
    return { name, rows: copies };
  });
  return rulesReport(rows, without);
}

/** Writes a run's file; its name says what it is of. */
function save(run) {
  const suffix = options.again ? '-again' : options.truth ? '-predicted' : '';
  const file = path.join(folder, `${run.seed}${suffix}.json`);
  fs.writeFileSync(file, `${JSON.stringify(run, undefined, 1)}\n`);
  console.log(`\nall blocks: ${file}`);
}

function main() {
  if (options.again && options.truth) throw new Error('--again measures and --truth does not: choose one');
  if (options.rules && !(options.truth && options.calibration)) throw new Error('--rules needs --truth and --calibration');
  fs.mkdirSync(folder, { recursive: true });
  const earlierFile = options.again ?? options.truth;
  const earlier = earlierFile && readJson(earlierFile);
  const sample = earlier ? sampleOf(earlier, options.truth !== undefined) : drawSample();
  for (const row of sample.rows) for (const form of Object.keys(FORMS)) row[form] ??= {};
  const models = ['llvm', ...(options.calibration ? ['calibrated'] : [])];
  const cpuOption = options.cpu ? [`-mcpu=${options.cpu}`] : [];
  const mca = path.join(programs, 'mca');
  const llvm = new Predictor(mca, cpuOption, folder);
  predictRows(sample.rows, 'llvm', llvm);
  const calibrationOptions = [...cpuOption, `-calibration=${options.calibration}`];
  if (options.calibration) predictRows(sample.rows, 'calibrated', new Predictor(mca, calibrationOptions, folder));
  const stopped = options.truth ? undefined : measureRows(sample.rows);
  const processor = options.truth ? sample.processor : thisProcessor();
  const date = options.truth ? sample.date : new Date().toISOString().slice(0, 10);
  const run = { ...sample, processor, date, cpu: llvm.cpu, calibration: options.calibration, models };
  console.log(`${processorText(processor)}; LLVM's model of ${llvm.cpu}`);
  console.log(`${run.rows.length} blocks of ${run.packages.length} packages: ${run.packages.map(({ name }) => name).join(', ')}\n`);
  console.log(reportText(run, KIND_NAMES));
  if (options.rules) console.log(`\n${rulesText(run.rows)}`);
  if (earlier) console.log(`\n${differenceText(run.rows, earlier.rows, models)}`);
  save(run);
  if (stopped === undefined) return 0;
  process.stderr.write(`measuring stopped early: ${stopped}\n`);
  return 1;
}

if (process.arch !== 'x64') throw new Error('the blocks are of x86-64');
process.exitCode = main();
