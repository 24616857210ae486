// The tables of a run, as text.
//
// A row is a block: { text, length, from, kinds, steady, loop }; each form has { measured, spread } or { refused }, and
// a prediction in cycles by each model's name.
import { FORMS } from './forms.mjs';
import { compareRuns, judge, mean } from './statistics.mjs';

const LENGTHS = [
  { name: 'all', from: 1, to: Infinity },
  { name: '4 or more', from: 4, to: Infinity },
  { name: '1', from: 1, to: 1 },
  { name: '2-3', from: 2, to: 3 },
  { name: '4-7', from: 4, to: 7 },
  { name: '8-15', from: 8, to: 15 },
  { name: '16-40', from: 16, to: 40 },
];
const WORST = 20;

const percent = (value, width = 8) => (Number.isFinite(value) ? `${(100 * value).toFixed(1)} %` : '-').padStart(width);
/** The same, with its sign. */
const signed = (value, width = 8) => `${value > 0 ? '+' : ''}${percent(value, 0)}`.padStart(width);
const correlation = (value) => (Number.isFinite(value) ? value.toFixed(2) : '-').padStart(6);
const cycles = (value) => value.toFixed(2).padStart(9);
const oneLine = (text) => text.replaceAll('\n', '; ');

/** { measured, predicted, row } of the rows that have both. */
export const pairsOf = (rows, form, model) =>
  rows
    .filter((row) => row[form].measured !== undefined && row[form][model] !== undefined)
    .map((row) => ({ measured: row[form].measured, predicted: row[form][model], row }));

function errorLines(rows, form, models) {
  const titles = models.map((model) => `| ${model}: blocks  MAPE  median    bias   tau`.padEnd(48));
  const lines = [('instructions'.padEnd(14) + titles.join('')).trimEnd()];
  for (const { name, from, to } of LENGTHS) {
    const chosen = rows.filter(({ length }) => length >= from && length <= to);
    const cells = models.map((model) => {
      const { blocks, mape, median, bias, tau } = judge(pairsOf(chosen, form, model));
      const numbers = percent(mape) + percent(median) + signed(bias) + correlation(tau);
      return `| ${String(blocks).padStart(model.length + 8)}${numbers}`.padEnd(48);
    });
    lines.push((name.padEnd(14) + cells.join('')).trimEnd());
  }
  return lines;
}

/** The error of blocks with each kind of instruction, beside that of the others. */
function causeLines(rows, form, model, kindNames) {
  const pairs = pairsOf(rows, form, model);
  const sizeOf = ({ measured, predicted }) => Math.abs(predicted - measured) / measured;
  const all = judge(pairs);
  const lines = kindNames
    .map((kind) => {
      const having = judge(pairs.filter(({ row }) => row.kinds.includes(kind)));
      const others = mean(pairs.filter(({ row }) => !row.kinds.includes(kind)).map(sizeOf));
      return { kind, ...having, others, share: (having.mape * having.blocks) / (all.mape * all.blocks) };
    })
    .filter(({ blocks }) => blocks > 0)
    .sort((a, b) => b.share - a.share)
    .map(({ kind, blocks, mape, bias, others, share }) => {
      const numbers = percent(mape) + signed(bias) + percent(others, 10) + percent(share, 9);
      return kind.padEnd(38) + String(blocks).padStart(7) + numbers;
    });
  return [`${'blocks with'.padEnd(38)} blocks    MAPE    bias   without    share`, ...lines];
}

function worstLines(rows, form, model) {
  const pairs = pairsOf(rows, form, model).map((pair) => ({ ...pair, error: pair.predicted / pair.measured - 1 }));
  pairs.sort((a, b) => Math.abs(b.error) - Math.abs(a.error));
  const lines = pairs.slice(0, WORST).map(({ measured, predicted, error, row }) => {
    const numbers = cycles(measured) + cycles(predicted) + signed(error, 10);
    return `${numbers}  ${oneLine(row.text)}`;
  });
  return [' measured predicted     error  block', ...lines];
}

