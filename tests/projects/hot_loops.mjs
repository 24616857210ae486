// An attribution of perf's samples to loops that shares nothing with ours: objdump's disassembly, natural loops over
// addresses by dominators, and for each sample the smallest loop around its address.
//
//   node hot_loops.mjs PROGRAM PERF-SCRIPT CHECK-JSON
//
// compares it with the shares in the JSON of `mca-lsp --check --profile`: of each function whose loops have shares by the
// machine code, a loop of ours is the same as one of objdump's if both have the same weight. Prints how much of the
// weight of these loops agrees, and Kendall's tau of the ten hottest. Of these, two have an order if their samples differ
// by more than twice the standard deviation of that difference, which is the root of their sum; other pairs do not count.
// Fails if less than 98 % agrees, or tau is below 0.95.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

const options = { encoding: 'utf8', maxBuffer: 1 << 30 };

/** The name of a function as our reports have it: without the types around it, its parameters and arguments. */
function plainName(name) {
  let plain = name.replace(/\(anonymous namespace\)/g, '').replace(/\(.*$/, '');
  for (let before; before !== plain;) {
    before = plain;
    plain = plain.replace(/<[^<>]*>/g, '');
  }
  return plain.slice(plain.lastIndexOf('::') + 1).replace(/^:/, '').trim();
}

/** The functions of a program: the instructions of each with address, size, where it jumps and whether it goes on. */
function disassemble(program) {
  const functions = new Map();
  let current;
  for (const line of execFileSync('objdump', ['-d', '--no-show-raw-insn', program], options).split('\n')) {
    const head = /^([0-9a-f]+) <(.+)>:$/.exec(line);
    if (head)
      functions.set(head[2], (current = { start: parseInt(head[1], 16), instructions: [] }));
    const instruction = /^\s*([0-9a-f]+):\s+(.*)$/.exec(line);
    if (!instruction || !current)
      continue;
    const words = instruction[2].replace(/^((notrack|bnd|lock|rep|repz|repnz|cs|ds)\s+)+/, '');
    const jump = /^(j\w+|loop\w*)\s+([0-9a-f]+)\b/.exec(words);
    current.instructions.push({
      address: parseInt(instruction[1], 16),
      target: jump ? parseInt(jump[2], 16) : undefined,
      goesOn: !/^(jmp|ret|ud2|hlt)/.test(words),
    });
  }
  return functions;
}

/** The natural loops of a function: sets of indices of instructions. */
function loopsOf({ instructions }) {
  const at = new Map(instructions.map((one, i) => [one.address, i]));
  const next = instructions.map((one, i) => {
    const all = [];
    if (one.goesOn && i + 1 < instructions.length)
      all.push(i + 1);
    if (one.target !== undefined && at.has(one.target))
      all.push(at.get(one.target));
    return all;
  });
  // Blocks keep the dominators small.
  const leads = new Set([0]);
  next.forEach((all, i) => {
    if (all.length !== 1 || all[0] !== i + 1) {
      all.forEach((one) => leads.add(one));
      leads.add(i + 1);
    }
  });
  const starts = [...leads].filter((one) => one < instructions.length).sort((a, b) => a - b);
  const blockOf = [];
  starts.forEach((start, block) => {
    for (let i = start; i < (starts[block + 1] ?? instructions.length); ++i)
      blockOf[i] = block;
  });
  const successors = starts.map((start, block) => next[(starts[block + 1] ?? instructions.length) - 1].map((one) => blockOf[one]));
  const predecessors = starts.map(() => []);
  successors.forEach((all, block) => all.forEach((one) => predecessors[one].push(block)));
  // What nothing jumps to is the target of a jump table: an entry, too.
  const everything = new Set(starts.keys());
  const dominators = starts.map((_, block) => (block === 0 || !predecessors[block].length ? new Set([block]) : everything));
  for (let changed = true; changed;) {
    changed = false;
    for (let block = 1; block < starts.length; ++block) {
      if (!predecessors[block].length)
        continue;
      let common;
      for (const one of predecessors[block])
        common = common ? new Set([...common].filter((other) => dominators[one].has(other))) : new Set(dominators[one]);
      common.add(block);
      if (common.size !== dominators[block].size) {
        dominators[block] = common;
        changed = true;
      }
    }
  }
  const byHeader = new Map();
  successors.forEach((all, block) => all.forEach((header) => {
    if (!dominators[block].has(header))
      return;
    const body = byHeader.get(header) ?? new Set([header]);
    byHeader.set(header, body);
    for (const open = [block]; open.length;) {
      const one = open.pop();
      if (!body.has(one)) {
        body.add(one);
        open.push(...predecessors[one]);
      }
    }
  }));
  return [...byHeader.values()].map((body) => new Set([...instructions.keys()].filter((i) => body.has(blockOf[i]))));
}

/** The symbols by their plain names. */
function byPlainName(symbols) {
  const input = symbols.join('\n');
  const demangled = execFileSync('c++filt', { ...options, input }).split('\n');
  const names = new Map();
  symbols.forEach((symbol, i) => {
    const plain = plainName(demangled[i]);
    names.set(plain, [...(names.get(plain) ?? []), symbol]);
  });
  return names;
}

/** The weight of each symbol and offset. */
function samplesOf(file) {
  const samples = new Map();
  let total = 0, count = 0;
  for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
    const words = /\s(\d+) [\w-]+:\S*\s+[0-9a-f]+ (.*) \(/.exec(line);
    if (!words)
      continue;
    const weight = Number(words[1]);
    total += weight;
    ++count;
    const place = /^(.*)\+0x([0-9a-f]+)$/.exec(words[2]);
    if (!place)
      continue;
    const ofFunction = samples.get(place[1]) ?? new Map();
    samples.set(place[1], ofFunction);
    const offset = parseInt(place[2], 16);
    ofFunction.set(offset, (ofFunction.get(offset) ?? 0) + weight);
  }
  return { samples, total, count };
}

/** The weights of a function's innermost loops. */
function weightsOf(code, offsets) {
  const loops = loopsOf(code);
  const innermost = loops.filter((loop) => !loops.some((other) => other.size < loop.size && [...other].every((one) => loop.has(one))));
  return innermost.map((loop) => [...loop].reduce((sum, i) => sum + (offsets.get(code.instructions[i].address - code.start) ?? 0), 0))
    .filter((weight) => weight > 0);
}

/** Our loops by function, each once: a loop that was inlined several times has a region at each call. */
function oursOf(file) {
  const functions = new Map();
  for (const checked of JSON.parse(fs.readFileSync(file, 'utf8')).files)
    for (const region of checked.regions) {
      const name = /\b(?:in|into|of) (.*?)(?:, | at line |$)/.exec(region.instance)?.[1];
      if (!name || !['loop', 'path'].includes(region.kind) || !region.profile || region.profile.byLines || region.profile.change)
        continue;
      const plain = plainName(name);
      const loops = functions.get(plain) ?? new Map();
      functions.set(plain, loops);
      loops.set(`${checked.file}:${region.loop}`, region.profile.share);
    }
  return functions;
}

/** Of pairs of shares, ours and theirs, of so many samples. */
function tauOf(pairs, count) {
  let agree = 0, all = 0;
  for (let i = 0; i < pairs.length; ++i)
    for (let j = i + 1; j < pairs.length; ++j) {
      const first = pairs[i][0] * count, second = pairs[j][0] * count;
      if (Math.abs(first - second) <= 2 * Math.sqrt(first + second))
        continue;
      ++all;
      agree += Math.sign((pairs[i][0] - pairs[j][0]) * (pairs[i][1] - pairs[j][1]));
    }
  return all ? agree / all : 1;
}

const [program, perf, json] = process.argv.slice(2);
const functions = disassemble(program);
const { samples, total, count } = samplesOf(perf);
const symbols = byPlainName([...functions.keys()]);
const ours = oursOf(json);
let agreed = 0, judged = 0;
const pairs = [];
for (const [name, loops] of ours) {
  const left = [...loops.values()].filter((share) => share > 0);
  // Functions of one name are one for us if a report does not have their types.
  const weights = (symbols.get(name) ?? []).filter((symbol) => samples.has(symbol))
    .flatMap((symbol) => weightsOf(functions.get(symbol), samples.get(symbol)));
  for (const weight of weights) {
    judged += weight;
    const same = left.findIndex((share) => Math.abs(share * total - weight) < 1);
    const nearest = same >= 0 ? same : left.reduce((best, share, i) => (best < 0 || Math.abs(share * total - weight) < Math.abs(left[best] * total - weight) ? i : best), -1);
    pairs.push([weight / total, nearest < 0 ? 0 : left[nearest], name]);
    if (same >= 0) {
      agreed += weight;
      left.splice(same, 1);
    }
  }
}
pairs.sort((a, b) => b[0] - a[0]);
for (const [theirs, own, name] of pairs.slice(0, 10))
  console.log(`${(100 * theirs).toFixed(2).padStart(6)} % ${(100 * own).toFixed(2).padStart(6)} %  ${name}`);
const tau = tauOf(pairs.slice(0, 10), count);
console.log(`${(100 * agreed / Math.max(judged, 1)).toFixed(2)} % of the weight of ${pairs.length} loops agrees (${(100 * judged / total).toFixed(1)} % of all); tau of the ten hottest ${tau.toFixed(2)}`);
process.exitCode = agreed >= 0.98 * judged && judged > 0 && tau >= 0.95 ? 0 : 1;
