// What a person's or an attacker's folder makes "What would make this loop faster?" meet. Whatever it is, the user gets one
// clear word, and an edit that is offered fits the text that the editor has.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';

const { lsp } = createRequire(import.meta.url)('../../transcripts/editor.js');

/** A loop on line 2, counted from 0, that has good advice: its additions may be reordered. */
const FLOATS = `float sum(const float *p, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i];
  return s;
}
`;
const LINE = 2;
const REORDER = /^[\d.]+×: let the compiler reorder the floating-point operations/;
/** The titles of actions that apply advice begin with its gain. */
const GAIN = /^[\d.]+×: /;

// ---- what a user does ------------------------------------------------------------------------------------------------

async function actionsOn(session, file, line) {
  const place = { line, character: 0 };
  const params = { textDocument: { uri: session.editor.uri(file) }, range: { start: place, end: place }, context: { diagnostics: [] } };
  return session.editor.connection.sendRequest(lsp.CodeActionRequest.type, params);
}

/** The lines of a text with their offsets, in UTF-16 units. */
function linesOf(text) {
  let begin = 0;
  return text.split(/(\r\n|\n|\r)/).flatMap((part, i) => {
    const line = i % 2 === 0 ? [{ begin, text: part }] : [];
    begin += part.length;
    return line;
  });
}

function offsetOf(lines, { line, character }) {
  assert.ok(line < lines.length && character <= lines[line].text.length, `${line}:${character} is outside of the document`);
  return lines[line].begin + character;
}

/** The text with the edits of an action, which name the version of the document that the editor has. */
function withEdits(session, file, text, { edit, title }) {
  const [{ textDocument, edits }, ...others] = edit.documentChanges;
  assert.deepEqual(others, [], title);
  assert.deepEqual(textDocument, { uri: session.editor.uri(file), version: session.editor.versions.get(file) }, title);
  const lines = linesOf(text);
  let result = '';
  let done = 0;
  for (const { range, newText } of edits) {
    const [begin, end] = [offsetOf(lines, range.start), offsetOf(lines, range.end)];
    assert.ok(done <= begin && begin <= end, `${title}: edits in order that do not overlap`);
    assert.doesNotMatch(newText, /[\r\n]/, `${title}: no line moves`);
    result += text.slice(done, begin) + newText;
    done = end;
  }
  return result + text.slice(done);
}

/** Asks the question, and looks at all that comes of it. `text` gives what the editor has by then. */
async function advise(session, file, line, text) {
  const { editor } = session;
  const reply = await editor.command('mca.advise', editor.place(file, line)).catch((error) => ({ refused: error.message }));
  const document = reply.uri ? await editor.content(reply.uri) : '';
  const changes = (await actionsOn(session, file, line)).filter(({ title }) => GAIN.test(title));
  const texts = changes.map((action) => withEdits(session, file, text(), action));
  return { reply, document, changes, texts, words: `${reply.refused ?? ''}\n${document}`, hover: await editor.hover(file, line, 4) };
}

/** Waits until the search has analysed the loop as it is, and not much more. */
function hasBegun(session, since) {
  const isOfVersions = ({ message }) => /^\d+ of \d+ versions/.test(message ?? '');
  return session.editor.until(() => session.editor.progress.slice(since).some(isOfVersions), 'the first version');
}

/** Replaces the text of the buffer. */
async function type(state, session, file, text) {
  state.text = text;
  await session.editor.change(file, text);
}

// ---- cases -----------------------------------------------------------------------------------------------------------

/**
 * A document whose loop is asked about. `source` is its text, or makes the folder. `before` happens once it is analysed, `meanwhile`
 * while versions of it are; `changes` names the files that these two change. `words`: what the user is told. `offers`: the
 * title of a change of the text, or false for none. `expects` looks at all that advise() found.
 */
const asked = (name, source, { line = LINE, before, meanwhile, words, offers, expects, open = 'a.c', ...more } = {}) => ({
  name,
  open,
  make: typeof source === 'string' ? (folder) => folder.write(open, source) : source,
  async also(session, folder, file) {
    const state = { text: more.text ?? fs.readFileSync(folder.path(open), 'utf8') };
    await before?.(session, folder, file, state);
    const since = session.editor.progress.length;
    const found = await session.whileAnswering(async () => {
      const question = advise(session, file, line, () => state.text);
      if (meanwhile) {
        await hasBegun(session, since);
        await meanwhile(session, folder, file, state);
      }
      return question;
    });
    if (words) assert.match(found.words, words);
    if (offers === false) assert.deepEqual(found.changes.map(({ title }) => title), [], 'no change is offered');
    if (offers) assert.ok(found.changes.some(({ title }) => offers.test(title)), `${offers} is not offered, but ${found.words}`);
    await expects?.(found, session, folder, file);
  },
  ...more,
});

