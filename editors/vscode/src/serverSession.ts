// The language server's life: found, started, restarted after a crash a few times, stopped.
import * as vscode from 'vscode';
import {
  LanguageClient,
  State,
  type LanguageClientOptions,
  type ServerOptions,
  type ShowDocumentParams,
  type ShowDocumentResult,
} from 'vscode-languageclient/node';
import { assemblyIds } from './assemblyLanguage';
import { ProgressNotifications } from './progressNotifications';
import { findServer, type Search } from './serverProgram';

/** What the server says of itself, in the notification mca/status. */
export interface ServerStatus {
  state: string;
  uri?: string;
  cpu?: string;
  cpuOrigin?: string;
  modelOrigin?: string;
  commandOrigin?: string;
  /** The numbers are for this machine, and would be better with a calibration of its CPU. */
  calibrationAdvised?: boolean;
  /** What is missing for confining the compiler; absent if nothing is. */
  notConfined?: string;
}

/** A document of the server opens next to its source, without taking the focus. */
async function showBeside(params: ShowDocumentParams): Promise<ShowDocumentResult> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(params.uri, true));
  await vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.Beside,
    preserveFocus: !params.takeFocus,
    preview: true,
  });
  return { success: true };
}

/** Measuring runs the folder's code: the server does so if the user trusts the folder, which only the editor knows. */
function withTrust(command: string, args: unknown[]): unknown[] {
  if (command !== 'mca.measureRegion' && command !== 'mca.advise')
    return args;
  const [place, ...rest] = args;
  return [{ ...(place as object), trusted: vscode.workspace.isTrusted }, ...rest];
}

/** Crashes within three minutes after which the server is left alone. */
const maxRestarts = 4;

function clientOptions(log: vscode.LogOutputChannel, notifications: ProgressNotifications): LanguageClientOptions {
  const ids = [...assemblyIds, 'c', 'cpp'];
  return {
    documentSelector: [
      ...ids.flatMap((language) => [
        { language, scheme: 'file' },
        { language, scheme: 'untitled' },
      ]),
      { pattern: '**/*.{s,S,sx,asm}', scheme: 'file' },
    ],
    outputChannel: log,
    synchronize: { configurationSection: 'mca' },
    initializationOptions: trustedSettings(),
    connectionOptions: { maxRestartCount: maxRestarts },
    middleware: {
      window: { showDocument: showBeside },
      executeCommand: (command, args, next) => next(command, withTrust(command, args)),
      handleWorkDoneProgress: (token, params, next) => {
        if (!notifications.handle(token, params))
          next(token, params);
      },
    },
  };
}

/**
 * Settings that name programs or folders to read, which the server takes from here and from no folder, and the one that
 * names a calibration, which may be outside of the folder only if it comes from here: what the user's own settings say.
 */
export function trustedSettings(): Record<string, unknown> {
  const settings = vscode.workspace.getConfiguration('mca');
  const own: Record<string, unknown> = {};
  for (const key of ['compiler', 'trustedFolders', 'allowedCompilers', 'readableFolders', 'calibration']) {
    const value = settings.inspect(key)?.globalValue;
    if (value !== undefined)
      own[key] = value;
  }
  return own;
}

/** Where the server is looked for. */
export function serverSearch(context: vscode.ExtensionContext): Search {
  return {
    configured: vscode.workspace.getConfiguration('mca').get('server.path', ''),
    extensionFolder: context.extensionPath,
    version: String(context.extension.packageJSON.version),
    environmentPath: process.env.PATH ?? '',
  };
}

export function serverArguments(): string[] {
  return vscode.workspace.getConfiguration('mca').get<string[]>('server.arguments', []);
}

export class ServerSession implements vscode.Disposable {
  readonly log = vscode.window.createOutputChannel('mca-lsp', { log: true });
  private client: LanguageClient | undefined;
  private first: Promise<void> | undefined;
  private readonly statusChanged = new vscode.EventEmitter<ServerStatus>();
  private readonly documentChanged = new vscode.EventEmitter<string>();
  private readonly started = new vscode.EventEmitter<void>();
  private readonly notifications = new ProgressNotifications(
    (title, task) => vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, task),
    (token) => void this.notify('window/workDoneProgress/cancel', { token }),
  );
  readonly onStatus = this.statusChanged.event;
  /** The URI of a timeline that an analysis has changed, as the server named it. */
  readonly onDocumentChanged = this.documentChanged.event;
  /** Also after a crash. */
  readonly onStarted = this.started.event;

  constructor(private readonly context: vscode.ExtensionContext) {}

  /** The first start. Does nothing later, so that a server which the user has stopped stays so. */
  startOnce(): Promise<void> {
    this.first ??= this.start();
    return this.first;
  }

  private async start(): Promise<void> {
    try {
      const program = await findServer(serverSearch(this.context));
      this.log.info(`${program.path} (${program.origin}), version ${program.version}`);
      await this.run(program.path);
    } catch (error) {
      // Nobody waits for the user's answer: the start is over.
      void this.complain(error instanceof Error ? error.message : String(error));
    }
  }

  private async run(program: string): Promise<void> {
    const server: ServerOptions = { command: program, args: serverArguments(), options: { cwd: this.context.extensionPath } };
    const client = new LanguageClient('mca', 'mca-lsp', server, clientOptions(this.log, this.notifications));
    this.client = client;
    client.onDidChangeState((change) => {
      if (change.newState === State.Stopped) {
        this.notifications.endAll();
        this.statusChanged.fire({ state: 'stopped' });
      }
      if (change.newState === State.Running)
        this.started.fire();
    });
    client.onNotification('mca/status', (status: ServerStatus) => this.statusChanged.fire(status));
    client.onNotification('mca/documentChanged', ({ uri }: { uri: string }) => this.documentChanged.fire(uri));
    await client.start();
  }

  private async complain(why: string): Promise<void> {
    this.statusChanged.fire({ state: 'stopped' });
    this.log.error(why);
    const openSettings = 'Open Settings';
    const showLog = 'Show Log';
    const showDiagnosis = 'Show Diagnosis';
    const choice = await vscode.window.showErrorMessage(
      `mca-lsp cannot start: ${why}. Install the package of this extension for your platform, ` +
        'or name a server in the setting mca.server.path.',
      showDiagnosis,
      openSettings,
      showLog,
    );
    if (choice === showDiagnosis)
      await vscode.commands.executeCommand('mca-lsp.showDiagnosis');
    if (choice === openSettings)
      await vscode.commands.executeCommand('workbench.action.openSettings', 'mca.server.path');
    if (choice === showLog)
      this.log.show();
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.first ??= Promise.resolve();
    this.client = undefined;
    await client?.dispose();
  }

  async restart(): Promise<void> {
    await this.stop();
    this.first = this.start();
    await this.first;
  }

  get running(): boolean {
    return this.client?.state === State.Running;
  }

  /** A request of the protocol or of the server's own; undefined while there is no server. */
  async request<Result>(method: string, params: unknown): Promise<Result | undefined> {
    return this.running ? this.client?.sendRequest<Result>(method, params) : undefined;
  }

  async notify(method: string, params: unknown): Promise<void> {
    if (this.running)
      await this.client?.sendNotification(method, params);
  }

  /** One of the server's commands; undefined while there is no server. */
  execute<Result>(command: string, ...args: unknown[]): Promise<Result | undefined> {
    return this.request<Result>('workspace/executeCommand', { command, arguments: withTrust(command, args) });
  }

  dispose(): void {
    void this.stop();
    this.statusChanged.dispose();
    this.documentChanged.dispose();
    this.started.dispose();
    this.log.dispose();
  }
}
