// The pages name files by their paths; each must be there, so that a file that moves takes its mentions along.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
// What a run makes is not there before it.
const made = /^(editors\/vscode\/(dist|server|node_modules)|tests\/(transcripts|protocol)\/node_modules)\b/;

function* pagesIn(folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !/^(\.|build$|node_modules$)/.test(entry.name)) yield* pagesIn(path);
    else if (entry.name.endsWith('.md')) yield path;
  }
}

/** A file, a folder, or a source without its suffix, as the pages name them. */
const exists = (path) => ['', '.h', '.cpp', '.mjs'].some((suffix) => existsSync(join(root, path + suffix)));

const missing = [];
for (const page of pagesIn('.')) {
  const text = readFileSync(join(root, page), 'utf8');
  text.split('\n').forEach((line, index) => {
    for (const [, path] of line.matchAll(/(?<![\w/.-])((?:mca-core|analysis|lsp|tests|docs|editors)\/[\w./-]*[\w])(?![\w*])/g))
      if (!exists(path) && !made.test(path)) missing.push(`${page}:${index + 1}: ${path}`);
    for (const [, link] of line.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g))
      if (!existsSync(join(root, dirname(page), link))) missing.push(`${page}:${index + 1}: link to ${link}`);
  });
}
for (const one of missing) console.error(one);
process.exitCode = missing.length ? 1 : 0;
