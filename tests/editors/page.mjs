// What a page tells a user to write into an editor's files: its fenced blocks, word for word.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const repository = new URL('../../', import.meta.url);

/** The blocks of `language` in the section `heading` of a page, in their order: exactly `count`. */
export function snippets(page, heading, language, count) {
  const text = readFileSync(new URL(page, repository), 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  assert.ok(section, `${page} has no section ${heading}`);
  const blocks = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter((block) => block[1] === language);
  assert.equal(blocks.length, count, `blocks of ${language} in ${page}, section ${heading}`);
  return blocks.map((block) => block[2]);
}
