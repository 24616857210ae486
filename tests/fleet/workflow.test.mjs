// The workflow of docs/fleet.md, step by step as GitHub would run it: a small project that CMake configures, in a checkout
// of its own for each job, and the programs in an archive that each job fetches.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { workflow } from './page.mjs';
import { difference, env, folder as programs, kFailed, oneRun } from './programs.mjs';
import { makeProject } from './project.mjs';
import { runWorkflow } from './workflow.mjs';

const folder = path.resolve('build/fleet/actions');
const checkout = path.join(folder, 'checkout');
const kNames = { 'mca.json': 'json', 'mca.sarif': 'sarif', 'mca.txt': 'text' };
let whole;

function makeCheckout() {
  makeProject(checkout, { files: 10 });
  rmSync(path.join(checkout, 'build'), { recursive: true });
  writeFileSync(path.join(checkout, 'CMakeLists.txt'), `cmake_minimum_required(VERSION 3.20)
project(small C)
file(GLOB sources src/*.c)
add_library(small OBJECT \${sources})
target_include_directories(small PRIVATE include)
target_compile_options(small PRIVATE -O2 -march=x86-64-v2)
`);
}

/** An archive as ./dev package makes one, with another mca-lsp if a script is given; its variables of the repository. */
function archive(name, script) {
  const root = path.join(folder, name, 'mca-lsp-0.1.0-linux-x86_64');
  mkdirSync(path.join(root, 'bin'), { recursive: true });
  for (const program of ['mca-lsp', 'mca-worker']) cpSync(path.join(programs, program), path.join(root, 'bin', program));
  if (script) {
    renameSync(path.join(root, 'bin/mca-lsp'), path.join(root, 'bin/real'));
    writeFileSync(path.join(root, 'bin/mca-lsp'), `#!/bin/bash\n${script}\nexec "$(dirname "$0")/real" "$@"\n`);
    chmodSync(path.join(root, 'bin/mca-lsp'), 0o755);
  }
  const file = `${root}.tar.gz`;
  execFileSync('tar', ['-C', path.dirname(root), '-I', 'gzip -1', '-cf', file, path.basename(root)]);
  return { MCA_LSP_ARCHIVE: pathToFileURL(file).href, MCA_LSP_SHA256: createHash('sha256').update(readFileSync(file)).digest('hex') };
}

/** The workflow in a folder of this name. */
function run(name, vars) {
  return runWorkflow(workflow(), { folder: path.join(folder, name), checkout, env, vars });
}

before(() => {
  rmSync(folder, { recursive: true, force: true });
  makeCheckout();
  const one = path.join(folder, 'one');
  cpSync(checkout, one, { recursive: true });
  execFileSync('cmake', ['-S', '.', '-B', 'build', '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON'], { cwd: one, stdio: 'ignore' });
  whole = oneRun(one, kNames);
});

function requireSame(name) {
  for (const [file, bytes] of Object.entries(whole)) {
    const problem = difference(file, bytes, readFileSync(path.join(folder, name, 'artifacts/mca', file)));
    assert.ok(!problem, problem);
  }
}

test('a matrix of four gives the bytes of one run, and the merge alone fails for findings', () => {
  const { shard, mca } = run('plain', archive('archive'));
  assert.equal(shard.runs.length, 4);
  assert.equal(shard.result, 'success', shard.runs.map(({ log }) => log).join('\n'));
  assert.equal(mca.result, 'failure');
  assert.match(mca.runs[0].log, new RegExp(`^Verdict: exit status ${kFailed}$`, 'm'));
  assert.match(readFileSync(mca.runs[0].file('summary'), 'utf8'), /^## mca-lsp$/m);
  requireSame('plain');
});

test('a shard that is killed once is started again', () => {
  const vars = archive('killed-once', 'if [[ "$*" == *"--shard 2/4"* && ! -e killed ]]; then touch killed; kill -KILL $$; fi');
  const { shard } = run('killed', vars);
  assert.equal(shard.result, 'success', shard.runs[1].log);
  assert.match(shard.runs[1].log, /^::warning::shard 2 was killed \(status 137\), start 1 of 3$/m);
  requireSame('killed');
});

test('a shard that fails fails the merge, which merges nothing', () => {
  const { shard, mca } = run('failed', archive('failing', 'if [[ "$*" == *"--shard 3/4"* ]]; then exit 2; fi'));
  assert.deepEqual(shard.runs.map(({ failed }) => failed), [false, false, true, false]);
  assert.equal(mca.result, 'failure');
  assert.match(mca.runs[0].log, /^::error::a shard failed/);
  assert.ok(!existsSync(path.join(mca.runs[0].workspace, 'mca.json')));
  assert.ok(!existsSync(path.join(folder, 'failed/artifacts/mca')));
});

test('an archive with another checksum is not run', () => {
  const { shard } = run('checksum', { ...archive('other'), MCA_LSP_SHA256: '0'.repeat(64) });
  assert.equal(shard.result, 'failure');
  assert.match(shard.runs[0].log, /^Install mca-lsp: exit status 1$/m);
});
