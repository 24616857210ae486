// The pipeline view as a person sees it: rows and cells, why a cell waits, arrows, keyboard, copy, export, a save that
// changes it, and its looks in four themes.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { assembly } from './samples.mjs';
import { eventually, Workbench } from './workbench.mjs';

const rowsOf = { before: 50, after: 60 };

let bench;
let view;
before(async () => {
  bench = await Workbench.open({ vsix: process.env.MCA_VSIX, artefacts: process.env.ARTEFACTS, files: { 'dot.s': assembly } });
  await bench.openFile('dot.s');
  await bench.hint(3);
  await bench.goToLine(6, 1);
  await bench.command('mca: Show Pipeline');
  view = bench.webview;
});
after(() => bench?.close());

const rows = () => view.locator('.row').count();
const width = async () => Number(await view.locator('#picture').getAttribute('width'));
const status = () => view.locator('#status').innerText();
const arrows = () => view.locator('.arrow').count();

test('each instruction of ten iterations has a row, and the numbers stand above', async () => {
  await eventually('the rows', async () => (await rows()) === rowsOf.before);
  assert.match(await view.locator('#title').innerText(), /^dot/);
  assert.match(await view.locator('#numbers').innerText(), /^4\.\d\d cycles per iteration on znver4$/);
  assert.match(await view.locator('.label').nth(1).textContent(), /^\[0,1\] vfmadd231ps/);
  assert.ok((await view.locator('#pressure tr').count()) > 3);
  await bench.picture('pipeline');
});

test('hovering a cell says why it waits, for whom and on which line', async () => {
  const wait = view.locator('.row').nth(11).locator('.cell.wait').first();
  await wait.scrollIntoViewIfNeeded();
  await wait.hover();
  await eventually('the reason', async () =>
    /^Cycle \d+, iteration 2, vfmadd231ps .*: waits for ymm0: vfmadd231ps .* \(line 6\)$/.test(await view.locator('#tip').innerText()));
  await bench.picture('pipeline-hover');
});

test('the keyboard moves from cell to cell, and a screen reader hears each', async () => {
  await view.locator('#picture').click({ position: { x: 4, y: 4 } });
  await view.locator('#picture').press('Home');
  const first = await status();
  assert.match(first, /iteration 0, vmovups .*is dispatched/);
  for (let i = 0; i < 6; ++i)
    await view.locator('#picture').press('ArrowDown');
  assert.match(await status(), /iteration 1, vfmadd231ps/);
  await view.locator('#picture').press('End');
  assert.match(await status(), /retires/);
  assert.equal(await view.locator('#status').getAttribute('aria-live'), 'polite');
  assert.match(await view.getByRole('application').getAttribute('aria-label'), /Arrow keys move/);
  for (const name of ['Zoom out', 'Zoom in', 'Dependencies', 'Copy', 'Export SVG'])
    assert.equal(await view.getByRole('button', { name, exact: true }).count(), 1, name);
});

test('arrows show what the selected instruction waits for, on demand', async () => {
  assert.equal(await arrows(), 0);
  await view.locator('#picture').press('a');
  assert.ok((await arrows()) > 0, 'from the addition of the iteration before');
  assert.equal(await view.getByRole('button', { name: 'Dependencies' }).getAttribute('aria-pressed'), 'true');
  await bench.picture('pipeline-arrows');
  await view.locator('#picture').press('a');
  assert.equal(await arrows(), 0);
});

test('it can be zoomed', async () => {
  const before = await width();
  await view.getByRole('button', { name: 'Zoom in' }).click();
  assert.ok((await width()) > before);
  await view.locator('#picture').press('-');
  assert.equal(await width(), before);
});

test('names and cycles stay in view while the rest is scrolled', async () => {
  const scroll = view.locator('#scroll');
  const leftOf = async () => (await view.locator('.label').first().boundingBox()).x;
  const before = await leftOf();
  await scroll.evaluate((box) => box.scrollTo(120, 60));
  await eventually('the names', async () => Math.abs((await leftOf()) - before) < 1);
  assert.ok((await view.locator('.cycle').first().boundingBox()).y >= (await scroll.boundingBox()).y);
  await scroll.evaluate((box) => box.scrollTo(0, 0));
});

