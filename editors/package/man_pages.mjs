// Manual pages, made by help2man of what each program prints for --help, which comes from the tables of its options: an
// option cannot be missing from its page.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from './collect.mjs';

/** The pages: the program, its line for `apropos`, and the subcommands that have a --help. */
const pages = [
  { program: 'mca', about: 'simulate assembly on the scheduling model of a CPU', commands: [] },
  { program: 'mca-lsp', about: 'language server that shows how fast loops run', commands: [] },
  { program: 'mca-measure', about: 'measure code on this CPU, and calibrate its model', commands: ['calibrate', 'check', 'run'] },
];

/**
 * Help as help2man reads it: LLVM's option parser heads its lists in capitals, puts a dash before each description, and
 * lists the values of an option below it with one more.
 */
function asHelp2man(help) {
  return help
    .replace(/^OVERVIEW: /m, '')
    .replace(/^USAGE:/m, 'Usage:')
    .replace(/^(SUBCOMMANDS|OPTIONS):\n/gm, '')
    .replace(/^SUBCOMMAND '.*': /gm, '')
    .replace(/^ +([a-z]+) +- +(.*)$/gm, '  $1: $2\n')
    .replace(/^( +)=(\S*) +- +/gm, '$1  $2: ')
    .replace(/^( +-\S.*?) +- /gm, '$1  ');
}

/** A program that prints the help, under the name that the page is for. */
function makeSpeaker(folder, name, help) {
  const file = path.join(folder, name);
  writeFileSync(`${file}.help`, help);
  writeFileSync(file, `#!/bin/sh\ncat "$0.help"\n`);
  chmodSync(file, 0o755);
  return file;
}

/** The text of help, whose lines for terminals say nothing of this machine. */
function helpOf(programs, system, { program, commands }) {
  const file = path.join(programs, program);
  const speak = (...args) => asHelp2man(run(...system.emulator, file, ...args));
  const own = speak('--help');
  const others = commands.map((command) => {
    const help = speak(command, '--help');
    return `\n${program} ${command}:\n${help.replace(/^.*\n/, '').replace(/^Usage:.*\n/m, '')}`;
  });
  return [own, ...others].join('\n');
}

/** The manual pages of the programs in the folder `programs`: their file names and texts. */
export function manPages(programs, system, version, epoch) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mca-man-'));
  try {
    return pages.map((page) => {
      const speaker = makeSpeaker(folder, page.program, helpOf(programs, system, page));
      const text = run('env', `SOURCE_DATE_EPOCH=${epoch}`, 'LC_ALL=C', 'help2man', '--no-info', '--no-discard-stderr', `--name=${page.about}`,
        `--version-string=${page.program} ${version}`, '--source=mca-lsp', speaker);
      return { name: `${page.program}.1`, text };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
