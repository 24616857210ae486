// When the user is asked whether to calibrate, and what the answers do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CalibrationOffer, neverKey } from '../../src/calibrationOffer';

const advised = { cpu: 'znver5', calibrationAdvised: true };

function host(answer: string | undefined, kept: Record<string, unknown> = {}) {
  const questions: string[] = [];
  let calibrations = 0;
  return {
    kept,
    questions,
    calibrations: () => calibrations,
    memory: { get: (key: string) => kept[key], update: (key: string, value: unknown) => (kept[key] = value) },
    ask: (question: string, ...answers: string[]) => {
      assert.deepEqual(answers, ['Calibrate', 'Not Now', 'Never']);
      questions.push(question);
      return Promise.resolve(answer);
    },
    calibrate: () => ++calibrations,
  };
}

test('it is offered once, and only if the server says so', async () => {
  const user = host('Calibrate');
  const offer = new CalibrationOffer(user);
  await offer.take({ cpu: 'skylake' });
  assert.equal(user.questions.length, 0);
  await offer.take(advised);
  await offer.take(advised);
  assert.equal(user.questions.length, 1);
  assert.match(user.questions[0], /\(znver5\)/);
  assert.equal(user.calibrations(), 1);
});

test('"Not Now" and closing it hold for the session', async () => {
  for (const answer of ['Not Now', undefined]) {
    const user = host(answer);
    await new CalibrationOffer(user).take(advised);
    assert.equal(user.calibrations(), 0);
    await new CalibrationOffer(user).take(advised);
    assert.equal(user.questions.length, 2, 'the next session');
  }
});

test('"Never" is remembered', async () => {
  const user = host('Never');
  await new CalibrationOffer(user).take(advised);
  await new CalibrationOffer(user).take(advised);
  assert.equal(user.questions.length, 1);
  assert.equal(user.calibrations(), 0);
  assert.deepEqual(user.kept, { [neverKey]: true });
});
