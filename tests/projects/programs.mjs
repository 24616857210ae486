// Programs that the script runs: their end is a value, and nothing of their output is lost.
import { spawn } from 'node:child_process';

/** { status, output, errors }; `input` goes to standard input. */
export function run(program, args, { cwd, input, env } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
    const output = [];
    const errors = [];
    child.stdout.on('data', (data) => output.push(data));
    child.stderr.on('data', (data) => errors.push(data));
    child.on('error', (error) => resolve({ status: -1, output: '', errors: `${program}: ${error.message}` }));
    child.on('close', (status) =>
      resolve({ status, output: Buffer.concat(output).toString(), errors: Buffer.concat(errors).toString() }));
    child.stdin.on('error', () => {}); // it ended before it had read everything
    child.stdin.end(input ?? '');
  });
}

/** The same; a status other than 0 is an error of the script. */
export async function must(program, args, options = {}) {
  const result = await run(program, args, options);
  if (result.status !== 0)
    throw new Error(`${program} ${args.join(' ')}: status ${result.status}\n${(result.errors || result.output).slice(-2000)}`);
  return result.output;
}

/** `action` on each item, `width` at the same time; the results in the order of the items. */
export async function inParallel(items, width, action) {
  const results = new Array(items.length);
  let next = 0;
  const work = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await action(items[index], index);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return results;
}
