// Looks at the processes below the server while it works: which programs run, and how much memory they take.
import fs from 'node:fs';
import { childrenOf } from '../transcripts/processes.js';

const SAMPLE_MS = 15;
const MB = 1024;

function read(file) {
  try {
    return fs.readFileSync(file, 'latin1');
  } catch {
    return ''; // it has ended
  }
}

function programOf(pid) {
  try {
    return fs.readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '');
  } catch {
    return '';
  }
}

export class Watch {
  constructor(pid) {
    this.pid = pid;
    this.peaks = new Map(); // program → greatest resident memory that no file backs, in MB
    this.timer = setInterval(() => this.look(), SAMPLE_MS);
  }

  look(pid = this.pid) {
    const program = programOf(pid);
    const anonymous = Number(/^RssAnon:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / MB;
    if (program) this.peaks.set(program, Math.max(this.peaks.get(program) ?? 0, anonymous));
    for (const child of childrenOf(pid)) this.look(child);
  }

  /** The programs that run now. */
  running(pid = this.pid) {
    return [programOf(pid), ...childrenOf(pid).flatMap((child) => this.running(child))];
  }

  /** What has been seen since the last call. */
  take() {
    this.look();
    const seen = this.peaks;
    this.peaks = new Map();
    return seen;
  }

  end() {
    clearInterval(this.timer);
  }
}
