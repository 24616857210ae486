// A compiler's x86-64 assembly, read without the product's parser: functions, basic blocks and loops.
//
// Clang marks each loop in a comment, gcc does not: loops come from dominators here, for both. Code that no return
// reaches after a call to a function that never returns is not known as such but for the usual names.
import { must } from './programs.mjs';

const NEVER_RETURNS =
  /^(call\w*)\s+(abort|exit|_exit|__stack_chk_fail|__assert_fail|__assert|_Unwind_Resume|__cxa_throw|__cxa_rethrow|__cxa_call_unexpected|__clang_call_terminate|__chk_fail|longjmp|_ZSt\d+__throw_\w+|_ZSt9terminatev)(@PLT)?$/;
const ENDS = /^(rep\s+)?(ret[lqw]?|ud2|hlt|int3)\b/;
const LABEL = /^([\w.$@]+):/;

/** The text of an instruction without its comment, blanks as one; labels that only the assembler sees all read ".L". */
export const plain = (text) => text.replace(/\s*#.*$/, '').trim().replace(/\s+/g, ' ');
export const comparable = (text) => plain(text).replace(/\.L[\w.$]+/g, '.L');

/** { functions: [{ name, instructions: [{ text, line, labels }] }], tables: Map label → labels } */
export function readAssembly(text) {
  const functions = [];
  const tables = new Map();
  const names = new Set([...text.matchAll(/^\s*\.type\s+([^\s,]+),\s*[@%]function/gm)].map((match) => match[1]));
  let current;
  let labels = [];
  let table;
  text.split('\n').forEach((raw, line) => {
    const label = LABEL.exec(raw);
    if (label) {
      table = label[1];
      if (names.has(label[1])) functions.push((current = { name: label[1], instructions: [] }));
      labels.push(label[1]);
      return;
    }
    const code = plain(raw);
    const entry = /^\.(quad|long|value|8byte|4byte)\s+(\.L[\w.$]+)/.exec(code);
    if (entry) tables.set(table, [...(tables.get(table) ?? []), entry[2]]);
    const size = /^\.size\s+([^\s,]+),/.exec(code);
    if (size && current?.name === size[1]) current = undefined;
    if (code === '' || code.startsWith('.') || code.startsWith('#') || !current) return;
    current.instructions.push({ text: code, line, labels });
    labels = [];
  });
  return { functions, tables };
}

/** Writes the text of each of these objects as LLVM does: gcc's words for some instructions differ. */
export async function inLlvmsWords(all) {
  if (all.length === 0) return;
  const input = all.map((instruction) => `${instruction.text}\n`).join('');
  const output = await must('llvm-mc-22', ['--triple=x86_64-linux-gnu', '--mattr=+avx2,+avx512f,+avx512bw,+avx512vl,+avx512dq'], { input });
  const lines = output.split('\n').map(plain).filter((line) => line !== '' && !line.startsWith('.'));
  if (lines.length !== all.length) throw new Error(`llvm-mc: ${lines.length} instructions of ${all.length}`);
  all.forEach((instruction, i) => (instruction.text = lines[i]));
}

const isJump = (text) => /^(notrack )?j[a-z]+ /.test(text);
const isPlainJump = (text) => /^(notrack )?jmp[lq]? /.test(text);
const targetOf = (text) => /\s(\.?[\w.$@]+)$/.exec(text)?.[1];
const isIndirect = (text) => /^(notrack )?jmp[lq]? \*/.test(text);

/**
 * The labels whose addresses the registers have that a block's last loads take tables from: by the last load of the
 * address before the block, or by any if there is none.
 */
function tablesHeld(instructions, begin, end) {
  const bases = new Set();
  for (const { text } of instructions.slice(begin, end)) {
    const base = /^movslq \((%\w+),%\w+,4\)/.exec(text);
    if (base) bases.add(base[1]);
  }
  const loads = instructions
    .map(({ text }, at) => ({ at, match: /^lea[lq] (\.L[\w.$]+)\(%rip\), (%\w+)$/.exec(text) }))
    .filter(({ match }) => match && bases.has(match[2]));
  const before = [...bases].map((base) => loads.findLast(({ at, match }) => at < end && match[2] === base)).filter(Boolean);
  return (before.length ? before : loads).map(({ match }) => match[1]);
}

/** [{ begin, end, successors }], by index of instruction; half-open. */
function blocksOf({ instructions }, tables) {
  const starts = new Set([0]);
  instructions.forEach((instruction, i) => {
    if (instruction.labels.length) starts.add(i);
    if (isJump(instruction.text) || ENDS.test(instruction.text) || NEVER_RETURNS.test(instruction.text)) starts.add(i + 1);
  });
  const begins = [...starts].filter((start) => start < instructions.length).sort((a, b) => a - b);
  const blockOfLabel = new Map();
  begins.forEach((begin, i) => instructions[begin].labels.forEach((label) => blockOfLabel.set(label, i)));
  const named = (first, last) =>
    [...instructions.slice(first, last).map(({ text }) => text).join('\n').matchAll(/\.L[\w.$]+/g)]
      .map((match) => match[0])
      .filter((label) => tables.has(label));
  return begins.map((begin, i) => {
    const end = begins[i + 1] ?? instructions.length;
    const { text } = instructions[end - 1];
    const successors = new Set();
    if (isIndirect(text)) {
      const near = named(begin, end);
      const held = near.length ? near : tablesHeld(instructions, begin, end).filter((label) => tables.has(label));
      for (const table of held.length ? held : named(0, instructions.length))
        for (const label of tables.get(table)) if (blockOfLabel.has(label)) successors.add(blockOfLabel.get(label));
    } else if (isJump(text) && blockOfLabel.has(targetOf(text))) {
      successors.add(blockOfLabel.get(targetOf(text)));
    }
    if (!isPlainJump(text) && !ENDS.test(text) && !NEVER_RETURNS.test(text) && i + 1 < begins.length) successors.add(i + 1);
    return { begin, end, successors: [...successors] };
  });
}

/** Blocks in reverse postorder from the entries: the first block, and those that only an exception reaches. */
function reversePostorder(blocks) {
  const seen = new Set();
  const order = [];
  const walk = (root) => {
    const stack = [[root, 0]];
    seen.add(root);
    while (stack.length) {
      const top = stack.at(-1);
      const next = blocks[top[0]].successors[top[1]++];
      if (next === undefined) order.push(stack.pop()[0]);
      else if (!seen.has(next)) {
        seen.add(next);
        stack.push([next, 0]);
      }
    }
  };
  const reached = new Set(blocks.flatMap((block) => block.successors));
  const roots = blocks.map((_, i) => i).filter((i) => i === 0 || !reached.has(i));
  for (const root of roots.reverse()) if (!seen.has(root)) walk(root);
  for (let i = 0; i < blocks.length; ++i) if (!seen.has(i)) walk(i);
  return { order: order.reverse(), roots: new Set(roots) };
}

/** The immediate dominator of each block; -1 stands for the outside. */
function dominatorsOf(blocks, predecessors) {
  const { order, roots } = reversePostorder(blocks);
  const position = new Map(order.map((block, i) => [block, i]));
  const idom = new Array(blocks.length).fill(undefined);
  const rank = (block) => (block === -1 ? -1 : position.get(block));
  const common = (a, b) => {
    while (a !== b) {
      while (rank(a) > rank(b)) a = idom[a];
      while (rank(b) > rank(a)) b = idom[b];
    }
    return a;
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (const block of order) {
      let found = roots.has(block) ? -1 : undefined;
      for (const from of predecessors[block])
        if (idom[from] !== undefined) found = found === undefined ? from : common(found, from);
      found ??= -1;
      if (idom[block] !== found) {
        idom[block] = found;
        changed = true;
      }
    }
  }
  return idom;
}

/**
 * Cycles that can be entered at several blocks, each once for each block that may be called its begin: the entries, and
 * those that each way around goes through. `headers`: of natural loops.
 */
function irreducibleLoopsOf(blocks, predecessors, headers, dominates) {
  const inner = blocks.map((block, i) => block.successors.filter((to) => !(headers.has(to) && dominates(to, i))));
  const isOnEachWay = (block, body) => {
    const rest = inner.map((successors, i) => (body.has(i) && i !== block ? successors.filter((to) => body.has(to) && to !== block) : []));
    return stronglyConnected(rest).every((component) => component.size === 1) && rest.every((successors, i) => !successors.includes(i));
  };
  return stronglyConnected(inner)
    .filter((body) => body.size > 1)
    .flatMap((body) => {
      const entries = [...body].filter((block) => predecessors[block].some((from) => !body.has(from)));
      const others = [...body].filter((block) => !entries.includes(block) && isOnEachWay(block, body));
      return [...entries, ...others].map((header) => ({ header, body, latches: predecessors[header].filter((from) => body.has(from)), isTwin: header !== entries[0] }));
    });
}

/** Tarjan's algorithm, with a stack of its own. */
function stronglyConnected(successors) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const onStack = new Set();
  const components = [];
  for (let root = 0; root < successors.length; ++root) {
    if (index.has(root)) continue;
    const work = [[root, 0]];
    while (work.length) {
      const top = work.at(-1);
      const [at] = top;
      if (top[1] === 0) {
        index.set(at, index.size);
        low.set(at, index.get(at));
        stack.push(at);
        onStack.add(at);
      }
      const next = successors[at][top[1]++];
      if (next !== undefined) {
        if (!index.has(next)) work.push([next, 0]);
        else if (onStack.has(next)) low.set(at, Math.min(low.get(at), index.get(next)));
        continue;
      }
      work.pop();
      if (work.length) low.set(work.at(-1)[0], Math.min(low.get(work.at(-1)[0]), low.get(at)));
      if (low.get(at) !== index.get(at)) continue;
      const component = new Set();
      for (let block; block !== at; ) {
        block = stack.pop();
        onStack.delete(block);
        component.add(block);
      }
      components.push(component);
    }
  }
  return components;
}

