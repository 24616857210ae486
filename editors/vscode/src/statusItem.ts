// The language status: which CPU the numbers are for, where that comes from, and whether the server is at work. Where a
// calibration of the CPU would help, a second item starts one.
import * as vscode from 'vscode';
import { assemblyIds } from './assemblyLanguage';
import type { ServerSession, ServerStatus } from './serverSession';

const selector = [...assemblyIds, 'c', 'cpp'].map((language) => ({ language }));
const idle = new Set(['idle', 'stopped']);

export class StatusItem implements vscode.Disposable {
  private readonly item: vscode.LanguageStatusItem;
  private calibration: vscode.LanguageStatusItem | undefined;
  private readonly subscriptions: vscode.Disposable[] = [];
  private readonly byDocument = new Map<string, ServerStatus>();
  private general: ServerStatus = { state: 'idle' };

  constructor(session: ServerSession) {
    this.item = vscode.languages.createLanguageStatusItem('mca.status', selector);
    this.item.name = 'mca-lsp';
    this.subscriptions.push(
      this.item,
      session.onStatus((status) => this.take(status)),
      vscode.window.onDidChangeActiveTextEditor(() => this.show()),
      vscode.workspace.onDidCloseTextDocument((document) => this.byDocument.delete(document.uri.toString())),
    );
    this.show();
  }

  private take(status: ServerStatus): void {
    if (status.uri)
      this.byDocument.set(vscode.Uri.parse(status.uri).toString(), status);
    else
      this.general = status;
    this.show();
  }

  private show(): void {
    const uri = vscode.window.activeTextEditor?.document.uri.toString() ?? '';
    const stopped = this.general.state === 'stopped';
    const status = stopped ? this.general : (this.byDocument.get(uri) ?? this.general);
    this.item.busy = !idle.has(status.state);
    this.item.severity = stopped ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
    this.item.text = stopped ? 'mca-lsp is not running' : (status.cpu ?? 'mca-lsp');
    this.item.detail = stopped
      ? undefined
      : [status.cpuOrigin, status.modelOrigin, status.commandOrigin, status.notConfined].filter(Boolean).join(' · ');
    this.item.command = stopped
      ? { title: 'Restart', command: 'mca-lsp.restartServer' }
      : { title: 'Change CPU', command: 'mca-lsp.setCpu' };
    this.showCalibration(status.calibrationAdvised ?? false);
  }

  private showCalibration(isAdvised: boolean): void {
    if (!isAdvised) {
      this.calibration?.dispose();
      this.calibration = undefined;
    } else if (!this.calibration) {
      this.calibration = vscode.languages.createLanguageStatusItem('mca.calibration', selector);
      this.calibration.name = 'mca-lsp: calibration';
      this.calibration.text = 'This CPU is not calibrated';
      this.calibration.command = { title: 'Calibrate for This CPU', command: 'mca-lsp.calibrate' };
    }
  }

  dispose(): void {
    this.calibration?.dispose();
    this.subscriptions.forEach((subscription) => subscription.dispose());
  }
}
