// What an editor shows of a document, as one text: hints with their tooltips, diagnostics, and hovers on the hints'
// lines. And what a fresh server answers for the same texts and files, which is what is right.
import fs from 'node:fs';
import path from 'node:path';
import { DOCUMENTS, Project, keyOf } from './project.mjs';

/** An editor that cannot be told to ask again: its request for hints waits for the job that is pending. */
export const CAPABILITIES = {
  general: { positionEncodings: ['utf-16'] },
  window: { workDoneProgress: true },
  workspace: { configuration: true },
  textDocument: {
    hover: { contentFormat: ['markdown', 'plaintext'] },
    publishDiagnostics: { relatedInformation: true, versionSupport: true },
  },
};
const HOVERS = 3;

/** Paths differ from project to project, and are no part of an answer. */
export async function answersOf(editor, project, document) {
  const file = project.path(document.name);
  const hints = await editor.hints(file);
  const published = editor.diagnostics.get(editor.uri(file));
  const diagnostics = published?.version === editor.versions.get(file) ? published.diagnostics : 'not published';
  const lines = [...new Set(hints.map((hint) => hint.position.line))].slice(0, HOVERS);
  const hovers = await Promise.all(lines.map((line) => editor.hover(file, line, 4)));
  return JSON.stringify({ hints, diagnostics, hovers }, null, 1).replaceAll(project.folder, '');
}

/** The lines in which two answers differ first, for a person. */
export function firstDifference(expected, actual) {
  const [left, right] = [expected, actual].map((text) => text.split('\n'));
  const at = left.findIndex((line, i) => line !== right[i]);
  const from = Math.max(0, (at < 0 ? left.length : at) - 2);
  const part = (lines) =>
    lines
      .slice(from, from + 8)
      .map((line) => `      ${line.trim().slice(0, 400)}`)
      .join('\n');
  return `    expected:\n${part(left)}\n    shown:\n${part(right)}\n    findings: ${messagesOf(actual)}`;
}

function messagesOf(answers) {
  const { diagnostics } = JSON.parse(answers);
  return Array.isArray(diagnostics) ? diagnostics.map((one) => `${one.code}: ${one.message}`).join(' | ') : diagnostics;
}

/** The answers of fresh servers, each asked once. `start(folder)` starts an editor, with a folder for its files. */
export class Expected {
  constructor(folder, start) {
    this.folder = folder;
    this.start = start;
    this.answers = new Map();
    this.servers = 0;
  }

  async of(document, state) {
    const key = keyOf(document, state);
    if (!this.answers.has(key)) await this.ask(state);
    return this.answers.get(key);
  }

  /** A fresh server with all documents as they are in this state. */
  async ask(state) {
    const project = new Project(path.join(this.folder, `fresh-${++this.servers}`));
    const texts = project.writeAll(state, 'fresh');
    const editor = await this.start(project.folder);
    await project.open(editor, texts);
    for (const document of DOCUMENTS) {
      await editor.until(() => isIdle(editor, project, document), `the first analysis of ${document.name}`);
      await editor.until(() => hasReasons(editor, project, document), `the reasons of ${document.name}`);
      const answers = await answersOf(editor, project, document);
      if (answers.includes('"hints": []'))
        throw new Error(`a fresh server has no hints for ${document.name}:\n${answers}`);
      this.answers.set(keyOf(document, state), answers);
    }
    const status = await editor.quit();
    if (status !== 0) throw new Error(`a fresh server ended with ${status}`);
    fs.rmSync(project.folder, { recursive: true, force: true });
  }
}

/** Whether the server has logged that the document's reasons came, which it asks for of what is compiled. */
function hasReasons(editor, project, { name, language }) {
  return language === 'asm' || editor.child.log.includes(`the reasons of ${editor.uri(project.path(name))}: `);
}

/** The last status that the server sent for the document is that of no job. */
export function isIdle(editor, project, document) {
  const uri = editor.uri(project.path(document.name));
  return editor.statuses.findLast((one) => one.uri === uri)?.state === 'idle';
}