/**
 * The loops of a function: { header, body: Set, latches, isInnermost }, by index of block. Natural loops of one header
 * are one; a cycle with several entries is a loop from each of its begins.
 */
function loopsOf(blocks) {
  const predecessors = blocks.map(() => []);
  blocks.forEach((block, i) => block.successors.forEach((to) => predecessors[to].push(i)));
  const idom = dominatorsOf(blocks, predecessors);
  const dominates = (a, b) => {
    while (b !== -1 && b !== a) b = idom[b];
    return b === a;
  };
  const byHeader = new Map();
  blocks.forEach((block, i) => {
    for (const to of block.successors)
      if (dominates(to, i)) byHeader.set(to, [...(byHeader.get(to) ?? []), i]);
  });
  const loops = [...byHeader].map(([header, latches]) => {
    const body = new Set([header]);
    const work = [...latches];
    while (work.length) {
      const block = work.pop();
      if (body.has(block)) continue;
      body.add(block);
      work.push(...predecessors[block]);
    }
    return { header, body, latches };
  });
  loops.push(...irreducibleLoopsOf(blocks, predecessors, new Set(byHeader.keys()), dominates));
  for (const loop of loops)
    loop.isInnermost = !loop.isTwin && !loops.some((other) => other.body !== loop.body && other !== loop && loop.body.has(other.header));
  return loops;
}

