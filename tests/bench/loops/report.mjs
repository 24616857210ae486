// The tables of a run, as text.
//
// A row is a kernel in a build: { kernel, kind, build, measured } with { cycles, curvature, ofCall } or { refused }, and
// by each model's name what predict.mjs returns.
import { compareRuns, errorsOf, mean, median } from '../truth/statistics.mjs';

const WORST = 25;
/** Of the predictions: the share without the very worst ones. */
const MOST = 0.97;

const percent = (value, width = 8) => (Number.isFinite(value) ? `${(100 * value).toFixed(1)} %` : '-').padStart(width);
/** In whole percent, with its sign. */
const signed = (value, width = 8) => {
  const rounded = Math.round(100 * value);
  return (Number.isFinite(rounded) ? `${rounded > 0 ? '+' : ''}${rounded} %` : '-').padStart(width);
};
const cycles = (value, width = 8) => (value === undefined ? '-' : value.toFixed(2)).padStart(width);

/** { loops, mean, median, within (10 %), beyond (30 %), most (the mean of the best 97 %) } of pairs { measured, predicted }. */
export function judgeLoops(pairs) {
  const errors = errorsOf(pairs).map(Math.abs).sort((a, b) => a - b);
  return {
    loops: errors.length,
    mean: mean(errors),
    median: median(errors),
    within: errors.filter((error) => error <= 0.1).length,
    beyond: errors.filter((error) => error > 0.3).length,
    most: mean(errors.slice(0, Math.ceil(MOST * errors.length))),
  };
}

/** { measured, predicted, row } of the rows that have both; `what`: cycles (of an iteration) or ofCall. */
export const pairsOf = (rows, model, what = 'cycles') =>
  rows
    .filter((row) => row.measured.cycles !== undefined && row[model].cycles !== undefined)
    .map((row) => ({ measured: row.measured[what], predicted: row[model].cycles, row }));

/** A table of errors: a line for each name of `groups` with its rows. */
function errorTable(title, groups, models, what) {
  const head = models.map((model) => `| ${model.padEnd(10)} loops    mean  median best 97% <=10% >30%`);
  const width = 28;
  const lines = groups.map(([name, rows]) => {
    const cells = models.map((model) => {
      const { loops, mean: all, median: middle, within, beyond, most } = judgeLoops(pairsOf(rows, model, what));
      return `| ${String(loops).padStart(16)}${percent(all)}${percent(middle)}${percent(most, 9)}${String(within).padStart(6)}${String(beyond).padStart(5)}`;
    });
    return name.padEnd(width) + cells.join(' ');
  });
  return [title.padEnd(width) + head.join(' '), ...lines];
}

/** A list of rows for each value of `key`, in the order of their first rows. */
function grouped(rows, key) {
  const groups = new Map();
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), row]);
  return groups;
}

/** Of each kernel: measured cycles, and each model's error, by build. */
function kernelTable(rows, models, builds) {
  const titles = [`${'measured'.padStart(9)}${models.map((model) => model.padStart(11)).join('')}`];
  const width = Math.max(...titles.concat(builds).map(({ length }) => length));
  const line = (name, cells) => `${name.padEnd(24)}${cells.map((cell) => `| ${cell.padEnd(width)} `).join('')}`.trimEnd();
  const lines = [...grouped(rows, ({ kernel }) => kernel)].map(([kernel, some]) => {
    const cells = builds.map((build) => {
      const row = some.find((one) => one.build === build);
      const errors = models.map((model) => signed((row?.[model].cycles ?? NaN) / (row?.measured.cycles ?? NaN) - 1, 11));
      return `${cycles(row?.measured.cycles, 9)}${errors.join('')}`;
    });
    return line(kernel, cells);
  });
  return [line('', builds), line('kernel', builds.map(() => titles[0])), ...lines];
}

function worstLines(rows, model) {
  const pairs = pairsOf(rows, model).map((pair) => ({ ...pair, error: pair.predicted / pair.measured - 1 }));
  pairs.sort((a, b) => Math.abs(b.error) - Math.abs(a.error));
  const lines = pairs.slice(0, WORST).map(({ measured, predicted, error, row }) => {
    const numbers = cycles(measured, 9) + cycles(predicted, 10) + signed(error, 10);
    return `${numbers}  ${`${row.kernel}, ${row.build}`.padEnd(48)} ${row[model].label}`;
  });
  return [`The ${WORST} largest errors of ${model}`, ' measured predicted     error  loop', ...lines];
}

/** Each reason with its loops, the most frequent one first. */
function reasonLines(title, rows, reasonOf) {
  const refused = rows.filter(reasonOf);
  const lines = [...grouped(refused, reasonOf)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([reason, some]) => `${String(some.length).padStart(6)}  ${reason}: ${some.map(({ kernel, build }) => `${kernel} (${build})`).join(', ')}`);
  return [`${title}: ${refused.length} of ${rows.length} loops`, ...lines];
}

/** How many ranges hold what was measured. */
function rangeLine(rows, model) {
  const ranges = rows.filter((row) => row[model].low !== undefined && row.measured.cycles !== undefined);
  const holds = ({ measured, [model]: { low, high } }) => measured.cycles >= 0.9 * low && measured.cycles <= 1.1 * high;
  return `Ranges of ${model}: ${ranges.length}, of which ${ranges.filter(holds).length} hold the measured cycles (within 10 %)`;
}

/** All tables of a run { rows, models, builds }. */
export function reportText({ rows, models, builds }) {
  const byBuild = [['all', rows], ...builds.map((build) => [build, rows.filter((row) => row.build === build)])];
  const byKind = [...grouped(rows, ({ kind }) => kind)].sort(([a], [b]) => a.localeCompare(b));
  return [
    ['Cycles of an iteration, and the errors of the predictions by kernel', ...kernelTable(rows, models, builds)],
    errorTable('an iteration, by kind', byKind, models, 'cycles'),
    ...models.map((model) => worstLines(rows, model)),
    errorTable('an iteration, by build', byBuild, models, 'cycles'),
    errorTable('a call, by build', byBuild, models, 'ofCall'),
    reasonLines('Not measured', rows, (row) => row.measured.refused),
    ...models.map((model) => [...reasonLines(`Not predicted by ${model}`, rows, (row) => row[model].refused), rangeLine(rows, model)]),
    [
      'error: (predicted - measured) / measured, + is too slow. best 97%: the mean without the 3 % of loops that are most',
      'wrong. An iteration: by calls of several sizes. A call: the largest one over its iterations, its entry and end included.',
    ],
  ]
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/** How much the measurements of two runs differ, and their predictions by each model. */
export function differenceText(rows, earlier, models) {
  const before = new Map(earlier.map((row) => [`${row.kernel} ${row.build}`, row]));
  const lines = ['two runs of the same loops'.padEnd(30) + '  loops    mean  median     95 %   beyond 5 %'];
  for (const what of ['measured', ...models]) {
    const pairs = rows
      .map((row) => [before.get(`${row.kernel} ${row.build}`)?.[what]?.cycles, row[what].cycles])
      .filter(([first, second]) => first !== undefined && second !== undefined);
    if (pairs.length === 0) continue;
    const { blocks, mean: all, median: middle, most, beyond } = compareRuns(pairs);
    lines.push(what.padEnd(30) + String(blocks).padStart(7) + percent(all) + percent(middle) + percent(most, 9) + percent(beyond, 13));
  }
  return lines.join('\n');
}
