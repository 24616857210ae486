// docs/advice/remarks.md has each remark that can reach a user: as the library can emit it, as the words have it, and
// with examples that are true of the compiler.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root, textOf } from './pages.mjs';
import { namesNear, referencesIn } from './remark_names.mjs';

const page = textOf('docs/advice/remarks.md');
const words = readFileSync(join(root, 'lsp/wording/why_not_text.cpp'), 'utf8');
const known = [...words.matchAll(/^ {4}\{"([\w-]+)",\s*"([^"]+)",\s*"([^"]+)"\}/gm)].map(([, pass, name, text]) => ({ pass, name, text }));
const clangs = known.filter(({ pass }) => pass !== 'vect');
const listed = readFileSync(join(root, 'tests/docs/remark_names.txt'), 'utf8')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))
  .map((line) => line.split(' ')[0]);

/** The sections with an example: name, quoted words, and the code before and after with its flags. */
const sections = [...page.matchAll(/^### `(\w+)`\n\n“([^]*?)”\n([^]*?)(?=^##)/gm)].map(([, name, text, body]) => ({
  name,
  text,
  examples: [...body.matchAll(/^(Before|After), with `([^`]*)`:\n\n```c\n([^]*?)^```$/gm)].map(([, when, flags, code]) => ({ when, flags: flags.split(' '), code })),
}));
const table = [...page.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, name, text]) => ({ name, text }));

test('the library has no name that the page and the list lack, and has all of theirs', { skip: process.arch !== 'x64' }, () => {
  const documented = [...clangs.map(({ name }) => name), 'LoadClobbered'];
  const expected = new Set([...documented, ...listed]);
  const found = namesNear(referencesIn(process.env.MCA_LIBLLVM), new Set(documented));
  assert.deepEqual([...found].filter((name) => !expected.has(name)).sort(), [], 'new in the library');
  assert.deepEqual([...expected].filter((name) => !found.has(name)).sort(), [], 'gone from the library');
});

test('the page has the words of each name', () => {
  const plain = (text) => text.replace(/\s+/g, ' ');
  const onPage = new Map([...sections.map(({ name, text }) => [name, plain(text).replace(/\.$/, '').toLowerCase()]), ...table.map(({ name, text }) => [name, text.toLowerCase()])]);
  assert.deepEqual([...onPage.keys()].sort(), known.map(({ name }) => name).sort());
  for (const { name, text } of known) assert.equal(onPage.get(name), text.toLowerCase(), name);
});

test('clang has the name for the code before, and not after', () => {
  const namesOf = ({ flags, code }) => {
    const record = ['-opt-record-file', '-', '-opt-record-format', 'yaml'].flatMap((flag) => ['-Xclang', flag]);
    const output = execFileSync('clang-22', [...flags, '-w', '-S', '-gline-directives-only', '-o', '/dev/null', ...record, '-x', 'c', '-'], { input: code, encoding: 'utf8' });
    return new Set([...output.matchAll(/^Name: +(\w+)$/gm)].map(([, name]) => name));
  };
  assert.ok(sections.length > 35);
  for (const { name, examples } of sections) {
    assert.deepEqual(examples.map(({ when }) => when), ['Before', 'After'], name);
    assert.ok(namesOf(examples[0]).has(name), `${name} before`);
    assert.ok(!namesOf(examples[1]).has(name), `${name} after`);
  }
});
