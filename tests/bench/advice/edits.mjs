// Edits of `--check --advise` in JSON, applied to a text.

/** The text with the edits: { range, newText }, whose lines and columns begin at 1 and count bytes. */
export function withEdits(text, edits) {
  const bytes = Buffer.from(text);
  const starts = [0];
  for (let i = 0; i < bytes.length; ++i) if (bytes[i] === 0x0a) starts.push(i + 1);
  const at = (line, column) => starts[line - 1] + column - 1;
  const parts = [];
  let done = 0;
  for (const { range, newText } of edits) {
    parts.push(bytes.subarray(done, at(range.line, range.column)), Buffer.from(newText));
    done = at(range.endLine, range.endColumn);
  }
  return Buffer.concat([...parts, bytes.subarray(done)]).toString();
}
