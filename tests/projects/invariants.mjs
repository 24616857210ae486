// What must hold for each loop that `mca-lsp --check` reports of one file, by evidence of the script's own.
import fs from 'node:fs';
import { comparable, findLoops, inLlvmsWords, instructionsOf, pathThrough, plain, readAssembly } from './assembly.mjs';
import { commandOf } from './commands.mjs';
import { factorsFromMovement, factorsFromRemarks, isUntransformed, readRemarks, REMARKS, textOf, UNTRANSFORMED } from './factors.mjs';
import { findFrames, readExtents } from './places.mjs';
import { run } from './programs.mjs';

const LINES = { clang: ['-gline-tables-only'], gcc: ['-g1'] };

/** A call of a function that the text names, or a jump to it. */
const CALL = /^(?:call|callq|jmp) ([A-Za-z_][\w.$]*)/;

/** The file as its compiler lowers it: { accepted, errors, loops, callers: Map function → [{ function, frames }] }, loops' instructions with frames. */
export async function lower(entry, kind, extra, stem) {
  const command = commandOf(entry, [...LINES[kind], ...extra, '-S', '-o', `${stem}.s`]);
  const result = await run(command.program, command.arguments, { cwd: command.directory });
  if (result.status !== 0) return { accepted: false, errors: result.errors, loops: [], callers: new Map() };
  const text = fs.readFileSync(`${stem}.s`, 'utf8');
  const assembly = readAssembly(text);
  if (kind === 'gcc') await inLlvmsWords(assembly.functions.flatMap((one) => one.instructions));
  const loops = findLoops(assembly);
  const calls = assembly.functions.flatMap((one) =>
    one.instructions.filter(({ text }) => CALL.test(text)).map((instruction) => ({ function: one.name, callee: CALL.exec(instruction.text)[1], instruction })));
  const asked = [...new Set([...loops.flatMap(instructionsOf), ...calls.map(({ instruction }) => instruction)])];
  await findFrames(text, asked, command.program, entry.directory, stem);
  fs.rmSync(`${stem}.s`);
  const callers = new Map();
  for (const { function: name, callee, instruction } of calls)
    callers.set(callee, [...(callers.get(callee) ?? []), { function: name, frames: instruction.frames ?? [] }]);
  return { accepted: true, errors: result.errors, loops, callers };
}

/** Lines of the file from which control gets to a function by calls alone. */
function linesCalling(name, file, callers) {
  const lines = new Set();
  const seen = new Set([name]);
  for (const callee of seen)
    for (const call of callers.get(callee) ?? []) {
      for (const frame of call.frames) if (frame.file === file) lines.add(frame.line);
      seen.add(call.function);
    }
  return lines;
}

/** Sets `lines` of each region, the instructions of its listing. */
export async function readListings(regions, kind) {
  for (const region of regions) region.lines = region.listing.split('\n').map(plain).filter((line) => line !== '');
  if (kind !== 'gcc') return;
  const all = regions.flatMap((region) => region.lines.map((text) => ({ text })));
  await inLlvmsWords(all);
  let at = 0;
  for (const region of regions) region.lines = region.lines.map(() => all[at++].text);
}

/** A loop that the product reports, and the loops of the script's own assembly that read like it, with the way of each region. */
export function candidatesOf(regions, byFirst) {
  const listings = regions.map((region) => region.lines.map(comparable));
  const found = new Map();
  for (const loop of byFirst.get(listings[0][0]) ?? []) {
    const ways = listings.map((listing) => pathThrough(loop, listing));
    if (ways.every((way) => way)) found.set(loop, ways);
  }
  return found;
}

/**
 * As many pairs as can be made: Map item → candidate. Each of `tiers` gives the candidates that fit an item, the
 * best first; a later tier serves the items that the earlier ones left over.
 */
export function pairUp(items, tiers) {
  const taken = new Map();
  const place = (item, candidates, seen) => {
    for (const candidate of candidates(item)) {
      if (seen.has(candidate)) continue;
      seen.add(candidate);
      if (taken.has(candidate) && !place(taken.get(candidate), candidates, seen)) continue;
      taken.set(candidate, item);
      return true;
    }
    return false;
  };
  for (const candidates of tiers) {
    const served = new Set(taken.values());
    for (const item of items) if (!served.has(item)) place(item, candidates, new Set());
  }
  return new Map([...taken].map(([candidate, item]) => [item, candidate]));
}

