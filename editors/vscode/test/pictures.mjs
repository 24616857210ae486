// Makes the pictures of docs/images anew: what a person sees in a real VS Code with the installed package, over the
// files of docs/demo (./dev pictures). Beside them goes docs/images/shown.json, the texts of ours in each picture, which
// tests/transcripts/pictures.test.js compares with what the server says today.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, Workbench } from './ui/workbench.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const images = path.join(root, 'docs/images');
const demo = (name) => readFileSync(path.join(root, 'docs/demo', name), 'utf8');
const files = Object.fromEntries(['mean.cpp', 'mean.mcaprofile', 'dot.s', 'compile_flags.txt'].map((name) => [name, demo(name)]));
const lineOf = (name, text) => files[name].split('\n').findIndex((line) => line.includes(text)) + 1;

const artefacts = mkdtempSync(path.join(tmpdir(), 'mca-pictures-'));
const settings = {
  'workbench.activityBar.location': 'hidden', 'workbench.statusBar.visible': false, 'window.commandCenter': false,
  'workbench.layoutControl.enabled': false, 'window.menuBarVisibility': 'hidden', 'editor.minimap.enabled': false,
  'breadcrumbs.enabled': false, 'workbench.colorTheme': 'Default Light Modern', 'editor.hover.delay': 100,
};
const bench = await Workbench.open({ vsix: process.env.MCA_VSIX, artefacts, files, settings });
const { page } = bench;
await page.setViewportSize({ width: 1050, height: 640 });
await page.mouse.move(5, 5); // where it shows nothing of its own
const shown = {};

/**
 * The lines of a text without what VS Code adds to a finding (its place before it, the source and the code after it), and
 * without the lines of the standard library's headers, which are the machine's.
 */
const words = (text) =>
  text.replaceAll('\u00a0', ' ').split('\n')
    .map((line) => line.trim().replace(/^[\w.]+\(\d+, \d+\): /, '').replace(/(^|\s*)mca\(?([a-z]+(-[a-z]+)*)?\)?$/, ''))
    .filter((line) => line && !/^(Inlined here: .*|\(?[a-z]+(-[a-z]+)+\)?|\[Ln \d+, Col \d+\])$/.test(line));

/** Keeps the picture and the texts of ours in it. `more`: how it came about, for the test. */
async function keep(name, file, texts, more = {}) {
  const bytes = await page.screenshot({ path: path.join(images, `${name}.png`) });
  const shows = [...new Set(texts.flatMap(words))];
  if (shows.length === 0) throw new Error(`${name} shows nothing`);
  shown[`${name}.png`] = { sha256: createHash('sha256').update(bytes).digest('hex'), file, ...more, shows };
}

/** The hints of the active editor: what follows the source's own text in a line. */
async function hints(name) {
  const source = execFileSync('cat', [bench.file(name)], { encoding: 'utf8' }).split('\n');
  const flat = (text) => text.replaceAll('\t', ' ').replace(/ +/g, ' ').trim();
  return Object.entries(await bench.lines()).flatMap(([line, text]) => {
    const own = flat(source[line - 1] ?? '');
    const all = flat(text);
    return /cyc/.test(all) && all.startsWith(own) ? [all.slice(own.length)] : [];
  });
}

/** Opens the hover at a place; its text. */
async function hover(line, column, pattern) {
  await bench.goToLine(line, column);
  await bench.command('Show or Focus Hover');
  const widget = page.locator('.monaco-hover:not(.hidden)').first();
  await widget.waitFor({ state: 'visible' });
  return eventually('the hover', async () => {
    const text = await widget.innerText();
    return pattern.test(text) ? text : undefined;
  });
}

const wholeHover = async () => page.locator('.monaco-hover:not(.hidden) .hover-contents').allInnerTexts();

/** The texts in the second group of editors. */
const beside = (pattern) =>
  eventually('the document', async () => {
    const texts = await page.locator('.editor-group-container').nth(1).locator('.view-line').allInnerTexts();
    return texts.some((text) => pattern.test(text.replaceAll('\u00a0', ' '))) ? texts : undefined;
  });

const sum = lineOf('mean.cpp', 'for (double value');
const polynomial = lineOf('mean.cpp', 'for (double c');
const fma = lineOf('dot.s', 'vfmadd');

