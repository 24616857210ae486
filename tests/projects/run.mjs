// Real projects, all their loops: what `mca-lsp --check` says of each is held against evidence of the script's own, made
// with the compiler, llvm-mca, DWARF and clang's syntax tree. README.md lists the invariants.
//
//   node run.mjs FOLDER-OF-THE-PROGRAMS EXTENTS-PROGRAM FOLDER-FOR-EVERYTHING [--quick] [--files=TEXT] [PROJECT...]
//
// --quick takes a few files of each project, --files those whose names contain the text.
import fs from 'node:fs';
import path from 'node:path';
import { editable, examineAssembly, withInsertedLines, withoutLimit } from './claims.mjs';
import { isAssembly } from './commands.mjs';
import { differencesFromLlvm, examine } from './invariants.mjs';
import { inParallel, must, run } from './programs.mjs';
import { prepare, PROJECTS, readLists } from './projects.mjs';
import { simulateWithLlvm } from './reference.mjs';

const CPU = 'skylake';
const QUICK_FILES = 6;
const INSERTIONS = 200;
const WIDTH = 2;
const quick = process.argv.includes('--quick');
const only = process.argv.find((word) => word.startsWith('--files='))?.slice('--files='.length);
const [programs, extents, out, ...wanted] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const folder = path.resolve(out ?? 'build/projects');

const progress = (text) => process.stderr.isTTY ? process.stderr.write(`\r\x1b[K${text}`) : process.stderr.write(`${text}\n`);

/** Runs `mca-lsp --check` over the entries. { status, output, errors } */
async function runCheck(project, database, entries, options) {
  const sample = path.join(database, only ? 'chosen' : quick ? 'quick' : 'all');
  fs.mkdirSync(sample, { recursive: true });
  const named = entries.map(({ named: file, ...rest }) => ({ ...rest, file: file ?? rest.file }));
  fs.writeFileSync(path.join(sample, 'compile_commands.json'), JSON.stringify(named));
  const compiler = project.kind === 'gcc' ? ['--compiler=project', '--allowed-compiler=/usr/bin/*'] : ['--compiler=clang-22'];
  return run(path.resolve(programs, 'mca-lsp'), ['--check', '--log=error', '--quiet', '--calibration=off', `--cpu=${CPU}`, ...compiler,
    '--compile-commands', sample, ...options, '--jobs', String(WIDTH)], { cwd: '/' });
}

/** What it says of each file, by the file's name. */
async function check(project, database, entries) {
  const result = await runCheck(project, database, entries, ['--format=json', '--listing', '--fail-on=never']);
  if (result.status !== 0) throw new Error(`${project.name}: mca-lsp --check: status ${result.status}\n${result.errors}`);
  fs.writeFileSync(path.join(database, 'before.json'), result.output);
  return new Map(JSON.parse(result.output).files.map((file) => [fs.realpathSync(path.resolve('/', file.file)), file]));
}

/** Lines are inserted into the sources, and nothing may have changed against the first run. As breaks. */
async function compareMoved(project, database, entries, checked) {
  const files = editable(checked, folder);
  const result = await withInsertedLines(files, INSERTIONS, 1, () =>
    runCheck(project, database, entries, ['--format=json', '--baseline', path.join(database, 'before.json'), '--fail-on=regression']));
  const regions = result.output ? JSON.parse(result.output).files.flatMap((file) => file.regions.map((region) => ({ file: file.file, region }))) : [];
  const breaks = regions.filter(({ region }) => region.cyclesPerIteration !== region.baselineCyclesPerIteration)
    .map(({ file, region }) => ({ invariant: 7, line: region.line,
      why: `${file}: ${region.name}: ${region.baselineCyclesPerIteration ?? 'nothing'} became ${region.cyclesPerIteration} when lines were inserted` }));
  if (result.status !== 0) breaks.push({ invariant: 7, line: 1, why: `status ${result.status} after lines were inserted: ${result.errors.slice(0, 500)}` });
  return breaks;
}

/**
 * Map entry's file → [part's file, its regions that were seen through the entry and, once, its findings]. Takes these
 * regions off the files that have entries of their own.
 */
function takePartsByEntry(checked, own) {
  const parts = new Map();
  for (const [name, file] of checked) {
    const { findings, coverage } = own.has(name) ? { findings: [] } : file;
    const seenThrough = file.regions.filter(({ through }) => through);
    file.regions = file.regions.filter(({ through }) => !through);
    const byEntry = new Map();
    for (const region of seenThrough) {
      const through = path.resolve('/', region.through);
      byEntry.set(through, [...(byEntry.get(through) ?? []), region]);
    }
    [...byEntry].forEach(([through, seen], i) =>
      parts.set(through, [...(parts.get(through) ?? []), [name, { regions: seen, findings: i ? [] : findings, coverage: i ? undefined : coverage }]]));
  }
  return parts;
}

