// Faults of the worker: signals, memory, and a program that is not there.
//
// A kind of fault has a `name`, a `shape` of the session (session.mjs), a `weight`, and the `documents` that it edits.
// - `draw` makes all choices of it, by the seed alone.
// - `inject` makes it happen at the chosen step, and `lift` undoes it; both may return text for the summary.
// - `heals`: by 'itself' if everything is right afterwards without another edit, or with an 'edit'.
// - With `early` the fault is there before the edit, with `late` never.
// - `patience`: how probable it is that the fault lasts until all jobs are over.
import fs from 'node:fs';
import { setSoftLimit, signal, softLimit } from './processes.mjs';
import { sleep } from './session.mjs';

const SIGNALS = [
  'SIGSEGV',
  'SIGABRT',
  'SIGBUS',
  'SIGILL',
  'SIGFPE',
  'SIGTERM',
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGXCPU',
  'SIGUSR1',
  'SIGALRM',
];

/** One of the workers, or all of them. */
const drawTarget = (random) => random.pick([0, 0, 1, 'all']);

function targetsOf(session, which) {
  const workers = session.workers();
  if (which === 'all' || workers.length === 0) return workers;
  return [workers[which % workers.length]];
}

const outcome = (hit) => (hit ? '' : 'no worker');

function killing(name, weight, signalOf) {
  return {
    name,
    shape: 'own',
    weight,
    documents: 'any',
    heals: 'itself',
    draw: (random) => ({ which: drawTarget(random), signal: signalOf(random) }),
    inject: (session, { which, signal: one }) =>
      outcome(targetsOf(session, which).filter((pid) => signal(pid, one)).length),
    lift: () => '',
  };
}

const isAlive = (session, pid) => session.workers().includes(pid);

/** Waits for the end of a stopped worker; what the server does not end goes on. Returns whether all were ended. */
async function awaitEnd(session, pids, time) {
  const end = performance.now() + time;
  while (performance.now() < end && pids.some((pid) => isAlive(session, pid))) await sleep(20);
  const left = pids.filter((pid) => isAlive(session, pid));
  for (const pid of left) signal(pid, 'SIGCONT');
  return left.length === 0;
}

const stopped = {
  name: 'worker-stop',
  shape: 'own',
  weight: 1.5,
  documents: 'any',
  heals: 'edit',
  draw: (random) => ({ which: drawTarget(random), isEdited: random.chance(0.7) }),
  async inject(session, { which, isEdited, editAgain }) {
    session.stopped = targetsOf(session, which);
    for (const pid of session.stopped) signal(pid, 'SIGSTOP');
    if (isEdited) await editAgain();
    return outcome(session.stopped.length);
  },
  /** An edit cancels the job of a stopped worker, which is ended then; otherwise its time limit ends it. */
  async lift(session, { isEdited }) {
    const ended = await awaitEnd(session, session.stopped, isEdited ? 1000 : session.limit + 700);
    return ended ? 'ended by the server' : 'continued by us';
  },
};

const stoppedForAWhile = {
  name: 'worker-stop-continue',
  patience: 0,
  shape: 'own',
  weight: 3,
  documents: 'any',
  heals: 'itself',
  draw: (random) => ({ which: drawTarget(random) }),
  inject(session, { which }) {
    session.stopped = targetsOf(session, which);
    for (const pid of session.stopped) signal(pid, 'SIGSTOP');
    return outcome(session.stopped.length);
  },
  lift(session) {
    for (const pid of session.stopped) signal(pid, 'SIGCONT');
    return '';
  },
};

/** As a machine that sleeps and wakes up. */
const suspended = {
  name: 'all-stop-continue',
  shape: 'own',
  weight: 2,
  documents: 'any',
  heals: 'itself',
  draw: (random) => ({ pause: random.between(20, 400) }),
  async inject(session, { pause }) {
    const all = [session.pid, ...session.descendants()];
    for (const pid of all) signal(pid, 'SIGSTOP');
    await sleep(pause);
    for (const pid of all) signal(pid, 'SIGCONT');
    return '';
  },
  lift: () => '',
};