export const linesIn = (file, loop) =>
  new Set(instructionsOf(loop).flatMap((instruction) => (instruction.frames ?? []).filter((frame) => frame.file === file).map((frame) => frame.line)));
const covers = (extent, line) => extent.begin <= line && line <= extent.end;

/** Why the lines of a region (`shown`: hint, first and last) are wrong for a loop; empty when they are not. */
function wrongPlace(region, loop, file, extents, shown = ['line', 'firstLine', 'lastLine']) {
  const lines = [...linesIn(file, loop)];
  const functions = extents.functions.filter((extent) => lines.some((line) => covers(extent, line)));
  const outside = shown.find((each) => !functions.some((extent) => covers(extent, region[each])));
  if (outside === undefined) return '';
  const names = functions.map((extent) => `${extent.name} (${extent.begin}-${extent.end})`).join(', ');
  return `its ${outside}, ${region[outside]}, is outside of the functions of the loop's code: ${names || 'none of this file'}; lines ${lines.sort((a, b) => a - b).join(' ')}`;
}

/**
 * Why the line of a region is not one that a reader would expect: no loop statement that holds most of the loop's
 * instructions begins there, no label or macro, and no call into another file stands there. Empty when it is.
 */
function unlikelyPlace(region, loop, file, extents) {
  const instructions = instructionsOf(loop).filter((instruction) => instruction.frames?.length);
  const share = (extent) =>
    instructions.filter(({ frames }) => frames.some((frame) => frame.file === file && covers(extent, frame.line))).length / instructions.length;
  const statements = extents.loops.filter((extent) => share(extent) >= 0.5);
  const here = (extent) => region.line >= extent.begin && region.line <= Math.max(extent.begin, extent.head);
  const innermost = statements.filter((extent) => !statements.some((other) => other !== extent && covers(extent, other.begin) && other.end <= extent.end));
  if (statements.some((extent) => here(extent) || region.line === extent.end)) {
    const inner = statements.filter((extent) => !here(extent) && region.line !== extent.end && share(extent) === 1 &&
      statements.some((outer) => here(outer) && outer.begin < extent.begin && extent.end <= outer.end));
    return inner.length ? `an inner statement holds all of it: ${describe(inner)}` : '';
  }
  const isCall = instructions.some(({ frames }) =>
    frames.some((frame, i) => frame.file === file && frame.line === region.line && i > 0 && frames[i - 1].file !== file));
  if (isCall || extents.labels.includes(region.line)) return '';
  return `no loop statement of its code begins there; rather ${describe(innermost) || 'none'}`;
}

const describe = (statements) => statements.map((extent) => `${extent.kind} ${extent.begin}-${extent.end}`).join(', ');

/**
 * Why the loop statement at the region's line is not the loop that the instructions are: it holds another statement, of
 * which they have nothing. Empty when it is, when the name says so, and when a call may be what the inner one became.
 */
function notInnermost(region, loop, file, extents) {
  if (/without its inner loop/.test(region.name) || instructionsOf(loop).some(({ text }) => /^call/.test(text))) return '';
  const lines = [...linesIn(file, loop)];
  const outer = extents.loops.find((extent) => extent.begin === region.line);
  const inner = extents.loops.filter((extent) => outer && outer.begin < extent.begin && extent.end <= outer.end);
  if (inner.length === 0 || inner.some((extent) => lines.some((line) => covers(extent, line)))) return '';
  return `the statement holds ${describe(inner)}, and the instructions have nothing of it: lines ${lines.sort((a, b) => a - b).join(' ')}`;
}

