// Makes the packages that need no editor: an archive that runs from wherever it is unpacked, and a Debian package that
// uses the system's LLVM.
//
// node package.mjs PROGRAMS LLVM VERSION OUT: PROGRAMS is the folder with our programs, LLVM that of LLVM 22 (its bin and
// lib), OUT the folder for the packages. The same inputs make the same bytes, wherever and whenever they are made.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { collectPrograms, run, settleRights, sourceDate } from './collect.mjs';
import { materialsOf, writeLicences } from './licences.mjs';
import { manPages } from './man_pages.mjs';

const [programs, llvm, version, out] = process.argv.slice(2);
const names = ['mca', 'mca-lsp', 'mca-measure', 'mca-worker'];
const machine = run('uname', '-m').trim();
const epoch = sourceDate();
const product = { name: 'mca-lsp', version, target: `linux-${machine}`, epoch };

/** The three files of the README, their flags, and what there is to read. */
function copyDocuments(to) {
  mkdirSync(to, { recursive: true });
  for (const name of ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE'])
    copyFileSync(name, path.join(to, name));
  for (const name of run('git', 'ls-files', 'docs', ':!docs/site').trim().split('\n')) {
    mkdirSync(path.dirname(path.join(to, name)), { recursive: true });
    copyFileSync(name, path.join(to, name));
  }
}

function makeArchive(work) {
  const name = `${product.name}-${version}-${product.target}`;
  const root = path.join(work, name);
  const shared = path.join(root, 'share/doc/mca-lsp');
  const copied = collectPrograms(names, programs, llvm, root);
  copyDocuments(shared);
  writeLicences(product, materialsOf(copied), shared);
  mkdirSync(path.join(root, 'share/man/man1'), { recursive: true });
  for (const page of manPages(programs, version, epoch))
    writeFileSync(path.join(root, 'share/man/man1', page.name), page.text);
  settleRights(root);
  const file = path.join(out, `${name}.tar.gz`);
  execFileSync('sh', ['-c', `tar --sort=name --owner=0 --group=0 --numeric-owner --format=gnu --mtime=@${epoch} -C "$1" -cf - "$2" | gzip -9n >"$3"`,
    'sh', work, name, file]);
  return file;
}

/** Dependencies on the packages of the shared libraries, in the versions that have what the programs use. */
function dependenciesOf(work, installed) {
  const source = path.join(work, 'source');
  mkdirSync(path.join(source, 'debian'), { recursive: true });
  writeFileSync(path.join(source, 'debian/control'), 'Source: mca-lsp\n\nPackage: mca-lsp\nArchitecture: any\n');
  const line = execFileSync('dpkg-shlibdeps', ['-O', ...installed], { cwd: source, encoding: 'utf8' });
  return line.replace(/^shlibs:Depends=/, '').trim();
}

function control(depends, size) {
  return `Package: mca-lsp
Version: ${version}
Architecture: ${run('dpkg', '--print-architecture').trim()}
Maintainer: mca-lsp <mca-lsp@users.noreply.github.com>
Installed-Size: ${size}
Depends: ${depends}
Recommends: clang-22
Suggests: git
Section: devel
Priority: optional
Homepage: https://github.com/mca-lsp/mca-lsp
Description: language server that shows how fast loops run on a CPU
 Shows beside each loop of assembly, C and C++ its instructions per cycle, the
 cycles of an iteration and what holds it back, simulated on LLVM's scheduling
 models or on a calibration of the CPU. The program mca does the same on the
 command line, with the options of llvm-mca. C and C++ need clang 22.
`;
}

function makeDebianPackage(work) {
  const root = path.join(work, 'deb');
  const documents = path.join(root, 'usr/share/doc/mca-lsp');
  const manuals = path.join(root, 'usr/share/man/man1');
  [path.join(root, 'usr/bin'), manuals, path.join(root, 'DEBIAN')].forEach((folder) => mkdirSync(folder, { recursive: true }));
  const installed = names.map((name) => path.join(root, 'usr/bin', name));
  names.forEach((name, i) => {
    copyFileSync(path.join(programs, name), installed[i]);
    run('strip', installed[i]);
    run('patchelf', '--remove-rpath', installed[i]); // the system's libraries are where the loader looks
  });
  copyDocuments(documents);
  copyFileSync('LICENSE', path.join(documents, 'copyright'));
  writeLicences(product, materialsOf([]), documents);
  for (const page of manPages(programs, version, epoch))
    writeFileSync(path.join(manuals, `${page.name}.gz`), gzipSync(page.text, { level: 9 }));
  settleRights(path.join(root, 'usr'));
  const size = Number(run('du', '-sk', '--apparent-size', path.join(root, 'usr')).split('\t')[0]);
  writeFileSync(path.join(root, 'DEBIAN/control'), control(dependenciesOf(work, installed), size));
  settleRights(path.join(root, 'DEBIAN'));
  chmodSync(root, 0o755);
  const file = path.join(out, `mca-lsp_${version}_${run('dpkg', '--print-architecture').trim()}.deb`);
  execFileSync('dpkg-deb', ['--root-owner-group', '--build', root, file],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, SOURCE_DATE_EPOCH: `${epoch}` } });
  return file;
}

mkdirSync(out, { recursive: true });
const work = mkdtempSync(path.join(tmpdir(), 'mca-package-'));
try {
  for (const file of [makeArchive(work), makeDebianPackage(work)])
    console.log(file);
} finally {
  rmSync(work, { recursive: true });
}
