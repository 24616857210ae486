// Every command that the package contributes, run inside the extension host against the real server: it does what its
// title says, and says so when it cannot.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { assemblyIds, ownLanguage } from '../../src/assemblyLanguage';
import type { HotLoop } from '../../src/hotLoopsView';
import { eventually, runAll, test } from './runner';

const folder = (): vscode.Uri => vscode.workspace.workspaceFolders![0].uri;
const extension = (): vscode.Extension<unknown> => vscode.extensions.getExtension('mca-lsp.mca-lsp')!;
const covered = new Set<string>();

function run<T>(command: string, ...args: unknown[]): Thenable<T | undefined> {
  covered.add(`mca-lsp.${command}`);
  return vscode.commands.executeCommand<T | undefined>(`mca-lsp.${command}`, ...args);
}

async function open(name: string, line = 0): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder(), name));
  const selection = new vscode.Range(line, 0, line, 0);
  return vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, selection });
}

async function hints(name: string): Promise<string[]> {
  const all = new vscode.Range(0, 0, 999, 0);
  const found = await vscode.commands.executeCommand<vscode.InlayHint[]>(
    'vscode.executeInlayHintProvider', vscode.Uri.joinPath(folder(), name), all);
  return found.map((hint) => (typeof hint.label === 'string' ? hint.label : hint.label.map((part) => part.value).join('')));
}

/** The file with a hint in it, as its editor. */
async function analysed(name: string, line = 0): Promise<vscode.TextEditor> {
  const editor = await open(name, line);
  await eventually(`a hint in ${name}`, async () => (await hints(name)).some((hint) => hint.includes('cyc')));
  return editor;
}

const texts = (): string[] => vscode.window.visibleTextEditors.map((editor) => editor.document.getText());
const tabs = (): string[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));

/** The processes that run a program of the installed package. */
function processesOf(program: string): number[] {
  const file = path.join(extension().extensionPath, 'server', 'bin', program);
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/exe`) === file && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return false;
    }
  });
}

interface Exported {
  target: { cpu: string };
  regions: unknown[];
}

async function exported(name: string): Promise<Exported> {
  await open(name);
  return JSON.parse((await run<string>('exportJson')) ?? 'null')?.files[0];
}

/** What asks the server, with arguments where the command would ask the user. */
const asking: [string, unknown?][] = [
  ['showPipeline'], ['showReport'], ['showAssembly'], ['setCpu', { cpu: 'znver3' }], ['compareCpus', { cpu: 'znver3' }],
  ['measureRegion'], ['advise'], ['calibrate'], ['nextPath'], ['nextPredictor'], ['exportJson'], ['showMemory'], ['showHotLoops'],
  ['restartWorker'],
];

test('the package is active, and each of its commands is registered', async () => {
  await eventually('the extension', () => extension()?.isActive);
  const registered = await vscode.commands.getCommands(true);
  for (const { command } of extension().packageJSON.contributes.commands)
    assert.ok(registered.includes(command), command);
});

test('Show Report opens every view beside the source', async () => {
  await analysed('dot.s', 4);
  const reply = await run<{ uri: string }>('showReport');
  assert.match(reply?.uri ?? '', /^mca:\/report\/dot\.s\.txt/);
  await eventually('the report', () => texts().some((text) => text.includes('Timeline view:') && text.includes('vfmadd231ps')));
});

test('Show Assembly opens the function with its source lines', async () => {
  await analysed('sum.cpp', 3);
  await run('showAssembly');
  await eventually('the assembly', () => texts().some((text) => /# 5: +total \+= values\[i\];/.test(text) && text.includes('addsd')));
});

test('Show Pipeline draws the region at the cursor, and another one when it is run again', async () => {
  await analysed('dot.s', 4);
  const drawn = await run<{ title: string; instances: unknown[] }>('showPipeline');
  assert.match(drawn?.title ?? '', /dot/);
  assert.equal(drawn?.instances.length, 50);
  await eventually('the panel', () => tabs().includes('Pipeline: dot.s'));
  await analysed('sum.cpp', 3);
  await run('showPipeline');
  await eventually('the other file', () => tabs().includes('Pipeline: sum.cpp'));
  assert.equal(tabs().filter((label) => label.startsWith('Pipeline')).length, 1);
  const none = await run<{ problem: string }>('showPipeline', { uri: String(vscode.Uri.joinPath(folder(), 'dot.s')), position: { line: 10, character: 0 } });
  assert.match(none?.problem ?? '', /No region/);
});

test('Choose CPU changes what the numbers are for, and takes it back', async () => {
  await analysed('sum.cpp', 3);
  assert.equal(await run('setCpu', { cpu: 'btver2' }), 'btver2');
  await eventually('the CPU', async () => (await exported('sum.cpp')).target.cpu === 'btver2');
  await run('setCpu', { cpu: '' });
  await eventually('the CPU of before', async () => (await exported('sum.cpp')).target.cpu !== 'btver2');
});

test('Choose CPU asks with a list', async () => {
  await analysed('sum.cpp', 3);
  const choice = run<string>('setCpu');
  const done = Promise.resolve(choice).then((name) => ({ name }));
  const chosen = await eventually('a choice', async () => {
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    return Promise.race([done, new Promise<undefined>((resolve) => setTimeout(resolve, 500))]);
  });
  assert.match(chosen.name ?? '', /^[a-z]/);
  await run('setCpu', { cpu: '' });
});

test('Compare CPUs shows both', async () => {
  await analysed('sum.cpp', 3);
  const text = await run<string>('compareCpus', { cpu: 'btver2' });
  assert.match(text ?? '', /cyc\/iter/);
  assert.match(text ?? '', /^btver2 +\d+\.\d\d/m);
  assert.ok(texts().includes(text ?? ''));
});

/** Runs with a script in place of mca-measure. */
async function withMeasure(lines: string, body: () => Promise<void>): Promise<void> {
  const program = path.join(tmpdir(), `mca-measure-${process.pid}`);
  writeFileSync(program, `#!/bin/sh\n${lines}`, { mode: 0o755 });
  const settings = vscode.workspace.getConfiguration('mca');
  await settings.update('server.arguments', ['--measure', program], vscode.ConfigurationTarget.Global);
  await run('restartServer');
  await analysed('dot.s', 4);
  await body();
  await settings.update('server.arguments', undefined, vscode.ConfigurationTarget.Global);
  await run('restartServer');
  await analysed('dot.s');
}

