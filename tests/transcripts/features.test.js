// The requests beyond hints, hovers and diagnostics, with a client that can do everything, one that can do as little as
// the protocol allows, and one that breaks it. The worker is the fake one: what it says stands in the document.
'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const test = require('node:test');
const { Editor, FAKE_WORKER, FULL_CAPABILITIES, RawClient, labelOf, lsp, temporaryFolder } = require('./editor');

const args = ['--worker', FAKE_WORKER];
const TEXT = 'hint IPC\nloop r\nop load a\nop mul b\n# LLVM-MCA-\n';

const FULL = {
  ...FULL_CAPABILITIES,
  workspace: {
    ...FULL_CAPABILITIES.workspace,
    codeLens: { refreshSupport: true },
    semanticTokens: { refreshSupport: true },
    workspaceEdit: { documentChanges: true, resourceOperations: ['create', 'rename', 'delete'] },
  },
  textDocument: {
    ...FULL_CAPABILITIES.textDocument,
    inlayHint: { resolveSupport: { properties: ['tooltip', 'label.tooltip', 'textEdits'] } },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor'] } } },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    definition: { linkSupport: true },
    foldingRange: { rangeLimit: 100, lineFoldingOnly: true },
  },
};
const MINIMAL = {};
/** The label of the hint. */
const IPC = 'IPC 1.00 · 4.0 cyc';

async function opened(t, capabilities, options) {
  const file = path.join(temporaryFolder(t), 'a.s');
  const editor = await Editor.start(t, { args, capabilities, options });
  await editor.open(file, 'asm', TEXT);
  const textDocument = { uri: editor.uri(file) };
  const ask = (type, params) => editor.connection.sendRequest(type, { textDocument, ...params });
  await editor.until(async () => (await ask(lsp.DocumentSymbolRequest.type)).length > 0, 'the analysis');
  return { editor, file, textDocument, ask };
}

function at(line, character) {
  return { position: { line, character } };
}

function lines(first, last) {
  return { start: { line: first, character: 0 }, end: { line: last, character: 0 } };
}

const NO_CONTEXT = { context: { diagnostics: [] } };

test('a full client: tooltips come when they are asked for', async (t) => {
  const { editor, file } = await opened(t, FULL);
  const [hint] = await editor.hints(file);
  assert.equal(hint.label, IPC);
  assert.equal(hint.tooltip, undefined);
  const resolved = await editor.connection.sendRequest(lsp.InlayHintResolveRequest.type, hint);
  assert.equal(resolved.tooltip.kind, 'markdown');
  assert.ok(resolved.tooltip.value.startsWith(`### region IPC: ${IPC}`), resolved.tooltip.value);
  assert.deepEqual(resolved.position, hint.position);
});

