// Symbolic links of a folder that lead out of it or in circles: what they lead to is not shown.
import { LOOP, SUM } from '../world.mjs';

const O2 = ['clang', '-O2', '-c', 'a.c'];

const link = (name, make, more = {}) => ({
  name,
  make(folder, world) {
    folder.write('a.c', SUM);
    make(folder, world);
  },
  ...more,
});

const leadsOut = /leads outside of the project/;
const traceIsRefused = /the trace \S+ cannot be read: it lies outside of the project/;

export const cases = [
  link('a header outside', (folder, world) => {
    folder.write('a.c', `#include "secret.h"\n${SUM}`);
    folder.link('secret.h', `${world.outside}/secret.h`);
  }, { told: /cannot open file .*secret\.h': Permission denied, as it lies outside/ }),
  link('a folder of headers outside', (folder, world) => {
    folder.write('a.c', `#include "inc/id_rsa"\n${SUM}`);
    folder.link('inc', `${world.home}/.ssh`);
    folder.database(['clang', '-O2', '-Iinc', '-I.', '-c', 'a.c']);
  }),
  link('a source outside', (folder, world) => folder.link('b.c', `${world.outside}/secret.h`), { open: 'b.c', text: SUM }),
  link('a source that is the key', (folder, world) => folder.link('b.c', world.key), { open: 'b.c', text: SUM }),
  link('an assembly source outside', (folder, world) => folder.link('b.S', `${world.outside}/secret.s`), { open: 'b.S', text: LOOP }),
  link('a database outside', (folder, world) => folder.link('compile_commands.json', `${world.outside}/data.json`), {
    told: /compile_commands\.json cannot be read/,
    hints: 'usual',
  }),
  link('a database that is the key', (folder, world) => folder.link('compile_commands.json', world.key), {
    told: /compile_commands\.json cannot be read/,
    hints: 'usual',
  }),
  link('a flags file outside', (folder, world) => folder.link('compile_flags.txt', `${world.outside}/flags.rsp`), { told: /compile_flags\.txt is not read: it leads to a file outside/, hints: /cyc/ }),
  link('a flags file that is the key', (folder, world) => folder.link('compile_flags.txt', world.key)),
  link('a response file outside', (folder, world) => {
    folder.link('flags.rsp', `${world.outside}/flags.rsp`);
    folder.database([...O2, '@flags.rsp']);
  }, { told: /flags\.rsp is not read: it is outside of the opened folders/, hints: /cyc/ }),
  link('a configuration outside', (folder, world) => folder.link('.mca-lsp.json', `${world.outside}/data.json`), { told: leadsOut }),
  link('a configuration outside whose keys are secrets', (folder, world) => folder.link('.mca-lsp.json', `${world.outside}/settings.json`), { told: leadsOut, hints: 'usual' }),
  link('a configuration that is the key', (folder, world) => folder.link('.mca-lsp.json', world.key), { told: leadsOut, hints: 'usual' }),
  link('a configuration elsewhere in the opened folder', (folder) => {
    folder.write('below/a.c', SUM);
    folder.write('shared.json', { hover: { enabled: 'wrong' } });
    folder.link('below/.mca-lsp.json', '../shared.json');
  }, { open: 'below/a.c', told: /hover\.enabled/, hints: 'usual' }),
  link('a trace outside', (folder, world) => folder.link('a.c.mcatrace', world.token), { told: traceIsRefused }),
  link('a trace outside, named without the suffix', (folder, world) => folder.link('a.mcatrace', world.token), { told: traceIsRefused }),
  link('a folder of traces outside', (folder, world) => {
    folder.link('runs', world.home);
    folder.write('.mca-lsp.json', { trace: 'runs/.vault-token' });
  }, { told: traceIsRefused }),
  link('a trace elsewhere in the opened folder', (folder) => {
    folder.write('runs/a', 'no trace\n');
    folder.link('a.c.mcatrace', 'runs/a');
  }, { told: /this is no branch trace/ }),
  link('a calibration outside', (folder, world) => {
    folder.link('cpu.json', `${world.outside}/data.json`);
    folder.write('.mca-lsp.json', { calibration: 'cpu.json' });
  }, { told: /only name a file in its own folder/, hints: 'usual' }),
  link('a build folder that is the root', (folder) => folder.link('build', '/'), { hints: 'usual' }),
  link('a repository outside', (folder, world) => folder.link('.git', world.outside), { hints: 'usual' }),
  link('a database in a circle', (folder) => folder.link('compile_commands.json', 'compile_commands.json'), { hints: 'usual' }),
  link('a configuration in a circle', (folder) => folder.link('.mca-lsp.json', '.mca-lsp.json'), { hints: 'usual' }),
  link('a trace in a circle', (folder) => folder.link('a.c.mcatrace', 'a.c.mcatrace'), { hints: 'usual' }),
  link('a header in a circle', (folder) => {
    folder.write('a.c', `#include "b.h"\n${SUM}`);
    folder.link('b.h', 'c.h');
    folder.link('c.h', 'b.h');
  }, { told: /b\.h/ }),
  link('a folder that holds itself', (folder) => {
    folder.link('in', '.');
    folder.write('a.c', `#include "in/in/in/in/b.h"\n${SUM}`);
    folder.write('b.h', '\n');
  }, { hints: /cyc/ }),
  link('a source in a circle', (folder) => folder.link('b.c', 'b.c'), { open: 'b.c', text: SUM }),
  link('the folder itself', (folder) => {
    folder.world.folder('real').write('a.c', SUM);
    folder.link('way', folder.world.root + '/folders/real');
  }, { open: 'way/a.c', hints: 'usual', session: { opens: (folder) => [folder.path('way')] } }),
];
