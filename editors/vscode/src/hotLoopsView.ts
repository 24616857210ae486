// The tree Hot Loops: the loops of the open documents of which a profile has samples, the hottest first, each with a bar
// for its share of the program's time. It is in the explorer while there are any. The server makes the list; it changes
// with each analysis.
import * as vscode from 'vscode';
import type { ServerSession } from './serverSession';

const viewId = 'mca-lsp.hotLoops';

export interface HotLoop {
  uri: string;
  /** 0-based. */
  line: number;
  /** 0 to 1. */
  share: number;
  name: string;
  label: string;
  limit: string;
}

interface HotLoops {
  text: string;
  loops: HotLoop[];
}

export class HotLoopsView implements vscode.Disposable, vscode.TreeDataProvider<HotLoop> {
  private loops: HotLoop[] = [];
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly session: ServerSession) {
    this.subscriptions = [
      this.changed,
      vscode.window.registerTreeDataProvider(viewId, this),
      session.onStatus(({ state }) => {
        if (state === 'idle')
          void this.refresh();
        if (state === 'stopped')
          this.take([]);
      }),
      vscode.workspace.onDidCloseTextDocument(() => void this.refresh()),
    ];
  }

  /** Shows the tree. Resolves to the loops, or to what is said if there are none. */
  async show(): Promise<HotLoop[] | string | undefined> {
    const reply = await this.refresh();
    if (!reply?.loops.length) {
      if (reply)
        void vscode.window.showInformationMessage(reply.text);
      return reply?.text;
    }
    await vscode.commands.executeCommand(`${viewId}.focus`);
    return reply.loops;
  }

  getChildren(parent?: HotLoop): HotLoop[] {
    return parent ? [] : this.loops;
  }

  getTreeItem(loop: HotLoop): vscode.TreeItem {
    const uri = vscode.Uri.parse(loop.uri);
    const place = `${vscode.workspace.asRelativePath(uri)}:${loop.line + 1}`;
    const item = new vscode.TreeItem(`${(loop.share * 100).toFixed(1)} % ${'█'.repeat(Math.round(loop.share * 20))}`);
    item.description = `${place}: ${loop.name}: ${loop.label}`;
    item.tooltip = `${loop.name}, ${place}${loop.limit && `: ${loop.limit}`}`;
    item.command = {
      title: 'Go to the Loop',
      command: 'vscode.open',
      arguments: [uri, { selection: new vscode.Range(loop.line, 0, loop.line, 0) }],
    };
    return item;
  }

  dispose(): void {
    for (const subscription of this.subscriptions)
      subscription.dispose();
  }

  private async refresh(): Promise<HotLoops | undefined> {
    const reply = await this.session.execute<HotLoops>('mca.showHotLoops').catch(() => undefined); // it has just ended
    this.take(reply?.loops ?? []);
    return reply;
  }

  private take(loops: HotLoop[]): void {
    if (JSON.stringify(loops) === JSON.stringify(this.loops))
      return;
    this.loops = loops;
    void vscode.commands.executeCommand('setContext', 'mca.hasHotLoops', loops.length > 0);
    this.changed.fire();
  }
}
