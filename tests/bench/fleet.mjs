// What a run over many machines costs: a file, a start, a database of 100,000 entries, a merge, and the bytes between them.
// From these it computes how long 100,000 files take on 1 to 1024 cores. docs/fleet.md has its numbers.
//
//   node fleet.mjs FOLDER-OF-THE-PROGRAMS [--quick | --full]
//
// --quick measures less. --full merges 100,000 files, too, which takes 8 GB of the temporary folder.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { makeProject } from '../fleet/project.mjs';

const [programs, ...flags] = process.argv.slice(2);
const quick = flags.includes('--quick');
const full = flags.includes('--full');
const program = path.resolve(programs, 'mca-lsp');
const folder = mkdtempSync(path.join(os.tmpdir(), 'mca-fleet-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const kOptions = ['--cpu=znver4', '--calibration=off', '--fail-on=never'];
const kFiles = 100_000;
const kCoresPerShard = 4;

/** Runs `mca-lsp --check` under GNU time: wall and processor seconds of it and its workers, MB of the largest process. */
function measure(cwd, ...args) {
  const report = path.join(folder, 'time');
  const { status, stderr } = spawnSync('/usr/bin/time', ['-q', '-o', report, '-f', '%e %U %S %M', program, '--check', ...kOptions, ...args], { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.equal(status, 0, stderr);
  const [wall, user, system, kilobytes] = readFileSync(report, 'utf8').trim().split(' ').map(Number);
  return { wall, cpu: user + system, mb: kilobytes / 1024, log: stderr };
}

/** The fastest of some rounds: other programs only add. */
function best(cwd, ...args) {
  const rounds = Array.from({ length: quick ? 1 : 3 }, () => measure(cwd, ...args));
  return rounds.reduce((a, b) => (b.cpu < a.cpu ? b : a));
}

const f = (value, digits = 2) => value.toFixed(digits);
const table = (head, rows) => [head, head.map(() => '--:'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
const project = (name, options) => (makeProject(path.join(folder, name), options), path.join(folder, name));

// ---- a start ----------------------------------------------------------------------------------------------------------
writeFileSync(path.join(folder, 'one.s'), '.Lloop:\n\taddq $1, %rax\n\tdecq %rdi\n\tjne .Lloop\n');
const start = best(folder, 'one.s');
console.log(`start of mca-lsp and a worker, with a file of assembly: ${f(start.wall)} s, ${f(start.cpu)} s of processor time, ${f(start.mb, 0)} MB`);

// ---- files ------------------------------------------------------------------------------------------------------------
/** Files of C++ with the headers that most have: the compiler reads 60,000 lines for a few loops. */
function cxxProject(name, { files }) {
  const where = path.join(folder, name);
  mkdirSync(path.join(where, 'build'), { recursive: true });
  const database = Array.from({ length: files }, (_, i) => {
    writeFileSync(path.join(where, `part_${i}.cpp`), `#include <algorithm>\n#include <iostream>\n#include <map>\n#include <string>\n#include <vector>
void sort_${i}(std::vector<long> &v) {\n  std::sort(v.begin(), v.end());\n  for (auto &x : v)\n    x *= ${i + 3};\n}
std::map<std::string, int> count_${i}(const std::vector<std::string> &words) {\n  std::map<std::string, int> c;\n  for (const auto &word : words)\n    ++c[word];\n  return c;\n}
void print_${i}(const std::vector<double> &v) {\n  for (double x : v)\n    std::cout << x * ${i} << '\\n';\n}\n`);
    return { directory: path.join(where, 'build'), file: `../part_${i}.cpp`, command: `c++ -O2 -std=c++20 -c ../part_${i}.cpp` };
  });
  writeFileSync(path.join(where, 'build/compile_commands.json'), JSON.stringify(database));
  return where;
}

/** Per file of a project on one worker: wall and processor time without the start, loops, bytes of JSON. */
function costOf(name, options, make = project) {
  const where = make(name, options);
  const run = best(where, '--compile-commands', 'build', '--jobs', '1', '--format=json', '-o', 'all.json');
  const json = readFileSync(path.join(where, 'all.json'));
  const { summary } = JSON.parse(json);
  measure(where, '--compile-commands', 'build', '--shard', '1/1', '--format=json', '-o', 'shard.json');
  const per = (value) => value / options.files;
  const lines = [...new Set(JSON.parse(readFileSync(path.join(where, 'build/compile_commands.json'))).map(({ file }) => file))]
    .reduce((sum, file) => sum + readFileSync(path.resolve(where, 'build', file), 'utf8').split('\n').length - 1, 0);
  return {
    name, where, lines: per(lines),
    wall: per(run.wall - start.wall), cpu: per(run.cpu - start.cpu), loops: per(summary.loops), mb: run.mb,
    json: per(json.length), compressed: per(gzipSync(json).length),
  };
}

const small = costOf('small C', { files: quick ? 40 : 120 });
const large = costOf('large C', { files: quick ? 3 : 10, functions: 80 });
const cxx = costOf('C++ with standard headers', { files: quick ? 3 : 10 }, cxxProject);
console.log(`\n${table(['', 'lines', 'loops', 'processor s', 'wall s', 'MB of the largest process', 'KB of JSON', 'KB compressed'],
  [small, large, cxx].map((one) => [one.name, f(one.lines, 0), f(one.loops, 0), f(one.cpu), f(one.wall), f(one.mb, 0), f(one.json / 1000, 0), f(one.compressed / 1000, 1)]))}`);

/** How the processor time of single files spreads: the standard deviation over the mean, and the largest over it. */
function spread() {
  const { log } = measure(small.where, '--compile-commands', 'build', '--jobs', '1', '--log=info', '--format=json', '-o', 'all.json');
  const times = new Map();
  for (const [, name, compiling, analysing] of log.matchAll(/ (src\/\S+): (\d+) ms compiling, (\d+) ms analysing/g))
    times.set(name, (times.get(name) ?? 0) + Number(compiling) + Number(analysing));
  const all = [...times.values()];
  const mean = all.reduce((a, b) => a + b) / all.length;
  return { deviation: Math.sqrt(all.reduce((sum, one) => sum + (one - mean) ** 2, 0) / all.length) / mean, most: Math.max(...all) / mean };
}
const { deviation, most } = spread();
console.log(`\nfiles of this project differ: standard deviation ${f(deviation)} of the mean, the longest takes ${f(most, 1)} times the mean`);

// ---- a database -------------------------------------------------------------------------------------------------------
const kReal = 10;

/** A shard of ten files of a database of so many entries. */
function databaseOf(entries) {
  const where = path.join(folder, `database${entries}`);
  for (const part of ['src', 'build']) mkdirSync(path.join(where, part), { recursive: true });
  const shards = entries / kReal;
  const database = Array.from({ length: entries }, (_, i) => {
    const file = path.join(where, 'src', `file_${String(i).padStart(6, '0')}.c`);
    if (i % shards === 0) writeFileSync(file, 'int f(const int *v, int n) { int s = 0; while (n--) s += v[n]; return s; }\n');
    const flags = '-O2 -march=x86-64-v2 -I../include -I../src -DNDEBUG -DVERSION=1 -Wall -Wextra -fPIC -g -std=gnu11 -pthread';
    return { directory: path.join(where, 'build'), command: `/usr/bin/cc ${flags} -o parts.dir/file_${i}.c.o -c ${file}`, file };
  });
  writeFileSync(path.join(where, 'build/compile_commands.json'), JSON.stringify(database, null, 1));
  const run = best(where, '--compile-commands', 'build', '--jobs', '1', '--shard', `1/${shards}`, '--format=json', '-o', 'shard.json');
  const bytes = statSync(path.join(where, 'build/compile_commands.json')).size;
  rmSync(where, { recursive: true });
  return { entries, bytes, ...run };
}
const databases = [kReal, 1_000, 10_000, kFiles].map(databaseOf);
console.log(`\n${table(['entries', 'MB of the file', 'processor s of a shard of ten files', 'MB of the largest process'],
  databases.map((one) => [one.entries, f(one.bytes / 1e6, 1), f(one.cpu), f(one.mb, 0)]))}`);
const databaseSeconds = databases.at(-1).cpu - databases[0].cpu;

// ---- merging ----------------------------------------------------------------------------------------------------------
/** Shards of a run over so many files, made of the small project's: each copy has other files and the same headers. */
function shardsOf(files, count) {
  const { files: real, ...document } = JSON.parse(readFileSync(path.join(small.where, 'shard.json')));
  const groups = []; // a file of the list, with its parts
  for (const file of real) {
    if (!file.through && file.file !== groups.at(-1)?.[0].file) groups.push([]);
    groups.at(-1).push(file);
  }
  const shards = Array.from({ length: count }, () => []);
  for (let i = 0; i < files; ++i) {
    const copy = Math.floor(i / groups.length);
    const rename = (name) => name.replace('src/', `src/${copy}/`);
    const group = groups[i % groups.length].map((file) => (file.through ? { ...file, through: rename(file.through) } : { ...file, file: rename(file.file) }));
    shards[i % count].push(...group);
  }
  return shards.map((list, i) => {
    const name = path.join(folder, `shard${i + 1}.json`);
    writeFileSync(name, JSON.stringify({ ...document, shard: { index: i + 1, count }, files: list }, null, 1));
    return name;
  });
}

function mergeOf(files) {
  const shards = shardsOf(files, 64);
  const bytes = shards.reduce((sum, name) => sum + statSync(name).size, 0);
  const runs = ['json', 'sarif', 'text'].map((format) => measure(folder, '--merge', ...shards, '--format', format, '-o', path.join(folder, 'merged')));
  return { files, bytes, runs };
}
const merges = (quick ? [500, 1_000, 2_000] : [1_000, 2_000, 4_000, 8_000, 16_000, ...(full ? [kFiles] : [])]).map(mergeOf);
console.log(`\n${table(['files', 'MB of shards', ...['json', 'sarif', 'text'].flatMap((name) => [`${name}: s`, 'MB'])],
  merges.map((one) => [one.files, f(one.bytes / 1e6, 0), ...one.runs.flatMap((run) => [f(run.cpu), f(run.mb, 0)])]))}`);

/** How it grows over the last three sizes: 1 is linear. */
const exponent = (of) => Math.log(of(merges.at(-1)) / of(merges.at(-3))) / Math.log(merges.at(-1).files / merges.at(-3).files);
const last = merges.at(-1);
const mergeSeconds = last.runs.reduce((sum, run) => sum + run.cpu, 0) / last.files * kFiles;
const mergeMemory = Math.max(...last.runs.map((run) => run.mb)) / last.files * kFiles;
console.log(`\nexponent of the time ${f(exponent((one) => one.runs[0].cpu))}, of the memory ${f(exponent((one) => one.runs[0].mb))}` +
  `; for ${kFiles} files all three forms take ${f(mergeSeconds, 0)} s and ${f(mergeMemory / 1000, 1)} GB`);
console.log(`transfer of ${kFiles} files: ${f(small.json * kFiles / 1e9, 1)} GB of JSON, ${f(small.compressed * kFiles / 1e9, 2)} GB compressed`);

// ---- the model --------------------------------------------------------------------------------------------------------
/** Wall seconds on so many cores: start and database, files, the slowest shard's lead over the mean one, the merge. */
function predict(cores, { cpu, json }) {
  const shards = Math.max(cores / kCoresPerShard, 1);
  const perCore = kFiles / cores;
  const fixed = start.wall + databaseSeconds;
  const files = perCore * cpu;
  // The largest of n sums of normally distributed times is about sqrt(2 ln n) deviations above their mean; then a last file.
  const slowest = shards > 1 ? Math.sqrt(2 * Math.log(shards)) * deviation * cpu * Math.sqrt(kFiles / shards) / kCoresPerShard + most * cpu : 0;
  const merge = cores > 1 ? mergeSeconds * json / small.json : 0; // by the bytes of the result
  return { cores, shards, fixed, files, slowest, merge, all: fixed + files + slowest + merge };
}
for (const kind of [small, cxx])
  console.log(`\n${kFiles} files of ${kind.name}:\n\n${table(['cores', 'shards', 'start and database s', 'files s', 'slowest shard s', 'merge s', 'together', 'speed-up'],
    [1, 16, 128, 1024].map((cores) => predict(cores, kind)).map((one) => [one.cores, one.shards, f(one.fixed, 1), f(one.files, 0), f(one.slowest, 1), f(one.merge, 0),
      one.all > 3600 ? `${f(one.all / 3600, 1)} h` : `${f(one.all / 60, 1)} min`, f(predict(1, kind).all / one.all, 0)]))}`);