test('a full client: instructions in hints, hovers, highlights, definitions', async (t) => {
  const { editor, file, ask, textDocument } = await opened(t, FULL, { inlayHints: { instructions: true } });
  const labels = (await editor.hints(file)).map((hint) => hint.label);
  assert.deepEqual(labels, [IPC, IPC, 'lat 4 · rthr 1.00 · p0', 'lat 4 · rthr 1.00 · p0']);
  const hover = await editor.hover(file, 3, 4);
  assert.match(hover.contents.value, /^### mul b\n\n1 micro-op · latency 4/);
  const highlights = await ask(lsp.DocumentHighlightRequest.type, at(3, 4));
  assert.deepEqual(highlights.map((one) => [one.range.start.line, one.kind]), [[2, 3], [3, 1]]);
  const [link] = await ask(lsp.DefinitionRequest.type, at(3, 4));
  assert.equal(link.targetUri, textDocument.uri);
  assert.equal(link.targetRange.start.line, 2);
});

test('a full client: symbols and folds', async (t) => {
  const { ask } = await opened(t, FULL);
  const [, symbol] = await ask(lsp.DocumentSymbolRequest.type);
  assert.equal(symbol.name, 'r');
  assert.equal(symbol.selectionRange.start.line, 1);
  const folds = await ask(lsp.FoldingRangeRequest.type);
  assert.deepEqual(folds.map((fold) => [fold.startLine, fold.endLine]), [[1, 4]]);
});

test('a full client: edits name the version', async (t) => {
  const { ask, textDocument } = await opened(t, FULL, { cpus: ['znver4', 'fake-cpu'] });
  const actions = await ask(lsp.CodeActionRequest.type, { range: lines(2, 2), ...NO_CONTEXT });
  assert.deepEqual(actions.map((action) => action.title.split(': ')[1]), ['14 cycles', '50 cycles', '200 cycles']);
  const [change] = actions[0].edit.documentChanges;
  assert.deepEqual(change.textDocument, { uri: textDocument.uri, version: 1 });
  assert.equal(change.edits[0].newText, '# LLVM-MCA-LATENCY 14\n');
  const [cpu] = await ask(lsp.CodeActionRequest.type, { range: lines(0, 0), ...NO_CONTEXT });
  assert.equal(cpu.edit.documentChanges[0].edits[0].newText, '# mca: cpu=znver4\n');
  const fixes = { context: { diagnostics: [], only: ['quickfix'] } };
  assert.deepEqual(await ask(lsp.CodeActionRequest.type, { range: lines(2, 2), ...fixes }), []);
});

test('a full client: completion in comments', async (t) => {
  const { editor, ask } = await opened(t, FULL);
  const trigger = editor.initialized.capabilities.completionProvider.triggerCharacters;
  assert.deepEqual(trigger, ['-', ':', '=']);
  const items = await ask(lsp.CompletionRequest.type, at(4, 11));
  assert.ok(items.some((item) => item.textEdit.newText === 'LLVM-MCA-BEGIN'));
  assert.deepEqual(await ask(lsp.CompletionRequest.type, at(0, 3)), []);
});

test('lenses and tokens are off until they are wanted, and lenses stay off beside hints', async (t) => {
  const off = await opened(t, FULL);
  assert.deepEqual(await off.ask(lsp.CodeLensRequest.type), []);
  assert.equal(await off.ask(lsp.SemanticTokensRequest.type), null);

  const beside = await opened(t, FULL, { codeLens: { enabled: true }, semanticTokens: { enabled: true } });
  assert.deepEqual(await beside.ask(lsp.CodeLensRequest.type), []);
  assert.deepEqual((await beside.ask(lsp.SemanticTokensRequest.type)).data, [2, 0, 9, 2, 0, 1, 0, 8, 2, 1]);
  const part = await beside.ask(lsp.SemanticTokensRangeRequest.type, { range: lines(3, 4) });
  assert.deepEqual(part.data, [3, 0, 8, 2, 1]);
  const { legend } = beside.editor.initialized.capabilities.semanticTokensProvider;
  assert.equal(legend.tokenTypes[2], 'mcaPressureHigh');

  const alone = await opened(t, FULL, { codeLens: { enabled: true }, inlayHints: { enabled: false } });
  const [lens] = await alone.ask(lsp.CodeLensRequest.type);
  assert.equal(lens.command.title, IPC);
  assert.deepEqual(lens.command.arguments, [{ uri: alone.textDocument.uri, position: { line: 0, character: 0 } }]);
});

test('lenses and tokens are asked for again while they are shown, and once when they go away', async (t) => {
  const { editor, file, textDocument } = await opened(t, FULL);
  const refreshes = { lenses: 0, tokens: 0 };
  editor.connection.onRequest(lsp.CodeLensRefreshRequest.type, () => void (refreshes.lenses += 1) ?? null);
  editor.connection.onRequest(lsp.SemanticTokensRefreshRequest.type, () => void (refreshes.tokens += 1) ?? null);
  const configure = async (mca) => {
    const before = editor.refreshes;
    await editor.connection.sendNotification(lsp.DidChangeConfigurationNotification.type, { settings: { mca } });
    await editor.until(() => editor.refreshes > before, 'a refresh of the hints');
    return { ...refreshes };
  };
  const off = { inlayHints: { enabled: false } };
  assert.deepEqual(await configure({ semanticTokens: { enabled: true } }), { lenses: 0, tokens: 1 });
  assert.deepEqual(await configure({ codeLens: { enabled: true }, ...off }), { lenses: 1, tokens: 2 });
  assert.deepEqual(await configure({}), { lenses: 2, tokens: 2 });
  assert.equal((await editor.hints(file)).length, 2, textDocument.uri);
});

test('a minimal client: everything at once, flat and plain', async (t) => {
  const { editor, file, ask, textDocument } = await opened(t, MINIMAL, { cpus: ['znver4'] });
  const [hint] = await editor.hints(file);
  assert.ok(hint.tooltip.startsWith(`region IPC: ${IPC}`), hint.tooltip);
  assert.match((await editor.hover(file, 3, 4)).contents.value, /^mul b\n/);
  const [, symbol] = await ask(lsp.DocumentSymbolRequest.type);
  assert.deepEqual([symbol.name, symbol.location.uri], ['r', textDocument.uri]);
  const [location] = await ask(lsp.DefinitionRequest.type, at(3, 4));
  assert.deepEqual(Object.keys(location).sort(), ['range', 'uri']);
  assert.equal(editor.initialized.capabilities.codeActionProvider, undefined);
  assert.deepEqual(await ask(lsp.CodeActionRequest.type, { range: lines(0, 4), ...NO_CONTEXT }), []);
});

test('a client with code actions but without versions gets plain changes', async (t) => {
  const capabilities = { textDocument: { codeAction: { codeActionLiteralSupport: {} } } };
  const { ask, textDocument } = await opened(t, capabilities);
  const [action] = await ask(lsp.CodeActionRequest.type, { range: lines(2, 2), ...NO_CONTEXT });
  assert.equal(action.edit.changes[textDocument.uri].length, 2);
});

const LOOP = `# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
walk:
	movq (%rdi), %rdi
	decq %rsi
	jne walk
`;

/** Makes the edits of an action in the document, the last one first. */
async function make(editor, file, action) {
  const [{ edits }] = action.edit.documentChanges;
  for (const edit of edits.reverse()) await editor.change(file, edit.newText, edit.range);
}

test('with the real worker: costs on the line, and code actions that it understands', async (t) => {
  const file = path.join(temporaryFolder(t), 'walk.s');
  const editor = await Editor.start(t, { capabilities: FULL, settings: { inlayHints: { instructions: true } } });
  await editor.open(file, 'asm', LOOP);
  const ask = (type, params) =>
    editor.connection.sendRequest(type, { textDocument: { uri: editor.uri(file) }, ...params });
  const labelAt = (line, accept) =>
    editor.until(async () => {
      const hint = (await editor.hints(file)).find((one) => one.position.line === line);
      return hint && accept.test(labelOf(hint)) && labelOf(hint);
    }, `a hint on line ${line}`);
  await labelAt(1, /\b5\.0 cyc/);
  await labelAt(2, /^lat 5 · rthr 0\.50 · p23$/);
  const hover = await editor.hover(file, 3, 2);
  assert.match(hover.contents.value, /^### decq %rsi\n\n1 micro-op · latency 1/);
  assert.match((await editor.hover(file, 1, 1)).contents.value, /^### loop/);
  const neighbours = await ask(lsp.DocumentHighlightRequest.type, at(4, 2));
  assert.deepEqual(neighbours.map((one) => [one.range.start.line, one.kind]), [[3, 3], [4, 1]]);

  const misses = await ask(lsp.CodeActionRequest.type, { range: lines(2, 2), ...NO_CONTEXT });
  await make(editor, file, misses.find((action) => action.title.includes('L2')));
  await labelAt(1, /\b14\.0 cyc/);

  const selection = { start: { line: 1, character: 0 }, end: { line: 7, character: 0 } };
  const [wrap] = await ask(lsp.CodeActionRequest.type, { range: selection, ...NO_CONTEXT });
  await make(editor, file, wrap);
  await editor.until(async () => (await ask(lsp.DocumentSymbolRequest.type))[0]?.name === 'region-1', 'the region');
});

const POSITIONS = ['documentHighlight', 'definition', 'completion', 'hover'];
const WHOLE = ['codeLens', 'documentSymbol', 'foldingRange', 'semanticTokens/full'];

test('a hostile client: documents that are not open, and places that do not exist', async (t) => {
  const client = new RawClient(t, args);
  await client.initialize({
    capabilities: {
      workspace: { workspaceEdit: { documentChanges: 'yes', resourceOperations: 5 } },
      textDocument: {
        codeAction: { codeActionLiteralSupport: {} },
        inlayHint: { resolveSupport: { properties: 'tooltip' } },
        foldingRange: { rangeLimit: -1 },
        definition: [],
      },
    },
  });
  let id = 0;
  const ask = (method, params) => client.request(++id, `textDocument/${method}`, params);
  const textDocument = { uri: 'file:///a.s' };
  const far = { line: 4294967295, character: 4294967295 };
  const askAll = async () => {
    for (const method of POSITIONS) assert.ok('result' in (await ask(method, { textDocument, position: far })), method);
    for (const method of WHOLE) assert.ok('result' in (await ask(method, { textDocument })), method);
    for (const method of ['codeAction', 'inlayHint', 'semanticTokens/range']) {
      const diagnostics = [{ range: { start: far, end: far }, code: 5, severity: 99 }];
      const context = { diagnostics, only: [7], triggerKind: 9 };
      assert.ok('result' in (await ask(method, { textDocument, range: { start: far, end: far }, context })), method);
    }
  };
  await askAll();
  const document = { ...textDocument, languageId: 'asm', version: 1, text: TEXT };
  client.send({ method: 'textDocument/didOpen', params: { textDocument: document } });
  await askAll();
  client.send({ method: 'textDocument/didClose', params: { textDocument } });
  await askAll();
});

test('a hostile client: wrong types are refused by name', async (t) => {
  const client = new RawClient(t, args);
  let id = 0;
  const error = async (method, params) => (await client.request(++id, method, params)).error?.code;
  assert.equal(await error('textDocument/codeAction', {}), -32002);
  await client.initialize();
  const textDocument = { uri: 'file:///a.s' };
  for (const method of POSITIONS) {
    assert.equal(await error(`textDocument/${method}`, { textDocument }), -32602, method);
    assert.equal(await error(`textDocument/${method}`, { textDocument, position: { line: -1, character: 0 } }), -32602);
  }
  for (const method of WHOLE) assert.equal(await error(`textDocument/${method}`, { textDocument: { uri: 5 } }), -32602);
  const range = { start: { line: 1, character: 0 }, end: { line: 0, character: 0 } };
  assert.equal(await error('textDocument/codeAction', { textDocument, range }), -32602);
  const fine = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  const context = { diagnostics: [{ range: 'here' }] };
  assert.equal(await error('textDocument/codeAction', { textDocument, range: fine, context }), -32602);
  assert.equal(await error('inlayHint/resolve', { label: 'IPC' }), -32602);
  const position = { line: 0, character: 0 };
  for (const label of [5, [7], [{ value: 5 }]]) assert.equal(await error('inlayHint/resolve', { position, label }), -32602);
  const odd = { position, label: [{ value: 'IPC' }], data: { uri: [] } };
  assert.deepEqual((await client.request(++id, 'inlayHint/resolve', odd)).result, odd);
});
