// The script of docs/fleet.md on a real Slurm. A project of 200 files as an array of eight shards, of which one loses its
// node and another its process in the middle: both are started again, and what is merged then is byte for byte what one
// machine makes of the whole project.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { slurmScript } from './page.mjs';
import { difference, env, kFailed, oneRun } from './programs.mjs';
import { makeProject } from './project.mjs';
import { Cluster, confined, until } from './slurm.mjs';

const folder = path.resolve('build/fleet');
const project = path.join(folder, 'project');
const kFiles = 200;
const kShards = 8;
let cluster;
let whole;

/** Makes a project with the script in it. */
function prepare(where, files) {
  rmSync(where, { recursive: true, force: true });
  mkdirSync(where, { recursive: true });
  makeProject(where, { files });
  writeFileSync(path.join(where, 'mca-fleet.sh'), slurmScript());
  chmodSync(path.join(where, 'mca-fleet.sh'), 0o755);
}

before(async () => {
  prepare(project, kFiles);
  const start = Date.now();
  whole = oneRun(project);
  console.log(`one machine, text, JSON and SARIF: ${((Date.now() - start) / 1000).toFixed(0)} s`);
  cluster = await Cluster.start(path.join(folder, 'slurm'));
  Object.assign(cluster.env, env, { SLURM_CONF: cluster.env.SLURM_CONF });
});
after(() => cluster?.stop());

/** Starts the script; `ended` has its status, and what it printed. */
function launch(cwd, args, script = './mca-fleet.sh') {
  const [first, ...rest] = confined(script, ...args);
  const child = spawn(first, rest, { cwd, env: cluster.env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes));
  return { child, ended: new Promise((resolve) => child.once('close', (status) => resolve({ status, output }))) };
}

