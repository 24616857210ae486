// An argument of the script's own for how many iterations of the source's loop one of the machine code's does.
//
// The file is compiled once more without vectorizing and unrolling. There, one iteration of the loop that the same
// statement became is one of the source's. An access that a loop of the real code makes at a place of the source moves
// as many times farther as that loop does iterations. Where nothing moves, the compiler's remarks must allow the number.
import { comparable, instructionsOf } from './assembly.mjs';
import { movementsOf } from './movement.mjs';

export const UNTRANSFORMED = {
  clang: ['-fno-vectorize', '-fno-slp-vectorize', '-fno-unroll-loops'],
  gcc: ['-fno-tree-vectorize', '-fno-tree-slp-vectorize', '-fno-unroll-loops', '-fno-split-loops', '-fno-peel-loops'],
};
export const REMARKS = {
  clang: ['-Rpass=loop-(vectorize|unroll)'],
  gcc: ['-fopt-info-vec-optimized', '-fopt-info-loop-optimized'],
};

const keyOf = (frames) => frames.map((frame) => `${frame.file}:${frame.line}:${frame.column}`).join('@');
const lineKeyOf = (frames) => frames.map((frame) => `${frame.file}:${frame.line}`).join('@');

const MOST_WAYS = 64;

/** The places of the branches that go back to the header: what distinguishes loops of one statement from those of another. */
const backBranches = (loop) =>
  new Set(loop.latches.map((latch) => lineKeyOf(loop.function.instructions[loop.blocks[latch].end - 1].frames ?? [])));

/** All ways through a loop, from its header to a latch; none when there are more than 64. */
function waysThrough(loop) {
  const ways = [];
  const walk = (index, way, visited) => {
    if (ways.length > MOST_WAYS) return;
    const block = loop.blocks[index];
    const longer = [...way, ...loop.function.instructions.slice(block.begin, block.end)];
    for (const next of block.successors) {
      if (next === loop.header) ways.push(longer);
      else if (loop.body.has(next) && !visited.has(next)) walk(next, longer, new Set([...visited, next]));
    }
  };
  walk(loop.header, [], new Set([loop.header]));
  return ways.length > MOST_WAYS ? [] : ways;
}

/** Remarks by line of the file: the factors that vectorizer and unroller say they applied there. */
export function readRemarks(errors, file) {
  const byLine = new Map();
  for (const line of errors.split('\n')) {
    const at = /^(.*?):(\d+):\d+: (?:remark|optimized): (.*)$/.exec(line);
    if (!at || !(file.endsWith(at[1].replace(/^(\.\.?\/)+/, '')))) continue;
    const width = /vectorization width: (\d+), interleaved count: (\d+)/.exec(at[3]);
    const interleaved = /interleaved loop \(interleaved count: (\d+)\)/.exec(at[3]);
    const unrolled = /unrolled (?:loop )?(?:by a factor of )?(\d+)(?: times)?/.exec(at[3]);
    const gcc = /loop vectorized using (?:variable length|(\d+) byte) vectors/.exec(at[3]);
    const remark = width ? { vector: width[1] * width[2] } : interleaved ? { vector: +interleaved[1] } : unrolled ? { unroll: +unrolled[1] }
      : gcc ? { gccVector: true } : undefined;
    if (remark) byLine.set(+at[2], [...(byLine.get(+at[2]) ?? []), remark]);
  }
  return byLine;
}

/**
 * { factors: Set, how }: what the addresses allow; no factors where nothing is to be seen. `way` are the instructions
 * of the region, `plainLoops` the loops of the untransformed code, all with frames.
 */
export function factorsFromMovement(loop, way, plainLoops) {
  const back = backBranches(loop);
  // A macro or a template makes several functions on the same lines.
  const same = plainLoops.filter(
    (other) => other.function.name === loop.function.name && [...backBranches(other)].some((key) => key !== '' && back.has(key)));
  const plain = new Map();
  for (const other of same)
    for (const { instruction, bytes } of waysThrough(other).flatMap(movementsOf)) {
      const key = keyOf(instruction.frames ?? []);
      if (key) plain.set(key, (plain.get(key) ?? new Set()).add(bytes === undefined ? undefined : Math.abs(bytes)));
    }
  const factors = new Set();
  for (const { instruction, bytes } of movementsOf(way)) {
    const steps = plain.get(keyOf(instruction.frames ?? []));
    const [step] = steps?.size === 1 ? steps : [];
    if (step && bytes) factors.add(Math.abs(bytes) / step); // what does not move says nothing, nor what moves in several ways
  }
  return factors;
}

/** Whether the untransformed code has the same loop. */
export const isUntransformed = (way, plainTexts) => plainTexts.has(textOf(way));
export const textOf = (instructions) => instructions.map(({ text }) => comparable(text)).join('\n');

/** The products of vectorizing and unrolling that the remarks on these lines allow; always 1. */
export function factorsFromRemarks(lines, remarks) {
  const vector = new Set([1]);
  const unroll = new Set([1]);
  for (const line of lines)
    for (const remark of remarks.get(line) ?? []) {
      if (remark.vector) vector.add(remark.vector);
      if (remark.unroll) unroll.add(remark.unroll);
      if (remark.gccVector) for (const width of [2, 4, 8, 16, 32]) vector.add(width);
    }
  return new Set([...vector].flatMap((a) => [...unroll].map((b) => a * b)));
}