/** All loops of the text: { function, blocks, header, body, latches, isInnermost }. */
export function findLoops({ functions, tables }) {
  return functions.flatMap((one) => {
    if (one.instructions.length === 0) return [];
    const blocks = blocksOf(one, tables);
    return loopsOf(blocks).map((loop) => ({ ...loop, function: one, blocks }));
  });
}

/** Those of a loop, in layout order. */
export const instructionsOf = (loop) =>
  [...loop.body].sort((a, b) => a - b).flatMap((i) => loop.function.instructions.slice(loop.blocks[i].begin, loop.blocks[i].end));

/**
 * A way through the loop from its header to one of its latches whose instructions read as `listing` does (comparable
 * lines); undefined when there is none.
 */
export function pathThrough(loop, listing) {
  const walk = (index, at, visited) => {
    const block = loop.blocks[index];
    const instructions = loop.function.instructions.slice(block.begin, block.end);
    for (let i = 0; i < instructions.length; ++i)
      if (comparable(instructions[i].text) !== listing[at + i]) return undefined;
    const end = at + instructions.length;
    if (end === listing.length) return block.successors.includes(loop.header) ? instructions : undefined;
    for (const next of block.successors) {
      if (!loop.body.has(next) || visited.has(next)) continue;
      const rest = walk(next, end, new Set([...visited, next]));
      if (rest) return [...instructions, ...rest];
    }
    return undefined;
  };
  return walk(loop.header, 0, new Set([loop.header]));
}
