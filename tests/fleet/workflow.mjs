// Runs a workflow of GitHub Actions here: each job in a folder of its own, each value of a matrix in its order, `run:` with
// the shell and the files that a runner gives (GITHUB_PATH, GITHUB_STEP_SUMMARY). Of `uses:` it knows the actions that
// docs/fleet.md names, as their pages describe them; anything else is an error.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

/** File names in a folder that match a pattern with `*`. */
function matching(folder, pattern) {
  const expression = new RegExp(`^${pattern.split('*').map((part) => part.replace(/[.\\+?^${}()|[\]]/g, '\\$&')).join('.*')}$`);
  return readdirSync(folder).filter((name) => expression.test(name)).sort();
}

/** A reader of expressions (https://docs.github.com/actions/reference/evaluate-expressions): the part that is JavaScript. */
function evaluate(expression, contexts) {
  const script = expression.replace(/\.([a-z]+(?:-[a-z]+)+)/g, '["$1"]');
  return new Function(...Object.keys(contexts), `"use strict"; return (${script});`)(...Object.values(contexts));
}

function expand(text, contexts) {
  return String(text).replace(/\$\{\{(.*?)\}\}/g, (_, expression) => {
    const value = evaluate(expression.trim(), contexts);
    if (value === undefined) throw new Error(`${expression.trim()} has no value`);
    return String(value);
  });
}

/** The values of each job of a matrix; one without values if there is none. */
function combinations(matrix = {}) {
  return Object.entries(matrix).reduce((all, [key, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [key]: value }))), [{}]);
}

class Job {
  failed = false;
  log = '';

  /** `world`: `folder`, `checkout`, `env`, `vars`. */
  constructor(world, name, definition, contexts) {
    this.world = world;
    this.definition = definition;
    this.folder = path.join(world.folder, name);
    this.workspace = path.join(this.folder, 'workspace');
    this.runnerTemp = path.join(this.folder, 'temp');
    for (const made of [this.workspace, this.runnerTemp]) mkdirSync(made, { recursive: true });
    for (const file of ['path', 'summary']) writeFileSync(this.file(file), '');
    this.contexts = { ...contexts, always: () => true, success: () => !this.failed, failure: () => this.failed, cancelled: () => false };
  }

  file(name) {
    return path.join(this.folder, name);
  }

  run() {
    for (const step of this.definition.steps) {
      const condition = String(step.if ?? 'success()').replace(/^\$\{\{(.*)\}\}$/, '$1');
      // Without a function of the status in it, success() is meant, too.
      const needsSuccess = !/\b(always|success|failure|cancelled)\(/.test(condition);
      if ((needsSuccess && this.failed) || !evaluate(condition, this.contexts)) continue;
      const problem = step.run === undefined ? this.#use(step) : this.#shell(step);
      if (problem !== undefined) {
        this.failed = true;
        this.log += `${step.name ?? step.uses}: ${problem}\n`;
      }
    }
    return this;
  }

  #shell(step) {
    const script = this.file('step.sh');
    writeFileSync(script, expand(step.run, this.contexts));
    const added = readFileSync(this.file('path'), 'utf8').split('\n').filter(Boolean).reverse();
    const env = {
      ...this.world.env, ...this.contexts.env, PATH: [...added, this.world.env.PATH].join(':'), RUNNER_TEMP: this.runnerTemp,
      GITHUB_PATH: this.file('path'), GITHUB_STEP_SUMMARY: this.file('summary'), GITHUB_WORKSPACE: this.workspace,
    };
    const { status, signal, stdout, stderr } = spawnSync('bash', ['-e', script], { cwd: this.workspace, env, encoding: 'utf8', maxBuffer: 1 << 28 });
    this.log += stdout + stderr;
    return status === 0 ? undefined : `exit status ${status ?? signal}`;
  }

  #use(step) {
    const settings = Object.fromEntries(Object.entries(step.with ?? {}).map(([key, value]) => [key, expand(value, this.contexts)]));
    const action = kActions[step.uses];
    if (!action) throw new Error(`the test knows no action ${step.uses}`);
    return action(this, settings);
  }
}

/** Each returns why it fails, or nothing. */
const kActions = {
  'actions/checkout@v4': (job) => void cpSync(job.world.checkout, job.workspace, { recursive: true }),

  'actions/upload-artifact@v4': (job, { name, path: pattern, 'if-no-files-found': missing, overwrite }) => {
    const files = matching(job.workspace, pattern);
    const artifact = path.join(job.world.folder, 'artifacts', name);
    if (files.length === 0) return missing === 'error' ? `no file ${pattern}` : undefined;
    if (existsSync(artifact) && overwrite !== 'true') return `an artifact ${name} exists`;
    rmSync(artifact, { recursive: true, force: true });
    mkdirSync(artifact, { recursive: true });
    for (const file of files) cpSync(path.join(job.workspace, file), path.join(artifact, file));
    return undefined;
  },

  'actions/download-artifact@v4': (job, { pattern, path: to, 'merge-multiple': merged }) => {
    if (merged !== 'true') return 'the artifacts would lie in folders of their own';
    const artifacts = path.join(job.world.folder, 'artifacts');
    for (const name of matching(artifacts, pattern)) cpSync(path.join(artifacts, name), path.join(job.workspace, to), { recursive: true });
    return undefined;
  },

  'github/codeql-action/upload-sarif@v3': (job, { sarif_file: name }) => {
    const file = path.join(job.workspace, name);
    if (!existsSync(file)) return `no file ${name}`;
    return JSON.parse(readFileSync(file, 'utf8')).version === '2.1.0' ? undefined : 'no SARIF 2.1.0';
  },
};

/** Runs all jobs, in an order that their `needs` allow. By name: `result`, and the `runs` of its matrix. */
export function runWorkflow(text, world) {
  const workflow = parse(text);
  const finished = {};
  const waiting = new Map(Object.entries(workflow.jobs));
  while (waiting.size > 0) {
    const [name, job] = [...waiting].find(([, { needs }]) => [needs ?? []].flat().every((one) => finished[one])) ?? [];
    if (!job) throw new Error(`the jobs ${[...waiting.keys()]} wait for each other`);
    waiting.delete(name);
    finished[name] = runJob(workflow, name, job, finished, world);
  }
  return finished;
}

function runJob(workflow, name, job, finished, world) {
  const needs = Object.fromEntries([job.needs ?? []].flat().map((one) => [one, finished[one]]));
  const isAnyFailed = Object.values(needs).some(({ result }) => result !== 'success');
  if (isAnyFailed && !/always\(\)|!cancelled\(\)/.test(job.if ?? '')) return { result: 'skipped', runs: [] };
  const matrices = combinations(job.strategy?.matrix);
  const base = { vars: world.vars, needs, strategy: { 'job-total': matrices.length, 'job-index': 0 } };
  const env = Object.fromEntries(Object.entries({ ...workflow.env, ...job.env }).map(([key, value]) => [key, expand(value, base)]));
  const runs = matrices.map((matrix, index) => {
    const contexts = { ...base, strategy: { ...base.strategy, 'job-index': index }, matrix, env };
    return new Job(world, `${name}-${index}`, job, contexts).run();
  });
  return { result: runs.some(({ failed }) => failed) ? 'failure' : 'success', runs };
}
