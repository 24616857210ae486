// Stands between the server and the worker, and spoils one frame of their talk.
//
//   proxy.mjs PLAN WORKER ARGUMENT... --fd N
//
// The plan is read again at each frame. A new `id` means a new fault: the `frame`-th frame from then on in its
// `direction` is spoilt. That this happened is said on standard error, which is the server's log.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';

const [planFile, program, ...given] = process.argv.slice(2);
const socket = given.indexOf('--fd') + 1;
const server = new net.Socket({ fd: Number(given[socket]), readable: true, writable: true });
given[socket] = '3';
const child = spawn(program, given, { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
const worker = child.stdio[3];

/** Frames are a length of four bytes, little endian, and as many bytes (analysis/wire/codec.h). */
const LENGTH_BYTES = 4;
const state = { id: 0, seen: 0 };

function planFor(direction) {
  let plan;
  try {
    plan = JSON.parse(fs.readFileSync(planFile, 'utf8'));
  } catch {
    return undefined; // it is being written
  }
  if (plan.direction !== direction) return undefined;
  if (plan.id !== state.id) Object.assign(state, { id: plan.id, seen: 0 });
  if (state.seen++ !== plan.frame) return undefined;
  fs.writeSync(2, `faults: frame of plan ${plan.id} spoilt\n`);
  return plan;
}

/** The index of a byte: `place` is in [0, 1). A `narrow` one is among the first 24, which hold the lengths. */
const indexOf = (frame, { place, narrow }) => Math.floor(place * (narrow ? Math.min(24, frame.length) : frame.length));

/** The bytes that are sent instead of the frame. */
const SPOILT = {
  cut: (frame, plan) => [frame.subarray(0, indexOf(frame, plan))],
  end: (frame, plan) => [frame.subarray(0, indexOf(frame, plan))],
  drop: () => [],
  twice: (frame) => [frame, frame],
  delay: (frame) => [frame],
  noise: (frame, plan) => [Buffer.from(plan.bytes, 'hex'), frame],
  long: (frame) => [Buffer.from([255, 255, 255, 255]), frame.subarray(LENGTH_BYTES)],
  flip(frame, plan) {
    const copy = Buffer.from(frame);
    for (const flip of plan.flips) copy[indexOf(frame, flip)] ^= 1 << flip.bit;
    return [copy];
  },
};

function forward(from, to, direction) {
  let bytes = Buffer.alloc(0);
  let kept; // a frame that is sent after the next one
  let isOver = false;
  const send = (frame) => {
    const plan = planFor(direction);
    if (plan?.action === 'swap') return void (kept = frame);
    for (const part of plan ? SPOILT[plan.action](frame, plan) : [frame]) to.write(part);
    if (kept) to.write(kept);
    kept = undefined;
    if (plan?.action === 'end') {
      isOver = true;
      to.end();
    }
    return plan?.action === 'delay' ? plan.delay : 0;
  };
  const pump = () => {
    while (!isOver && bytes.length >= LENGTH_BYTES) {
      const end = LENGTH_BYTES + bytes.readUInt32LE();
      if (bytes.length < end) break;
      const pause = send(bytes.subarray(0, end));
      bytes = bytes.subarray(end);
      if (pause) {
        from.pause();
        setTimeout(() => {
          from.resume();
          pump();
        }, pause);
        return;
      }
    }
  };
  from.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    pump();
  });
  from.on('end', () => to.end());
  from.on('error', () => to.end());
}

forward(server, worker, 'to the worker');
forward(worker, server, 'to the server');
child.on('exit', (status, signal) => {
  const end = () => (signal ? process.kill(process.pid, signal) : process.exit(status));
  server.end(end);
  setTimeout(end, 200).unref();
});
