// Makes the extension's package for this platform: the bundled extension, and in server/ the language server, its
// worker, clang and every library that they load and a bare system may lack.
//
// node package.mjs PROGRAMS LLVM OUT: PROGRAMS is the folder with mca-lsp, mca-worker and mca-measure, LLVM that of LLVM
// 22 (its bin and lib), OUT the package's file. The same inputs make the same bytes, wherever and whenever it is made.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { collectPrograms, run, settleRights, sourceDate } from '../package/collect.mjs';
import { materialsOf, writeLicences } from '../package/licences.mjs';

/** What goes into the package; .vscodeignore says the same, name by name. */
const packaged = ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'language-configuration.json', 'dist', 'media', 'server', 'syntaxes'];

const [programs, llvm, out] = process.argv.slice(2);
const target = `linux-${process.arch === 'arm64' ? 'arm64' : 'x64'}`;
const epoch = sourceDate();
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
rmSync('server', { recursive: true, force: true });
const copied = collectPrograms(['mca-lsp', 'mca-measure', 'mca-worker'], programs, llvm, 'server');
writeLicences({ name: 'mca-lsp', version, target, epoch }, materialsOf(copied), 'server');
run(process.execPath, 'esbuild.mjs');
copyFileSync('../../LICENSE', 'LICENSE');
packaged.forEach((name) => settleRights(name));
// vsce gives each file this time, in the local time zone.
execFileSync(process.execPath, ['node_modules/@vscode/vsce/vsce', 'package', '--target', target, '--no-dependencies', '--out', out],
  { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, SOURCE_DATE_EPOCH: `${epoch}`, TZ: 'UTC', LC_ALL: 'C' } });
