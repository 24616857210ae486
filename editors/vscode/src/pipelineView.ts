// The panel that draws the timeline of the region under the cursor, and follows each analysis of it.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { ServerSession } from './serverSession';
import type { Timeline } from './webview/timeline';

interface Place {
  uri: string;
  position: { line: number; character: number };
}

type FromPage =
  | { type: 'ready' }
  | { type: 'copy'; text: string }
  | { type: 'export'; svg: string }
  | { type: 'goToLine'; line: number };

export class PipelineView implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private place: Place | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly session: ServerSession,
  ) {
    this.subscriptions = [
      vscode.commands.registerCommand('mca-lsp.showPipeline', (given?: unknown) => this.open(given as Place)),
      session.onStatus((status) => {
        if (status.state === 'idle' && status.uri === this.place?.uri)
          void this.update();
      }),
    ];
  }

  private open(given?: Place): void {
    const editor = vscode.window.activeTextEditor;
    if (!given?.uri && !editor)
      return;
    this.place = given?.uri
      ? given
      : {
          uri: editor!.document.uri.toString(),
          position: { line: editor!.selection.active.line, character: editor!.selection.active.character },
        };
    if (this.panel) {
      this.panel.reveal(undefined, true);
      void this.update();
      return;
    }
    this.panel = this.createPanel();
  }

  private createPanel(): vscode.WebviewPanel {
    const resources = vscode.Uri.joinPath(this.context.extensionUri, 'dist', 'webview');
    const panel = vscode.window.createWebviewPanel(
      'mca.pipeline',
      'Pipeline',
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, localResourceRoots: [resources], retainContextWhenHidden: false },
    );
    panel.webview.onDidReceiveMessage((message: FromPage) => this.handle(message));
    panel.onDidDispose(() => (this.panel = undefined));
    panel.webview.html = pageFor(panel.webview, resources);
    return panel;
  }

  private async update(): Promise<void> {
    if (!this.place)
      return;
    const timeline = await this.session.request<Timeline>('mca/timeline', this.place);
    await this.panel?.webview.postMessage({ type: 'timeline', timeline: timeline ?? nothing });
  }

  private async handle(message: FromPage): Promise<void> {
    switch (message.type) {
      case 'ready':
        return this.update();
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        return void vscode.window.setStatusBarMessage('The timeline was copied.', 3000);
      case 'export':
        return saveSvg(message.svg);
      case 'goToLine':
        return this.goToLine(message.line);
    }
  }

  private async goToLine(line: number): Promise<void> {
    if (!this.place)
      return;
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(this.place.uri, true));
    const at = document.lineAt(Math.min(line, document.lineCount - 1)).range;
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, selection: at });
  }

  dispose(): void {
    this.panel?.dispose();
    this.subscriptions.forEach((subscription) => subscription.dispose());
  }
}

const nothing: Timeline = {
  title: '',
  cpu: '',
  cyclesPerIteration: 0,
  instructions: [],
  instances: [],
  pressure: [],
  problem: 'There is no analysed loop or region at the cursor.',
};

async function saveSvg(svg: string): Promise<void> {
  const target = await vscode.window.showSaveDialog({ filters: { SVG: ['svg'] }, saveLabel: 'Export' });
  if (target)
    await vscode.workspace.fs.writeFile(target, Buffer.from(svg, 'utf8'));
}

/** Nothing but the view's own two files may load, and no script or style may stand in the page. */
function pageFor(webview: vscode.Webview, resources: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const script = webview.asWebviewUri(vscode.Uri.joinPath(resources, 'pipeline.js'));
  const style = webview.asWebviewUri(vscode.Uri.joinPath(resources, 'pipeline.css'));
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'">
<link rel="stylesheet" href="${style}">
<title>Pipeline</title>
</head>
<body class="empty">
<header>
  <h1 id="title">Loading</h1>
  <p id="numbers"></p>
  <div role="toolbar" aria-label="Pipeline view">
    <button id="zoomOut" title="Zoom out (-)">−</button>
    <button id="zoomIn" title="Zoom in (+)">+</button>
    <button id="arrows" title="Arrows from what the selected instruction waits for (a)" aria-pressed="false">Dependencies</button>
    <button id="copy" title="Copy the timeline as text">Copy</button>
    <button id="export" title="Save the picture as SVG">Export SVG</button>
  </div>
  <ul id="legend" aria-label="Colours">
    <li class="dispatch">dispatch</li><li class="wait">wait</li><li class="execute">execute</li>
    <li class="done">wait to retire</li><li class="retire">retire</li>
  </ul>
</header>
<main>
  <div id="scroll"><svg id="picture" tabindex="0" role="application" aria-label="Timeline: instructions down, cycles across. Arrow keys move, Enter goes to the line." aria-describedby="status"></svg></div>
  <section aria-label="Resource pressure">
    <h2>Pressure, cycles per iteration</h2>
    <table id="pressure"></table>
  </section>
</main>
<p id="status" role="status" aria-live="polite"></p>
<div id="tip" role="presentation" hidden></div>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