test('Measure the Loop shows the cycles beside the predicted ones', async () => {
  const reply = { CPU: 'znver4', Regions: [{ Name: '0', Forms: [{ Form: 'loop', Cycles: 9.5, Spread: 0.01 }] }] };
  await withMeasure(`cat >/dev/null\necho '${JSON.stringify(reply)}'\n`, async () => {
    const measured = await run<{ paths: { cycles: number }[] }>('measureRegion');
    assert.equal(measured?.paths[0].cycles, 9.5);
    await eventually('the measured cycles', async () => (await hints('dot.s')).some((hint) => hint.includes('(measured 9.5)')));
  });
});

test('What Would Make This Loop Faster shows the changes next to the source', async () => {
  await analysed('sum.cpp', 3);
  const advised = await run<{ uri: string }>('advise');
  assert.match(advised?.uri ?? '', /^mca:\/advice\//);
  await eventually('the document', () => texts().some((text) => text.startsWith('What would make this loop faster?')));
});

test('Calibrate for This CPU says where the calibration is', async () => {
  const lines = [
    { phase: 'structure', done: 0, total: 0 },
    { phase: 'forms', done: 800, total: 2386, secondsLeft: 141 },
    { file: '/data/this.calibration', forms: 2386 },
  ].map((line) => `echo '${JSON.stringify(line)}' >&2\n`);
  await withMeasure(`test "$*" = 'calibrate --progress=json' || exit 3\n${lines.join('')}`, async () => {
    const reply = await run<object>('calibrate');
    assert.deepEqual(reply, { file: '/data/this.calibration', forms: 2386, complete: true });
  });
});

test('Export the Analysis as JSON', async () => {
  await analysed('dot.s');
  const json = await exported('dot.s');
  assert.equal(json.target.cpu, 'znver4');
  assert.equal(json.regions.length, 1);
});

test('Toggle Hints takes them away and brings them back', async () => {
  await analysed('dot.s');
  await run('toggleHints');
  await eventually('no hints', async () => (await hints('dot.s')).length === 0);
  await run('toggleHints');
  await eventually('the hints', async () => (await hints('dot.s')).length > 0);
});

test('Mark the Selection as a Region writes comments of the language', async () => {
  for (const [language, eol, wrapped] of [
    ['cpp', vscode.EndOfLine.LF, '  // LLVM-MCA-BEGIN\n  a();\n  // LLVM-MCA-END\n  b();\n'],
    ['mca-assembly', vscode.EndOfLine.CRLF, '  # LLVM-MCA-BEGIN\r\n  a();\r\n  # LLVM-MCA-END\r\n  b();\r\n'],
  ] as const) {
    const document = await vscode.workspace.openTextDocument({ language, content: '  a();\n  b();\n' });
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.setEndOfLine(eol));
    editor.selection = new vscode.Selection(0, 0, 1, 0);
    await run('wrapRegion');
    assert.equal(document.getText(), wrapped);
  }
});