test('Enter goes to the line', async () => {
  await view.locator('#picture').press('Enter');
  await eventually('the line', async () => /Ln 6,/.test(await bench.page.locator('.statusbar').innerText()));
});

test('the timeline can be copied as text', async () => {
  await view.getByRole('button', { name: 'Copy' }).click();
  await eventually('the text', async () => {
    const text = await bench.page.evaluate(() => navigator.clipboard.readText());
    return /^dot.* on znver4/.test(text) && /\[0,0\] +De+E/.test(text);
  });
});

test('the picture can be exported as SVG that stands alone', async () => {
  const file = bench.file('dot.s.svg');
  await view.getByRole('button', { name: 'Export SVG' }).click();
  // The dialog offers a name beside the document's; it takes no answer while it looks at the folder.
  const input = bench.page.locator('.quick-input-widget input').first();
  await eventually('the dialog', async () => (await input.inputValue()).endsWith('/dot.s.svg'));
  const ok = bench.page.locator('.quick-input-widget').getByRole('button', { name: 'OK' });
  await eventually('the file', async () => {
    if (existsSync(file))
      return true;
    await ok.click({ timeout: 2000 });
    return false;
  });
  await eventually('all of it', () => readFileSync(file, 'utf8').endsWith('</svg>\n'));
  const svg = readFileSync(file, 'utf8');
  assert.match(svg, /fill="rgb/);
  assert.doesNotMatch(svg, /var\(|https?:\/\/(?!www\.w3\.org)|<script/);
});

test('it follows the document', async () => {
  await bench.goToTab('dot.s');
  await bench.goToLine(6, 1);
  await bench.page.keyboard.type('    vmulps %ymm0, %ymm0, %ymm0\n');
  await bench.page.keyboard.press('Control+s');
  await eventually('another row an iteration', async () => (await rows()) === rowsOf.after);
  assert.match(await view.locator('#numbers').innerText(), /^7\.00 cycles/); // a chain of an addition, whose load does not wait, and a product
  await bench.picture('pipeline-after-save');
});

test('where there is no region it says so', async () => {
  await bench.goToLine(12, 1);
  await bench.command('mca: Show Pipeline');
  await eventually('the reason', async () => /No region/.test(await view.locator('#title').innerText()));
  assert.equal(await view.locator('#picture').isVisible(), false);
  await bench.goToLine(6, 1);
  await bench.command('mca: Show Pipeline');
  await eventually('the rows', async () => (await rows()) === rowsOf.after);
});

test('it takes the colours of the theme, high contrast included', async () => {
  for (const [name, theme, kind] of [
    ['light', 'Light Modern', 'vscode-light'],
    ['high-contrast', 'Dark High Contrast', 'vscode-high-contrast'],
    ['high-contrast-light', 'Light High Contrast', 'vscode-high-contrast-light'],
    ['dark', 'Dark Modern', 'vscode-dark'],
  ]) {
    await bench.goToTab('dot.s');
    await bench.chooseTheme(theme);
    await eventually(theme, async () => (await view.locator('body').getAttribute('class')).split(' ').includes(kind));
    const colours = await view.locator('#picture').evaluate((svg) =>
      ['wait', 'execute', 'dispatch', 'retire'].map((phase) => getComputedStyle(svg.querySelector(`.cell.${phase}`)).fill));
    assert.equal(new Set(colours).size, colours.length, `${theme}: ${colours}`);
    await view.locator('#picture').press('a');
    await view.locator('.row').nth(7).locator('.cell.execute').click();
    await bench.picture(`pipeline-${name}`);
    await view.locator('#picture').press('a');
  }
});

test('its page may load nothing but its own two files, and asks nothing of another machine', async () => {
  const policy = await view.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  assert.match(policy, /^default-src 'none'; style-src \S+( \S+)*; script-src 'nonce-[^']+'$/);
  const outside = [...bench.webviewHosts].filter((host) => !['', '127.0.0.1', 'localhost'].includes(host) && !host.endsWith('.vscode-resource.vscode-cdn.net'));
  assert.ok(bench.webviewHosts.size > 0);
  assert.deepEqual(outside, []);
});
