// The server in Kate, set up by what docs/editors.md prints: what Kate and the server say to each other, and pictures of the
// window to look at, in which the boxes of hints are counted.
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { Debian, pictures, until } from './debian.mjs';
import { snippets } from './page.mjs';
import { lastNotification, recorder, resultsOf } from './recording.mjs';
import { assembly, source } from './samples.mjs';

const [forAssembly, forSources] = snippets('docs/editors.md', 'Kate', 'json', 2);
const [options] = snippets('docs/editors.md', 'Kate', 'ini', 1);

/** An X server takes the first free number and writes it down; Kate ends with its session's bus. */
const session = `mkdir -p -m 1777 /tmp/.X11-unix && mkdir -m 700 run && export XDG_RUNTIME_DIR=$HOME/run || exit
Xvfb -displayfd 3 -screen 0 1000x700x24 -nolisten tcp 3>display &
until [ -s display ]; do sleep 0.1; done
DISPLAY=:$(cat display) exec dbus-run-session -- kate --block "$1"`;

// Of Kate 25.04 with its first colours and font, in pixels.
const [firstLine, lineHeight] = [95, 14];
const middleOf = (line) => firstLine + (line - 0.5) * lineHeight;
const [boxColour, underlineColour] = ['#E8E8E8', '#D0B367'];

class Kate {
  static async open(t, debian, settings, name, text) {
    const home = debian.home(t, { ...recorder, '.config/kate/lspclient/settings.json': settings, '.config/katerc': options, [`src/${name}`]: text });
    const kate = new Kate(debian, home);
    kate.child = debian.start(home, session, [`src/${name}`]);
    await until(() => kate.display(), 'an X server', () => kate.child.log);
    const display = kate.display();
    t.after(() => {
      for (const file of [`.X${display}-lock`, `.X11-unix/X${display}`]) rmSync(path.join(debian.root, 'tmp', file), { force: true });
    });
    return kate;
  }

  constructor(debian, home) {
    Object.assign(this, { debian, home });
  }

  display() {
    try {
      return readFileSync(path.join(this.home.outside, 'display'), 'utf8').trim();
    } catch {
      return '';
    }
  }

  x(...args) {
    return this.debian.run(this.home, args, { DISPLAY: `:${this.display()}` });
  }

  key(name) {
    this.x('xdotool', 'key', name);
  }

  /** Answers Kate's question whether it may start the server. */
  async allow() {
    const isAsked = () => {
      try {
        return this.x('xdotool', 'search', '--onlyvisible', '--name', 'LSP server start requested');
      } catch {
        return false; // xdotool fails if there is none
      }
    };
    await until(isAsked, "Kate's question", () => this.child.log);
    const isStarted = () => resultsOf(this.home, 'initialize').length === 1;
    // A key that comes before the question has the focus is lost.
    for (let presses = 0; presses < 10 && isAsked(); ++presses) {
      this.key('Return');
      await until(isStarted, 'the start of the server', undefined, 3_000).catch(() => undefined);
    }
    await until(isStarted, 'the start of the server', () => this.child.log);
  }

  /** Looks at the window: `name` is that of a picture which stays. */
  look(name = 'now') {
    this.x('import', '-window', 'root', `${this.home.inside}/${name}.png`);
    if (name === 'now') return;
    mkdirSync(pictures, { recursive: true });
    cpSync(path.join(this.home.outside, `${name}.png`), path.join(pictures, `kate-${name}.png`));
  }

  /** A property of lines of the text in the last look, such as a digest; from `first` to `last`. */
  ofLines(first, last, format, output = 'info:') {
    const crop = `515x${(last - first + 1) * lineHeight}+84+${firstLine + (first - 1) * lineHeight}`;
    return this.x('convert', `${this.home.inside}/now.png`, '-crop', crop, '+repage', '-format', format, output);
  }

