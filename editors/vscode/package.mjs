// Makes the extension's package for this platform: the bundled extension, and in server/ the language server, its
// worker, clang and every library that they load and a bare system may lack.
//
// node package.mjs PROGRAMS LLVM OUT: PROGRAMS is the folder with mca-lsp, mca-worker and mca-measure, LLVM that of LLVM
// 22 (its bin and lib), OUT the package's file. The same inputs make the same bytes, wherever and whenever it is made.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [programs, llvm, out] = process.argv.slice(2);
const run = (program, ...args) => execFileSync(program, args, { encoding: 'utf8' });

/** Libraries of the C runtime, which every glibc system has and which must be the system's own. */
const systems = /^(linux-vdso|ld-linux|libc\.|libm\.|libdl\.|libpthread\.|librt\.)/;

/** The shared libraries that a program loads, by soname. */
function librariesOf(program) {
  const found = new Map();
  for (const [, name, file] of run('ldd', program).matchAll(/^\s*(\S+) => (\/\S+)/gm))
    if (!systems.test(path.basename(name)))
      found.set(path.basename(name), realpathSync(file));
  return found;
}

/** The only thing of ICU's data that libxml2 needs to load: LLVM reads no text that would need a conversion. */
function makeIcuStub(file, version) {
  const source = `${file}.s`;
  writeFileSync(source, `.globl icudt${version}_dat\n.section .rodata\n.p2align 4\nicudt${version}_dat:\n.zero 64\n`);
  run('cc', '-shared', '-nostdlib', `-Wl,-soname,${path.basename(file)}`, '-o', file, source);
  rmSync(source);
}

function copyLibraries(from, to) {
  for (const [name, file] of from) {
    const target = path.join(to, name);
    if (existsSync(target))
      continue;
    const icu = /^libicudata\.so\.(\d+)$/.exec(name);
    if (icu) {
      makeIcuStub(target, icu[1]);
    } else {
      copyFileSync(file, target);
      chmodSync(target, 0o644);
      run('patchelf', '--set-rpath', '$ORIGIN', target);
    }
  }
}

function collectServer() {
  rmSync('server', { recursive: true, force: true });
  mkdirSync('server/bin', { recursive: true });
  mkdirSync('server/lib', { recursive: true });
  const ours = ['mca-lsp', 'mca-measure', 'mca-worker'].map((name) => path.join(programs, name));
  const binaries = [...ours, realpathSync(path.join(llvm, 'bin/clang-22'))];
  for (const binary of binaries) {
    const target = path.join('server/bin', path.basename(binary).replace(/^clang.*/, 'clang-22'));
    copyFileSync(binary, target);
    chmodSync(target, 0o755);
    copyLibraries(librariesOf(binary), 'server/lib');
    run('strip', target);
    run('patchelf', '--set-rpath', '$ORIGIN/../lib', target);
  }
  cpSync(path.join(llvm, 'lib/clang/22/include'), 'server/lib/clang/22/include', { recursive: true, dereference: true });
}

/** What goes into the package; .vscodeignore says the same, name by name. */
const packaged = ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'language-configuration.json', 'dist', 'media', 'server'];

/** The package keeps the rights of its files: no trace of the mask that they were made under. */
function settleRights(file) {
  if (lstatSync(file).isDirectory())
    readdirSync(file).forEach((name) => settleRights(path.join(file, name)));
  else
    chmodSync(file, file.startsWith('server/bin/') ? 0o755 : 0o644);
}

collectServer();
run(process.execPath, 'esbuild.mjs');
copyFileSync('../../LICENSE', 'LICENSE');
packaged.forEach(settleRights);
// vsce gives each file this time, in the local time zone.
const epoch = process.env.SOURCE_DATE_EPOCH ?? run('git', 'log', '-1', '--format=%ct').trim();
const target = `linux-${process.arch === 'arm64' ? 'arm64' : 'x64'}`;
execFileSync(process.execPath, ['node_modules/@vscode/vsce/vsce', 'package', '--target', target, '--no-dependencies', '--out', out],
  { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, SOURCE_DATE_EPOCH: epoch, TZ: 'UTC', LC_ALL: 'C' } });
