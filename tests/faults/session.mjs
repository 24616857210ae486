// A server that faults happen to: its project, its editor, its programs, and what has to hold of it after each fault.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { answersOf, firstDifference, isIdle } from './answers.mjs';
import { DOCUMENTS, Project, documentNamed } from './project.mjs';
import { descendantsOf, describe, marked, processes } from './processes.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));

/** The contract: a server answers within this time, whatever happens. In ms. */
const ANSWER_MS = 2000;
/** Until everything is right again, beside the limits of time that may have to be reached. In ms, and generous. */
const SETTLE_MS = 20_000;
const CLEAN_MS = 5000;
/**
 * The product's limits of time, in ms. They are short, as what hangs is waited for; but on a busy machine, a process
 * that waits for a processor must not be taken for one that hangs.
 */
function chooseLimit() {
  const busy = os.loadavg()[0] / os.cpus().length;
  return Math.round(1500 * Math.min(Math.max(busy, 2), 10));
}

const MOST_WORKERS = 2;

export const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** At once, for somebody who may just be reading it. */
function replaceFile(file, text) {
  fs.writeFileSync(`${file}.new`, text);
  fs.renameSync(`${file}.new`, file);
}

/** Tries until `probe` finds nothing wrong. Returns what is still wrong after `time` ms. */
async function untilNothing(probe, time) {
  const end = performance.now() + time;
  for (;;) {
    const wrong = await probe();
    if (wrong.length === 0 || performance.now() > end) return wrong;
    await sleep(20);
  }
}

/**
 * `shape`: what is between the server and the real programs.
 * - own: nothing; the compiler is the server's own choice, and one waits prewarmed.
 * - script: compiler.sh is the compiler.
 * - proxy: proxy.mjs is between server and worker.
 * - clock: own, and the time of day is clock.c's.
 */
export class Session {
  /** `setup`: see setup.mjs. `compileOn`: when C and C++ are compiled. */
  static async start(setup, { number, shape, state, compileOn }) {
    const session = new Session(setup, number, shape, state);
    session.preparePrograms();
    session.texts = session.project.writeAll(state, `session ${number}`);
    session.editor = await setup.startEditor(session.arguments(), session.environment(), { compileOn });
    await session.project.open(session.editor, session.texts);
    return session;
  }

  constructor(setup, number, shape, state) {
    this.setup = setup;
    this.shape = shape;
    this.state = structuredClone(state);
    this.folder = path.join(setup.folder, `session-${number}`);
    this.project = new Project(path.join(this.folder, 'project'));
    this.programs = path.join(this.folder, 'programs');
    this.volume = path.join(setup.volume, `session-${number}`);
    this.temporary = path.join(this.volume, 'tmp');
    this.limit = chooseLimit();
    this.slowestAnswer = 0;
    this.seenLog = 0;
    this.moved = new Set(); // files that were out of the server's reach for a while
  }

  // ---- its programs ------------------------------------------------------------------------------------------------

  get worker() {
    return path.join(this.programs, 'worker');
  }
  get compiler() {
    return path.join(this.programs, 'clang-22');
  }
  get clock() {
    return path.join(this.programs, 'clock');
  }

  preparePrograms() {
    fs.mkdirSync(this.programs, { recursive: true });
    fs.copyFileSync(path.join(here, 'worker.sh'), `${this.worker}.sh`);
    fs.symlinkSync('worker.sh', this.worker);
    fs.copyFileSync(path.join(here, 'compiler.sh'), this.compiler);
    this.setWorker(this.usualWorker);
    this.setCompiler('good');
    this.setClock(0);
    this.makeTemporary();
  }

  makeTemporary() {
    fs.mkdirSync(this.temporary, { recursive: true });
    this.setup.giveToServer(this.temporary);
  }

  get usualWorker() {
    return this.shape === 'proxy' ? 'proxy' : 'direct';
  }

  /** What the next worker will be (worker.sh). */
  setWorker(mode) {
    replaceFile(`${this.worker}.mode`, `${mode}\n`);
  }

  /** What the compiler does from now on (compiler.sh). */
  setCompiler(mode) {
    replaceFile(`${this.compiler}.mode`, `${this.setup.clang} ${mode}\n`);
  }

