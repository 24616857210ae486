// The server in Helix, set up by what docs/editors.md prints: what stands on the screen of a terminal.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Debian } from './debian.mjs';
import { snippets } from './page.mjs';
import { assembly, source, sourceWithHintsOfClangd } from './samples.mjs';
import { Terminal } from './terminal.mjs';

const [languages, config] = snippets('docs/editors.md', 'Helix', 'toml', 2);

async function open(t, debian, name, text) {
  const home = debian.home(t, { '.config/helix/languages.toml': languages, '.config/helix/config.toml': config, [`src/${name}`]: text });
  return Terminal.open(debian, home, `hx src/${name}`);
}

/** A command of Helix, without the colon. */
async function command(terminal, text) {
  terminal.type(`:${text}`);
  await terminal.line({ test: (line) => line.startsWith(`:${text}`) });
  terminal.press('Enter');
  await terminal.gone(/^:/m);
}

/** Escape and a key that follows at once are one key to a terminal. */
async function close(terminal, popup) {
  terminal.press('Escape');
  await terminal.gone(popup);
}

/** Replaces the first `from` of a line by another character: one edit, as 25.01 sends edits that follow closely in any order. */
async function replace(terminal, line, from, to) {
  await command(terminal, String(line));
  terminal.type(`ghf${from};r${to}`);
}

/** A hint, if need be after another edit: the server answers after two seconds, and Helix does not ask again by itself. */
async function hint(terminal, line, pattern) {
  for (let edits = 0; edits < 5; ++edits) {
    const shown = await terminal.line(pattern, undefined, 5_000).catch(() => undefined);
    if (shown) return;
    await command(terminal, '1');
    terminal.type('A');
    await terminal.line(/ INS /);
    terminal.type(' ');
    await close(terminal, / INS /);
  }
  await terminal.line(pattern);
}

async function requireHover(terminal, line, pattern) {
  await command(terminal, String(line));
  terminal.type('gs');
  terminal.type(' k');
  await terminal.line(pattern);
  await close(terminal, pattern);
}

async function assemblyWorks(t, debian) {
  const terminal = await open(t, debian, 'sum.s', assembly('skylake'));
  await hint(terminal, 4, /4 +\.Lloop: IPC [\d.]+ · 4\.0 cyc · dep/);
  await terminal.line(/^ *● +4 /);
  await requireHover(terminal, 4, /Limited by a loop-carried chain through ymm0/);
  // A faster loop, then a code action, and a command, whose effect Helix shows with the next edit.
  await replace(terminal, 5, '0', '1');
  await hint(terminal, 4, /4 +\.Lloop: IPC [\d.]+ · 1\.0\d? cyc/);
  await command(terminal, '4');
  terminal.type('xxxxx a');
  await terminal.line(/Mark the selected lines as a region/);
  terminal.press('Enter');
  await hint(terminal, 4, /4 +# LLVM-MCA-BEGIN region-1 IPC [\d.]+ · 1\.0\d? cyc/);
  await command(terminal, 'lsp-workspace-command mca.toggleHints');
  await replace(terminal, 3, 's', 'S');
  await terminal.gone(/cyc/);
}

async function sourceWorks(t, debian, recent) {
  const terminal = await open(t, debian, 'sum.cpp', sourceWithHintsOfClangd);
  await hint(terminal, 5, /5 +for \(int i = 0; i < count; \+\+i\) .*cyc\/iter · dep/);
  assert.doesNotMatch(terminal.screen(), /value: 1/, "clangd's hints are left out");
  await terminal.line(/^ *● +5 /);
  if (recent) await requireHover(terminal, 5, /Limited by a loop-carried chain/);
  await replace(terminal, 6, '+', '/');
  await command(terminal, 'write');
  await hint(terminal, 5, /5 +for \(int i = 0; i < count; \+\+i\) .* 1\d(\.\d+)? cyc\/iter/);
  await replace(terminal, 6, 'v', 'x');
  await command(terminal, 'write');
  await terminal.line(/^ *● +6 /);
}

async function settingsArrive(t, debian, recent) {
  const terminal = await open(t, debian, 'sum.s', assembly());
  await hint(terminal, 4, /4 +\.Lloop: IPC [\d.]+ · 3\.0 cyc · dep/);
  await requireHover(terminal, 4, /Zn4FP/);
  if (!recent) return;
  await command(terminal, 'lsp-workspace-command mca.setCpu {"cpu":"skylake"}');
  await replace(terminal, 3, 'm', 'n');
  await hint(terminal, 4, /4 +\.Lloop: IPC [\d.]+ · 4\.0 cyc · dep/);
}

// 25.01 asks the first server alone for a hover, which is clangd, and sends no command that has an argument.
const cases = [
  { codename: 'trixie', version: /^helix 25\.01/, recent: false },
  { codename: 'forky', version: /^helix 2(5\.0[7-9]|5\.1|[6-9]\.)/, recent: true },
];

for (const { codename, version, recent } of cases)
  test(`Helix of Debian's ${codename}`, async (t) => {
    const debian = new Debian(codename);
    const found = debian.version(t, ['hx', '--version']);
    assert.match(found, version);
    t.diagnostic(found);
    await t.test('assembly', (t2) => assemblyWorks(t2, debian));
    await t.test('C++', (t2) => sourceWorks(t2, debian, recent));
    await t.test('settings', (t2) => settingsArrive(t2, debian, recent));
  });
