// What the package has to be: the same bytes when it is made again, small enough, and with exactly the files of
// package-files.txt.
//
// node test/package.mjs VSIX AGAIN [--update]: AGAIN is the package made a second time; --update writes the list.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';

const [vsix, again, mode] = process.argv.slice(2);
const maxBytes = 90e6;
const list = 'package-files.txt';
const problems = [];

const hash = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');
const hashes = [vsix, again].map(hash);
if (hashes[0] !== hashes[1])
  problems.push(`two builds differ: SHA-256 ${hashes[0]} and ${hashes[1]}`);

const { size } = statSync(vsix);
if (size > maxBytes)
  problems.push(`${size} bytes are more than ${maxBytes}`);

const vsce = ['node_modules/@vscode/vsce/vsce', 'ls', '--no-dependencies'];
const files = execFileSync(process.execPath, vsce, { encoding: 'utf8' }).trim().split('\n').sort();
if (mode === '--update')
  writeFileSync(list, `${files.join('\n')}\n`);
const allowed = readFileSync(list, 'utf8').trim().split('\n');
problems.push(
  ...files.filter((file) => !allowed.includes(file)).map((file) => `not in ${list}: ${file}`),
  ...allowed.filter((file) => !files.includes(file)).map((file) => `missing: ${file}`));

problems.forEach((problem) => console.error(problem));
console.log(`package: ${files.length} files, ${(size / 1e6).toFixed(1)} MB, SHA-256 ${hashes[0]}`);
process.exit(problems.length ? 1 : 0);
