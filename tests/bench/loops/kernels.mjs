// What the sources of the kernels say of them.
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/**
 * The kernels of a text: { name, line, first, last }, in its order. `line` is that of the judged loop, `first` and
 * `last` those of what belongs to the kernel; lines begin at 1.
 */
export function readKernels(text) {
  const kernels = [];
  let judged;
  let first = 1;
  text.split('\n').forEach((content, i) => {
    if (/\/\/ judged$/.test(content)) {
      if (judged !== undefined) throw new Error(`lines ${judged} and ${i + 1} are judged, and there is no KERNEL between them`);
      judged = i + 1;
    }
    const name = /^KERNEL\((\w+),/.exec(content)?.[1];
    if (!name) return;
    if (judged === undefined) throw new Error(`no loop of ${name} is judged`);
    kernels.push({ name, line: judged, first, last: i + 1 });
    judged = undefined;
    first = i + 2;
  });
  return kernels;
}

/**
 * The kernels of the files: { kernel, kind, file, line, first, last, source }. The kind is the file's name; `source` is
 * a hash of the kernel's text: a measurement of another text is not one of this kernel.
 */
export function kernelsOf(files) {
  return files.flatMap((file) => {
    const text = fs.readFileSync(file, 'utf8');
    const lines = text.split('\n');
    return readKernels(text).map(({ name, ...place }) => ({
      ...{ kernel: name, kind: path.basename(file, '.c'), file },
      ...place,
      source: crypto.createHash('sha256').update(lines.slice(place.first - 1, place.last).join('\n')).digest('hex').slice(0, 16),
    }));
  });
}
