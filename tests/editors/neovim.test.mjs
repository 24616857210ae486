// The server in Neovim's own client, set up by what docs/editors.md and README.md print. It runs in a terminal: Neovim puts
// hints into the buffer as it draws, so that without a screen there would be none.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { Debian, until } from './debian.mjs';
import { snippets } from './page.mjs';
import { assembly, profileOf, source, sourceWithHintsOfClangd } from './samples.mjs';
import { Terminal } from './terminal.mjs';

const [recent, settings, withClangd, old, documents] = snippets('docs/editors.md', 'Neovim', 'lua', 5);
const [readme] = snippets('README.md', 'Use it', 'lua', 1);
const asks = readFileSync(new URL('neovim/asks.lua', import.meta.url), 'utf8');

class Neovim {
  /** Opens a file of that name and text in a Neovim with `init` as its init.lua. `others`: more files, by their path at home. */
  static async open(t, debian, init, name, text, others = {}) {
    const home = debian.home(t, { '.config/nvim/init.lua': init, 'asks.lua': asks, [`src/${name}`]: text, ...others });
    const neovim = new Neovim(debian, home);
    neovim.terminal = await Terminal.open(debian, home, `nvim -n --listen ~/nvim.sock src/${name}`);
    await until(() => neovim.answers(), 'Neovim', () => neovim.terminal.screen());
    return neovim;
  }

  constructor(debian, home) {
    Object.assign(this, { debian, home });
  }

  ask(name, argument = null) {
    const quoted = [`${this.home.inside}/asks.lua`, name, JSON.stringify(argument)].map((one) => `'${one}'`);
    const expression = `luaeval('dofile(_A[1])(_A[2], vim.json.decode(_A[3]))', [${quoted.join(', ')}])`;
    return JSON.parse(this.debian.run(this.home, ['nvim', '--server', `${this.home.inside}/nvim.sock`, '--remote-expr', expression])).answer;
  }

  answers() {
    try {
      return this.ask('lines').length > 0;
    } catch {
      return false;
    }
  }

  /** Waits for a hint of mca-lsp in the buffer and on the screen, after the text of its line, and for no other hint of ours. */
  async hint(line, pattern) {
    const screen = () => `${this.terminal.screen()}\n${JSON.stringify(this.ask('hints'))}`;
    const hint = await until(() => this.ask('hints').find((one) => one.line === line && pattern.test(one.text)), `the hint ${pattern}`, screen);
    assert.equal(hint.position, 'inline');
    const text = this.ask('lines')[line - 1];
    assert.equal(hint.column, Buffer.byteLength(text), 'at the end of its line');
    await this.terminal.line({ test: (shown) => shown.includes(text.trim() + hint.text) }, `${text}${hint.text} on the screen`);
    const ours = this.ask('hints').filter((one) => /cyc/.test(one.text));
    assert.deepEqual(ours.map((one) => one.line), [line]);
    return hint.text;
  }

  diagnostic(line, pattern) {
    return until(() => this.ask('diagnostics').find((one) => one.line === line && pattern.test(one.message)), `a diagnostic ${pattern}`,
      () => `${this.terminal.screen()}\n${JSON.stringify(this.ask('diagnostics'))}`);
  }

  /** What K shows for a line, in the window and on the screen. */
  async hover(line, pattern) {
    this.ask('goTo', line);
    this.terminal.type('K');
    const text = await until(() => pattern.test(this.ask('floats')) && this.ask('floats'), `a hover ${pattern}`, () => this.terminal.screen());
    await this.terminal.line(pattern);
    this.terminal.press('h'); // a move closes it
    this.ask('goTo', line);
    return text;
  }

  execute(name, args = {}) {
    const reply = this.ask('execute', { name, arguments: args });
    assert.ok(reply && !reply.err && !reply.error, `${name}: ${JSON.stringify(reply)}`);
    return reply.result;
  }

  /** Types into Neovim's command line. */
  command(text) {
    this.terminal.type(`:${text}`);
    this.terminal.press('Enter');
  }
}

