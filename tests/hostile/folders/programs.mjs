// Programs that a folder names or brings: compilers, wrappers and launchers of its compile commands, programs beside its
// sources, response files that name them, and working directories that make no sense. None runs.
import { SUM } from '../world.mjs';

const programs = ['clang', 'clang-22', 'gcc', 'cc', 'ccache', 'git', 'as', 'mca-worker', 'qemu-x86_64', 'sh'];

/** A compile command of these words, or of this text; FOLDER stands for the folder. */
const command = (name, words, { told, hints = 'usual', ...entry } = {}) => ({
  name,
  make(folder) {
    folder.write('a.c', SUM);
    for (const program of programs) folder.program(program);
    folder.program('bin/evil');
    folder.write('evil.rsp', `${folder.path('bin/evil')} -o leaked.s`);
    folder.write('flags.rsp', '-O2 -DN=1');
    folder.write('circle.rsp', '@circle.rsp');
    folder.write('bomb.rsp', '@bomb.rsp @bomb.rsp');
    const inFolder = (text) => text.replaceAll('FOLDER', folder.at);
    const how = Array.isArray(words) ? { arguments: words.map(inFolder) } : { command: inFolder(words) };
    folder.write('compile_commands.json', [{ directory: folder.at, file: 'a.c', ...how, ...entry }]);
  },
  told,
  hints,
});

const O2 = ['-O2', '-c', 'a.c'];

export const cases = [
  {
    ...command('the bait works: what a user trusts runs, and is seen', ['FOLDER/clang', ...O2]),
    session: { args: ['--compiler=project', '--allowed-compiler=*'] },
    fails: /nothing is written[^]*TRACE/,
  },
  command('a compiler of the folder', ['FOLDER/clang', ...O2]),
  command('a compiler of the folder, by a relative path', ['./clang', ...O2]),
  command('a compiler of the folder, by its name alone', ['mca-worker', ...O2]),
  command('a launcher of the folder', ['FOLDER/ccache', 'clang', ...O2]),
  command('env, with variables that name programs', ['env', 'CCC_OVERRIDE_OPTIONS=+-B.', 'LD_PRELOAD=FOLDER/x.so', 'clang', ...O2]),
  command('a shell', ['sh', '-c', 'touch TRACE; clang -O2 -c a.c'], { hints: /./ }),
  command('a command line of a shell', 'touch TRACE; clang -O2 -c a.c $(touch TRACE) `touch TRACE` | FOLDER/bin/evil > out', { hints: /./ }),
  command('a response file that names a program', ['@evil.rsp', ...O2], { hints: /./ }),
  command('a response file for all', ['clang', '@flags.rsp', '-c', 'a.c']),
  command('a response file that reads itself', ['clang', '@circle.rsp', ...O2]),
  command('a response file that reads itself twice', ['clang', '@bomb.rsp', ...O2], { hints: null }),
  command('a response file as an argument of a flag', ['clang', '-D', '@evil.rsp', '-I', '@evil.rsp', ...O2], { hints: null }),
  command('a command without words', [], { hints: /./ }),
  command('a command of a null byte', ['clang\0evil', '-O2\0', ...O2], { hints: null }),
  command('a command of 40,000 words', ['clang', ...Array(40_000).fill('-DX=1'), ...O2], { hints: null }),
  command('an output that is a source', ['clang', ...O2, '-o', 'a.c']),
  command('an entry with an environment', ['clang', ...O2], { environment: { PATH: '.', LD_PRELOAD: './x.so' } }),
];
for (const [name, directory, told] of [
  ['the root as directory', '/'],
  ['/proc/self as directory', '/proc/self'],
  ['/proc/self/fd as directory', '/proc/self/fd'],
  ['a directory that is missing', '/nowhere/at/all', /cannot be entered: No such file or directory/],
  ['a file as directory', 'a.c', /cannot be entered: Not a directory/],
  ['a response file as directory', '@evil.rsp', /cannot be entered: No such file or directory/],
])
  cases.push({
    name,
    make(folder) {
      folder.write('a.c', SUM);
      folder.write('evil.rsp', '-o leaked');
      folder.write('compile_commands.json', [{ directory, file: folder.path('a.c'), arguments: ['clang', ...O2.slice(0, 2), folder.path('a.c')] }]);
    },
    told,
    hints: told ? undefined : 'usual',
  });
