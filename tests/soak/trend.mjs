// Whether a quantity grows: a straight line through the second half of its samples (least squares), and what it rises
// from the first of them to the last. The first half is the time in which caches fill.

const LOWS = 12;

/** The smallest value of each of some equal parts: what is left when jobs are over. */
export function lowsOf(samples, column) {
  const size = Math.max(1, Math.floor(samples.length / LOWS));
  const parts = Array.from({ length: Math.floor(samples.length / size) }, (_, i) =>
    samples.slice(i * size, (i + 1) * size),
  );
  return parts.map((part) => part.reduce((low, sample) => (sample[column] < low[column] ? sample : low)));
}

/** {from, to}: the line's values at the ends of the second half. With `lows`, of the lows alone. */
export function secondHalfOf(samples, column, lows = false) {
  const all = samples.slice(Math.floor(samples.length / 2));
  const half = lows ? lowsOf(all, column) : all;
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const times = half.map(({ seconds }) => seconds);
  const values = half.map((sample) => sample[column]);
  const time = mean(times);
  const value = mean(values);
  const spread = times.reduce((sum, one) => sum + (one - time) ** 2, 0);
  const slope = spread === 0 ? 0 : times.reduce((sum, one, i) => sum + (one - time) * (values[i] - value), 0) / spread;
  return { from: value + slope * (times[0] - time), to: value + slope * (times.at(-1) - time) };
}

/**
 * What a bound says of its column: {column, name, unit, from, to, most, limit, rise, fails}. A bound has `rise` and
 * `share`, the larger of which (the share is one of `from`) the line may rise by; with `freeBelow`, it may rise as it
 * likes as long as it ends below that; `lows`; and `limit`, which no sample may exceed.
 */
export function check(samples, bound) {
  const line = secondHalfOf(samples, bound.column, bound.lows);
  const most = Math.max(...samples.map((sample) => sample[bound.column]));
  const allowed = Math.max(bound.rise, (bound.share ?? 0) * line.from);
  const rises = line.to - line.from > allowed && line.to > (bound.freeBelow ?? 0);
  const shown = (value) => `${value.toFixed(1)} ${bound.unit}`.trim();
  const fails = [];
  if (rises)
    fails.push(
      `${bound.name}: grows from ${shown(line.from)} to ${shown(line.to)}; at most ${shown(allowed)} are allowed`,
    );
  if (most > bound.limit) fails.push(`${bound.name}: ${shown(most)}; the limit is ${shown(bound.limit)}`);
  return { ...bound, ...line, most, allowed, fails };
}
