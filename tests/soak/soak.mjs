// Whether mca-lsp bears load and time: eight recorded sessions are played side by side against one real server.
//
//   load   500 documents, 50 edits a second: memory, answer times, one answer to each request, 10,000 random cancels,
//          and at the end the same analyses as a server that was started just now
//   soak   5 edits a second for an hour: memory, descriptors and processes over time
//
//   node soak.mjs FOLDER-OF-PROGRAMS [--load-minutes=10] [--minutes=60] [--seed=N] [--out=FOLDER] [--short] [--slow=N]
//
// A part of 0 minutes is left out. --short plays a load of 15 s on 60 documents and no soak, with 500 cancels and a
// limit of answer times that a busy machine keeps. --slow=N: the programs take N times as long and as much memory, as
// sanitizers make them; what a sanitizer reports is a failure. Samples, plots and the server's logs go to --out. The
// exit status is 1 if anything is wrong; the last lines are a table in Markdown.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { boundsOf } from './bounds.mjs';
import { svgOf } from './plot.mjs';
import { csvOf } from './processes.mjs';
import { check } from './trend.mjs';
import { quantile } from './ledger.mjs';

function numberOf(name, fallback) {
  const found = process.argv.find((argument) => argument.startsWith(`--${name}=`));
  const value = found ? Number(found.slice(name.length + 3)) : fallback;
  if (!(value >= 0)) throw new Error(`--${name} needs a number`);
  return value;
}

const short = process.argv.includes('--short');
const programs = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
if (!programs) throw new Error('usage: node soak.mjs FOLDER-OF-PROGRAMS [OPTION...]');
const slow = numberOf('slow', 1);
const seed = numberOf('seed', 1);
const out = process.argv.find((argument) => argument.startsWith('--out='))?.slice('--out='.length);
process.env.MCA_LSP = path.join(path.resolve(programs), 'mca-lsp');
const { RelayedServer, CURRENT_EDITOR } = await import('./server.mjs');
const { Workload } = await import('./workload.mjs');
const { compareWithFresh } = await import('./fresh.mjs');
const { cancelWaiting } = await import('./cancels.mjs');

const SETTINGS = { semanticTokens: { enabled: true }, cpus: ['znver4', 'haswell'] };
const DOCUMENTS = short ? 60 : 500;
const CANCELS = short ? 500 : 10_000;
/** Of the cancels, those of requests that are answered at once. */
const CANCELS_IN_LOAD = CANCELS * 0.7;
const CANCELLED_SHARE = 0.3;
/** Of an answer; in the short form, which shares the machine with other tests, ten times the contract. */
const P99_MS = (short ? 500 : 50) * slow;
/**
 * The share of the time of processors from which on others make a machine busy: the limit is one of the rest of a time
 * then.
 */
const BUSY_SHARE = 0.1;
const SETTLE_SECONDS = (short ? 60 : 300) * Math.max(1, slow / 2);

const cleanups = [];
const after = { after: (action) => cleanups.unshift(action) };
let stopped = false;
const stop = () => stopped;

function temporaryFolder() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mca-soak-'));
  after.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const say = (text) => console.log(`${((performance.now() / 1000) | 0).toString().padStart(5)} s  ${text}`);
const ms = (value) => `${value.toFixed(1)} ms`;

/** A server with all documents open and analysed. */
async function startWorkload() {
  const server = await RelayedServer.start(after, { capabilities: CURRENT_EDITOR, settings: SETTINGS });
  const workload = new Workload(server, temporaryFolder(), { documents: DOCUMENTS, seed });
  workload.lines = workload.buffers.reduce((sum, buffer) => sum + buffer.lines.length, 0);
  say(`opening ${workload.buffers.length} documents with ${workload.lines} lines`);
  workload.open();
  const fails = await server.settle(workload.buffers, SETTLE_SECONDS);
  say('they are analysed');
  server.order('measure');
  return { server, workload, fails };
}

/** The answers that take too long. `others`: the share of the time of processors that other programs used. */
function checkTimes({ atOnce, kinds }, others) {
  const p99Of = (kind) => (others > BUSY_SHARE ? kind.runningP99 : kind.p99);
  const frequent = kinds.filter((kind) => kind.atOnce && kind.count >= 100);
  return [atOnce, ...frequent]
    .filter((kind) => p99Of(kind) > P99_MS)
    .map(
      (kind) =>
        `${kind.name}: of ${kind.count}, one of a hundred takes ${ms(p99Of(kind))} or more; the limit is ${ms(P99_MS)}`,
    );
}

/** Writes the samples, their plot and the server's log. */
function writeOut(part, workload, log) {
  const title = `mca-lsp, ${part}: ${workload.buffers.length} documents, ${os.cpus()[0].model}`;
  fs.mkdirSync(out, { recursive: true });
  fs.writeFileSync(path.join(out, `${part}.csv`), csvOf(workload.samples));
  fs.writeFileSync(path.join(out, `${part}.svg`), svgOf(title, workload.samples));
  fs.writeFileSync(path.join(out, `${part}.log`), log);
}

/** What grows, and the rows of the table. */
function checkSamples({ samples, lines }) {
  const checked = boundsOf(lines, slow, short).map((bound) => check(samples, bound));
  const rows = checked.map(({ name, unit, from, to, most, allowed, limit }) => [
    `${name}${unit && `, ${unit}`}`,
    `${from.toFixed(1)} → ${to.toFixed(1)} in the second half; at most ${most.toFixed(1)}`,
    `rises by ${allowed.toFixed(0)}; at most ${limit.toFixed(0)}`,
  ]);
  return { rows, fails: checked.flatMap(({ fails }) => fails) };
}