/** Why a region's factor is not proven, and whether the evidence speaks against it. */
function factorFault(region, loop, way, evidence) {
  const factor = region.sourceIterations;
  if (factor === 0) return undefined;
  const moved = factorsFromMovement(loop, way, evidence.plain.loops);
  if (moved.size === 1 && moved.has(factor)) return undefined;
  if (moved.size >= 1 && !moved.has(factor))
    return { broken: true, why: `factor ${factor}, but its addresses move ${[...moved].join(' or ')} times as far as without vectorizing and unrolling` };
  if (factor === 1 && isUntransformed(way, evidence.plainTexts)) return undefined;
  const lines = instructionsOf(loop).flatMap((instruction) => (instruction.frames ?? []).map((frame) => frame.line));
  const allowed = factorsFromRemarks(new Set([...lines, region.line]), evidence.remarks);
  if (allowed.has(factor)) return undefined;
  return { broken: false, why: `factor ${factor}: addresses allow ${[...moved].join(' ') || 'none'}, remarks ${[...allowed].join(' ')}` };
}

/** At the name's end, but for the copy and the path. */
const CALLED = / called here(,|$)/;

/** A loop that is shown where its function is called, several times perhaps. */
function examineCalled(region, { file, code, byFirst, evidence, simulated, breaks, looks }) {
  const fault = (list, invariant, why) => list.push({ invariant, line: region.line, why: `${region.name}: ${why}` });
  const found = [...candidatesOf([region], byFirst)];
  if (found.length === 0) return fault(breaks, 2, `these instructions are no way through a loop of the compiler's own output`);
  const [loop, [way]] = found.find(([one]) => linesCalling(one.function.name, file, code.callers).has(region.line)) ?? [undefined, []];
  if (!loop) return fault(breaks, 1, `nothing in line ${region.line} calls ${found.map(([one]) => one.function.name).join(' or ')}`);
  const wrong = factorFault(region, loop, way, evidence);
  if (wrong) fault(wrong.broken ? breaks : looks, 3, wrong.why);
  simulated.push({ region, lines: way.map(({ text }) => text), iterations: region.iterations });
}

/** What a compile shows of itself, whatever the product says. */
async function gather(entry, kind, stem) {
  const code = await lower(entry, kind, [], stem);
  if (!code.accepted) return { code };
  const plainCode = await lower(entry, kind, [...UNTRANSFORMED[kind]], `${stem}.plain`);
  const remarked = commandOf(entry, [...REMARKS[kind], '-fdiagnostics-color=never', '-S', '-o', '/dev/null']);
  const byFirst = new Map();
  for (const loop of code.loops) {
    const first = comparable(loop.function.instructions[loop.blocks[loop.header].begin].text);
    byFirst.set(first, [...(byFirst.get(first) ?? []), loop]);
  }
  return { code, byFirst, plain: plainCode, plainTexts: new Set(plainCode.loops.map((loop) => textOf(instructionsOf(loop)))),
    remarks: (await run(remarked.program, remarked.arguments, { cwd: remarked.directory })).errors };
}

/**
 * { breaks, looks, coverage, simulated, taken } of one file of a compile. breaks and looks are { invariant, line, why };
 * a look is what a person should look at. `simulated` are the regions whose numbers are yet to be compared, `taken` the
 * loops that are reported.
 */
