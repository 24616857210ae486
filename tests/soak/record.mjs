// Writes the sessions of sessions/. Nobody typed them: their keys, pauses and orders are drawn at random from what each
// session is about, at the pace of a fast typist, and the seed of each stands in its file. So a session can be changed
// here and written again, and checks.test.mjs compares the files with what this program writes.
//
//   node record.mjs
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Random } from './random.mjs';
import { SESSIONS } from './sessions.mjs';

/** What is typed: lines that are right, and some on which somebody is not done yet. */
const TYPED = {
  x86: [
    '\taddq\t$16, %r8',
    '\tmovq\t24(%rdi,%rax,8), %r10',
    '\tvmulpd\t%ymm1, %ymm2, %ymm3',
    '\tadd',
    '# the sum — später',
  ],
  aarch64: ['\tadd\tx9, x9, #16', '\tldr\tx10, [x0, #24]', '\tfmul\td0, d1, d2', '\tmad', '// the rest → later'],
  riscv: ['\taddi\ta5, a5, 16', '\tld\ta4, 24(a0)', '\tmul\ta3, a4, a5', '\tsub a3,'],
  arm: ['\tadd\tr3, r3, #16', '\tldr\tr4, [r0, #24]', '\tmul\tr4, r5, r7', '\tmov r'],
  c: ['    sum += p[i] + 16;', '    q[i] = sum * 24;', '    if (p[i] > 8) sum ^= 3;', '    sum = (sum'],
  cpp: ['    sum += twice(p[i]) + 16;', '    q[i] = twice(sum);', '    sum -= p[i] * 24', '    // the sum — später'],
};
/** What is in each loop of a text, and where it is worth looking. */
const PLACE = { x86: '\taddq\t$', aarch64: '\tadd\tx', riscv: '\taddi\t', arm: '\tadd\tr', c: '    ', cpp: '    ' };
const HEAD = { x86: '.L', aarch64: '.L', riscv: '.L', arm: '.L', c: 'for (', cpp: 'for (' };

class Recorder {
  constructor({ name, about, seed, documents }) {
    Object.assign(this, { name, about, seed, documents });
    this.random = new Random(seed);
    this.at = 0;
    this.actions = [];
  }

  pause(low, high) {
    this.at += this.random.between(low, high);
  }

  /** Records an action; the clock stands still. */
  do(what, doc, fields = {}) {
    this.actions.push({ at: this.at, do: what, doc, ...fields });
  }

  part() {
    return this.random.between(0, 95) / 100;
  }

  /** The places that the session is about: somewhere in a loop, and the line that begins one. */
  inLoop(doc) {
    return { find: PLACE[this.documents[doc]], part: this.part() };
  }

  atLoop(doc) {
    return { find: HEAD[this.documents[doc]], part: this.part() };
  }

  goTo(doc, place = this.inLoop(doc)) {
    this.do('goTo', doc, place);
    this.do('show', doc, { part: place.part, lines: 60 });
    this.pause(200, 700);
  }

  keys(what, doc, times, each) {
    this.do(what, doc, { times, each });
    this.at += times * each;
  }

  type(doc, text) {
    const each = this.random.between(75, 130);
    this.do('type', doc, { text, each });
    this.at += [...text].length * each;
  }

  typeLine(doc) {
    this.type(doc, '\n' + this.random.pick(TYPED[this.documents[doc]]));
  }

  /** The mouse rests somewhere `after` ms from now, while the hands go on. */
  hoverAfter(doc, after) {
    this.actions.push({ at: this.at + after, do: 'hover', doc, ...this.inLoop(doc) });
  }

  restoreAll() {
    for (const doc of Object.keys(this.documents)) {
      this.pause(50, 150);
      this.do('restore', doc);
    }
    this.pause(400, 600);
    this.do('show', Object.keys(this.documents)[0], { part: 0, lines: 60 });
  }

