// Pages quote what `mca` prints: each ```console block of docs/ that begins with `$ mca` is what the program prints today.
// Standard output, or the errors if there is none.
//
//   node outputs.mjs MCA [--update]
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const [mca, update] = process.argv.slice(2);
let blocks = 0;
for (const name of readdirSync(join(root, 'docs')).filter((entry) => entry.endsWith('.md'))) {
  const path = join(root, 'docs', name);
  const text = readFileSync(path, 'utf8');
  const checked = text.replace(/```console\n\$ mca (.*)\n([^]*?)```/g, (_, options) => {
    ++blocks;
    const run = spawnSync(mca, options.split(' '), { cwd: root, encoding: 'utf8' });
    return '```console\n$ mca ' + options + '\n' + (run.stdout || run.stderr).trimEnd() + '\n```';
  });
  if (checked === text) continue;
  if (update) writeFileSync(path, checked);
  else {
    console.error(`docs/${name} quotes another output: node tests/docs/outputs.mjs MCA --update`);
    process.exitCode = 1;
  }
}
if (!blocks) {
  console.error('no page quotes any output');
  process.exitCode = 1;
}
