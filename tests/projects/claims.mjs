// What must hold for all that `mca-lsp --check` says of a project, in C, C++ and assembly alike.
import fs from 'node:fs';
import path from 'node:path';
import { Random } from '../faults/random.mjs';
import { straightLoops } from './machine_loops.mjs';

const isLowerBound = (region) => region.calls?.length > 0 || region.lowerBound === true;

/** Each loop names what limits it, unless its number is a lower bound. As breaks. */
export const withoutLimit = (regions) =>
  regions
    .filter((region) => !region.bottleneck && !isLowerBound(region))
    .map((region) => ({ invariant: 8, line: region.line, why: `${region.name}: names no limit` }));

const jumpsIn = (listing) => listing.split('\n').filter((line) => /^\s*(j[a-z]+|loop\w*)\s/.test(line)).length;

/**
 * What the assembler made of an assembly source against the regions of it and of the files that it includes: a loop
 * without branches and without a mark has as many instructions as a loop of the object file that lies on its lines.
 */
export async function examineAssembly(entry, checked, parts, stem) {
  const made = await straightLoops(entry, stem);
  return [[entry.file, checked], ...parts].map(([file, { regions, findings, coverage }]) => {
    const errors = made.errors ? [] : findings.filter(({ severity }) => severity === 'error');
    const breaks = errors.map(({ line, code, message }) => ({ invariant: 4, line, why: `its assembler accepts the file: ${code}: ${message}` }));
    const exact = regions.filter((region) => region.kind === 'loop' && region.caveats.length === 0 && !isLowerBound(region) && jumpsIn(region.listing) === 1);
    for (const region of made.loops ? exact : []) {
      const here = made.loops.filter(({ lines }) => lines.some((place) => isIn(place, file, region)));
      if (here.length && !here.some(({ count }) => count === region.instructions))
        breaks.push({ invariant: 6, line: region.line, why: `${region.name}: ${region.instructions} instructions without a mark, the object file's loops there have ${here.map(({ count }) => count).join(', ')}` });
    }
    return { file, breaks, looks: [], rejected: made.errors, coverage, simulated: [], compared: made.loops ? exact.length : 0 };
  });
}

const isIn = (place, file, region) => fs.realpathSync(place.file) === file && region.firstLine <= place.line && place.line <= region.lastLine;

/** Lines after which a new one changes nothing but the numbers of those below: not inside of a macro, a comment or a string. */
function insertionsIn(text) {
  const found = [];
  let inComment = false;
  text.split('\n').forEach((line, i, all) => {
    if (i + 1 === all.length) return;
    const code = line.replace(/"(\\.|[^"\\])*"/g, '""').replace(/\/\*.*?\*\//g, '').replace(/\/\/.*$/, '');
    if (code.includes('*/')) inComment = false;
    if (code.lastIndexOf('/*') > code.lastIndexOf('*/')) inComment = true;
    if (!inComment && !line.endsWith('\\') && !/R"/.test(line)) found.push(i + 1);
  });
  return found;
}

/**
 * Calls `action` while `count` random empty lines are in the files, and takes them out afterwards. Each file must be one that
 * this program may write.
 */
export async function withInsertedLines(files, count, seed, action) {
  const random = new Random(seed, 0);
  const before = new Map(files.map((file) => [file, fs.readFileSync(file, 'latin1')]));
  const places = new Map([...before].map(([file, text]) => [file, insertionsIn(text)]).filter(([, lines]) => lines.length));
  const names = [...places.keys()];
  const wanted = new Map();
  for (let i = 0; i < count; ++i) {
    const file = random.pick(names);
    const lines = places.get(file);
    wanted.set(file, [...(wanted.get(file) ?? []), random.pick(lines)]);
  }
  try {
    for (const [file, inserted] of wanted) {
      const lines = before.get(file).split('\n');
      for (const at of inserted.sort((a, b) => b - a)) lines.splice(at, 0, '');
      fs.writeFileSync(file, lines.join('\n'), 'latin1');
    }
    return await action();
  } finally {
    for (const file of wanted.keys()) fs.writeFileSync(file, before.get(file), 'latin1');
  }
}

/** The files in whose text lines are inserted: sources, and the files that they report as parts, of the project's own. */
export const editable = (checked, folder) =>
  [...checked.keys()].filter((file) => file.startsWith(folder + path.sep) && fs.existsSync(file)).sort();
