// The checks of the soak themselves: each finds what it is for. And the recorded sessions are what record.mjs writes,
// and leave the texts as they were.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { Buffer } from './buffer.mjs';
import { textOf } from './documents.mjs';
import { Ledger } from './ledger.mjs';
import { Player } from './player.mjs';
import { svgOf } from './plot.mjs';
import { csvOf, processorSeconds, treeOf, waitedForProcessor } from './processes.mjs';
import { recordAll } from './record.mjs';
import { SESSIONS, editsOf, readSessions } from './sessions.mjs';
import { check } from './trend.mjs';

const hover = (id) => ({ id, method: 'textDocument/hover', params: {} });
const published = (version) => ({ method: 'textDocument/publishDiagnostics', params: { uri: 'file:///a.s', version } });

function ledgerOf(...events) {
  const ledger = new Ledger();
  const momentOf = (time) => (typeof time === 'object' ? time : { at: time, serverWaited: 0, readerWaited: 0 });
  for (const [from, message, time] of events) ledger[from](message, momentOf(time));
  return ledger.report();
}

test('one reply to each request is right', () => {
  const { violations, open, atOnce } = ledgerOf(
    ['fromClient', hover(1), 10],
    ['fromServer', { id: 1, result: null }, 14],
  );
  assert.deepEqual([violations, open, atOnce.count, atOnce.most], [[], [], 1, 4]);
});

test('what a busy machine adds to a time is known: the longer of two waits, of which none counts twice', () => {
  const begin = { at: 10, serverWaited: 100, readerWaited: 200 };
  const end = { at: 60, serverWaited: 130, readerWaited: 210 };
  const { atOnce } = ledgerOf(['fromClient', hover(1), begin], ['fromServer', { id: 1, result: null }, end]);
  assert.deepEqual([atOnce.p99, atOnce.runningP99], [50, 20]);
});

test('a second reply, a lost one and one to nobody are found', () => {
  const answer = ['fromServer', { id: 1, result: null }, 1];
  assert.match(ledgerOf(['fromClient', hover(1), 0], answer, answer).violations[0], /second one: id 1/);
  assert.deepEqual(ledgerOf(['fromClient', hover(7), 0]).open, ['textDocument/hover (id 7)']);
  assert.equal(ledgerOf(answer).violations.length, 1);
});

test("a server's own request is no reply", () => {
  assert.deepEqual(ledgerOf(['fromServer', { id: 1, method: 'workspace/inlayHint/refresh' }, 0]).violations, []);
});

test('errors: those of a cancel or of what cannot be done now are allowed', () => {
  const failed = (code) => ['fromServer', { id: 1, error: { code, message: 'no' } }, 1];
  assert.deepEqual(ledgerOf(['fromClient', hover(1), 0], failed(-32803)).violations, []);
  assert.match(ledgerOf(['fromClient', hover(1), 0], failed(-32603)).violations[0], /error -32603/);
  assert.match(ledgerOf(['fromClient', hover(1), 0], failed(-32800)).violations[0], /by nobody/);
  const close = { method: 'textDocument/didClose', params: {} };
  assert.deepEqual(ledgerOf(['fromClient', hover(1), 0], ['fromClient', close], failed(-32800)).violations, []);
  const cancelled = ledgerOf(['fromClient', hover(1), 0], ['cancelled', 1], failed(-32800), ['cancelled', 1]);
  assert.deepEqual([cancelled.violations, cancelled.cancels], [[], { sent: 2, beforeAnswer: 1, tookEffect: 1 }]);
});

test('diagnostics of an older text are found, also after the document was closed and opened', () => {
  assert.deepEqual(ledgerOf(['fromServer', published(3)], ['fromServer', published(3)]).violations, []);
  const reopened = ledgerOf(
    ['fromServer', published(3)],
    ['fromServer', published(undefined)],
    ['fromServer', published(2)],
  );
  assert.match(reopened.violations[0], /from version 3 to 2/);
});

test('requests that wait for a job do not count as answered at once', () => {
  const compare = { id: 1, method: 'workspace/executeCommand', params: { command: 'mca.compareCpus' } };
  const { atOnce, kinds } = ledgerOf(['fromClient', compare, 0], ['fromServer', { id: 1, result: {} }, 900]);
  assert.deepEqual([atOnce.count, kinds[0].name, kinds[0].most], [0, 'mca.compareCpus', 900]);
});

const samples = (valueAt) => Array.from({ length: 100 }, (_, i) => ({ seconds: i, server: valueAt(i) }));
const BOUND = { column: 'server', name: 'memory', unit: 'MiB', rise: 5, limit: 200 };

