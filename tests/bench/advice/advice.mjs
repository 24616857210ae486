// Whether advice comes true: each change that `mca-lsp --check --advise` proposes for a kernel of ../loops is made, the
// kernel is built with the command that it had, and calls of both versions are timed. docs/advice.md has the figures.
//
// The linker decides where a loop begins in a line of code, and some take twice as long at one of the places that compilers
// align loops to. So each version is timed at all four of them, and the middle counts. What other places would have said
// is counted too.
//
//   node advice.mjs FOLDER-OF-THE-PROGRAMS FOLDER-FOR-RESULTS [OPTION...]
//
//   --calibration=FILE predicts with it (default: auto, as in the editor)
//   --minutes=N        how long measuring may take (default 40)
//   --most=N           of each kernel's advice the first N (default 3)
//   --kernels=WORD     only kernels whose name has this in it
//   --recall           instead, each change of a list that knows nothing of advice is made to each kernel: how many of
//                      the loops that one of them makes 1.3× as fast have advice that reaches 70 % of the best
//   --check=FILE       the JSON of an earlier `--check --advise` of these kernels (results/check.json)
//
// Only an error fails.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BUILDS, hostCpu, kernelFiles, versionOf, writeDatabase } from '../loops/builds.mjs';
import { kernelsOf } from '../loops/kernels.mjs';
import { iterationOf, measureAll } from '../loops/measure.mjs';
import { processorText, thisProcessor } from '../truth/processor.mjs';
import { median } from '../truth/statistics.mjs';
import { buildAll, timeAll } from './brute_force.mjs';
import { withEdits } from './edits.mjs';

const sources = path.dirname(fileURLToPath(import.meta.url));
const driver = path.join(sources, '..', 'loops', 'driver.c');
const text = { type: 'string' };
const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { calibration: text, minutes: text, most: text, kernels: text, recall: { type: 'boolean' }, check: text },
});
const programs = path.resolve(positionals[0]);
const folder = path.resolve(positionals[1]);
const driverObject = path.join(folder, 'driver.o');
const build = BUILDS[0]; // gcc reads no text that is not saved
/** By how many bytes the code of a version is moved, from the start of a line of 64. */
const PLACES = [0, 16, 32, 48];
/** A version counts if calls of it were measured at so many places. */
const LEAST_PLACES = 3;
/** Of a program: with those of its other places they are many. */
const LEAST_RUNS = 3;

/** What `mca-lsp --check --advise` says of the kernels, as JSON. */
function checkKernels(database) {
  const { error, status, stdout, stderr } = spawnSync(
    path.join(programs, 'mca-lsp'),
    ['--check', '--advise', '--compile-commands', database, `--cpu=${hostCpu()}`, `--calibration=${options.calibration ? path.resolve(options.calibration) : 'auto'}`,
      '--format=json', '--quiet', '--fail-on=never'],
    { encoding: 'utf8', maxBuffer: 1 << 29 },
  );
  if (error) throw error;
  if (status !== 0) throw new Error(`mca-lsp ended with status ${status}: ${stderr}`);
  fs.writeFileSync(path.join(folder, 'check.json'), stdout);
  return stdout;
}

/** The advice on the judged loop of each kernel, by the kernel's name. */
function adviceOf(kernels, database) {
  const json = options.check ? fs.readFileSync(options.check, 'utf8') : checkKernels(database);
  const reports = new Map(JSON.parse(json).files.map((report) => [path.resolve(report.file), report]));
  return new Map(
    kernels.map(({ kernel, file, line }) => [kernel, reports.get(file)?.regions.find((region) => region.line === line && region.advised)?.advice ?? []]),
  );
}

/** Builds the program with one kernel file, changed by the advice if there is some, once for each place. */
function buildPrograms(file, name, advice) {
  return PLACES.map((place) => buildProgram(file, path.join(name, String(place)), advice, ['-include', placeHeader(place)]));
}

/** A header that moves the code behind it by so many bytes. */
function placeHeader(place) {
  const header = path.join(folder, `place_${place}.h`);
  fs.writeFileSync(header, `__asm__(".p2align 6; .skip ${place}");\n`);
  return header;
}

