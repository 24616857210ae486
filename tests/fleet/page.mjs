// What docs/fleet.md shows, word for word: the tests run it as a reader would.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const page = readFileSync(new URL('../../docs/fleet.md', import.meta.url), 'utf8');

function block(language) {
  const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, name]) => name === language);
  assert.equal(blocks.length, 1, `docs/fleet.md has ${blocks.length} blocks of ${language}`);
  return blocks[0][2];
}

export const slurmScript = () => block('bash');
export const workflow = () => block('yaml');
