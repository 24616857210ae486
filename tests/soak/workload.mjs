// The documents of all sessions, opened in one editor, and the sessions that are played on them side by side.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Buffer } from './buffer.mjs';
import { KINDS, isSource, sizesOf } from './documents.mjs';
import { Player } from './player.mjs';
import { processorSeconds, sampleOf, treeOf } from './processes.mjs';
import { Random } from './random.mjs';
import { editsOf, readSessions } from './sessions.mjs';
import { sleep } from './server.mjs';

const SMALLEST = 10;
const LARGEST_ASSEMBLY = 5000;
const LARGEST_SOURCE = 400;

/** In a random order. */
function shuffled(list, random) {
  const rest = [...list];
  return list.map(() => rest.splice(random.below(rest.length), 1)[0]);
}

/** {session, kind, size, seed} of `count` documents: each session gets as many, of the kinds that it names. */
function plan(sessions, count, seed) {
  const random = new Random(seed);
  const planned = Array.from({ length: count }, (_, i) => {
    const session = sessions[i % sessions.length];
    const kinds = Object.values(session.documents);
    return { session, kind: kinds[Math.floor(i / sessions.length) % kinds.length], seed: seed + i };
  });
  for (const [chosen, largest] of [
    [false, LARGEST_ASSEMBLY],
    [true, LARGEST_SOURCE],
  ]) {
    const group = planned.filter(({ kind }) => isSource(kind) === chosen);
    const sizes = shuffled(sizesOf(group.length, SMALLEST, largest), random);
    group.forEach((one, i) => (one.size = sizes[i]));
  }
  return planned;
}

/** A repository, so that the numbers are compared with git's HEAD, too. */
function commitAll(folder) {
  const git = (...args) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=soak', '-c', 'user.email=soak@localhost', ...args]);
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'The texts that the sessions begin with');
}

export class Workload {
  constructor(server, folder, { documents, seed }) {
    this.server = server;
    const sessions = readSessions();
    fs.writeFileSync(path.join(folder, 'compile_flags.txt'), '-O2\n');
    const made = plan(sessions, documents, seed).map(({ session, ...one }, i) => {
      const file = path.join(folder, `${session.name}${i}.${KINDS[one.kind].extension}`);
      return { session, buffer: new Buffer(server.editor, { file, ...one }) };
    });
    commitAll(folder);
    this.buffers = made.map(({ buffer }) => buffer);
    this.shared = { editor: server.editor, now: () => performance.now(), edits: 0, skippedActions: 0, lag: [] };
    this.players = sessions.map((session) => {
      const own = made.filter((one) => one.session === session).map(({ buffer }) => buffer);
      return new Player(session, own, this.shared);
    });
    this.samples = [];
  }

  open() {
    for (const buffer of this.buffers) buffer.open();
  }

  /** Edits a second of all sessions at the speed that they were recorded at, each played again as soon as it ends. */
  get naturalRate() {
    const rate = ({ session, buffers }) => editsOf(session, buffers.length) / (session.length / 1000);
    return this.players.reduce((sum, player) => sum + rate(player), 0);
  }

  /**
   * Plays for `seconds` with `rate` edits a second in sum. To get there the sessions are played faster, or at their own
   * speed with rests in between, in which case they begin one after the other. `sampleEvery` is in seconds. Returns the
   * seconds that it took, and the share of the time of processors that other programs used.
   */
  async play({ rate, seconds, sampleEvery, stop }) {
    const share = rate / this.naturalRate;
    const speed = Math.max(1, share);
    const before = processorSeconds(treeOf(process.pid));
    const begin = this.shared.now();
    this.players.forEach((player, i) => {
      const cycle = player.session.length / share;
      player.begin(begin + (share < 1 ? (i / this.players.length) * cycle : 0), speed, cycle);
    });
    const end = begin + seconds * 1000;
    for (let nextSample = begin; this.shared.now() < end && !stop(); await sleep(4)) {
      for (const player of this.players) player.tick();
      if (this.shared.now() < nextSample) continue;
      this.sample((this.shared.now() - begin) / 1000);
      nextSample += sampleEvery * 1000;
    }
    const after = processorSeconds(treeOf(process.pid));
    const others = 1 - (after.own - before.own) / (after.machine - before.machine);
    return { played: (this.shared.now() - begin) / 1000, others };
  }

  sample(seconds) {
    const tree = this.server.tree();
    if (tree.length > 0) this.samples.push(sampleOf(tree, seconds));
  }

  /** Ends what a session left in the middle: documents are open, sources are saved, no CPU is chosen. */
  finish() {
    for (const buffer of this.buffers) {
      if (!buffer.isOpen) buffer.open();
      if (isSource(buffer.kind)) buffer.save();
    }
    for (const player of this.players) player.finish();
  }
}
