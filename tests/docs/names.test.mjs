// Commands and options that the pages name in their text are there: those of ./dev in what `./dev help` prints, those of the
// programs in what they print for --help.
//
// MCA_PROGRAMS is the folder with mca, mca-lsp, mca-measure and mca-worker.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { blocksOf, pages, root, textOf } from './pages.mjs';

const outputOf = (program, ...options) => execFileSync(path.resolve(root, program), options, { encoding: 'utf8' });
const programNamed = (name) => path.join(process.env.MCA_PROGRAMS, name);

/** The command lines of `program` in a page: in its text between backquotes, and in its blocks. */
function commandLines(page, program) {
  const prose = textOf(page).replace(/^ *```[^]*?^ *```$/gm, '');
  const spans = [...prose.matchAll(/`([^`]+)`/g)].map((match) => match[1].replace(/\s+/g, ' '));
  const lines = blocksOf(page).flatMap(({ text }) => text.split('\n')).map((line) => line.replace(/^\$ |#.*/g, ''));
  return [...spans, ...lines].filter((line) => line.startsWith(`${program} `)).map((line) => line.split(' -- ')[0]);
}

/** Fails with the command lines of `program` for which `wordsOf` finds a word that is not in `known`. */
function checkWords(program, wordsOf, known) {
  let count = 0;
  for (const page of pages)
    for (const line of commandLines(page, program))
      for (const word of wordsOf(line)) {
        ++count;
        assert.ok(known.has(word), `${page}: \`${line}\`: ${program} knows no ${word}`);
      }
  assert.ok(count, `no page has a command line of ${program}`);
}

/** `-json-full` of `--json-full` and `-json-full=…`. */
const optionsIn = (text) => [...text.matchAll(/(?<![\w-])--?([a-zA-Z][\w-]*)/g)].map((match) => `-${match[1]}`);
const without = (line) => line.replace(/'[^']*'|"[^"]*"/g, '');

test('the options of mca-lsp in the pages are its own', () => {
  checkWords('mca-lsp', (line) => optionsIn(without(line)), new Set(optionsIn(outputOf(programNamed('mca-lsp'), '--help'))));
});

test('the options of mca in the pages are its own', () => {
  const hidden = outputOf(programNamed('mca'), '--help-hidden');
  checkWords('mca', (line) => optionsIn(without(line)), new Set(optionsIn(hidden)));
});

test('the commands of mca-measure in the pages are its own, with their options', () => {
  const measure = programNamed('mca-measure');
  const commands = [...outputOf(measure, '--help').matchAll(/^  (\w+) +- /gm)].map((match) => match[1]);
  const options = commands.flatMap((command) => optionsIn(outputOf(measure, command, '--help')));
  checkWords('mca-measure', (line) => [line.split(' ')[1], ...optionsIn(line)], new Set([...commands, ...options]));
});

test('./dev help names each of its commands that the pages name', () => {
  const help = outputOf('dev', 'help');
  const listed = [...help.matchAll(/^  ([a-z][a-z-]*)(?: ([a-z]+))?/gm)];
  const commands = listed.flatMap(([, command, second]) => [command, `${command} ${second}`]);
  const benchmarks = [...help.matchAll(/\b([a-z]+):/g)].map((match) => `bench ${match[1]}`);
  checkWords('./dev', devCommands, new Set([...commands, ...benchmarks]));
});

/** The command, and for those that have commands of their own, that with its command. */
function devCommands(line) {
  const [, command, second] = line.split(' ');
  return ['test', 'bench'].includes(command) && /^[a-z]+$/.test(second ?? '') ? [command, `${command} ${second}`] : [command];
}
