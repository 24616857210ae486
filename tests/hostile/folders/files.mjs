// FIFOs, sockets, devices and folders in the place of each file that is read: none of them is waited for, and none is read
// without end.
import { LOOP, SUM } from '../world.mjs';

const kinds = {
  'a FIFO': (folder, name) => folder.fifo(name),
  'a socket': (folder, name) => folder.socket(name),
  '/dev/zero': (folder, name) => folder.link(name, '/dev/zero'),
};

/** `told`: for each kind, or one for all of them. */
const place = (name, where, { make = () => {}, told, ...more }) =>
  Object.entries(kinds).map(([kind, put]) => ({
    name: `${kind} as ${name}`,
    async make(folder) {
      folder.write('a.c', SUM);
      make(folder);
      await put(folder, where);
    },
    told: told?.[kind] ?? (told instanceof RegExp ? told : undefined),
    ...more,
  }));

const notRegular = /no regular file|not a regular file|no plain file/;
const noHeader = {
  'a FIFO': /waited for .*thing, which is no regular file|Permission denied/,
  'a socket': /No such device or address|file not found|cannot open/,
  '/dev/zero': /Permission denied|cannot open|not found/,
};

export const cases = [
  ...place('the source', 'b.c', { open: 'b.c', text: `${SUM}/* unsaved */`, session: {} }),
  ...place('a header', 'thing', { make: (folder) => folder.write('a.c', `#include "thing"\n${SUM}`), told: noHeader }),
  ...place('an embedded file', 'thing', {
    make: (folder) => folder.write('a.c', `const char bytes[] = {\n#embed "thing"\n};\n${SUM}`),
    told: noHeader,
  }),
  ...place('what .incbin reads in C', 'thing', {
    make: (folder) => folder.write('a.c', `__asm__(".incbin \\"thing\\"");\n${SUM}`),
  }),
  ...place('what .incbin reads', 'thing', {
    open: 'a.s',
    make: (folder) => folder.write('a.s', `${LOOP}\t.data\n\t.incbin "thing"\n`),
  }),
  ...place('what .include reads', 'thing', {
    open: 'a.s',
    make: (folder) => folder.write('a.s', `\t.include "thing"\n${LOOP}`),
  }),
  ...place('the database', 'compile_commands.json', { told: notRegular, hints: 'usual' }),
  ...place('the flags file', 'compile_flags.txt', { told: notRegular, hints: 'usual' }),
  ...place('a response file', 'x.rsp', { make: (folder) => folder.database(['clang', '@x.rsp', '-O2', '-c', 'a.c']), hints: 'usual' }),
  ...place('the configuration', '.mca-lsp.json', { told: notRegular, hints: 'usual' }),
  ...place('the trace', 'a.c.mcatrace', { hints: 'usual' }),
  ...place('the trace that the configuration names', 'x.mcatrace', {
    make: (folder) => folder.write('.mca-lsp.json', { trace: 'x.mcatrace' }),
    told: notRegular,
    hints: 'usual',
  }),
  ...place('the calibration', 'cpu.json', {
    make: (folder) => folder.write('.mca-lsp.json', { calibration: 'cpu.json' }),
    told: /no regular file|only name a file in its own folder/,
    hints: 'usual',
  }),
  {
    name: 'a device node as a header',
    skip: () => process.getuid() !== 0 && 'only root makes device nodes',
    make(folder) {
      folder.write('a.c', `#include "thing"\n${SUM}`);
      folder.device('thing', 1, 5);
    },
    told: /Permission denied|cannot open|no regular file|not found/,
  },
];
