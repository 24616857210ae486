// What must not grow, and how far. Memory in MiB.
//
// A worker keeps what it may need again, within limits; they are summed up here so that a worker that outgrows them
// fails. A server keeps the last analysis of each open document and nothing else that grows, so its bound is a share.

/** What the caches of a worker may have, by the file that says so. */
const WORKER_CACHES = {
  'analysis/job/analyzer.cpp: kReportBytes': 256,
  'analysis/job/compile_cache.cpp: four outputs, here of at most 400 lines of source': 4 * 2,
  'analysis/simulate/program_cache.h: three programs a target, 30 times their text of at most 200 KiB, six targets':
    3 * 6 * 6,
  'analysis/flows/flow_cache.h: 10,000 flows of some kilobytes': 40,
};
/** LLVM with the tables of four targets, and one job on the largest document. */
const WORKER_BASE = 200;
const sum = (values) => values.reduce((total, value) => total + value, 0);
const CACHES = sum(Object.values(WORKER_CACHES));

/** What an analysis takes in the server for a line of text, and the server without a document. */
const SERVER_PER_THOUSAND_LINES = 1.5;
const SERVER_BASE = 60;

/**
 * `lines`: of all documents. `slow`: how much more a sanitizer's build takes. `short`: there are few samples, and a
 * job.
 */
export function boundsOf(lines, slow, short) {
  const some = { unit: '', lows: true, rise: short ? 12 : 2 };
  const serverLimit = (SERVER_BASE + (SERVER_PER_THOUSAND_LINES * lines) / 1000) * slow;
  const workerLimit = (WORKER_BASE + CACHES) * slow;
  return [
    { column: 'server', name: 'memory of the server', unit: 'MiB', rise: 16 * slow, share: 0.05, limit: serverLimit },
    {
      column: 'worker',
      name: 'memory of a worker',
      unit: 'MiB',
      rise: 16 * slow,
      share: 0.05,
      freeBelow: workerLimit,
      limit: workerLimit,
    },
    { column: 'server_descriptors', name: 'descriptors of the server', ...some, limit: 40 },
    { column: 'worker_descriptors', name: 'descriptors of a worker', ...some, limit: 40 },
    { column: 'processes', name: 'processes', ...some, limit: 12 },
  ];
}