async function examineFile(file, checked, entry, evidenceOfAll, { kind, extentsProgram }) {
  const breaks = [];
  const looks = [];
  const fault = (list, invariant, line, why) => list.push({ invariant, line, why });
  const { code, byFirst } = evidenceOfAll;
  const evidence = { ...evidenceOfAll, remarks: readRemarks(evidenceOfAll.remarks, file) };
  for (const error of checked.findings.filter((finding) => finding.severity === 'error'))
    fault(breaks, 4, error.line, `its compiler accepts the file: ${error.code}: ${error.message}`);
  const extents = await readExtents(extentsProgram, commandOf(entry, []), file);
  const byLoop = new Map();
  await readListings(checked.regions, kind);
  const simulated = [];
  const ofLoops = checked.regions.filter(({ kind: what }) => what === 'loop' || what === 'path');
  for (const region of ofLoops.filter(({ name }) => CALLED.test(name)))
    examineCalled(region, { file, code, byFirst, evidence, simulated, breaks, looks });
  for (const region of ofLoops.filter(({ name }) => !CALLED.test(name)))
    byLoop.set(region.loop, [...(byLoop.get(region.loop) ?? []), region]);
  const reported = [...byLoop.values()];
  const candidates = new Map(reported.map((regions) => [regions, candidatesOf(regions, byFirst)]));
  const fits = (regions, loop) => !regions.some((region) => wrongPlace(region, loop, file, extents));
  const all = (regions) => [...candidates.get(regions).keys()];
  const fitting = (regions) => all(regions).filter((loop) => fits(regions, loop));
  const likely = (regions) => fitting(regions).filter((loop) => !unlikelyPlace(regions[0], loop, file, extents));
  const hintFits = (regions) => all(regions).filter((loop) => !wrongPlace(regions[0], loop, file, extents, ['line']));
  // Instances for several types may have the same text, and do other numbers of iterations.
  const named = (regions) => likely(regions).filter((loop) => regions[0].name.includes(loop.function.name));
  const placed = pairUp(reported, [named, likely, fitting]);
  const paired = pairUp(reported, [named, likely, fitting, hintFits, all]);
  for (const regions of reported) {
    const loop = placed.get(regions) ?? paired.get(regions) ?? all(regions)[0];
    const [first] = regions;
    if (!loop || !paired.has(regions)) {
      fault(breaks, 2, first.line, `${first.name}: these instructions are no way through a loop of the compiler's own output`);
      if (!loop) continue;
    }
    if (!placed.has(regions)) fault(breaks, 1, first.line, `${first.name}: ${wrongPlace(first, loop, file, extents) || 'another loop has taken its place'}`);
    const unlikely = unlikelyPlace(first, loop, file, extents);
    if (unlikely) fault(looks, 1, first.line, `${first.name}: ${unlikely}`);
    const outer = notInnermost(first, loop, file, extents);
    if (outer) fault(breaks, 5, first.line, `${first.name}: ${outer}`);
    const ways = candidates.get(regions).get(loop);
    regions.forEach((region, i) => {
      simulated.push({ region, lines: ways[i].map(({ text }) => text), iterations: region.iterations });
      const wrong = factorFault(region, loop, ways[i], evidence);
      if (wrong) fault(wrong.broken ? breaks : looks, 3, region.line, `${region.name}: ${wrong.why}`);
    });
  }
  return { breaks, looks, coverage: checked.coverage, simulated, taken: [...paired.values()] };
}

/**
 * What examineFile finds of the file that the entry compiles, and of its `parts`, Map file → what was checked of it
 * through this entry: [{ file, … }], the entry's own first.
 */
export async function examine(entry, checked, parts, { kind, extentsProgram, stem }) {
  const evidence = await gather(entry, kind, stem);
  if (!evidence.code.accepted)
    return [{ file: entry.file, breaks: [], looks: [], rejected: evidence.code.errors, coverage: checked.coverage, simulated: [] }];
  const examined = [];
  for (const [file, part] of [[entry.file, checked], ...parts])
    examined.push({ file, ...(await examineFile(file, part, entry, evidence, { kind, extentsProgram })) });
  const [own] = examined;
  const taken = new Set(own.taken);
  const missing = evidence.code.loops.filter((loop) => loop.isInnermost && !taken.has(loop) && linesIn(entry.file, loop).size);
  own.own = { innermost: evidence.code.loops.filter((loop) => loop.isInnermost).length,
    unreported: missing.map((loop) => ({ function: loop.function.name, lines: [...linesIn(entry.file, loop)].sort((a, b) => a - b) })) };
  for (const one of examined) delete one.taken;
  return examined;
}

/** What llvm-mca says otherwise, as breaks. */
export function differencesFromLlvm(simulated) {
  return simulated.flatMap(({ region, llvm }) => {
    if (region.uncorrectedCyclesPerIteration) return []; // the numbers do not have an error of llvm-mca's model
    const ours = { cycles: region.cycles, instructions: region.instructions * region.iterations, microOps: region.microOps };
    const wrong = Object.keys(ours).filter((field) => String(ours[field]) !== llvm[field]);
    return wrong.length === 0 ? [] : [{ invariant: 2, line: region.line,
      why: `${region.name}: ${wrong.map((field) => `${field} ${ours[field]}, llvm-mca ${llvm[field]}`).join('; ')}` }];
  });
}
