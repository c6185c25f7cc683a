import fc from 'fast-check';
import type { CardData, CardType, Change, RenderedCard } from '../../src/charts/answer.ts';

const text = fc.oneof(
  fc.constantFrom(
    ...['<img src=x onerror=alert(1)>', '"]]>\u0000\u001b\ufffe', '\ud800 alone \udfff', 'שלום עולם', 'اسم طويل جدا'],
    ...[
      '👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦',
      '\u202eevil\u2066',
      `Z${'\u0301'.repeat(60)}`,
      '日本語の名前',
      '',
      ' ',
      '\n\t',
    ],
    ...['x'.repeat(300), 'W'.repeat(300), '長'.repeat(300), 'ab '.repeat(100), 'other', '__proto__'],
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ maxLength: 12 }),
);

const number = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 500 }) },
  { weight: 2, arbitrary: fc.double({ min: -1e6, max: 1e6, noNaN: true }) },
  fc.constantFrom(0, -0, 1, 5e-324, -5e-324, 1e-9, 1e15, 1e308, -1e308, Number.MAX_VALUE, 123456789.123),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const value = fc.oneof({ weight: 6, arbitrary: number }, fc.constant(null));
const count = fc.oneof(fc.nat(10_000), fc.constantFrom(0, Number.MAX_SAFE_INTEGER));
const group = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.constantFrom<unknown>(null, true, false, 42, -0.5, 1e308, {}, [], ['a', null]),
  fc.dictionary(text, fc.oneof(text, fc.constant(null), fc.boolean(), number), { maxKeys: 3 }),
);

const change: fc.Arbitrary<Change | undefined> = fc.option(fc.record({ value, change: value, changeRatio: value }), {
  nil: undefined,
});
const format = fc.record(
  { prefix: text, suffix: text, decimals: fc.nat(10), percent: fc.boolean() },
  { requiredKeys: [] },
);
const presented = {
  format: fc.option(format, { nil: undefined }),
  goodDirection: fc.constantFrom('up', 'down', 'none', undefined),
};
const annotation = fc.record({
  at: fc
    .oneof({ weight: 6, arbitrary: fc.nat(40) }, fc.nat(4_000))
    .map((days) => new Date(Date.parse('2026-01-01') + days * 86_400_000).toISOString()),
  text,
});
const series = fc
  .record({
    start: fc.constantFrom('2024-02-29', '2026-03-12', '1999-12-31', '2026-01-01'),
    unit: fc.constantFrom(3_600_000, 86_400_000, 7 * 86_400_000, 31 * 86_400_000, 366 * 86_400_000),
    buckets: fc.oneof({ weight: 8, arbitrary: fc.nat(40) }, fc.nat(400)),
    groups: fc.oneof(fc.constant<unknown[]>([undefined]), fc.array(group, { maxLength: 14 })),
    values: fc.array(value, { minLength: 1, maxLength: 30 }),
    annotations: fc.option(fc.array(annotation, { maxLength: 20 }), { nil: undefined }),
    limit: fc.option(fc.double({ noNaN: true }), { nil: undefined }),
    ...presented,
  })
  .map(({ start, unit, buckets, groups, values, ...rest }) => ({
    ...rest,
    series: groups.flatMap((one, line) =>
      Array.from({ length: buckets }, (_, index) => ({
        bucket: `${new Date(Date.parse(start) + index * unit).toISOString().slice(0, 19)}+01:00`,
        ...(one === undefined ? {} : { group: one }),
        value: values[(index + line * 7) % values.length]!,
      })),
    ),
  }));
const groups = fc.record({
  ...presented,
  groups: fc.oneof(
    fc.array(fc.record({ group, value, previous: change }), { maxLength: 12 }),
    fc.array(fc.record({ group, value: count }), { maxLength: 100 }),
  ),
});
const table = fc
  .record({
    keys: fc.uniqueArray(text, { maxLength: 12 }),
    types: fc.array(fc.constantFrom('string', 'number', 'datetime', 'mixed', 'object'), {
      minLength: 12,
      maxLength: 12,
    }),
    cells: fc.array(fc.oneof(group, number, fc.constant('2026-03-11T12:34:56.000Z')), { minLength: 1, maxLength: 20 }),
    rows: fc.nat(40),
    more: fc.nat(500),
  })
  .map(({ keys, types, cells, rows, more }) => ({
    rows: Array.from({ length: rows }, (_, row) =>
      Object.fromEntries(keys.map((key, index) => [key, cells[(row * 3 + index) % cells.length]])),
    ),
    columns: keys.map((key, index) => ({ key, type: types[index]! })),
    total: rows + more,
  }));
const steps = fc.record({
  steps: fc.array(
    fc.record({
      label: text,
      eventName: text,
      count,
      conversion: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    }),
    {
      minLength: 2,
      maxLength: 10,
    },
  ),
});
const formatted = fc.oneof(
  text,
  number.map((one) => one.toLocaleString('en-US', { maximumSignificantDigits: 3 })),
);
const single = fc.record(
  {
    value,
    formatted,
    numerator: count,
    denominator: count,
    previous: change,
    ...presented,
  },
  { requiredKeys: ['value', 'formatted'] },
);
const color = fc.oneof(text, fc.constantFrom('green', 'amber', 'red', '#fff', '#12345g', 'url(#x)'));
const gauge = fc
  .record({
    value,
    formatted,
    ...presented,
    limits: fc.tuple(number, number).filter(([one, other]) => one !== other),
    shares: fc.uniqueArray(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 10 }),
    target: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    label: text,
    color,
  })
  .map(({ limits, shares, target, label, color: painted, ...rest }) => {
    const [min, max] = [Math.min(...limits), Math.max(...limits)];
    const within = (share: number) => min * (1 - share) + max * share;
    return {
      ...rest,
      min,
      max,
      ...(target === null ? {} : { target: within(target) }),
      thresholds: shares
        .toSorted((one, other) => one - other)
        .map((share) => ({ value: within(share), label, color: painted })),
    };
  });

const DATA: [CardType, fc.Arbitrary<CardData>][] = [
  ['number', single],
  ['rate', single],
  ['line', series],
  ['bar', series],
  ['bar', groups],
  ['pie', groups],
  ['table', table],
  ['funnel', steps],
  ['gauge', gauge],
];

const basis = fc.record({
  aggregation: fc.constantFrom('count', 'sum', 'avg', undefined),
  from: fc.constantFrom(null, '2026-02-26T00:00:00.000Z', '2026-03-12T03:00:00.000Z'),
  to: fc.constantFrom(null, '2026-03-12T04:00:00.000Z', '2026-03-12T00:00:00.000Z'),
  timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Nowhere/<b>'),
  matchedEvents: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 10_000_000 }) }, fc.constant(0)),
});

export const cards: fc.Arbitrary<RenderedCard> = fc
  .constantFrom(...DATA)
  .chain(([cardType, data]) =>
    fc.record({ card: fc.record({ title: text, cardType: fc.constant(cardType) }), data, basis }),
  );

export const locales = fc.constantFrom('en', 'de', 'fr', 'ar', 'fa', 'hi', 'ja', 'th', 'tlh', 'not a locale', '');
