// Profiles of real programs: each is built from Debian's sources, recorded, and the shares of its loops are compared with
// objdump's (hot_loops.mjs). Of fastText also the example of docs/features/profile.md is tried: the advice is there, its
// edit applies, and the program gets faster.
//
//   node hot_programs.mjs FOLDER-OF-THE-PROGRAMS FOLDER-FOR-EVERYTHING [PROGRAM...]
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { must, run } from './programs.mjs';
import { fetchSource, readLists } from './projects.mjs';

const RUNS = 7; // of the program before and after the edit, interleaved
const FLAGS = ['-O2', '-g'];

/** A PNG of so many pixels in RGB, whose lines use all five filters. */
function picture(file, width, height) {
  const crcOf = (bytes) => ~bytes.reduce((crc, byte) => {
    crc ^= byte;
    for (let bit = 0; bit < 8; ++bit) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    return crc;
  }, -1) >>> 0;
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    crc.writeUInt32BE(crcOf(body));
    return Buffer.concat([length, body, crc]);
  };
  const pixels = Buffer.alloc(height * (1 + 3 * width));
  let random = 1;
  for (let i = 0; i < pixels.length; ++i) {
    random = (Math.imul(random, 1103515245) + 12345) >>> 0;
    pixels[i] = i % (1 + 3 * width) ? (random >>> 28) : Math.floor(i / (1 + 3 * width)) % 5;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  fs.writeFileSync(file, Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header),
    chunk('IDAT', zlib.deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))]));
}

/** `count` copies of the files of a folder as one text. */
function textOf(file, folder, count) {
  const names = fs.readdirSync(folder, { recursive: true }).map((name) => path.join(folder, name)).sort();
  const text = names.filter((name) => fs.statSync(name).isFile()).map((name) => fs.readFileSync(name, 'utf8')).join('\n');
  fs.writeFileSync(file, text.repeat(count));
}

/**
 * `sources`: names of the files to compile, from the root of the package; `prepare` makes what is missing, `input` the
 * data, and `command` is the program's arguments.
 */
const PROGRAMS = [
  {
    name: 'fasttext',
    sources: (root) => fs.readdirSync(path.join(root, 'src')).filter((name) => name.endsWith('.cc')).map((name) => `src/${name}`),
    flags: ['-DNDEBUG', '-std=c++11', '-pthread'],
    input: (root) => textOf(path.join(root, 'text'), path.join(root, 'docs'), 1),
    command: ['skipgram', '-input', 'text', '-output', 'model', '-thread', '1', '-bucket', '1000', '-epoch', '50'],
  },
  {
    name: 'libzstd',
    sources: (root) => ['common', 'compress', 'decompress', 'dictBuilder'].flatMap((part) => fs.readdirSync(path.join(root, 'lib', part))
      .filter((name) => name.endsWith('.c')).map((name) => `lib/${part}/${name}`))
      .concat(fs.readdirSync(path.join(root, 'programs')).filter((name) => name.endsWith('.c')).map((name) => `programs/${name}`)),
    flags: ['-DZSTD_DISABLE_ASM', '-Ilib', '-Ilib/common', '-Ilib/dictBuilder', '-pthread'],
    input: (root) => textOf(path.join(root, 'text'), path.join(root, 'lib/compress'), 20),
    command: ['-b5', '-i3', '-q', 'text'],
  },
  {
    name: 'lz4',
    sources: (root) => ['lib', 'programs'].flatMap((part) => fs.readdirSync(path.join(root, part))
      .filter((name) => name.endsWith('.c')).map((name) => `${part}/${name}`)),
    flags: ['-Ilib', '-DXXH_NAMESPACE=LZ4_'],
    input: (root) => textOf(path.join(root, 'text'), path.join(root, 'lib'), 20),
    command: ['-b9', '-i3', 'text'],
  },
  {
    name: 'lodepng',
    sources: () => ['lodepng.cpp', 'decode.cpp'],
    flags: [],
    prepare: (root) => fs.writeFileSync(path.join(root, 'decode.cpp'), `#include "lodepng.h"
int main() {
  unsigned failed = 0;
  for (int i = 0; i < 40; ++i) {
    std::vector<unsigned char> pixels;
    unsigned width, height;
    failed |= lodepng::decode(pixels, width, height, "picture.png");
  }
  return failed != 0;
}
`),
    input: (root) => picture(path.join(root, 'picture.png'), 1024, 768),
    command: [],
  },
  {
    name: 'sqlite3',
    sources: () => ['sqlite3.c', 'test/speedtest1.c'],
    flags: ['-I.', '-DSQLITE_THREADSAFE=0', '-DSQLITE_OMIT_LOAD_EXTENSION', '-lm'],
    prepare: async (root) => {
      await must('sh', ['configure', '--quiet', '--disable-shared'], { cwd: root });
      await must('make', ['-s', 'sqlite3.c'], { cwd: root });
    },
    input: () => {},
    command: ['--size', '30', ':memory:'],
  },
];

const [programs, out, ...wanted] = process.argv.slice(2);
const folder = path.resolve(out ?? 'build/projects');
const server = path.resolve(programs ?? '', 'mca-lsp');

