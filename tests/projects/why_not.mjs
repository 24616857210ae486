// A judge of what `mca-lsp --check` says about vectors: for loops of the projects, compiled by clang and by gcc, the reasons
// of `whyNot` against the compile's own record (records.mjs), and "vectorised or not" against the instructions. The loop
// of the machine code, its function and its places are the script's own; nothing here reads the product's code.
//
//   node why_not.mjs FOLDER-OF-THE-PROGRAMS FOLDER-FOR-EVERYTHING [--loops=N] [--compiler=clang|gcc] [PROJECT...]
//
// N loops of each project and compiler (default 25), and the rest of their files. Prints each difference, and fails if more
// than 1 % of the reasons differ, or if any loop with vectors is called one without, or the reverse. A loop of which the
// record has copies without a common reason has none here either, and is counted apart.
import fs from 'node:fs';
import path from 'node:path';
import { comparable, instructionsOf } from './assembly.mjs';
import { commandOf, isAssembly, shellWords } from './commands.mjs';
import { candidatesOf, linesIn, lower, pairUp, readListings } from './invariants.mjs';
import { must, run } from './programs.mjs';
import { prepare, PROJECTS, readLists } from './projects.mjs';
import { RECORDS } from './records.mjs';

const BATCH = 6;
const PROGRAMS = { c: { clang: 'clang-22', gcc: '/usr/bin/gcc' }, cpp: { clang: 'clang++-22', gcc: '/usr/bin/g++' } };
const words = process.argv.slice(2);
const option = (name) => words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const [programs, out, ...wanted] = words.filter((word) => !word.startsWith('--'));
const folder = path.resolve(out);
const loopsOfEach = Number(option('loops') ?? 25);

/** The entry as the other compiler would have it. */
function withCompiler(entry, kind) {
  const [, ...rest] = entry.arguments ?? shellWords(entry.command);
  const { command: _, ...others } = entry;
  return { ...others, arguments: [PROGRAMS[/\.c$/.test(entry.file) ? 'c' : 'cpp'][kind], ...rest] };
}

/** The loops that the product reports of the entries, by the file that is compiled: Map file → Map number → regions. */
async function check(entries, kind, work) {
  const database = path.join(work, 'database');
  fs.mkdirSync(database, { recursive: true });
  fs.writeFileSync(path.join(database, 'compile_commands.json'), JSON.stringify(entries.map(({ named, ...rest }) => ({ ...rest, file: named ?? rest.file }))));
  const result = await run(path.resolve(programs, 'mca-lsp'), ['--check', '--log=error', '--quiet', '--calibration=off', '--cpu=skylake', '--compiler=project',
    '--allowed-compiler=/usr/bin/*', '--compile-commands', database, '--format=json', '--listing', '--fail-on=never', '--jobs', '2'], { cwd: '/' });
  if (result.status !== 0) throw new Error(`mca-lsp --check: status ${result.status}\n${result.errors}`);
  const loops = new Map(entries.map(({ file }) => [file, new Map()]));
  for (const { file, regions } of JSON.parse(result.output).files)
    for (const region of regions) {
      const [of, seen] = [region.through ?? file, file].map((name) => fs.realpathSync(path.resolve('/', name)));
      if (!['loop', 'path'].includes(region.kind) || / called here(,|$)/.test(region.name) || !loops.has(of)) continue;
      const number = `${seen}:${region.loop}`;
      loops.get(of).set(number, [...(loops.get(of).get(number) ?? []), { ...region, file: seen }]);
    }
  return loops;
}

/** Instructions that compute with several elements at once. */
const PACKED = [/^v?(add|sub|mul|div|sqrt|min|max|hadd|hsub|addsub|round|cmp\w*)p[sd]$/, /^vfn?m(add|sub)\w*p[sd]$/,
  /^v?p(add|sub|mul|madd|abs|max|min|avg|sad|sll|srl|sra|rol|ror|hadd|cmp)\w*[bwdq]$/];
const WIDE_ACCESS = /^v?(mov[ua]p[sd]|movdq[ua]\d*|lddqu|p?(and|andn|or|xor)([dq]|p[sd])?|pclmul\w*|aes\w*)$/;
const registersOf = (text) => [...text.matchAll(/%(r[a-z0-9]+|e[a-z]{2})\b/g)].map(([, name]) => name.replace(/^e/, 'r').replace(/d$/, ''));

