// Two-way highlighting between a source file and its assembly document: the lines that belong to the cursor's line.
import * as vscode from 'vscode';
import type { ServerSession } from './serverSession';

interface LineLink {
  line: number;
  bufferLine: number;
}

interface Links {
  /** The URI of the buffer. */
  document: string;
  links: LineLink[];
}

const scheme = 'mca';

export function registerLineLinks(session: ServerSession): vscode.Disposable {
  const decoration = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.rangeHighlightForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
  });
  const known = new Map<string, Links>();

  const linksOf = async (document: vscode.Uri): Promise<Links | undefined> => {
    const key = document.toString();
    if (!known.has(key)) {
      const links = await session.request<Links>('mca/links', { uri: key });
      if (links)
        known.set(key, links);
    }
    return known.get(key);
  };

  const lineRanges = (lines: number[]): vscode.Range[] => lines.map((line) => new vscode.Range(line, 0, line, 0));

  const highlight = async (event: vscode.TextEditorSelectionChangeEvent): Promise<void> => {
    const line = event.selections[0].active.line;
    const here = event.textEditor.document.uri;
    for (const editor of vscode.window.visibleTextEditors) {
      const assembly = here.scheme === scheme ? here : editor.document.uri;
      if (assembly.scheme !== scheme || editor === event.textEditor)
        continue;
      const links = await linksOf(assembly);
      const buffer = links && vscode.Uri.parse(links.document).toString();
      if (!links || (here.scheme === scheme ? editor.document.uri.toString() : here.toString()) !== buffer)
        continue;
      const lines = links.links
        .filter((link) => (here.scheme === scheme ? link.line : link.bufferLine) === line)
        .map((link) => (here.scheme === scheme ? link.bufferLine : link.line));
      const ranges = lineRanges([...new Set(lines)]);
      editor.setDecorations(decoration, ranges);
      if (ranges.length > 0 && !editor.visibleRanges.some((visible) => ranges.some((range) => visible.contains(range))))
        editor.revealRange(ranges[0], vscode.TextEditorRevealType.InCenter);
    }
    event.textEditor.setDecorations(decoration, []);
  };

  return vscode.Disposable.from(
    decoration,
    vscode.workspace.onDidChangeTextDocument(({ document }) => known.delete(document.uri.toString())),
    vscode.workspace.onDidCloseTextDocument((document) => known.delete(document.uri.toString())),
    vscode.window.onDidChangeTextEditorSelection((event) => void highlight(event)),
  );
}
