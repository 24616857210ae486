// Machine code from Debian's packages: fetched by apt from the machine's own archive, and unpacked, never installed.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { basicBlocks, readDisassembly, refusalOf } from './blocks.mjs';

/** Bytes of code that are read of one file, from a random place, and files that are read of one package. */
const WINDOW = 1 << 19;
const FILES = 4;
/** A window may begin inside an instruction. After so many bytes the disassembler is in step again. */
const RUN_UP = 512;

const OBJDUMP = 'llvm-objdump-22';
const READELF = 'llvm-readelf-22';

/** The names in a list of packages. */
export const readPackageList = (text) =>
  text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter(Boolean);

function run(program, args, options = {}) {
  const result = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 30, ...options });
  if (result.error) throw result.error;
  return result;
}

function must(program, args, options) {
  const { status, stdout, stderr } = run(program, args, options);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: status ${status}\n${stderr.slice(-2000)}`);
  return stdout;
}

/** Fetches and unpacks a package below `folder`: { version, root }; nothing if apt has no such package. */
function fetchPackage(name, folder) {
  const place = path.join(folder, name);
  const root = path.join(place, 'root');
  const archiveIn = () => fs.readdirSync(place).find((file) => file.endsWith('.deb'));
  if (!fs.existsSync(root)) {
    fs.mkdirSync(place, { recursive: true });
    const options = ['-q', '-o', 'APT::Sandbox::User=root'];
    const { status, stderr } = run('apt-get', [...options, 'download', name], { cwd: place });
    if (status !== 0) {
      process.stderr.write(`${name} is passed over: ${stderr.trim().split('\n').at(-1)}\n`);
      return undefined;
    }
    must('dpkg-deb', ['-x', archiveIn(), 'root.partial'], { cwd: place });
    fs.renameSync(`${root}.partial`, root);
  }
  return { version: decodeURIComponent(archiveIn().split('_')[1]), root };
}

/** Is it a program or a library for x86-64? */
function isCode(file) {
  const header = Buffer.alloc(20);
  const descriptor = fs.openSync(file, 'r');
  fs.readSync(descriptor, header);
  fs.closeSync(descriptor);
  const PROGRAM = 2;
  const LIBRARY = 3;
  const X86_64 = 62;
  const isElf64 = header.readUInt32BE(0) === 0x7f454c46 && header[4] === 2;
  return isElf64 && [PROGRAM, LIBRARY].includes(header.readUInt16LE(16)) && header.readUInt16LE(18) === X86_64;
}

function* filesBelow(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(file);
    else if (entry.isFile()) yield file;
  }
}

/** { begin, size } of a file's section .text. */
function textSection(file) {
  const match = /\s\.text\s+PROGBITS\s+([0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+)/.exec(must(READELF, ['-SW', file]));
  return match ? { begin: parseInt(match[1], 16), size: parseInt(match[2], 16) } : { begin: 0, size: 0 };
}

/** The instructions of a file, of a random window if it is large. */
function instructionsOf(file, random) {
  const { begin, size } = textSection(file);
  if (size === 0) return [];
  const start = size > WINDOW ? begin + random.below(size - WINDOW) : begin;
  const stop = Math.min(start + WINDOW, begin + size);
  const range = [`--start-address=${start}`, `--stop-address=${stop}`];
  const output = must(OBJDUMP, ['-d', '--no-show-raw-insn', '-j', '.text', ...range, file]);
  const instructions = readDisassembly(output);
  return start === begin ? instructions : instructions.filter(({ address }) => address >= start + RUN_UP);
}

/**
 * A package's blocks that can be measured: { blocks, version }, blocks as { text, length, from }; nothing without the
 * package. Those that cannot are counted in `refused` by reason.
 */
function blocksOf(name, folder, random, refused) {
  const fetched = fetchPackage(name, folder);
  if (!fetched) return undefined;
  const files = [...filesBelow(fetched.root)].filter(isCode);
  const blocks = [];
  for (let i = 0; i < FILES && files.length > 0; ++i)
    for (const block of basicBlocks(instructionsOf(random.take(files), random))) {
      const refusal = refusalOf(block);
      if (refusal) refused.set(refusal, (refused.get(refusal) ?? 0) + 1);
      else blocks.push({ text: block.join('\n'), length: block.length, from: name });
    }
  return { blocks, version: fetched.version };
}

/** Pools of the blocks of `count` random packages: { pools, packages, seen, refused }; `refused`: a Map by reason. */
export function collect(random, names, count, folder) {
  const left = [...names];
  const pools = [];
  const packages = [];
  const refused = new Map();
  while (pools.length < count && left.length > 0) {
    const name = random.take(left);
    process.stderr.write(`reading ${name}\n`);
    const found = blocksOf(name, folder, random, refused);
    if (!found || found.blocks.length === 0) continue;
    pools.push(found.blocks);
    packages.push({ name, version: found.version, blocks: found.blocks.length });
  }
  return { pools, packages, refused };
}