test('growth in the second half is found, and growth before it is not', () => {
  assert.deepEqual(
    check(
      samples((i) => Math.min(i, 50)),
      BOUND,
    ).fails,
    [],
  );
  assert.match(
    check(
      samples((i) => i),
      BOUND,
    ).fails[0],
    /grows from 50.0 MiB to 99.0 MiB/,
  );
  assert.deepEqual(
    check(
      samples((i) => i),
      { ...BOUND, freeBelow: 100 },
    ).fails,
    [],
  );
  assert.match(
    check(
      samples((i) => (i === 7 ? 201 : 50)),
      BOUND,
    ).fails[0],
    /the limit is 200.0 MiB/,
  );
});

test('jobs that come and go are no growth of what is counted at rest', () => {
  const busy = (i) => 10 + (i % 3) * i;
  const atRest = { ...BOUND, lows: true, limit: 1000 };
  assert.deepEqual(check(samples(busy), atRest).fails, []);
  assert.equal(
    check(
      samples((i) => busy(i) + i / 5),
      atRest,
    ).fails.length,
    1,
  );
});

test('the recorded sessions are what record.mjs writes', () => {
  const recorded = recordAll();
  assert.deepEqual(fs.readdirSync(SESSIONS).sort(), recorded.map(([file]) => file).sort());
  for (const [file, text] of recorded) assert.equal(fs.readFileSync(path.join(SESSIONS, file), 'utf8'), text, file);
});

/** Keeps the text as a server would: by the ranges that it is sent. */
class FakeEditor {
  constructor() {
    this.versions = new Map();
    this.texts = new Map();
    this.refreshes = 0;
    this.requests = [];
    this.connection = {
      sendRequest: async (method, params) => {
        this.requests.push([method, params]);
        return null;
      },
    };
  }

  uri(file) {
    return `file://${file}`;
  }

  open(file, languageId, text, version = 1) {
    assert.ok(version > (this.versions.get(file) ?? 0), 'versions go on');
    this.versions.set(file, version);
    this.texts.set(file, text);
  }

  change(file, text, range) {
    this.versions.set(file, this.versions.get(file) + 1);
    const old = this.texts.get(file);
    const offset = ({ line, character }) => old.split('\n').slice(0, line).join('\n').length + (line > 0) + character;
    this.texts.set(file, range ? old.slice(0, offset(range.start)) + text + old.slice(offset(range.end)) : text);
  }

  save() {}
  close() {}
}

test('each session sends the edits that it says, and ends with the texts that it began with', async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mca-soak-'));
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  for (const session of readSessions()) {
    let now = 0;
    const editor = new FakeEditor();
    const shared = { editor, now: () => now, edits: 0, skippedActions: 0, lag: [] };
    const buffers = Object.entries(session.documents).map(
      ([name, kind], i) =>
        new Buffer(editor, { file: path.join(folder, session.name + name), kind, size: 150, seed: i }),
    );
    for (const buffer of buffers) buffer.open();
    const player = new Player(session, buffers, shared);
    player.begin(0, 1, session.length);
    for (; player.replays === 0; now += 100) {
      player.tick();
      for (const buffer of buffers)
        assert.equal(editor.texts.get(buffer.file), buffer.text, `${session.name} at ${now} ms`);
    }
    await new Promise(setImmediate);
    assert.ok(shared.edits >= editsOf(session, buffers.length) * 0.9, `${session.name} makes ${shared.edits} edits`);
    for (const buffer of buffers)
      assert.deepEqual(buffer.lines, textOf(buffer.kind, buffer.size, buffer.seed), session.name);
    assert.ok(editor.requests.length > 10, session.name);
  }
});

test('samples become a table and a picture, and a tree of processes has its root', () => {
  const sample = {
    seconds: 1,
    server: 20,
    worker: 3,
    others: 0,
    server_descriptors: 14,
    worker_descriptors: 8,
    processes: 2,
  };
  assert.equal(csvOf([sample]).split('\n')[1], '1,20,3,0,14,8,2');
  const svg = svgOf('a < b', [sample, { ...sample, seconds: 61 }]);
  assert.match(svg, /a &lt; b/);
  assert.equal(svg.match(/<polyline points="[\d.]+,[\d.]+ [\d.]+,[\d.]+"/g).length, 6);
  assert.equal(treeOf(process.pid)[0].pid, process.pid);
  assert.deepEqual(treeOf(0x7fffffff), []);
});

test('the time of processors, of this process, of the machine and of waiting', () => {
  const before = processorSeconds(treeOf(process.pid));
  for (const end = performance.now() + 50; performance.now() < end;);
  const { own, machine } = processorSeconds(treeOf(process.pid));
  assert.ok(own > 0 && own >= before.own && own <= machine, `${own} of ${machine}`);
  assert.ok(waitedForProcessor(process.pid) >= 0);
  assert.equal(waitedForProcessor(0x7fffffff), 0);
});