  /** By how many seconds the time of day is wrong (clock.c). */
  setClock(seconds) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(seconds));
    const file = fs.openSync(this.clock, fs.existsSync(this.clock) ? 'r+' : 'w');
    fs.writeSync(file, bytes, 0, bytes.length, 0); // in place: it is mapped
    fs.closeSync(file);
  }

  arguments() {
    const limits = [`--job-timeout-ms=${this.limit}`, `--compile-timeout-ms=${this.limit}`];
    return ['--worker', this.worker, ...limits, ...(this.shape === 'script' ? ['--compiler', this.compiler] : [])];
  }

  environment() {
    const clock = { LD_PRELOAD: this.setup.clockLibrary, MCA_FAULTS_CLOCK: this.clock };
    return {
      TMPDIR: this.temporary,
      MCA_FAULTS_WORKER: this.setup.worker,
      MCA_FAULTS_NODE: process.execPath,
      MCA_FAULTS_PROXY: path.join(here, 'proxy.mjs'),
      ...(this.shape === 'clock' ? clock : {}),
    };
  }

  // ---- its processes -----------------------------------------------------------------------------------------------

  get pid() {
    return this.editor.child.pid;
  }

  workers(all = processes()) {
    return all.filter((one) => one.parent === this.pid && one.state !== 'Z').map((one) => one.pid);
  }

  /** What the workers started: proxies have workers below. */
  compilers(all = processes()) {
    return descendantsOf(this.pid, all)
      .filter((one) => /clang|^sleep|^yes/.test(one.name) && one.state !== 'Z')
      .map((one) => one.pid);
  }

  descendants() {
    return descendantsOf(this.pid).map((one) => one.pid);
  }

  // ---- what a user does --------------------------------------------------------------------------------------------

  /**
   * Edits documents, and saves those that are `saved`: {name, variant, saved, reopened}. Those that are `reopened` are
   * closed and opened with the new text instead. All files are written first, as a header's text is its readers' as
   * well.
   */
  async edit(changes, tail) {
    for (const { name, variant, saved } of changes) {
      this.state.variants[name] = variant;
      this.texts[name] = this.project.text(documentNamed(name), variant, tail);
      if (saved) this.project.write(name, this.texts[name]);
    }
    for (const { name, saved, reopened } of changes) {
      const file = this.project.path(name);
      if (reopened) {
        await this.editor.close(file);
        await this.editor.open(file, documentNamed(name).language, this.texts[name]);
      } else {
        await this.editor.change(file, this.texts[name]);
        if (saved) await this.editor.save(file);
      }
    }
  }

  /** A mark for statusSince(). */
  now() {
    return this.editor.statuses.length;
  }

  /** Waits for a job of the document to reach a stage or its end; not for long, as it may do neither. */
  async stage(name, stage, since) {
    const uri = this.editor.uri(this.project.path(name));
    const end = performance.now() + 1000;
    let next = since;
    while (performance.now() < end) {
      for (; next < this.editor.statuses.length; ++next) {
        const { uri: one, state } = this.editor.statuses[next];
        if (one === uri && (state === stage || state === 'idle')) return state;
      }
      await new Promise((resolve) => {
        const timer = setTimeout(wake, 20);
        const { changes } = this.editor;
        function wake() {
          clearTimeout(timer);
          changes.off('change', wake);
          resolve();
        }
        changes.on('change', wake);
      });
    }
    return 'nothing';
  }

  /** Waits until the documents have no job: two attempts may each reach the limit of time. False if some still have. */
  async idle(names) {
    const busy = async () => {
      for (const name of names) await this.editor.hints(this.project.path(name)); // they wait for a job that is pending
      return names.filter((name) => !isIdle(this.editor, this.project, documentNamed(name)));
    };
    return (await untilNothing(busy, 2 * this.limit + 1500)).length === 0;
  }

  // ---- what has to hold --------------------------------------------------------------------------------------------

  /** Asks the server for a hover. Returns what is wrong with the time of its answer. */
  async answers() {
    const { editor } = this;
    const start = performance.now();
    const late = new Promise((resolve) => setTimeout(resolve, ANSWER_MS, 'late').unref());
    const answer = editor.hover(this.project.path(DOCUMENTS.at(-1).name), 1, 0).then(
      () => 'answered',
      (error) => `failed: ${error.message}`,
    );
    const result = await Promise.race([answer, late]);
    this.slowestAnswer = Math.max(this.slowestAnswer, performance.now() - start);
    if (result === 'answered') return [];
    return [result === 'late' ? `no answer within ${ANSWER_MS} ms` : `a request ${result}`];
  }

  /** Waits until every document shows what a fresh server shows. Returns what is wrong. */
  async settled(expected) {
    const wanted = [];
    for (const document of DOCUMENTS) wanted.push(await expected.of(document, this.state));
    let shown = [];
    const wrong = await untilNothing(
      async () => {
        if (this.problemsOfServer().length > 0) return [];
        shown = [];
        for (const document of DOCUMENTS) shown.push(await answersOf(this.editor, this.project, document));
        return DOCUMENTS.filter((one, i) => shown[i] !== wanted[i] || !isIdle(this.editor, this.project, one));
      },
      SETTLE_MS + 3 * this.limit,
    );
    return wrong.map((document) => {
      const i = DOCUMENTS.indexOf(document);
      if (shown[i] === wanted[i]) return `${document.name} has a job that does not end`;
      return `${document.name} is stale:\n${firstDifference(wanted[i], shown[i])}`;
    });
  }

  /**
   * Waits until only the server's usual processes are left: two workers, and below each the compiler that waits, which
   * its worker reaps only when it needs it. Returns what is wrong.
   */
  clean() {
    return untilNothing(async () => {
      const all = processes();
      const mine = descendantsOf(this.pid, all);
      const workers = mine.filter((one) => one.parent === this.pid);
      const wrong = workers.filter((one) => one.state === 'Z').map((one) => `a zombie: ${describe(one)}`);
      if (workers.length > MOST_WORKERS) wrong.push(`too many workers: ${workers.map(describe).join(', ')}`);
      const most = this.shape === 'proxy' ? 2 : 1; // with a proxy, its worker is below it
      for (const worker of workers) {
        const below = descendantsOf(worker.pid, all);
        if (below.length > most) wrong.push(`too many processes below a worker: ${below.map(describe).join(', ')}`);
      }
      const strays = marked(this.temporary, all).filter((one) => one.pid !== this.pid && !mine.includes(one));
      return [...wrong, ...strays.map((one) => `a process is left: ${describe(one)}`)];
    }, CLEAN_MS);
  }

  /** What the server itself must never do. */
  problemsOfServer() {
    const { child } = this.editor;
    const said = child.log.slice(this.seenLog);
    const problems = [];
    if (child.exitCode !== null || child.signalCode !== null)
      problems.push(`the server ended: ${child.signalCode ?? child.exitCode}`);
    for (const line of said.split('\n')) if (line.includes('internal error')) problems.push(line);
    return problems;
  }

  /** What the server logged since the last call. */
  takeLog() {
    const { log } = this.editor.child;
    const said = log.slice(this.seenLog);
    this.seenLog = log.length;
    return said;
  }

  /** Ends the server as an editor does. Returns what is wrong with that, or with what is left. */
  async end() {
    const late = new Promise((resolve) => setTimeout(resolve, CLEAN_MS, 'too late').unref());
    const status = await Promise.race([this.editor.quit().catch((error) => error.message), late]);
    const problems = status === 0 ? [] : [`the server ended with ${status}`];
    problems.push(
      ...(await untilNothing(
        async () => marked(this.temporary).map((one) => `left after the end: ${describe(one)}`),
        CLEAN_MS,
      )),
    );
    const files = fs.readdirSync(this.temporary).filter((name) => !this.moved.has(name));
    if (files.length > 0) problems.push(`left in the temporary folder: ${files.join(', ')}`);
    this.abandon();
    return problems;
  }

  /** Ends the server and whatever is left, by force. */
  abandon() {
    this.editor.child.kill('SIGKILL');
    for (const { pid } of marked(this.temporary)) spawnSync('kill', ['-KILL', String(pid)]);
    fs.rmSync(this.folder, { recursive: true, force: true });
    fs.rmSync(this.volume, { recursive: true, force: true });
  }
}