  file() {
    this.actions.sort((a, b) => a.at - b.at);
    const { name, about, seed, documents } = this;
    const recorded = `written by tests/soak/record.mjs from the seed; nobody typed it`;
    const head = JSON.stringify({ name, about, recorded, seed, documents }, null, 1).slice(0, -2);
    return `${head},\n "actions": [\n${this.actions.map((one) => '  ' + JSON.stringify(one)).join(',\n')}\n ]\n}\n`;
  }
}

function typing(r) {
  while (r.at < 58_000) {
    r.goTo('a');
    for (let line = r.random.between(3, 6); line > 0; --line) {
      if (r.random.next() < 0.5) r.hoverAfter('a', r.random.between(200, 1500));
      r.typeLine('a');
      if (r.random.next() < 0.4) r.do('complete', 'a');
      r.pause(150, 700);
      if (r.random.next() < 0.4) r.keys('backspace', 'a', r.random.between(2, 9), 60);
    }
    r.do('symbols', 'a');
  }
}

function undoing(r) {
  while (r.at < 58_000) {
    const doc = r.random.pick(['a', 'b']);
    r.goTo(doc);
    for (let line = r.random.between(1, 3); line > 0; --line) r.typeLine(doc);
    r.pause(600, 1500);
    const times = r.random.between(12, 40);
    r.keys('undo', doc, times, 33);
    r.pause(300, 900);
    if (r.random.next() < 0.6) r.keys('redo', doc, r.random.between(5, times), 33);
    r.hoverAfter(doc, 100);
    r.pause(2500, 4500);
  }
}

function pasting(r) {
  while (r.at < 58_000) {
    const doc = r.random.pick(['a', 'b', 'c']);
    r.goTo(doc, { find: '\tret', part: r.part() });
    r.do('paste', doc, { functions: r.random.between(5, 60), seed: r.random.between(1, 1e6) });
    r.pause(300, 900);
    for (let line = r.random.between(1, 3); line > 0; --line) r.typeLine(doc);
    r.do('folds', doc);
    if (r.random.next() < 0.5) {
      r.goTo(doc);
      r.do('cut', doc, { lines: r.random.between(20, 400) });
      r.pause(400, 1200);
    }
    r.keys('undo', doc, r.random.between(2, 8), 40);
    r.pause(300, 1200);
  }
}

function saving(r) {
  const docs = Object.keys(r.documents);
  while (r.at < 58_000) {
    const doc = r.random.pick(docs);
    r.goTo(doc);
    r.typeLine(doc);
    r.hoverAfter(doc, 50);
    for (let times = r.random.between(1, 4); times > 0; --times, r.pause(150, 400)) r.do('save', doc);
    if (r.random.next() < 0.25) for (const one of docs) r.do('save', one);
    r.pause(500, 1500);
    if (r.random.next() < 0.7) r.keys('undo', doc, r.random.between(4, 20), 40);
    r.do('save', doc);
  }
}

function tabbing(r) {
  const docs = Object.keys(r.documents);
  while (r.at < 58_000) {
    for (const doc of docs) r.do('close', doc);
    r.pause(200, 1000);
    for (const doc of docs) {
      r.do('open', doc);
      r.pause(20, 80);
      r.do('show', doc, { part: 0, lines: 60 });
      r.do('symbols', doc);
      r.do('folds', doc);
      r.pause(200, 1200);
      r.do('hover', doc, r.inLoop(doc));
      r.pause(100, 300);
    }
    const doc = r.random.pick(docs);
    r.goTo(doc);
    r.typeLine(doc);
    r.pause(100, 500);
  }
}

function scrolling(r) {
  while (r.at < 58_000) {
    const doc = r.random.pick(Object.keys(r.documents));
    const from = r.part();
    for (let step = 0, steps = r.random.between(10, 25); step < steps; ++step, r.pause(50, 120))
      r.do('show', doc, { part: Math.min(1, Math.round(from * 100 + step) / 100), lines: 60 });
    for (const what of ['tokens', 'resolve', 'highlight', 'define']) {
      r.do(what, doc, r.inLoop(doc));
      r.pause(100, 300);
    }
    r.do('codeActions', doc, r.inLoop(doc));
    r.do('hover', doc, r.inLoop(doc));
    r.goTo(doc);
    r.typeLine(doc);
    r.keys('backspace', doc, 4, 90);
  }
}

