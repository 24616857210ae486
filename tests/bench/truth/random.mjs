// Random draws that a seed repeats on every machine.

/** Numbers from a seed of 32 bits: a counter whose bits are mixed (a Weyl sequence and a finalizer). */
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** 32 bits. */
  next() {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }

  /** A whole number in [0, end). */
  below(end) {
    return Math.floor((this.next() / 2 ** 32) * end);
  }

  /** Takes a random item out of a list, whose order changes. */
  take(items) {
    const index = this.below(items.length);
    const taken = items[index];
    items[index] = items.at(-1);
    items.pop();
    return taken;
  }
}

/**
 * Draws blocks from pools, one after the other, so that each pool gives as many. A pool holds every occurrence of a
 * block in the code, so a length is as likely as in the code; a text that was drawn already is left out.
 *
 * `pools`: lists of { text }; they are used up. Returns fewer than `count` if the pools are empty.
 */
export function drawBlocks(random, pools, count) {
  const drawn = new Map();
  while (drawn.size < count && pools.some((pool) => pool.length > 0))
    for (const pool of pools) {
      if (drawn.size === count) break;
      drawOne(random, pool, drawn);
    }
  return [...drawn.values()];
}

function drawOne(random, pool, drawn) {
  while (pool.length > 0) {
    const block = random.take(pool);
    if (drawn.has(block.text)) continue;
    drawn.set(block.text, block);
    return;
  }
}
