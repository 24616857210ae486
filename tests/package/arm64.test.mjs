// The cross-built packages for arm64 in a bare Debian 12 of that architecture, whose programs run under qemu: what they
// print is what this machine's programs and this machine's llvm-mca print.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileNamed, runInside, succeed, systemOf, testPackages } from './suite.mjs';

const codename = 'bookworm-arm64';
const withBoth = `${codename}-amd64`;
const corpus = 'tests/differential';

testPackages({ codename, machine: 'aarch64', debian: 'arm64', platform: 'linux-arm64', cpu: 'neoverse-v2' });

/** Unpacks the archive of an architecture in a system; returns the folder of its programs there. */
function unpack(machine, name = codename) {
  const folder = path.join(systemOf(name), 'opt', machine);
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', fileNamed(`linux-${machine}.tar.gz`), '--strip-components=1', '-C', folder]);
  return `/opt/${machine}/bin`;
}

const removeUnpacked = () => rmSync(path.join(systemOf(codename), 'opt'), { recursive: true, force: true });

/** Sets of options that go with the files in turn: every view, every format, and what changes the simulation. */
const optionSets = [
  [],
  ['-all-views'],
  ['-json', '-all-views'],
  ['-timeline', '-bottleneck-analysis', '-iterations=23'],
  ['-instruction-tables=full', '-show-encoding', '-show-barriers'],
  ['-noalias=false', '-all-stats'],
  ['-dispatch=3', '-timeline', '-json'],
  ['-skip-unsupported-instructions=any', '-register-file-size=4', '-all-stats'],
];

/** One file of the differential tests' for each CPU that they name, with options, as a command line. */
function sampleCommands() {
  const names = readdirSync(corpus, { recursive: true }).filter((name) => /^(corpus|misuse)\/.*\.s$/.test(name)).sort();
  const byCpu = new Map();
  for (const name of names) {
    const [, triple, cpu, , features = ''] = /mca: triple=(\S+) cpu=(\S+)( features=(\S+))?/.exec(readFileSync(path.join(corpus, name), 'utf8'));
    const target = [`-mtriple=${triple}`, `-mcpu=${cpu}`, `-mattr=${features}`];
    if (!byCpu.has(`${triple} ${cpu}`))
      byCpu.set(`${triple} ${cpu}`, [...target, ...optionSets[byCpu.size % optionSets.length], name]);
  }
  return [...byCpu.values()];
}

test(`${codename}: mca prints what this machine's llvm-mca prints`, (t) => {
  const bin = unpack('aarch64');
  t.after(removeUnpacked);
  for (const folder of ['corpus', 'misuse'])
    cpSync(path.join(corpus, folder), path.join(systemOf(codename), 'root/demo', folder), { recursive: true });
  const commands = sampleCommands();
  for (const command of commands) {
    const expected = spawnSync('llvm-mca-22', command, { cwd: corpus, encoding: 'utf8' });
    const got = runInside(codename, ['env', '-C', '/root/demo', `${bin}/mca`, ...command]);
    assert.equal(got.stdout, expected.stdout, command.join(' '));
    assert.equal(got.status, expected.status, command.join(' '));
  }
  assert.ok(commands.length >= 30);
  t.diagnostic(`${commands.length} command lines compared`);
});

/** The demo in a folder of the system `withBoth`, whose flags choose the target, for another CPU if one is named. */
function writeDemoFor(triple, cpu) {
  const inside = path.join('/root', triple);
  const place = path.join(systemOf(withBoth), inside);
  cpSync('docs/demo', place, { recursive: true });
  writeFileSync(path.join(place, 'compile_flags.txt'), `${readFileSync('docs/demo/compile_flags.txt', 'utf8')}--target=${triple}\n`);
  for (const name of cpu ? ['mean.cpp', 'checksum.c'] : [])
    writeFileSync(path.join(place, name), readFileSync(path.join('docs/demo', name), 'utf8').replace(/cpu=\S+/, `cpu=${cpu}`));
  return ['dot.s', 'mean.cpp', 'checksum.c'].map((name) => path.join(inside, name));
}

// A copy of the system, with amd64 as its second architecture, runs this machine's archive, too: both see the same files.
test(`${codename}: the demo has the hints that it has on this machine`, (t) => {
  const remove = () => rmSync(systemOf(withBoth), { recursive: true, force: true });
  remove();
  t.after(remove);
  execFileSync('cp', ['-a', systemOf(codename), systemOf(withBoth)]);
  const headers = ['libstdc++-12-dev', 'libstdc++-12-dev:amd64', 'libxxhash-dev', 'libxxhash-dev:amd64'];
  succeed(withBoth, ['dpkg', '--add-architecture', 'amd64']);
  succeed(withBoth, ['apt-get', 'update', '-qq'], { network: true });
  succeed(withBoth, ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...headers], { network: true });
  const bins = ['x86_64', 'aarch64'].map((machine) => unpack(machine, withBoth));
  for (const [triple, cpu] of [['x86_64-linux-gnu', ''], ['aarch64-linux-gnu', 'neoverse-v2']]) {
    const files = writeDemoFor(triple, cpu);
    const [expected, got] = bins.map((bin) =>
      succeed(withBoth, [`${bin}/mca-lsp`, '--log=error', '--calibration=off', '--check', '--annotate', ...files]));
    assert.match(expected, /loop in scale.*loop in hash_ids/s);
    assert.equal(got, expected);
    t.diagnostic(`${triple}: ${got.split('\n').length} lines are equal`);
  }
});

test(`${codename}: mca-measure says that it measures x86-64 CPUs only`, (t) => {
  const bin = unpack('aarch64');
  t.after(removeUnpacked);
  for (const [command, reason] of [[['calibrate'], /only x86-64 CPUs can be calibrated/], [['run', '-mtriple=x86_64-linux-gnu', '/root/demo/dot.s'], /x86-64 CPU only/]]) {
    const { status, stderr } = runInside(codename, [`${bin}/mca-measure`, ...command]);
    assert.equal(status, 1);
    assert.match(stderr, reason);
  }
});
