// Repositories whose configuration names programs, or that lead out of the folder. The server reads one object of HEAD, to
// compare with it, and does nothing else.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { SUM } from '../world.mjs';

const SLOWER = SUM.replace('* 3', '* 3 / 7');

function git(folder, world, ...words) {
  const env = { PATH: process.env.PATH, HOME: world.home, GIT_CONFIG_NOSYSTEM: '1' };
  execFileSync('git', words, { cwd: folder.at, env, stdio: 'ignore' });
}

/** A repository whose HEAD has another text than the file. */
function repository(folder, world) {
  folder.write('a.c', SLOWER);
  folder.program('evil');
  git(folder, world, 'init', '-q', '-b', 'main');
  git(folder, world, 'add', 'a.c');
  git(folder, world, 'commit', '-q', '-m', 'slower');
  folder.write('a.c', SUM);
}

/** `blind`: git finds no version to compare with. */
const poisoned = (name, make, { blind = false, ...more } = {}) => ({
  name,
  make(folder, world) {
    repository(folder, world);
    make(folder, world);
  },
  hints: /cyc/,
  also: (session, folder) => (blind ? session.withoutGit() : session.editor.until(() => isCompared(session, folder), 'a comparison with HEAD')),
  ...more,
});

async function isCompared(session, folder) {
  return /HEAD/.test(JSON.stringify(await session.editor.hover(folder.path('a.c'), 2, 3)));
}

/** The configuration, added to the one that git made. */
const configured = (name, text, more) =>
  poisoned(name, (folder) => fs.appendFileSync(folder.path('.git/config'), text.replaceAll('EVIL', folder.path('evil'))), more);

export const cases = [
  poisoned('nothing: what is compared', () => {}),
  configured('a monitor of the file system', '[core]\n\tfsmonitor = EVIL\n\tuntrackedCache = true\n'),
  configured('hooks in another folder', '[core]\n\thooksPath = .\n'),
  poisoned('hooks', (folder) => ['post-checkout', 'pre-commit', 'fsmonitor-watchman', 'post-index-change'].forEach((one) => folder.program(`.git/hooks/${one}`))),
  configured('filters', '[filter "x"]\n\tsmudge = EVIL\n\tclean = EVIL\n\tprocess = EVIL\n\trequired = true\n', { attributes: '* filter=x\n' }),
  configured('a converter to text, and a program for differences', '[diff "x"]\n\ttextconv = EVIL\n\tcommand = EVIL\n[diff]\n\texternal = EVIL\n', { attributes: '* diff=x\n' }),
  configured('programs of all kinds', [
    '[core]\n\tsshCommand = EVIL\n\tpager = EVIL\n\teditor = EVIL\n\tgitProxy = EVIL\n\taskPass = EVIL\n\talternateRefsCommand = EVIL\n',
    '[credential]\n\thelper = !EVIL\n[gpg]\n\tprogram = EVIL\n[pager]\n\tcat-file = EVIL\n[alias]\n\tcat-file = !EVIL\n[trace2]\n\tnormalTarget = EVIL.log\n',
  ].join('')),
  configured('a remote that has the missing objects', '[remote "origin"]\n\turl = ext::EVIL\n\tpromisor = true\n\tpartialclonefilter = blob:none\n\tuploadpack = EVIL\n[extensions]\n\tpartialClone = origin\n[core]\n\trepositoryformatversion = 1\n', { losesObjects: true, blind: true }),
  poisoned('configuration from outside', (folder) => {
    folder.write('more.config', `[core]\n\tfsmonitor = ${folder.path('evil')}\n\tpager = ${folder.path('evil')}\n`);
    fs.appendFileSync(folder.path('.git/config'), `[include]\n\tpath = ../more.config\n[includeIf "gitdir:**"]\n\tpath = ../more.config\n`);
  }),
  poisoned('configuration that is the key', (folder, world) => fs.appendFileSync(folder.path('.git/config'), `[include]\n\tpath = ${world.key}\n`), { blind: true }),
  poisoned('configuration that is a FIFO', (folder) => {
    folder.fifo('more.config');
    fs.appendFileSync(folder.path('.git/config'), '[include]\n\tpath = ../more.config\n');
  }, { blind: true }),
  poisoned('objects of another repository', (folder, world) => folder.write('.git/objects/info/alternates', `${world.home}\n${folder.path('.git/objects')}\n`)),
  poisoned('replaced objects', (folder, world) => {
    folder.write('b.c', SUM);
    git(folder, world, 'add', 'b.c');
    git(folder, world, 'replace', ':a.c', ':b.c');
  }),
  poisoned('another worktree', (folder, world) => fs.appendFileSync(folder.path('.git/config'), `[core]\n\tworktree = ${world.home}\n`), { blind: true }),
  poisoned('a .git that is a file', (folder) => {
    fs.renameSync(folder.path('.git'), folder.path('elsewhere'));
    folder.write('.git', 'gitdir: elsewhere\n');
  }),
  poisoned('a .git that is the key', (folder, world) => {
    fs.rmSync(folder.path('.git'), { recursive: true });
    folder.write('.git', `gitdir: ${world.key}\n`);
  }, { blind: true }),
  poisoned('a HEAD that is a FIFO', (folder) => {
    fs.rmSync(folder.path('.git/HEAD'));
    folder.fifo('.git/HEAD');
  }, { blind: true }),
  poisoned('a HEAD that is /dev/zero', (folder) => {
    fs.rmSync(folder.path('.git/HEAD'));
    folder.link('.git/HEAD', '/dev/zero');
  }, { blind: true }),
  poisoned('a branch that is a FIFO', (folder) => {
    fs.rmSync(folder.path('.git/refs/heads/main'));
    folder.fifo('.git/refs/heads/main');
  }, { blind: true }),
  poisoned('an index that is a FIFO', (folder) => {
    fs.rmSync(folder.path('.git/index'));
    folder.fifo('.git/index');
  }),
  poisoned('submodules', (folder) => {
    folder.write('.gitmodules', `[submodule "x"]\n\tpath = x\n\turl = ext::${folder.path('evil')}\n\tupdate = !${folder.path('evil')}\n`);
    fs.appendFileSync(folder.path('.git/config'), `[submodule]\n\trecurse = true\n[submodule "x"]\n\turl = ext::x\n\tupdate = !${folder.path('evil')}\n`);
  }),
];
for (const one of cases) {
  const { make } = one;
  if (one.attributes)
    one.make = (folder, world) => {
      make(folder, world);
      folder.write('.gitattributes', one.attributes);
      folder.write('.git/info/attributes', one.attributes);
    };
  if (one.losesObjects)
    one.make = (folder, world) => {
      make(folder, world);
      fs.rmSync(folder.path('.git/objects'), { recursive: true });
      fs.mkdirSync(folder.path('.git/objects'));
    };
}
