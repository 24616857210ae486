// A Slurm of one controller and two nodes on this machine, all of it in one folder: keys, state, logs and sockets. Each
// daemon has a process namespace of its own, so that killing its first process is the sudden death of a machine with all
// that runs on it. They die with the process that started them, too: an aborted test leaves nothing.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until `condition` gives something true, and returns that. */
export async function until(condition, what, seconds = 60) {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`no ${what} after ${seconds} s`);
    await sleep(100);
  }
}

/** A command in a process namespace of its own: all of it ends when the first process does, or the one that started it. */
export const confined = (...command) => ['setpriv', '--pdeathsig', 'KILL', 'unshare', '--pid', '--fork', '--kill-child=KILL', '--mount-proc', ...command];

async function freePorts(count) {
  const servers = await Promise.all(
    Array.from({ length: count }, () => new Promise((resolve) => { const server = net.createServer().listen(0, '127.0.0.1', () => resolve(server)); })),
  );
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

// cred_expire: a requeued job waits until nothing that knows it as it was can be valid, 120 s if this is not set.

/** More than most machines have: config_overrides lets the nodes claim what a job of docs/fleet.md asks for. */
const kProcessors = 4;
const kMemory = 16_000; // MB

const kNodes = ['node1', 'node2'];

function configuration(folder, socket, [controller, ...ports]) {
  return `ClusterName=fleet
SlurmctldHost=${os.hostname().split('.')[0]}(127.0.0.1)
SlurmctldPort=${controller}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=${socket},cred_expire=15
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/%n
SlurmctldPidFile=${folder}/slurmctld.pid
SlurmdPidFile=${folder}/%n.pid
SlurmctldLogFile=${folder}/slurmctld.log
SlurmdLogFile=${folder}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=2
SlurmdTimeout=15
ReturnToService=2
KillWait=2
MailProg=/bin/true
${kNodes.map((node, i) => `NodeName=${node} NodeAddr=127.0.0.1 NodeHostname=${os.hostname()} Port=${ports[i]} CPUs=${kProcessors} RealMemory=${kMemory}`).join('\n')}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`;
}

export class Cluster {
  #daemons = new Map(); // by name

  static async start(folder) {
    assert.equal(os.userInfo().uid, 0, 'a Slurm of one\'s own needs root');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(path.join(folder, 'state'), { recursive: true });
    const cluster = new Cluster();
    cluster.folder = folder;
    cluster.env = { ...process.env, SLURM_CONF: path.join(folder, 'slurm.conf') };
    try {
      await cluster.#startAll();
    } catch (error) {
      await cluster.stop();
      throw new Error(`${error.message}\n${cluster.logs()}`);
    }
    return cluster;
  }

  async #startAll() {
    const file = (name) => path.join(this.folder, name);
    const socket = file('munge.sock');
    assert.ok(socket.length < 108, `${socket} is too long for a socket's name (sockaddr_un)`);
    writeFileSync(file('munge.key'), randomBytes(128), { mode: 0o400 });
    writeFileSync(this.env.SLURM_CONF, configuration(this.folder, socket, await freePorts(1 + kNodes.length)));
    // --force: the folders above belong to the user who made the checkout.
    this.#spawn('munged', ['munged', '--foreground', '--force', `--key-file=${file('munge.key')}`, `--socket=${socket}`,
      `--pid-file=${file('munge.pid')}`, `--log-file=${file('munged.log')}`, `--seed-file=${file('munge.seed')}`]);
    await until(() => existsSync(socket), 'socket of munged');
    this.#spawn('slurmctld', ['slurmctld', '-D', '-i']);
    kNodes.forEach((node) => this.startNode(node));
    await until(() => kNodes.every((node) => this.nodeState(node) === 'idle'), 'idle nodes');
  }

  #spawn(name, command) {
    // The shell is the namespace's first process, and buries its orphans.
    const [first, ...rest] = confined('bash', '-c', '"$@" & wait', name, ...command);
    const child = spawn(first, rest, { env: this.env, stdio: 'ignore' });
    child.ended = new Promise((resolve) => child.once('exit', resolve));
    this.#daemons.set(name, child);
  }

  startNode(node) {
    mkdirSync(path.join(this.folder, node), { recursive: true });
    this.#spawn(node, ['slurmd', '-D', '-N', node]);
  }

  /** Ends everything on the node at once. */
  async killNode(node) {
    const child = this.#daemons.get(node);
    child.kill('SIGKILL');
    await child.ended;
    this.#daemons.delete(node);
  }

  /** The standard output of one of Slurm's programs. */
  ask(program, ...args) {
    const { status, stdout, stderr } = spawnSync(program, args, { env: this.env, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : `failed: ${stderr}`;
  }

  nodeState(node) {
    return this.ask('sinfo', '--noheader', '--nodes', node, '--format=%t');
  }

  /** Tasks of arrays and jobs: `id` ("3_4"), `name`, `state`, `node`, `restarts`. */
  jobs() {
    const lines = this.ask('squeue', '--noheader', '--array', '--states=all', '--Format=JobID:|,ArrayTaskID:|,State:|,NodeList:|,RestartCnt:|').split('\n');
    return lines.filter((line) => line.includes('|')).map((line) => {
      const [id, task, state, node, restarts] = line.split('|').map((word) => word.trim());
      return { id, task, state, node, restarts: Number(restarts) };
    });
  }

  /** Process ids, in our numbers, of the named program on a node. */
  processesOn(node, program) {
    const namespace = this.#namespaceOf(node);
    const pids = execFileSync('ps', ['-eo', 'pid=,comm='], { encoding: 'utf8' }).split('\n').map((line) => line.trim().split(/\s+/));
    return pids.filter(([pid, name]) => name === program && readNamespace(pid) === namespace).map(([pid]) => Number(pid));
  }

  #namespaceOf(node) {
    const parent = this.#daemons.get(node).pid;
    const [child] = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ');
    return readNamespace(child);
  }

  logs() {
    return ['munged', 'slurmctld', ...kNodes].map((name) => path.join(this.folder, `${name}.log`)).filter(existsSync)
      .map((file) => `---- ${file}\n${readFileSync(file, 'utf8').split('\n').slice(-15).join('\n')}`).join('\n');
  }

  /** The nodes with their jobs, then the controller, then what they identify themselves with. */
  async stop() {
    const names = [...this.#daemons.keys()].reverse();
    for (const name of names) this.#daemons.get(name).kill('SIGKILL');
    await Promise.all(names.map((name) => this.#daemons.get(name).ended));
    this.#daemons.clear();
  }
}

function readNamespace(pid) {
  try {
    return execFileSync('readlink', [`/proc/${pid}/ns/pid`], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined; // the process has ended
  }
}
