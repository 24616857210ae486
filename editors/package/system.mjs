// The Debian system whose files go into a package: this machine's, or for a cross-build the one that sysroot.sh has
// unpacked. Both are read in the same way, and nothing of either runs.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { run } from './collect.mjs';

/** By the number of an architecture in an ELF file (e_machine): its names, and the folder of its libraries. */
const architectures = new Map([
  [62, { machine: 'x86_64', debian: 'amd64', vscode: 'linux-x64', triplet: 'x86_64-linux-gnu' }],
  [183, { machine: 'aarch64', debian: 'arm64', vscode: 'linux-arm64', triplet: 'aarch64-linux-gnu' }],
]);

/** The architecture that a program was built for. */
function architectureOf(program) {
  const header = Buffer.alloc(20);
  const file = openSync(program, 'r');
  readSync(file, header);
  closeSync(file);
  const found = architectures.get(header.readUInt16LE(18));
  if (!found)
    throw new Error(`${program}: there are no packages for its architecture`);
  return found;
}

/** The system below the folder `root`, which has the architecture of `program`. */
export function systemOf(root, program) {
  const architecture = architectureOf(program);
  const place = realpathSync(root);
  const database = path.join(place, 'var/lib/dpkg');
  const llvm = path.join(place, 'usr/lib/llvm-22');
  const libraries = ['usr/lib', 'lib'].map((folder) => path.join(place, folder, architecture.triplet));
  const query = (...args) => spawnSync('dpkg-query', [`--admindir=${database}`, ...args], { encoding: 'utf8' });

  return {
    ...architecture,
    llvm,
    /** What to put before a command of the architecture, if this machine has another one. */
    emulator: run('uname', '-m').trim() === architecture.machine ? [] : [`qemu-${architecture.machine}-static`, '-L', place],
    /** The binutils program of this name that reads the architecture's files. */
    tool: (name) => `${architecture.triplet}-${name}`,

    /** The file of a shared library. */
    sharedLibrary(name) {
      const folder = libraries.find((candidate) => existsSync(path.join(candidate, name)));
      if (!folder)
        throw new Error(`${name} is not in ${libraries.join(', ')}`);
      return realpathSync(path.join(folder, name));
    },

    /** The Debian package that a file is of. On systems with a merged /usr, dpkg may know it as one below /lib. */
    packageOf(file) {
      for (const name of [file, file.replace(/^\/usr/, '')]) {
        const { status, stdout } = query('-S', name);
        if (status === 0)
          return stdout.split(/[:,]/)[0];
      }
      throw new Error(`no Debian package has ${file}: its licence is unknown`);
    },

    /** The version and the architecture of an installed package. */
    describe(name) {
      const { status, stdout, stderr } = query('-W', '-f', '${Version} ${Architecture}\n', name);
      if (status !== 0)
        throw new Error(stderr);
      const [version, of] = stdout.split('\n')[0].split(' ');
      return { version, architecture: of };
    },

    licenceOf: (name) => path.join(place, 'usr/share/doc', name, 'copyright'),

    /** Dependencies on the packages of shared libraries, in the versions that have what the programs use. */
    dependenciesOf(programs, folder) {
      const options = [`--admindir=${database}`, ...(place === '/' ? [] : libraries.map((library) => `-l${library}`))];
      const line = run('env', '-C', folder, `DEB_HOST_ARCH=${architecture.debian}`, 'dpkg-shlibdeps', ...options, '-O', ...programs);
      return line.replace(/^shlibs:Depends=/, '').trim();
    },
  };
}
