// The source lines of instructions, inlined calls included, from the DWARF of the script's own run of the compiler; and
// the functions and loop statements of a file, from clang's syntax tree.
//
// Each instruction gets a label of its own before the text is assembled and linked: its address is the instruction's.
import fs from 'node:fs';
import path from 'node:path';
import { run, must } from './programs.mjs';

const LABEL = 'mca_at_';

const known = new Map();

/** The file's name without links; a file that is gone keeps its name. */
function withoutLinks(file) {
  if (!known.has(file)) known.set(file, fs.existsSync(file) ? fs.realpathSync(file) : file);
  return known.get(file);
}

/** The text with a label before each of the instructions. */
function labelled(text, instructions) {
  const lines = text.split('\n');
  instructions.forEach((instruction, i) => (lines[instruction.line] = `${LABEL}${i}:\n${lines[instruction.line]}`));
  return lines.join('\n');
}

/**
 * Sets `frames` of each of the instructions: [{ file, line, column, function }], the innermost first; frames without a
 * line are left out. `stem` names the files it writes.
 */
export async function findFrames(text, instructions, assembler, directory, stem) {
  if (instructions.length === 0) return;
  fs.writeFileSync(`${stem}.labelled.s`, labelled(text, instructions));
  await must(assembler, ['-c', '-o', `${stem}.o`, `${stem}.labelled.s`]);
  // A section of an object file begins at 0; a linked program's addresses are each one's own.
  await run('ld', ['-e', '0', '--noinhibit-exec', '--unresolved-symbols=ignore-all', '--defsym=__dso_handle=0', '-o', `${stem}.elf`, `${stem}.o`]);
  const addresses = new Map();
  for (const line of (await must('nm', [`${stem}.elf`])).split('\n')) {
    const [address, , name] = line.split(' ');
    if (name?.startsWith(LABEL)) addresses.set(Number(name.slice(LABEL.length)), address);
  }
  const input = instructions.map((_, i) => `0x${addresses.get(i)}\n`).join('');
  const output = await must('llvm-symbolizer-22', [`--obj=${stem}.elf`, '--output-style=JSON', '--inlines', '--no-demangle'], { input });
  const answers = output.trim().split('\n');
  if (answers.length !== instructions.length) throw new Error(`llvm-symbolizer: ${answers.length} of ${instructions.length}`);
  instructions.forEach((instruction, i) => {
    const frames = JSON.parse(answers[i]).Symbol ?? [];
    instruction.frames = frames
      .filter((frame) => frame.Line !== 0 && frame.FileName)
      .map((frame) => ({ file: withoutLinks(path.resolve(directory, frame.FileName)), line: frame.Line, column: frame.Column, function: frame.FunctionName }));
  });
  for (const suffix of ['labelled.s', 'o', 'elf']) fs.rmSync(`${stem}.${suffix}`, { force: true });
}

/** Of `file`, which the command compiles or includes: { functions: [{ begin, end, name }], loops: [{ begin, end, head, kind }], labels: [line] }; lines are 1-based. */
export async function readExtents(program, command, file) {
  const args = command.arguments.filter((argument) => argument !== command.file);
  const output = await must(program, [command.file, file, '--', ...args], { cwd: command.directory });
  const extents = { functions: [], loops: [], labels: [] };
  for (const line of output.split('\n')) {
    const [what, begin, end, third, kind] = line.split(' ');
    if (what === 'function') extents.functions.push({ begin: +begin, end: +end, name: third });
    else if (what === 'loop') extents.loops.push({ begin: +begin, end: +end, head: +third, kind });
    else if (what === 'label') extents.labels.push(+begin);
  }
  return extents;
}
