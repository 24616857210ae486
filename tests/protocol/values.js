// Parameters of a method, made from their type in the model: right ones, and each way to make them wrong.
//
// What a type cannot say, such as which document is open, comes from the table `samples`: a value by the name of a
// structure, of a member ("ExecuteCommandParams.command") or of a type's alias ("DocumentUri").
'use strict';

const { UNKNOWN, brief, isOf } = require('./shapes');

const BASES = {
  any: { some: [1, null] },
  null: null,
  object: { some: 1 },
  string: 'text',
  boolean: true,
  decimal: 1,
  integer: 1,
  uinteger: 1,
};

/** A number that JavaScript cannot hold; textOf() writes it as it is. */
class Literal {
  constructor(text) {
    this.text = text;
  }
  toJSON() {
    return `literal:${this.text}`;
  }
}

/** The JSON of a message. */
function textOf(message) {
  return JSON.stringify({ jsonrpc: '2.0', ...message }).replace(/"literal:([^"]*)"/g, '$1');
}

const clone = (value) => (value === undefined ? undefined : structuredClone(value));

class Maker {
  constructor(samples) {
    this.samples = samples;
  }

  /** The least that the type requires. */
  minimal(type) {
    return this.make(type, false, []);
  }

  /** With all optional members, and an element in each array. */
  full(type) {
    return this.make(type, true, []);
  }

  make(type, full, inside) {
    const known = this.samples[type.alias] ?? this.samples[type.name];
    if (known !== undefined && type.kind !== 'literal') return clone(known);
    switch (type.kind) {
      case 'base':
        return clone(BASES[type.name]);
      case 'literal':
        return type.value;
      case 'array':
        return full ? this.elements(type.element, inside) : [];
      case 'tuple':
        return type.items.map((item) => this.make(item, full, inside));
      case 'or':
        return this.make(this.alternative(type.items, full), full, inside);
      default:
        return this.makeStructure(type, full, inside);
    }
  }

  /** Of a choice of words or numbers all, otherwise one. */
  elements(type, inside) {
    const isChoice = type.kind === 'or' && type.items.every((item) => item.kind === 'literal');
    return isChoice ? type.items.map((item) => item.value) : [this.make(type, true, inside)];
  }

  /** The last one says most: boolean | Options, string | Part[]. */
  alternative(items, full) {
    if (!full) return items.find((item) => item.name === 'null') ?? items[0];
    return items.filter((item) => item.name !== 'null').at(-1);
  }

  /** A structure inside itself is left out. */
  makeStructure(type, full, inside) {
    const made = {};
    for (const { name, optional, type: of } of type.members) {
      const element = of.kind === 'array' ? of.element : of;
      if (optional && (!full || inside.includes(element))) continue;
      const known = this.samples[`${type.name}.${name}`];
      made[name] = known === undefined ? this.make(of, full, [...inside, type]) : clone(known);
    }
    return made;
  }
}

// One value of each kind, and of numbers some that are none of the protocol's integers.
const KINDS = [null, true, 7, -7, 1.5, 'other text', [], [null], {}];
const HUGE = [
  '2147483648',
  '4294967296',
  '9223372036854775808',
  '18446744073709551615',
  '99999999999999999999',
  '1e300',
];
const FAR_BELOW = ['-2147483649', '-9223372036854775809', '-99999999999999999999'];

/** `params` with the member at `path` replaced, or removed by undefined. */
function withValue(params, path, value) {
  if (path.length === 0) return value;
  const [name, ...rest] = path;
  const copy = Array.isArray(params) ? [...params] : { ...params };
  copy[name] = withValue(copy[name], rest, value);
  return copy;
}

function valueAt(params, path) {
  return path.reduce((value, name) => value[name], params);
}

/**
 * The wrong values of one place. `required` says that params without this place would be wrong, too.
 * A case has the `demand` on the answer: 'refuse', or 'tolerate' where the server may ignore the value.
 */
