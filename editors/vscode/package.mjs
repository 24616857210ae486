// Makes the extension's package for this platform: the bundled extension, and in server/ the language server, its
// worker, clang and every library that they load and a bare system may lack.
//
// node package.mjs PROGRAMS LLVM OUT: PROGRAMS is the folder with mca-lsp and mca-worker, LLVM that of LLVM 22 (its bin
// and lib), OUT the package's file. The same inputs make the same bytes.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
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
  const binaries = [path.join(programs, 'mca-lsp'), path.join(programs, 'mca-worker'), realpathSync(path.join(llvm, 'bin/clang-22'))];
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

/** One time for every file: the package holds no trace of when it was made. */
function settleTimes(folder, time) {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (lstatSync(file).isDirectory())
      settleTimes(file, time);
    utimesSync(file, time, time);
  }
}

collectServer();
run(process.execPath, 'esbuild.mjs');
copyFileSync('../../LICENSE', 'LICENSE');
const epoch = Number(process.env.SOURCE_DATE_EPOCH ?? run('git', 'log', '-1', '--format=%ct').trim());
settleTimes('server', epoch);
settleTimes('dist', epoch);
const target = `linux-${process.arch === 'arm64' ? 'arm64' : 'x64'}`;
execFileSync(process.execPath, ['node_modules/@vscode/vsce/vsce', 'package', '--target', target, '--no-dependencies', '--out', out],
  { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) } });
