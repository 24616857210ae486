// The fenced blocks of the pages that users and contributors read.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pagesOf } from '../../docs/site/contents.mjs';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const pages = [...pagesOf(root), 'editors/vscode/README.md'];
export const textOf = (page) => readFileSync(join(root, page), 'utf8');

/** A block: where its fence stands, its language ('' if it names none), and its text without the indentation of a list. */
export function blocksOf(page) {
  const text = textOf(page);
  return [...text.matchAll(/^( *)```(\w*)\n([^]*?)^\1```$/gm)].map(({ index, 1: indent, 2: language, 3: lines }) => ({
    page,
    line: text.slice(0, index).split('\n').length,
    language,
    text: lines.replace(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}
