// The programs under test, as the scripts find them: in the PATH.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** MCA_PROGRAMS is their folder: ./dev test fleet. */
export const folder = path.resolve(process.env.MCA_PROGRAMS);
export const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };

/** The options of docs/fleet.md. */
export const options = ['--cpu=znver4', '--calibration=off'];

/** Budgets of the project are exceeded: the status of a run that is as it should be. */
export const kFailed = 3;

/** The result of `mca-lsp --check` in a folder, in bytes. */
export function check(cwd, ...args) {
  const { status, stdout, stderr } = spawnSync('mca-lsp', ['--check', ...args], { cwd, env, maxBuffer: 1 << 30 });
  assert.ok(status === 0 || status === kFailed, `mca-lsp --check ${args.join(' ')}: ${status}\n${stderr}`);
  return { status, stdout };
}

/** The same project on one machine in one run, by the names of the results that the scripts write. */
export function oneRun(cwd, files = { 'mca.json': 'json', 'mca.sarif': 'sarif', 'mca.txt': 'text' }) {
  const whole = {};
  for (const [name, format] of Object.entries(files)) {
    const { status, stdout } = check(cwd, '--compile-commands', 'build', ...options, '--format', format);
    assert.equal(status, kFailed, 'the project has budgets that are exceeded');
    whole[name] = stdout;
  }
  return whole;
}

/** Where two results differ first, or nothing. */
export function difference(name, a, b) {
  if (a.equals(b)) return undefined;
  const at = a.findIndex((byte, i) => byte !== b[i]);
  const show = (bytes) => JSON.stringify(bytes.subarray(Math.max(at - 80, 0), at + 80).toString());
  return `${name} differs at byte ${at} of ${a.length} and ${b.length}:\n${show(a)}\n${show(b)}`;
}
