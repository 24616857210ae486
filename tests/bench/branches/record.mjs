// Records the trace of one call of a kernel under qemu-user. Its log lists the instructions of each block when it is
// translated, and the block's address whenever it runs.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const run = (command, ...args) => execFileSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
const hex = (text) => parseInt(text, 16);

/** The first address of a function, and its last. */
function extentOf(program, kernel) {
  for (const [, start, size, name] of run('nm', '-S', program).matchAll(/^(\w+) (\w+) T (\w+)$/gm))
    if (name === kernel) return [hex(start), hex(start) + hex(size) - 1];
  throw new Error(`${program} has no function ${kernel}`);
}

/** Labels of the program's code by address; the assembler was told to keep the local ones. */
const labelsOf = (program) =>
  new Map([...run('nm', program).matchAll(/^(\w+) t (\.L\w+)$/gm)].map(([, address, name]) => [hex(address), name]));

/** The token for the last instruction of a block, before the block at `next`; none for a direct jump. */
function tokenOf(instruction, next, labels) {
  const [mnemonic, operand = ''] = instruction.split(/\s+/);
  if (mnemonic.startsWith('ret')) return 'RET';
  if (mnemonic.startsWith('jmp')) return operand.startsWith('*') ? labels.get(next) : undefined;
  if (mnemonic.startsWith('j')) return hex(operand) === next ? 'T' : 'N';
  if (mnemonic.startsWith('call')) throw new Error('kernels call nothing');
  return undefined; // a block ends at the end of a page as well
}

/** Writes the trace of one call of `kernel` with this data; returns the file. */
export function recordTrace(program, kernel, data, folder) {
  const log = path.join(folder, 'qemu.log');
  const range = extentOf(program, kernel).map((address) => `0x${address.toString(16)}`);
  const logged = ['-d', 'exec,in_asm,nochain', '-dfilter', range.join('..'), '-D', log];
  run('qemu-x86_64', ...logged, program, 'run', kernel, data);
  const labels = labelsOf(program);
  const lastOf = new Map(); // instruction of the block that starts at an address
  const blocks = [];
  let start;
  for (const line of fs.readFileSync(log, 'latin1').split('\n')) {
    const ran = /^Trace \d+: \S+ \[\w+\/(\w+)\//.exec(line);
    const translated = /^0x(\w+): +(?:[0-9a-f]{2} )+ +(\S.*)$/.exec(line);
    if (ran) blocks.push(hex(ran[1]));
    else if (translated) lastOf.set((start ??= hex(translated[1])), translated[2]);
    else if (line.startsWith('IN:')) start = undefined;
  }
  fs.rmSync(log);
  const tokens = blocks.map((block, i) => tokenOf(lastOf.get(block), blocks[i + 1], labels)).filter(Boolean);
  const file = path.join(folder, `${kernel}-${data}.mcatrace`);
  fs.writeFileSync(file, `mcatrace 1\ntrace ${kernel}: ENTRY ${tokens.join(' ')}\n`);
  return file;
}