/** An instruction of the loop that shows that it works on vectors: it computes with them, or moves one at an address that changes. */
function vectorIn(instructions) {
  const texts = instructions.map(({ text }) => text);
  const written = new Set(texts.filter((text) => !/^(cmp|test|j|push)/.test(text)).flatMap((text) => registersOf(/,?\s*(%\w+)$/.exec(text)?.[1] ?? '')));
  const isMoving = (text) => registersOf(/\(.*\)/.exec(text)?.[0] ?? '').some((register) => written.has(register));
  return texts.find((text) => PACKED.some((form) => form.test(text.split(' ')[0]))) ??
    texts.find((text) => /%[xyz]mm/.test(text) && WIDE_ACCESS.test(text.split(' ')[0]) && isMoving(text));
}

const isAt = (at, frame) => at && at.line === frame.line && at.column === frame.column && (frame.file === at.file || frame.file.endsWith(`/${path.normalize(at.file).replace(/^(\.\.\/)+/, '')}`));

/** The decisions about a loop of the machine code, in its function: those on the place of a branch back, else of any branch. */
function decisionsAbout(loop, decisions) {
  const inside = decisions.filter((one) => one.function === loop.function.name || loop.function.name.startsWith(`${one.function}.`));
  const ends = (blocks) => blocks.map((block) => loop.function.instructions[loop.blocks[block].end - 1]).filter(({ text }) => /^j/.test(text));
  for (const branches of [ends(loop.latches), ends([...loop.body])]) {
    const found = inside.filter(({ head }) => head && branches.some(({ frames }) => frames?.[0] && isAt(head, frames[0])));
    if (found.length) return found;
  }
  return [];
}

const isVectorizers = ({ pass }) => ['loop-vectorize', 'vect'].includes(pass);

/**
 * Whether a reason of the product is among those of a decision: the same name (of gcc the message's beginning), at the
 * same place. A reason without a place is one of copies that differ in it. gcc's columns depend on its debug options.
 */
const isAmong = (said, decision) => decision.reasons.some(({ name, at }) =>
  said.pass === 'vect' ? name.replace(/^not vectorized[:,] /, '').startsWith(said.name) && (!said.at || said.at.line === at.line)
    : name === said.name && (!said.at || (said.at.line === at?.line && said.at.column === at?.column)));

/** What is wrong of a loop: { kind, why }; nothing if all is right. `undefined` if the record says nothing about it. */
function judge(regions, loop, decisions) {
  const [first] = regions;
  const said = (first.whyNot ?? []).filter(isVectorizers);
  const vector = vectorIn(instructionsOf(loop));
  const isCalledVector = /, vector (body|epilogue)/.test(first.name);
  if (said.length && vector) return { kind: 'called not vectorised', why: `${said[0].name}, and it has ${vector}` };
  if (isCalledVector && !vector) return { kind: 'called vectorised', why: 'no instruction computes with vectors' };
  if (decisions.length === 0 || new Set(decisions.map(({ head }) => `${head.line}:${head.column}`)).size > 1) return undefined;
  if (decisions.some(({ vectorized }) => vectorized))
    return said.length ? { kind: 'called not vectorised', why: `${said[0].name}, and the record says that a copy of it is` } : {};
  if (vector) return {};
  const recorded = decisions.map(({ reasons }) => reasons.filter(({ name }, i) => i >= reasons.length - 3 || /^not vec/.test(name)).map(({ name, at }) => `${name.slice(0, 60)} (${at?.line}:${at?.column})`).join(' + '));
  if (said.length === 0) {
    const hasName = ({ reasons }, name) => reasons.some((one) => one.name === name);
    if (decisions.every(({ reasons }) => reasons.length === 0)) return {};
    const isCommon = decisions[0].reasons.some(({ name }) => decisions.every((one) => hasName(one, name)));
    return { kind: isCommon ? 'no reason' : 'copies differ', why: recorded.join(' | ') };
  }
  const wrong = said.find((one) => !decisions.every((decision) => isAmong(one, decision)));
  return wrong ? { kind: 'another reason', why: `${wrong.name} (${wrong.at?.line}:${wrong.at?.column}); recorded: ${recorded.join(' | ')}` } : {};
}

