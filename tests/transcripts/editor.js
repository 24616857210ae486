// An editor without a window: starts the server named by MCA_LSP and speaks with it through Microsoft's own protocol
// library, so that what passes here is what that library takes.
//
// Everything waits on conditions with one generous deadline; nothing sleeps for a fixed time.
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { EventEmitter } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const lsp = require('vscode-languageserver-protocol/node');
const { childrenOf } = require('./processes');

const DEADLINE_MS = 60000;

function requiredPath(variable) {
  const value = process.env[variable];
  assert.ok(value, `${variable} names no program`);
  return value;
}

const SERVER = requiredPath('MCA_LSP');
const FAKE_WORKER = process.env.MCA_FAKE_WORKER;

/**
 * Resolves with the first truthy value of `probe`, tried again whenever `emitter` says something, or now and then.
 * `details` is what helps to understand a failure.
 */
async function until(probe, what, emitter = new EventEmitter(), details = () => '') {
  const end = Date.now() + DEADLINE_MS;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > end) assert.fail(`waited in vain for ${what}${details()}`);
    await new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        emitter.off('change', wake);
        resolve();
      };
      const timer = setTimeout(wake, 20);
      emitter.on('change', wake);
    });
  }
}

/** Numbers are LLVM's unless a test says otherwise, whatever was measured of this machine. */
function withoutCalibration(args) {
  return args.some((one) => one.startsWith('--calibration')) ? args : [...args, '--calibration=off'];
}

/**
 * Starts the server. Its log goes to `child.log`, and `child.exited` resolves with its exit status. `environment` has
 * the options of spawn() that make the process another one than this: env, uid, gid.
 */
function startServer(args = [], environment = {}) {
  return watched(spawn(SERVER, withoutCalibration(args), { ...environment, stdio: ['pipe', 'pipe', 'pipe'] }));
}

/** The same for a process that was started already and passes on what a server says. */
function watched(child) {
  child.log = '';
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (text) => (child.log += text));
  child.stdin.on('error', () => {});
  child.exited = new Promise((resolve) => child.on('exit', (code, signal) => resolve(signal ?? code)));
  return child;
}

function logOf(child) {
  return `; the server's log:\n${child.log}`;
}

/** False for a process that has ended, even if nobody has asked for its exit status yet. */
function isAlive(pid) {
  try {
    return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** A new folder that goes away with the test. */
function temporaryFolder(t) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mca-lsp-'));
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const FULL_CAPABILITIES = {
  general: { positionEncodings: ['utf-16'] },
  window: { workDoneProgress: true },
  workspace: { configuration: true, inlayHint: { refreshSupport: true } },
  textDocument: {
    hover: { contentFormat: ['markdown', 'plaintext'] },
    publishDiagnostics: { relatedInformation: true, versionSupport: true },
  },
};

class Editor {
  /** An editor that has been through `initialize`, and that ends with the test. */
  static async start(
    t,
    { args = [], environment, child = startServer(args, environment), capabilities = FULL_CAPABILITIES, settings = {}, options } = {},
  ) {
    const editor = new Editor(child, settings);
    t.after(() => editor.child.kill('SIGKILL'));
    editor.initialized = await editor.connection.sendRequest(lsp.InitializeRequest.type, {
      processId: process.pid,
      rootUri: null,
      capabilities,
      initializationOptions: options,
    });
    await editor.connection.sendNotification(lsp.InitializedNotification.type, {});
    return editor;
  }

  constructor(child, settings) {
    this.child = child;
    this.settings = settings;
    this.changes = new EventEmitter().setMaxListeners(0);
    this.diagnostics = new Map();
    this.messages = [];
    this.progress = [];
    this.progressTokens = [];
    this.refreshes = 0;
    this.statuses = [];
    this.changedDocuments = [];
    this.shown = [];
    this.versions = new Map();
    this.connection = lsp.createProtocolConnection(
      new lsp.StreamMessageReader(child.stdout),
      new lsp.StreamMessageWriter(child.stdin),
    );
    this.connection.onError(() => {});
    this.listen();
    this.connection.listen();
  }

  listen() {
    const note = (action) => (params) => {
      action(params);
      this.changes.emit('change');
      return null;
    };
    const c = this.connection;
    c.onNotification(lsp.PublishDiagnosticsNotification.type, note((p) => this.diagnostics.set(p.uri, p)));
    c.onNotification(lsp.ShowMessageNotification.type, note((p) => this.messages.push(p)));
    c.onRequest(lsp.InlayHintRefreshRequest.type, note(() => this.refreshes++));
    c.onNotification('mca/status', note((p) => this.statuses.push(p)));
    c.onNotification('mca/documentChanged', note((p) => this.changedDocuments.push(p.uri)));
    c.onRequest(lsp.ShowDocumentRequest.type, (p) => {
      note(() => this.shown.push(p.uri))();
      return { success: true };
    });
    c.onRequest(lsp.RegistrationRequest.type, note(() => {}));
    c.onRequest(lsp.ConfigurationRequest.type, () => [this.settings]);
    c.onRequest(lsp.WorkDoneProgressCreateRequest.type, ({ token }) => {
      this.progressTokens.push(token);
      c.onProgress(lsp.WorkDoneProgress.type, token, note((value) => this.progress.push(value)));
      return null;
    });
  }

  uri(file) {
    return file.includes(':') ? file : pathToFileURL(file).href;
  }

  open(file, languageId, text, version = 1) {
    this.versions.set(file, version);
    const textDocument = { uri: this.uri(file), languageId, version, text };
    return this.connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument });
  }

  /** Replaces a range, or everything when there is none. */
  change(file, text, range) {
    const version = this.versions.get(file) + 1;
    this.versions.set(file, version);
    return this.connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
      textDocument: { uri: this.uri(file), version },
      contentChanges: [range ? { range, text } : { text }],
    });
  }

  save(file) {
    return this.connection.sendNotification(lsp.DidSaveTextDocumentNotification.type, {
      textDocument: { uri: this.uri(file) },
    });
  }

  close(file) {
    return this.connection.sendNotification(lsp.DidCloseTextDocumentNotification.type, {
      textDocument: { uri: this.uri(file) },
    });
  }

  hints(file, token) {
    const range = { start: { line: 0, character: 0 }, end: { line: 100000, character: 0 } };
    return this.connection.sendRequest(
      lsp.InlayHintRequest.type,
      { textDocument: { uri: this.uri(file) }, range },
      token,
    );
  }

  hover(file, line, character) {
    return this.connection.sendRequest(lsp.HoverRequest.type, {
      textDocument: { uri: this.uri(file) },
      position: { line, character },
    });
  }

  /** Runs a command with its one argument. */
  command(name, argument) {
    return this.connection.sendRequest(lsp.ExecuteCommandRequest.type, {
      command: name,
      arguments: argument === undefined ? [] : [argument],
    });
  }

  place(file, line) {
    return { uri: this.uri(file), position: { line, character: 0 } };
  }

  /** The text of a virtual document. */
  async content(uri) {
    return (await this.connection.sendRequest('mca/documentContent', { uri })).text;
  }

  until(probe, what) {
    return until(probe, what, this.changes, () => logOf(this.child));
  }

  /** The diagnostics of the document's present version, once they are there and satisfy `accept`. */
  diagnosticsOf(file, accept = () => true) {
    return this.until(() => {
      const published = this.diagnostics.get(this.uri(file));
      const present = published && published.version === this.versions.get(file);
      return present && accept(published.diagnostics) && published.diagnostics;
    }, `diagnostics of ${file}`);
  }

  /** The hints once there are any. */
  hintsOf(file) {
    return this.until(async () => {
      const hints = await this.hints(file);
      return hints.length > 0 && hints;
    }, `hints of ${file}`);
  }

  /** The worker's process. */
  worker() {
    return this.until(() => childrenOf(this.child.pid)[0], 'a worker');
  }

  /** Shuts the server down as the protocol says, and returns its exit status. */
  async quit() {
    await this.connection.sendRequest(lsp.ShutdownRequest.type);
    await this.connection.sendNotification(lsp.ExitNotification.type);
    return this.child.exited;
  }
}

