// Plays one session: each of its steps at its time, on documents that a mapping gives to its names. After each replay
// the session goes on with the next documents, whose texts are then what they were at the beginning: so the memory that
// the server needs for them does not depend on how long this runs.
import { functionsOf } from './documents.mjs';

/** How long hints are not requested again after the server asked for that, in ms. Editors wait, too. */
const REFRESH_MS = 200;

export class Player {
  /** `shared`: {editor, now, edits, skippedActions, lag} of all players. `buffers`: those of this session alone. */
  constructor(session, buffers, shared) {
    Object.assign(this, { session, buffers, shared });
    this.editor = shared.editor;
    this.replays = 0;
    this.views = new Map(); // by document: the URIs of virtual documents
    this.screen = undefined;
    this.refreshes = 0;
    this.lastRefresh = 0;
    this.next = 0;
  }

  /** From the time `start` on, `speed` times as fast as it was recorded, and again every `cycle` ms. */
  begin(start, speed, cycle) {
    Object.assign(this, { start, speed, cycle, next: 0 });
    this.documents = this.mapping();
  }

  /** The buffers for the names of this replay. */
  mapping() {
    const names = Object.entries(this.session.documents);
    const taken = new Set();
    const choose = (kind) => {
      const fit = this.buffers.filter((buffer) => buffer.kind === kind && !taken.has(buffer));
      const chosen = fit[this.replays % fit.length];
      taken.add(chosen);
      return chosen;
    };
    return Object.fromEntries(names.map(([name, kind]) => [name, choose(kind)]));
  }

  /** Does what is due. */
  tick() {
    for (; this.shared.now() >= this.dueAt(); ++this.next) {
      if (this.next === this.session.steps.length) return this.rewind();
      this.shared.lag.push(this.shared.now() - this.dueAt());
      this.perform(this.session.steps[this.next]);
    }
    this.refreshScreen();
  }

  dueAt() {
    const step = this.session.steps[this.next];
    return this.start + (step ? step.at / this.speed : this.cycle);
  }

  rewind() {
    this.replays++;
    this.begin(this.start + this.cycle, this.speed, this.cycle);
  }

  /** The server has said that hints may be different. */
  refreshScreen() {
    const now = this.shared.now();
    if (!this.screen || this.refreshes === this.editor.refreshes || now < this.lastRefresh + REFRESH_MS) return;
    this.refreshes = this.editor.refreshes;
    this.lastRefresh = now;
    if (this.screen.buffer.isOpen) this.requestHints(this.screen);
  }

  perform(step) {
    const buffer = this.documents[step.doc];
    if (step.do === 'switchBranch') return this.switchBranch(step.branch);
    if (!buffer.isOpen && step.do !== 'open' && step.do !== 'restore') return;
    this[step.do](buffer, step);
  }

  /** Takes back what the replay has chosen and not taken back yet. */
  finish() {
    if (this.chosenFor) this.setCpu(this.chosenFor, { cpu: '' });
  }

  // ---- edits ----

  edited(count = 1) {
    this.shared.edits += count;
  }

  insert(buffer, { text }) {
    buffer.insert(text);
    this.edited();
  }

  backspace(buffer) {
    buffer.backspace();
    this.edited();
  }

  undo(buffer) {
    buffer.undo();
    this.edited();
  }

  redo(buffer) {
    buffer.redo();
    this.edited();
  }

  paste(buffer, { functions, seed }) {
    buffer.insert('\n' + functionsOf(buffer.kind, functions, `p${seed}_`, seed).join('\n'));
    this.edited();
  }

  cut(buffer, { lines }) {
    buffer.cut(lines);
    this.edited();
  }

  restore(buffer) {
    buffer.restore();
    this.edited();
  }

  switchBranch(branch) {
    const open = this.buffers.filter((buffer) => buffer.isOpen);
    for (const buffer of open) buffer.switchTo(branch);
    this.edited(open.length);
  }

  goTo(buffer, { find, part }) {
    buffer.goTo(find, part);
  }

  save(buffer) {
    buffer.save();
  }

  open(buffer) {
    if (!buffer.isOpen) buffer.open();
  }

  close(buffer) {
    buffer.close();
    this.views.delete(buffer);
  }

  // ---- requests ----

  /** Undefined if the answer is an error. What the errors are is in the relay's books. */
  async ask(method, params) {
    try {
      return await this.editor.connection.sendRequest(method, params);
    } catch {
      return undefined;
    }
  }

  about(buffer, method, params) {
    return this.ask(`textDocument/${method}`, { textDocument: { uri: buffer.uri }, ...params });
  }

