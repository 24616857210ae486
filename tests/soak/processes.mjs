// The server's processes as the kernel lists them: their memory and their descriptors, sampled over time.
import fs from 'node:fs';
import { childrenOf } from '../transcripts/processes.js';

/** Undefined for a process that has ended. */
function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function describe(pid) {
  const status = read(`/proc/${pid}/status`);
  if (status === undefined) return undefined;
  const field = (name) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1];
  let descriptors = 0;
  try {
    descriptors = fs.readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    // It is ending.
  }
  return { pid, name: field('Name'), state: field('State'), mib: Number(field('VmRSS') ?? 0) / 1024, descriptors };
}

/** The process and all that it started, itself first. */
export function treeOf(pid) {
  const self = describe(pid);
  return self ? [self, ...childrenOf(pid).flatMap(treeOf)] : [];
}

/**
 * For how long the first thread of a process was ready to run and had no processor, in ms (Linux's
 * Documentation/scheduler/sched-stats). 0 for a process that has ended, and on a kernel that does not count.
 */
export function waitedForProcessor(pid) {
  return Number(read(`/proc/${pid}/schedstat`)?.split(' ')[1] ?? 0) / 1e6;
}

/** In Debian's kernels for all architectures, USER_HZ (proc(5)). */
const TICKS = 100;

/**
 * The time of processors that these processes and their ended children have used, and the whole machine since its
 * start.
 */
export function processorSeconds(tree) {
  // After the name, which may have spaces: utime, stime, cutime and cstime are fields 14 to 17 of proc(5).
  const ticksOf = ({ pid }) => {
    const fields =
      read(`/proc/${pid}/stat`)
        ?.replace(/^.*\) /, '')
        .split(' ')
        .slice(11, 15) ?? [];
    return fields.reduce((sum, field) => sum + Number(field), 0);
  };
  const [user, nice, system, , , irq, softirq, steal] = read('/proc/stat')
    .split('\n')[0]
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return {
    own: tree.reduce((sum, process) => sum + ticksOf(process), 0) / TICKS,
    machine: (user + nice + system + irq + softirq + steal) / TICKS,
  };
}

/** What is written to the CSV, in this order. Memory in MiB; `worker` is the largest one. */
export const COLUMNS = [
  'seconds',
  'server',
  'worker',
  'others',
  'server_descriptors',
  'worker_descriptors',
  'processes',
];

/** `tree`: that of the server. */
export function sampleOf(tree, seconds) {
  const workers = tree.filter(({ name }) => name === 'mca-worker');
  const others = tree.slice(1).filter(({ name }) => name !== 'mca-worker');
  const most = (list, key) => Math.max(0, ...list.map((one) => one[key]));
  return {
    seconds,
    server: tree[0].mib,
    worker: most(workers, 'mib'),
    others: others.reduce((sum, { mib }) => sum + mib, 0),
    server_descriptors: tree[0].descriptors,
    worker_descriptors: most(workers, 'descriptors'),
    processes: tree.length,
  };
}

export function csvOf(samples) {
  const row = (sample) => COLUMNS.map((column) => Number(sample[column].toFixed(1))).join(',');
  return [COLUMNS.join(','), ...samples.map(row), ''].join('\n');
}
