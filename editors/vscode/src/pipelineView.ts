// The panel that draws the timeline of a region, cycle by cycle, and follows each analysis of it. The page is in
// webview/; here is what it may not do itself: ask the server, open files, write the clipboard and files.
import { randomBytes } from 'node:crypto';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Place } from './commands';
import type { ServerSession } from './serverSession';
import type { Timeline } from './webview/timeline';

/** What the page says. */
type FromPage =
  | { type: 'ready' }
  | { type: 'copy'; text: string }
  | { type: 'export'; svg: string }
  | { type: 'goToLine'; line: number };

export class PipelineView implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  /** What is shown: the URI of the document, and the server's name for the timeline once it has given one. */
  private document = '';
  private timelineUri: string | undefined;
  private shown: Timeline | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly session: ServerSession,
  ) {
    this.subscriptions = [
      session.onDocumentChanged((uri) => {
        if (uri === this.timelineUri)
          void this.update({ uri });
      }),
      session.onStarted(() => {
        if (this.timelineUri)
          void this.update({ uri: this.timelineUri });
      }),
    ];
  }

  /** Draws the region of the place, and says what is drawn. */
  async open(place: Place): Promise<Timeline | undefined> {
    this.document = place.uri;
    if (this.panel)
      this.panel.reveal(undefined, true);
    else
      this.panel = this.createPanel();
    await this.forget();
    await this.update({ textDocument: { uri: place.uri }, position: place.position });
    return this.shown;
  }

  private createPanel(): vscode.WebviewPanel {
    const resources = vscode.Uri.joinPath(this.extensionUri, 'dist', 'webview');
    const panel = vscode.window.createWebviewPanel(
      'mca.pipeline',
      'Pipeline',
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, localResourceRoots: [resources] },
    );
    panel.iconPath = vscode.Uri.joinPath(this.extensionUri, 'media', 'icon.png');
    panel.webview.onDidReceiveMessage((message: FromPage) => this.handle(message));
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.shown = undefined;
      void this.forget();
    });
    panel.webview.html = pageFor(panel.webview, resources);
    return panel;
  }

  /** The server need not follow the timeline any longer. */
  private async forget(): Promise<void> {
    const uri = this.timelineUri;
    this.timelineUri = undefined;
    if (uri)
      await this.session.notify('textDocument/didClose', { textDocument: { uri } });
  }

  private async update(params: object): Promise<void> {
    const document = this.document;
    let timeline: Timeline;
    try {
      timeline = (await this.session.request<Timeline>('mca/timeline', params)) ?? nothing('The server is not running.');
    } catch (error) {
      timeline = nothing(error instanceof Error ? error.message : String(error));
    }
    if (document !== this.document)
      return;
    this.timelineUri = timeline.uri || this.timelineUri;
    this.shown = timeline;
    await this.send();
  }

  private async send(): Promise<void> {
    if (!this.panel || !this.shown)
      return;
    this.panel.title = `Pipeline: ${path.posix.basename(vscode.Uri.parse(this.document).path)}`;
    await this.panel.webview.postMessage({ type: 'timeline', timeline: this.shown });
  }

  private async handle(message: FromPage): Promise<void> {
    switch (message.type) {
      case 'ready':
        return this.send();
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        return void vscode.window.setStatusBarMessage('The timeline was copied.', 3000);
      case 'export':
        return exportSvg(message.svg, this.document);
      case 'goToLine':
        return this.goToLine(message.line);
    }
  }

  private async goToLine(line: number): Promise<void> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(this.document, true));
    const open = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
    const selection = document.lineAt(Math.min(line, document.lineCount - 1)).range;
    await vscode.window.showTextDocument(document, { viewColumn: open?.viewColumn ?? vscode.ViewColumn.One, selection });
  }

  dispose(): void {
    this.panel?.dispose();
    this.subscriptions.forEach((subscription) => subscription.dispose());
  }
}

function nothing(problem: string): Timeline {
  return { uri: '', title: '', cpu: '', cyclesPerIteration: 0, instructions: [], instances: [], pressure: [], problem };
}

async function exportSvg(svg: string, document: string): Promise<void> {
  const beside = vscode.Uri.parse(`${document}.svg`, true);
  const defaultUri = beside.scheme === 'file' ? beside : undefined;
  const target = await vscode.window.showSaveDialog({ defaultUri, filters: { SVG: ['svg'] }, saveLabel: 'Export' });
  if (target)
    await vscode.workspace.fs.writeFile(target, Buffer.from(svg, 'utf8'));
}

/** Nothing but the view's own two files may load, and the page may contain no script or style. */
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
  <h1 id="title">Waiting for the analysis</h1>
  <p id="numbers"></p>
  <div role="toolbar" aria-label="Pipeline view">
    <button id="zoomOut" title="Zoom out (-)" aria-label="Zoom out">−</button>
    <button id="zoomIn" title="Zoom in (+)" aria-label="Zoom in">+</button>
    <button id="arrows" title="Arrows from what the selected instruction waits for (a)" aria-pressed="false">Dependencies</button>
    <button id="trace" title="Along the trace, or the loop without mispredictions (t)" aria-pressed="false" hidden>Trace</button>
    <button id="copy" title="Copy the timeline as text">Copy</button>
    <button id="export" title="Save the picture as SVG">Export SVG</button>
  </div>
  <ul id="legend" aria-label="What the shapes mean">
    <li class="held">held before dispatch</li><li class="dispatch">dispatch</li><li class="wait">wait</li>
    <li class="execute">execute</li><li class="done">wait to retire</li><li class="retire">retire</li>
  </ul>
  <ul id="paths" aria-label="Which path an iteration takes"></ul>
</header>
<main>
  <div id="scroll"><svg id="picture" tabindex="0" role="application" aria-roledescription="timeline" aria-label="Timeline: instructions down, cycles across. Arrow keys move from cell to cell, Enter goes to the line, a shows dependencies, t switches between trace and loop." aria-describedby="status"></svg></div>
  <p id="status" role="status" aria-live="polite"></p>
  <section id="pressures" aria-labelledby="pressureTitle">
    <h2 id="pressureTitle">Pressure, cycles per iteration</h2>
    <table id="pressure"></table>
  </section>
</main>
<div id="tip" aria-hidden="true" hidden></div>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