  /** How many points of a line have one of Kate's colours. */
  points(line, colour) {
    this.look();
    const row = this.ofLines(line, line, '%c', 'histogram:info:').split('\n').find((one) => one.includes(colour));
    return row ? Number(/\d+/.exec(row)[0]) : 0;
  }

  shows(line, colour, least) {
    return until(() => this.points(line, colour) >= least, `${least} points of ${colour} on line ${line}`, () => (this.look('failure'), ''));
  }

  /** The hints of the server's last answer, each as its text. */
  hints() {
    const texts = (resultsOf(this.home, 'textDocument/inlayHint').at(-1) ?? []).map((hint) => hint.label.map((part) => part.value).join(''));
    return texts.length ? texts : undefined;
  }

  /** Waits for a hint: in the server's last answer, and as a grey box behind the text of its line. */
  async hint(line, pattern) {
    await until(() => pattern.test(this.hints()?.join('\n') ?? ''), `a hint ${pattern}`, () => `${this.hints()}\n${this.child.log}`);
    await this.shows(line, boxColour, 700);
  }

  /** Waits for a finding: in what the server sent, and as a line below the text. */
  async finding(line, pattern) {
    const found = () => lastNotification(this.home, 'textDocument/publishDiagnostics')?.diagnostics ?? [];
    await until(() => found().some((one) => one.range.start.line === line - 1 && pattern.test(one.message)), `a finding ${pattern}`, () => JSON.stringify(found()));
    await this.shows(line, underlineColour, 10);
  }
}

async function assemblyWorks(t, debian) {
  const kate = await Kate.open(t, debian, forAssembly, 'sum.s', assembly('skylake'));
  await kate.allow();
  await kate.hint(4, /^IPC [\d.]+ · 4\.0 cyc · dep$/);
  await kate.finding(4, /limited by a loop-carried chain through ymm0/);
  kate.look('assembly');
  // The pointer on a line brings up what the server says about it, below that line.
  const below = kate.ofLines(6, 9, '%#');
  kate.x('xdotool', 'mousemove', '105', String(middleOf(4)));
  await until(() => resultsOf(kate.home, 'textDocument/hover').some((hover) => /Limited by a loop-carried chain/.test(hover?.contents.value)), 'a hover');
  await until(() => (kate.look(), kate.ofLines(6, 9, '%#') !== below), 'the hover on the screen');
  kate.look('hover');
  // A faster loop; Kate asks for the edited line alone until the file is reloaded.
  kate.x('xdotool', 'mousemove', '400', String(middleOf(5)), 'click', '1');
  kate.x('xdotool', 'key', '--repeat', String('%ymm0, %ymm0'.length), 'BackSpace');
  kate.x('xdotool', 'type', '%ymm1, %ymm0');
  kate.key('ctrl+s');
  await until(() => readFileSync(path.join(kate.home.outside, 'src/sum.s'), 'utf8').includes('%ymm1, %ymm0'), 'the saved file');
  kate.key('F5');
  await kate.hint(4, /· 1\.0\d? cyc/);
}

async function sourceWorks(t, debian) {
  const kate = await Kate.open(t, debian, forSources, 'sum.c', source('skylake'));
  await kate.allow();
  await kate.hint(4, /cyc\/iter · dep/);
  await kate.finding(4, /limited by a loop-carried chain/);
  kate.look('c');
}

async function settingsArrive(t, debian) {
  const kate = await Kate.open(t, debian, forAssembly, 'sum.s', assembly());
  await kate.allow();
  await kate.hint(4, /· 3\.0 cyc · dep/);
}

test("Kate of Debian's trixie", async (t) => {
  const debian = new Debian('trixie');
  const home = debian.home(t, {});
  t.diagnostic(debian.run(home, ['kate', '--version'], { QT_QPA_PLATFORM: 'offscreen' }).trim());
  await t.test('assembly', (t2) => assemblyWorks(t2, debian));
  await t.test('C', (t2) => sourceWorks(t2, debian));
  await t.test('settings', (t2) => settingsArrive(t2, debian));
});
