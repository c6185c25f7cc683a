import { apiDocument, type Schema } from './operations.ts';

export interface Spoiling {
  way: string;
  path: string;
  /** The whole value, spoiled at the path. */
  value: unknown;
}

const MAX_DEPTH = 6;
/** Longer texts and lists are left to the tests of limits. */
const MAX_LENGTH = 250_000;
const MAX_ITEMS = 5_000;

type Key = string | number;

/** Every way to break one rule of the schema in a value that it accepts. */
export function spoilings(schema: Schema, value: unknown): Spoiling[] {
  return within(schema, value, []).map(({ path, way, bad }) => ({
    way,
    path: path.join('.'),
    value: withChange(value, path, bad),
  }));
}

interface Change {
  path: Key[];
  way: string;
  /** Undefined leaves the member out. */
  bad: unknown;
}

function within(schema: Schema, value: unknown, path: Key[]): Change[] {
  const variants = variantsOf(schema);
  const own = variants.flatMap((variant) => bad(variant, value));
  const types = new Set(variants.flatMap(typesOf));
  const wrong = WRONG.find(([type]) => !types.has(type) && !(type === 'integer' && types.has('number')));
  const changes: Change[] = own.map(([way, one]) => ({ path, way, bad: one }));
  if (types.size > 0 && wrong) changes.unshift({ path, way: `a ${wrong[0]}`, bad: wrong[1] });
  if (path.length >= MAX_DEPTH) return changes;
  const variant = variants.find((one) => fits(one, value));
  return variant ? [...changes, ...inside(variant, value, path)] : changes;
}

const WRONG: [type: string, value: unknown][] = [
  ['integer', 7],
  ['string', 'text'],
  ['boolean', true],
  ['array', []],
];

function inside(schema: Schema, value: unknown, path: Key[]): Change[] {
  if (Array.isArray(value)) {
    const { items } = schema as { items?: Schema };
    return items && value.length > 0 ? within(items, value[0], [...path, 0]) : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Schema>; required?: string[] };
  return [
    ...required.map((name) => ({ path: [...path, name], way: 'left out', bad: undefined })),
    ...Object.entries(properties).flatMap(([name, member]) =>
      within(member, (value as Record<string, unknown>)[name], [...path, name]),
    ),
  ];
}

/** What the keywords of one variant forbid. */
function bad(schema: Schema, value: unknown): [way: string, value: unknown][] {
  const {
    enum: allowed,
    minimum,
    maximum,
    maxLength,
    minItems,
    maxItems,
  } = schema as Record<string, number | undefined>;
  const types = typesOf(schema);
  const found: [string, unknown][] = [];
  if (allowed !== undefined || 'const' in schema) found.push(['another value', 'nonsense']);
  else if (types.includes('string')) {
    found.push(['an empty text', ''], ['a lone surrogate', 'a\ud800'], ['a NUL', 'a\0b'], ['a star', '*']);
    if (maxLength !== undefined && maxLength <= MAX_LENGTH) found.push(['too long', 'x'.repeat(maxLength + 1)]);
  }
  if (types.includes('integer')) found.push(['a fraction', 1.5]);
  if (minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER) found.push(['too small', minimum - 1]);
  if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) found.push(['too large', maximum + 1]);
  if (minItems !== undefined) found.push(['too few', []]);
  if (maxItems !== undefined && maxItems <= MAX_ITEMS && Array.isArray(value) && value.length > 0) {
    found.push(['too many', Array.from({ length: maxItems + 1 }, () => value[0])]);
  }
  if (schema.additionalProperties === false && typeof value === 'object' && value !== null) {
    found.push(['an unknown member', { ...value, unknownMember: 1 }]);
  }
  return found;
}

function typesOf(schema: Schema): string[] {
  if (schema.type !== undefined) return [schema.type].flat() as string[];
  const given = 'const' in schema ? [schema.const] : ((schema.enum as unknown[] | undefined) ?? []);
  return [...new Set(given.map((one) => (Array.isArray(one) ? 'array' : typeof one)))];
}

function variantsOf(schema: Schema): Schema[] {
  if (typeof schema.$ref === 'string') {
    return variantsOf(apiDocument.components.schemas[schema.$ref.replace(/^.*\//, '')]!);
  }
  const variants = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  return variants ? variants.flatMap(variantsOf) : [schema];
}

/** By type and by the members that tell variants apart. */
function fits(schema: Schema, value: unknown): boolean {
  const types = typesOf(schema);
  const type = Array.isArray(value) ? 'array' : typeof value;
  if (types.length > 0 && !types.includes(type)) return false;
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Schema>; required?: string[] };
  if (typeof value !== 'object' || value === null) return true;
  const own = value as Record<string, unknown>;
  return (
    required.every((name) => own[name] !== undefined) &&
    Object.entries(properties).every(([name, member]) => !('const' in member) || own[name] === member.const)
  );
}

function withChange(value: unknown, [key, ...rest]: Key[], bad: unknown): unknown {
  if (key === undefined) return bad;
  if (Array.isArray(value)) return value.with(Number(key), withChange(value[Number(key)], rest, bad));
  const { [key]: member, ...others } = (value ?? {}) as Record<string, unknown>;
  const changed = withChange(member, rest, bad);
  return changed === undefined ? others : { ...others, [key]: changed };
}