/** Compiles and links a program of a folder as its compile commands say. */
async function build(program, root) {
  const sources = program.sources(root);
  const flags = [...FLAGS, ...program.flags.filter((flag) => !flag.startsWith('-l'))];
  const compilerOf = (source) => source.endsWith('.c') ? 'clang-22' : 'clang++-22';
  fs.writeFileSync(path.join(root, 'compile_commands.json'), JSON.stringify(sources.map((file) =>
    ({ directory: root, file, arguments: [compilerOf(file), ...flags, '-c', file] }))));
  const objects = [];
  for (const source of sources) {
    objects.push(source.replace(/\.\w+$/, '.o'));
    await must(compilerOf(source), [...flags, '-w', '-c', source, '-o', objects.at(-1)], { cwd: root });
  }
  const libraries = program.flags.filter((flag) => flag.startsWith('-l') || flag === '-pthread');
  await must(compilerOf(sources[0]), [...objects, '-o', 'program', ...libraries], { cwd: root });
}

/** A recording of the program and what `--check` says of its loops with it. */
async function check(program, root) {
  await must('perf', ['record', '-q', '-e', 'cpu-clock', '-F', '999', '-o', 'perf.data', '--', './program', ...program.command], { cwd: root });
  fs.writeFileSync(path.join(root, 'perf.txt'), await must('perf',
    ['script', '-i', 'perf.data', '--no-demangle', '-F', 'comm,ip,sym,symoff,dso,event,period'], { cwd: root }));
  await must(server, ['--import-profile', 'perf', 'perf.txt', '-o', 'program.mcaprofile'], { cwd: root });
  const options = ['--check', '--quiet', '--log=error', '--fail-on=never', '--compiler=clang-22', '--profile', 'program.mcaprofile'];
  fs.writeFileSync(path.join(root, 'check.json'), await must(server, [...options, '--format=json', '--compile-commands', '.'], { cwd: root }));
  return run(process.execPath, [new URL('hot_loops.mjs', import.meta.url).pathname, 'program', 'perf.txt', 'check.json'], { cwd: root });
}

/** Processor time of one run, in milliseconds. */
function timeOf(program, root) {
  const { status, stderr } = spawnSync('bash', ['-c', 'time "$@" >/dev/null 2>&1', '-', './program', ...program.command],
    { cwd: root, env: { ...process.env, TIMEFORMAT: '%U' }, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program.name}: status ${status}`);
  return 1000 * Number(stderr);
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** The example of docs/features/profile.md. Returns whether it is as the page says. */
async function tryExample(program, root) {
  const file = 'src/densematrix.cc';
  const report = JSON.parse(await must(server, ['--check', '--quiet', '--log=error', '--fail-on=never', '--compiler=clang-22', '--advise',
    '--profile', 'program.mcaprofile', '--format=json', file], { cwd: root }));
  const region = report.files[0].regions.find((one) => one.advice?.some(({ id }) => id === 'reassociate') && /dotRow/.test(one.name));
  const advice = region?.advice.find(({ id }) => id === 'reassociate');
  if (!advice) return console.log('  the advice for dotRow is missing'), false;
  const edited = `${root}.edited`;
  fs.rmSync(edited, { recursive: true, force: true });
  fs.cpSync(root, edited, { recursive: true });
  const lines = fs.readFileSync(path.join(edited, file), 'utf8').split('\n');
  for (const { range, newText } of [...advice.edit.edits].reverse()) {
    if (range.line !== range.endLine) return console.log('  the edit is not within a line'), false;
    const line = lines[range.line - 1];
    lines[range.line - 1] = line.slice(0, range.column - 1) + newText + line.slice(range.endColumn - 1);
  }
  fs.writeFileSync(path.join(edited, file), lines.join('\n'));
  await build(program, edited);
  const before = [], after = [];
  for (let i = 0; i < RUNS; ++i) {
    before.push(timeOf(program, root));
    after.push(timeOf(program, edited));
  }
  const saved = 1 - median(after) / median(before);
  console.log(`  the example: ${(100 * region.profile.share).toFixed(1)} % of the time, ${advice.factor.toFixed(1)} times as fast said; ` +
    `the program's time ${median(before).toFixed(0)} ms, after the edit ${median(after).toFixed(0)} ms: ${(100 * saved).toFixed(1)} % saved`);
  return saved > 0;
}

const chosen = PROGRAMS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
if (!programs || chosen.length === 0) {
  console.error(`usage: hot_programs.mjs PROGRAMS FOLDER [PROGRAM...] (${PROGRAMS.map(({ name }) => name).join(' ')})`);
  process.exit(2);
}
const lists = await readLists(folder);
let failed = 0;
for (const program of chosen) {
  const root = await fetchSource(program.name, path.join(folder, 'hot', program.name), lists);
  await program.prepare?.(root);
  program.input(root);
  await build(program, root);
  const { status, output, errors } = await check(program, root);
  console.log(`${program.name}\n${output}${errors}`.trimEnd());
  const isRight = status === 0 && (program.name !== 'fasttext' || await tryExample(program, root));
  failed += isRight ? 0 : 1;
}
console.log(`\n${chosen.length} programs, ${failed} failed`);
process.exit(failed ? 1 : 0);