function switching(r) {
  for (let branch = 1; r.at < 58_000; ++branch) {
    const doc = r.random.pick(Object.keys(r.documents));
    r.goTo(doc);
    r.typeLine(doc);
    r.do('save', doc);
    r.pause(500, 1500);
    if (branch % 3 === 0) {
      r.do('switchBranch', undefined, { branch });
      r.pause(1000, 2500);
      r.do('show', doc, { part: r.part(), lines: 60 });
      r.do('hover', doc, r.inLoop(doc));
      r.pause(2500, 4500);
    }
  }
}

const VIEWS = ['report', 'assembly', 'timeline', 'compareCpus'];
const QUESTIONS = ['exportJson', 'nextPath', 'listCpus', 'showMemory', 'links'];

function viewing(r) {
  for (let i = 0; r.at < 58_000; ++i) {
    const doc = r.random.pick(Object.keys(r.documents));
    r.goTo(doc);
    r.do(VIEWS[i % VIEWS.length], doc, r.atLoop(doc));
    r.pause(200, 800);
    r.typeLine(doc);
    r.pause(200, 800);
    r.do('codeActions', doc, { ...r.inLoop(doc), apply: r.random.between(0, 9) });
    r.pause(100, 500);
    r.do(QUESTIONS[i % QUESTIONS.length], doc, r.atLoop(doc));
    if (r.random.next() < 0.3) {
      r.do('setCpu', doc, { cpu: r.random.pick(['haswell', 'znver3', '']) });
      r.pause(300, 900);
      r.do('setCpu', doc, { cpu: '' });
    }
    r.keys('undo', doc, r.random.between(5, 15), 50);
    if (r.random.next() < 0.6) r.do('closeViews', doc);
  }
  for (const doc of Object.keys(r.documents)) r.do('closeViews', doc);
}

/** By the names of their files. Each ends with the texts that it began with. */
const RECORDED = {
  typing: {
    about: 'typing in one assembly file, with hovers and completions meanwhile',
    act: typing,
    documents: { a: 'x86' },
  },
  undoing: { about: 'lines that are typed and undone in bursts', act: undoing, documents: { a: 'aarch64', b: 'x86' } },
  pasting: {
    about: 'blocks of up to a thousand lines, pasted and cut',
    act: pasting,
    documents: { a: 'x86', b: 'riscv', c: 'arm' },
  },
  saving: { about: 'C and C++ that is saved again and again', act: saving, documents: { a: 'c', b: 'cpp', c: 'c' } },
  tabbing: {
    about: 'files that are closed, opened and looked at',
    act: tabbing,
    documents: { a: 'x86', b: 'c', c: 'aarch64', d: 'x86', e: 'cpp', f: 'riscv' },
  },
  scrolling: {
    about: 'hints by ranges while the window scrolls',
    act: scrolling,
    documents: { a: 'x86', b: 'aarch64', c: 'cpp' },
  },
  switching: {
    about: 'branches that change all open files',
    act: switching,
    documents: { a: 'riscv', b: 'arm', c: 'x86', d: 'c' },
  },
  viewing: {
    about: 'reports, listings, timelines and code actions',
    act: viewing,
    documents: { a: 'x86', b: 'cpp', c: 'aarch64' },
  },
};

/** The contents of each file. */
export function recordAll() {
  return Object.entries(RECORDED).map(([name, { about, act, documents }], index) => {
    const recorder = new Recorder({ name, about, seed: 100 + index, documents });
    act(recorder);
    recorder.restoreAll();
    return [`${name}.json`, recorder.file()];
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  for (const [file, text] of recordAll()) fs.writeFileSync(path.join(SESSIONS, file), text);
