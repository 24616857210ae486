// Faults of what server and worker say to each other: one frame of it is spoilt on its way (proxy.mjs). What a kind of
// fault is, worker_faults.mjs says.
import fs from 'node:fs';
import { signal } from './processes.mjs';

let plans = 0;

function spoiling(action, weight, draw, heals = 'edit') {
  return {
    name: `frame-${action}`,
    shape: 'proxy',
    weight,
    early: true,
    patience: 0.7,
    documents: 'any',
    heals,
    /** A job is one frame to the worker, and one for each step and the result to the server. */
    draw(random) {
      const isRequest = random.chance(0.25);
      const frame = random.pick(isRequest ? [0, 0, 0, 1] : [0, 1, 2, 3, 4, 5, 6, 8]);
      return { direction: isRequest ? 'to the worker' : 'to the server', frame, ...draw(random) };
    },
    inject(session, params) {
      fs.writeFileSync(`${session.worker}.plan`, JSON.stringify({ ...params, id: ++plans, action }));
      return '';
    },
    /** The next edit meets no spoilt frame. */
    lift(session) {
      fs.rmSync(`${session.worker}.plan`, { force: true });
      return session.editor.child.log.includes(`frame of plan ${plans} spoilt`) ? 'spoilt' : 'no such frame';
    },
  };
}

const drawPlace = (random) => ({ place: random.real(), narrow: random.chance(0.3) });
const drawFlips = (random) => ({
  flips: Array.from({ length: random.pick([1, 1, 1, 2, 5, 30]) }, () => ({
    ...drawPlace(random),
    bit: random.below(8),
  })),
});

/** The proxy alone dies: the worker sees the end of its stream. */
const gone = {
  name: 'frame-end-of-both',
  shape: 'proxy',
  weight: 1,
  documents: 'any',
  heals: 'itself',
  draw: () => ({}),
  inject: (session) => (session.workers().filter((pid) => signal(pid, 'SIGKILL')).length ? '' : 'no worker'),
  lift: () => '',
};

export const FRAME_FAULTS = [
  gone,
  spoiling('cut', 3, drawPlace),
  spoiling('end', 2, drawPlace),
  spoiling('flip', 5, drawFlips),
  spoiling('twice', 1.5, () => ({})),
  spoiling('swap', 1.5, () => ({})),
  spoiling('drop', 1, () => ({})),
  spoiling('delay', 3, (random) => ({ delay: random.between(20, 500) }), 'itself'),
  spoiling('noise', 3, (random) => ({ bytes: random.bytes(random.between(1, 60)).toString('hex') })),
  spoiling('long', 1, () => ({})),
];
