// Where VS Code enters: starts the language server when there is something to analyse, and ties commands, status and views
// to it.
import * as vscode from 'vscode';
import { assemblyIds, isAnalysed, registerAssemblyLanguage } from './assemblyLanguage';
import { CalibrationOffer } from './calibrationOffer';
import { registerCommands } from './commands';
import { DiagnosisView } from './diagnosisView';
import { HotLoopsView } from './hotLoopsView';
import { registerLineLinks } from './lineLinks';
import { PipelineView } from './pipelineView';
import { ServerSession } from './serverSession';
import { StatusItem } from './statusItem';

let session: ServerSession | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  await vscode.commands.executeCommand('setContext', 'mca.languages', [...assemblyIds, 'c', 'cpp']);
  session = new ServerSession(context);
  const pipeline = new PipelineView(context.extensionUri, session);
  const diagnosis = new DiagnosisView(context);
  const hotLoops = new HotLoopsView(session);
  const offer = new CalibrationOffer({
    memory: context.globalState,
    ask: (question, ...answers) => vscode.window.showInformationMessage(question, ...answers),
    calibrate: () => vscode.commands.executeCommand('mca-lsp.calibrate'),
  });
  context.subscriptions.push(
    session,
    new StatusItem(session),
    session.onStatus((status) => void offer.take(status)),
    registerAssemblyLanguage(),
    registerLineLinks(session),
    pipeline,
    diagnosis,
    hotLoops,
    ...registerCommands(session, { pipeline, diagnosis, hotLoops }),
    vscode.workspace.onDidOpenTextDocument((document) => void (isAnalysed(document) && session?.startOnce())),
  );
  // Plain text activates this extension, too, as it may be assembly: most of it needs no server.
  if (vscode.workspace.textDocuments.some(isAnalysed))
    await session.startOnce();
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}