/** Builds the program with one kernel file, changed by the advice if there is some. */
function buildProgram(file, name, advice, more = []) {
  const directory = path.join(folder, name);
  fs.mkdirSync(directory, { recursive: true });
  const source = path.join(directory, path.basename(file));
  const original = fs.readFileSync(file, 'utf8').replace('"../kernels.h"', JSON.stringify(path.join(sources, '..', 'loops', 'kernels.h')));
  // The include's line is before all edits and stays a line, so only columns of that line would move.
  fs.writeFileSync(source, withEdits(original, advice?.edit.edits ?? []));
  const flags = [...build.flags.filter((flag) => !(advice?.edit.remove ?? []).includes(flag)), ...(advice?.edit.add ?? [])];
  const object = path.join(directory, 'kernel.o');
  const program = path.join(directory, 'loops');
  execFileSync(build.compiler, [...flags, ...more, '-c', source, '-o', object], { stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync('clang-22', [driverObject, object, '-lm', '-o', program]);
  return program;
}

function main() {
  fs.mkdirSync(folder, { recursive: true });
  execFileSync('clang-22', ['-O2', '-c', driver, '-o', driverObject]);
  const most = Number(options.most ?? 3);
  const kernels = kernelsOf(kernelFiles()).filter(({ kernel }) => !options.kernels || kernel.includes(options.kernels));
  const advice = adviceOf(kernels, writeDatabase(folder, build));
  const rows = [];
  for (const { kernel, file } of kernels)
    for (const [i, one] of advice.get(kernel).slice(0, most).entries())
      rows.push({ kernel, file, name: `${kernel}-${i}`, id: one.id, label: one.label, factor: one.factor, from: one.fromIterations ?? 0,
        ifRandom: one.ifRandom ?? false, advice: one });
  if (options.recall) return void findRecall(kernels, rows);
  const end = Date.now() + Number(options.minutes ?? 40) * 60_000;
  for (const { kernel, file } of kernels) {
    const own = rows.filter((row) => row.kernel === kernel);
    const minutes = (end - Date.now()) / 60_000;
    if (own.length > 0 && minutes > 0) measureRows(own, buildPrograms(file, `${kernel}-now`), minutes);
  }
  report(kernels, rows);
}

/** Times the changes of one kernel, and what it was before, at all places. */
function measureRows(rows, bases, minutes) {
  const [{ kernel }] = rows;
  const versions = [bases, ...rows.map(({ file, name, advice }) => buildPrograms(file, name, advice))];
  const measured = measureAll(versions.flat(), [kernel], Math.min(minutes, 0.5 * versions.length), () => {}, LEAST_RUNS);
  const [now, ...changed] = versions.map((programs, version) =>
    programs.map((_, place) => iterationOf(measured.sizesOf(version * PLACES.length + place, kernel))).filter(({ refused }) => !refused));
  rows.forEach((row, i) => {
    const then = changed[i];
    if (Math.min(now.length, then.length) < LEAST_PLACES) return;
    const middle = (places, of) => median(places.map((place) => place[of]));
    Object.assign(row, { now: middle(now, 'cycles'), then: middle(then, 'cycles'), ofCalls: middle(now, 'ofCall') / middle(then, 'ofCall') });
    row.measured = row.now / row.then;
    row.atPlaces = now.flatMap((one) => then.map((other) => one.cycles / other.cycles));
  });
}

/** What a search by trying finds, and how much of it the advice has. */
async function findRecall(kernels, rows) {
  const files = await buildAll(kernels, { compiler: build.compiler, flags: build.flags, driver, include: path.join(sources, '..', 'loops', 'kernels.h'), folder: path.join(folder, 'brute_force') });
  const advised = rows.map((row) => ({ kernel: row.kernel, change: row, program: buildProgram(row.file, row.name, row.advice) }));
  const times = await timeAll(files, advised, (file) => process.stderr.write(`${file}\n`));
  // A kernel whose advice could not be timed says nothing.
  const isTimed = ([kernel, factors]) => { const own = rows.filter((row) => row.kernel === kernel); return own.length === 0 || own.some((row) => factors.has(row)); };
  const found = [...times].filter(isTimed).map(([kernel, factors]) => {
    const best = (isOf) => [...factors].filter(([change]) => isOf(change)).reduce((a, b) => (b[1] > a[1] ? b : a), [undefined, 1]);
    const [tried, most] = best((change) => change.name);
    const [advice, reached] = best((change) => change.id);
    return { kernel, tried: tried?.name, most, advice: advice?.id, reached, factors: [...factors].map(([change, factor]) => [change.name ?? change.id, factor]) };
  });
  const gaining = found.filter(({ most }) => most >= 1.3).sort((a, b) => a.reached / a.most - b.reached / b.most);
  console.log(`${processorText(thisProcessor())}; ${versionOf(build.compiler)}; ${build.name}\n`);
  for (const { kernel, tried, most, advice, reached } of gaining)
    console.log(`${kernel.padEnd(28)} best ${most.toFixed(2).padStart(6)}×  advice ${reached.toFixed(2).padStart(6)}×  ${(advice ?? 'none').padEnd(24)} ${tried}`);
  const right = gaining.filter(({ most, reached }) => reached >= 0.7 * most);
  console.log(`\n${kernels.length} kernels, ${found.length} measured; ${gaining.length} with a change of 1.3× or more, ${right.length} of these (${percent(right.length, gaining.length)}) with advice that reaches 70 % of the best`);
  fs.writeFileSync(path.join(folder, 'recall.json'), `${JSON.stringify(found, undefined, 1)}\n`);
}

const percent = (part, all) => `${((100 * part) / Math.max(all, 1)).toFixed(0)} %`;

function report(kernels, rows) {
  console.log(`${processorText(thisProcessor())}; ${versionOf(build.compiler)}; ${build.name}\n`);
  const judged = rows.filter(({ measured }) => measured !== undefined);
  for (const row of [...judged].sort((a, b) => a.measured / a.factor - b.measured / b.factor))
    console.log(`${row.kernel.padEnd(28)} ${row.id.padEnd(26)} predicted ${row.factor.toFixed(2).padStart(6)}×  measured ${row.measured.toFixed(2).padStart(6)}×  calls ${row.ofCalls.toFixed(2).padStart(6)}×${row.ifRandom ? '  if random' : ''}`);
  const faster = judged.filter(({ ofCalls }) => ofCalls > 1.02);
  const slower = judged.filter(({ ofCalls }) => ofCalls < 0.97);
  const isRight = (measured, factor) => measured / factor > 1 / 1.25 && measured / factor < 1.25;
  const right = judged.filter(({ measured, factor }) => isRight(measured, factor));
  const atPlaces = judged.flatMap(({ atPlaces, factor }) => atPlaces.map((measured) => ({ measured, factor })));
  const rightAtPlaces = atPlaces.filter(({ measured, factor }) => isRight(measured, factor));
  console.log(`\n${kernels.length} kernels, ${new Set(rows.map(({ kernel }) => kernel)).size} with advice; ${rows.length} changes made, ${judged.length} measured`);
  console.log(`faster by more than 2 %: ${faster.length} (${percent(faster.length, judged.length)}); slower by more than 3 %: ${slower.length}; factor within 25 %: ${right.length} (${percent(right.length, judged.length)})`);
  console.log(`at any one place of either version: within 25 % ${percent(rightAtPlaces.length, atPlaces.length)}`);
  console.log(`median of measured over predicted: ${judged.length ? median(judged.map(({ measured, factor }) => measured / factor)).toFixed(2) : '–'}`);
  const file = path.join(folder, 'advice.json');
  fs.writeFileSync(file, `${JSON.stringify(rows.map(({ file: _, name: __, advice: ___, ...row }) => row), undefined, 1)}\n`);
  console.log(`\nall changes: ${file}`);
}

if (process.arch !== 'x64') throw new Error('the kernels are timed on x86-64');
main();
