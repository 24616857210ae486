// A process between the editor and the server. It starts the server and passes on what both say, and keeps the times of
// requests and replies: the editor's process, which plays eight users at once, is busy with other things. It also
// cancels requests at random moments, which it alone knows exactly: with the request, while the answer is awaited, or
// after it.
//
//   node relay.mjs SERVER-ARGUMENT...     with MCA_LSP; a channel of messages to the parent, see `orders`
import { createRequire } from 'node:module';
import net from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Ledger } from './ledger.mjs';
import { waitedForProcessor } from './processes.mjs';
import { Random } from './random.mjs';
const { MessageSplitter, startServer } = createRequire(import.meta.url)('../transcripts/editor.js');

const NEVER_CANCELLED = new Set(['initialize', 'shutdown']);

/** Cancels a share of the requests until there were enough. */
class Canceller {
  constructor(ledger, send) {
    this.ledger = ledger;
    this.send = send;
    this.afterAnswer = new Set();
    this.plan({ count: 0, share: 0, seed: 0 });
  }

  plan({ count, share, seed }) {
    this.left = count;
    this.share = share;
    this.random = new Random(seed);
  }

  requested({ id, method }) {
    if (this.left === 0 || NEVER_CANCELLED.has(method) || this.random.next() >= this.share) return;
    this.left--;
    const moment = this.random.next();
    if (moment < 0.3) this.cancel(id);
    else if (moment < 0.55) setImmediate(() => this.cancel(id));
    else if (moment < 0.8) setTimeout(() => this.cancel(id), this.random.between(1, 100));
    else this.afterAnswer.add(id);
  }

  answered(id) {
    if (this.afterAnswer.delete(id)) this.cancel(id);
  }

  cancel(id) {
    this.ledger.cancelled(id);
    const content = JSON.stringify({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id } });
    this.send(Buffer.from(content));
  }
}

const server = startServer(process.argv.slice(2));
const ledger = new Ledger();
/** Not process.stdout, whose writes would wait for the editor. */
const editor = new net.Socket({ fd: 1, readable: false });
/** The client has told the server to exit, or has gone. */
let isLeaving = false;
const sendToServer = (content) => {
  server.stdin.write(`Content-Length: ${content.length}\r\n\r\n`);
  server.stdin.write(content);
};
const canceller = new Canceller(ledger, sendToServer);
/** Of a timer in ms; its histogram counts this in. */
const RESOLUTION = 5;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION });

/** Ledger's moment; `at` may be earlier than now. */
const momentAt = (at) => ({
  at,
  serverWaited: waitedForProcessor(server.pid),
  readerWaited: waitedForProcessor(process.pid),
});

const fromEditor = new MessageSplitter();
process.stdin.on('data', (chunk) => {
  for (const content of fromEditor.feed(chunk)) {
    const message = JSON.parse(content.toString());
    if (message.method === 'exit') isLeaving = true;
    const isRequest = ledger.fromClient(message, message.id === undefined ? undefined : momentAt(performance.now()));
    sendToServer(content);
    if (isRequest) canceller.requested(message);
  }
});
process.stdin.on('end', () => server.stdin.end());

const fromServer = new MessageSplitter();
server.stdout.on('data', (chunk) => {
  const at = performance.now();
  editor.write(chunk);
  for (const content of fromServer.feed(chunk)) {
    const message = JSON.parse(content.toString());
    ledger.fromServer(message, message.method ? undefined : momentAt(at));
    if (!message.method) canceller.answered(message.id);
  }
});

const orders = {
  cancels: (plan) => canceller.plan(plan),
  measure() {
    ledger.beginMeasuring();
    delay.reset();
  },
  report: () =>
    process.send({ report: { ...ledger.report(), delayP99: Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION) } }),
};
process.on('message', ({ order, ...argument }) => orders[order](argument));
process.on('disconnect', () => {
  isLeaving = true;
  server.kill('SIGKILL');
});
server.stderr.on('data', (text) => process.stderr.write(text));
server.stdin.on('error', () => {});
/** After an end that nobody asked for, the books are still open, and what the editor sends goes nowhere. */
server.on('close', (code, signal) => {
  if (!isLeaving) return process.send({ ended: signal ?? `exit status ${code}` });
  if (process.connected) process.disconnect();
  process.exitCode = signal ? 1 : code;
  editor.end();
  process.stdin.destroy();
});
delay.enable();
process.send({ pid: server.pid });