async function assemblyWorks(t, debian, init) {
  const neovim = await Neovim.open(t, debian, init, 'sum.s', assembly('skylake'));
  await neovim.hint(4, /^ IPC [\d.]+ · 4\.0 cyc · dep$/);
  const { source: from } = await neovim.diagnostic(4, /limited by a loop-carried chain through ymm0/);
  assert.equal(from, 'mca');
  assert.match(await neovim.hover(4, /Limited by a loop-carried chain/), /IPC [\d.]+ · 4\.0 cyc[^]*vaddps \(%rdi\), %ymm0, %ymm0/);
  // A faster loop.
  neovim.command('5s/%ymm0, %ymm0/%ymm1, %ymm0/');
  await neovim.hint(4, /· 1\.0\d? cyc/);
  await until(() => neovim.ask('diagnostics').every((one) => !/chain/.test(one.message)), 'the end of the old finding');
  // A code action changes the buffer: a load that misses the cache.
  const before = neovim.ask('lines');
  neovim.ask('goTo', 5);
  neovim.ask('act', 'comes from memory');
  const after = await until(() => neovim.ask('lines').length > before.length && neovim.ask('lines'), 'the code action');
  assert.deepEqual(after.filter((line) => !before.includes(line)), ['\t# LLVM-MCA-LATENCY 200', '\t# LLVM-MCA-LATENCY']);
  neovim.command('undo');
  await neovim.hint(4, /· 1\.0\d? cyc/);
}

async function sourceWorks(t, debian, init, recent) {
  const neovim = await Neovim.open(t, debian, init, 'sum.c', source());
  neovim.execute('mca.setCpu', { cpu: 'skylake' });
  const first = await neovim.hint(4, /cyc\/iter · dep/);
  await neovim.diagnostic(4, /limited by a loop-carried chain/);
  await neovim.hover(4, /Limited by a loop-carried chain/);
  // Hints that change while the text stays the same: by a command, and by saving.
  neovim.execute('mca.setCpu', { cpu: 'atom' });
  const other = await neovim.hint(4, { test: (text) => /cyc/.test(text) && text !== first });
  neovim.execute('mca.setCpu', { cpu: 'skylake' });
  await neovim.hint(4, { test: (text) => text === first });
  assert.notEqual(other, first);
  neovim.command('5s/values.i./values[i] * total/');
  neovim.command('write');
  await neovim.hint(4, { test: (text) => /cyc/.test(text) && text !== first });
  assert.equal(neovim.execute('mca.exportJson').files[0].target.cpu, 'skylake');
  neovim.command('5s/total;/undeclared;/');
  neovim.command('write');
  // 0.10 fetches findings when the text changes, and knows no request of the server to do so.
  if (!recent) {
    await until(() => neovim.ask('hints').length === 0, 'the end of the hint');
    neovim.command('1s/$/ with an edit/');
  }
  await neovim.diagnostic(5, /undeclared/);
}

/** The question as a code action, its answer in a window, a change that the answer offers, and undo. */
async function adviceWorks(t, debian, init) {
  const neovim = await Neovim.open(t, debian, init, 'sum.c', source('skylake'));
  const first = await neovim.hint(4, /4\.00 cyc\/iter · dep/);
  const before = neovim.ask('lines');
  neovim.ask('goTo', 4);
  neovim.ask('act', 'What would make this loop faster?');
  const shown = () => neovim.ask('otherWindows').find(({ name }) => name.startsWith('mca:/advice/sum.c.txt'));
  const { text } = await until(() => shown()?.text && shown(), 'the document of advice', () => neovim.terminal.screen());
  assert.match(text, /^What would make this loop faster\?\n\nsum\.c:4: loop in sum\nnow: 4\.00 cyc\/iter, limited by a loop-carried chain/);
  await neovim.terminal.line(/\d\. [\d.]+ cyc\/iter · [\d.]+×/);
  neovim.ask('goTo', 4);
  neovim.terminal.type('K');
  await until(() => /What would make it faster/.test(neovim.ask('floats')), 'the advice in the hover', () => neovim.terminal.screen());
  neovim.terminal.press('h'); // a move closes it
  neovim.ask('goTo', 4);
  neovim.ask('act', '8.0×: let the compiler reorder the floating-point operations');
  const after = await until(() => neovim.ask('lines').join() !== before.join() && neovim.ask('lines'), 'the change', () => neovim.terminal.screen());
  assert.equal(after.length, before.length, 'no line moves');
  assert.match(after.join('\n'), /\{ _Pragma\("clang fp reassociate\(on\)"\) total \+= values\[i\]; \}/);
  neovim.command('write');
  await neovim.hint(4, { test: (label) => / 0\.\d+ cyc\/iter/.test(label) });
  neovim.command('undo');
  await until(() => neovim.ask('lines').join() === before.join(), 'the text before', () => neovim.terminal.screen());
  neovim.command('write');
  await neovim.hint(4, { test: (label) => label === first });
}

