// One server with a family's folders open, and what a user does with each of them. Everything that the server sends is
// kept as it was sent.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { Watch } from './watch.mjs';
import { SECRET, SUM, differences, snapshot } from './world.mjs';

const { Editor, SERVER, labelOf, lsp, startServer } = createRequire(import.meta.url)('../transcripts/editor.js');

/** The contract: a server answers a plain request within this time, whatever its worker does. */
const ANSWER_MS = 2000;
/** Of memory, small; of time, long: on a busy machine, an honest compile must not look like one that waits. */
const LIMITS = { jobMs: 20_000, compileMs: 20_000, workerMb: 400, compilerMb: 300 };
/** For the families that reach them. */
export const SHORT_LIMITS = { jobMs: 2500, compileMs: 2500 };
/** A job ends within this time: two attempts may each reach their limit, and the machine may be busy. */
const JOB_MS = 50_000;
const SERVER_MB = 400;
const SLACK_MB = 64;

const LANGUAGES = { '.c': 'c', '.h': 'c', '.cpp': 'cpp', '.s': 'asm', '.S': 'asm', '.json': 'json', '.mcatrace': 'plaintext' };
const shortened = (words) => words.split('\n').map((line) => line.slice(0, 300)).join('\n').slice(0, 3000);
const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** An editor that cannot be told to ask again: its request for hints waits for the job that is pending. */
const CAPABILITIES = {
  general: { positionEncodings: ['utf-16'] },
  window: { workDoneProgress: true, showDocument: { support: true } },
  workspace: { configuration: true, workspaceEdit: { documentChanges: true } },
  textDocument: {
    hover: { contentFormat: ['markdown', 'plaintext'] },
    publishDiagnostics: { relatedInformation: true, versionSupport: true },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } },
  },
};

const realProgram = (name) => fs.realpathSync(spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim());
const CLANG = realProgram('clang-22');
const GIT = realProgram('git');
const WORKER = path.join(path.dirname(fs.realpathSync(SERVER)), 'mca-worker');

/** How much memory the programs that may run may take. The server's own process has the worker's image while it forks. */
const MOST_MB = new Map([
  [fs.realpathSync(SERVER), SERVER_MB],
  [WORKER, LIMITS.workerMb + SLACK_MB],
  [CLANG, LIMITS.compilerMb + SLACK_MB],
  [GIT, SERVER_MB],
]);

export class Session {
  /** `folders`: what the user opened. `section`: the user's settings. */
  static async start(world, folders, { args = [], section = {}, limits = {} } = {}) {
    const session = new Session(world, args, section, { ...LIMITS, ...limits });
    await session.initialize([session.good.at, ...folders]);
    return session;
  }

  constructor(world, args, section, limits) {
    this.world = world;
    const name = `good-${Math.random().toString(36).slice(2)}`;
    this.good = world.folder(name);
    this.temporary = path.join(world.root, 'tmp', name);
    fs.mkdirSync(this.temporary);
    this.goodFile = this.good.write('good.c', SUM);
    const limitOptions = [
      `--job-timeout-ms=${limits.jobMs}`,
      `--compile-timeout-ms=${limits.compileMs}`,
      `--worker-memory-limit-mb=${limits.workerMb}`,
      `--compiler-memory-limit-mb=${limits.compilerMb}`,
    ];
    const child = startServer(['--log=verbose', ...limitOptions, ...args], { env: this.environment(), cwd: world.cwd });
    this.sent = [];
    child.stdout.on('data', (chunk) => this.sent.push(chunk));
    this.editor = new Editor(child, { cpu: 'skylake', ...section });
    this.watch = new Watch(child.pid);
    this.slowest = 0;
    this.delays = monitorEventLoopDelay({ resolution: 10 });
    this.delays.enable();
  }

  /** Waits until no git runs. */
  async withoutGit() {
    await sleep(500); // it begins when nothing else is to be done
    const end = performance.now() + JOB_MS;
    for (; this.watch.running().includes(GIT); await sleep(20)) assert.ok(performance.now() < end, 'git does not end');
  }

  /** Nothing of the user's own but where programs are. */
  environment() {
    const { world } = this;
    const folders = [CLANG, GIT, '/usr/bin/x', '/bin/x'].map((program) => path.dirname(program));
    return { PATH: [...new Set(['/usr/local/bin', ...folders])].join(':'), HOME: world.home, TMPDIR: this.temporary, MCA_TOKEN: SECRET };
  }

