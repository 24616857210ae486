// The books of a connection, kept by a process of its own (relay.mjs): which requests of the client are open, when each
// was answered, and what neither the protocol nor mca-lsp allows. Knows no streams and no clock.
//
// A moment is {at, serverWaited, readerWaited}, all in ms: the time, and for how long until then the server and the
// reader were ready to run and had no processor. Of an answer's time, the larger of both is what a busy machine has
// added at least.

/** Requests that are answered after a job; all others are answered from the last analysis, at once. */
const WAITS_FOR_JOB = new Set(['mca/documentContent', 'mca/timeline', 'mca.compareCpus', 'mca.listCpus']);
/** LSP 3.17: what the server may answer to a request that was right. */
const REQUEST_CANCELLED = -32800;
const ALLOWED_ERRORS = new Set([REQUEST_CANCELLED, -32801, -32802, -32803]);
const MAX_VIOLATIONS = 20;

export const quantile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

/** The method of a request, or the command that it runs. */
const kindOf = ({ method, params }) => (method === 'workspace/executeCommand' ? params.command : method);

export class Ledger {
  constructor() {
    this.open = new Map(); // by id: {kind, moment, isCancelled, mayEnd}
    this.violations = [];
    this.versions = new Map(); // by URI: of the last diagnostics
    this.errors = {}; // by code
    this.cancels = { sent: 0, beforeAnswer: 0, tookEffect: 0 };
    this.beginMeasuring();
  }

  /** Forgets the times until now. */
  beginMeasuring() {
    this.times = new Map(); // by kind: {total, running}, in ms
  }

  violation(text) {
    if (this.violations.length < MAX_VIOLATIONS) this.violations.push(text);
  }

  /** `moment`: when it was written. True if it is a request. What is closed ends the requests about it. */
  fromClient(message, moment) {
    if (message.method === 'textDocument/didClose') for (const request of this.open.values()) request.mayEnd = true;
    if (message.id === undefined || !message.method) return false;
    this.open.set(message.id, { kind: kindOf(message), moment, isCancelled: false, mayEnd: false });
    return true;
  }

  /** The client cancels a request, answered or not. */
  cancelled(id) {
    const request = this.open.get(id);
    this.cancels.sent++;
    if (!request) return;
    this.cancels.beforeAnswer++;
    request.isCancelled = true;
  }

  /** `moment`: when its last byte was read. */
  fromServer(message, moment) {
    if (message.method === 'textDocument/publishDiagnostics') this.diagnostics(message.params);
    else if (message.id !== undefined && !message.method) this.answer(message, moment);
  }

  answer({ id, error }, moment) {
    const request = this.open.get(id);
    if (!request) return this.violation(`a reply that nobody waits for, or a second one: id ${id}`);
    this.open.delete(id);
    if (error) this.error(request, error);
    const times = this.times.get(request.kind) ?? [];
    this.times.set(request.kind, times);
    const since = (name) => moment[name] - request.moment[name];
    const total = since('at');
    times.push({ total, running: total - Math.max(since('serverWaited'), since('readerWaited')) });
  }

  error(request, { code, message }) {
    this.errors[code] = (this.errors[code] ?? 0) + 1;
    if (code === REQUEST_CANCELLED && request.isCancelled) this.cancels.tookEffect++;
    else if (code === REQUEST_CANCELLED && !request.mayEnd)
      this.violation(`${request.kind} was cancelled by nobody: ${message}`);
    else if (!ALLOWED_ERRORS.has(code)) this.violation(`${request.kind} was answered with error ${code}: ${message}`);
  }

  /** A text has a version only while it is open; the client counts on over closing and opening. */
  diagnostics({ uri, version }) {
    if (version === undefined) return;
    const last = this.versions.get(uri);
    if (last !== undefined && version < last)
      this.violation(`diagnostics go back from version ${last} to ${version}: ${uri}`);
    this.versions.set(uri, version);
  }

  /**
   * The times by kind, in ms, and those of all requests that are answered at once. `runningP99` is without what a busy
   * machine has added.
   */
  report() {
    const kinds = [...this.times].sort(([a], [b]) => (a < b ? -1 : 1));
    const isAtOnce = ([kind]) => !WAITS_FOR_JOB.has(kind);
    const summed = (name, times, atOnce) => {
      const sorted = (key) => Float64Array.from(times, (time) => time[key]).sort();
      const [median, p99, most] = [0.5, 0.99, 1].map((part) => quantile(sorted('total'), part));
      return { name, atOnce, count: times.length, median, p99, most, runningP99: quantile(sorted('running'), 0.99) };
    };
    return {
      open: [...this.open].map(([id, { kind }]) => `${kind} (id ${id})`),
      violations: this.violations,
      errors: this.errors,
      cancels: this.cancels,
      kinds: kinds.map((entry) => summed(entry[0], entry[1], isAtOnce(entry))),
      atOnce: summed(
        'all that are answered at once',
        kinds.filter(isAtOnce).flatMap(([, times]) => times),
        true,
      ),
    };
  }
}
