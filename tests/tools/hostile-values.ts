/*
 * Values that may be sent for a member of a tool, and whether the contract allows them. They are JSON
 * text, because clients may send unusual JSON: 1e999, half of an emoji, a member called __proto__.
 */

const LONG = 'x'.repeat(16_384);

const quoted = (text: string) => JSON.stringify(text);
const WORDS = [
  '__proto__',
  'constructor',
  'toString',
  "'; DROP TABLE events; --",
  '%',
  '../../etc/passwd',
  '$.a',
  '😀',
];

/** JSON texts; each is sent for each member. */
export const HOSTILE: string[] = [
  ...['null', 'true', 'false', '0', '-1', '1', '2.5', '-0.5', '1e300', '-1e300', '1e999', '-1e999', '9007199254740993'],
  ...['""', '" "', quoted(LONG), quoted(LONG.slice(0, 201)), '"a\\ud800b"', '"\\udc00"', '"a\\u0000b"', '"\\u0000"'],
  ...['"2026-02-30"', '"NaN"', '"undefined"', '"null"', '"[]"', '"{}"', '"1"', '"true"', '"\\u202e\\u2028"'],
  ...WORDS.map(quoted),
  ...['[]', '[null]', '[""]', '["a"]', '["a","a"]', '["a","b","c","d"]', '[7]', '[[]]', '[{}]', '["a\\ud800"]'],
  ...[`[${quoted(LONG)}]`, JSON.stringify(Array.from({ length: 2_000 }, (_, index) => `k${index}`))],
  ...['{}', '{"a":1}', '{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"a":1}}}', '{"length":1}', '{"0":"a"}'],
  ...[`${'['.repeat(40)}${']'.repeat(40)}`, `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`],
];

export type IsMeant = (value: unknown) => boolean;

/** Names of events and agents. */
export const isName: IsMeant = (value) => isText(value, 200) && !value.includes('\0');
export const isKey: IsMeant = (value) => isText(value, 300);
export const isAlias: IsMeant = (value) => isText(value, 100);
export const isKeys: IsMeant = (value) => isKey(value) || isListOf(value, 3, isKey);
export const isColumns: IsMeant = (value) => isArray(value, 1, 100) && value.every(isKey);
/** Above the maximum it is capped. */
export const isLimit: IsMeant = (value) => Number.isInteger(value) && (value as number) >= 1;
export const isPeriods: IsMeant = (value) => isLimit(value) && (value as number) <= 31;
export const isOffset: IsMeant = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
/** A filter's value for equality. */
export const isScalar: IsMeant = (value) =>
  typeof value === 'boolean' || Number.isFinite(value) || (typeof value === 'string' && value.isWellFormed());
export const isFlag: IsMeant = (value) => typeof value === 'boolean';
export const isEmptyList: IsMeant = (value) => isArray(value, 0, 0);
export const isEmptyObject: IsMeant = (value) => JSON.stringify(value) === '{}';
export const isTags: IsMeant = (value) => isArray(value, 1, 50) && value.every((tag) => isText(tag, 100));
/** Properties to look at: a list alone. */
export const isProperties: IsMeant = (value) => isArray(value, 1, 20) && value.every(isKey);
export const isMetricName: IsMeant = (value) => typeof value === 'string' && /^[a-z0-9_]{1,100}$/.test(value);
export const isDescription: IsMeant = (value) => isText(value, 2_000);
export const isSynonyms: IsMeant = (value) =>
  isArray(value, 0, 30) && value.every((one) => isText(one, 100) && isName(one));
export const isUnit: IsMeant = (value) => isText(value, 30) && isName(value);
export const isAffix: IsMeant = (value) =>
  typeof value === 'string' && value.length <= 20 && value.isWellFormed() && !/\p{Cc}/u.test(value);
export const isDecimals: IsMeant = (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 10;
export const isGapText: IsMeant = (value) => isText(value, 1_000);
export const isAnnotationText: IsMeant = (value) => isText(value, 500) && isName(value.slice(0, 200));
/** An object of at most ten levels. */
export const isFreeObject: IsMeant = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && JSON.stringify(value).split('{').length <= 11;
/** Queries of a knowledge search; half of an emoji matches nothing, without an error. */
export const isQuery: IsMeant = (value) => typeof value === 'string' && value.length <= 4_000 && value.trim() !== '';
/** Keys of a document's metadata, each with its value or list of values. */
export const isMetadata: IsMeant = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isScalar);
/** Dates, zones, receipts, enums and objects: no hostile value is a valid one. */
export const never: IsMeant = () => false;

function isText(value: unknown, maximum: number): value is string {
  return typeof value === 'string' && value.length >= 1 && value.length <= maximum && value.isWellFormed();
}

function isArray(value: unknown, minimum: number, maximum: number): value is unknown[] {
  return Array.isArray(value) && value.length >= minimum && value.length <= maximum;
}

function isListOf(value: unknown, maximum: number, isItem: IsMeant): boolean {
  return isArray(value, 1, maximum) && value.every(isItem) && new Set(value).size === value.length;
}
export const isTitle: IsMeant = (value) => isName(value) && !/\p{Cc}/u.test(value as string);
export const isCooldown: IsMeant = (value) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 30 * 86_400;