test('Show the Hot Loops lists the loops of a profile, and goes to the chosen one', async () => {
  await analysed('hot.s');
  assert.match((await run<string>('showHotLoops')) ?? '', /^No open document has a loop of which a profile has samples/);
  const settings = vscode.workspace.getConfiguration('mca');
  await settings.update('profile', vscode.Uri.joinPath(folder(), 'hot.mcaprofile').fsPath, vscode.ConfigurationTarget.Global);
  const loops = await eventually('the hot loops', async () => {
    const found = await run<HotLoop[] | string>('showHotLoops');
    return Array.isArray(found) ? found : undefined;
  });
  assert.deepEqual(loops.map(({ share, name }) => [share, name]), [[0.3, 'loop in f'], [0.15, 'loop in g']]);
  assert.match(loops[0].label, /cyc/);
  await eventually('the second loop', async () => {
    await run('showHotLoops'); // the tree has the focus, as soon as it is drawn
    for (const key of ['focusFirst', 'focusDown', 'select'])
      await vscode.commands.executeCommand(`list.${key}`);
    return vscode.window.activeTextEditor?.selection.active.line === loops[1].line;
  });
  await settings.update('profile', undefined, vscode.ConfigurationTarget.Global);
  await eventually('no hot loops', async () => typeof (await run('showHotLoops')) === 'string');
});

test('Show Memory tells of both processes', async () => {
  await analysed('dot.s');
  assert.match((await run<string>('showMemory')) ?? '', /^mca-lsp: \d+ MiB, mca-worker: \d+ MiB( and \d+ MiB)?$/);
});

test('Show Log shows the log', async () => {
  await run('showLog');
  await eventually('the log', () => vscode.window.visibleTextEditors.some((editor) => editor.document.uri.scheme === 'output' &&
    editor.document.getText().includes('mca-lsp')));
});

test('Restart the Worker starts another one', async () => {
  await analysed('dot.s');
  const [before] = processesOf('mca-worker');
  await run('restartWorker');
  await eventually('another worker', () => processesOf('mca-worker').some((pid) => pid !== before));
  await analysed('dot.s');
});

test('Restart the Server starts another one', async () => {
  const [before] = processesOf('mca-lsp');
  await run('restartServer');
  await eventually('another server, and one alone', () => {
    const servers = processesOf('mca-lsp');
    return servers.length === 1 && servers[0] !== before;
  });
  await analysed('dot.s');
});

test('after Stop the Server nothing runs, and each command says so', async () => {
  await analysed('dot.s', 4);
  await run('stopServer');
  await eventually('no server', () => processesOf('mca-lsp').length === 0 && processesOf('mca-worker').length === 0);
  for (const [command, argument] of asking)
    assert.equal(await run(command, argument), undefined, command);
  assert.deepEqual(await hints('dot.s'), []);
  await run('stopServer');
  await run('restartServer');
  await analysed('dot.s');
});

test('without a server to be found nothing throws', async () => {
  const settings = vscode.workspace.getConfiguration('mca');
  await settings.update('server.path', '/nonexistent/mca-lsp', vscode.ConfigurationTarget.Global);
  await run('restartServer');
  await eventually('the end of the server before', () => processesOf('mca-lsp').length === 0);
  for (const [command, argument] of asking)
    assert.equal(await run(command, argument), undefined, command);
  await settings.update('server.path', undefined, vscode.ConfigurationTarget.Global);
  await run('restartServer');
  await analysed('dot.s');
});

