// Settings that a folder brings, in its .mca-lsp.json or in comments: those that name a program, a folder to trust or a
// file to read are refused, with words.
import { LOOP, SUM } from '../world.mjs';

const config = (name, settings, { told, hints = 'usual', ...more } = {}) => ({
  name,
  make(folder, world) {
    folder.write('a.c', SUM);
    folder.program('clang');
    const written = JSON.stringify(settings).replaceAll('FOLDER', folder.at).replaceAll('OUTSIDE', world.outside).replaceAll('HOME', world.home);
    folder.write('compile_commands.json', [{ directory: folder.at, file: 'a.c', arguments: [folder.path('clang'), '-O2', '-c', 'a.c'] }]);
    folder.write('.mca-lsp.json', written);
  },
  told,
  hints,
  ...more,
});

const refused = /is ignored here, as it says what may run/;

export const cases = [
  config('a compiler', { compiler: 'FOLDER/clang' }, { told: refused }),
  config("the build's compiler, and trust in the folder", { compiler: 'project', trustedFolders: ['FOLDER'] }, { told: refused }),
  config('compilers that are allowed', { compiler: 'project', allowedCompilers: ['*'] }, { told: refused }),
  config('folders to read', { readableFolders: ['/', 'HOME'] }, { told: refused }),
  config('settings below other names', { mca: { compiler: 'FOLDER/clang' }, 'mca.compiler': 'FOLDER/clang' }),
  config('a fragment for paths that sets a compiler', { overrides: [{ files: ['**'], compiler: 'FOLDER/clang' }] }),
  config('a calibration outside', { calibration: 'HOME/.ssh/id_rsa' }, { told: /only name a file in its own folder/ }),
  config('a calibration outside, by a relative path', { calibration: '../../outside/data.json' }, { told: /only name a file in its own folder/ }),
  config('a calibration that is a device', { calibration: '/dev/zero' }, { told: /only name a file in its own folder/ }),
  config('a profile outside', { profile: 'HOME/.ssh/id_rsa' }, { told: /only name a file in its own folder/ }),
  config('a profile that is a device', { profile: '/dev/zero' }, { told: /only name a file in its own folder/ }),
  config('a trace outside', { trace: 'HOME/.vault-token' }, { told: /cannot be read: it lies outside of the project/ }),
  config('a trace outside, by a relative path', { trace: '../../home/.vault-token' }, { told: /cannot be read: it lies outside of the project/ }),
  config('a trace outside, for some files', { fragments: [{ paths: ['**'], trace: 'HOME/.netrc' }] }, { told: /cannot be read: it lies outside of the project/ }),
  config('a trace that is a device', { trace: '/dev/zero' }, { told: /trace/ }),
  config('a database outside', { compileCommandsDir: 'OUTSIDE' }),
  config('a database in /proc', { compileCommandsDir: '/proc/self' }),
  config('names of CPUs that are paths', { cpu: 'HOME/.ssh/id_rsa', triple: '$(touch TRACE)', features: '@evil.rsp' }, { hints: null }),
  config('very large numbers', { iterations: 4294967295, mispredictPenalty: 4294967295 }, { hints: null }),
  {
    name: 'comments in assembly',
    open: 'a.s',
    make: (folder) => folder.write('a.s', `# mca: compiler=./clang trace=/etc/passwd calibration=/etc/passwd trustedFolders=/\n${LOOP}`),
    told: /compiler/,
    hints: /cyc/,
  },
  {
    name: "the editor's own settings folder, with a task and a server of the folder",
    make(folder) {
      folder.write('a.c', SUM);
      folder.program('mca-worker');
      folder.write('.vscode/settings.json', { 'mca.compiler': './mca-worker', 'mca.server.path': './mca-worker' });
      folder.write('.clangd', 'CompileFlags: {Compiler: ./mca-worker, Add: [-fplugin=./x.so]}\n');
      folder.write('.clang-tidy', 'Checks: *\n');
    },
    hints: 'usual',
  },
  {
    name: 'JSON that is nested 100,000 times',
    make(folder) {
      folder.write('a.c', SUM);
      folder.write('.mca-lsp.json', `{"cpus": ${'['.repeat(100_000)}`);
      folder.write('compile_commands.json', '['.repeat(100_000));
    },
    told: /nested|deep|JSON/i,
    hints: 'usual',
  },
  {
    name: 'fallback flags of a plugin',
    make(folder) {
      folder.write('a.c', SUM);
      folder.write('.mca-lsp.json', { fallbackFlags: [`-fplugin=${process.env.MCA_TRACE_PLUGIN}`, '-o', 'leak', '-save-temps'] });
    },
    told: /left out/,
    hints: 'usual',
  },
];
