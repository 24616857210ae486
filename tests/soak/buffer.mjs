// A document as the editor's window has it: its text, a caret, and the edits that can be undone. Every change goes to
// the server as one textDocument/didChange.
import fs from 'node:fs';
import { KINDS, isSource, revisionOf, textOf } from './documents.mjs';

const UNDO_STEPS = 1000;

export class Buffer {
  /** `at`: {file, kind, size, seed}; the size is in lines. */
  constructor(editor, at) {
    Object.assign(this, at);
    this.editor = editor;
    this.isOpen = false;
    this.lastVersion = 0;
    this.reset(textOf(this.kind, this.size, this.seed));
    this.writeFile();
  }

  reset(lines) {
    this.lines = [...lines];
    this.caret = { line: 0, character: 0 };
    this.undone = [];
    this.done = [];
  }

  get uri() {
    return this.editor.uri(this.file);
  }

  get text() {
    return this.lines.join('\n');
  }

  get version() {
    return this.editor.versions.get(this.file);
  }

  /**
   * Versions go on where they ended before, so that what the server says about the text of an earlier opening shows.
   */
  open() {
    this.isOpen = true;
    this.editor.open(this.file, KINDS[this.kind].languageId, this.text, this.lastVersion + 1);
  }

  close() {
    this.isOpen = false;
    this.lastVersion = this.version;
    this.editor.close(this.file);
  }

  writeFile() {
    fs.writeFileSync(this.file, this.text);
  }

  save() {
    this.writeFile();
    this.editor.save(this.file);
  }

  /** The first line from a part of the text on (0 to 1) that has `text`; without one, the line at that part. */
  lineWith(text, part) {
    const first = Math.min(this.lines.length - 1, Math.floor(part * this.lines.length));
    for (let i = 0; i < this.lines.length; ++i) {
      const line = (first + i) % this.lines.length;
      if (this.lines[line].includes(text)) return line;
    }
    return first;
  }

  /** Moves the caret to the end of such a line. */
  goTo(text, part) {
    const line = this.lineWith(text, part);
    this.caret = { line, character: this.lines[line].length };
  }

  textIn({ start, end }) {
    if (start.line === end.line) return this.lines[start.line].slice(start.character, end.character);
    const between = this.lines.slice(start.line + 1, end.line);
    return [
      this.lines[start.line].slice(start.character),
      ...between,
      this.lines[end.line].slice(0, end.character),
    ].join('\n');
  }

  /** Replaces a range, here and at the server. Returns the edit that takes it back. */
  replace(range, text) {
    const { start, end } = range;
    const before = this.textIn(range);
    const added = text.split('\n');
    const last = added.at(-1).length + (added.length === 1 ? start.character : 0);
    this.caret = { line: start.line + added.length - 1, character: last };
    added[0] = this.lines[start.line].slice(0, start.character) + added[0];
    added[added.length - 1] += this.lines[end.line].slice(end.character);
    this.lines.splice(start.line, end.line - start.line + 1, ...added);
    this.editor.change(this.file, text, range);
    return { range: { start, end: this.caret }, text: before };
  }

  edit(range, text) {
    this.undone = [];
    this.done.push(this.replace(range, text));
    if (this.done.length > UNDO_STEPS) this.done.shift();
  }

  insert(text) {
    this.edit({ start: this.caret, end: this.caret }, text);
  }

  backspace() {
    const { line, character } = this.caret;
    if (character > 0) this.edit({ start: { line, character: character - 1 }, end: this.caret }, '');
    else if (line > 0)
      this.edit({ start: { line: line - 1, character: this.lines[line - 1].length }, end: this.caret }, '');
  }

  /** Removes lines from the caret's on; the last line stays. */
  cut(count) {
    const start = { line: this.caret.line, character: 0 };
    const end = { line: Math.min(this.lines.length - 1, this.caret.line + count), character: 0 };
    this.edit({ start, end }, '');
  }

  /** Edits of the server's; those later in the text first, so that no edit moves another one's place. */
  apply(edits) {
    const byPlace = (a, b) =>
      b.range.start.line - a.range.start.line || b.range.start.character - a.range.start.character;
    for (const { range, newText } of [...edits].sort(byPlace)) this.edit(range, newText);
  }

  undo() {
    if (this.done.length > 0) this.undone.push(this.take(this.done));
  }

  redo() {
    if (this.undone.length > 0) this.done.push(this.take(this.undone));
  }

  take(steps) {
    const { range, text } = steps.pop();
    return this.replace(range, text);
  }

  /** The whole text becomes another one, as when a file has changed on disk. */
  replaceAll(lines) {
    this.reset(lines);
    this.editor.change(this.file, this.text);
  }

  /** The text as another branch has it, on disk too, as version control leaves it. */
  switchTo(branch) {
    this.replaceAll(revisionOf(this.kind, this.lines, this.seed + branch));
    this.writeFile();
  }

  /** The text and the file that it began with. A source is saved, because that is when it is analysed. */
  restore() {
    if (!this.isOpen) this.open();
    this.replaceAll(textOf(this.kind, this.size, this.seed));
    this.writeFile();
    if (isSource(this.kind)) this.editor.save(this.file);
  }
}
