// Collects our programs, clang and every library that they load and a bare system may lack into one folder, which can
// then be anywhere: the relocatable archive and the VS Code extension carry it.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';

export const run = (program, ...args) => execFileSync(program, args, { encoding: 'utf8' });

/** Libraries of the C runtime, which every glibc system has and which must be the system's own. */
const systems = /^(linux-vdso|ld-linux|libc\.|libm\.|libdl\.|libpthread\.|librt\.)/;

/** Headers, other than clang's own, that come with the sanitizers, a package that not every machine has. */
const ofSanitizers = ['fuzzer', 'orc', 'sanitizer'];

/** The shared libraries that a program loads, by soname: those that it needs, and those that these need. */
function librariesOf(program, system, found = new Map()) {
  const needed = run('patchelf', '--print-needed', program).split('\n').filter((name) => name && !systems.test(name));
  for (const name of needed.filter((candidate) => !found.has(candidate))) {
    const file = system.sharedLibrary(name);
    found.set(name, file);
    librariesOf(file, system, found);
  }
  return found;
}

/** The only thing of ICU's data that libxml2 needs to load: LLVM reads no text that would need a conversion. */
function makeIcuStub(file, version, system) {
  const object = `${file}.o`;
  const source = `.globl icudt${version}_dat\n.section .rodata\n.p2align 4\nicudt${version}_dat:\n.zero 64\n`;
  execFileSync(system.tool('as'), ['-o', object, '-'], { input: source });
  run(system.tool('ld'), '-shared', '-soname', path.basename(file), '-o', file, object);
  rmSync(object);
}

function copyLibraries(from, to, system) {
  for (const [name, file] of from) {
    const target = path.join(to, name);
    if (existsSync(target))
      continue;
    const icu = /^libicudata\.so\.(\d+)$/.exec(name);
    if (icu) {
      makeIcuStub(target, icu[1], system);
    } else {
      copyFileSync(file, target);
      chmodSync(target, 0o644);
      run('patchelf', '--set-rpath', '$ORIGIN', target);
    }
  }
}

function copyClangsHeaders(from, to) {
  const without = ofSanitizers.map((name) => path.join(from, name));
  cpSync(from, to, { recursive: true, dereference: true, filter: (file) => !without.includes(file) });
}

/**
 * Fills `to` with bin/ and lib/: the named programs of the folder `programs`, and the system's clang. Returns the files
 * of the system that were copied, whose licences have to go along.
 */
export function collectPrograms(names, programs, system, to) {
  mkdirSync(path.join(to, 'bin'), { recursive: true });
  mkdirSync(path.join(to, 'lib'), { recursive: true });
  const clang = realpathSync(path.join(system.llvm, 'bin/clang-22'));
  const copied = new Set([clang]);
  for (const binary of [...names.map((name) => path.join(programs, name)), clang]) {
    const target = path.join(to, 'bin', binary === clang ? 'clang-22' : path.basename(binary));
    copyFileSync(binary, target);
    chmodSync(target, 0o755);
    const libraries = librariesOf(binary, system);
    copyLibraries(libraries, path.join(to, 'lib'), system);
    libraries.forEach((file) => copied.add(file));
    run(system.tool('strip'), target);
    run('patchelf', '--set-rpath', '$ORIGIN/../lib', target);
  }
  const headers = path.join(system.llvm, 'lib/clang/22/include');
  copyClangsHeaders(realpathSync(headers), path.join(to, 'lib/clang/22/include'));
  copied.add(realpathSync(path.join(headers, 'stddef.h')));
  return [...copied];
}

/** Gives each file the same rights, whatever mask it was made under: programs are those below a folder `bin`. */
export function settleRights(file, isProgram = false) {
  if (lstatSync(file).isDirectory()) {
    chmodSync(file, 0o755);
    readdirSync(file).forEach((name) => settleRights(path.join(file, name), path.basename(file) === 'bin'));
  } else {
    chmodSync(file, isProgram ? 0o755 : 0o644);
  }
}

/** Seconds since 1970 that every file of a package carries: the time of the last commit. */
export const sourceDate = () => Number(process.env.SOURCE_DATE_EPOCH ?? run('git', 'log', '-1', '--format=%ct').trim());