/** How often each reason occurs, without the numbers in it, the most frequent one first. */
export function countReasons(reasons) {
  const counts = new Map();
  for (const reason of reasons) {
    const general = reason.replace(/0x[0-9a-f]+|\b\d+(\.\d+)?\b/g, 'N');
    counts.set(general, (counts.get(general) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

const countLines = (counts) => counts.map(([reason, count]) => `${String(count).padStart(7)}  ${reason}`);

function formSection(rows, form, models, kindNames) {
  const sections = [[FORMS[form].title], errorLines(rows, form, models)];
  for (const model of models) {
    const causes = causeLines(rows, form, model, kindNames);
    sections.push([`Remaining error of ${model}, ${form}, by what the blocks contain`, ...causes]);
    sections.push([`The ${WORST} largest errors of ${model}, ${form}, in cycles`, ...worstLines(rows, form, model)]);
  }
  const reasons = (title, list) => [`${title}: ${list.length} of ${rows.length} blocks`, ...countLines(countReasons(list))];
  sections.push(reasons(`Not measured, ${form}`, rows.map((row) => row[form].refused).filter(Boolean)));
  for (const model of models) {
    const failures = rows.map((row) => row[form].failures?.[model]).filter(Boolean);
    if (failures.length > 0) sections.push(reasons(`Not predicted by ${model}, ${form}`, failures));
  }
  return sections;
}

/** All tables of a run { rows, models, packages, collected }; `kindNames`: of causes.mjs. */
export function reportText({ rows, models, packages, collected }, kindNames) {
  const suitable = packages.reduce((total, { blocks }) => total + blocks, 0);
  const leftOut = Object.values(collected).reduce((total, count) => total + count, 0);
  const title = `Left out by the collector: ${leftOut} of ${suitable + leftOut} blocks`;
  const sections = [[title, ...countLines(Object.entries(collected).sort(([, a], [, b]) => b - a))]];
  for (const form of Object.keys(FORMS)) sections.push(...formSection(rows, form, models, kindNames));
  sections.push([
    'MAPE: mean of |predicted - measured| / measured. median: of the same. bias: the mean with signs, + is too slow. tau:',
    "Kendall's rank correlation (tau-b). without: MAPE of the blocks without that kind. share: of the sum of all errors;",
    'a block has several kinds, so shares add up to more than 100 %.',
  ]);
  return sections.map((lines) => lines.join('\n')).join('\n\n');
}

/** How much the measurements of two runs differ, and their predictions by each model. */
export function differenceText(rows, earlier, models) {
  const before = new Map(earlier.map((row) => [row.text, row]));
  const lines = ['two runs of the same blocks'.padEnd(30) + ' blocks    mean  median     95 %   beyond 5 %'];
  for (const form of Object.keys(FORMS))
    for (const what of ['measured', ...models]) {
      const pairs = rows
        .map((row) => [before.get(row.text)?.[form][what], row[form][what]])
        .filter(([first, second]) => first !== undefined && second !== undefined);
      if (pairs.length === 0) continue;
      const { blocks, mean, median, most, beyond } = compareRuns(pairs);
      const numbers = percent(mean) + percent(median) + percent(most, 9) + percent(beyond, 13);
      lines.push(`${form}, ${what}`.padEnd(30) + String(blocks).padStart(7) + numbers);
    }
  return lines.join('\n');
}

/** The errors of the calibrated machine as it is, and without each rule: `without` has { name, rows } of each. */
export function rulesReport(rows, without) {
  const errorsOf = (some) => Object.keys(FORMS).map((form) => judge(pairsOf(some, form, 'calibrated')).mape);
  const all = errorsOf(rows);
  const line = (name, errors) =>
    name.padEnd(24) + errors.map((error, i) => percent(error) + signed(error - all[i], 10)).join('   ');
  return [
    `${'without the rule'.padEnd(24)}${Object.keys(FORMS).map((form) => form.padStart(18)).join('   ')}`,
    line('(all rules)', all),
    ...without.map(({ name, rows: some }) => ({ name, errors: errorsOf(some) }))
      .sort((a, b) => b.errors[0] - a.errors[0])
      .map(({ name, errors }) => line(name, errors)),
  ].join('\n');
}