try {
  await bench.openFile('mean.cpp');
  await bench.command('View: Toggle Primary Side Bar Visibility');
  await bench.hint(polynomial);
  await keep('hints', 'mean.cpp', await hints('mean.cpp'));

  await hover(polynomial, 8, /D=*e/);
  await keep('hover', 'mean.cpp', (await wholeHover()).filter((text) => /cyc/.test(text)));
  await page.keyboard.press('Escape');

  await page.setViewportSize({ width: 1600, height: 640 });
  await bench.goToLine(sum, 8);
  await bench.command('mca: What Would Make This Loop Faster?');
  await keep('advice', 'mean.cpp', await beside(/× from/), { advised: sum });
  await page.setViewportSize({ width: 1050, height: 640 });
  await bench.goToTab('mean.cpp');
  await bench.command('View: Close Editors in Other Groups');

  writeFileSync(bench.file('.mca-lsp.json'), JSON.stringify({ profile: 'mean.mcaprofile' }));
  await bench.hint(sum, /%/);
  await bench.command('View: Toggle Primary Side Bar Visibility');
  await bench.command('mca: Show the Hot Loops');
  const hot = page.locator('.pane', { hasText: 'Hot Loops' }).locator('.monaco-list-row');
  await eventually('the hot loops', async () => (await hot.count()) >= 3);
  await keep('hot-loops', 'mean.cpp', await hints('mean.cpp'), { profile: 'mean.mcaprofile' });
  rmSync(bench.file('.mca-lsp.json'));
  await bench.goToTab('mean.cpp');
  await eventually('hints without shares', async () => !/%/.test((await bench.lines())[sum]));
  await bench.command('View: Toggle Primary Side Bar Visibility');
  await bench.goToLine(polynomial, 8);

  await bench.command('mca: Show Report');
  await keep('report', 'mean.cpp', await beside(/Dispatch Width/));
  await bench.goToTab('mean.cpp');
  await bench.command('View: Close Editors in Other Groups');
  await bench.goToLine(polynomial, 8);
  await bench.command('mca: Show Assembly');
  await keep('assembly', 'mean.cpp', await beside(/mulsd/));
  await bench.command('View: Close All Editors');

  await bench.command('View: Toggle Primary Side Bar Visibility');
  await bench.openFile('dot.s');
  await bench.command('View: Toggle Primary Side Bar Visibility');
  await bench.hint(lineOf('dot.s', 'BEGIN one'));
  await bench.goToLine(fma, 10);
  await keep('highlight', 'dot.s', await hints('dot.s'));

  await hover(fma, 10, /micro-op/);
  await keep('instruction-hover', 'dot.s', (await wholeHover()).filter((text) => /micro-op/.test(text)));
  await page.keyboard.press('Escape');

  await bench.goToLine(lineOf('dot.s', 'vmovups'), 6);
  await page.keyboard.press('Control+.');
  const actions = page.locator('.action-widget');
  await actions.waitFor();
  await keep('code-actions', 'dot.s', (await actions.locator('.title').allInnerTexts()).concat(await hints('dot.s')));
  await page.keyboard.press('Escape');

  await bench.goToTab('dot.s');
  await bench.command('Problems: Focus on Problems View');
  const problems = page.locator('.markers-panel');
  await eventually('the verdicts', async () => /limited by/.test(await problems.innerText()));
  await keep('findings', 'dot.s', await problems.locator('.marker-message-line, .related-info-resource + .message, .related-info .message').allInnerTexts());
  await bench.command('View: Toggle Panel Visibility');

  await bench.goToTab('dot.s');
  await bench.goToLine(fma, 10);
  await bench.command('mca: Show Pipeline');
  await eventually('rows', async () => (await bench.webview.locator('.row').count()) > 10);
  await bench.webview.locator('.row').nth(6).locator('.cell').first().click();
  await keep('pipeline', 'dot.s', [...(await hints('dot.s')), await bench.webview.locator('#title').innerText()]);
  await bench.command('View: Close All Editors');

  await bench.command('View: Toggle Primary Side Bar Visibility');
  await bench.openFile('mean.cpp');
  await bench.command('View: Toggle Primary Side Bar Visibility');
  const before = (await bench.hint(polynomial)).split(')').at(-1);
  const edit = { line: polynomial + 1, text: '    result = (result + 1) * x + c * result;' };
  await bench.goToLine(edit.line, 1);
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+End');
  await page.keyboard.type(edit.text.trim());
  await page.keyboard.press('Control+s');
  await eventually('another hint', async () => (await bench.lines())[polynomial].split(')').at(-1) !== before && bench.hint(polynomial));
  await page.waitForTimeout(2000); // the findings that follow the hint would close the hover
  await hover(polynomial, 8, /slower/);
  await keep('before-and-after', 'mean.cpp', (await wholeHover()).filter((text) => /cyc/.test(text)), { edit });
  writeFileSync(path.join(images, 'shown.json'), `${JSON.stringify(shown, undefined, 2)}\n`);
} catch (error) {
  await page.screenshot({ path: path.join(root, 'build/vscode/pictures-failed.png') });
  throw error;
} finally {
  await bench.close();
  rmSync(artefacts, { recursive: true });
}
