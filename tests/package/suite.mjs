// Installs the packages of one architecture into a bare Debian, where there is neither a compiler nor a network, and holds
// what the README's files show there.
//
// MCA_PACKAGES is the folder with the packages (files/) and the systems, such as bookworm/: ./dev test package.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, test } from 'node:test';

const require = createRequire(new URL('../transcripts/editor.js', import.meta.url));
const { Editor } = require('./editor.js');

const folder = process.env.MCA_PACKAGES;
const files = readdirSync(path.join(folder, 'files'));
export const fileNamed = (end) => {
  const name = files.find((file) => file.endsWith(end));
  assert.ok(name, `no package ${end}`);
  return path.join(folder, 'files', name);
};

export const systemOf = (name) => path.join(folder, name);
const clean = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', LC_ALL: 'C.UTF-8', DEBIAN_FRONTEND: 'noninteractive' };
const proxies = Object.fromEntries(Object.entries(process.env).filter(([name]) => /_proxy$/i.test(name)));

/** Arguments for a program in a system, in a mount namespace of its own with /proc and /dev, and without a network. */
function inside(codename, args, network = false) {
  const system = systemOf(codename);
  const script = 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"';
  return [...(network ? ['-m'] : ['-m', '-n']), 'sh', '-c', script, system, ...args];
}

export function runInside(codename, args, { network = false } = {}) {
  const options = { encoding: 'utf8', env: { ...clean, ...(network ? proxies : {}) }, timeout: 300_000 };
  const { status, stdout, stderr } = spawnSync('unshare', inside(codename, args, network), options);
  return { status, stdout, stderr };
}

export function succeed(codename, args, options) {
  const { status, stdout, stderr } = runInside(codename, args, options);
  assert.equal(status, 0, `${args.join(' ')} in ${codename}:\n${stdout}${stderr}`);
  return stdout;
}

/** The hint of the README's first file, as its loops have had it in the margin since the program was checked. */
function requireHints(codename, bin) {
  const out = succeed(codename, [`${bin}/mca-lsp`, '--log=error', '--calibration=off', '--check', '--annotate', '/root/demo/dot.s']);
  assert.match(out, /one accumulator.*IPC 1\.25|IPC 1\.25.*4\.0 cyc/s);
  assert.match(out, /register-dependency/);
}

/** A session of an editor: from the file to its hints, in seconds. */
async function firstHint(t, codename, bin) {
  const text = readFileSync(path.join(systemOf(codename), 'root/demo/dot.s'), 'utf8');
  const uri = 'file:///root/demo/dot.s';
  const start = Date.now();
  const child = spawn('unshare', inside(codename, [`${bin}/mca-lsp`, '--log=error', '--calibration=off']), { env: clean, stdio: ['pipe', 'pipe', 'inherit'] });
  const editor = await Editor.start(t, { child });
  await editor.connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'asm', version: 1, text } });
  const range = { start: { line: 0, character: 0 }, end: { line: text.split('\n').length, character: 0 } };
  const hints = await editor.until(async () => {
    const answer = await editor.connection.sendRequest('textDocument/inlayHint', { textDocument: { uri }, range });
    return answer?.length ? answer : undefined;
  }, 'the first hint');
  assert.equal(hints.length, 2);
  const seconds = (Date.now() - start) / 1000;
  assert.ok(seconds <= 60, `${seconds} s from the file to its hint`);
  t.diagnostic(`${codename}: ${seconds.toFixed(2)} s from the start of the server to the first hint`);
}

/** C without a compiler or headers of a C library: clang of the package lowers what needs neither. */
function requireLowering(codename, bin, cpu) {
  const out = succeed(codename, [`${bin}/mca-lsp`, '--log=error', '--calibration=off', `--cpu=${cpu}`, '--check', '/root/demo/sum.c']);
  assert.match(out, /sum\.c:2:.*cyc/s);
}

export function copyDemo(codename) {
  const to = path.join(systemOf(codename), 'root/demo');
  rmSync(to, { recursive: true, force: true });
  cpSync('docs/demo', to, { recursive: true });
  execFileSync('sh', ['-c', 'printf "%s\\n" "int sum(const int *p, int n) {" "  int s = 0; for (int i = 0; i < n; ++i) s += p[i];" "  return s; }" >"$0/sum.c"', to]);
}



/** Manual pages that name the programs' own options, a licence for each package of the bill of materials. */
function requireDocuments(manuals, suffix, documents) {
  const read = (name) => execFileSync(suffix ? 'zcat' : 'cat', [path.join(manuals, `${name}.1${suffix}`)], { encoding: 'utf8' });
  assert.match(read('mca'), /bottleneck\\-analysis\\-in\\-order/);
  assert.match(read('mca-lsp'), /compile\\-commands/);
  assert.match(read('mca-measure'), /resume/);
  const bill = JSON.parse(readFileSync(path.join(documents, 'sbom.spdx.json'), 'utf8'));
  assert.equal(bill.spdxVersion, 'SPDX-2.3');
  const [own, ...others] = bill.packages;
  assert.equal(own.name, 'mca-lsp');
  assert.ok(others.length >= 3);
  for (const { name } of others)
    assert.ok(existsSync(path.join(documents, 'licences', name)), `no licence of ${name}`);
}