test('Show Diagnosis shows what was found, and cannot be edited', async () => {
  const text = (await run<string>('showDiagnosis')) ?? '';
  assert.match(text, /^mca-lsp for VS Code \d/);
  assert.match(text, /^  setting +mca\.calibration = "off"$/m);
  assert.match(text, /^  server +\S+\/server\/bin\/mca-lsp \(this extension\), version \d/m);
  assert.match(text, /^  LLVM +22\.1/m);
  assert.ok(text.includes(`Configuration of ${folder().fsPath}\n`));
  const shown = vscode.window.activeTextEditor!.document;
  assert.equal(shown.getText(), text);
  await vscode.commands.executeCommand('type', { text: 'x' });
  assert.equal(shown.getText(), text);
  assert.equal(shown.isDirty, false);
  await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
});

test('Show Diagnosis says why there is no server', async () => {
  const broken = path.join(tmpdir(), `mca-broken-${process.pid}`);
  writeFileSync(broken, '#!/bin/sh\necho "mca-lsp: error while loading libLLVM.so.22.1" >&2\nexit 127\n', { mode: 0o755 });
  const settings = vscode.workspace.getConfiguration('mca');
  for (const [program, why] of [
    [broken, /Programs that were tried\n  the setting mca\.server\.path \S+: .*error while loading libLLVM\.so\.22\.1/],
    ['/nonexistent/mca-lsp', /^  server +none: the setting mca\.server\.path names \/nonexistent\/mca-lsp/m],
  ] as const) {
    await settings.update('server.path', program, vscode.ConfigurationTarget.Global);
    await run('restartServer');
    assert.match((await run<string>('showDiagnosis')) ?? '', why);
  }
  await settings.update('server.path', undefined, vscode.ConfigurationTarget.Global);
  await run('restartServer');
  await analysed('dot.s');
});

/** A file of the folder with what is no assembly in its first line, opened. */
async function opened(name: string): Promise<vscode.TextDocument> {
  const uri = vscode.Uri.joinPath(folder(), name);
  await vscode.workspace.fs.writeFile(uri, Buffer.from('# prose\n  ret\n'));
  return (await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri))).document;
}

const languageOf = (name: string, language: string): Promise<unknown> =>
  eventually(`${name} in ${language}`, () => vscode.window.activeTextEditor?.document.languageId === language);

test('assembly that no other extension claims has this language, and the user may choose another one', async () => {
  for (const name of ['prose.s', 'prose.S', 'prose.sx', 'prose.asm']) {
    await opened(name);
    await languageOf(name, ownLanguage);
  }
  const document = await opened('chosen.s');
  await languageOf('chosen.s', ownLanguage);
  await vscode.languages.setTextDocumentLanguage(document, 'plaintext');
  await opened('prose.s');
  assert.equal(document.languageId, 'plaintext');
});

test('a file that the setting files.associations calls plain text stays so', async () => {
  const settings = vscode.workspace.getConfiguration('files');
  await settings.update('associations', { '*.plain.s': 'plaintext' }, vscode.ConfigurationTarget.Global);
  const document = await opened('some.plain.s');
  await opened('other.s');
  await languageOf('other.s', ownLanguage);
  assert.equal(document.languageId, 'plaintext');
  await settings.update('associations', undefined, vscode.ConfigurationTarget.Global);
});

test('every language of assembly activates the extension', async () => {
  const { activationEvents, contributes } = extension().packageJSON;
  assert.deepEqual(contributes.languages.map(({ id }: { id: string }) => id), [ownLanguage]);
  assert.equal(contributes.languages[0].extensions, undefined);
  const others = assemblyIds.filter((id) => id !== ownLanguage);
  assert.deepEqual(others.filter((id) => !activationEvents.includes(`onLanguage:${id}`)), []);
});

test('without an editor the commands say what they need', async () => {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await eventually('no editor', () => !vscode.window.activeTextEditor);
  for (const command of ['showPipeline', 'showReport', 'showAssembly', 'exportJson', 'wrapRegion'])
    assert.equal(await run(command), undefined, command);
});

test('no command is without a test', async () => {
  const contributed: string[] = extension().packageJSON.contributes.commands.map((one: { command: string }) => one.command);
  assert.deepEqual(contributed.filter((command) => !covered.has(command)), []);
});

export { runAll as run };
