// The server in Emacs: what ctest runs as editors.emacs, with the Emacs of Debian 13 and the server that users unpack.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { Debian } from './debian.mjs';

test("Emacs of Debian's trixie", async (t) => {
  const debian = new Debian('trixie');
  t.diagnostic(debian.version(t, ['emacs', '--version']));
  const names = ['tests/editors/emacs/run.sh', 'tests/editors/emacs/eglot_test.el', 'docs/editors.md'];
  const files = names.map((name) => [name, readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')]);
  const home = debian.home(t, Object.fromEntries(files));
  const emacs = debian.start(home, 'exec tests/editors/emacs/run.sh emacs /opt/mca-lsp/bin/mca-lsp');
  assert.equal(await emacs.ended, 0, emacs.log);
  assert.match(emacs.log, /Ran 2 tests, 2 results as expected/);
});
