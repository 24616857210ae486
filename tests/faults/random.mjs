// Numbers that follow from a seed alone, so that a fault can be repeated. mulberry32: small, and good enough to choose
// with.

/** Mixes a seed and the number of a fault into the state of a generator (the finalizer of MurmurHash3). */
function mix(seed, number) {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca77)) >>> 0;
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}

export class Random {
  constructor(seed, number) {
    this.state = mix(seed, number);
  }

  /** In [0, 1). */
  real() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number in [0, below). */
  below(below) {
    return Math.floor(this.real() * below);
  }

  /** A whole number in [first, last]. */
  between(first, last) {
    return first + this.below(last - first + 1);
  }

  chance(probability) {
    return this.real() < probability;
  }

  pick(values) {
    return values[this.below(values.length)];
  }

  /** One of `values`, each as often as its `weight` says. */
  weighted(values) {
    let rest = this.real() * values.reduce((sum, value) => sum + value.weight, 0);
    return values.find((value) => (rest -= value.weight) < 0) ?? values.at(-1);
  }

  bytes(count) {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)));
  }
}
