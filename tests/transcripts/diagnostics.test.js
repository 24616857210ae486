// Diagnostics as clients get them, published or pulled, and configuration files, with Microsoft's own library.
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { pathToFileURL } = require('node:url');
const { Editor, FAKE_WORKER, FULL_CAPABILITIES, lsp, startServer, temporaryFolder } = require('./editor');

const WITH_FAKE = ['--worker', FAKE_WORKER, '--sandbox=off']; // it leaves marks in the tests' folders

const PULLING = {
  ...FULL_CAPABILITIES,
  workspace: { ...FULL_CAPABILITIES.workspace, diagnostics: { refreshSupport: true } },
  textDocument: { ...FULL_CAPABILITIES.textDocument, diagnostic: { relatedDocumentSupport: false } },
};

/** An editor that pulls; `refreshed` counts how often it was asked to. */
async function pullingEditor(t, capabilities = PULLING) {
  const editor = await Editor.start(t, { args: WITH_FAKE, capabilities });
  editor.refreshed = 0;
  editor.connection.onRequest(lsp.DiagnosticRefreshRequest.type, () => {
    editor.refreshed++;
    editor.changes.emit('change');
    return null;
  });
  return editor;
}

function pull(editor, file, previousResultId) {
  return editor.connection.sendRequest(lsp.DocumentDiagnosticRequest.type, {
    textDocument: { uri: editor.uri(file) },
    previousResultId,
  });
}

test('a client that pulls is published nothing and asked to pull again', async (t) => {
  const editor = await pullingEditor(t);
  assert.equal(editor.initialized.capabilities.diagnosticProvider.identifier, 'mca');
  await editor.open('/a.s', 'asm', 'warn slow\n');
  await editor.until(() => editor.refreshed === 1, 'a refresh');
  const report = await pull(editor, '/a.s');
  assert.equal(report.kind, 'full');
  assert.deepEqual(report.items.map((item) => [item.message, item.source]), [['slow', 'mca']]);
  const same = await pull(editor, '/a.s', report.resultId);
  assert.deepEqual(same, { kind: 'unchanged', resultId: report.resultId });
  await editor.change('/a.s', 'warn slower\n');
  await editor.until(() => editor.refreshed === 2, 'a refresh');
  assert.equal((await pull(editor, '/a.s', report.resultId)).items[0].message, 'slower');
  assert.equal(editor.diagnostics.size, 0);
  assert.equal(await editor.quit(), 0);
});

test('a pull before the first analysis waits, and is cancelled by the server when that takes long', async (t) => {
  const editor = await pullingEditor(t);
  await editor.open('/a.s', 'asm', 'hang\n');
  const error = await pull(editor, '/a.s').catch((reason) => reason);
  assert.equal(error.code, lsp.LSPErrorCodes.ServerCancelled);
  assert.deepEqual(error.data, { retriggerRequest: false });
});

test('a client that does not pull is published diagnostics with their version', async (t) => {
  const editor = await Editor.start(t, { args: WITH_FAKE });
  assert.equal(editor.initialized.capabilities.diagnosticProvider, undefined);
  await editor.open('/a.s', 'asm', 'warn slow\n');
  assert.equal((await editor.diagnosticsOf('/a.s'))[0].message, 'slow');
  await editor.close('/a.s');
  await editor.until(() => editor.diagnostics.get('file:///a.s').diagnostics.length === 0, 'the end of diagnostics');
});

test('a folder configures its documents, and its mistakes are shown in its file', async (t) => {
  const folder = temporaryFolder(t);
  const config = path.join(folder, '.mca-lsp.json');
  const file = path.join(folder, 'a.s');
  fs.writeFileSync(config, '{\n  "cpu": "znver4",\n  "tripel": "x"\n}\n');
  const editor = await Editor.start(t, { args: WITH_FAKE });
  await editor.open(file, 'asm', 'settings\n');
  const told = () => editor.diagnostics.get(editor.uri(file))?.diagnostics[0]?.message;
  await editor.until(() => /znver4/.test(told()), 'the settings');
  const uri = pathToFileURL(config).href;
  const published = await editor.until(() => editor.diagnostics.get(uri), 'the findings of the configuration');
  assert.deepEqual(
    published.diagnostics.map((one) => [one.code, one.range.start.line]),
    [['config-unknown-key', 2]],
  );

  fs.writeFileSync(config, '{"cpu": "skylake"}\n');
  await editor.connection.sendNotification(lsp.DidChangeWatchedFilesNotification.type, {
    changes: [{ uri, type: lsp.FileChangeType.Changed }],
  });
  await editor.until(() => /skylake/.test(told()), 'the new CPU');
  await editor.until(() => editor.diagnostics.get(uri).diagnostics.length === 0, 'the end of the findings');

  await editor.open(config, 'jsonc', '{"cpu": "skylake"}\n');
  await editor.change(config, '{"cpu": "a72", // unsaved\n}\n');
  assert.equal((await editor.diagnosticsOf(config))[0].code, 'config-unreadable');
  await editor.change(config, '{"cpu": "a72" // unsaved\n}\n');
  await editor.until(() => /a72/.test(told()), 'the unsaved CPU');
});

test('a trace is sent to a client that sets one', async (t) => {
  const editor = await Editor.start(t, { args: WITH_FAKE });
  const traces = [];
  editor.connection.onNotification(lsp.LogTraceNotification.type, (trace) => {
    traces.push(trace);
    editor.changes.emit('change');
  });
  await editor.connection.sendNotification(lsp.SetTraceNotification.type, { value: 'verbose' });
  await editor.open('/a.s', 'asm', 'hint IPC\n');
  const trace = await editor.until(() => traces[0], 'a trace');
  assert.match(trace.message, /didOpen/);
  assert.match(trace.verbose, /hint IPC/);
});

test('--check takes the configuration of the folder, and the command line over it', async (t) => {
  const folder = temporaryFolder(t);
  const config = path.join(folder, '.mca-lsp.json');
  const file = path.join(folder, 'a.s');
  fs.writeFileSync(file, 'settings\n');
  const check = async (...args) => {
    const child = startServer(['--check', ...WITH_FAKE, ...args, file]);
    let out = '';
    child.stdout.on('data', (text) => (out += text));
    const status = await child.exited;
    return { status, out, log: child.log };
  };
  fs.writeFileSync(config, '{"cpu": "znver4"}\n');
  const good = await check();
  assert.equal(good.status, 0);
  assert.match(good.out, /remark: znver4\//);
  assert.match((await check('--cpu', 'skylake')).out, /remark: skylake\//);

  fs.writeFileSync(config, '{\n  "cpu": 5\n}\n');
  const bad = await check();
  assert.equal(bad.status, 3);
  assert.match(bad.log, /\.mca-lsp\.json:2:3: error: cpu must be a string \[config-bad-value\]/);
});
