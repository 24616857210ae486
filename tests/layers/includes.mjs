// Which folder includes which: held against what each folder's CMakeLists.txt declares, and printed with --print.
//
//   node includes.mjs FOLDERS.txt [--print]
//
// FOLDERS.txt, which the configure step writes, has a line for each folder: its path, its library, the libraries that
// it uses. An include must be of the folder itself or of one that it uses, directly or through others.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const layers = ['mca-core', 'analysis', 'lsp'];

// What a folder must not include beside that: others' headers.
const foreign = [
  { folders: /^lsp\b/, headers: /^(llvm|llvm-c|clang|clang-c)\//, why: 'lsp/ links no LLVM' },
  { folders: /^analysis\/(process|files|text|wire)$/, headers: /^(llvm|clang)\//, why: 'lsp/ links it, without LLVM' },
  { folders: /^(mca-core\b|analysis\/(?!wire))/, headers: /^nlohmann\//, why: 'only lsp/ and analysis/wire know JSON' },
  { folders: /^mca-core\b/, headers: /^(clang|boost)\//, why: 'mca-core/ stands on LLVM alone' },
];

function declared(file) {
  const libraries = new Map();
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const [folder, library, ...uses] = line.split(/[ ;]+/).filter(Boolean);
    libraries.set(library, { folder, uses });
  }
  const reach = (library, found) => {
    const known = libraries.get(library);
    if (!known || found.has(known.folder)) return found;
    found.add(known.folder);
    for (const used of known.uses) reach(used, found);
    return found;
  };
  return new Map([...libraries].map(([library, { folder }]) => [folder, reach(library, new Set())]));
}

function* sources(folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.(h|cpp)$/.test(entry.name)) yield path;
  }
}

const mayInclude = declared(process.argv[2]);
const graph = new Map();
const errors = [];
for (const path of layers.flatMap((layer) => [...sources(layer)])) {
  const folder = dirname(path);
  for (const [, header] of readFileSync(join(root, path), 'utf8').matchAll(/^#include ["<]([^">]+)[">]/gm)) {
    for (const rule of foreign)
      if (rule.folders.test(folder) && rule.headers.test(header)) errors.push(`${path}: ${header}: ${rule.why}`);
    const included = dirname(header);
    if (!layers.includes(header.split('/')[0]) || included === folder) continue;
    const targets = graph.get(folder) ?? graph.set(folder, new Map()).get(folder);
    targets.set(included, (targets.get(included) ?? 0) + 1);
    // Programs, which no library stands for, may include what they link.
    if (mayInclude.has(folder) && !path.endsWith('/main.cpp') && !mayInclude.get(folder).has(included))
      errors.push(`${path}: ${header}: ${folder}/CMakeLists.txt does not say that it uses ${included}`);
    if (layers.indexOf(header.split('/')[0]) > layers.indexOf(folder.split('/')[0]))
      errors.push(`${path}: ${header}: points up`);
  }
}

function cycle() {
  const state = new Map();
  const visit = (folder, trail) => {
    if (state.get(folder) === 'done') return null;
    if (state.get(folder) === 'open') return [...trail.slice(trail.indexOf(folder)), folder];
    state.set(folder, 'open');
    for (const next of graph.get(folder)?.keys() ?? []) {
      const found = visit(next, [...trail, folder]);
      if (found) return found;
    }
    state.set(folder, 'done');
    return null;
  };
  for (const folder of graph.keys()) {
    const found = visit(folder, []);
    if (found) return found;
  }
  return null;
}

if (process.argv.includes('--print'))
  for (const [folder, targets] of [...graph].sort())
    console.log(`${folder} -> ${[...targets].sort().map(([name, count]) => `${name} (${count})`).join(', ')}`);
const found = cycle();
if (found) errors.push(`the folders include each other: ${found.join(' -> ')}`);
if (graph.size === 0) errors.push('no sources found');
for (const error of errors) console.error(error);
process.exitCode = errors.length ? 1 : 0;
