// What the compilers' own records say of the loops that they looked at, read without the product's code: clang's YAML,
// gcc's JSON. A decision is what one look at a loop ended with.
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Remarks of clang's vectorizer that give no reason, or are about scalar iterations side by side. */
const NO_REASON = /^(MissedDetails|Interleaving.*|VectorMixedPrecision)$/;
/** Analyses after which clang's vectorizer looks at the next loop without another remark. They name the loop's head. */
const CLOSES = /^(AllDisabled|PotentiallyFaultingLoadsNotSupported|UncountableEarlyExit.*|VectorizationNotBeneficial|Interleaving.*)$/;

/** The flags with which a compile writes its record, and the one that it then reads: [{ function, head, vectorized, reasons: [{ name, at }] }]. */
export const RECORDS = {
  clang: { flags: (stem) => ['-fsave-optimization-record', `-foptimization-record-file=${stem}.yaml`], read: readClangs },
  gcc: { flags: (stem) => ['-fsave-optimization-record', `-fopt-info-vec-note-optimized-missed-internals=${stem}.txt`], read: readGccs },
};

const unquoted = (word) => (word.startsWith("'") ? word.slice(1, -1).replaceAll("''", "'") : word.startsWith('"') ? JSON.parse(word) : word);

/** The remarks of a YAML record: { kind, pass, name, function, at }, without their arguments. */
function* remarksOf(text) {
  for (const part of text.split(/^--- !/m).slice(1)) {
    const field = (name) => unquoted(new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(part)?.[1] ?? '');
    const place = /^DebugLoc:\s+\{ File: (.*?),\s+Line: (\d+),\s+Column: (\d+) \}/ms.exec(part.split(/^Args:/m)[0]);
    yield { kind: /^\w+/.exec(part)[0], pass: field('Pass'), name: field('Name'), function: field('Function'),
      at: place ? { file: unquoted(place[1].trim()), line: Number(place[2]), column: Number(place[3]) } : undefined };
  }
}

function readClangs(stem) {
  const decisions = [];
  const open = new Map();
  const text = fs.readFileSync(`${stem}.yaml`, 'utf8');
  fs.rmSync(`${stem}.yaml`);
  for (const { kind, pass, name, function: inside, at } of remarksOf(text)) {
    if (!['loop-vectorize', ''].includes(pass) || name === 'VectorMixedPrecision') continue;
    const reasons = open.get(inside) ?? [];
    open.set(inside, reasons);
    if (kind !== 'Passed' && !NO_REASON.test(name)) reasons.push({ name, at });
    const isOver = ['Passed', 'Missed', 'Failure'].includes(kind) || CLOSES.test(name);
    if (!isOver || !at) continue;
    open.delete(inside);
    // What is said of interleaving comes after what is said of vectors.
    const last = decisions.at(-1);
    const isMore = last && !last.vectorized && (/^Interleav/.test(name) || CLOSES.test(name)) && last.function === inside && sameAt(last.head, at) &&
      reasons.every((one) => last.reasons.some((other) => other.name === one.name) || CLOSES.test(one.name));
    if (isMore) last.reasons.push(...reasons);
    else decisions.push({ function: inside, head: at, vectorized: kind === 'Passed' && name === 'Vectorized', reasons });
  }
  return decisions;
}

const sameAt = (a, b) => a.file === b.file && a.line === b.line && a.column === b.column;

/** All records below these ones. */
const below = (records) => (records ?? []).flatMap((one) => [one, ...below(one.children)]);

/**
 * The JSON has the functions, and of most reasons no words; the messages have the words, in the same order. A reason of
 * the messages may be one of several: gcc tries several kinds of vectors.
 */
function readGccs(stem) {
  const file = fs.readdirSync(path.dirname(stem)).map((name) => path.join(path.dirname(stem), name))
    .find((name) => (name.startsWith(`${stem}-`) || name.startsWith(`${stem}.`)) && name.endsWith('.opt-record.json.gz'));
  const [, passes, records] = JSON.parse(gunzipSync(fs.readFileSync(file)));
  const messages = fs.existsSync(`${stem}.txt`) ? readMessages(fs.readFileSync(`${stem}.txt`, 'utf8')) : [];
  fs.rmSync(file);
  fs.rmSync(`${stem}.txt`, { force: true });
  const isVectorizer = new Map(below(passes).map(({ id, name }) => [id, name === 'vect']));
  const ends = records.filter(({ pass, kind, message }) => isVectorizer.get(pass) &&
    ((kind === 'failure' && message[0]?.startsWith?.("couldn't vectorize loop")) || (kind === 'success' && message[0]?.startsWith?.('loop vectorized'))));
  if (ends.length !== messages.length) throw new Error(`${stem}: ${ends.length} decisions in the record, ${messages.length} in the messages`);
  return ends.map(({ function: inside, location: head }, i) => ({ function: inside, head, ...messages[i] }));
}

/** [{ vectorized, reasons }]: steps are indented and come before what they end with, results after it. */
function readMessages(text) {
  const decisions = [];
  let steps = [];
  for (const line of text.split('\n')) {
    const match = /^(.*?):(\d+):(\d+): (missed|optimized|note):\s( *)(.*)$/.exec(line);
    if (!match) continue;
    const [, file, row, column, kind, indent, words] = match;
    const at = { file, line: Number(row), column: Number(column) };
    const isDone = kind === 'optimized' && words.startsWith('loop vectorized');
    if (words.startsWith('=== analyze_loop_nest')) steps = [];
    else if (isDone || words.startsWith("couldn't vectorize loop")) {
      decisions.push({ vectorized: isDone, reasons: isDone ? [] : steps });
      steps = [];
    } else if (kind === 'missed' && indent) steps.push({ name: words, at });
    else if (kind === 'missed') decisions.at(-1)?.reasons.push({ name: words, at });
  }
  return decisions;
}
