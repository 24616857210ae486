// Each block of commands in the pages runs here as a reader would run it, in a folder with the files that it names, or is
// left to another test for a reason (recipes.mjs). What a page quotes as a command's output is its output.
//
// MCA_PROGRAMS is the folder with mca, mca-lsp, mca-measure and mca-worker. MCA_UPDATE_PAGES=1 writes the outputs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { blocksOf, pages, root, textOf } from './pages.mjs';
import { recipes } from './recipes.mjs';

const programs = path.resolve(process.env.MCA_PROGRAMS);
const update = process.env.MCA_UPDATE_PAGES === '1';

const commands = ['sh', 'console', 'yaml', 'ninja'];
const settings = ['json', 'jsonc', 'lua', 'toml', 'elisp'];
const shown = ['', 'text', 'asm', 'c', 'cpp'];
const command = /^\s*(\$ |\.\/dev |(mca|mca-lsp|mca-measure) -|build\/|node |cmake |ctest )/m;

const blocks = pages.flatMap(blocksOf);
const isFor = (recipe, block) => recipe.page === block.page && block.text.startsWith(recipe.starts);

/** Runs a script of bash as a reader's whose home is `folder`; commands of a block that follow a failed one do not run. */
function shell(script, folder, home) {
  const env = { PATH: `${home}/bin:${programs}:${process.env.PATH}`, HOME: home, LC_ALL: 'C.UTF-8' };
  const options = { cwd: folder, env, encoding: 'utf8', maxBuffer: 1 << 26, stdio: ['ignore', 'pipe', 'pipe'] };
  return spawnSync('bash', ['-euo', 'pipefail', '-c', script], options);
}

/** Runs `script`, which has to succeed, and returns its standard output. */
function run(script, folder) {
  const { status, stdout, stderr } = shell(script, folder, folder);
  assert.equal(status, 0, `${script}\nends with ${status}:\n${stderr}`);
  return stdout;
}

/** The commands of a console block, each with its output, standard output or else the errors. */
function session(text, folder, home) {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const line = part.split('\n', 1)[0];
      const { stdout, stderr } = shell(line, folder, home);
      return `$ ${line}\n${(stdout || stderr).trimEnd()}\n`;
    })
    .join('');
}

function checkSession(block, folder, home) {
  const now = session(block.text, folder, home);
  if (update) writeFileSync(path.join(root, block.page), textOf(block.page).replace(block.text, () => now));
  else assert.equal(block.text, now, `${block.page}:${block.line} quotes another output: see tests/docs/commands.test.mjs`);
}

function follow({ prepare, script, check, within }, block) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mca-docs-'));
  try {
    prepare?.(folder, { block, programs, run: (text) => run(text, folder) });
    if (block.language === 'console') return checkSession(block, within ?? folder, folder);
    const output = run(script ? script(block) : block.text, folder);
    check?.({ folder, block, output });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

for (const block of blocks.filter(({ language }) => !shown.includes(language))) {
  const [recipe, ...others] = recipes.filter((one) => isFor(one, block));
  test(`${block.page}:${block.line}: ${block.text.split('\n', 1)[0]}`, { skip: recipe?.left }, () => {
    assert.ok([...commands, ...settings].includes(block.language), `is ${block.language} a language of commands?`);
    assert.ok(recipe, 'tests/docs/recipes.mjs says neither how to run this block nor why not to');
    assert.equal(others.length, 0, 'several recipes fit');
    follow(recipe, block);
  });
}

test('each recipe has its block', () => {
  for (const recipe of recipes)
    assert.ok(blocks.some((block) => isFor(recipe, block)), `${recipe.page} has no block ${recipe.starts}`);
});

test('commands stand in blocks of commands', () => {
  for (const { page, line, text } of blocks.filter(({ language }) => shown.includes(language)))
    assert.doesNotMatch(text, command, `${page}:${line}: name the language, sh or console`);
});
