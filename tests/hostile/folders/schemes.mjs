// Documents that are no file of this machine, with the path of one: nothing is compiled, read or measured for them.
import assert from 'node:assert/strict';
import path from 'node:path';
import { LOOP, SUM } from '../world.mjs';

const uris = {
  'vscode-vfs:': (file) => `vscode-vfs://github${file}`,
  'vscode-remote:': (file) => `vscode-remote://ssh-remote%2Bhost${file}`,
  'http:': (file) => `http://localhost${file}`,
  'git:': (file) => `git:${file}`,
  'untitled:': (file) => `untitled:${file}`,
  'file: with a host': (file) => `file://server${file}`,
  'file: with a host that begins as this one': (file) => `file://localhost.example.org${file}`,
  'file: with a relative path': (file) => `file:${path.basename(file)}`,
  'file: with an encoded slash': (file) => `file://${path.dirname(file)}%2F${path.basename(file)}`,
};

/** Whatever the user trusts, code of such a document is not run. */
const isNotMeasured = async (session, folder, uri) => {
  const measured = session.editor.command('mca.measureRegion', { uri, position: { line: 3, character: 0 }, trusted: true });
  await assert.rejects(measured, /no file of this machine|has not been analysed|no open/);
};

const source = ([scheme, uri]) => ({
  name: `C as ${scheme}`,
  make: (folder) => folder.write('a.c', SUM),
  uri,
  told: /no file of this machine/,
  hints: /^$/,
  also: isNotMeasured,
});

const preprocessed = ([scheme, uri]) => ({
  name: `assembly for the preprocessor as ${scheme}`,
  open: 'a.S',
  make(folder, world) {
    folder.write('a.S', LOOP);
    folder.database(['clang', '-include', `${world.outside}/secret.s`, '-c', 'a.S'], { file: 'a.S' });
  },
  uri,
  hints: /cyc/,
});

const assembly = ([scheme, uri]) => ({
  name: `assembly as ${scheme}, beside a trace and a configuration`,
  open: 'a.s',
  make(folder) {
    folder.write('a.s', LOOP);
    folder.write('a.s.mcatrace', 'mcatrace 1\ntrace nothing: NOTHING\n');
    folder.write('.mca-lsp.json', { cpu: 'znver4' });
  },
  uri,
  hints: /cyc/,
  also: isNotMeasured,
  check: (all) => assert.doesNotMatch(JSON.stringify(all), /CPU znver4|znver4: |mcatrace/), // the list of all CPUs has it, too
});

const all = Object.entries(uris);
export const cases = [...all.flatMap((one) => [source(one), assembly(one)]), ...all.slice(0, 2).map(preprocessed)];
