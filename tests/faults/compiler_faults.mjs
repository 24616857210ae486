// Faults of the compiler: of clang itself, which is stopped and killed, and of a user's own program that does anything.
// What a kind of fault is, worker_faults.mjs says.
import fs from 'node:fs';
import { signal } from './processes.mjs';

/** What compiler.sh is told to do. */
function scripted(name, weight, draw, heals = 'edit') {
  return {
    name,
    shape: 'script',
    weight,
    early: true,
    patience: 0.7,
    documents: 'read',
    heals,
    draw: (random) => ({ mode: draw(random) }),
    inject(session, { mode }) {
      session.setCompiler(mode);
      return mode.split(' ')[0];
    },
    lift(session) {
      session.setCompiler('good');
      return '';
    },
  };
}

const oddStatus = (random) => random.pick([1, 2, 3, 64, 70, 86, 100, 126, 127, 128, 129, 134, 137, 139, 143, 254, 255]);
const oddText = (random) =>
  random.pick(['', 'dot.c:1:1: error: no', 'no words', '.text', 'fatal error: ', ':::', 'x'.repeat(5000)]);

/** Text that no compiler prints: bytes, or assembly with lines in another order. */
const strange = {
  ...scripted('compiler-garbage', 2, () => 'text'),
  draw: (random) => ({
    mode: 'text',
    bytes: random.chance(0.5) ? random.bytes(random.between(1, 4000)) : Buffer.from(strangeAssembly(random)),
  }),
  inject(session, { bytes }) {
    fs.writeFileSync(`${session.compiler}.text`, bytes);
    session.setCompiler('text');
    return '';
  },
};

function strangeAssembly(random) {
  const lines = [
    '\t.file 0 "/" "x.c"',
    '\t.loc 0 1 1',
    '.L1:',
    '\taddq %rax, %rbx',
    '\tjne .L1',
    '\t.cfi_endproc',
    '\t.section x',
    '\t.macro m',
    '\t.endm',
    '\t.rept 3',
    '\t.endr',
    '\t.if 1',
    '\t.loc 9999 4000000000 7',
    '\tbogus',
    '\t.set a, b',
    '\t.set b, a',
  ];
  return Array.from({ length: random.between(1, 200) }, () => `${random.pick(lines)}\n`).join('');
}

function stopping(name, weight) {
  return {
    name,
    shape: 'own',
    weight,
    documents: 'read',
    patience: 0,
    heals: 'itself',
    draw: () => ({}),
    inject(session) {
      session.stopped = session.compilers();
      for (const pid of session.stopped) signal(pid, 'SIGSTOP');
      return session.stopped.length ? '' : 'no compiler';
    },
    lift(session) {
      for (const pid of session.stopped) signal(pid, 'SIGCONT');
      return '';
    },
  };
}

const killed = {
  name: 'compiler-kill',
  shape: 'own',
  weight: 2,
  documents: 'read',
  heals: 'edit',
  draw: (random) => ({
    signal: random.pick(['SIGKILL', 'SIGSEGV', 'SIGTERM', 'SIGABRT', 'SIGPIPE', 'SIGXFSZ', 'SIGINT']),
  }),
  inject: (session, { signal: one }) =>
    session.compilers().filter((pid) => signal(pid, one)).length ? '' : 'no compiler',
  lift: () => '',
};

const REPLACEMENTS = {
  missing: () => {},
  folder: (file) => fs.mkdirSync(file),
  forbidden: (file) => fs.writeFileSync(file, '#!/bin/sh\n', { mode: 0o644 }),
  empty: (file) => fs.writeFileSync(file, '', { mode: 0o755 }),
  pipe: (file) => fs.symlinkSync('/dev/null', file),
};

const missing = {
  name: 'compiler-missing',
  shape: 'script',
  weight: 2,
  documents: 'read',
  heals: 'edit',
  draw: (random) => ({ replacement: random.pick(Object.keys(REPLACEMENTS)) }),
  inject(session, { replacement }) {
    fs.renameSync(session.compiler, `${session.compiler}.away`);
    REPLACEMENTS[replacement](session.compiler);
    return replacement;
  },
  lift(session) {
    fs.rmSync(session.compiler, { recursive: true, force: true });
    fs.renameSync(`${session.compiler}.away`, session.compiler);
    return '';
  },
};

export const COMPILER_FAULTS = [
  stopping('compiler-stop-continue', 3),
  killed,
  missing,
  strange,
  scripted('compiler-slow', 2, (random) => `slow 0.${random.between(1, 5)}`, 'itself'),
  scripted('compiler-hang', 1, (random) => random.pick(['hang', 'deaf', 'spin'])),
  scripted('compiler-children', 1.5, (random) => random.pick(['children', `many ${random.between(5, 60)}`])),
  scripted('compiler-flood', 0.3, () => 'flood'),
  scripted('compiler-flood-errors', 0.3, () => 'flood-errors'),
  scripted('compiler-errors', 1, (random) => `errors ${random.pick([1, 49, 51, 1000, 200_000])}`),
  scripted('compiler-exit', 3, (random) => `exit ${oddStatus(random)} ${oddText(random)}`),
  scripted('compiler-exit-errors', 2, (random) => `exit-errors ${oddStatus(random)} ${oddText(random)}`),
  scripted(
    'compiler-signal',
    2,
    (random) => `signal ${random.pick(['SEGV', 'KILL', 'ABRT', 'TERM', 'PIPE', 'XFSZ', 'ILL'])}`,
  ),
  scripted('compiler-nothing', 1, () => 'exit 0'),
  scripted('compiler-half', 3, (random) => `half ${random.between(1, 8000)}`),
  scripted('compiler-twice', 1, () => 'twice'),
];
