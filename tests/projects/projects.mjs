// The projects: Debian's source packages, fetched by apt from the machine's own archive, and how each one's compile
// database is made. Everything lies in build/projects, the private lists of packages, too.
import fs from 'node:fs';
import path from 'node:path';
import { entriesOfMake, oneEntryPerFile, readDatabase } from './commands.mjs';
import { must } from './programs.mjs';

const CLANG = { CC: 'clang-22', CXX: 'clang++-22' };
const GCC = { CC: '/usr/bin/gcc', CXX: '/usr/bin/g++' };

async function withCMake(root, build, compilers, options = []) {
  await must('cmake', ['-S', root, '-B', build, '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release', '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON',
    `-DCMAKE_C_COMPILER=${compilers.CC}`, `-DCMAKE_CXX_COMPILER=${compilers.CXX}`, ...options]);
  return readDatabase(build);
}

async function withMeson(root, build, compilers, options) {
  await must('meson', ['setup', '--buildtype=release', '-Ddefault_library=static', ...options, build, root], { env: compilers });
  return readDatabase(build);
}

async function withMake(root, _build, compilers, targets = []) {
  const output = await must('make', ['-n', '-B', `CC=${compilers.CC}`, ...targets], { cwd: root });
  return entriesOfMake(output, root);
}

/** Autotools, whose make is watched: its own rules decide what is compiled how. `parts`: the folders to build. */
async function withBear(root, build, compilers, parts) {
  fs.mkdirSync(build, { recursive: true });
  await must('sh', [path.join(root, 'configure'), '--quiet', '--disable-shared'], { cwd: build, env: { ...compilers, CFLAGS: '-O2' } });
  for (const part of parts)
    await must('bear', ['--append', '--output', 'compile_commands.json', '--', 'make', '-s', '-j2', '-C', part], { cwd: build });
  return readDatabase(build);
}

/**
 * `kind`: of the compiler in the commands; `folder`: of the sources in the package. `make` returns the entries of a
 * database. None of them is a source that other tests use.
 */
export const PROJECTS = [
  { name: 'pixman', kind: 'clang',
    make: (root, build) => withMeson(root, build, CLANG, ['-Dgtk=disabled', '-Dlibpng=disabled', '-Dopenmp=disabled']) },
  { name: 'expat', kind: 'clang', folder: 'expat',
    make: (root, build) => withCMake(root, build, CLANG, ['-DEXPAT_BUILD_TESTS=OFF', '-DEXPAT_BUILD_EXAMPLES=OFF', '-DEXPAT_BUILD_DOCS=OFF']) },
  { name: 'gsl', kind: 'clang',
    make: (root, build) => withBear(root, build, CLANG, ['gsl', 'fft', 'histogram', 'sort', 'statistics', 'vector']) },
  { name: 'libdeflate', kind: 'clang', make: (root, build) => withMake(root, build, CLANG, ['libdeflate.a']) },
  { name: 'pugixml', kind: 'clang', make: (root, build) => withCMake(root, build, CLANG) },
  { name: 'double-conversion', kind: 'gcc', make: (root, build) => withCMake(root, build, GCC) },
  { name: 'bzip2', kind: 'gcc', make: (root, build) => withMake(root, build, GCC) },
];

/** apt's lists of source packages in a folder of our own, from the machine's own sources of packages. */
export async function readLists(folder, aptFolder = '/etc/apt') {
  const apt = path.join(folder, 'apt');
  const sources = path.join(apt, 'sources');
  for (const each of ['lists/partial', 'archives/partial', 'sources']) fs.mkdirSync(path.join(apt, each), { recursive: true });
  const options = ['-o', 'APT::Sandbox::User=root', '-o', 'Dir::Etc::SourceList=/dev/null', '-o', `Dir::Etc::SourceParts=${sources}`,
    '-o', `Dir::State::Lists=${apt}/lists`, '-o', `Dir::Cache=${apt}`, '-o', `Dir::Cache::archives=${apt}/archives`];
  const ready = path.join(apt, 'ready');
  if (fs.existsSync(ready)) return options;
  const files = [path.join(aptFolder, 'sources.list'), ...fs.readdirSync(path.join(aptFolder, 'sources.list.d')).map((name) => path.join(aptFolder, 'sources.list.d', name))];
  for (const file of files.filter((name) => /\.(list|sources)$/.test(name) && fs.existsSync(name))) {
    const text = fs.readFileSync(file, 'utf8').replace(/^deb /gm, 'deb-src ').replace(/^Types: deb$/gm, 'Types: deb-src');
    if (/debian\.org/.test(text)) fs.writeFileSync(path.join(sources, path.basename(file)), text);
  }
  await must('apt-get', [...options, '-q', 'update']);
  fs.writeFileSync(ready, '');
  return options;
}

/**
 * Fetches, unpacks and configures a project; what is there already stays. { root, entries }, entries with an absolute
 * file, and the same ones in `database`, a folder.
 */
export async function prepare(project, folder, options, report) {
  const source = path.join(folder, 'src', project.name);
  const build = path.join(folder, 'build', project.name);
  const database = path.join(folder, 'database', project.name);
  const done = path.join(database, 'compile_commands.json');
  if (!fs.existsSync(path.join(source, 'unpacked'))) {
    report('fetching');
    fs.rmSync(source, { recursive: true, force: true });
    fs.mkdirSync(path.join(source, 'root'), { recursive: true });
    await must('apt-get', [...options(), '-q', 'source', '--tar-only', project.name], { cwd: source });
    const archive = fs.readdirSync(source).find((name) => name.includes('.orig.tar.'));
    await must('tar', ['xf', archive, '-C', 'root', '--strip-components=1'], { cwd: source });
    fs.writeFileSync(path.join(source, 'unpacked'), '');
  }
  const root = path.join(source, 'root', project.folder ?? '');
  if (!fs.existsSync(done)) {
    report('making its compile commands');
    fs.rmSync(build, { recursive: true, force: true });
    const entries = oneEntryPerFile(await project.make(root, build), path.join(source, 'root'));
    if (entries.length === 0) throw new Error(`${project.name}: no compile commands`);
    fs.mkdirSync(database, { recursive: true });
    fs.writeFileSync(done, JSON.stringify(entries, undefined, 1));
  }
  return { root, database, entries: JSON.parse(fs.readFileSync(done, 'utf8')) };
}