  async initialize(folders) {
    await this.editor.connection.sendRequest(lsp.InitializeRequest.type, {
      processId: process.pid,
      rootUri: pathToFileURL(folders[0]).href,
      workspaceFolders: folders.map((folder) => ({ uri: pathToFileURL(folder).href, name: path.basename(folder) })),
      capabilities: CAPABILITIES,
    });
    await this.editor.connection.sendNotification(lsp.InitializedNotification.type, {});
    await this.editor.open(this.goodFile, 'c', SUM);
    this.usual = await this.labels(this.goodFile);
    assert.match(this.usual.join(), /cyc\/iter/, 'the good document has hints from the start');
  }

  // ---- what the server says ----------------------------------------------------------------------------------------

  get pid() {
    return this.editor.child.pid;
  }

  /** Everything that the server has sent and logged since the mark. */
  said(mark = { sent: 0, log: 0 }) {
    return Buffer.concat(this.sent.slice(mark.sent)).toString('utf8') + this.editor.child.log.slice(mark.log);
  }

  mark() {
    return { sent: this.sent.length, log: this.editor.child.log.length };
  }

  isIdle(file) {
    return this.editor.statuses.findLast((one) => one.uri === this.editor.uri(file))?.state === 'idle';
  }

  /** Waits until the document's code was compiled once more for the reasons in its hovers. */
  async reasons(file) {
    const line = `the reasons of ${this.editor.uri(file)}: `;
    const end = performance.now() + JOB_MS;
    for (; !this.editor.child.log.includes(line); await sleep(20)) assert.ok(performance.now() < end, `${file} gets no reasons`);
  }

  async labels(file) {
    const end = performance.now() + JOB_MS;
    const hints = await this.editor.hints(file);
    for (; !this.isIdle(file); await sleep(20)) assert.ok(performance.now() < end, `the analysis of ${file} does not end`);
    return hints.map(labelOf);
  }

  /** What a user can read about the file: findings, messages, hovers and hints with their tooltips. */
  words(answers) {
    const findings = [...this.editor.diagnostics.values()].flatMap((one) => one.diagnostics.map((finding) => finding.message));
    const messages = this.editor.messages.map((one) => one.message); // each is shown once in a session
    return [...findings, ...messages, ...answers.map((one) => JSON.stringify(one))].join('\n');
  }

  // ---- what a user does --------------------------------------------------------------------------------------------

  /** Asks for all that an editor shows of the document; a refusal is an answer, too. */
  async ask(file, hints) {
    const { connection } = this.editor;
    const textDocument = { uri: this.editor.uri(file) };
    const ask = (method, params) => connection.sendRequest(method, params).catch((error) => ({ refused: error.message }));
    const line = hints[0]?.position.line ?? 0;
    const position = { line, character: 3 };
    const range = { start: { line: 0, character: 0 }, end: { line: line + 3, character: 0 } };
    const diagnostics = this.editor.diagnostics.get(textDocument.uri)?.diagnostics ?? [];
    const command = (name, argument) => ask('workspace/executeCommand', { command: name, arguments: [argument] });
    const answers = await Promise.all([
      ask('textDocument/hover', { textDocument, position }),
      ask('textDocument/hover', { textDocument, position: { line: 0, character: 0 } }),
      ask('textDocument/codeAction', { textDocument, range, context: { diagnostics } }),
      ask('textDocument/codeLens', { textDocument }),
      ask('textDocument/documentSymbol', { textDocument }),
      ask('textDocument/definition', { textDocument, position }),
      ask('mca/timeline', { textDocument, position }),
      command('mca.exportJson', textDocument),
      command('mca.listCpus', textDocument),
      command('mca.measureRegion', { ...textDocument, position }),
      command('mca.showReport', { ...textDocument, position }),
      command('mca.showAssembly', { ...textDocument, position }),
    ]);
    for (const { uri } of answers.slice(-2)) if (uri) answers.push(await ask('mca/documentContent', { uri }));
    return [...answers, hints];
  }

  /** Works while the server is asked again and again for what it knows already. */
  async whileAnswering(work) {
    let done = false;
    const working = work().finally(() => (done = true));
    while (!done) {
      const begin = performance.now();
      await this.editor.hover(this.goodFile, 2, 4);
      this.slowest = Math.max(this.slowest, performance.now() - begin);
      await Promise.race([working.catch(() => {}), sleep(40)]);
    }
    return working;
  }

