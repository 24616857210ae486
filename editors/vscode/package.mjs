// Makes the extension's package for one platform: the bundled extension, and in server/ the language server, its
// worker, clang and every library that they load and a bare system may lack.
//
// node package.mjs PROGRAMS ROOT OUT: PROGRAMS is the folder with mca-lsp, mca-worker and mca-measure, ROOT the
// Debian system with their libraries (/, or for another architecture what ../package/sysroot.sh makes), OUT the package's
// file. The same inputs make the same bytes, wherever and whenever it is made.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { collectPrograms, run, settleRights, sourceDate } from '../package/collect.mjs';
import { materialsOf, writeLicences } from '../package/licences.mjs';
import { systemOf } from '../package/system.mjs';

/** What goes into the package; .vscodeignore says the same, name by name. */
const packaged = ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'language-configuration.json', 'dist', 'media', 'server', 'syntaxes'];

const [programs, root, out] = process.argv.slice(2);
const names = ['mca-lsp', 'mca-measure', 'mca-worker'];
const system = systemOf(root, `${programs}/${names[0]}`);
const target = system.vscode;
const epoch = sourceDate();
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
rmSync('server', { recursive: true, force: true });
const copied = collectPrograms(names, programs, system, 'server');
writeLicences({ name: 'mca-lsp', version, target, epoch }, materialsOf(copied, system), system, 'server');
run(process.execPath, 'esbuild.mjs');
copyFileSync('../../LICENSE', 'LICENSE');
packaged.forEach((name) => settleRights(name));
// vsce gives each file this time, in the local time zone.
execFileSync(process.execPath, ['node_modules/@vscode/vsce/vsce', 'package', '--target', target, '--no-dependencies', '--out', out],
  { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, SOURCE_DATE_EPOCH: `${epoch}`, TZ: 'UTC', LC_ALL: 'C' } });