async function examineProject(project) {
  const { database, entries: all, root } = await prepare(project, folder, () => lists, (step) => progress(`${project.name}: ${step}`));
  const every = Math.max(1, Math.floor(all.length / QUICK_FILES));
  const entries = only ? all.filter(({ file }) => file.includes(only))
    : quick ? all.filter((_, i) => i % every === 0).slice(0, QUICK_FILES) : all;
  progress(`${project.name}: mca-lsp --check over ${entries.length} files`);
  const checked = await check(project, database, entries);
  const work = path.join(folder, 'work', project.name);
  fs.mkdirSync(work, { recursive: true });
  let done = 0;
  const partsThrough = takePartsByEntry(checked, new Set(entries.map(({ file }) => file)));
  const files = (await inParallel(entries, WIDTH, async (entry, i) => {
    const file = checked.get(entry.file);
    if (!file) return [{ name: path.relative(root, entry.file), breaks: [{ invariant: 4, line: 1, why: 'not in the result' }], looks: [], simulated: [] }];
    const parts = partsThrough.get(entry.file) ?? [];
    const stem = path.join(work, String(i));
    const examined = isAssembly(entry.file) ? await examineAssembly(entry, file, parts, stem)
      : await examine(entry, file, parts, { kind: project.kind, extentsProgram: path.resolve(extents), stem });
    for (const one of examined) one.breaks.push(...withoutLimit((one.file === entry.file ? file : parts.find(([name]) => name === one.file)[1]).regions));
    if (++done % 10 === 0 || process.stderr.isTTY) progress(`${project.name}: examined ${done} of ${entries.length}`);
    return examined.map(({ file: one, ...rest }) => ({ name: path.relative(root, one), ...rest }));
  })).flat();
  const simulated = files.flatMap((file) => file.simulated);
  progress(`${project.name}: llvm-mca on ${simulated.length} regions`);
  await simulateWithLlvm(simulated, CPU, path.join(work, 'llvm-mca'), path.resolve(programs, 'mca'));
  for (const file of files) file.breaks.push(...differencesFromLlvm(file.simulated));
  progress(`${project.name}: ${INSERTIONS} lines inserted`);
  files.push({ name: 'baseline', breaks: await compareMoved(project, database, entries, checked), looks: [], simulated: [] });
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  return { project: project.name, compiler: project.kind, files };
}

const sum = (values) => values.reduce((a, b) => a + b, 0);

function print({ project, compiler, files }) {
  console.log(`\n${project} (${compiler})`);
  for (const file of files) {
    const { loops = 0, hinted = 0, elsewhere = 0 } = file.coverage ?? {};
    console.log(`  ${file.name}: ${loops} loops, ${hinted} hinted, ${elsewhere} elsewhere${file.rejected ? '; its compiler rejects it' : ''}`);
    for (const { invariant, line, why } of file.breaks) console.log(`    BROKEN ${invariant}: ${file.name}:${line}: ${why}`);
  }
  const total = (field) => sum(files.map((file) => file.coverage?.[field] ?? 0));
  console.log(`  in all: ${files.length} files, ${total('loops')} loops, ${total('hinted')} hinted, ${total('elsewhere')} elsewhere, ` +
    `${sum(files.map((file) => file.compared ?? file.simulated.length))} regions compared, ${sum(files.map((file) => file.breaks.length))} broken, ` +
    `${sum(files.map((file) => file.looks.length))} to look at`);
}

const chosen = PROJECTS.filter((project) => wanted.length === 0 || wanted.includes(project.name));
if (!programs || chosen.length === 0) {
  console.error(`usage: run.mjs PROGRAMS EXTENTS FOLDER [--quick] [--files=TEXT] [PROJECT...] (${PROJECTS.map(({ name }) => name).join(' ')})`);
  process.exit(2);
}
const lists = await readLists(folder);
const results = [];
for (const project of chosen) {
  results.push(await examineProject(project));
  print(results.at(-1));
}
const summary = results.map(({ files, ...rest }) => ({ ...rest, files: files.map(({ simulated, ...file }) => ({ ...file, regions: simulated.length })) }));
fs.writeFileSync(path.join(folder, 'summary.json'), JSON.stringify(summary, undefined, 1));
const broken = sum(results.flatMap(({ files }) => files.map((file) => file.breaks.length)));
console.log(`\n${broken} broken; ${path.relative(process.cwd(), path.join(folder, 'summary.json'))} has all of it`);
process.exit(broken === 0 ? 0 : 1);
