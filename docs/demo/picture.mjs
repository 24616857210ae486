// Draws what `./dev demo` prints as docs/demo.svg, the README's picture:
//
//   ./dev demo --color=always | node docs/demo/picture.mjs >docs/demo.svg
const CHARACTER = 8.4, LINE = 19, LEFT = 16, FIRST = 30, COLUMNS = 118; // pixels, and columns of the text
const STYLES = { 0: 'fill="#c9d1d9"', 1: 'fill="#c9d1d9" font-weight="bold"', 2: 'fill="#8b949e"', 32: 'fill="#3fb950"', 36: 'fill="#39c5cf"' };

let text = '';
for await (const chunk of process.stdin) text += chunk;
const lines = text.trimEnd().split('\n');

/** [{ style, text }] of one line, cut at the picture's edge. */
function spansOf(line) {
  const spans = [];
  let style = 0;
  let room = COLUMNS;
  for (const part of line.replace(/\t/g, '        ').split(/(\x1b\[\d+m)/)) {
    const code = /^\x1b\[(\d+)m$/.exec(part);
    if (code) {
      style = Number(code[1]);
      if (!(style in STYLES)) throw new Error(`no colour for the code ${style}`);
    } else if (part && room > 0) {
      const shown = [...part].length > room ? `${[...part].slice(0, room - 1).join('')}…` : part;
      spans.push({ style, text: shown });
      room -= [...shown].length;
    }
  }
  return spans;
}

const escaped = (words) => words.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const width = Math.ceil(LEFT * 2 + COLUMNS * CHARACTER);
console.log(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${FIRST + lines.length * LINE}" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">`);
console.log('<rect width="100%" height="100%" rx="8" fill="#0d1117"/>');
lines.forEach((line, i) => {
  let column = 0;
  for (const span of spansOf(line)) {
    const length = [...span.text].length;
    const x = (LEFT + column * CHARACTER).toFixed(1);
    console.log(`<text x="${x}" y="${FIRST + i * LINE}" ${STYLES[span.style]} xml:space="preserve" textLength="${(length * CHARACTER).toFixed(1)}">${escaped(span.text)}</text>`);
    column += length;
  }
});
console.log('</svg>');
