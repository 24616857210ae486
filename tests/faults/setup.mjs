// What all sessions share: the folder, a small volume for temporary files, the user that the server runs as.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CAPABILITIES } from './answers.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
/** The user `nobody`: root is exempt from permissions and from the limit of processes. */
const NOBODY = 65534;
const VOLUME_KB = 2048;

export class Setup {
  /** `programs`: the folder of the product's programs. */
  constructor(programs) {
    this.server = path.join(programs, 'mca-lsp');
    this.worker = path.join(programs, 'mca-worker');
    process.env.MCA_LSP = this.server;
    this.Editor = createRequire(import.meta.url)('../transcripts/editor.js').Editor;
    this.cleanups = [];
    this.remarks = [];
    this.clang = spawnSync('sh', ['-c', 'command -v clang-22'], { encoding: 'utf8' }).stdout.trim();
    if (!this.clang) throw new Error('clang-22 is not in PATH');
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mca-faults-'));
    fs.chmodSync(this.folder, 0o755);
    this.cleanups.push(() => fs.rmSync(this.folder, { recursive: true, force: true }));
    this.home = path.join(this.folder, 'home');
    fs.mkdirSync(this.home);
    this.chooseUser();
    this.mountVolume();
    this.buildClock();
  }

  chooseUser() {
    if (process.getuid() !== 0) return;
    const tried = spawnSync(this.server, ['--version'], { uid: NOBODY, gid: NOBODY });
    if (tried.status === 0) this.user = { uid: NOBODY, gid: NOBODY };
    else
      this.remarks.push(
        'the server runs as root, as nobody cannot read it: permissions and process limits do not hold',
      );
  }

  /** A disk that can be full. Needs root. */
  mountVolume() {
    this.volume = path.join(this.folder, 'volume');
    fs.mkdirSync(this.volume);
    const options = `size=${VOLUME_KB}k,nr_inodes=256,mode=755`;
    const mounted =
      process.getuid() === 0 &&
      spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'mca-faults', this.volume]).status === 0;
    this.hasVolume = mounted;
    if (mounted) this.cleanups.unshift(() => spawnSync('umount', ['--lazy', this.volume]));
    else this.remarks.push('no volume can be mounted: full disks are limits of file sizes');
  }

  buildClock() {
    this.clockLibrary = path.join(this.folder, 'clock.so');
    const built = spawnSync(this.clang, [
      '-shared',
      '-fPIC',
      '-O1',
      '-o',
      this.clockLibrary,
      path.join(here, 'clock.c'),
    ]);
    if (built.status !== 0) throw new Error(`clock.c cannot be built: ${built.stderr}`);
  }

  /** An editor whose server has nothing to do with faults. */
  startFreshEditor(folder) {
    const temporary = path.join(folder, 'tmp');
    fs.mkdirSync(temporary);
    this.giveToServer(temporary);
    return this.startEditor([], { TMPDIR: temporary }, {});
  }

  giveToServer(file) {
    if (this.user) fs.chownSync(file, this.user.uid, this.user.gid);
  }

  /** An editor with a server of its own. */
  startEditor(args, environment, settings) {
    const env = { ...process.env, HOME: this.home, XDG_CONFIG_HOME: this.home, ...environment };
    const lives = { after: (action) => this.cleanups.unshift(action) };
    return this.Editor.start(lives, { args, settings, capabilities: CAPABILITIES, environment: { env, ...this.user } });
  }

  end() {
    for (const cleanup of this.cleanups.splice(0)) cleanup();
  }
}
