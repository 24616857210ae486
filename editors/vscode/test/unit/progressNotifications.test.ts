// Which progress becomes a notification, what it shows, and what its button does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Bar, type Cancellation, ProgressNotifications } from '../../src/progressNotifications';

class Opened {
  reports: { message?: string; increment?: number }[] = [];
  isOver = false;
  cancel: () => void = () => undefined;
  private start: () => void = () => undefined;

  constructor(readonly title: string, task: (bar: Bar, cancellation: Cancellation) => Promise<void>) {
    this.start = () => {
      const cancellation = { onCancellationRequested: (listener: () => void) => (this.cancel = listener) };
      void task({ report: (value) => this.reports.push(value) }, cancellation).then(() => (this.isOver = true));
    };
  }
  appear(): void {
    this.start();
  }
}

function notifications() {
  const opened: Opened[] = [];
  const cancelled: (string | number)[] = [];
  const made = new ProgressNotifications((title, task) => opened.push(new Opened(title, task)), (token) => cancelled.push(token));
  return { opened, cancelled, made };
}

const begin = { kind: 'begin', title: 'Calibrating', message: 'starting', percentage: 0, cancellable: true } as const;
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('what can be cancelled is a notification, with its messages and its bar', async () => {
  const { opened, made } = notifications();
  assert.equal(made.handle('t', begin), true);
  opened[0].appear();
  assert.equal(made.handle('t', { kind: 'report', message: '800 of 2386 forms', percentage: 33 }), true);
  assert.equal(made.handle('t', { kind: 'report', message: 'ending' }), true);
  assert.deepEqual(opened[0].reports, [
    { message: 'starting', increment: 0 }, { message: '800 of 2386 forms', increment: 33 }, { message: 'ending', increment: 0 }]);
  assert.equal(made.handle('t', { kind: 'end' }), false, 'the language client ends its own part');
  await settled();
  assert.equal(opened[0].isOver, true);
});

test('reports that come before it is there are not lost', async () => {
  const { opened, made } = notifications();
  made.handle('t', begin);
  made.handle('t', { kind: 'report', message: '10 of 20 forms', percentage: 50 });
  made.handle('t', { kind: 'end' });
  opened[0].appear();
  assert.deepEqual(opened[0].reports, [{ message: '10 of 20 forms', increment: 50 }]);
  await settled();
  assert.equal(opened[0].isOver, true);
});

test('the button cancels by the token', () => {
  const { opened, cancelled, made } = notifications();
  made.handle(7, begin);
  opened[0].appear();
  opened[0].cancel();
  assert.deepEqual(cancelled, [7]);
});

test('what cannot be cancelled stays with the language client', () => {
  const { opened, made } = notifications();
  assert.equal(made.handle('t', { kind: 'begin', title: 'mca: a.c', cancellable: false }), false);
  assert.equal(made.handle('t', { kind: 'report', message: 'compiling' }), false);
  assert.equal(made.handle('t', { kind: 'end' }), false);
  assert.equal(opened.length, 0);
});

test('a server that ends leaves none behind', async () => {
  const { opened, made } = notifications();
  made.handle('t', begin);
  opened[0].appear();
  made.endAll();
  await settled();
  assert.equal(opened[0].isOver, true);
  assert.equal(made.handle('t', { kind: 'report', message: 'late' }), false);
});
