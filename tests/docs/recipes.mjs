// What each block of commands and settings in the pages needs to run, or why it does not run here. A block is named by its
// page and the text that it starts with.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf, root, textOf } from './pages.mjs';
import * as samples from './samples.mjs';

const write = (folder, files) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
};

/** What the README's archive holds, as far as its commands go; `./dev test package` has the real one. */
function archive(folder, { programs, run }) {
  const [, version] = /project\(mca-lsp VERSION ([\d.]+)/.exec(textOf('CMakeLists.txt'));
  const name = `mca-lsp-${version}-linux-x86_64`;
  mkdirSync(join(folder, name, 'share/doc/mca-lsp'), { recursive: true });
  symlinkSync(programs, join(folder, name, 'bin'));
  cpSync(join(root, 'docs/demo'), join(folder, name, 'share/doc/mca-lsp/docs/demo'), { recursive: true });
  run(`tar czf ${name}.tar.gz ${name} && rm -r ${name}`);
}

/** A project with a database and a file of others in it. */
function project(folder) {
  const commands = ['a.cpp', 'b.cpp', 'third_party/c.cpp'].map((file) => ({
    directory: join(folder, 'build'),
    command: `c++ -O2 -c ../${file}`,
    file: `../${file}`,
  }));
  for (const name of ['build', 'third_party']) mkdirSync(join(folder, name));
  write(folder, { ...samples.project, 'build/compile_commands.json': JSON.stringify(commands) });
  cpSync(join(root, 'docs/demo/dot.s'), join(folder, 'dot.s'));
}

function projectWithBaseline(folder, { run }) {
  project(folder);
  run('mca-lsp --check --compile-commands build --format=json -o main.json');
}

/** `project` with a program `name` in PATH in place of one that the tests do not need. */
const projectWith = (name, text) => (folder) => {
  project(folder);
  mkdirSync(join(folder, 'bin'));
  write(folder, { [`bin/${name}`]: text });
  chmodSync(join(folder, 'bin', name), 0o755);
};

/** The commands that run mca-lsp in steps of a workflow, for the first shard. */
function steps({ text }) {
  const commands = [...text.matchAll(/- run: (mca-lsp .*)/g)].map((match) => match[1].replaceAll('${{ matrix.shard }}', '1'));
  assert.ok(commands.length, 'no step runs mca-lsp');
  return commands.join('\n');
}

/** What the page's commands before these leave: the program. */
function recorded(folder, { run }) {
  write(folder, samples.kernel('kern'));
  run('clang-22 -O2 -g kern.c main.c -o prog');
}

/** A recorded program, and a text of its function from before a change. */
function recording(folder, { run }) {
  write(folder, { ...samples.kernel('kern'), 'old.c': samples.kernel('kern')['kern.c'].replace('i = 0', 'i = 4') });
  run('clang-22 -O1 -g kern.c main.c -o prog && clang-22 -O1 -S old.c -o old.s && qemu-x86_64 -d exec,nochain,page -D log ./prog');
}

/** The example of the page about profiles. */
function profiled(folder) {
  const [example] = blocksOf('docs/features/profile.md').filter(({ language }) => language === 'c');
  write(folder, { 'work.c': example.text.replace('500000', '100000') });
}

/** Its profile, and a run to compare with. */
function profiledWithBaseline(folder, { run }) {
  profiled(folder);
  run('clang-22 -O2 -g work.c -o work && mca-lsp --record-profile -o work.mcaprofile -- ./work');
  run('mca-lsp --check --profile work.mcaprofile --format=json -o main.json work.c');
}

/** The folders of a checkout that printing the pages of settings touches. */
function checkout(folder, { programs }) {
  for (const name of ['build/release', 'docs', 'editors/vscode']) mkdirSync(join(folder, name), { recursive: true });
  symlinkSync(programs, join(folder, 'build/release/bin'));
  for (const name of ['editors/vscode/settings.mjs', 'editors/vscode/package.json']) cpSync(join(root, name), join(folder, name));
}

function printsTheSettings({ folder }) {
  for (const name of ['docs/settings.md', 'docs/mca-lsp.schema.json', 'editors/vscode/package.json'])
    assert.equal(readFileSync(join(folder, name), 'utf8'), textOf(name), name);
}

/** Settings as a folder's own, whose findings `--check` prints. */
const settings = {
  prepare: (folder, { block }) => {
    cpSync(join(root, 'docs/demo/dot.s'), join(folder, 'dot.s'));
    write(folder, { '.mca-lsp.json': block.text });
  },
  script: () => 'mca-lsp --check dot.s 2>&1',
  check: ({ output }) => assert.doesNotMatch(output, /\[config-/),
};

/** Whether `whole` has what `part` has: its members, its elements in their order. */
function has(whole, part) {
  if (Array.isArray(part)) {
    const rest = [...whole];
    return part.every((one) => rest.splice(0, rest.findIndex((other) => has(other, one)) + 1).length);
  }
  if (typeof part !== 'object') return whole === part;
  return Object.entries(part).every(([name, value]) => name in whole && has(whole[name], value));
}

const quotedReport = {
  prepare: (folder) => write(folder, { 'a.s': 'imull %esi, %eax\naddl %eax, %ebx\n' }),
  script: () => 'mca -mtriple=x86_64 -mcpu=skylake -iterations=3 -json-full a.s',
  check: ({ output, block }) => {
    const quoted = JSON.parse(`{${block.text.replace('...\n', '')}}`);
    assert.ok(has(JSON.parse(output).CodeRegions[0], quoted), 'the report has other values');
  },
};

const compared = {
  prepare: (folder) => write(folder, { 'sum.c': 'float sum(const float *a, int n) {\n  float s = 0;\n  for (int i = 0; i < n; i++)\n    s += a[i];\n  return s;\n}\n' }),
  check: ({ output }) => assert.match(output, /they differ: the returned value/),
};

const traced = (name) => ({ prepare: (folder) => write(folder, samples.kernel(name)) });

/** Why nothing can be recorded on this machine; undefined if perf may sample. */
const unrecorded =
  spawnSync('perf', ['record', '-q', '-e', 'cpu-clock', '-o', '/dev/null', 'true']).status === 0 ? undefined : 'perf may not sample here, even by the clock';

const fleet = './dev test fleet runs it on a cluster, and the workflow step by step';
const editor = 'tests/editors sets editors up as the page says';

export const recipes = [
  { page: 'README.md', starts: 'tar xzf', prepare: archive },
  { page: 'README.md', starts: './dev demo', left: 'CI runs ./dev test; docs.demo_picture holds what ./dev demo prints' },
  { page: 'README.md', starts: 'vim.lsp', left: editor },
  { page: 'README.md', starts: '{\n  "cpu"', ...settings },
  { page: 'CONTRIBUTING.md', starts: 'cmake --build', left: 'builds the project' },
  { page: 'CONTRIBUTING.md', starts: 'cmake --preset debug', left: 'builds the project; ./dev test sanitized does the same' },
  { page: 'CONTRIBUTING.md', starts: 'node tests/layers', left: 'layers.includes runs it, on what the configure step wrote' },
  { page: 'docs/check.md', starts: 'mca-lsp --check dot.s', prepare: projectWithBaseline },
  { page: 'docs/check.md', starts: 'mca-lsp --check --compile-commands build --format=json', prepare: project },
  { page: 'docs/check.md', starts: '- run: mca-lsp --check --compile-commands build --baseline', prepare: projectWithBaseline, script: steps },
  { page: 'docs/check.md', starts: '- run: mca-lsp --check --compile-commands build --cpu', prepare: project, script: steps },
  { page: 'docs/check.md', starts: 'parallel', prepare: projectWith('parallel', samples.parallel) },
  {
    page: 'docs/check.md',
    starts: 'mca-lsp --check --compile-commands build --format=sarif -o mca.sarif --ninja',
    prepare: project,
    check: ({ folder }) => assert.ok(existsSync(join(folder, 'mca.sarif')), 'there is no mca.sarif'),
  },
  { page: 'docs/control-flow.md', starts: '$ mca -mcpu=skylake', within: root },
  { page: 'docs/control-flow.md', starts: '$ mca docs/demo', within: root },
  { page: 'docs/control-flow.md', starts: 'clang-22 -O2 -g kern.c', ...traced('kern') },
  { page: 'docs/control-flow.md', starts: 'clang-22 -O2 -S kern.c', prepare: recorded },
  { page: 'docs/control-flow.md', starts: '$ mca-lsp --import-trace', prepare: recording },
  { page: 'docs/editors.md', starts: 'vim.', left: editor },
  { page: 'docs/editors.md', starts: '(', left: editor },
  { page: 'docs/editors.md', starts: '[', left: editor },
  { page: 'docs/editors.md', starts: '{', left: editor },
  { page: 'docs/features/control-flow.md', starts: 'clang-22 -O2 -g sum.c', ...traced('sum') },
  {
    page: 'docs/features/profile.md',
    starts: 'clang-22 -O2 -g work.c',
    left: unrecorded,
    prepare: profiled,
    check: ({ output }) => assert.match(output, /most of the program's time \(\d\):\n  work\.c:9: loop in total, unrolled ×5: [6-9]\d %: 4\.00 cyc per iteration; .*\n  work\.c:15: loop in scale, vector body/),
  },
  { page: 'docs/features/profile.md', starts: 'apt-get source', left: './dev test projects --profiles does what the page says' },
  { page: 'docs/features/profile.md', starts: 'mca-lsp --check --profile work.mcaprofile --baseline', left: unrecorded, prepare: profiledWithBaseline },
  { page: 'docs/fleet.md', starts: './mca-fleet.sh 16', left: fleet },
  { page: 'docs/fleet.md', starts: '#!/bin/bash', left: fleet },
  { page: 'docs/fleet.md', starts: 'name: mca', left: fleet },
  { page: 'docs/how-to/add-a-setting.md', starts: 'build/release/bin/mca-lsp --print-settings', prepare: checkout, check: printsTheSettings },
  { page: 'docs/json.md', starts: '"SourcePositions"', ...quotedReport },
  { page: 'docs/llvm-upgrade.md', starts: 'ctest --test-dir', left: 'needs another LLVM and a build with it: ./dev check-llvm' },
  { page: 'docs/settings.md', starts: '{', ...settings },
  { page: 'docs/features/measuring.md', starts: 'clang-22 -O2 -S', ...compared },
  { page: 'docs/truth.md', starts: './dev bench truth', left: 'measures this CPU, which has to be quiet, for minutes' },
  { page: 'docs/truth.md', starts: './dev bench branches', left: 'measures this CPU, which has to be quiet, for minutes' },
  { page: 'docs/truth.md', starts: './dev bench loops', left: 'measures this CPU, which has to be quiet, for minutes' },
];
