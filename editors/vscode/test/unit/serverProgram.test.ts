// Which server is taken: the setting, the package's, PATH's; and what is said when none fits.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { findServer, isCompatible } from '../../src/serverProgram';

let folder: string;
const program = (name: string, prints: string): string => {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho "${prints}"\n`);
  chmodSync(file, 0o755);
  return file;
};
const search = (changes: object) => ({ configured: '', extensionFolder: path.join(folder, 'none'), version: '0.1.0', environmentPath: '', ...changes });

before(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mca-server-'));
  program('bundle/server/bin/mca-lsp', 'mca-lsp 0.1.7');
  program('path/mca-lsp', 'mca-lsp 0.1.2');
  program('old/mca-lsp', 'mca-lsp 0.0.9');
  program('other/mca-lsp', 'something else');
});
after(() => rmSync(folder, { recursive: true }));

test('the setting comes first', async () => {
  const found = await findServer(search({ configured: path.join(folder, 'path/mca-lsp'), extensionFolder: path.join(folder, 'bundle') }));
  assert.deepEqual([found.version, found.origin], ['0.1.2', 'the setting mca.server.path']);
});

test('then the package, then PATH', async () => {
  const environmentPath = `${path.join(folder, 'empty')}:${path.join(folder, 'path')}`;
  assert.equal((await findServer(search({ extensionFolder: path.join(folder, 'bundle'), environmentPath }))).version, '0.1.7');
  assert.equal((await findServer(search({ environmentPath }))).origin, 'PATH');
});

test('a folder of PATH that is not absolute is left out', async () => {
  await assert.rejects(findServer(search({ environmentPath: path.relative(process.cwd(), path.join(folder, 'path')) })), /no mca-lsp/);
});

test('a wrong setting is told, and nothing else is tried', async () => {
  await assert.rejects(findServer(search({ configured: '/no/such', extensionFolder: path.join(folder, 'bundle') })), /mca\.server\.path names \/no\/such/);
});

test('another version or another program is refused', async () => {
  await assert.rejects(findServer(search({ configured: path.join(folder, 'old/mca-lsp') })), /is version 0\.0\.9, but this extension needs 0\.1\.0/);
  await assert.rejects(findServer(search({ configured: path.join(folder, 'other/mca-lsp') })), /printed no version/);
});

test('versions of one minor release fit', () => {
  assert.equal(isCompatible('0.1.9', '0.1.0'), true);
  assert.equal(isCompatible('0.2.0', '0.1.0'), false);
});
