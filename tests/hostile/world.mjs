// What a hostile folder is put into: a home with a secret, a folder outside with others, the folder for temporary files.
// All of it is bait, so that whatever is read shows up in what the server sends, and whatever is written in a snapshot.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

/** The text that must never leave the server. A word, so that a compiler or a parser would quote it in its errors. */
export const SECRET = `HUSH${randomBytes(6).toString('hex')}`;

const KEY = `-----BEGIN OPENSSH PRIVATE KEY-----\n${SECRET}1 ${SECRET}2\n-----END OPENSSH PRIVATE KEY-----\n`;
const HEADER = `int ${SECRET}3 = ${SECRET}4;\n#error ${SECRET}5\n`;
const ASSEMBLY = `${SECRET}6 %eax, %ebx\n.error "${SECRET}7"\n`;

/** A source whose hints are known: those of good.c, which holds the same. */
export const SUM = `int sum(const int *p, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i] * 3;
  return s;
}
`;

/** Assembly with one loop. */
export const LOOP = `\t.text
sum:
.Lsum:
\taddl (%rdi), %eax
\taddq $4, %rdi
\tdecq %rsi
\tjne .Lsum
\tretq
`;

export class World {
  constructor() {
    this.root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'mca-hostile-')));
    for (const name of ['home', 'outside', 'tmp', 'folders', 'cwd']) fs.mkdirSync(path.join(this.root, name));
    this.home = path.join(this.root, 'home');
    this.outside = path.join(this.root, 'outside');
    this.cwd = path.join(this.root, 'cwd');
    this.write('home/.ssh/id_rsa', KEY, 0o600);
    this.write('home/.vault-token', `hvs.${SECRET}0\n`, 0o600);
    this.write('home/.netrc', `${SECRET} example.org\n`, 0o600);
    this.write('home/.gitconfig', '[user]\n\tname = nobody\n\temail = nobody@localhost\n');
    this.write('outside/secret.h', HEADER);
    this.write('outside/secret.s', ASSEMBLY);
    this.write('outside/secret.txt', KEY);
    this.write('outside/flags.rsp', `-${SECRET}8 ${SECRET}9.c\n`);
    this.write('outside/data.json', `{"${SECRET}": [${SECRET}}`);
    this.write('outside/settings.json', { [SECRET]: SECRET });
    this.token = path.join(this.home, '.vault-token');
    this.key = path.join(this.home, '.ssh/id_rsa');
  }

  write(name, content, mode = 0o644) {
    const file = path.join(this.root, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, typeof content === 'object' ? JSON.stringify(content) : content, { mode });
    return file;
  }

  /** A folder of its own for a case. */
  folder(name) {
    return new Folder(this, path.join(this.root, 'folders', name));
  }

  end() {
    fs.rmSync(this.root, { recursive: true, force: true });
  }
}

/** The opened folder. Whatever runs of it writes a file TRACE into it. */
export class Folder {
  constructor(world, at) {
    this.world = world;
    this.at = at;
    this.trace = path.join(at, 'TRACE');
    fs.mkdirSync(at);
  }

  path(name) {
    return path.resolve(this.at, name);
  }

  write(name, content, mode = 0o644) {
    const file = this.path(name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, typeof content === 'object' && !Buffer.isBuffer(content) ? JSON.stringify(content) : content);
    fs.chmodSync(file, mode);
    return file;
  }

  link(name, target) {
    fs.mkdirSync(path.dirname(this.path(name)), { recursive: true });
    fs.symlinkSync(target, this.path(name));
    return this.path(name);
  }

  fifo(name) {
    execFileSync('mkfifo', [this.path(name)]);
    return this.path(name);
  }

  /** A socket that nobody serves: its file stays when the server that made it is gone. */
  async socket(name) {
    const server = net.createServer();
    await new Promise((resolve) => server.listen(`${this.path(name)}-made`, resolve));
    fs.renameSync(`${this.path(name)}-made`, this.path(name));
    await new Promise((resolve) => server.close(resolve));
    return this.path(name);
  }

  /** Needs root. */
  device(name, major, minor) {
    execFileSync('mknod', [this.path(name), 'c', String(major), String(minor)]);
  }

  /** A file of that many bytes, which takes no room on the disk. */
  sparse(name, bytes) {
    fs.truncateSync(this.write(name, ''), bytes);
    return this.path(name);
  }

  /** A program that leaves a trace, and does what one of its name would do. */
  program(name) {
    return this.write(name, `#!/bin/sh\ntouch '${this.trace}'\nexec cat\n`, 0o755);
  }

  /** A compile_commands.json with one entry. */
  database(argumentsOfEntry, { file = 'a.c', directory = this.at, at = 'compile_commands.json' } = {}) {
    return this.write(at, [{ directory, file, arguments: argumentsOfEntry }]);
  }
}

/** Each file below the folders: its kind, its mode, its owner, its size, its time and where it leads. */
export function snapshot(folders) {
  const files = new Map();
  const visit = (file) => {
    const status = fs.lstatSync(file, { bigint: true });
    const target = status.isSymbolicLink() ? fs.readlinkSync(file) : '';
    files.set(file, `mode ${status.mode.toString(8)} of ${status.uid}, ${status.size} bytes at ${status.mtimeNs} ${target}`);
    if (status.isDirectory()) for (const name of fs.readdirSync(file)) visit(path.join(file, name));
  };
  folders.forEach(visit);
  return files;
}

/** What is new, gone or changed, in words. */
export function differences(before, after) {
  const names = new Set([...before.keys(), ...after.keys()]);
  const said = (state) => state ?? 'not there';
  return [...names]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name}: was ${said(before.get(name))}, is ${said(after.get(name))}`);
}