/** The memory that a running worker may use is what it uses, more or less. */
const memoryGone = {
  name: 'worker-memory',
  shape: 'own',
  weight: 2,
  documents: 'any',
  heals: 'edit',
  draw: (random) => ({ which: drawTarget(random), kb: random.pick([1, 8192, 40_000, 100_000, 150_000]) }),
  inject(session, { which, kb }) {
    session.limited = targetsOf(session, which).map((pid) => ({ pid, limit: softLimit(pid, 'data') }));
    for (const { pid } of session.limited) setSoftLimit(pid, 'data', kb * 1024);
    return outcome(session.limited.length);
  },
  lift(session) {
    for (const { pid, limit } of session.limited) if (limit) setSoftLimit(pid, 'data', limit);
    return '';
  },
};

/** The workers that are started meanwhile have too little from the beginning. */
const startedSmall = {
  name: 'worker-memory-option',
  shape: 'own',
  weight: 1.5,
  early: true,
  documents: 'any',
  heals: 'edit',
  draw: (random) => ({ mb: random.pick([1, 4, 16, 40, 70, 90, 120]) }),
  inject(session, { mb }) {
    session.setWorker(`memory ${mb}`);
    for (const pid of session.workers()) signal(pid, 'SIGKILL');
    return '';
  },
  lift(session) {
    session.setWorker(session.usualWorker);
    for (const pid of session.workers()) signal(pid, 'SIGKILL'); // those with little memory would keep it
    return '';
  },
};

const REPLACEMENTS = {
  missing: () => {},
  folder: (file) => fs.mkdirSync(file),
  forbidden: (file) => fs.writeFileSync(file, '#!/bin/sh\n', { mode: 0o644 }),
  empty: (file) => fs.writeFileSync(file, '', { mode: 0o755 }),
  loop: (file) => fs.symlinkSync(file, file),
  noInterpreter: (file) => fs.writeFileSync(file, '#!/no/such/shell\n', { mode: 0o755 }),
  broken: (file) => fs.writeFileSync(file, '\x7fELF\x02\x01\x01', { mode: 0o755 }),
};

const missing = {
  name: 'worker-missing',
  shape: 'own',
  weight: 2,
  documents: 'any',
  heals: 'edit',
  draw: (random) => ({ replacement: random.pick(Object.keys(REPLACEMENTS)), isKilled: random.chance(0.8) }),
  inject(session, { replacement, isKilled }) {
    fs.unlinkSync(session.worker);
    REPLACEMENTS[replacement](session.worker);
    if (isKilled) for (const pid of session.workers()) signal(pid, 'SIGKILL');
    return replacement;
  },
  lift(session) {
    fs.rmSync(session.worker, { recursive: true, force: true });
    fs.symlinkSync('worker.sh', session.worker);
    return '';
  },
};

/** A program that is no worker: it ends at once, or says nothing. */
const wrong = {
  name: 'worker-wrong',
  shape: 'own',
  weight: 1.5,
  early: true,
  documents: 'any',
  heals: 'edit',
  draw: (random) => ({
    mode: random.pick([
      ...[0, 1, 64, 65, 70, 86, 126, 127, 255].map((status) => `exit ${status}`),
      'signal KILL',
      'signal SEGV',
      'silent',
    ]),
  }),
  inject(session, { mode }) {
    session.setWorker(mode);
    for (const pid of session.workers()) signal(pid, 'SIGKILL');
    return mode;
  },
  lift(session) {
    session.setWorker(session.usualWorker);
    for (const pid of session.workers()) signal(pid, 'SIGKILL');
    return '';
  },
};

/** Workers end, one after the other, faster than jobs do. */
const killedOften = {
  name: 'worker-kill-often',
  shape: 'own',
  weight: 1,
  documents: 'any',
  heals: 'edit',
  draw: (random) => ({ pauses: Array.from({ length: random.between(3, 8) }, () => random.between(0, 90)) }),
  async inject(session, { pauses }) {
    for (const pause of pauses) {
      for (const pid of session.workers()) signal(pid, 'SIGKILL');
      await sleep(pause);
    }
    return '';
  },
  lift: () => '',
};

export const WORKER_FAULTS = [
  killing('worker-kill', 4, () => 'SIGKILL'),
  killing('worker-signal', 3, (random) => random.pick(SIGNALS)),
  stopped,
  stoppedForAWhile,
  suspended,
  memoryGone,
  startedSmall,
  missing,
  wrong,
  killedOften,
];
