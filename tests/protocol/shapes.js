// Whether a value is of a type of the model, and where it is not.
'use strict';

const LIMIT = 2 ** 31;

/** A member that the tests add to objects. A reply may give it back, as that of a resolve request does. */
const UNKNOWN = 'unknownMember';

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isInteger = (value) => Number.isInteger(value) && value >= -LIMIT && value < LIMIT;

// The ranges are those of LSP 3.17, Base Types.
const BASES = {
  any: () => true,
  null: (value) => value === null,
  object: isObject,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  decimal: (value) => typeof value === 'number',
  integer: isInteger,
  uinteger: (value) => isInteger(value) && value >= 0,
};

function brief(value) {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function mismatchOfList(types, value, place) {
  if (!Array.isArray(value) || (types.length !== undefined && types.length !== value.length))
    return `${place} is ${brief(value)}, not such a list`;
  for (const [index, one] of value.entries()) {
    const wrong = mismatch(types.length === undefined ? types : types[index], one, `${place}[${index}]`);
    if (wrong) return wrong;
  }
  return '';
}

function mismatchOfStructure(type, value, place) {
  if (!isObject(value)) return `${place} is ${brief(value)}, not ${type.name || 'an object'}`;
  const known = new Map(type.members.map((member) => [member.name, member]));
  for (const { name, optional } of type.members)
    if (!optional && value[name] === undefined) return `${place}.${name} of ${type.name} is missing`;
  for (const [name, one] of Object.entries(value)) {
    const of = known.get(name)?.type ?? type.others;
    if (!of && name !== UNKNOWN) return `${place}.${name} is no member of ${type.name}`;
    const wrong = of && mismatch(of, one, `${place}.${name}`);
    if (wrong) return wrong;
  }
  return '';
}

function mismatchOfUnion(type, value, place) {
  const wrong = type.items.map((item) => mismatch(item, value, place));
  return wrong.some((one) => one === '') ? '' : wrong.join(', nor: ');
}

/** What is wrong with the value, or an empty text. */
function mismatch(type, value, place = 'it') {
  switch (type.kind) {
    case 'base':
      return BASES[type.name](value) ? '' : `${place} is ${brief(value)}, not of the type ${type.name}`;
    case 'literal':
      return value === type.value ? '' : `${place} is ${brief(value)}, not ${brief(type.value)}`;
    case 'array':
      return mismatchOfList(type.element, value, place);
    case 'tuple':
      return mismatchOfList(type.items, value, place);
    case 'or':
      return mismatchOfUnion(type, value, place);
    default:
      return mismatchOfStructure(type, value, place);
  }
}

const isOf = (type, value) => mismatch(type, value) === '';

module.exports = { UNKNOWN, brief, isObject, isOf, mismatch };
