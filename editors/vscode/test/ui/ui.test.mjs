// What a person sees in a real VS Code with the installed package. Pictures of each step go to the folder ARTEFACTS.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { assembly, source } from './samples.mjs';
import { eventually, Workbench } from './workbench.mjs';

const vsix = process.env.MCA_VSIX;
const artefacts = process.env.ARTEFACTS;

/** The present PATH, with none of the programs in it that are named like clang. */
function pathWithoutClang() {
  const folder = mkdtempSync(path.join(tmpdir(), 'mca-path-'));
  after(() => rmSync(folder, { recursive: true }));
  for (const from of process.env.PATH.split(':').filter((one) => existsSync(one)))
    for (const name of readdirSync(from))
      if (!/^(clang|gcc|g\+\+|cc$|c\+\+)/.test(name) && !existsSync(path.join(folder, name)))
        symlinkSync(path.join(from, name), path.join(folder, name));
  return folder;
}

let bench;
before(async () => {
  bench = await Workbench.open({ vsix, artefacts, files: { 'dot.s': assembly, 'sum.cpp': source } });
});
after(() => bench?.close());

test('an assembly file has its hint on the marker', async () => {
  await bench.openFile('dot.s');
  assert.match(await bench.hint(3), /# LLVM-MCA-BEGIN dot.*4\.\d cyc/);
  await bench.picture('assembly-hint');
});

test('hovering the loop shows its timeline, unwrapped', async () => {
  await bench.page.locator('.view-line', { hasText: 'vfmadd231ps' }).first().waitFor();
  await bench.goToLine(3, 20);
  await bench.command('Show or Focus Hover');
  const hover = bench.page.locator('.monaco-hover:not(.hidden) .hover-contents').first();
  await hover.waitFor({ state: 'visible' });
  const text = await eventually('a timeline in the hover', async () => {
    const shown = await bench.page.locator('.monaco-hover').first().innerText();
    return /D=*e/.test(shown) ? shown : undefined;
  });
  assert.match(text, /cyc/);
  const wrapped = await bench.page.evaluate(() => {
    // Each line of a block is as high as one line of text unless it was wrapped.
    const blocks = [...document.querySelectorAll('.monaco-hover .monaco-tokenized-source')];
    return blocks
      .filter((block) => /D=*e/.test(block.textContent))
      .map((block) => block.clientHeight > (block.innerText.trimEnd().split('\n').length + 1) * 19);
  });
  assert.ok(wrapped.length > 0 && !wrapped.includes(true), JSON.stringify(wrapped));
  await bench.picture('hover-timeline');
  await bench.page.keyboard.press('Escape');
});

test('a finding is underlined, and its related lines are listed', async () => {
  await eventually('a squiggle', () => bench.page.locator('.squiggly-info, .squiggly-hint, .squiggly-warning').count());
  await bench.command('Problems: Focus on Problems View');
  const problems = bench.page.locator('.markers-panel');
  await problems.waitFor();
  await eventually('the verdict in the problems view', async () => /limited by/.test(await problems.innerText()));
  await bench.picture('problems');
  await bench.command('View: Toggle Panel Visibility');
});

test('a C++ file has its hint on the for line, and a save changes it', async () => {
  await bench.openFile('sum.cpp');
  const first = await bench.hint(4);
  assert.match(first, /for \(int i = 0; i < count; \+\+i\)/);
  await bench.picture('source-hint');
  await bench.goToLine(5, 5);
  await bench.page.keyboard.press('Home');
  await bench.page.keyboard.press('Shift+End');
  await bench.page.keyboard.type('total *= values[i] + 1 / values[i];');
  await bench.page.keyboard.press('Control+s');
  const second = await eventually('another hint', async () => {
    const text = (await bench.lines())[4];
    return /cyc/.test(text) && text !== first ? text : undefined;
  });
  await bench.picture('source-hint-after-save');
  assert.notEqual(second, first);
});

test('the CPU can be changed from a list', async () => {
  const before = await bench.hint(4);
  await bench.goToLine(1, 1);
  await bench.page.keyboard.press('Control+Shift+k');
  await bench.page.keyboard.press('Control+s');
  await bench.command('mca: Choose CPU');
  const input = bench.page.locator('.quick-input-widget input');
  await input.waitFor({ state: 'visible' });
  await input.fill('btver2');
  await bench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'btver2' }).first().waitFor();
  await bench.picture('choose-cpu');
  await bench.page.keyboard.press('Enter');
  await eventually('the hint for another CPU', async () => {
    const text = (await bench.lines())[3];
    return /cyc/.test(text) && text.replace(/.*\)/, '') !== before.replace(/.*\)/, '');
  });
  await bench.picture('other-cpu');
});

