// docs/demo.svg shows what `./dev demo` prints today.
//
//   node demo_picture.mjs MCA_LSP
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const files = ['dot.s', 'mean.cpp', 'checksum.c'].map((name) => `docs/demo/${name}`);
const shown = spawnSync(process.argv[2], ['--log=error', '--check', '--annotate', '--color=always', ...files], {
  cwd: root,
  maxBuffer: 1 << 24,
});
const picture = execFileSync('node', ['docs/demo/picture.mjs'], { cwd: root, input: shown.stdout, encoding: 'utf8' });
if (picture !== readFileSync(join(root, 'docs/demo.svg'), 'utf8')) {
  console.error('docs/demo.svg is old: ./dev demo --color=always | node docs/demo/picture.mjs >docs/demo.svg');
  process.exitCode = 1;
}
