// The pages name files by their paths; each must be there, so that a file that moves takes its mentions along.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const pages = execFileSync('git', ['-C', root, 'ls-files', '*.md'], { encoding: 'utf8' }).split('\n').filter(Boolean);
// What a run makes is not there before it.
const made = /^(editors\/vscode\/(dist|server|node_modules)|tests\/transcripts\/node_modules)\b/;

/** A file, a folder, or a source without its suffix, as the pages name them. */
const exists = (path) => ['', '.h', '.cpp', '.mjs'].some((suffix) => existsSync(join(root, path + suffix)));

const missing = [];
for (const page of pages) {
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
