// The phases of an instance, the sentence about a cell, whom an arrow comes from, the gaps along a trace, and the timeline
// as text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  asText, describeCell, describeGap, gapOf, headOf, isCut, lastCycle, mispredictionOf, partsOf, pathClass, phaseAt, producersOf,
  shownOf, type Instance, type Timeline,
} from '../../src/webview/timeline';

const load: Instance = { iteration: 0, instruction: 0, dispatched: 0, issued: 1, executed: 4, retired: 5, waits: [] };
const add: Instance = {
  iteration: 0, instruction: 1, dispatched: 0, issued: 5, executed: 5, retired: 8,
  waits: [
    { from: 1, to: 5, why: 'for xmm0', by: [0] },
    { from: 6, to: 8, why: 'for an earlier instruction to retire', by: [0] },
  ],
};
const later: Instance = { ...load, iteration: 1, dispatched: 1, issued: 2, executed: 5, retired: 8 };
const timeline: Timeline = {
  uri: 'mca:/timeline/x', title: 'loop', cpu: 'skylake', cyclesPerIteration: 4,
  instructions: [{ text: 'movss (%rdi), %xmm0', line: 2 }, { text: 'addss %xmm0, %xmm1' }],
  instances: [load, add, later],
  pressure: [{ unit: 'Port0', cycles: 0.5 }],
};
const phases = (one: Instance): string => {
  let text = '';
  for (let cycle = 0; cycle <= 8; ++cycle)
    text += (phaseAt(one, cycle) ?? '.')[0];
  return text;
};

test('each cycle has the phase that llvm-mca draws', () => {
  assert.equal(phases(load), 'deeeer...');
  assert.equal(phases(add), 'dwwwweddr');
  assert.equal(lastCycle(timeline), 8);
});

test('what is executed as it is dispatched shows no execution', () => {
  const move = { ...load, issued: 0, executed: 0, retired: 3 };
  assert.deepEqual(partsOf(move).map((part) => part.phase), ['dispatch', 'done', 'retire']);
});

test('where nothing retires in order there is no retirement', () => {
  const inOrder: Instance = {
    ...load, dispatched: 3, issued: 3, executed: 5, retired: 4, waits: [{ from: 1, to: 3, why: 'for x1', by: [0] }],
  };
  assert.equal(phases(inOrder), '.hhdee...');
  assert.match(describeCell(timeline, inOrder, 2), /is held before dispatch for x1: movss/);
});

test('a cell says why the instruction waits, and for whom', () => {
  assert.equal(describeCell(timeline, add, 3),
    'Cycle 3, iteration 0, addss %xmm0, %xmm1: waits for xmm0: movss (%rdi), %xmm0 (line 3)');
  assert.match(describeCell(timeline, add, 7), /is executed and waits for an earlier instruction to retire/);
  assert.match(describeCell(timeline, load, 2), /executes, from cycle 1 to 4/);
  assert.match(describeCell(timeline, later, 0), /is not dispatched yet/);
  assert.match(describeCell(timeline, load, 7), /is over/);
  const many = { ...add, waits: [{ from: 1, to: 5, why: 'for Port5', by: [0, 1, 0, 1, 0] }] };
  assert.match(describeCell(timeline, many, 3), / and 2 more$/);
});

test('an arrow comes from the instance before it that is at work', () => {
  assert.deepEqual(producersOf(timeline, add), [load], 'not from the next iteration, nor for retirement');
  assert.deepEqual(producersOf(timeline, load), []);
  const chained: Instance = { ...later, instruction: 1, waits: [{ from: 2, to: 5, why: 'for Port0', by: [1] }] };
  const grown = { ...timeline, instances: [load, { ...add, executed: 1 }, later, chained] };
  assert.equal(producersOf(grown, chained)[0]?.iteration, undefined, 'it was issued only after the wait');
});

