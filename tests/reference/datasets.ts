import fc from 'fast-check';
import type { ReferenceEvent } from './values.ts';

export interface Dataset {
  tenantId: string;
  timezone: string;
  now: number;
  events: ReferenceEvent[];
}

/** Clock changes, by zone: where a bucket is most easily wrong. */
export const CLOCK_CHANGES: [timezone: string, instant: string][] = [
  ['America/Los_Angeles', '2024-03-10T10:00:00Z'],
  ['America/Los_Angeles', '2024-11-03T09:00:00Z'],
  ['Europe/Lisbon', '2024-03-31T01:00:00Z'],
  ['Europe/Lisbon', '2024-10-27T01:00:00Z'],
  ['Australia/Lord_Howe', '2024-04-06T15:00:00Z'], // back by half an hour
  ['Australia/Lord_Howe', '2024-10-05T15:30:00Z'],
  ['America/Sao_Paulo', '2018-11-04T03:00:00Z'], // midnight is skipped
  ['America/Sao_Paulo', '2018-02-18T02:00:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z'], // a whole day is skipped
  ['Asia/Kathmandu', '2024-06-30T18:15:00Z'],
  ['UTC', '2024-02-29T00:00:00Z'],
  ['UTC', '1970-01-01T00:00:00Z'],
];
export const ZONES = [...new Set(CLOCK_CHANGES.map(([timezone]) => timezone))];

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const EVENT_NAMES = ['purchase', 'refund', `it's "odd" 😀%`, 'runtime.chat_completed'];
export const AGENTS = ['support', 'sales', 'Ägent/1'];
const THREADS = [null, 't1', 't2', 't10', 'T1', '😀', '\uff5e'];

/** Quotes, path characters of query languages, names of fields, and special JavaScript names. */
const KEYS = [
  ...['amount', 'plan', 'a', 'A', 'a.b', 'a.b.c', 'b', 'x', 'list', 'list.0', 'ключ', '😀', 'count'],
  ...[`it's`, 'quo"te', 'sl/ash', '/a', 'til~de', '~1', '.', 'a.', '.a', ' ', '0', '$', '$.a', '$[0]', '*', '#', '[0]'],
  ...['id', 'timestamp', 'eventName', 'threadId', 'properties', 'properties.x', 'properties.id', 'properties.'],
  ...['__proto__', 'constructor', 'length', 'a\0', '', 'p0', 'slot', '%_', 'g0'],
];
const INNER_KEYS = ['a', 'b', 'c', '0', 'x', '~1', 'sl/ash', '', 'b.c', '__proto__', `quo"te`];

const TEXTS = [
  ...['', ' ', 'a', 'A', 'abc', 'ABC', 'b', '10%', '10_', '100', '%', '_', `it's`, '"quoted"', 'back\\slash', 'a\nb'],
  ...['1', '2', '01', '1.0', 'true', 'false', 'null', 'other', '[1]', '{"a":1}', '[object Object]', 'NaN'],
  ...[
    'é',
    'É',
    'e\u0301',
    'Straße',
    '日本',
    '😀',
    '😀😁',
    '\uff5e',
    'я',
    'Я',
    '\u0000',
    'a\u0000b',
    '\u007f',
    '𐐀',
    '𐐨',
  ],
  ...['2024-03-10', '2024-03-10T10:00:00.000Z', 't1', 'purchase', '$1', '\\', '/', '~0', '\u2028'],
];
/** Decimals that are no binary fractions: groups tie only if their sums are rounded. */
const NUMBERS = [
  0, 1, 2, 3, 5, 10, 42, 100, -1, -2.5, 0.125, 1234.5, 1e6, -7, 0.1, 0.2, -0.3, 0.7, 19.99, -19.99, 1e-7,
];
/** Sums of these have more digits than a double. */
const EXTREME_NUMBERS = [1e21, 2 ** -23, 9007199254740991, 4294967296, 1e20, 123456789.123, 3e-12];
export const EXTREME_KEY = 'extreme';

const text = fc.constantFrom(...TEXTS);
const number = fc.oneof(
  fc.constantFrom(...NUMBERS),
  fc.integer({ min: -64, max: 64 }).map((n) => n / 8),
  fc.integer({ min: -10_000, max: 10_000 }).map((n) => n / 100),
);
export const scalar = fc.oneof(text, number, fc.boolean());

/** Through JSON text, as events arrive, so that `__proto__` is an ordinary key. */
function objectOf(entries: [string, unknown][]): Record<string, unknown> {
  return JSON.parse(`{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join()}}`);
}

const { value } = fc.letrec<{ value: unknown; container: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, { weight: 8, arbitrary: scalar }, fc.constant(null), tie('container')),
  container: fc.oneof(
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(fc.constantFrom(...INNER_KEYS), tie('value')), { maxLength: 4 }).map(objectOf),
  ),
}));

/** A dataset uses few keys, so that events share them. */
function propertiesOf(keys: string[]): fc.Arbitrary<Record<string, unknown>> {
  const ordinary = fc.tuple(fc.constantFrom(...keys), value);
  const extreme = fc.tuple(fc.constant(EXTREME_KEY), fc.oneof(fc.constantFrom(...EXTREME_NUMBERS), value));
  return fc.array(fc.oneof({ weight: 7, arbitrary: ordinary }, extreme), { maxLength: 7 }).map(objectOf);
}

/** Near an instant: often by hours or quarters of an hour, sometimes by days. */
export function near(anchor: number): fc.Arbitrary<number> {
  return fc.oneof(
    fc.constantFrom(0, -1, 1, -HOUR, HOUR, HOUR / 2, -HOUR / 2).map((distance) => anchor + distance),
    fc.integer({ min: -8, max: 8 }).map((quarters) => anchor + quarters * 15 * MINUTE),
    fc.integer({ min: -30 * 60, max: 30 * 60 }).map((minutes) => anchor + minutes * MINUTE),
    fc.integer({ min: -10 * DAY, max: 10 * DAY }).map((distance) => anchor + distance),
  );
}

/** Around the clock changes, round robin. */
export function datasetArbitrary(index: number, events = 150): fc.Arbitrary<Dataset> {
  const [timezone, change] = CLOCK_CHANGES[index % CLOCK_CHANGES.length]!;
  const anchor = Date.parse(change);
  return fc.shuffledSubarray(KEYS, { minLength: 9, maxLength: 14 }).chain((keys) =>
    fc.record({
      tenantId: fc.constant(`tenant ${index}`),
      timezone: fc.constant(timezone),
      now: fc.constantFrom(0, 90 * MINUTE, 3 * DAY, 11 * DAY).map((later) => anchor + later),
      events: fc
        .array(
          fc.record({
            agentId: fc.constantFrom('support', ...AGENTS),
            eventName: fc.constantFrom('purchase', 'purchase', ...EVENT_NAMES),
            timestamp: near(anchor),
            threadId: fc.constantFrom(...THREADS),
            executionId: fc.constantFrom(null, 'e1', 'e2'),
            properties: propertiesOf(keys),
          }),
          { minLength: events, maxLength: events },
        )
        // Ids sort differently from arrival, so that ties on the timestamp are noticed.
        .map((events) => events.map((event, at) => ({ id: `${(at * 7919) % 1009}-${at}`, ...event }))),
    }),
  );
}
