// The loops of an assembly source as the assembler made them: its object file, disassembled, whatever the source wrote as
// macros, included from other files or spelled as bytes.
import { commandOf } from './commands.mjs';
import { must, run } from './programs.mjs';
import fs from 'node:fs';

const JUMP = /^(j[a-z]+|loop\w*)\s+0x([0-9a-f]+)/;
const ANY_JUMP = /^(j[a-z]+|loop\w*|ret\w*|call\w*)\b/;

/**
 * The innermost loops without a branch in them, in the order of the code: { count, lines: [{ file, line }] }. Undefined if
 * the assembler rejects the file, with its words in `errors`.
 */
export async function straightLoops(entry, stem) {
  const object = `${stem}.o`;
  const command = commandOf(entry, ['-g', '-c', '-o', object]);
  const assembled = await run(command.program, command.arguments, { cwd: command.directory });
  if (assembled.status !== 0) return { errors: assembled.errors };
  const output = await must('llvm-objdump-22', ['-d', '-l', '--no-show-raw-insn', object]);
  fs.rmSync(object);
  return { loops: readLoops(output) };
}

function readLoops(output) {
  const instructions = [];
  let place;
  let section = '';
  for (const line of output.split('\n')) {
    const at = /^; (\/.*):(\d+)$/.exec(line);
    if (at) place = { file: at[1], line: Number(at[2]) };
    const code = /^\s+([0-9a-f]+):\s+(\S.*)$/.exec(line);
    if (code) instructions.push({ section, address: parseInt(code[1], 16), text: code[2], place });
    if (line.startsWith('Disassembly of section')) section = line;
  }
  const loops = [];
  instructions.forEach((last, end) => {
    const jump = JUMP.exec(last.text);
    if (!jump || parseInt(jump[2], 16) > last.address) return;
    const begin = instructions.findLastIndex((one, i) => i <= end && one.section === last.section && one.address === parseInt(jump[2], 16));
    const body = begin < 0 ? [] : instructions.slice(begin, end + 1);
    if (body.length && !body.slice(0, -1).some(({ text }) => ANY_JUMP.test(text)))
      loops.push({ count: body.length, lines: body.map((one) => one.place).filter(Boolean) });
  });
  return loops;
}