/** Plays, and checks all that both parts have in common. */
async function play(part, { server, workload }, { rate, seconds, sampleEvery }) {
  say(`${part}: ${rate} edits a second for ${seconds} s; recorded at ${workload.naturalRate.toFixed(1)}`);
  const { played, others } = await workload.play({
    rate,
    seconds,
    sampleEvery,
    stop: () => stopped || server.hasEnded(),
  });
  const { edits, lag, skippedActions } = workload.shared;
  workload.finish();
  say('played; waiting for the last analyses and answers');
  const fails = await server.settle(workload.buffers, SETTLE_SECONDS);
  const report = await server.report();
  if (out) writeOut(part, workload, server.editor.child.log);
  const samples = checkSamples(workload);
  const { died, unstoppable } = server.deaths();
  if (died > 0) fails.push(`${died} workers died`);
  if (edits / played < 0.9 * rate && !server.hasEnded())
    fails.push(`only ${(edits / played).toFixed(1)} edits a second were made`);
  const late = quantile(Float64Array.from(lag).sort(), 0.99);
  return {
    report,
    times: timesTable(report),
    fails: [...fails, ...report.violations, ...checkTimes(report, others), ...samples.fails, ...server.brokenLines()],
    rows: [
      ['documents', `${workload.buffers.length} with ${workload.lines} lines`, ''],
      [
        'edits',
        `${edits} in ${(played / 60).toFixed(1)} min: ${(edits / played).toFixed(1)} a second`,
        `${rate} a second`,
      ],
      ['the reader of the answers itself', `p99 ${ms(report.delayP99)} late (part of all times)`, ''],
      ['time of processors that other programs used', `${(others * 100).toFixed(0)} %`, ''],
      ...samples.rows,
      ['workers that died', died, 0],
      ['workers that were ended because a cancelled job did not stop in 0.5 s', unstoppable, ''],
      [
        'the player itself',
        `99 % of its steps within ${ms(late)}; ${skippedActions} code actions left out because the text had changed`,
        '',
      ],
    ],
  };
}

/** A table of answer times. */
function timesTable({ atOnce, kinds }) {
  const limit = (kind) => (kind.atOnce ? `p99 ${ms(P99_MS)}` : 'after its job');
  const row = (kind) => [
    kind.name,
    kind.count,
    ...[kind.median, kind.p99, kind.runningP99, kind.most].map(ms),
    limit(kind),
  ];
  return tableOf(
    ['answers', 'number', 'median', 'p99', 'p99 without waiting for a processor', 'longest', 'limit'],
    [atOnce, ...kinds].map(row),
  );
}

function tableOf(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

async function loadPart(minutes) {
  const started = await startWorkload();
  const { server, workload } = started;
  server.order('cancels', { count: CANCELS_IN_LOAD, share: CANCELLED_SHARE, seed });
  const seconds = short ? 15 * Math.min(2, slow) : minutes * 60;
  const played = await play('load', started, { rate: 50, seconds, sampleEvery: 1 });
  const fails = [...started.fails, ...played.fails];
  const options = { settings: SETTINGS, seconds: SETTLE_SECONDS };
  if (!server.hasEnded()) fails.push(...(await compareWithFresh(after, server, workload.buffers, options)));
  say('compared with a fresh server');
  fails.push(...(await server.quit(10 * slow)));
  const count = CANCELS - played.report.cancels.sent;
  const waiting = await cancelWaiting(after, path.join(temporaryFolder(), 'waiting'), {
    count,
    seed,
    settleSeconds: SETTLE_SECONDS,
    stop,
  });
  fails.push(...waiting.fails);
  return {
    part: 'load',
    fails,
    times: played.times,
    rows: [...played.rows, ...cancelRows(played.report.cancels, waiting.cancels)],
  };
}

function cancelRows(load, waiting) {
  const row = (name, { sent, beforeAnswer, tookEffect }) => [
    name,
    `${sent}: ${beforeAnswer} before the answer, ${tookEffect} took effect`,
    'one answer each',
  ];
  return [row('cancels during the load', load), row('cancels of requests that wait', waiting)];
}

async function soakPart(minutes) {
  const started = await startWorkload();
  const { rows, fails, times } = await play('soak', started, { rate: 5, seconds: minutes * 60, sampleEvery: 5 });
  return { part: 'soak', rows, times, fails: [...started.fails, ...fails, ...(await started.server.quit(10 * slow))] };
}

function print({ part, rows, times, fails }) {
  for (const fail of fails) console.log(`FAILED: ${part}: ${fail}`);
  const result = [part, fails.length === 0 ? 'passed' : `failed: ${fails.length}`, `seed ${seed}`];
  const head = [`${part}, on ${os.cpus().length} × ${os.cpus()[0].model}`, '', 'limit'];
  console.log(`\n${times}\n\n${tableOf(head, [...rows, result])}`);
}

process.on('SIGINT', () => (stopped = true));
const parts = [];
try {
  const loadMinutes = numberOf('load-minutes', 10);
  const minutes = short ? 0 : numberOf('minutes', 60);
  if (short || loadMinutes > 0) parts.push(await loadPart(loadMinutes));
  if (minutes > 0) parts.push(await soakPart(minutes));
} finally {
  for (const action of cleanups) action();
}
for (const part of parts) print(part);
process.exit(parts.length > 0 && parts.every(({ fails }) => fails.length === 0) ? 0 : 1);