/** Each offered change leaves a text that compiles, and there are some. */
function compiles({ texts }, session, folder) {
  assert.ok(texts.length > 0, 'changes are offered');
  for (const input of texts) {
    const { status, stderr } = spawnSync('clang-22', ['-fsyntax-only', '-I', folder.at, '-xc', '-'], { input, encoding: 'utf8' });
    assert.equal(status, 0, `${stderr}\n${input}`);
  }
}

const SOURCE_KEPT = /Changes of the loop's text were not tried: it is in a macro or in another file/;
const manyLoops = (count) => Array.from({ length: count }, (_, i) => FLOATS.replace('sum', `sum${i}`)).join('');
const bomb = '#ifdef __AVX2__\n#include "a.c"\n#include "a.c"\n#endif\n';

export const options = { section: { codeLens: { enabled: true } } };

export const cases = [
  asked('a plain loop', FLOATS, {
    offers: REORDER,
    expects(found, session, folder) {
      compiles(found, session, folder);
      assert.match(JSON.stringify(found.hover), /What would make it faster/);
    },
  }),

  // ---- where the loop is
  asked('a loop in a header outside of the project', (folder, world) => {
    world.write('outside/floats.h', `static inline ${FLOATS}`);
    folder.write('a.c', '#include "floats.h"\nfloat f(const float *p, int n) {\n  return sum(p, n);\n}\n');
    folder.database(['clang', '-O2', `-I${world.outside}`, '-c', 'a.c']);
  }, { words: SOURCE_KEPT, offers: false }),
  asked('a loop in a header of the project', (folder) => {
    folder.write('floats.h', `static inline ${FLOATS}`);
    folder.write('a.c', '#include "floats.h"\nfloat f(const float *p, int n) {\n  return sum(p, n);\n}\n');
  }, { words: SOURCE_KEPT, offers: false }),
  asked('a loop that is an #include', (folder) => {
    folder.write('loop.inc', 'for (int i = 0; i < n; ++i)\n  s += p[i];\n');
    folder.write('a.c', FLOATS.replace(/ {2}for[^]*\[i\];/, '#include "loop.inc"'));
  }, { words: SOURCE_KEPT, offers: false }),
  asked('a loop in a macro', `#define SUM for (int i = 0; i < n; ++i) s += p[i];\nfloat sum(const float *p, int n) { float s = 0;\n  SUM\n  return s;\n}\n`, {
    words: SOURCE_KEPT,
    offers: false,
  }),
  asked('a macro as the head of a loop', `#define EACH(n) for (int i = 0; i < (n); ++i)\nfloat sum(const float *p, int n) { float s = 0;\n  EACH(n)\n    s += p[i];\n  return s;\n}\n`, {
    words: SOURCE_KEPT,
    offers: false,
  }),
  asked('a macro as the body of a loop', `#define ADD s += p[i]\nfloat sum(const float *p, int n) { float s = 0;\n  for (int i = 0; i < n; ++i)\n    ADD;\n  return s;\n}\n`, {
    expects: compiles,
  }),
  asked('a loop with an #if', FLOATS.replace('    s +=', '#if 1\n    s +=').replace('[i];', '[i];\n#else\n    s = 0;\n#endif'), {
    words: /Changes of the loop's text were not tried: it depends on #if/,
    offers: false,
  }),
  asked('a loop of goto', `float sum(const float *p, int n) { int i = 0; float s = 0;\n\n  again:\n  s += p[i];\n  if (++i < n) goto again;\n  return s;\n}\n`, {
    words: /Changes of the loop's text were not tried: it is made of goto/,
    offers: false,
  }),
  asked('lines that say they are of another file', `#line 1 "/etc/passwd"\n#line 40 "b.h"\n${FLOATS}`, { line: LINE + 2 }),
  asked('an #include of itself', `#ifndef A\n#define A\n#include "a.c"\n#else\n${FLOATS}#endif\n`, { line: LINE + 4 }),

  // ---- the file
  asked('a read-only file in a read-only folder', (folder) => {
    folder.write('below/a.c', FLOATS, 0o444);
    fs.chmodSync(folder.path('below'), 0o555);
  }, { open: 'below/a.c', offers: REORDER, expects: compiles }),
  asked('lines that end with CR and LF', FLOATS.replaceAll('\n', '\r\n'), { offers: REORDER, expects: compiles }),
  asked('lines that end with CR', `// one line for C\r${FLOATS.replaceAll('\n', '\r')}`, { line: LINE + 1 }),
  asked('a byte order mark', `\uFEFF${FLOATS.replaceAll('\n', ' ')}\n`, { line: 0, offers: REORDER }),
  asked('characters of several units on the line of the loop', FLOATS.replace('for', '/* 𝒳é漢 */ for').replace('s += p[i];', 's += p[i]; // 𝒳é'), {
    offers: REORDER,
    expects: compiles,
  }),
  asked('bytes that are no UTF-8', (folder) => folder.write('a.c', Buffer.concat([Buffer.from('// \xff\xfe\n', 'latin1'), Buffer.from(FLOATS)])), {
    line: LINE + 1,
    text: `// \uFFFD\uFFFD\n${FLOATS}`, // what an editor makes of them
    words: /unsaved|differ|save|no loop/,
    offers: false,
  }),
  asked('a link to a source of the folder', (folder) => {
    folder.write('real/b.c', FLOATS);
    folder.link('a.c', 'real/b.c');
  }, { offers: REORDER, expects: compiles }),
  asked('a link to a source outside', (folder, world) => {
    world.write('outside/floats.c', FLOATS);
    folder.link('a.c', `${world.outside}/floats.c`);
  }, { offers: undefined }),
  asked('a name with escapes and another direction of writing', FLOATS, {
    open: 'a\u001b[31m\u202egpj.c',
    offers: REORDER,
    expects: ({ document, reply }) => assert.doesNotMatch(document + JSON.stringify(reply.advice), /[\u001b\u202e]/),
  }),

  // ---- what changes
  asked('a buffer that is not saved', FLOATS, {
    before: (session, folder, file, state) => type(state, session, file, FLOATS.replace('p[i]', 'p[i] * 2')),
    words: /the buffer has unsaved changes: save it first/,
    offers: false,
  }),
  asked('an edit while versions are analysed', FLOATS, {
    meanwhile: (session, folder, file, state) => type(state, session, file, `\n${FLOATS}`),
    words: /the document changed/,
    offers: false,
  }),
  asked('an edit of the loop after the advice', FLOATS, {
    async expects(found, session, folder, file) {
      assert.ok(found.changes.length > 0);
      await session.editor.change(file, FLOATS.replace('i < n', 'i < n - 1'));
      assert.deepEqual((await actionsOn(session, file, LINE)).filter(({ title }) => GAIN.test(title)), []);
    },
  }),
  asked('an edit elsewhere after the advice', FLOATS, {
    async expects(found, session, folder, file) {
      const text = `// 𝒳\n\n${FLOATS}`;
      await session.editor.change(file, text);
      const moved = (await actionsOn(session, file, LINE + 2)).filter(({ title }) => GAIN.test(title));
      assert.deepEqual(moved.map((one) => withEdits(session, file, text, one)), found.texts.map((one) => `// 𝒳\n\n${one}`));
    },
  }),
  asked('a file that changes on disk before the question', FLOATS, {
    before: (session, folder) => folder.write('a.c', `// another\n${FLOATS}`),
    changes: ['a.c'],
    words: /the file on disk is not what the editor has: save it first/,
    offers: false,
  }),
  asked('a file that changes on disk while versions are analysed', FLOATS, {
    meanwhile: (session, folder) => folder.write('a.c', `// another\n${FLOATS}`),
    changes: ['a.c'],
    words: /a file that it is compiled from has changed: save the document, and ask again/,
    offers: false,
  }),
  asked('a file that becomes a FIFO while versions are analysed', FLOATS, {
    meanwhile(session, folder) {
      fs.rmSync(folder.path('a.c'));
      folder.fifo('a.c');
    },
    changes: ['a.c', '.'],
    words: /a file that it is compiled from has changed: save the document, and ask again/,
    offers: false,
  }),
  asked('a header that changes before the question', (folder) => {
    folder.write('type.h', 'typedef double T;\n');
    folder.write('a.c', `#include "type.h"\n${FLOATS.replaceAll('float', 'T')}`);
  }, {
    line: LINE + 1,
    async before(session, folder, file) {
      await session.reasons(file);
      folder.write('type.h', 'typedef int T;\n');
    },
    changes: ['type.h'],
    words: /a file that it is compiled from has changed: save the document, and ask again|No change that was tried/,
    offers: false,
  }),
  asked('a header that changes while versions are analysed', (folder) => {
    folder.write('type.h', 'typedef double T;\n');
    folder.write('a.c', `#include "type.h"\n${FLOATS.replaceAll('float', 'T')}`);
  }, {
    line: LINE + 1,
    meanwhile: (session, folder) => folder.write('type.h', 'typedef float T;\n'),
    changes: ['type.h'],
    words: /a file that it is compiled from has changed: save the document, and ask again/,
    offers: false,
  }),
  asked('a document that is closed while versions are analysed', FLOATS, {
    async meanwhile(session, folder, file) {
      await session.editor.close(file);
      await session.editor.open(file, 'c', FLOATS);
    },
    words: /the document was closed/,
    offers: false,
  }),
  asked('another CPU while versions are analysed', FLOATS, {
    meanwhile: (session, folder, file) => session.editor.command('mca.setCpu', { uri: session.editor.uri(file), cpu: 'znver3' }),
    words: /the CPU|changed|chosen/,
    offers: false,
  }),
  asked('a configuration with another CPU while versions are analysed', FLOATS, {
    async meanwhile(session, folder, file) {
      folder.write('.mca-lsp.json', { cpu: 'znver3' });
      await session.editor.save(file);
    },
    changes: ['.mca-lsp.json', '.'],
    words: /the settings changed/,
    offers: false,
  }),

  // ---- what cannot be compiled
  asked('a file that ends in the middle of the loop', FLOATS.slice(0, FLOATS.indexOf('p[i]')), { words: /no loop on this line was simulated/, offers: false }),
  asked('a file that ends in the head of the loop', FLOATS.slice(0, FLOATS.indexOf('++i')), { words: /no loop on this line was simulated/, offers: false }),
  asked('a loop that does not compile', FLOATS.replace('p[i]', 'q[i]'), { words: /no loop on this line was simulated/, offers: false }),
  asked('a loop whose changes do not compile', FLOATS.replace('  for', '#pragma clang loop unroll(disable) vectorize(disable)\n  for'), {
    line: LINE + 1,
    words: /unroll the loop 4 times, unroll_count: refused by the compiler/,
  }),
  asked('a compile that takes all time and memory with a change alone', `${bomb}${FLOATS}`, { line: LINE + 4 }),

  // ---- the compile command and comments
  asked('flags that would load code and write files', (folder) => {
    folder.write('a.c', FLOATS);
    const plugin = process.env.MCA_TRACE_PLUGIN;
    const evil = [`-fplugin=${plugin}`, '-Xclang', '-load', '-Xclang', plugin, '-o', 'leak.s', '-save-temps', '-ftime-trace=leak.json'];
    folder.database(['clang', '-O2', ...evil, '-fsave-optimization-record', '-fwrapv', '-c', 'a.c']);
  }, { offers: REORDER, expects: compiles }),
  asked('flags whose names are links and escapes', (folder) => {
    folder.write('a.c', FLOATS);
    folder.database(['clang', '-O2', '-fsanitize=[x](http://evil)', '-fsanitize=\u001b[31m\u202e', '-fsanitize=<b>', '-fwrapv', '-c', 'a.c']);
  }, { expects: ({ words, hover }) => assert.doesNotMatch(words + JSON.stringify(hover), /\u001b|\u202e|\]\(http/) }),
  asked('a compiler of the folder', (folder) => {
    folder.write('a.c', FLOATS);
    folder.database([folder.program('cc'), '-O2', '-c', 'a.c']);
  }),
  ...['0', '-1', '1', '18446744073709551615', '18446744073709551616', '1e9', '\u202e3'].map((n) =>
    asked(`a loop of ${JSON.stringify(n)} iterations`, FLOATS.replace('  for', `  // mca: n=${n}\n  for`), { line: LINE + 1 })),

  // ---- much
  asked('10,000 loops, of which one is compiled', `#if 0\n${manyLoops(10_000)}#endif\n${FLOATS}`, { line: LINE + 6 * 10_000 + 2, offers: REORDER }),
  asked('100 loops', manyLoops(100), { line: LINE + 6 * 50, offers: REORDER, expects: compiles }),
  asked('100 loops, and the user does not wait', manyLoops(100), {
    line: LINE + 6 * 50,
    meanwhile: ({ editor }) => editor.connection.sendNotification('window/workDoneProgress/cancel', { token: editor.progressTokens.at(-1) }),
    words: /ended by the user/,
    offers: false,
  }),
  asked('a loop of 300 statements', FLOATS.replace('s += p[i];', `{${'s += p[i] * s;'.repeat(300)}}`), { words: /now: [\d,.]+ cyc/ }),
  asked('1,000 functions', `${Array.from({ length: 1000 }, (_, i) => `float f${i}(float x) { return x + ${i}; }\n`).join('')}${FLOATS}`, { line: LINE + 1000, offers: REORDER }),
];
