// Makes the packages that need no editor: an archive that runs from wherever it is unpacked, and a Debian package that
// uses the system's LLVM.
//
// node package.mjs PROGRAMS ROOT VERSION OUT: PROGRAMS is the folder with our programs, ROOT the Debian system with
// their libraries (/, or for another architecture what sysroot.sh makes), OUT the folder for the packages. The same inputs
// make the same bytes, wherever and whenever they are made.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { collectPrograms, run, settleRights, sourceDate } from './collect.mjs';
import { materialsOf, writeLicences } from './licences.mjs';
import { manPages } from './man_pages.mjs';
import { systemOf } from './system.mjs';

const [programs, root, version, out] = process.argv.slice(2);
const names = ['mca', 'mca-lsp', 'mca-measure', 'mca-worker'];
const system = systemOf(root, path.join(programs, names[0]));
const epoch = sourceDate();
const product = { name: 'mca-lsp', version, target: `linux-${system.machine}`, epoch };

/** The three files of the README, their flags, and what there is to read. */
function copyDocuments(to) {
  mkdirSync(to, { recursive: true });
  for (const name of ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE'])
    copyFileSync(name, path.join(to, name));
  for (const name of run('git', 'ls-files', 'docs', ':!docs/site', ':!docs/demo/demo.sh').trim().split('\n')) {
    mkdirSync(path.dirname(path.join(to, name)), { recursive: true });
    copyFileSync(name, path.join(to, name));
  }
}

function makeArchive(work) {
  const name = `${product.name}-${version}-${product.target}`;
  const top = path.join(work, name);
  const shared = path.join(top, 'share/doc/mca-lsp');
  const copied = collectPrograms(names, programs, system, top);
  copyDocuments(shared);
  writeLicences(product, materialsOf(copied, system), system, shared);
  mkdirSync(path.join(top, 'share/man/man1'), { recursive: true });
  for (const page of manPages(programs, system, version, epoch))
    writeFileSync(path.join(top, 'share/man/man1', page.name), page.text);
  settleRights(top);
  const file = path.join(out, `${name}.tar.gz`);
  execFileSync('sh', ['-c', `tar --sort=name --owner=0 --group=0 --numeric-owner --format=gnu --mtime=@${epoch} -C "$1" -cf - "$2" | gzip -9n >"$3"`,
    'sh', work, name, file]);
  return file;
}

function dependenciesOf(work, installed) {
  const source = path.join(work, 'source');
  mkdirSync(path.join(source, 'debian'), { recursive: true });
  writeFileSync(path.join(source, 'debian/control'), 'Source: mca-lsp\n\nPackage: mca-lsp\nArchitecture: any\n');
  return system.dependenciesOf(installed, source);
}

function control(depends, size) {
  return `Package: mca-lsp
Version: ${version}
Architecture: ${system.debian}
Maintainer: mca-lsp <mca-lsp@users.noreply.github.com>
Installed-Size: ${size}
Depends: ${depends}
Recommends: clang-22
Suggests: git
Section: devel
Priority: optional
Homepage: https://github.com/mca-lsp/mca-lsp
Description: language server that shows how fast loops run on a CPU
 Shows next to each loop of assembly, C and C++ its instructions per cycle, the
 cycles of an iteration and what holds it back, simulated on LLVM's scheduling
 models or on a calibration of the CPU. The program mca does the same on the
 command line, with the options of llvm-mca. C and C++ need clang 22.
`;
}

function makeDebianPackage(work) {
  const top = path.join(work, 'deb');
  const documents = path.join(top, 'usr/share/doc/mca-lsp');
  const manuals = path.join(top, 'usr/share/man/man1');
  [path.join(top, 'usr/bin'), manuals, path.join(top, 'DEBIAN')].forEach((folder) => mkdirSync(folder, { recursive: true }));
  const installed = names.map((name) => path.join(top, 'usr/bin', name));
  names.forEach((name, i) => {
    copyFileSync(path.join(programs, name), installed[i]);
    run(system.tool('strip'), installed[i]);
    run('patchelf', '--remove-rpath', installed[i]); // the system's libraries are where the loader looks
  });
  copyDocuments(documents);
  copyFileSync('LICENSE', path.join(documents, 'copyright'));
  writeLicences(product, materialsOf([], system), system, documents);
  for (const page of manPages(programs, system, version, epoch))
    writeFileSync(path.join(manuals, `${page.name}.gz`), gzipSync(page.text, { level: 9 }));
  settleRights(path.join(top, 'usr'));
  const size = Number(run('du', '-sk', '--apparent-size', path.join(top, 'usr')).split('\t')[0]);
  writeFileSync(path.join(top, 'DEBIAN/control'), control(dependenciesOf(work, installed), size));
  settleRights(path.join(top, 'DEBIAN'));
  chmodSync(top, 0o755);
  const file = path.join(out, `mca-lsp_${version}_${system.debian}.deb`);
  execFileSync('dpkg-deb', ['--root-owner-group', '--build', top, file],
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