function* wrongValues(type, params, path, required) {
  const place = path.join('.');
  const demand = required ? 'refuse' : 'tolerate';
  for (const kind of KINDS)
    if (!isOf(type, kind)) yield { what: `${place}: ${brief(kind)}`, params: withValue(params, path, kind), demand };
  const accepts = (name) => (type.kind === 'or' ? type.items : [type]).some((one) => one.name === name);
  if (!accepts('integer') && !accepts('uinteger')) return;
  // LSP 3.17 limits its integers to 32 bits. It also has columns beyond the end of a line mean that end, so a huge
  // number may be taken for the largest; a negative one has no meaning where there are none.
  const below = accepts('integer') ? 'tolerate' : demand;
  for (const [numbers, wanted] of [
    [HUGE, 'tolerate'],
    [FAR_BELOW, below],
  ])
    for (const text of numbers)
      yield { what: `${place}: ${text}`, params: withValue(params, path, new Literal(text)), demand: wanted };
}

/** The cases of all places inside one whose value in `params` is right. */
function* casesInside(type, params, path, required) {
  const value = valueAt(params, path);
  if (type.kind === 'or') {
    const meant = type.items.find((item) => isOf(item, value));
    yield* casesInside(meant, params, path, required);
  } else if (type.kind === 'array') {
    if (value.length > 0) yield* casesAt(type.element, params, [...path, 0], required);
  } else if (type.kind === 'tuple') {
    for (const [index, item] of type.items.entries()) yield* casesAt(item, params, [...path, index], required);
  } else if (type.kind === 'structure') {
    yield* casesOfMembers(type, params, path, required);
  }
}

function* casesOfMembers(type, params, path, required) {
  const value = valueAt(params, path);
  if (!type.others) {
    const added = withValue(params, path, { ...value, [UNKNOWN]: { some: [1] } });
    yield { what: `${path.join('.')}: an unknown member`, params: added, demand: 'right' };
  }
  for (const { name, optional, type: of } of type.members) {
    if (value[name] === undefined) continue;
    const here = [...path, name];
    // Diagnostics that a client sends along are of any server. One that is odd must not cost the user the answer.
    const needed = required && !optional && type.name !== 'Diagnostic';
    if (!optional)
      yield {
        what: `${here.join('.')}: missing`,
        params: withValue(params, here, undefined),
        demand: needed ? 'refuse' : 'tolerate',
      };
    yield* casesAt(of, params, here, needed);
  }
}

function* casesAt(type, params, path, required) {
  yield* wrongValues(type, params, path, required);
  yield* casesInside(type, params, path, required);
}

/** Params that are no object, for a method that takes none, or an object of this type. */
function* casesOfWhole(type, right) {
  const needsParams = type !== null && !isOf(type, {});
  const demand = needsParams ? 'refuse' : 'right';
  yield { what: 'no params', params: undefined, demand };
  yield { what: 'params null', params: null, demand };
  // LSP 3.17 lets params be an array, too, and no method of it has such.
  yield { what: 'params in an array', params: [right], demand: needsParams ? 'refuse' : 'tolerate' };
  yield { what: 'params: []', params: [], demand: needsParams ? 'refuse' : 'tolerate' };
  if (type === null) yield { what: 'params for a method without', params: { some: 1 }, demand: 'right' };
  for (const scalar of [true, 7, -1.5, 'text'])
    yield { what: `params: ${brief(scalar)}`, params: scalar, demand: 'malformed' };
  yield { what: `params: ${HUGE.at(-1)}`, params: new Literal(HUGE.at(-1)), demand: 'malformed' };
}

/** All cases of a method: { what, params, demand }, the right ones first. */
function* casesOf(method, samples) {
  const maker = new Maker(samples);
  const type = method.params;
  if (type?.kind !== 'structure') {
    yield* casesOfWhole(type?.name === 'any' ? null : type, {});
    return;
  }
  const full = maker.full(type);
  yield { what: 'minimal', params: maker.minimal(type), demand: 'right' };
  yield { what: 'full', params: full, demand: 'right' };
  yield* casesOfWhole(type, full);
  yield* casesInside(type, full, [], true);
}

module.exports = { Literal, Maker, casesOf, textOf };
