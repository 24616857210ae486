// The drawn pictures show what the programs print today: docs/demo.svg that of `./dev demo`.
//
//   node demo_picture.mjs MCA_LSP
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const pictures = {
  'docs/demo.svg': ['dot.s', 'mean.cpp', 'checksum.c'],
  'docs/images/control-flow.svg': ['positive.s'],
};
for (const [picture, names] of Object.entries(pictures)) {
  const files = names.map((name) => `docs/demo/${name}`);
  const options = ['--log=error', '--calibration=off', '--check', '--annotate', '--color=always', ...files];
  const shown = spawnSync(process.argv[2], options, { cwd: root, maxBuffer: 1 << 24 });
  const drawn = execFileSync('node', ['docs/demo/picture.mjs'], { cwd: root, input: shown.stdout, encoding: 'utf8' });
  if (drawn !== readFileSync(join(root, picture), 'utf8')) {
    const command = `mca-lsp --check --annotate --color=always ${files.join(' ')} | node docs/demo/picture.mjs`;
    console.error(`${picture} is old: ${command} >${picture}`);
    process.exitCode = 1;
  }
}
