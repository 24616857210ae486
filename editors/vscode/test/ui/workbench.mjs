// A real VS Code in a headless browser: starts code-server with empty profiles, installs the package, and offers what a
// person does and sees. Needs code-server and playwright-core in the folder VSCODE_HOST (./dev test vscode makes it).
import { spawn, execFileSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const host = process.env.VSCODE_HOST;
const { chromium } = createRequire(path.join(host, 'package.json'))('playwright-core');
const codeServer = path.join(host, 'node_modules/code-server/out/node/entry.js');

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks again until `ask` gives something true; throws with `what` when it never does. */
export async function eventually(what, ask, timeoutMs = 40_000) {
  const end = Date.now() + timeoutMs;
  for (let last; ; await sleep(200)) {
    try {
      const answer = await ask();
      if (answer)
        return answer;
      last = answer;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end)
      throw new Error(`timed out: ${what} (last: ${last?.stack ?? JSON.stringify(last)})`);
  }
}

export class Workbench {
  /**
   * `files`: what the workspace holds, by relative path. `trusted`: whether the folder is trusted from the start.
   * `hostTests`: a bundle whose run() runs in the extension host, beside the extension in the folder `beside`.
   * `others`: packages of other extensions that are installed, too. `outside`: a file's name and text, which lies outside
   * of the workspace and is open from the start.
   */
  static async open({ vsix, files, settings = {}, trusted = true, artefacts, environment = {}, hostTests, others = [], outside }) {
    const bench = new Workbench();
    bench.folder = mkdtempSync(path.join(tmpdir(), 'mca-vscode-'));
    bench.workspace = path.join(bench.folder, 'workspace');
    bench.artefacts = artefacts;
    mkdirSync(artefacts, { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(bench.workspace, name)), { recursive: true });
      writeFileSync(path.join(bench.workspace, name), text);
    }
    const user = path.join(bench.folder, 'user', 'User');
    mkdirSync(user, { recursive: true });
    writeFileSync(path.join(user, 'settings.json'), JSON.stringify({ 'mca.calibration': 'off', ...settings }));
    const opened = outside && path.join(bench.folder, outside[0]);
    if (opened)
      writeFileSync(opened, outside[1]);
    await bench.#start([vsix, ...others], trusted, environment, { hostTests, opened });
    return bench;
  }

  file(name) {
    return path.join(this.workspace, name);
  }

  async #start(packages, trusted, environment, { hostTests, opened }) {
    const folders = ['--user-data-dir', path.join(this.folder, 'user'), '--extensions-dir', path.join(this.folder, 'extensions')];
    const installed = packages.flatMap((file) => ['--install-extension', file]);
    execFileSync(process.execPath, [codeServer, ...folders, ...installed], { stdio: 'pipe' });
    this.port = await freePort();
    const flags = ['--auth', 'none', '--bind-addr', `127.0.0.1:${this.port}`, '--disable-telemetry', '--disable-update-check',
      '--disable-getting-started-override', ...(trusted ? ['--disable-workspace-trust'] : [])];
    this.server = spawn(process.execPath, [codeServer, ...flags, ...folders, this.workspace],
      { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: this.folder, ...environment } });
    this.server.stdout.on('data', () => {});
    this.server.stderr.on('data', () => {});
    this.browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
        '--disable-component-update', '--disable-sync'] });
    this.page = await this.browser.newPage({ viewport: { width: 1400, height: 900 }, permissions: ['clipboard-read', 'clipboard-write'] });
    this.webviewHosts = new Set();
    this.page.on('request', (request) => {
      if (!request.serviceWorker() && request.frame() !== this.page.mainFrame())
        this.webviewHosts.add(new URL(request.url()).hostname);
    });
    await eventually('code-server answers', async () => (await fetch(`http://127.0.0.1:${this.port}/healthz`)).ok);
    const remote = (file) => `vscode-remote://127.0.0.1:${this.port}${file}`;
    const payload = [
      ...(hostTests ? [['extensionDevelopmentPath', remote(hostTests.beside)], ['extensionTestsPath', remote(hostTests.bundle)]] : []),
      ...(opened ? [['openFile', remote(opened)]] : []),
    ];
    const query = new URLSearchParams({ folder: this.workspace, payload: JSON.stringify(payload) });
    await this.page.goto(`http://127.0.0.1:${this.port}/?${query}`);
    await this.page.waitForSelector('.monaco-workbench', { timeout: 60_000 });
    await this.page.waitForSelector('.explorer-folders-view .monaco-list-row', { timeout: 60_000 });
  }

  async openFile(name) {
    await this.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first().dblclick();
    await this.page.waitForSelector(`.tab.active[data-resource-name="${name}"]`, { timeout: 20_000 });
  }

  /** Goes to a file that is open, in the group where it is. */
  async goToTab(name) {
    await this.page.locator(`.tab[data-resource-name="${name}"]`).first().click();
    await this.page.waitForSelector(`.editor-group-container.active .tab.active[data-resource-name="${name}"]`, { timeout: 20_000 });
  }

  /** Runs a command of the palette by its title. */
  async command(title) {
    await this.page.keyboard.press('F1');
    const input = this.page.locator('.quick-input-widget input');
    await input.waitFor({ state: 'visible' });
    await input.fill(`>${title}`);
    await this.page.locator('.quick-input-list .monaco-list-row').first().waitFor();
    await this.page.keyboard.press('Enter');
  }

  /** The lines of the active editor that are in view, as shown: hints are part of them. By line number. */
  async lines() {
    return this.page.evaluate(() => {
      const editor = document.querySelector('.editor-group-container.active .monaco-editor') ?? document.querySelector('.monaco-editor');
      const numbers = new Map([...editor.querySelectorAll('.margin-view-overlays > div')].map((row) => [row.style.top, Number(row.querySelector('.line-numbers')?.textContent)]));
      return Object.fromEntries([...editor.querySelectorAll('.view-lines > .view-line')].map((row) => [numbers.get(row.style.top), row.textContent.replaceAll('\u00a0', ' ')]));
    });
  }

  /** The words of a line of the active editor, with the colour of each; hints are left out. */
  async colours(line) {
    await eventually(`line ${line}`, async () => (await this.lines())[line] !== undefined);
    return this.page.evaluate((wanted) => {
      const editor = document.querySelector('.editor-group-container.active .monaco-editor');
      const number = [...editor.querySelectorAll('.margin-view-overlays > div')].find((row) => Number(row.querySelector('.line-numbers')?.textContent) === wanted);
      const row = [...editor.querySelectorAll('.view-lines > .view-line')].find(({ style }) => style.top === number?.style.top);
      const words = [...(row?.querySelectorAll('span[class^="mtk"]') ?? [])].map((span) => [span.textContent.replaceAll('\u00a0', ' ').trim(), getComputedStyle(span).color]);
      return Object.fromEntries(words.filter(([text]) => text));
    }, line);
  }

  /** The name of the language in the status bar. */
  async language() {
    return (await this.page.locator('#status\\.editor\\.mode').innerText()).trim();
  }

  /** The shown line, once it has a hint in it. */
  hint(line, pattern = /cyc/) {
    return eventually(`a hint at line ${line}`, async () => {
      const text = (await this.lines())[line];
      return text && pattern.test(text) ? text : undefined;
    });
  }

  async goToLine(line, column = 1) {
    await this.page.keyboard.press('Control+g');
    const input = this.page.locator('.quick-input-widget input');
    await input.waitFor({ state: 'visible' });
    await input.fill(`:${line}:${column}`);
    await this.page.keyboard.press('Enter');
  }

  /** Changes the colour theme as a person does, from its list. The editor has to have the focus. */
  async chooseTheme(label) {
    await this.page.keyboard.press('Control+k');
    await this.page.keyboard.press('Control+t');
    const row = this.page.locator('.quick-input-list .monaco-list-row', { hasText: label }).first();
    await eventually(label, async () => {
      await this.page.locator('.quick-input-widget input').first().fill(label);
      return row.isVisible();
    });
    await this.page.keyboard.press('Enter');
  }

  /** The page of a webview, of which only one is open. */
  get webview() {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  }

  async picture(name) {
    await this.page.screenshot({ path: path.join(this.artefacts, `${name}.png`) });
  }

  async close() {
    await this.browser?.close();
    this.server?.kill('SIGTERM');
    await new Promise((resolve) => (this.server ? this.server.once('exit', resolve) : resolve()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
