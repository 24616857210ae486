// Faults of what the server reads: sources, headers, folders, compile_commands.json, and their times; and of the clock.
// What a kind of fault is, worker_faults.mjs says.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { DATABASES, documentNamed } from './project.mjs';
import { sleep } from './session.mjs';

const remove = (file) => fs.rmSync(file, { recursive: true, force: true });
const makePipe = (file) => spawnSync('mkfifo', [file]);

/** What may come to lie where a file was. */
const REPLACEMENTS = {
  nothing: remove,
  folder: (file) => (remove(file), fs.mkdirSync(file)),
  'link to nothing': (file) => (remove(file), fs.symlinkSync('/no/such/file', file)),
  'link to itself': (file) => (remove(file), fs.symlinkSync(file, file)),
  pipe: (file) => (remove(file), makePipe(file)),
  'empty file': (file) => fs.truncateSync(file),
  'half of it': (file) => fs.truncateSync(file, Math.floor(fs.statSync(file).size / 2)),
  bytes: (file, bytes) => fs.writeFileSync(file, bytes),
  secret: (file) => fs.chmodSync(file, 0),
};

const drawReplacement = (random) => ({
  replacement: random.pick(Object.keys(REPLACEMENTS)),
  bytes: random.bytes(random.between(1, 500)),
});

function replaceWith(file, { replacement, bytes }) {
  REPLACEMENTS[replacement](file, bytes);
  return replacement;
}

/** Puts a document's file back, with its text as it is in the editor. */
function restore(session, name) {
  remove(session.project.path(name));
  session.project.write(name, session.texts[name]);
}

const source = {
  name: 'source-gone',
  late: true,
  shape: 'own',
  weight: 3,
  documents: 'read',
  heals: 'edit',
  draw: drawReplacement,
  inject: (session, params) => replaceWith(session.project.path(params.names[0]), params),
  lift(session, { names }) {
    restore(session, names[0]);
    return '';
  },
};

const header = {
  name: 'header-gone',
  shape: 'own',
  weight: 3,
  documents: 'reading',
  heals: 'edit',
  draw: drawReplacement,
  inject: (session, params) => replaceWith(session.project.path(documentNamed(params.names[0]).reads), params),
  lift(session, { names }) {
    const file = documentNamed(names[0]).reads;
    if (documentNamed(file)) {
      restore(session, file);
    } else {
      remove(session.project.path(file));
      session.project.writeAsmHeader();
    }
    return '';
  },
};

/** The folder of headers, or the whole project. */
const folder = {
  name: 'folder-gone',
  late: true,
  shape: 'own',
  weight: 2,
  documents: 'read',
  heals: 'edit',
  draw: (random) => ({ isWhole: random.chance(0.5), stays: random.pick(['nothing', 'folder', 'file', 'secret']) }),
  inject(session, { isWhole, stays }) {
    session.away = isWhole ? session.project.folder : session.project.path('inc');
    if (stays === 'secret') {
      fs.chmodSync(session.away, 0);
      return stays;
    }
    fs.renameSync(session.away, `${session.away}.away`);
    if (stays === 'folder') fs.mkdirSync(session.away);
    if (stays === 'file') fs.writeFileSync(session.away, '');
    return stays;
  },
  lift(session, { stays }) {
    if (stays === 'secret') {
      fs.chmodSync(session.away, 0o755);
      return '';
    }
    remove(session.away);
    fs.renameSync(`${session.away}.away`, session.away);
    return '';
  },
};

/** A build system writes the database while it is read, in pieces and again and again. */
const databaseWritten = {
  name: 'database-written',
  shape: 'own',
  weight: 4,
  documents: 'read',
  heals: 'edit',
  draw: (random) => ({
    database: random.below(DATABASES),
    writes: Array.from({ length: random.between(2, 8) }, () => ({
      share: random.real(),
      pause: random.between(0, 25),
    })),
    isRenamed: random.chance(0.3),
  }),
  async inject(session, { database, writes, isRenamed }) {
    const text = session.project.databaseText(database);
    for (const { share, pause } of writes) {
      fs.writeFileSync(session.project.database, text.slice(0, Math.floor(share * text.length)));
      await sleep(pause);
    }
    if (isRenamed) {
      fs.writeFileSync(session.project.path('new.json'), text);
      fs.renameSync(session.project.path('new.json'), session.project.database);
    } else {
      fs.writeFileSync(session.project.database, text);
    }
    return '';
  },
  lift: () => '',
};

const OTHER_DATABASES = {
  'an object': () => '{}',
  'an empty list': () => '[]',
  'other entries': () => '[{"directory": 1, "file": []}]',
  'deep lists': () => '['.repeat(100_000),
  'a program': (session) =>
    JSON.stringify([{ directory: '/', file: session.project.path('dot.c'), arguments: ['/bin/false', '-c', 'x'] }]),
};

const databaseGone = {
  name: 'database-gone',
  shape: 'own',
  weight: 4,
  documents: 'read',
  heals: 'edit',
  draw: (random) => ({
    database: random.below(DATABASES),
    ...(random.chance(0.3) ? { replacement: random.pick(Object.keys(OTHER_DATABASES)) } : drawReplacement(random)),
  }),
  inject(session, params) {
    const other = OTHER_DATABASES[params.replacement];
    if (!other) return replaceWith(session.project.database, params);
    fs.writeFileSync(session.project.database, other(session));
    return params.replacement;
  },
  lift(session, { database }) {
    remove(session.project.database);
    session.project.writeDatabase(database);
    return '';
  },
};

/** Seconds since 1970: long ago, the ends of 32 bits, and a clock that runs ahead. */
const TIMES = [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 + 5, 4e9, 1e9];

const times = {
  name: 'file-times',
  shape: 'own',
  weight: 2,
  documents: 'read',
  heals: 'itself',
  draw: (random) => ({ time: random.pick(TIMES) }),
  inject(session, { names, time }) {
    for (const name of [...names, 'compile_commands.json', 'inc/asm.h', 'inc/kernels.h', 'inc'])
      fs.utimesSync(path.join(session.project.folder, name), time, time);
    return '';
  },
  lift: () => '',
};

/** The time of day, as it is set by hand or by a server of the network. */
const clock = {
  name: 'clock-jump',
  shape: 'clock',
  weight: 1,
  documents: 'any',
  heals: 'itself',
  draw: (random) => ({
    seconds: random.pick([-1, 1, 3600, -3600, -86400 * 365, 86400 * 365 * 20, -1_700_000_000, 4e9]),
  }),
  inject(session, { seconds }) {
    session.setClock(seconds);
    return '';
  },
  lift(session) {
    session.setClock(0);
    return '';
  },
};

export const FILE_FAULTS = [source, header, folder, databaseWritten, databaseGone, times, clock];
