// Requests that wait, and are cancelled meanwhile. An editor that cannot be asked to request hints again gets them
// after the job, and diagnostics that it pulls, too; so here a cancel ends what would otherwise be answered later.
import fs from 'node:fs';
import path from 'node:path';
import { Buffer } from './buffer.mjs';
import { KINDS } from './documents.mjs';
import { Random } from './random.mjs';
import { RelayedServer, sleep } from './server.mjs';

const OLDER_EDITOR = { textDocument: { diagnostic: {}, hover: { contentFormat: ['plaintext'] } } };
const DOCUMENTS = 16;
const WHOLE = { start: { line: 0, character: 0 }, end: { line: 1e6, character: 0 } };

/** One request of each sort on one document, just after an edit. */
function requestsAfterEdit(editor, buffer, random) {
  const textDocument = { uri: buffer.uri };
  const position = { line: buffer.lineWith('.L', random.next()), character: 0 };
  const ask = (method, params) => editor.connection.sendRequest(method, params).catch(() => undefined);
  buffer.goTo('\t', random.next());
  buffer.insert('1');
  ask('textDocument/inlayHint', { textDocument, range: WHOLE });
  ask('textDocument/diagnostic', { textDocument });
  ask('textDocument/hover', { textDocument, position });
  ask('mca/timeline', { textDocument, position });
  ask('workspace/executeCommand', {
    command: 'mca.compareCpus',
    arguments: [{ uri: buffer.uri, position, cpus: ['znver4'] }],
  });
  buffer.undo();
}

/** Cancels `count` requests. Returns Ledger.cancels, and what is wrong. */
export async function cancelWaiting(cleanups, folder, { count, seed, settleSeconds, stop }) {
  const server = await RelayedServer.start(cleanups, { capabilities: OLDER_EDITOR });
  const random = new Random(seed);
  const kinds = Object.keys(KINDS).filter((kind) => KINDS[kind].languageId === 'asm');
  fs.mkdirSync(folder);
  const buffers = Array.from({ length: DOCUMENTS }, (_, i) => {
    const file = path.join(folder, `waiting${i}.s`);
    return new Buffer(server.editor, { file, kind: kinds[i % kinds.length], size: 40 * (i + 1), seed: seed + i });
  });
  for (const buffer of buffers) buffer.open();
  server.order('cancels', { count, share: 0.9, seed });
  let sent = 0;
  while (sent < count && !server.hasEnded() && !stop()) {
    for (let i = 0; i < 10; ++i) requestsAfterEdit(server.editor, random.pick(buffers), random);
    await sleep(random.between(10, 150));
    sent = (await server.report()).cancels.sent;
  }
  const fails = await server.settle([], settleSeconds);
  const report = await server.report();
  fails.push(...report.violations, ...server.brokenLines());
  if (server.deaths().died > 0) fails.push(`${server.deaths().died} workers died`);
  return { cancels: report.cancels, fails: [...fails, ...(await server.quit(settleSeconds))] };
}