/** Map symbol → the function's name, without its parameters. */
async function demangled(symbols) {
  const lines = (await must('llvm-cxxfilt-22', ['-p'], { input: symbols.join('\n') })).split('\n');
  return new Map(symbols.map((symbol, i) => [symbol, lines[i]]));
}

/** The loops of one compile, each judged: [{ region, function, isJoined, hasReason, kind?, why? }]. */
async function judgeEntry(entry, kind, loops, stem) {
  const record = RECORDS[kind];
  const code = await lower(entry, kind, record.flags(stem), stem);
  if (!code.accepted) return [];
  const decisions = record.read(stem);
  const byFirst = new Map();
  for (const loop of code.loops.filter((one) => one.isInnermost)) {
    const text = comparable(loop.function.instructions[loop.blocks[loop.header].begin].text);
    byFirst.set(text, [...(byFirst.get(text) ?? []), loop]);
  }
  const reported = [...loops.values()];
  await readListings(reported.flat(), kind);
  const same = new Map(reported.map((regions) => [regions, [...candidatesOf(regions, byFirst).keys()]]));
  const onLines = (regions) => same.get(regions).filter((loop) => linesIn(regions[0].file, loop).has(regions[0].firstLine));
  const names = await demangled([...new Set(code.loops.map((loop) => loop.function.name))]);
  const named = (regions) => onLines(regions).filter((loop) => regions[0].name.split(/[\s,]/).includes(names.get(loop.function.name)));
  const paired = pairUp(reported, [named, onLines]);
  return [...paired].map(([regions, loop]) => {
    const about = decisionsAbout(loop, decisions);
    const judged = judge(regions, loop, about);
    return { region: regions[0], function: loop.function.name, isJoined: judged !== undefined, hasReason: Boolean(regions[0].whyNot?.some(isVectorizers)), ...judged };
  });
}

async function judgeProject(project, kind) {
  const { entries: all } = await prepare(project, folder, () => lists, () => {});
  const entries = all.filter(({ file }) => !isAssembly(file)).map((entry) => withCompiler(entry, kind));
  const work = path.join(folder, 'why_not', `${project.name}-${kind}`);
  fs.mkdirSync(work, { recursive: true });
  const step = Math.max(1, Math.ceil(entries.length / BATCH));
  const judged = [];
  // Each batch has files from the whole list.
  for (let batch = 0; batch < step && judged.filter(({ isJoined }) => isJoined).length < loopsOfEach; ++batch) {
    const chosen = entries.filter((_, i) => i % step === batch);
    const loops = await check(chosen, kind, work);
    for (const [i, entry] of chosen.entries()) judged.push(...(await judgeEntry(entry, kind, loops.get(entry.file), path.join(work, String(i)))));
  }
  return judged;
}

const chosen = PROJECTS.filter(({ name }) => name !== 'gmp' && (wanted.length === 0 || wanted.includes(name)));
const kinds = option('compiler') ? [option('compiler')] : ['clang', 'gcc'];
const lists = await readLists(folder);
const everything = [];
for (const project of chosen)
  for (const kind of kinds) {
    const judged = await judgeProject(project, kind);
    everything.push(...judged);
    const joined = judged.filter(({ isJoined }) => isJoined);
    const wrong = judged.filter((one) => one.kind);
    console.log(`${project.name} (${kind}): ${judged.length} loops, ${joined.length} in the record, ${judged.filter(({ hasReason }) => hasReason).length} with a reason, ${wrong.length} differ`);
    for (const one of wrong) console.log(`  ${one.kind}: ${one.region.file}:${one.region.line}: ${one.region.name} (${one.function}): ${one.why}`);
  }
const count = (...names) => everything.filter(({ kind }) => names.includes(kind)).length;
const joined = everything.filter(({ isJoined }) => isJoined).length;
const reasons = count('no reason', 'another reason'), vectors = count('called not vectorised', 'called vectorised');
console.log(`\n${everything.length} loops of ${chosen.length} projects, ${joined} of them in the record: ${count('copies differ')} have copies without a common reason, and of the others ${reasons} reasons differ (${(100 - (100 * reasons) / Math.max(joined, 1)).toFixed(1)} % right), ${vectors} wrong about vectors`);
process.exitCode = reasons > 0.01 * joined || vectors > 0 || joined === 0 ? 1 : 0;
