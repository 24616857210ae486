// The numbers by which predictions are judged.

export const mean = (values) => values.reduce((total, value) => total + value, 0) / values.length;

/** The value below which `share` of the values lie, between two neighbours in proportion; NaN of no values. */
export function quantile(values, share) {
  if (values.length === 0) return NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.ceil(place);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}

export const median = (values) => quantile(values, 0.5);

/** (predicted − measured) / measured of each pair { measured, predicted }. */
export const errorsOf = (pairs) => pairs.map(({ measured, predicted }) => (predicted - measured) / measured);

/** Pairs of equal values in a sorted list. */
function tiesOf(sorted, isEqual) {
  let ties = 0;
  let run = 1;
  for (let i = 1; i <= sorted.length; ++i) {
    if (i < sorted.length && isEqual(sorted[i - 1], sorted[i])) ++run;
    else {
      ties += (run * (run - 1)) / 2;
      run = 1;
    }
  }
  return ties;
}

/** Sorts `values` by merging; returns how many pairs were in the wrong order. */
function sortAndCount(values) {
  if (values.length < 2) return 0;
  const half = values.length >> 1;
  const left = values.slice(0, half);
  const right = values.slice(half);
  let swaps = sortAndCount(left) + sortAndCount(right);
  for (let i = 0, l = 0, r = 0; i < values.length; ++i) {
    if (r === right.length || (l < left.length && left[l] <= right[r])) values[i] = left[l++];
    else {
      swaps += left.length - l;
      values[i] = right[r++];
    }
  }
  return swaps;
}

/**
 * Kendall's rank correlation with ties (tau-b) of pairs { measured, predicted }, by Knight's method (JASA 61, 1966):
 * O(n log n). NaN if all values of one side are equal.
 */
export function kendallTau(pairs) {
  const sorted = [...pairs].sort((a, b) => a.measured - b.measured || a.predicted - b.predicted);
  const all = (sorted.length * (sorted.length - 1)) / 2;
  const tiedMeasured = tiesOf(sorted, (a, b) => a.measured === b.measured);
  const tiedBoth = tiesOf(sorted, (a, b) => a.measured === b.measured && a.predicted === b.predicted);
  const predicted = sorted.map((pair) => pair.predicted);
  const discordant = sortAndCount(predicted);
  const tiedPredicted = tiesOf(predicted, (a, b) => a === b);
  const concordantLessDiscordant = all - tiedMeasured - tiedPredicted + tiedBoth - 2 * discordant;
  return concordantLessDiscordant / Math.sqrt((all - tiedMeasured) * (all - tiedPredicted));
}

/** Cycles that differ by less than a hundredth are equal for the rank: a clock tells no more. */
const rounded = (cycles) => Math.round(cycles * 100) / 100;

/** { blocks, mape, median, bias, tau } of pairs { measured, predicted }; `bias`: the mean of the errors with their signs. */
export function judge(pairs) {
  const errors = errorsOf(pairs);
  const sizes = errors.map(Math.abs);
  const ranks = pairs.map(({ measured, predicted }) => ({ measured: rounded(measured), predicted: rounded(predicted) }));
  return { blocks: pairs.length, mape: mean(sizes), median: median(sizes), bias: mean(errors), tau: kendallTau(ranks) };
}

/**
 * How far two runs differ: { blocks, mean, median, most, beyond }, where a pair's difference is that of its two values
 * over the first; `most` is the 95th percentile, `beyond` the share of pairs that differ by more than 5 %.
 */
export function compareRuns(pairs) {
  const differences = pairs.map(([first, second]) => Math.abs(second - first) / first);
  const beyond = differences.filter((difference) => difference > 0.05).length / differences.length;
  return {
    blocks: pairs.length,
    mean: mean(differences),
    median: median(differences),
    most: quantile(differences, 0.95),
    beyond,
  };
}
