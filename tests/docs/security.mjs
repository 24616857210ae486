// SECURITY.md names a test for each of its lines: each is there under that name, in GoogleTest's sources, as the title of a
// test of node's runner, or as a family of hostile folders.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
const files = execFileSync('git', ['ls-files', 'tests'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /_test\.cpp$|\.mjs$|\.test\.js$/.test(file));
const sources = files.map((file) => fs.readFileSync(path.join(root, file), 'utf8')).join('\n');
const page = fs.readFileSync(path.join(root, 'SECURITY.md'), 'utf8');
const tables = page.split('| | test |\n').slice(1);
const rows = tables.flatMap((table) => table.split('\n\n')[0].trimEnd().split('\n').slice(1));

/** `Suite.Name` of GoogleTest, `hostile.FAMILY`, or the title of another test. */
function exists(name) {
  const [, suite, test] = /^(\w+)\.(\w+)$/.exec(name) ?? [];
  if (suite === 'hostile') return fs.existsSync(path.join(root, 'tests/hostile/folders', `${test}.mjs`));
  if (suite) return new RegExp(`TEST(_F|_P)?\\(${suite}, ${test}\\)`).test(sources);
  return sources.includes(`'${name}'`);
}

const problems = rows.flatMap((row) => {
  const names = [...row.split('|').at(-2).matchAll(/`([^`]+)`/g)].map((match) => match[1]);
  if (names.length === 0) return [`no test is named: ${row}`];
  return names.filter((name) => !exists(name)).map((name) => `there is no test ${name}`);
});
if (tables.length !== 2) problems.push('the tables of what a folder cannot and can cause were not found');
problems.forEach((problem) => console.error(`SECURITY.md: ${problem}`));
process.exit(problems.length > 0 ? 1 : 0);
