// Injects faults into the real server, one after the other, and looks after each whether everything is as if there had
// been none: the server answers within 2 s, every document shows what a fresh server shows for the same texts and
// files, and no process and no file is left.
//
//   node faults.mjs FOLDER-OF-THE-PROGRAMS [--count=N | --each=N] [--seed=N] [--from=N] [--only=KIND] [--verbose]
//
// --each=N: so many faults of each kind, instead of --count of kinds that are chosen. All choices follow from the seed
// and a fault's number: a fault is repeated alone with --from=NUMBER --count=1 and the other options as they were.
import path from 'node:path';
import { Expected } from './answers.mjs';
import { KINDS, Plan } from './plan.mjs';
import { Session, sleep } from './session.mjs';
import { Setup } from './setup.mjs';

/** More failures than these say nothing new. */
const MOST_FAILURES = 25;

function optionsOf(argv) {
  const options = { seed: 1, from: 0 };
  for (const argument of argv.filter((one) => one.startsWith('--'))) {
    const [name, value] = argument.slice(2).split('=');
    if (name === 'only') options.only = value;
    else if (name === 'verbose') options.verbose = true;
    else if (['count', 'each', 'seed', 'from'].includes(name) && /^\d+$/.test(value)) options[name] = Number(value);
    else throw new Error(`unknown option: ${argument}`);
  }
  return options;
}

/** Makes one fault happen. Adds to `outcomes` what it met, and returns what is wrong afterwards. */
async function strike(session, fault, expected, outcomes) {
  const { kind, params, names, moment } = fault;
  const problems = [];
  const tail = (step) => `fault ${fault.number}.${step}`;
  const given = { ...params, names, editAgain: () => session.edit(fault.again, tail(2)) };
  const inject = async () => outcomes.push(await kind.inject(session, given));
  const since = session.now();
  if (moment.isBefore) await inject();
  await session.edit(fault.first, tail(1));
  if (moment.stage) outcomes.push(`at ${await session.stage(names[0], moment.stage, since)}`);
  await sleep(moment.delay ?? moment.after ?? 0);
  if (!moment.isBefore) await inject();
  problems.push(...(await session.answers()));
  await sleep(fault.hold);
  if (fault.isPatient && !(await session.idle(names))) outcomes.push('a job went on');
  problems.push(...(await session.answers()));
  outcomes.push(await kind.lift(session, given));
  if (params.database !== undefined) session.state.database = params.database;
  await session.edit(fault.last, tail(3));
  problems.push(...(await session.answers()));
  problems.push(...(await session.settled(expected)));
  problems.push(...session.problemsOfServer());
  problems.push(...(await session.clean()));
  return problems;
}

class Summary {
  constructor() {
    this.kinds = new Map();
    this.failures = 0;
    this.slowestAnswer = 0;
  }

  add(kind, { problems, outcomes, time, answer }) {
    const sum = this.kinds.get(kind.name) ?? { count: 0, failures: 0, time: 0, answer: 0, outcomes: new Map() };
    this.kinds.set(kind.name, sum);
    sum.count += 1;
    sum.failures += problems.length > 0;
    sum.time += time;
    sum.answer = Math.max(sum.answer, answer);
    for (const outcome of outcomes.filter(Boolean)) sum.outcomes.set(outcome, (sum.outcomes.get(outcome) ?? 0) + 1);
  }

  print() {
    for (const [name, { count, failures, time, answer, outcomes }] of [...this.kinds].sort()) {
      const seen = [...outcomes].map(([outcome, times]) => `${outcome} ${times}`).join(', ');
      console.log(
        `${name.padEnd(24)} ${String(count).padStart(4)} faults, ${(time / count / 1000).toFixed(2)} s each, ` +
          `slowest answer ${answer.toFixed(0)} ms, ${failures} failed${seen ? ` (${seen})` : ''}`,
      );
    }
  }
}

/** `from`, `count`: the faults that have to happen again. */
function report(fault, problems, session, options, from = fault.number, count = 1) {
  const { number, kind, names, moment, hold, isPatient, params } = fault;
  const again = ['only', 'each'].filter((name) => options[name]).map((name) => ` --${name}=${options[name]}`);
  const shorter = (_, value) => (value?.type === 'Buffer' ? `${value.data.length} bytes` : value);
  const choices = JSON.stringify({ moment, hold, isPatient, ...params }, shorter);
  console.log(`FAILED: fault ${number}, ${kind.name} on ${names.join(', ')}, ${choices}`);
  for (const problem of problems) console.log(`  ${problem}`);
  const log = session?.takeLog().trimEnd().split('\n').slice(-40).join('\n    ');
  if (log) console.log(`  the server's log:\n    ${log}`);
  console.log(`  again: --seed=${options.seed} --from=${from} --count=${count}${again.join('')}`);
}

