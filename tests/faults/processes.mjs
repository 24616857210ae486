// The processes of a server as /proc shows them, and their limits.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

const numbers = (folder) =>
  fs
    .readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

function read(file) {
  try {
    return fs.readFileSync(file, 'latin1');
  } catch {
    return ''; // it has ended, or belongs to another user
  }
}

/** All processes: `pid`, `parent`, `state` (Z: a zombie) and `name`. The name may hold any character. */
export function processes() {
  const all = [];
  for (const pid of numbers('/proc')) {
    const stat = read(`/proc/${pid}/stat`);
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (stat)
      all.push({ pid, parent: Number(parent), state, name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')) });
  }
  return all;
}

/** Those that `pid` started, and what these started. */
export function descendantsOf(pid, all = processes()) {
  const children = all.filter((one) => one.parent === pid);
  return children.flatMap((one) => [one, ...descendantsOf(one.pid, all)]);
}

/** Those whose environment holds the text, wherever they are in the tree. */
export function marked(text, all = processes()) {
  return all.filter((one) => read(`/proc/${one.pid}/environ`).includes(text));
}

export const describe = (one) => `${one.pid} ${one.name} (${one.state}, parent ${one.parent}) ${commandOf(one.pid)}`;

function commandOf(pid) {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').slice(0, 200);
}

/** The greatest descriptor that is open. */
export function greatestDescriptor(pid) {
  try {
    return Math.max(...numbers(`/proc/${pid}/fd`));
  } catch {
    return 0;
  }
}

/** Sends a signal; false if the process is gone. */
export function signal(pid, name) {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}

const LIMITS = { nofile: 'Max open files', nproc: 'Max processes', data: 'Max data size', fsize: 'Max file size' };

/** A soft limit, as prlimit takes it; nothing if the process is gone. */
export function softLimit(pid, name) {
  const line = read(`/proc/${pid}/limits`)
    .split('\n')
    .find((one) => one.startsWith(LIMITS[name]));
  return line?.slice(LIMITS[name].length).trim().split(/\s+/)[0];
}

/** Sets a soft limit of a running process; false if it is gone. */
export function setSoftLimit(pid, name, value) {
  return spawnSync('prlimit', ['--pid', String(pid), `--${name}=${value}:`]).status === 0;
}
