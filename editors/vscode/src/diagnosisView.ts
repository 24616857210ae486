// The command that shows the diagnosis, in a tab that cannot be edited and asks nothing when it is closed.
import * as vscode from 'vscode';
import { diagnose, folderFor } from './diagnosis';
import { serverArguments, serverSearch } from './serverSession';

const scheme = 'mca-diagnosis';
const uri = vscode.Uri.from({ scheme, path: '/mca-lsp diagnosis.txt' });

/** The settings of this extension that somebody has set, as JSON. */
function ownSettings(manifest: { contributes: { configuration: { properties: object } } }): [string, string][] {
  const settings = vscode.workspace.getConfiguration();
  return Object.keys(manifest.contributes.configuration.properties).flatMap((name): [string, string][] => {
    const { globalValue, workspaceValue, workspaceFolderValue } = settings.inspect(name) ?? {};
    return [globalValue, workspaceValue, workspaceFolderValue].some((value) => value !== undefined)
      ? [['setting', `${name} = ${JSON.stringify(settings.get(name))}`]]
      : [];
  });
}

export class DiagnosisView implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  private text = '';
  readonly onDidChange = this.changed.event;

  constructor(private readonly context: vscode.ExtensionContext) {}

  provideTextDocumentContent(): string {
    return this.text;
  }

  /** Resolves to the text. */
  async show(): Promise<string> {
    const progress = { location: vscode.ProgressLocation.Window, title: 'mca-lsp examines this machine' };
    this.text = await vscode.window.withProgress(progress, () => this.diagnose());
    this.changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
    return this.text;
  }

  private diagnose(): Promise<string> {
    const { isTrusted, workspaceFolders } = vscode.workspace;
    const opened = workspaceFolders?.find((folder) => folder.uri.scheme === 'file')?.uri.fsPath;
    return diagnose({
      search: serverSearch(this.context),
      arguments: serverArguments(),
      folder: folderFor(isTrusted, opened, this.context.extensionPath),
      editor: [
        ['VS Code', `${vscode.version}, ${process.platform} ${process.arch}, ${vscode.env.remoteName ? `remote: ${vscode.env.remoteName}` : 'local'}`],
        ['opened folder', opened === undefined ? 'none' : `${opened}${isTrusted ? '' : ', which is not trusted: what it sets is left out below'}`],
        ...ownSettings(this.context.extension.packageJSON),
      ],
    });
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}