test('the text has llvm-mca\'s letters', () => {
  const lines = asText(timeline).split('\n');
  assert.equal(lines[0], 'loop on skylake, 4.00 cycles per iteration');
  assert.equal(lines[2], '[0,0]     DeeeER     movss (%rdi), %xmm0');
  assert.equal(lines[3], '[0,1]     D====E--R  addss %xmm0, %xmm1');
  assert.equal(lines[4], '[1,0]      DeeeE--R  movss (%rdi), %xmm0');
  assert.equal(lines[7], 'Port0                      0.50');
});

test('a last iteration that is not whole is a cut', () => {
  assert.equal(isCut(timeline), true);
  assert.equal(isCut({ ...timeline, instances: [load, add] }), false);
  assert.equal(isCut({ ...timeline, instructions: [], instances: [] }), false);
});

// The branch waits for the load, so fetching continues only at 9 + 14.
const branch: Instance = { ...load, instruction: 1, issued: 8, executed: 9, retired: 10, mispredicted: true, resumed: 23, path: 1 };
const traced: Timeline = {
  ...timeline,
  trace: {
    name: 'along the trace loop.mcatrace', cyclesPerIteration: 12.4,
    instructions: [{ text: 'movl (%rdi), %ecx', line: 2 }, { text: 'jle .Lskip', line: 3 }],
    instances: [{ ...load, path: 1 }, branch, { ...load, iteration: 1, dispatched: 23, issued: 24, executed: 27, retired: 28 }],
    paths: ['through line 4', 'past line 4'],
  },
};

test('after a mispredicted branch nothing enters until it is executed and fetching continues', () => {
  assert.deepEqual(gapOf(branch), { from: 1, to: 23, wait: 9, redirect: 14 });
  assert.equal(gapOf(load), undefined);
  assert.equal(mispredictionOf(branch), 'mispredicted, 9 + 14 cycles');
  const last = { ...branch, resumed: undefined };
  assert.equal(gapOf(last), undefined, 'the trace ends with it');
  assert.equal(mispredictionOf(last), 'mispredicted');
  assert.equal(mispredictionOf(load), '');
});

test('the gap and its cells say what caused it', () => {
  const shown = shownOf(traced, true);
  assert.equal(describeGap(shown, branch), 'jle mispredicted: 9 cycles until executed + 14 redirect');
  assert.equal(describeCell(shown, branch, 15),
    'Cycle 15, iteration 0 on path 2, jle .Lskip: is over. Nothing enters: jle mispredicted: 9 cycles until executed + 14 redirect');
  assert.match(describeCell(shown, branch, 23), /is over$/);
});

test('a trace is shown instead of the loop if there is one and it is wanted', () => {
  const shown = shownOf(traced, true);
  assert.equal(shown.instances.length, 3);
  assert.deepEqual(shown.pressure, [], 'it is that of the loop');
  assert.equal(headOf(shown), '12.40 cycles per iteration on skylake, along the trace loop.mcatrace');
  assert.equal(isCut(shown), false);
  const loop = shownOf(traced, false);
  assert.equal(loop.instances, timeline.instances);
  assert.equal(headOf(loop), '4.00 cycles per iteration on skylake');
  assert.equal(shownOf(timeline, true), timeline);
});

test('the text of a trace names what is mispredicted', () => {
  const lines = asText(shownOf(traced, true)).trimEnd().split('\n');
  assert.equal(lines[0], 'loop on skylake, 12.40 cycles per iteration, along the trace loop.mcatrace');
  assert.match(lines[3], /^\[0,1\] {5}D=======eER +jle \.Lskip {2}mispredicted, 9 \+ 14 cycles$/);
  assert.equal(lines.length, 5, 'no pressure');
});

test('paths have colours, which repeat', () => {
  assert.equal(pathClass(undefined), '');
  assert.equal(pathClass(1), 'path1');
  assert.equal(pathClass(6), pathClass(0));
});
