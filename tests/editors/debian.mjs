// A Debian of its own for editors that this machine's release has not, or has in versions that show no inlay hints. The
// server in it is the archive that users unpack, in PATH.
//
// MCA_EDITORS is the folder with the systems, MCA_PICTURES that for pictures of what the editors show: ./dev test editors.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const DEADLINE_MS = 60_000;

/** Resolves with the first truthy value of `probe`; `details` says more about a failure. */
export async function until(probe, what, details = () => '', deadline = DEADLINE_MS) {
  const end = Date.now() + deadline;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > end) assert.fail(`waited in vain for ${what}\n${details()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** A folder for what a test leaves to be looked at. */
export const pictures = process.env.MCA_PICTURES;

export class Debian {
  constructor(codename) {
    this.root = path.join(process.env.MCA_EDITORS, codename);
    assert.ok(existsSync(path.join(this.root, 'opt/mca-lsp/bin/mca-lsp')), `${this.root} is not made: ./dev test editors`);
  }

  /** A home folder with files, by their path in it. It goes away with the test, after what was started in it. */
  home(t, files) {
    const outside = mkdtempSync(path.join(this.root, 'home/mca-'));
    const home = { outside, inside: outside.slice(this.root.length), sessions: [] };
    t.after(async () => {
      home.sessions.forEach((child) => child.kill('SIGKILL'));
      await Promise.all(home.sessions.map((child) => child.ended));
      rmSync(outside, { recursive: true, force: true, maxRetries: 5 });
    });
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.join(outside, path.dirname(name)), { recursive: true });
      writeFileSync(path.join(outside, name), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
    }
    return home;
  }

  environment(home) {
    return {
      HOME: home.inside,
      PATH: `${home.inside}/bin:/opt/mca-lsp/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
      LC_ALL: 'C.UTF-8',
      TERM: 'xterm-256color',
    };
  }

  /**
   * Starts a shell script with its home as the working directory, with namespaces of its own: no network, and whatever
   * it starts ends with it, which is when the home folder goes.
   */
  start(home, script, args = []) {
    const enter = 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"';
    const inside = ['sh', '-c', `cd && ${script}`, 'sh', ...args];
    const options = ['-m', '-n', '-p', '-f', '--kill-child', 'sh', '-c', enter, this.root, ...inside];
    const child = spawn('unshare', options, { env: this.environment(home), stdio: ['ignore', 'pipe', 'pipe'] });
    child.log = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (child.log += text));
    child.ended = new Promise((resolve) => child.on('exit', resolve));
    home.sessions.push(child);
    return child;
  }

  /** What a program prints that speaks with what start() started, over the sockets in the system's file system. */
  run(home, args, env = {}) {
    const options = { env: { ...this.environment(home), ...env }, encoding: 'utf8', timeout: DEADLINE_MS, stdio: ['ignore', 'pipe', 'pipe'] };
    return execFileSync('chroot', [this.root, ...args], options);
  }

  /** The first line of what `args` prints: an editor's version. */
  version(t, args) {
    return this.run(this.home(t, {}), args).split('\n')[0];
  }
}