class Run {
  constructor(setup, options) {
    this.setup = setup;
    this.options = options;
    this.plan = new Plan(
      options,
      KINDS.filter((kind) => !kind.needsVolume || setup.hasVolume),
    );
    this.expected = new Expected(setup.folder, (folder) => setup.startFreshEditor(folder));
    this.summary = new Summary();
    this.sessions = 0;
  }

  get end() {
    const { from, count, each } = this.options;
    return from + (count ?? (each ? this.plan.countOfEach : 2000));
  }

  async all() {
    for (let number = this.options.from; number < this.end && this.summary.failures < MOST_FAILURES; ++number) {
      const { first } = this.plan.session(number);
      if (this.session && this.first !== first) await this.endSession();
      this.fault = this.plan.fault(number);
      if (this.session || (await this.startSession())) await this.one();
    }
    if (this.session) await this.endSession();
  }

  /** False if a new server shows something else than a fresh one, which is a failure as well. */
  async startSession() {
    const { shape, compileOn, first } = this.plan.session(this.fault.number);
    this.first = first;
    this.session = await Session.start(this.setup, {
      number: ++this.sessions,
      shape,
      compileOn,
      state: this.fault.before,
    });
    const problems = await this.session.settled(this.expected);
    if (problems.length > 0) this.fail(['before it:', ...problems]);
    return problems.length === 0;
  }

  /** What is left belongs to one of the session's faults: all of them are named. */
  async endSession() {
    const { session, fault, first, options } = this;
    const problems = await session.end();
    this.session = undefined;
    if (problems.length === 0) return;
    this.summary.failures += 1;
    const from = Math.max(first, options.from);
    report(fault, ['at the end of its session:', ...problems], session, options, from, fault.number - from + 1);
  }

  /** After a failure the next fault gets a new server. A server that is gone makes each message to it throw. */
  async one() {
    const { session, fault } = this;
    session.takeLog();
    session.slowestAnswer = 0;
    const outcomes = [];
    const start = performance.now();
    const problems = await strike(session, fault, this.expected, outcomes).catch((error) => [
      ...session.problemsOfServer(),
      String(error.stack),
    ]);
    const time = performance.now() - start;
    this.summary.add(fault.kind, { problems, outcomes, time, answer: session.slowestAnswer });
    if (this.options.verbose) {
      const what = `${fault.number} ${fault.kind.name} on ${fault.names.join(', ')}`;
      console.log(`${what}: ${outcomes.filter(Boolean).join(', ')}, ${time.toFixed(0)} ms`);
    }
    if (problems.length > 0) this.fail(problems);
  }

  fail(problems) {
    report(this.fault, problems, this.session, this.options);
    this.summary.failures += 1;
    this.session.abandon();
    this.session = undefined;
  }
}

async function main() {
  const options = optionsOf(process.argv.slice(2));
  const programs = path.resolve(process.argv.slice(2).find((one) => !one.startsWith('--')) ?? 'build/release/bin');
  const setup = new Setup(programs);
  process.on('exit', () => setup.end());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
  for (const remark of setup.remarks) console.log(remark);
  // The protocol library answers a server that is gone, too; that it is gone is found by strike().
  process.on('unhandledRejection', (error) => {
    if (!['ERR_STREAM_DESTROYED', 'EPIPE'].includes(error.code)) throw error;
  });
  const run = new Run(setup, options);
  const start = performance.now();
  await run.all();
  run.summary.print();
  const count = [...run.summary.kinds.values()].reduce((sum, kind) => sum + kind.count, 0);
  const minutes = (performance.now() - start) / 60_000;
  const { summary, expected } = run;
  console.log(
    `seed ${options.seed}: ${count} faults in ${minutes.toFixed(1)} min, ${summary.failures} failed; ` +
      `${expected.servers} fresh servers`,
  );
  process.exit(summary.failures > 0 ? 1 : 0);
}

await main();