/** The text of a shard's log; jobs append to it. */
function logOf(run, shard) {
  const file = path.join(run, `shard${shard}.log`);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

const doneIn = (log) => (log.slice(log.lastIndexOf(', start ')).match(/ ms analysing/g) ?? []).length;

/** A task that runs on the node, and has analysed at least a fifth of its files, while as many are left. */
async function taskInTheMiddle(run, node, except) {
  const ofShard = kFiles / kShards;
  return until(() => {
    const task = cluster.jobs().find((job) => job.node === node && job.state === 'RUNNING' && /^\d+$/.test(job.task) && job.task !== except);
    const done = task ? doneIn(logOf(run, task.task)) : 0;
    return done >= ofShard / 5 && done <= (ofShard * 4) / 5 && !existsSync(path.join(run, `shard${task.task}.json`)) && { ...task, done };
  }, `shard in the middle on ${node}`, 120);
}

/** No file that a merge would take, nor a part of one. */
function requireNoResult(run, shard) {
  assert.deepEqual(readdirSync(run).filter((name) => name.startsWith(`shard${shard}.json`)), []);
}

function requireSame(run) {
  for (const [name, bytes] of Object.entries(whole)) {
    const problem = difference(name, bytes, readFileSync(path.join(run, name)));
    assert.ok(!problem, problem);
  }
}

const kRun = 'run';

test('eight shards, two of them killed, give the bytes of one run', async (t) => {
  const run = path.join(project, kRun);
  const start = Date.now();
  const { ended } = launch(project, [String(kShards), kRun]);

  const onNode = await taskInTheMiddle(run, 'node2');
  await cluster.killNode('node2');
  requireNoResult(run, onNode.task);
  t.diagnostic(`node2 died with shard ${onNode.task} after ${onNode.done} of ${kFiles / kShards} files`);

  const killed = await taskInTheMiddle(run, 'node1', onNode.task);
  const [pid] = cluster.processesOn('node1', 'mca-lsp');
  process.kill(pid, 'SIGKILL');
  t.diagnostic(`the process of shard ${killed.task} was killed after ${killed.done} files`);
  await until(() => logOf(run, killed.task).includes('status 137'), 'status of the killed process');
  requireNoResult(run, killed.task);

  await until(() => cluster.nodeState('node2').startsWith('down'), 'end of node2', 120);
  cluster.startNode('node2');
  const { status, output } = await ended;
  assert.equal(status, kFailed, output);
  t.diagnostic(`${((Date.now() - start) / 1000).toFixed(0)} s for the array with both failures`);
  for (const { task } of [onNode, killed])
    assert.match(logOf(run, task), new RegExp(`^shard ${task} of 8 on node\\d, start 2$`, 'm'));
  requireSame(run);
});

test('what is merged fails for findings alone, and without them succeeds', async () => {
  const script = path.join(project, 'tolerant.sh');
  const text = slurmScript();
  assert.match(text, /^merging=\(\)/m);
  writeFileSync(script, text.replace(/^merging=\(\)/m, 'merging=(--fail-on=error)'), { mode: 0o755 });
  const { status, output } = await launch(project, [String(kShards), kRun], script).ended;
  assert.equal(status, 0, output);
  assert.doesNotMatch(output, /shards are job/, 'all shards have results: only the merge ran');
  requireSame(path.join(project, kRun));
});

test('the comparison sees one changed byte, the merge a shard that is missing or of another run', async () => {
  const run = path.join(project, 'changed');
  cpSync(path.join(project, kRun), run, { recursive: true });
  const shard = path.join(run, 'shard3.json');
  const text = readFileSync(shard, 'utf8');
  const changed = text.replace(/"cycles": (\d)/, (_, digit) => `"cycles": ${(Number(digit) % 9) + 1}`);
  assert.notEqual(changed, text);
  writeFileSync(shard, changed);
  assert.equal((await launch(project, [String(kShards), 'changed']).ended).status, kFailed);
  assert.throws(() => requireSame(run), /differs at byte/);

  writeFileSync(shard, text.slice(0, text.length / 2));
  const half = await launch(project, [String(kShards), 'changed']).ended;
  assert.equal(half.status, 2);
  assert.match(half.output, /shard3\.json: is no JSON of mca-lsp --check/);
  assert.ok(!existsSync(path.join(run, 'mca.json')));

  cpSync(path.join(run, 'shard4.json'), shard);
  const twice = await launch(project, [String(kShards), 'changed']).ended;
  assert.equal(twice.status, 2);
  assert.match(twice.output, /shard 3 of 8 is missing/);

  writeFileSync(shard, text);
  writeFileSync(path.join(run, 'shard5.setup'), 'mca-lsp 0.0.9\n');
  const mixed = await launch(project, [String(kShards), 'changed']).ended;
  assert.equal(mixed.status, 1);
  assert.match(mixed.output, /shards 1 and 5 were made by different programs/);
});

test('nothing is merged when a shard fails; the shards that lack a result can be run again', async () => {
  const small = path.join(folder, 'small');
  prepare(small, 6);
  // The settings of one file are wrong: its shard fails, and not for a moment only.
  mkdirSync(path.join(small, 'odd'));
  writeFileSync(path.join(small, 'odd/odd.c'), 'int odd(int n) { while (n % 7) n *= 3; return n; }\n');
  writeFileSync(path.join(small, 'odd/.mca-lsp.json'), '{ "cpu": 7 }\n');
  const database = path.join(small, 'build/compile_commands.json');
  const entries = JSON.parse(readFileSync(database, 'utf8'));
  entries.push({ directory: path.join(small, 'build'), file: '../odd/odd.c', arguments: ['cc', '-O2', '-c', '../odd/odd.c'] });
  writeFileSync(database, JSON.stringify(entries));

  const failed = await launch(small, ['3', 'run']).ended;
  assert.equal(failed.status, 1, failed.output);
  assert.match(failed.output, /shard 1 has no result: shard 1 of 3: status 3\n.*nothing is merged; for these shards again: \S+ 3 run/s);
  assert.doesNotMatch(failed.output, /shard [23] has no result/);
  assert.ok(!existsSync(path.join(small, 'run/mca.json')));

  rmSync(path.join(small, 'odd/.mca-lsp.json'));
  const before = readFileSync(path.join(small, 'run/shard2.log'), 'utf8');
  const again = await launch(small, ['3', 'run']).ended;
  assert.equal(again.status, kFailed, again.output);
  assert.equal(readFileSync(path.join(small, 'run/shard2.log'), 'utf8'), before, 'shard 2 was not run again');
  for (const [name, bytes] of Object.entries(oneRun(small))) {
    const problem = difference(name, bytes, readFileSync(path.join(small, 'run', name)));
    assert.ok(!problem, problem);
  }
});
