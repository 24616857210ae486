// The two forms in which a block is measured and predicted: repeated back to back, and closed by a loop of its own.

export const FORMS = {
  steady: { title: 'steady: the block alone, repeated back to back', option: 'unrolled' },
  loop: { title: 'loop: the block closed by dec and jne', option: 'loop' },
};

/** Registers for the loop's counter, by all of their names; no instruction uses one of them without naming it. */
const COUNTERS = [
  ...[15, 14, 13, 12, 11, 10, 9, 8].map((number) => ({ name: `%r${number}`, any: new RegExp(`%r${number}[dwb]?\\b`) })),
  { name: '%rbp', any: /%([er]?bp|bpl)\b/ },
  { name: '%rdi', any: /%([er]?di|dil)\b/ },
  { name: '%rsi', any: /%([er]?si|sil)\b/ },
];

/** A block's text in a form, as mca-measure closes the loop; nothing if no register is left for a counter. */
export function textInForm(text, form) {
  if (form === 'steady') return text;
  const counter = COUNTERS.find(({ any }) => !any.test(text));
  return counter && `1:\n${text}\ndecq ${counter.name}\njne 1b`;
}