/** Cuts a stream into the contents of its messages. */
class MessageSplitter {
  constructor() {
    this.bytes = Buffer.alloc(0);
  }

  /** The contents that the next part of the stream completes. */
  feed(chunk) {
    this.bytes = Buffer.concat([this.bytes, chunk]);
    const contents = [];
    for (;;) {
      const end = this.bytes.indexOf('\r\n\r\n');
      const header = /^Content-Length: (\d+)\r\n/.exec(this.bytes.subarray(0, end + 2).toString());
      if (end < 0 || this.bytes.length < end + 4 + Number(header[1])) return contents;
      const content = this.bytes.subarray(end + 4, end + 4 + Number(header[1]));
      this.bytes = this.bytes.subarray(end + 4 + content.length);
      contents.push(content);
    }
  }
}

/** A client that sends bytes as they are, for what the library would never send. */
class RawClient {
  constructor(t, args = []) {
    this.child = startServer(args);
    t.after(() => this.child.kill('SIGKILL'));
    this.received = [];
    this.changes = new EventEmitter();
    this.splitter = new MessageSplitter();
    this.child.stdout.on('data', (chunk) => this.take(chunk));
  }

  take(chunk) {
    for (const content of this.splitter.feed(chunk)) this.received.push(JSON.parse(content.toString()));
    this.changes.emit('change');
  }

  write(bytes) {
    this.child.stdin.write(bytes);
  }

  send(message) {
    this.sendContent(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  sendContent(content) {
    this.write(`Content-Length: ${Buffer.byteLength(content)}\r\n\r\n`);
    this.write(content);
  }

  /** The answer to the request with this id. */
  answer(id) {
    return until(
      () => this.received.find((message) => !message.method && message.id === id),
      `the answer ${id}`,
      this.changes,
      () => logOf(this.child),
    );
  }

  /** Sends a request and resolves with its answer. */
  request(id, method, params) {
    this.send({ id, method, params });
    return this.answer(id);
  }

  initialize(params = {}) {
    return this.request('init', 'initialize', { processId: null, capabilities: {}, ...params });
  }
}

/** The text of a hint's label, which may come in parts. */
function labelOf(hint) {
  return typeof hint.label === 'string' ? hint.label : hint.label.map((part) => part.value).join('');
}

module.exports = {
  DEADLINE_MS,
  Editor,
  FAKE_WORKER,
  FULL_CAPABILITIES,
  MessageSplitter,
  RawClient,
  SERVER,
  childrenOf,
  isAlive,
  labelOf,
  lsp,
  startServer,
  temporaryFolder,
  until,
  watched,
};