  /** Opens the document, looks at it, saves it, and looks again. With `once`, only the first: a bomb takes its time. */
  async use(file, text, once) {
    const language = LANGUAGES[path.extname(file)] ?? 'c';
    await this.editor.open(file, language, text);
    const opened = await this.labels(file);
    const first = await this.ask(file, await this.editor.hints(file));
    if (once) return { labels: opened, answers: first };
    await this.editor.save(file);
    const labels = await this.labels(file);
    const hints = await this.editor.hints(file);
    return { labels, answers: [...first, hints, await this.editor.hover(file, 0, 0)] };
  }

  /** A good document gets its right hints after an edit and a save. */
  async checkGood() {
    const text = `${SUM}/* ${Math.random()} */\n`;
    fs.writeFileSync(this.goodFile, text);
    await this.editor.change(this.goodFile, text);
    await this.editor.save(this.goodFile);
    assert.deepEqual(await this.labels(this.goodFile), this.usual, 'the hints of a good document');
  }

  // ---- what has to hold --------------------------------------------------------------------------------------------

  checkProcesses() {
    for (const [program, megabytes] of this.watch.take()) {
      assert.ok(MOST_MB.has(program), `the server started ${program}`);
      assert.ok(megabytes <= MOST_MB.get(program), `${program} took ${Math.round(megabytes)} MB of ${MOST_MB.get(program)}`);
    }
  }

  checkSecrets(mark) {
    const said = this.said(mark);
    const at = said.toUpperCase().indexOf(SECRET.toUpperCase());
    assert.ok(at < 0, `a secret was sent: …${said.slice(Math.max(0, at - 300), at + 100)}…`);
  }

  /** How long this process itself was busy, with an answer of 17 MB or as the machine was, is not the server's time. */
  checkAnswers() {
    const [slowest, busy] = [this.slowest, this.delays.max / 1e6];
    this.slowest = 0;
    this.delays.reset();
    assert.ok(slowest <= ANSWER_MS + busy, `an answer took ${Math.round(slowest)} ms, of which ${Math.round(busy)} may be this process's own`);
  }

  /** One case from the opening of its document to its closing, with all that has to hold of every case. */
  async run(one, folder) {
    const { world } = this;
    const watched = [folder.at, world.home, world.outside, world.cwd, this.good.at];
    const onDisk = folder.path(one.open ?? 'a.c');
    const file = one.uri?.(onDisk) ?? pathToFileURL(onDisk).href; // a name may hold whatever a URI cannot
    const text = one.text ?? fs.readFileSync(onDisk, 'utf8');
    const before = snapshot(watched);
    const mark = this.mark();
    this.watch.take();
    const { labels, answers } = await this.whileAnswering(() => this.use(file, text, one.once));
    await one.also?.(this, folder, file, answers);
    const words = this.words(answers);
    await this.editor.close(file);
    const changed = (one.changes ?? []).map((name) => folder.path(name)); // by the case itself
    const written = differences(before, snapshot(watched)).filter((said) => !changed.some((name) => said.startsWith(`${name}:`)));
    assert.deepEqual(written, [], `nothing is written; ${JSON.stringify(written)}`);
    await this.checkGood();
    this.checkProcesses();
    this.checkSecrets(mark);
    this.checkAnswers();
    if (one.hints === 'usual') assert.deepEqual(labels, this.usual, `its hints; ${shortened(words)}`);
    if (one.hints instanceof RegExp) assert.match(labels.join('\n'), one.hints, `its hints; ${shortened(words)}`);
    if (one.told) assert.ok(one.told.test(words), `the user is not told ${one.told}, but ${shortened(words)}`);
    one.check?.([answers, labels, this.editor.messages, [...this.editor.diagnostics.values()]]);
  }

  /** Ends the server: nothing of it is left. */
  async end() {
    this.watch.end();
    const status = await this.editor.quit();
    assert.equal(status, 0, 'the exit status of the server');
    assert.deepEqual(fs.readdirSync(this.temporary), [], 'files left in TMPDIR');
  }

  abandon() {
    this.watch.end();
    this.editor.child.kill('SIGKILL');
  }
}
