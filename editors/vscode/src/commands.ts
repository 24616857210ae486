// The commands of the palette. What they do is the server's work; here is only what the user is asked and shown.
import * as vscode from 'vscode';
import type { ServerSession } from './serverSession';

interface Place {
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

/** Where the cursor is, or the place that a code lens or another view hands over. */
function placeOf(given?: unknown): Place | undefined {
  const place = given as Partial<Place> | undefined;
  if (typeof place?.uri === 'string' && place.position)
    return place as Place;
  const editor = vscode.window.activeTextEditor;
  if (!editor)
    return undefined;
  const { line, character } = editor.selection.active;
  return { uri: editor.document.uri.toString(), position: { line, character } };
}

async function showDocument(session: ServerSession, command: string, given?: unknown): Promise<void> {
  const place = placeOf(given);
  if (place)
    await session.execute(command, place);
}

async function pickCpu(session: ServerSession, title: string): Promise<string | undefined> {
  const uri = vscode.window.activeTextEditor?.document.uri.toString();
  const cpus = (await session.execute<{ cpus: KnownCpu[] }>('mca.listCpus', { uri }))?.cpus ?? [];
  const choice = await vscode.window.showQuickPick(
    cpus.map((cpu) => ({
      label: cpu.model === 'none' ? `$(circle-slash) ${cpu.name}` : cpu.name,
      name: cpu.name,
      description: { own: '', borrowed: '≈ simulated on another CPU\'s model', none: 'no scheduling model' }[cpu.model],
    })),
    { title, placeHolder: 'The name of a CPU', matchOnDescription: true },
  );
  return choice?.name;
}

async function setCpu(session: ServerSession): Promise<void> {
  const cpu = await pickCpu(session, 'The CPU that the numbers are for');
  if (cpu)
    await session.execute('mca.setCpu', { cpu });
}

async function compareCpus(session: ServerSession): Promise<void> {
  const place = placeOf();
  const cpu = place && (await pickCpu(session, 'Compare with'));
  if (!place || !cpu)
    return;
  const reply = await session.execute<Comparison>('mca.compareCpus', { ...place, cpus: [cpu] });
  if (!reply)
    return;
  const rows = reply.cpus.map(
    (one) => `${one.cpu.padEnd(20)}${one.cycles.toFixed(2).padStart(9)}${one.ipc.toFixed(2).padStart(7)}  ${one.remark}`);
  const head = `${'CPU'.padEnd(20)}${'cyc/iter'.padStart(9)}${'IPC'.padStart(7)}`;
  await showText(`${reply.region}\n\n${[head, ...rows].join('\n')}\n`, 'plaintext');
}

async function showText(content: string, language: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content, language });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

async function exportJson(session: ServerSession): Promise<void> {
  const place = placeOf();
  const json = place && (await session.execute<unknown>('mca.exportJson', { uri: place.uri }));
  if (json)
    await showText(`${JSON.stringify(json, undefined, 2)}\n`, 'json');
}

async function showMemory(session: ServerSession): Promise<void> {
  const memory = await session.execute<string>('mca.showMemory');
  if (memory)
    await vscode.window.showInformationMessage(memory);
}

/** Comments that mark the selected lines as a region, in the language of the document. */
async function wrapRegion(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor)
    return;
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

export function registerCommands(session: ServerSession): vscode.Disposable[] {
  const commands: Record<string, (given?: unknown) => unknown> = {
    showReport: (given) => showDocument(session, 'mca.showReport', given),
    showAssembly: (given) => showDocument(session, 'mca.showAssembly', given),
    setCpu: () => setCpu(session),
    compareCpus: () => compareCpus(session),
    toggleHints,
    wrapRegion,
    exportJson: () => exportJson(session),
    showMemory: () => showMemory(session),
    restartServer: () => session.restart(),
    restartWorker: () => session.execute('mca.restartWorker'),
    stopServer: () => session.stop(),
    showLog: () => session.log.show(),
  };
  return Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(`mca-lsp.${name}`, run));
}