  at(buffer, { find, part }) {
    const line = buffer.lineWith(find, part);
    return { line, character: Math.min(2, buffer.lines[line].length) };
  }

  command(name, argument) {
    return this.ask('workspace/executeCommand', { command: name, arguments: argument ? [argument] : [] });
  }

  rangeOf({ buffer, part, lines }) {
    const first = Math.floor(part * buffer.lines.length);
    return { start: { line: first, character: 0 }, end: { line: first + lines, character: 0 } };
  }

  requestHints(screen) {
    return this.about(screen.buffer, 'inlayHint', { range: this.rangeOf(screen) });
  }

  show(buffer, { part, lines }) {
    this.screen = { buffer, part, lines };
    this.requestHints(this.screen);
  }

  tokens(buffer, { part }) {
    this.about(buffer, 'semanticTokens/range', { range: this.rangeOf({ buffer, part, lines: 60 }) });
  }

  async resolve(buffer, { part }) {
    const hints = await this.about(buffer, 'inlayHint', { range: this.rangeOf({ buffer, part, lines: 60 }) });
    if (hints?.length) await this.ask('inlayHint/resolve', hints[0]);
  }

  hover(buffer, place) {
    this.about(buffer, 'hover', { position: this.at(buffer, place) });
  }

  highlight(buffer, place) {
    this.about(buffer, 'documentHighlight', { position: this.at(buffer, place) });
  }

  define(buffer, place) {
    this.about(buffer, 'definition', { position: this.at(buffer, place) });
  }

  complete(buffer) {
    this.about(buffer, 'completion', { position: buffer.caret });
  }

  symbols(buffer) {
    this.about(buffer, 'documentSymbol');
  }

  folds(buffer) {
    this.about(buffer, 'foldingRange');
  }

  /** With `apply`, the action of that number is made, unless the text has changed meanwhile. */
  async codeActions(buffer, { apply, ...place }) {
    const { version } = buffer;
    const position = this.at(buffer, place);
    const range = { start: position, end: position };
    const actions = (await this.about(buffer, 'codeAction', { range, context: { diagnostics: [] } })) ?? [];
    const edits = actions.map((action) => action.edit?.documentChanges?.[0]);
    const usable = edits.filter((change) => change?.textDocument?.uri === buffer.uri && change.edits);
    if (apply === undefined || usable.length === 0) return;
    if (!buffer.isOpen || buffer.version !== version) return this.shared.skippedActions++;
    const chosen = usable[apply % usable.length].edits;
    buffer.apply(chosen);
    this.edited(chosen.length);
  }

  // ---- virtual documents ----

  async view(buffer, command, place) {
    const made = await this.command(command, { uri: buffer.uri, position: this.at(buffer, place) });
    if (made) await this.read(buffer, 'mca/documentContent', { uri: made.uri }, made.uri);
  }

  report(buffer, place) {
    this.view(buffer, 'mca.showReport', place);
  }

  assembly(buffer, place) {
    this.view(buffer, 'mca.showAssembly', place);
  }

  async read(buffer, method, params, uri) {
    const content = await this.ask(method, params);
    const name = uri ?? content?.uri;
    if (name && buffer.isOpen) this.views.set(buffer, [...(this.views.get(buffer) ?? []), name]);
  }

  timeline(buffer, place) {
    this.read(buffer, 'mca/timeline', { textDocument: { uri: buffer.uri }, position: this.at(buffer, place) });
  }

  links(buffer) {
    for (const uri of this.views.get(buffer) ?? []) this.ask('mca/links', { uri });
  }

  closeViews(buffer) {
    for (const uri of this.views.get(buffer) ?? []) this.editor.close(uri);
    this.views.delete(buffer);
  }

  compareCpus(buffer, place) {
    const cpus = ['skylake', 'znver4', 'haswell'];
    this.command('mca.compareCpus', { uri: buffer.uri, position: this.at(buffer, place), cpus });
  }

  exportJson(buffer) {
    this.command('mca.exportJson', { uri: buffer.uri });
  }

  nextPath(buffer, place) {
    this.command('mca.nextPath', { uri: buffer.uri, position: this.at(buffer, place) });
  }

  listCpus(buffer) {
    this.command('mca.listCpus', { uri: buffer.uri });
  }

  showMemory() {
    this.command('mca.showMemory');
  }

  setCpu(buffer, { cpu }) {
    this.chosenFor = cpu === '' ? undefined : buffer;
    this.command('mca.setCpu', { uri: buffer.uri, cpu });
  }
}