function testArchive({ codename, machine, cpu }) {
  test(`${codename}: the archive`, async (t) => {
    const opt = path.join(systemOf(codename), 'opt');
    rmSync(opt, { recursive: true, force: true });
    mkdirSync(opt);
    execFileSync('tar', ['-xzf', fileNamed(`linux-${machine}.tar.gz`), '-C', opt]);
    const [name] = readdirSync(opt);
    await t.test('gives hints', () => requireHints(codename, `/opt/${name}/bin`));
    await t.test('lowers C with its own clang', () => requireLowering(codename, `/opt/${name}/bin`, cpu));
    await t.test('serves an editor', (t2) => firstHint(t2, codename, `/opt/${name}/bin`));
    await t.test('runs from another place, with its manual, licences and bill of materials', () => {
      execFileSync('mv', [path.join(opt, name), path.join(opt, 'with space')]);
      requireHints(codename, '/opt/with space/bin');
      requireDocuments(path.join(opt, 'with space/share/man/man1'), '', path.join(opt, 'with space/share/doc/mca-lsp'));
      const simulate = ['-mtriple=x86_64-linux-gnu', '-mcpu=znver4', '-iterations=1', '/root/demo/dot.s'];
      assert.match(succeed(codename, ['/opt/with space/bin/mca', ...simulate]), /Total Cycles:/);
      assert.match(succeed(codename, ['/opt/with space/bin/mca-lsp', '--doctor']), /clang-22: .*clang version 22/);
    });
    rmSync(opt, { recursive: true });
  });
}

function testDebianPackage({ codename, debian }) {
  test(`${codename}: the Debian package`, async (t) => {
    const name = 'mca-lsp.deb';
    cpSync(fileNamed(`_${debian}.deb`), path.join(systemOf(codename), 'root', name));
    const install = ['apt-get', 'install', '-y', '-qq', '--no-install-recommends'];
    // What it depends on is fetched first, as a machine's administrator or an image would have it.
    succeed(codename, ['apt-get', 'update', '-qq'], { network: true });
    succeed(codename, [...install, '--download-only', `/root/${name}`], { network: true });
    succeed(codename, [...install, `/root/${name}`]);
    t.after(() => succeed(codename, ['apt-get', 'purge', '-y', '-qq', '--autoremove', 'mca-lsp']));
    await t.test('gives hints', () => requireHints(codename, '/usr/bin'));
    await t.test('serves an editor', (t2) => firstHint(t2, codename, '/usr/bin'));
    await t.test('has its manual, licences and bill of materials', () => {
      const shared = path.join(systemOf(codename), 'usr/share');
      requireDocuments(path.join(shared, 'man/man1'), '.gz', path.join(shared, 'doc/mca-lsp'));
    });
    await t.test('says what is missing', () =>
      assert.match(succeed(codename, ['mca-lsp', '--doctor']), /install the package clang-22|clang-22 was not found/));
  });
}

function testExtension({ codename, machine, platform }) {
  test(`${codename}: the server of the VS Code extension`, async (t) => {
    const opt = path.join(systemOf(codename), 'opt/vsix');
    rmSync(opt, { recursive: true, force: true });
    mkdirSync(opt, { recursive: true });
    execFileSync('unzip', ['-q', fileNamed(`${machine}.vsix`), '-d', opt]);
    const server = path.join(opt, 'extension/server');
    for (const program of readdirSync(path.join(server, 'bin')))
      execFileSync('chmod', ['755', path.join(server, 'bin', program)]); // as VS Code does for what the package marks
    assert.match(readFileSync(path.join(opt, 'extension.vsixmanifest'), 'utf8'), new RegExp(`TargetPlatform="${platform}"`));
    assert.ok(existsSync(path.join(server, 'sbom.spdx.json')));
    requireHints(codename, '/opt/vsix/extension/server/bin');
    await firstHint(t, codename, '/opt/vsix/extension/server/bin');
    rmSync(opt, { recursive: true });
  });
}

/**
 * The tests of the system `codename`, with the packages of its architecture: `machine` as uname(1) names it, `debian` and
 * `platform` as Debian and VS Code do. `cpu` is one of it that LLVM knows.
 */
export function testPackages(system) {
  const { codename, machine } = system;
  before(() => {
    assert.ok(existsSync(path.join(systemOf(codename), '.ready')), `${codename} is not made`);
    copyDemo(codename);
  });
  after(() => rmSync(path.join(systemOf(codename), 'root/demo'), { recursive: true, force: true }));

  test(`${codename}: there is no compiler and no network`, () => {
    assert.equal(succeed(codename, ['uname', '-m']).trim(), machine);
    assert.notEqual(runInside(codename, ['sh', '-c', 'command -v cc gcc clang clang-22']).status, 0);
    assert.doesNotMatch(succeed(codename, ['cat', '/proc/net/route']), /^\w+\s+0{8}/m);
  });
  testArchive(system);
  testDebianPackage(system);
  testExtension(system);
}
