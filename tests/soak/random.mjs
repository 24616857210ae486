// Random numbers that a seed repeats: mulberry32, whose period of 2^32 is more than a run draws.
export class Random {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  /** At least 0 and below 1. */
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to `count` - 1. */
  below(count) {
    return Math.floor(this.next() * count);
  }

  /** A whole number from `low` to `high`. */
  between(low, high) {
    return low + this.below(high - low + 1);
  }

  pick(list) {
    return list[this.below(list.length)];
  }
}
