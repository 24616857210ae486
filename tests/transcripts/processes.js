// The processes below the server, as the kernel lists them.
'use strict';

const fs = require('node:fs');

/** The processes that any thread of a process started. None if it has ended. */
function childrenOf(pid) {
  try {
    return fs.readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      fs.readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number));
  } catch {
    return [];
  }
}

/** All processes below a process. */
const descendantsOf = (pid) => childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);

module.exports = { childrenOf, descendantsOf };
