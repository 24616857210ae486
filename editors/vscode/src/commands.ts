// The commands of the palette. What they do is the server's work; here is only what the user is asked and shown. Each
// resolves to what it has shown, so that keybindings and tests can run them with arguments.
import * as vscode from 'vscode';
import type { DiagnosisView } from './diagnosisView';
import type { HotLoopsView } from './hotLoopsView';
import type { PipelineView } from './pipelineView';
import type { ServerSession } from './serverSession';

export interface Place {
  uri: string;
  position: { line: number; character: number };
}

interface KnownCpu {
  name: string;
  /** Whose scheduling model LLVM simulates it on. */
  model: 'own' | 'borrowed' | 'none';
}

interface Comparison {
  region: string;
  cpus: { cpu: string; cycles: number; ipc: number; remark: string }[];
}

/** Where the cursor is, or the place that a code lens or a keybinding hands over. Throws when there is none. */
function placeOf(given?: unknown): Place {
  const place = given as Partial<Place> | undefined;
  if (typeof place?.uri === 'string' && place.position)
    return place as Place;
  const editor = activeEditor();
  const { line, character } = editor.selection.active;
  return { uri: editor.document.uri.toString(), position: { line, character } };
}

function activeEditor(): vscode.TextEditor {
  const editor = vscode.window.activeTextEditor;
  if (!editor)
    throw new Error('open an assembly, C or C++ file first');
  return editor;
}

/** The name of a CPU: the one that a keybinding gives, or the user's choice from the list. */
async function chosenCpu(session: ServerSession, title: string, given?: unknown): Promise<string | undefined> {
  const cpu = (given as { cpu?: unknown } | undefined)?.cpu;
  if (typeof cpu === 'string')
    return cpu;
  const uri = vscode.window.activeTextEditor?.document.uri.toString();
  const cpus = (await session.execute<{ cpus: KnownCpu[] }>('mca.listCpus', { uri }))?.cpus ?? [];
  const choice = await vscode.window.showQuickPick(
    cpus.map((one) => ({
      label: one.model === 'none' ? `$(circle-slash) ${one.name}` : one.name,
      name: one.name,
      description: { own: '', borrowed: '≈ simulated on another CPU\'s model', none: 'no scheduling model' }[one.model],
    })),
    { title, placeHolder: 'The name of a CPU', matchOnDescription: true },
  );
  return choice?.name;
}

async function setCpu(session: ServerSession, given?: unknown): Promise<string | undefined> {
  const cpu = await chosenCpu(session, 'The CPU that the numbers are for', given);
  if (cpu !== undefined)
    await session.execute('mca.setCpu', { cpu });
  return cpu;
}

async function compareCpus(session: ServerSession, given?: unknown): Promise<string | undefined> {
  const place = placeOf(given);
  const cpu = await chosenCpu(session, 'Compare with', given);
  const reply = cpu && (await session.execute<Comparison>('mca.compareCpus', { ...place, cpus: [cpu] }));
  if (!reply)
    return undefined;
  const rows = reply.cpus.map(
    (one) => `${one.cpu.padEnd(20)}${one.cycles.toFixed(2).padStart(9)}${one.ipc.toFixed(2).padStart(7)}  ${one.remark}`);
  const head = `${'CPU'.padEnd(20)}${'cyc/iter'.padStart(9)}${'IPC'.padStart(7)}`;
  return showText(`${reply.region}\n\n${[head, ...rows].join('\n')}\n`, 'plaintext');
}

async function showText(content: string, language: string): Promise<string> {
  const document = await vscode.workspace.openTextDocument({ content, language });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  return content;
}

async function exportJson(session: ServerSession): Promise<string> {
  const json = await session.execute<unknown>('mca.exportJson', { uri: placeOf().uri });
  return showText(`${JSON.stringify(json, undefined, 2)}\n`, 'json');
}

