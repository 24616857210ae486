// Names and texts that an editor could take for markup, commands, terminal escapes or another direction of writing: they
// are shown as they are, or not at all.
import assert from 'node:assert/strict';
import { LOOP, SUM } from '../world.mjs';

const LINK = '[click](command:workbench.action.terminal.new)';
const HTML = '<img src=x onerror=alert(1)><a href="command:evil">x</a>';
const ESCAPE = '\u001b]8;;http://evil.invalid\u0007x\u001b]8;;\u0007\u001b[2J';
const BIDI = '\u202eevil\u2066\u2069\u200b\u061c';

/** All Markdown in what was sent. */
function* markdownOf(value) {
  if (Array.isArray(value)) for (const one of value) yield* markdownOf(one);
  else if (value && typeof value === 'object') {
    if (value.kind === 'markdown' && typeof value.value === 'string') yield value.value;
    for (const one of Object.values(value)) yield* markdownOf(one);
  }
}

/** What of Markdown is neither code nor escaped. */
function active(markdown) {
  const withoutCode = markdown.replace(/^(`{3,})[^]*?\n\1$/gm, '').replace(/(?<!\\)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '');
  return withoutCode.replace(/\\[!-/:-@[-`{-~]/g, '');
}

/** The places of texts are no words, and edits are the document's own text. */
const UNSEEN = new Set(['uri', 'newText', 'changes', 'path', 'document']);

/** All texts that an editor would show. */
function* shownTexts(value) {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const one of value) yield* shownTexts(one);
  else if (value && typeof value === 'object')
    for (const [name, one] of Object.entries(value)) if (!UNSEEN.has(name)) yield* shownTexts(one);
}

function checkMarkup(sent) {
  for (const text of markdownOf(sent))
    assert.doesNotMatch(active(text), /\]\(|\]\[|\]:|<[a-z/!?]/i, `links or HTML in ${text.slice(0, 400)}`);
  for (const text of shownTexts(sent))
    assert.doesNotMatch(text, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/, 'control characters');
}

/** Characters that turn the text after them, which is the server's own, into another direction, or have no width. */
function checkDirections(sent) {
  for (const text of shownTexts(sent))
    assert.doesNotMatch(text, /[\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/, 'another direction of writing');
}

const named = (name, file, text, more = {}) => ({
  name,
  open: file,
  make: (folder) => folder.write(file, text),
  hints: /cyc/,
  check: checkMarkup,
  ...more,
});

const region = (label) => `# LLVM-MCA-BEGIN ${label}\n\taddl %eax, %ebx\n\timull %ebx, %eax\n# LLVM-MCA-END ${label}\n`;

export const cases = [
  named('a link as the name of a file', `${LINK.replaceAll('/', '')}.c`, SUM),
  named('HTML as the name of a file', `${HTML.replaceAll('/', '')}.c`, SUM),
  named('line breaks in the name of a file', 'a\n# [x](command:y)\r\n\tb.c', SUM),
  named('terminal escapes in the name of a file', `${ESCAPE.replaceAll('/', '')}.c`, SUM),
  named('another direction of writing in the name of a file', `a${BIDI}.c`, SUM, { check: checkDirections }),
  named('a name of a file that is a flag', '-fplugin=x.c', SUM),
  named('a name of a file that is a response file', '@evil.c', SUM),
  named('a link as the name of a region', 'a.s', region(LINK)),
  named('HTML as the name of a region', 'a.s', region(HTML)),
  named('terminal escapes as the name of a region', 'a.s', region(ESCAPE)),
  named('another direction of writing as the name of a region', 'a.s', region(BIDI), { check: checkDirections }),
  named('a link as the name of a symbol', 'a.s', LOOP.replaceAll('sum:', `"${LINK}":`).replaceAll('.Lsum', '.L1').replace('\tdecq', `\tcall "${HTML}"\n\tdecq`), { hints: null }),
  named('a link in an instruction', 'a.s', LOOP.replace('(%rdi)', `"${LINK}"(%rdi)`), { hints: null }),
  named('a link in a comment about the CPU', 'a.s', `# mca: cpu=${LINK} ${HTML}=1\n${LOOP}`, { hints: null }),
  {
    name: 'links in the errors of a compiler',
    make: (folder) => folder.write('a.c', `#error ${LINK} ${HTML}\n${SUM}`),
    told: /error|command:workbench/,
    check: checkMarkup,
  },
  {
    name: 'terminal escapes in the errors of a compiler',
    make: (folder) => folder.write('a.c', `#error ${ESCAPE}${BIDI}\n${SUM}`),
    check: checkMarkup,
  },
  {
    name: 'links in flags and in settings',
    make(folder) {
      folder.write('a.c', SUM);
      folder.database(['clang', '-O2', `-${LINK}`, `-march=${HTML}`, '-c', 'a.c']);
      folder.write('.mca-lsp.json', { [LINK]: 1, cpus: [HTML, ESCAPE] });
    },
    told: /left out/,
    check: checkMarkup,
  },
];