/** A profile's share in the hint, and the list of the hot loops. */
async function profileWorks(t, debian, init) {
  const profile = `vim.lsp.config('mca', { settings = { mca = { profile = 'sum.mcaprofile' } } })\n`;
  const neovim = await Neovim.open(t, debian, init + profile, 'sum.c', source('skylake'), { 'src/sum.mcaprofile': profileOf(source('skylake')) });
  assert.match(await neovim.hint(4, /^ [\d.]+ % · 4\.00 cyc\/iter/), /^ 9\d(\.\d)? %/);
  assert.match(await neovim.hover(4, /of the program's time/), /9\d(\.\d)? %/);
  const { text, loops } = neovim.execute('mca.showHotLoops');
  assert.deepEqual(loops.map(({ line, name }) => [line, name]), [[3, 'loop in sum, unrolled ×8']]);
  assert.ok(loops[0].share > 0.9, JSON.stringify(loops));
  assert.match(text, /sum\.c:4/);
}

/** Neovim draws what comes first, so one success proves little. */
async function worksBesideClangd(t, debian, init, recent) {
  for (let round = 1; round <= 4; ++round) {
    const neovim = await Neovim.open(t, debian, init, 'sum.cpp', sourceWithHintsOfClangd);
    await neovim.hint(5, /cyc\/iter · dep/);
    await until(() => neovim.ask('clients').length === 2, 'clangd');
    // 0.10 opens one window for each answer, and jumps into the first.
    if (recent) assert.match(await neovim.hover(6, /This line: |variable/), /variable[^]*This line: |This line: [^]*variable/);
    neovim.command('$s/$/ x/');
    await until(() => neovim.ask('diagnostics').some((one) => /clang/i.test(one.source ?? '')), "clangd's finding", () => JSON.stringify(neovim.ask('diagnostics')));
    await neovim.hint(5, /cyc\/iter · dep/);
    assert.deepEqual(neovim.ask('hints').map((one) => one.line), [5], "clangd's hints are left out");
  }
}

async function settingsArrive(t, debian, init) {
  const neovim = await Neovim.open(t, debian, init, 'sum.s', assembly());
  await neovim.hint(4, /cyc/);
  const { target } = neovim.execute('mca.exportJson').files[0];
  assert.equal(target.cpu, 'znver4');
  assert.equal(target.cpuOrigin, 'set in the configuration');
}

const clangdOld = `vim.api.nvim_create_autocmd('FileType', { pattern = { 'c', 'cpp' }, callback = function()
  vim.lsp.start({ name = 'clangd', cmd = { 'clangd' } })
end })\n`;
const clangdRecent = `vim.lsp.config('clangd', { cmd = { 'clangd' }, filetypes = { 'c', 'cpp' } })\nvim.lsp.enable('clangd')\n`;

const cases = [
  { name: 'docs/editors.md, 0.11 and later', codename: 'forky', version: /v0\.(1[1-9]|[2-9]\d)/, init: recent, clangd: clangdRecent, recent: true, settings: recent + settings },
  { name: 'README.md', codename: 'forky', version: /v0\.(1[1-9]|[2-9]\d)/, init: readme, recent: true },
  { name: 'docs/editors.md, 0.10', codename: 'trixie', version: /v0\.10/, init: old, clangd: clangdOld, settings: old },
];

for (const one of cases)
  test(`Neovim as in ${one.name}`, async (t) => {
    const debian = new Debian(one.codename);
    const version = debian.version(t, ['nvim', '--version']);
    assert.match(version, one.version);
    t.diagnostic(version);
    await t.test('assembly', (t2) => assemblyWorks(t2, debian, one.init));
    await t.test('C', (t2) => sourceWorks(t2, debian, one.init, one.recent));
    await t.test('advice', (t2) => adviceWorks(t2, debian, one.init + documents));
    if (one.recent) await t.test('a profile', (t2) => profileWorks(t2, debian, one.init));
    if (one.settings) await t.test('settings', (t2) => settingsArrive(t2, debian, one.settings));
    if (one.clangd) await t.test('beside clangd', (t2) => worksBesideClangd(t2, debian, one.init + one.clangd + withClangd, one.recent));
  });
