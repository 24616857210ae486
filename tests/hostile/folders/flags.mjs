// Flags of a compile command that would load code, run a program or write a file: the file compiles without them.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { SUM } from '../world.mjs';

const plugin = process.env.MCA_TRACE_PLUGIN;
assert.ok(plugin && fs.existsSync(plugin), 'MCA_TRACE_PLUGIN names no library');

/** A command with these flags; FOLDER stands for the folder. Each has a header that it would be easy to break. */
const flags = (name, list, told = /left out/) => ({
  name,
  make(folder) {
    folder.write('a.c', SUM);
    folder.write('evil.rsp', `-fplugin=${plugin} -o leaked.s`);
    folder.write('evil.cfg', `-fplugin=${plugin}\n`);
    folder.write('specs', `*cc1:\n+ -fplugin=${plugin}\n`);
    folder.write('overlay.yaml', { version: 0, roots: [{ name: '/nowhere', type: 'directory', contents: [] }] });
    for (const program of ['clang-22', 'as', 'ld', 'gcc', 'cc1', 'wrapper']) folder.program(`bin/${program}`);
    const written = list.map((flag) => flag.replaceAll('FOLDER', folder.at));
    folder.database(['clang', '-O2', ...written, '-c', 'a.c']);
  },
  told,
  hints: 'usual',
});

export const cases = [
  flags('a plugin of clang', [`-fplugin=${plugin}`]),
  flags('a plugin of clang, with an argument for it', [`-fplugin=${plugin}`, '-fplugin-arg-x-y']),
  flags('a plugin of LLVM', [`-fpass-plugin=${plugin}`]),
  flags('a plugin behind -Xclang', ['-Xclang', '-load', '-Xclang', plugin]),
  flags('a plugin behind -Xclang=', [`-Xclang=-load`, `-Xclang=${plugin}`]),
  flags('a plugin behind -Xclang -include', ['-Xclang', '-include', '-Xclang', '-load', '-Xclang', plugin]),
  flags('a plugin behind -mllvm', ['-mllvm', `-load=${plugin}`]),
  flags('a plugin behind -Xarch', ['-Xarch_host', `-fplugin=${plugin}`]),
  flags('a plugin in the value of another flag', ['-isystem', `-fplugin=${plugin}`]),
  flags('a plugin behind two dashes', ['--', `-fplugin=${plugin}`], null),
  flags('programs of the folder, by -B', ['-BFOLDER/bin/', '-fno-integrated-as', '-fno-integrated-cc1']),
  flags('a specs file', ['-specs=FOLDER/specs']),
  flags('a wrapper', ['-wrapper', 'FOLDER/bin/wrapper,x']),
  flags('another gcc', ['-ccc-gcc-name', 'FOLDER/bin/gcc', '--gcc-toolchain=FOLDER']),
  flags('a configuration file of clang', ['--config=FOLDER/evil.cfg', '--config-user-dir=FOLDER']),
  flags('a linker', ['-fuse-ld=FOLDER/bin/ld', '--ld-path=FOLDER/bin/ld'], null),
  flags('an output file', ['-o', 'leak.s'], null),
  flags('files of dependencies', ['-MD', '-MMD', '-MF', 'leak.d', '-MJ', 'leak.json'], null),
  flags('files of remarks, times and crashes', [
    ...['-save-temps', '-ftime-trace=leak.json', '-fsave-optimization-record'],
    ...['-fproc-stat-report=leak', '-gen-reproducer=always', '-fcrash-diagnostics-dir=FOLDER'],
  ]),
  flags('a cache of modules', ['-fmodules', '-fmodules-cache-path=FOLDER/leak']),
  flags('files of coverage and profiles', ['--coverage', '-fprofile-generate=FOLDER/leak', '-gsplit-dwarf'], null),
  flags('a virtual file system', ['-ivfsoverlay', 'FOLDER/overlay.yaml']),
];
