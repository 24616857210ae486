// What the diagnosis says of a server that runs, of one that does not, and where it runs it.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { diagnose, folderFor, type Diagnosis } from '../../src/diagnosis';

let folder: string;
before(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mca-diagnosis-'));
});
after(() => rmSync(folder, { recursive: true }));

/** A server that answers --version, and --doctor by `doctor`. */
function server(name: string, doctor: string): string {
  const file = path.join(folder, name, 'mca-lsp');
  mkdirSync(path.dirname(file));
  writeFileSync(file, `#!/bin/sh\nif [ "$*" = --version ]; then echo mca-lsp 0.1.3; exit; fi\n${doctor}\n`, { mode: 0o755 });
  return file;
}

const diagnosisWith = (search: object, further: Partial<Diagnosis> = {}): Diagnosis => ({
  search: { configured: '', extensionFolder: path.join(folder, 'none'), version: '0.1.0', environmentPath: '', ...search },
  arguments: [],
  folder,
  editor: [['VS Code', '1.100.0']],
  ...further,
});

test('it has what the extension knows and what the server prints, with its arguments, in the folder', async () => {
  const program = server('good', 'echo "asked: $*"; pwd');
  const text = await diagnose(diagnosisWith({ configured: program }, { arguments: ['--log=verbose'] }));
  assert.match(text, /^mca-lsp for VS Code 0\.1\.0\n\nEditor\n  VS Code +1\.100\.0\n  server arguments +--log=verbose\n/);
  assert.ok(text.includes(`${program} (the setting mca.server.path), version 0.1.3\n\nasked: --log=verbose --doctor\n${folder}\n`), text);
});

test('a report with a status of failure is a report', async () => {
  const text = await diagnose(diagnosisWith({ configured: server('status', 'echo the worker does not run; exit 2') }));
  assert.match(text, /the worker does not run/);
});

test('a server that prints no report says why', async () => {
  const text = await diagnose(diagnosisWith({ configured: server('silent', 'echo cannot do it >&2; exit 1') }));
  assert.match(text, /silent\/mca-lsp --doctor failed: cannot do it/);
});

test('without a server it says what became of each program', async () => {
  const broken = path.join(folder, 'broken');
  mkdirSync(broken);
  writeFileSync(path.join(broken, 'mca-lsp'), '#!/bin/sh\necho "no libLLVM.so.22.1" >&2; exit 127\n', { mode: 0o755 });
  const text = await diagnose(diagnosisWith({ environmentPath: `${folder}:${broken}` }));
  assert.match(text, /^  server +none: Command failed: \S+broken\/mca-lsp --version: no libLLVM\.so\.22\.1$/m);
  assert.match(text, /^  this extension +\S+none\/server\/bin\/mca-lsp: is not there, or no program$/m);
  assert.match(text, /^  PATH +\S+broken\/mca-lsp: .*no libLLVM\.so\.22\.1$/m);
  assert.equal(text.match(/^  PATH/gm)?.length, 1, 'folders of PATH without it are left out');
});

test('it runs in the opened folder only if that is trusted', () => {
  assert.equal(folderFor(true, '/work', '/extension'), '/work');
  assert.equal(folderFor(false, '/work', '/extension'), '/extension');
  assert.equal(folderFor(true, undefined, '/extension'), '/extension');
});
