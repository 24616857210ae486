// A server behind relay.mjs, and the editor that speaks with it.
import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { treeOf } from './processes.mjs';
const { Editor, FULL_CAPABILITIES, lsp, watched } = createRequire(import.meta.url)('../transcripts/editor.js');

const RELAY = path.join(path.dirname(fileURLToPath(import.meta.url)), 'relay.mjs');

/** What the server says if it is broken, and what sanitizers say of it. */
const BROKEN = /internal error|WARNING: ThreadSanitizer|ERROR: \w+Sanitizer|runtime error:/;

export const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** Polls, because it also waits for what sends no event. Undefined if that takes more than `seconds`. */
export async function waitFor(probe, seconds) {
  for (const end = Date.now() + seconds * 1000; ; await sleep(20)) {
    const value = await probe();
    if (value || Date.now() > end) return value || undefined;
  }
}

/** A current editor: it is told when to request hints again, and it is sent the diagnostics. */
export const CURRENT_EDITOR = {
  ...FULL_CAPABILITIES,
  workspace: {
    ...FULL_CAPABILITIES.workspace,
    semanticTokens: { refreshSupport: true },
    workspaceEdit: { documentChanges: true, resourceOperations: ['create'] },
  },
  textDocument: {
    ...FULL_CAPABILITIES.textDocument,
    inlayHint: { resolveSupport: { properties: ['tooltip'] } },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor'] } } },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    definition: { linkSupport: true },
  },
};

export class RelayedServer {
  /** `cleanups` has `after(action)`, for what ends it. */
  static async start(cleanups, { capabilities, settings = {} }) {
    const relay = watched(fork(RELAY, ['--log=info'], { stdio: ['pipe', 'pipe', 'pipe', 'ipc'] }));
    cleanups.after(() => relay.kill('SIGKILL'));
    const { pid } = await new Promise((resolve) => relay.once('message', resolve));
    const editor = await Editor.start(cleanups, { child: relay, capabilities, settings, options: settings });
    editor.connection.onRequest(lsp.SemanticTokensRefreshRequest.type, () => null);
    return new RelayedServer(relay, pid, editor);
  }

  constructor(relay, pid, editor) {
    Object.assign(this, { relay, pid, editor });
    this.readStatuses = 0;
    this.idle = new Map(); // by URI
    this.ended = undefined; // how, if nobody had told it to
    relay.on('message', ({ ended }) => (this.ended ??= ended));
  }

  order(order, argument) {
    this.relay.send({ order, ...argument });
  }

  /** Ledger.report(), and the delay of the relay's own event loop. */
  async report() {
    const report = new Promise((resolve) => {
      const take = (message) => {
        if (!message.report) return;
        this.relay.off('message', take);
        resolve(message.report);
      };
      this.relay.on('message', take);
    });
    this.order('report');
    return report;
  }

  tree() {
    return treeOf(this.pid);
  }

  isIdle(uri) {
    const { statuses } = this.editor;
    for (; this.readStatuses < statuses.length; ++this.readStatuses)
      this.idle.set(statuses[this.readStatuses].uri, statuses[this.readStatuses].state === 'idle');
    return this.idle.get(uri) !== false;
  }

  /** Whether the server has analysed the text of a document as it is now. */
  isAnalysed(buffer) {
    return this.isIdle(buffer.uri) && this.editor.diagnostics.get(buffer.uri)?.version === buffer.version;
  }

  /** Why the documents are not all analysed and the requests not all answered after `seconds`; empty if they are. */
  async settle(buffers, seconds) {
    const open = buffers.filter((buffer) => buffer.isOpen);
    if (!(await waitFor(() => this.hasEnded() || open.every((one) => this.isAnalysed(one)), seconds))) {
      const late = open.filter((buffer) => !this.isAnalysed(buffer));
      return [`${late.length} documents are not analysed ${seconds} s after the last edit: ${late[0].file}`];
    }
    const answered = await waitFor(async () => this.hasEnded() || (await this.report()).open.length === 0, seconds);
    if (this.hasEnded()) return [`the server has ended: ${this.ended}`];
    return answered
      ? []
      : [`lost answers, ${seconds} s after the last edit: ${(await this.report()).open.slice(0, 5).join(', ')}`];
  }

  hasEnded() {
    return this.ended !== undefined;
  }

  /** The workers that ended, by the log: of themselves, and because a cancelled job did not stop in time. */
  deaths() {
    const { log } = this.editor.child;
    const unstoppable = log.match(/it does not stop a cancelled job/g)?.length ?? 0;
    return { unstoppable, died: (log.match(/worker \d+ ended: /g)?.length ?? 0) - unstoppable };
  }

  /** The lines of the log that say something is broken, with a few that follow them. */
  brokenLines() {
    const lines = this.editor.child.log.split('\n');
    const found = lines.findIndex((line) => BROKEN.test(line));
    return found < 0 ? [] : [`the server's log: ${lines.slice(found, found + 40).join('\n')}`];
  }

  /** What is wrong with its end. */
  async quit(seconds) {
    if (this.hasEnded()) return [];
    const before = this.tree().map(({ pid }) => pid);
    const ended = await Promise.race([this.editor.quit(), sleep(seconds * 1000)]);
    if (ended !== 0) return [`the server's end: ${ended ?? `it does not end in ${seconds} s`}`];
    const left = () => before.flatMap(treeOf).filter(({ state }) => state !== 'Z');
    const gone = await waitFor(() => left().length === 0, seconds);
    return gone
      ? []
      : [`processes that are left after the server's end: ${left().map(({ pid, name }) => `${name} ${pid}`)}`];
  }
}
