// Faults of what the system gives: disk, temporary folder, descriptors, processes. What a kind of fault is,
// worker_faults.mjs says.
import fs from 'node:fs';
import path from 'node:path';
import { greatestDescriptor, setSoftLimit, signal, softLimit } from './processes.mjs';

/** Limits the server or its workers until lift(); children inherit it, so that it is lifted for all of them. */
function limiting(name, weight, limit, draw, valueOf) {
  return {
    name,
    shape: 'own',
    weight,
    documents: 'any',
    heals: 'edit',
    draw,
    inject(session, params) {
      session.usualLimit = softLimit(session.pid, limit);
      for (const pid of params.ofServer ? [session.pid] : session.workers())
        setSoftLimit(pid, limit, valueOf(pid, params));
      if (params.isKilled) for (const pid of session.workers()) signal(pid, 'SIGKILL');
      return params.ofServer ? 'server' : 'worker';
    },
    lift(session) {
      for (const pid of [session.pid, ...session.descendants()]) setSoftLimit(pid, limit, session.usualLimit);
      return '';
    },
  };
}

const drawServerOrWorkers = (random) => ({
  ofServer: random.chance(0.5),
  isKilled: random.chance(0.3),
  spare: random.below(6),
});

const descriptors = limiting(
  'descriptors',
  4,
  'nofile',
  drawServerOrWorkers,
  (pid, { spare }) => greatestDescriptor(pid) + 1 + spare,
);

const processCount = limiting('processes', 2, 'nproc', drawServerOrWorkers, (pid, { spare }) => spare);

const fileSize = limiting(
  'file-size',
  2,
  'fsize',
  (random) => ({ ofServer: false, isKilled: random.chance(0.2), bytes: random.pick([0, 1, 100]) }),
  (pid, { bytes }) => bytes,
);

/** Fills the volume with bytes, or with files. */
function fill(session, isOfFiles) {
  session.filler = path.join(session.volume, 'filler');
  fs.mkdirSync(session.filler);
  const block = Buffer.alloc(isOfFiles ? 0 : 65536);
  try {
    for (let i = 0; ; ++i) fs.writeFileSync(path.join(session.filler, String(i)), block);
  } catch (error) {
    if (error.code !== 'ENOSPC') throw error;
  }
}

const diskFull = {
  name: 'disk-full',
  shape: 'own',
  weight: 3,
  documents: 'any',
  needsVolume: true,
  heals: 'edit',
  draw: (random) => ({ isOfFiles: random.chance(0.3), isKilled: random.chance(0.3) }),
  inject(session, { isOfFiles, isKilled }) {
    fill(session, isOfFiles);
    if (isKilled) for (const pid of session.workers()) signal(pid, 'SIGKILL');
    return isOfFiles ? 'files' : 'bytes';
  },
  lift(session) {
    fs.rmSync(session.filler, { recursive: true });
    return '';
  },
};

/** Makes the folder as it was. What ended meanwhile could not remove its own folder from it. */
function allow(session) {
  fs.chmodSync(session.temporary, 0o755);
  for (const name of fs.readdirSync(session.temporary)) session.moved.add(name);
}

const WAYS = {
  /** Moved away, and back. */
  moved: {
    inject: (session) => fs.renameSync(session.temporary, `${session.temporary}.away`),
    lift(session) {
      for (const name of fs.readdirSync(`${session.temporary}.away`)) session.moved.add(name);
      fs.rmSync(session.temporary, { recursive: true, force: true });
      fs.renameSync(`${session.temporary}.away`, session.temporary);
    },
  },
  /** Removed with all that is in it, as systemd-tmpfiles does with what is old. */
  removed: {
    inject: (session) => fs.rmSync(session.temporary, { recursive: true, force: true }),
    lift: (session) => session.makeTemporary(),
  },
  emptied: {
    inject(session) {
      for (const name of fs.readdirSync(session.temporary))
        fs.rmSync(path.join(session.temporary, name), { recursive: true, force: true });
    },
    lift: () => {},
  },
  'a file': {
    inject(session) {
      fs.rmSync(session.temporary, { recursive: true, force: true });
      fs.writeFileSync(session.temporary, '');
    },
    lift(session) {
      fs.rmSync(session.temporary);
      session.makeTemporary();
    },
  },
  'read only': {
    inject: (session) => fs.chmodSync(session.temporary, 0o555),
    lift: allow,
  },
  secret: {
    inject: (session) => fs.chmodSync(session.temporary, 0),
    lift: allow,
  },
};

const temporaryGone = {
  name: 'temporary-folder',
  shape: 'own',
  weight: 4,
  documents: 'any',
  heals: 'edit',
  draw: (random) => ({ way: random.pick(Object.keys(WAYS)), isKilled: random.chance(0.3) }),
  inject(session, { way, isKilled }) {
    WAYS[way].inject(session);
    if (isKilled) for (const pid of session.workers()) signal(pid, 'SIGKILL');
    return way;
  },
  lift(session, { way }) {
    WAYS[way].lift(session);
    return '';
  },
};

export const RESOURCE_FAULTS = [descriptors, processCount, fileSize, diskFull, temporaryGone];
