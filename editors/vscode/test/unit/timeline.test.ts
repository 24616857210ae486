// What the pipeline view says and draws, without a page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asText, describeCell, lastCycle, phaseAt, producersOf, type Timeline } from '../../src/webview/timeline';

const timeline: Timeline = {
  title: 'loop in f',
  cpu: 'znver4',
  cyclesPerIteration: 4,
  instructions: [{ text: 'mulsd %xmm1, %xmm0', line: 4 }, { text: 'jne .L2' }],
  instances: [
    { iteration: 0, instruction: 0, dispatched: 0, issued: 1, executed: 4, retired: 5, waits: [] },
    { iteration: 0, instruction: 1, dispatched: 0, issued: 1, executed: 1, retired: 5, waits: [{ from: 2, to: 5, why: 'for an earlier instruction to retire', by: [0] }] },
    { iteration: 1, instruction: 0, dispatched: 0, issued: 5, executed: 8, retired: 9, waits: [{ from: 1, to: 5, why: 'for xmm0', by: [0] }] },
    { iteration: 1, instruction: 1, dispatched: 1, issued: 2, executed: -1, retired: -1, waits: [] },
  ],
  pressure: [],
};

test('a life has its phases in order', () => {
  const phases = [-1, 0, 1, 4, 5, 6].map((cycle) => phaseAt(timeline.instances[2], cycle));
  assert.deepEqual(phases, ['none', 'dispatch', 'wait', 'wait', 'execute', 'execute']);
  assert.equal(phaseAt(timeline.instances[0], 4), 'execute');
  assert.equal(phaseAt(timeline.instances[0], 5), 'retire');
  assert.equal(phaseAt(timeline.instances[0], 6), 'none');
  assert.equal(phaseAt(timeline.instances[1], 3), 'done');
});

test('what lies beyond the record goes on to its end', () => {
  assert.equal(phaseAt(timeline.instances[3], 9), 'execute');
  assert.equal(lastCycle(timeline), 9);
});

test('a cell says what is waited for, and where that stands', () => {
  assert.equal(describeCell(timeline, timeline.instances[2], 3),
    'Cycle 3, iteration 1, mulsd %xmm1, %xmm0: waits for xmm0: mulsd %xmm1, %xmm0 (line 5)');
  assert.equal(describeCell(timeline, timeline.instances[1], 3),
    'Cycle 3, iteration 0, jne .L2: is executed and waits to retire for an earlier instruction to retire: mulsd %xmm1, %xmm0 (line 5)');
  assert.match(describeCell(timeline, timeline.instances[2], 0), /is dispatched$/);
});

test('a producer that stands behind its user is of the iteration before', () => {
  assert.deepEqual(producersOf(timeline, timeline.instances[2]), [timeline.instances[0]]);
});

test('the text has the letters of llvm-mca', () => {
  assert.deepEqual(asText(timeline).split('\n').slice(2, 4), [
    '[0,0]    DeeeER      mulsd %xmm1, %xmm0',
    '[0,1]    DE---R      jne .L2',
  ]);
});
