import assert from 'node:assert/strict';
import test from 'node:test';
import { Random, drawBlocks } from './random.mjs';
import { compareRuns, judge, kendallTau, mean, median, quantile } from './statistics.mjs';

const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);

/** Kendall's tau-b by its definition, pair by pair. */
function tauByDefinition(pairs) {
  let difference = 0;
  let measuredApart = 0;
  let predictedApart = 0;
  for (let i = 0; i < pairs.length; ++i)
    for (let j = 0; j < i; ++j) {
      const measured = Math.sign(pairs[i].measured - pairs[j].measured);
      const predicted = Math.sign(pairs[i].predicted - pairs[j].predicted);
      difference += measured * predicted;
      measuredApart += Math.abs(measured);
      predictedApart += Math.abs(predicted);
    }
  return difference / Math.sqrt(measuredApart * predictedApart);
}

test('means and quantiles', () => {
  near(mean([1, 2, 6]), 3);
  near(median([5, 1, 3]), 3);
  near(median([4, 1, 3, 2]), 2.5);
  near(quantile([0, 10], 0.95), 9.5);
  assert.ok(Number.isNaN(median([])));
});

test('tau is 1 in the same order, -1 in the reverse one', () => {
  const inOrder = [1, 2, 3, 4].map((value) => ({ measured: value, predicted: value * value }));
  near(kendallTau(inOrder), 1);
  near(kendallTau(inOrder.map(({ measured, predicted }) => ({ measured, predicted: -predicted }))), -1);
});

test('tau with ties is the one of the definition', () => {
  const random = new Random(7);
  for (const values of [2, 3, 10, 1000])
    for (let count = 2; count < 60; ++count) {
      const pairs = Array.from({ length: count }, () => ({ measured: random.below(values), predicted: random.below(values) }));
      const expected = tauByDefinition(pairs);
      if (Number.isNaN(expected)) assert.ok(Number.isNaN(kendallTau(pairs)));
      else near(kendallTau(pairs), expected);
    }
});

test('errors are relative to the measurement', () => {
  const judged = judge([
    { measured: 1, predicted: 1.5 },
    { measured: 2, predicted: 1.5 },
    { measured: 4, predicted: 4 },
  ]);
  assert.equal(judged.blocks, 3);
  near(judged.mape, 0.25);
  near(judged.median, 0.25);
  near(judged.bias, 0.25 / 3);
});

test('cycles that differ by less than a hundredth are ties for tau', () => {
  const pairs = [0.2501, 0.2503, 1].map((measured) => ({ measured, predicted: measured < 1 ? 0.25 : 1 }));
  near(judge(pairs).tau, 1);
});

test('two runs differ relative to the first', () => {
  const { blocks, mean: average, beyond } = compareRuns([
    [1, 1],
    [2, 2.2],
    [4, 4.04],
    [10, 9.9],
  ]);
  assert.equal(blocks, 4);
  near(average, 0.03);
  near(beyond, 0.25);
});

test('a seed repeats its draws, and others differ', () => {
  const draws = (seed) => {
    const random = new Random(seed);
    return Array.from({ length: 20 }, () => random.below(1000));
  };
  assert.deepEqual(draws(5), draws(5));
  assert.notDeepEqual(draws(5), draws(6));
});

test('draws are spread evenly', () => {
  const random = new Random(1);
  const counts = new Array(10).fill(0);
  for (let i = 0; i < 100000; ++i) ++counts[random.below(10)];
  for (const count of counts) assert.ok(Math.abs(count - 10000) < 500, `${counts}`);
});

test('each text is drawn once, as many of each pool, and frequent ones first', () => {
  const pool = (name, texts) => texts.map((text) => ({ text, from: name }));
  const many = Array.from({ length: 100 }, (_, i) => `a${i}`);
  const drawn = drawBlocks(new Random(3), [pool('a', many), pool('b', ['b0', 'b0', 'b1', 'b2', 'b2', 'b3'])], 8);
  assert.equal(new Set(drawn.map(({ text }) => text)).size, 8);
  assert.equal(drawn.filter(({ from }) => from === 'b').length, 4);
  assert.equal(drawBlocks(new Random(3), [pool('a', ['x', 'x', 'y'])], 8).length, 2);
});