test('the report opens beside the source', async () => {
  await bench.goToLine(3, 8);
  await bench.command('mca: Show Report');
  await eventually('a report', async () => {
    const texts = await bench.page.locator('.editor-group-container .view-lines').allInnerTexts();
    return texts.some((text) => /Dispatch\s*Width|Resources|Iterations/.test(text.replaceAll('\u00a0', ' ')));
  });
  await bench.picture('report');
});

test('the assembly opens beside the source', async () => {
  await bench.openFile('sum.cpp');
  await bench.goToLine(3, 8);
  await bench.command('mca: Show Assembly');
  await bench.page.waitForSelector('.tab[data-resource-name="sum.cpp.s"]', { timeout: 20_000 });
  await eventually('assembly with source lines', async () => {
    const texts = await bench.page.locator('.editor-group-container .view-lines').allInnerTexts();
    return texts.some((text) => /divsd/.test(text) && !/Iterations:/.test(text));
  });
  await bench.picture('assembly-document');
});

test('a server that dies is started again', async () => {
  const pids = () =>
    execFileSync('sh', ['-c', `for d in /proc/[0-9]*; do case "$(readlink $d/exe)" in ${bench.folder}/*/mca-lsp) echo \${d#/proc/};; esac; done`],
      { encoding: 'utf8' }).trim().split('\n').filter(Boolean);
  const [server] = pids();
  assert.ok(server, 'the server runs from the installed package');
  process.kill(Number(server), 'SIGKILL');
  await eventually('another server', () => pids().some((pid) => pid !== server));
  await bench.openFile('dot.s');
  await bench.hint(3);
  await bench.picture('after-restart');
});

test('in an untrusted folder nothing of the folder runs', async () => {
  const trace = path.join(artefacts, 'trace');
  const evilPath = '${workspaceFolder}/evil';
  const settings = JSON.stringify({ 'mca.server.path': evilPath, 'mca.server.arguments': ['--worker', evilPath], 'mca.compiler': evilPath });
  const evil = `#!/bin/sh\ntouch ${trace}\n`;
  const untrusted = await Workbench.open({ vsix, artefacts, trusted: false,
    files: { 'dot.s': assembly, '.vscode/settings.json': settings, evil } });
  try {
    execFileSync('chmod', ['+x', untrusted.file('evil')]);
    const refuse = untrusted.page.getByRole('button', { name: /No, I don't trust/ });
    await refuse.waitFor({ timeout: 20_000 });
    await untrusted.picture('untrusted-question');
    await refuse.click();
    await untrusted.openFile('dot.s');
    await untrusted.hint(3);
    await untrusted.picture('untrusted');
    await untrusted.command('mca: Show Diagnosis');
    await eventually('the diagnosis', async () =>
      /which is not trusted.*\n?.*server arguments +none/s.test(Object.values(await untrusted.lines()).join('\n')));
    await untrusted.picture('untrusted-diagnosis');
    assert.equal(existsSync(trace), false);
  } finally {
    await untrusted.close();
  }
});

test('where the server cannot start, a button shows the diagnosis', async () => {
  const program = '/nonexistent/mca-lsp';
  const without = await Workbench.open({ vsix, artefacts, settings: { 'mca.server.path': program }, files: { 'dot.s': assembly } });
  try {
    await without.openFile('dot.s');
    await without.page.getByRole('button', { name: 'Show Diagnosis' }).first().click();
    await eventually('the reason', async () =>
      Object.values(await without.lines()).join('\n').includes(`server               none: the setting mca.server.path names ${program}`));
    await without.picture('diagnosis-without-server');
  } finally {
    await without.close();
  }
});

test('a machine without any clang has hints in C++, with the headers that clang brings', async () => {
  const bare = await Workbench.open({ vsix, artefacts, environment: { PATH: pathWithoutClang() },
    files: { 'sum.cpp': `#include <immintrin.h>\n#include <stddef.h>\n${source}` } });
  try {
    await bare.openFile('sum.cpp');
    await bare.hint(6);
    await bare.picture('without-clang');
  } finally {
    await bare.close();
  }
});

test('from an empty profile to the first hint in under a minute', async () => {
  const started = Date.now();
  const fresh = await Workbench.open({ vsix, artefacts, files: { 'dot.s': assembly } });
  try {
    await fresh.openFile('dot.s');
    await fresh.hint(3);
    const seconds = (Date.now() - started) / 1000;
    mkdirSync(artefacts, { recursive: true });
    writeFileSync(path.join(artefacts, 'first-hint-seconds.txt'), `${seconds}\n`);
    assert.ok(seconds < 60, `${seconds} s`);
  } finally {
    await fresh.close();
  }
});