async function showMemory(session: ServerSession): Promise<string | undefined> {
  const memory = await session.execute<string>('mca.showMemory');
  if (memory)
    void vscode.window.showInformationMessage(memory);
  return memory;
}

/** Comments that mark the selected lines as a region, in the language of the document. */
async function wrapRegion(): Promise<void> {
  const editor = activeEditor();
  const comment = ['c', 'cpp'].includes(editor.document.languageId) ? '//' : '#';
  const { start, end, isEmpty } = editor.selection;
  const last = !isEmpty && end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  const indent = /^\s*/.exec(editor.document.lineAt(start.line).text)?.[0] ?? '';
  const newline = editor.document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  await editor.edit((edit) => {
    edit.insert(new vscode.Position(start.line, 0), `${indent}${comment} LLVM-MCA-BEGIN${newline}`);
    edit.insert(editor.document.lineAt(last).range.end, `${newline}${indent}${comment} LLVM-MCA-END`);
  });
}

async function toggleHints(): Promise<void> {
  const settings = vscode.workspace.getConfiguration('mca');
  const key = 'inlayHints.enabled';
  await settings.update(key, !settings.get(key, true), vscode.ConfigurationTarget.Global);
}

/** Says why a command could not do what its title says. */
function complain(why: string, ...offers: string[]): Thenable<string | undefined> {
  return vscode.window.showErrorMessage(`mca-lsp: ${why}`, ...offers);
}

interface Views {
  pipeline: PipelineView;
  diagnosis: DiagnosisView;
  hotLoops: HotLoopsView;
}

export function registerCommands(session: ServerSession, { pipeline, diagnosis, hotLoops }: Views): vscode.Disposable[] {
  /** Those that ask the server. */
  const asking: Record<string, (given?: unknown) => unknown> = {
    showPipeline: (given) => pipeline.open(placeOf(given)),
    showReport: (given) => session.execute('mca.showReport', placeOf(given)),
    showAssembly: (given) => session.execute('mca.showAssembly', placeOf(given)),
    setCpu: (given) => setCpu(session, given),
    compareCpus: (given) => compareCpus(session, given),
    measureRegion: (given) => session.execute('mca.measureRegion', placeOf(given)),
    advise: (given) => session.execute('mca.advise', placeOf(given)),
    calibrate: () => session.execute('mca.calibrate'),
    nextPath: (given) => session.execute('mca.nextPath', placeOf(given)),
    nextPredictor: (given) => session.execute('mca.nextPredictor', placeOf(given)),
    showHotLoops: () => hotLoops.show(),
    exportJson: () => exportJson(session),
    showMemory: () => showMemory(session),
    restartWorker: () => session.execute('mca.restartWorker'),
  };
  const own: Record<string, () => unknown> = {
    toggleHints,
    wrapRegion,
    restartServer: () => session.restart(),
    stopServer: () => session.stop(),
    showLog: () => session.log.show(),
    showDiagnosis: () => diagnosis.show(),
  };
  const attempt = (run: (given?: unknown) => unknown) => async (given?: unknown): Promise<unknown> => {
    try {
      return await run(given);
    } catch (error) {
      void complain(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  };
  const withServer = (run: (given?: unknown) => unknown) => async (given?: unknown): Promise<unknown> => {
    await session.startOnce();
    if (session.running)
      return run(given);
    const start = 'Start the Server';
    const showDiagnosis = 'Show Diagnosis';
    void complain('the server is not running', start, showDiagnosis).then(async (choice) => {
      if (choice === start)
        await session.restart();
      if (choice === showDiagnosis)
        await diagnosis.show();
    });
    return undefined;
  };
  return [
    ...Object.entries(asking).map(([name, run]) => vscode.commands.registerCommand(`mca-lsp.${name}`, attempt(withServer(run)))),
    ...Object.entries(own).map(([name, run]) => vscode.commands.registerCommand(`mca-lsp.${name}`, attempt(run))),
  ];
}
