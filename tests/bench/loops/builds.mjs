// The builds of the kernels: each compiler at each level, as a program that times them, and as a compilation database
// with the same commands for mca-lsp.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const sources = path.dirname(fileURLToPath(import.meta.url));
const kernels = path.join(sources, 'kernels');

const COMPILERS = ['clang-22', 'gcc'];
const LEVELS = ['-O2', '-O3 -march=native'];

/** { name, compiler, flags } of each build. */
export const BUILDS = COMPILERS.flatMap((compiler) =>
  LEVELS.map((level) => ({ name: `${compiler} ${level}`, compiler, flags: level.split(' ') })),
);

/** The kernels' files, by their absolute names. */
export const kernelFiles = () => fs.readdirSync(kernels).sort().map((name) => path.join(kernels, name));

/** The first line of what a compiler says of its version. */
export const versionOf = (compiler) => execFileSync(compiler, ['--version'], { encoding: 'utf8' }).split('\n')[0];

/** The name by which LLVM knows this CPU. */
export function hostCpu() {
  const { stderr } = spawnSync('clang-22', ['-march=native', '-###', '-c', '-x', 'c', os.devNull], { encoding: 'utf8' });
  return /"-target-cpu" "([^"]+)"/.exec(stderr)[1];
}

const folderOf = (folder, build) => path.join(folder, build.name.replaceAll(/[ =]+/g, '-'));

/** Writes the build's compile_commands.json; returns its folder. */
export function writeDatabase(folder, build) {
  const directory = folderOf(folder, build);
  fs.mkdirSync(directory, { recursive: true });
  const entries = kernelFiles().map((file) => ({
    ...{ directory, file },
    arguments: [build.compiler, ...build.flags, '-c', file, '-o', `${path.basename(file, '.c')}.o`],
  }));
  fs.writeFileSync(path.join(directory, 'compile_commands.json'), `${JSON.stringify(entries, undefined, 1)}\n`);
  return directory;
}

/**
 * Runs the commands of the build's database, and links the program that times the kernels; returns its name. `unaligned`:
 * the kernels' arrays begin 16 bytes behind a line of the cache.
 */
export function compile(folder, build, unaligned = false) {
  const directory = writeDatabase(folder, build);
  const program = path.join(directory, 'loops');
  const entries = JSON.parse(fs.readFileSync(path.join(directory, 'compile_commands.json'), 'utf8'));
  const objects = entries.map(({ arguments: [compiler, ...options] }) => {
    execFileSync(compiler, options, { cwd: directory });
    return options.at(-1);
  });
  const driver = path.join(sources, 'driver.c');
  execFileSync('clang-22', ['-O2', ...(unaligned ? ['-DUNALIGNED'] : []), driver, ...objects, '-lm', '-o', program], { cwd: directory });
  return program;
}
