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

/** FFmpeg's own way to build outside of its sources: a link `src` to them, and commands that name files through it. */
async function withFfmpeg(root, build) {
  fs.mkdirSync(build, { recursive: true });
  fs.symlinkSync(root, path.join(build, 'src'));
  await must('src/configure', ['--cc=clang-22', '--disable-x86asm', '--disable-autodetect', '--disable-doc', '--disable-programs'], { cwd: build });
  return entriesOfMake(await must('make', ['-n', '-B'], { cwd: build }), build);
}

/** GMP's assembly as its build makes it: each file of mpn, a link to that of the processor, expanded by m4. */
async function withM4(root, build) {
  fs.mkdirSync(build, { recursive: true });
  // Debian's archive lacks the manual, whose folder configure looks for.
  fs.mkdirSync(path.join(root, 'doc'), { recursive: true });
  fs.writeFileSync(path.join(root, 'doc/Makefile.in'), '');
  await must('sh', [path.join(root, 'configure'), '--quiet', '--disable-shared', '--build=x86_64-pc-linux-gnu', '--host=skylake-pc-linux-gnu'],
    { cwd: build, env: { CC: 'clang-22', CC_FOR_BUILD: 'clang-22' } });
  const mpn = path.join(build, 'mpn');
  const operations = (name) => fs.readFileSync(path.join(mpn, name), 'utf8').match(/OPERATION_\w+/g) ?? [];
  const entries = [];
  for (const name of fs.readdirSync(mpn).filter((one) => one.endsWith('.asm')).sort()) {
    const stem = name.slice(0, -'.asm'.length);
    const operation = operations(name).includes(`OPERATION_${stem}`) ? [`-DOPERATION_${stem}`] : [];
    const file = path.join(mpn, `${stem}.s`);
    fs.writeFileSync(file, await must('m4', ['-DHAVE_CONFIG_H', ...operation, name], { cwd: mpn }));
    entries.push({ directory: mpn, file, arguments: ['clang-22', '-c', file] });
  }
  return entries;
}

/**
 * `kind`: of the compiler in the commands; `folder`: of the sources in the package; `sample`: how many files are taken, of
 * projects that have thousands, or all. `make` returns the entries of a database. None of them is a source that other
 * tests use. The last five have what the others lack: links, templates made by inclusion and by C++, assembly that
 * includes assembly, instructions as data.
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
  { name: 'ffmpeg', kind: 'clang', sample: 60, make: withFfmpeg },
  { name: 'dav1d', kind: 'clang', make: (root, build) => withMeson(root, build, CLANG, ['-Denable_asm=false', '-Denable_tools=false', '-Denable_tests=false']) },
  { name: 'highway', kind: 'clang', sample: 30, make: (root, build) => withCMake(root, build, CLANG, ['-DHWY_ENABLE_TESTS=OFF', '-DHWY_ENABLE_INSTALL=OFF']) },
  { name: 'openblas', kind: 'clang', sample: 90,
    make: (root, build) => withCMake(root, build, CLANG, ['-DTARGET=HASWELL', '-DNOFORTRAN=1', '-DBUILD_WITHOUT_LAPACK=1', '-DBUILD_TESTING=OFF', '-DUSE_THREAD=0',
      '-DCMAKE_ASM_COMPILER=clang-22']) },
  { name: 'gmp', kind: 'clang', make: withM4 },
];

/** Every n-th entry, so that `count` remain, of each kind of file in proportion: entries come in the order of their names. */
function sampleOf(entries, count = entries.length) {
  const byKind = (entry) => path.extname(entry.file);
  const sorted = [...entries].sort((a, b) => byKind(b).localeCompare(byKind(a)));
  const step = Math.max(1, entries.length / count);
  return Array.from({ length: Math.min(count, entries.length) }, (_, i) => sorted[Math.floor(i * step)]);
}

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

/** Fetches and unpacks the sources of a Debian package into a folder, unless they are there. Returns their root. */
export async function fetchSource(name, folder, options, report = () => {}) {
  const root = path.join(folder, 'root');
  if (fs.existsSync(path.join(folder, 'unpacked'))) return root;
  report();
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(root, { recursive: true });
  await must('apt-get', [...options, '-q', 'source', '--tar-only', name], { cwd: folder });
  const archive = fs.readdirSync(folder).find((one) => one.includes('.orig.tar.'));
  await must('tar', ['xf', archive, '-C', 'root', '--strip-components=1'], { cwd: folder });
  fs.writeFileSync(path.join(folder, 'unpacked'), '');
  return root;
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
  const root = path.join(await fetchSource(project.name, source, options(), () => report('fetching')), project.folder ?? '');
  if (!fs.existsSync(done)) {
    report('making its compile commands');
    fs.rmSync(build, { recursive: true, force: true });
    const made = await project.make(root, build);
    const entries = sampleOf(oneEntryPerFile(made, [path.join(source, 'root'), build]), project.sample);
    if (entries.length === 0) throw new Error(`${project.name}: no compile commands`);
    fs.mkdirSync(database, { recursive: true });
    fs.writeFileSync(done, JSON.stringify(entries, undefined, 1));
  }
  return { root, database, entries: JSON.parse(fs.readFileSync(done, 'utf8')) };
}
