// Compile commands: read from a database or from what `make -n` prints, and turned into the script's own runs of the
// same compiler.
import fs from 'node:fs';
import path from 'node:path';

/** The words of a shell's command line, without expansions. */
export function shellWords(line) {
  const words = [];
  let word;
  for (let i = 0; i < line.length; ++i) {
    const c = line[i];
    if (c === "'" || c === '"') {
      const end = closingQuote(line, i);
      word = (word ?? '') + (c === "'" ? line.slice(i + 1, end) : line.slice(i + 1, end).replace(/\\(["\\$`])/g, '$1'));
      i = end;
    } else if (/\s/.test(c)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + (c === '\\' ? line[++i] ?? '' : c);
    }
  }
  return word === undefined ? words : [...words, word];
}

function closingQuote(line, begin) {
  const quote = line[begin];
  let at = begin + 1;
  while (at < line.length && line[at] !== quote) at += quote === '"' && line[at] === '\\' ? 2 : 1;
  return at;
}

const SOURCE = /\.(c|cc|cpp|cxx|S|s)$/;

export const isAssembly = (file) => /\.[Ss]$/.test(file);

const COMPILER = /(^|[/-])(gcc|g\+\+|cc|clang|clang\+\+)(-\d+)?$/;

/** The entries of a database for what `make -n` prints in `directory`. */
export function entriesOfMake(output, directory) {
  const entries = [];
  for (const command of output.replace(/\\\n/g, ' ').split(/\n|;|&&/)) {
    const words = shellWords(command);
    const file = words.find((word, i) => SOURCE.test(word) && words[i - 1] !== '-o');
    if (COMPILER.test(words[0] ?? '') && words.includes('-c') && file) entries.push({ directory, file, arguments: words });
  }
  return entries;
}

/** The first entry of each file below one of the folders: one file, one command. Files are named without links. */
export function oneEntryPerFile(entries, folders) {
  const byFile = new Map();
  for (const entry of entries) {
    const named = path.resolve(entry.directory, entry.file);
    if (!SOURCE.test(named) || !fs.existsSync(named)) continue;
    const file = fs.realpathSync(named);
    if (folders.some((folder) => file.startsWith(folder + path.sep)) && !byFile.has(file)) byFile.set(file, { ...entry, file, named });
  }
  return [...byFile.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Flags with a value of their own that say where results go. */
const OUTPUT = new Set(['-o', '-MF', '-MT', '-MQ']);
const DROPPED = new Set(['-c', '-MD', '-MMD', '-MP', '-g', '-fdiagnostics-color=always']);

/** A run of the entry's compiler with the flags that matter for code; `extra` says what it is to write. */
export function commandOf(entry, extra) {
  const words = entry.arguments ?? shellWords(entry.command);
  const flags = [];
  for (let i = 1; i < words.length; ++i) {
    if (OUTPUT.has(words[i])) ++i;
    else if (!DROPPED.has(words[i]) && ![entry.file, entry.named].includes(path.resolve(entry.directory, words[i]))) flags.push(words[i]);
  }
  return { program: words[0], arguments: [...flags, ...extra, entry.file], directory: entry.directory, file: entry.file };
}

export const readDatabase = (folder) => JSON.parse(fs.readFileSync(path.join(folder, 'compile_commands.json'), 'utf8'));
