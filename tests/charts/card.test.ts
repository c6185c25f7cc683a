import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CardBasis, CardData, CardType, RenderedCard } from '../../src/charts/answer.ts';
import { cardSvg, drawCard, summaryOf, tableOf } from '../../src/charts/card.ts';
import { CUSTOM_PROPERTIES, PALETTES } from '../../src/charts/palette.ts';
import { provideTranslations } from '../../src/language/catalogues.ts';
import { charts } from '../../src/language/pt/charts.ts';
import { overlaps, placesOf } from './support.ts';

const OPTIONS = { width: 600, height: 300, palette: PALETTES.light, locale: 'en' };

function rendered(cardType: CardType, data: CardData, basis: Partial<CardBasis> = {}): RenderedCard {
  const range = { from: '2026-03-01T00:00:00.000Z', to: '2026-03-04T00:00:00.000Z' };
  return {
    card: { title: 'A card', cardType },
    data,
    basis: { aggregation: 'count', ...range, timezone: 'UTC', matchedEvents: 12, ...basis },
  };
}

const DAYS = ['2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z'];
const byDay = (values: Record<string, (number | null)[]>) => ({
  series: Object.entries(values).flatMap(([group, line]) =>
    line.map((value, index) => ({ bucket: DAYS[index]!, ...(group && { group }), value })),
  ),
});
const change = (value: number | null, before: number) => ({
  value: before,
  change: value === null ? null : value - before,
  changeRatio: value === null || before === 0 ? null : (value - before) / before,
});
const gauge = { value: 4.2, formatted: '4.2', min: 1, max: 5, target: 4 };
const table = {
  rows: [{ at: '2026-03-01T23:30:00.000Z', amount: 1234.5, plan: null }],
  columns: ['at', 'amount', 'plan'].map((key, index) => ({ key, type: ['datetime', 'number', 'string'][index]! })),
  total: 1,
};
const steps = [
  { label: 'asked', eventName: 'a', count: 40, conversion: 1 },
  { label: '', eventName: 'answered', count: 20, conversion: 0.5 },
  { label: 'rated', eventName: 'c', count: 5, conversion: 0.125 },
];
const groups = [
  { group: 'de', value: 30, previous: change(30, 20) },
  { group: null, value: 10, previous: change(10, 10) },
];

test('drawCard: every value has a point, in reading order; an empty bucket has none', () => {
  const labels = (card: RenderedCard) => drawCard(card, OPTIONS).points.map(({ label }) => label);
  const lines = byDay({ de: [1, null, 3], fr: [4, 5, 6] });
  const expected = ['Mar 1, 2026, de: 1', 'Mar 1, 2026, fr: 4', 'Mar 2, 2026, fr: 5'];
  for (const cardType of ['line', 'bar'] as const) {
    assert.deepEqual(labels(rendered(cardType, lines)).slice(0, 3), expected);
  }
  assert.deepEqual(labels(rendered('line', byDay({ '': [1, 2, 3] }))).at(-1), 'Mar 3, 2026: 3');
  assert.deepEqual(labels(rendered('bar', { groups })), ['de: 30, ▲ 50%', '(none): 10, unchanged']);
  assert.deepEqual(labels(rendered('pie', { groups })), ['de: 30 (75%)', '(none): 10 (25%)']);
  assert.deepEqual(labels(rendered('gauge', gauge)), ['4.2, from 1 to 5, target 4']);
  assert.deepEqual(
    labels(rendered('funnel', { steps })).at(-1),
    'rated: 5, 12.5% of the first step, 25% of the step before',
  );
  assert.equal(labels(rendered('table', table)).length, 1);
});

test('drawCard: groups beyond the colours share the position of one slice', () => {
  const many = Array.from({ length: 30 }, (_, index) => ({ group: index, value: 1 }));
  const { points } = drawCard(rendered('pie', { groups: many }), OPTIONS);
  assert.equal(points.length, 30);
  assert.equal(new Set(points.map(({ x, y }) => `${x} ${y}`)).size, PALETTES.light.series.length + 1);
});

test('drawCard: all colours are from the palette', () => {
  const known = new Set(['none', ...Object.values(CUSTOM_PROPERTIES).flat()]);
  const scaled = { ...gauge, thresholds: [{ value: 2, color: 'amber' }, { value: 3, color: 'red;x' }, { value: 4 }] };
  const cards: [CardType, CardData][] = [
    ['line', byDay({ de: [1, null, 3], fr: [4, 5, 6], other: [1, 1, 1] })],
    ['bar', byDay({ de: [1, -2, 3], fr: [4, 5, 6] })],
    ['bar', { groups }],
    ['pie', { groups }],
    ['gauge', scaled],
    ['funnel', { steps }],
    ['table', table],
    ['number', { value: 3, formatted: '3' }],
  ];
  for (const [cardType, data] of cards) {
    const { marks } = drawCard(rendered(cardType, data), { ...OPTIONS, palette: CUSTOM_PROPERTIES });
    const used = JSON.stringify(marks).matchAll(/"(?:fill|stroke)":"([^"]*)"/g);
    for (const [, color] of used) assert.ok(known.has(color!), `${cardType}: ${color}`);
  }
});

test('drawCard: a threshold may have a valid colour of its own', () => {
  const colored = (color: string) =>
    JSON.stringify(drawCard(rendered('gauge', { ...gauge, thresholds: [{ value: 3, color }] }), OPTIONS).marks);
  assert.match(colored('#0Af'), /"fill":"#0af"/);
  assert.match(colored('GREEN'), new RegExp(PALETTES.light.good));
  for (const color of ['#12345g', 'url(#x)', 'blue', '#1234567'])
    assert.ok(!colored(color).includes(`"${color}"`), color);
});

test('drawCard: 3,660 buckets and 10 series stay small, with few labels', () => {
  const many = (buckets: number, lines: number) => ({
    series: Array.from({ length: buckets * lines }, (_, index) => ({
      bucket: `${new Date(Date.UTC(2016, 0, 1 + (index % buckets))).toISOString().slice(0, 19)}Z`,
      ...(lines > 1 && { group: `line ${Math.floor(index / buckets)}` }),
      value: (index * 7_919) % 211,
    })),
  });
  for (const cardType of ['line', 'bar'] as const) {
    const card = rendered(cardType, many(3_660, 1));
    const { texts } = placesOf(drawCard(card, OPTIONS).marks);
    assert.ok(texts.length < 20, `${texts.length} texts`);
    assert.deepEqual(overlaps(texts), []);
    assert.ok(cardSvg(card, OPTIONS).length < 30_000);
  }
  const svg = cardSvg(rendered('line', many(92, 10)), OPTIONS);
  assert.ok(svg.length < 16_000, `${svg.length} bytes`);
  assert.equal(svg.match(/<path[^>]*stroke-linejoin/g)!.length, 10);
});

test('drawCard: a chart smaller than 40 pixels is empty', () => {
  const lines = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`line ${index}`, [1, 2, 3]]));
  const card = rendered('line', byDay(lines));
  for (const [width, height] of [
    [0, 0],
    [1, 1],
    [600, 39],
    [39, 300],
  ] as const) {
    assert.deepEqual(drawCard(card, { ...OPTIONS, width, height }), { marks: [], points: [] });
  }
  assert.ok(drawCard(card, { ...OPTIONS, width: 40, height: 40 }).marks.length > 0);
});

test('drawCard: negative sums are stacked below zero, averages are side by side', () => {
  const bottoms = (aggregation: string) => {
    const data = byDay({ de: [-2, -2, -2], fr: [-3, -3, -3] });
    return drawCard(rendered('bar', data, { aggregation }), OPTIONS).points.slice(0, 2);
  };
  const [first, second] = bottoms('sum');
  assert.ok(first!.x === second!.x && second!.y > first!.y);
  const [one, other] = bottoms('avg');
  assert.ok(one!.x < other!.x);
});

test('cardSvg: has a title, a description and no style, ids or scripts', () => {
  const card = rendered('line', byDay({ '<script>': [1, 2, 3] }));
  card.card.title = '<img src=x onerror=alert(1)> & "more"';
  const svg = cardSvg(card, OPTIONS);
  assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="600" height="300" [^>]*role="img"/);
  assert.match(svg, /<title>&#60;img src=x/);
  assert.match(svg, /<desc>&#60;script&#62;: 3 points, lowest 1, highest 3 \(Mar 3, 2026\), last 3\.<\/desc>/);
  assert.match(svg, /Mar 1.+3, 2026 · UTC · 12 events<\/text><\/svg>$/);
  assert.doesNotMatch(svg, /\bstyle\b|\bid=|<script|<img|href/);
});

test('summaryOf: summarizes the data of each type', () => {
  const said = (cardType: CardType, data: CardData, basis?: Partial<CardBasis>) =>
    summaryOf(rendered(cardType, data, basis), 'en');
  assert.equal(said('line', byDay({ '': [2, 41, 2] })), '3 points, lowest 2, highest 41 (Mar 2, 2026), last 2.');
  assert.equal(said('line', byDay({ '': [2, 2] })), '2 points, all 2.');
  assert.equal(said('line', byDay({ '': [2] })), '1 point: 2.');
  assert.equal(
    said('bar', byDay({ de: [1, 2, 3], fr: [4, 5, null] })),
    '2 series of 3 points, lowest 1, highest 5 (Mar 2, 2026). Last: de: 3, fr: –.',
  );
  assert.equal(said('pie', { groups }), '2 groups: de: 30 (▲ 50%), (none): 10 (unchanged).');
  assert.equal(
    said('funnel', { steps }),
    '3 steps: asked: 40, answered: 20 (50%), rated: 5 (12.5%, 25% of the step before).',
  );
  assert.equal(said('table', table), '1 row, 3 columns: at, amount, plan.');
  assert.equal(said('gauge', gauge), '4.2, on a scale of 1 to 5, target 4.');
  assert.equal(
    said('rate', { value: 0.3, formatted: '30.0%', numerator: 12, denominator: 40, previous: change(0.3, 0.4) }),
    '30.0%, 12 of 40, ▼ down 10 points from 40% in the previous period.',
  );
  assert.equal(said('number', { value: null, formatted: '–' }, { matchedEvents: 0 }), 'No events in this range.');
  assert.equal(said('line', byDay({ '': [null, null] })), 'No values in this range.');
});

test('tableOf: has the data of each type', () => {
  const shown = (cardType: CardType, data: CardData) => {
    const { columns, rows } = tableOf(rendered(cardType, data), 'en');
    return [columns.map(({ label }) => label), ...rows].map((row) => row.join(' | ').replaceAll('\u202f', ' '));
  };
  assert.deepEqual(shown('line', byDay({ de: [1, null, 3], fr: [4, 5, 6] })), [
    'Day | de | fr',
    'Mar 1, 2026 | 1 | 4',
    'Mar 2, 2026 | – | 5',
    'Mar 3, 2026 | 3 | 6',
  ]);
  const many = Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`group ${index}`, [index, index]]));
  assert.deepEqual(shown('line', byDay(many)).slice(0, 2), ['Day | Group | Value', 'Mar 1, 2026 | group 0 | 0']);
  assert.deepEqual(shown('bar', { groups }), [
    'Group | Value | Previous period | Change',
    'de | 30 | 20 | 10',
    '(none) | 10 | 10 | 0',
  ]);
  assert.deepEqual(shown('funnel', { steps }).at(-1), 'rated | 5 | 12.5% | 25%');
  assert.deepEqual(shown('table', table), ['at | amount | plan', 'Mar 1, 2026, 11:30 PM | 1,234.5 | –']);
  assert.deepEqual(shown('gauge', gauge), [
    'Figure | Value',
    'Value | 4.2',
    'Minimum | 1',
    'Maximum | 5',
    'Target | 4',
  ]);
});

test('cards: values of a rate are in percent, and its changes in points', () => {
  const rates = { groups: [{ group: 'de', value: 0.363, previous: change(0.363, 0.31) }] };
  const card = rendered('bar', rates, { aggregation: 'rate' });
  assert.equal(summaryOf(card, 'en'), '1 group: de: 36.3% (▲ 5.3 points).');
  assert.deepEqual(tableOf(card, 'en').rows, [['de', '36.3%', '31%', '5.3 points']]);
  const tiny = {
    groups: [{ group: 'de', value: 0.3, previous: { value: 0.30042, change: -0.00042, changeRatio: 0 } }],
  };
  assert.deepEqual(tableOf(rendered('bar', tiny, { aggregation: 'rate' }), 'en').rows[0]!.at(-1), '-0.04 points');
  assert.equal(drawCard(card, OPTIONS).points[0]!.label, 'de: 36.3%, ▲ 5.3 points');
  const line = rendered('line', byDay({ '': [0.5, null, 0.25] }), { aggregation: 'rate' });
  assert.equal(summaryOf(line, 'de'), '3 points, lowest 25\u00a0%, highest 50\u00a0% (1. März 2026), last 25\u00a0%.');
});

test('tableOf: the groups 1 and "1" are two', () => {
  const series = [1, '1'].map((group) => ({ bucket: DAYS[0]!, group, value: 2 }));
  assert.equal(tableOf(rendered('line', { series }), 'en').columns.length, 3);
});

test('drawCard: a value between gaps has a dot, also of several groups', () => {
  const dots = ({ series }: { series: { bucket: string; value: number | null }[] }) =>
    drawCard(rendered('line', { series }), OPTIONS).marks.filter(([, { 'stroke-width': width }]) => width === 7).length;
  assert.equal(dots(byDay({ a: [null, 3, null], b: [1, 2, 3] })), 1);
  assert.equal(dots(byDay({ a: [1, null, 2], b: [1, 2, null] })), 1);
  const many = Array.from({ length: 60 }, (_, day) => ({
    bucket: new Date(Date.UTC(2026, 0, 1 + day)).toISOString(),
    value: day === 30 ? 5 : null,
  }));
  assert.equal(dots({ series: many }), 1);
});

test('cards: the previous period and the change have the format of the card', () => {
  const format = { suffix: ' min' };
  const minutes = rendered('number', { value: 7.4, formatted: '7.4 min', format, previous: change(7.4, 8.43)! });
  assert.match(summaryOf(minutes, 'en'), /from 8\.43 min in the previous period/);
  assert.deepEqual(tableOf(minutes, 'en').rows.slice(1, 3), [
    ['Previous period', '8.43 min'],
    ['Change', '-1.03 min'],
  ]);
  const precise = { value: 0.735, formatted: '73.50%', format: { decimals: 2 }, previous: change(0.735, 0.852)! };
  assert.match(summaryOf(rendered('rate', precise), 'en'), /down 11\.7 points from 85\.20%/);
});

test('cards: a single bucket has the unit that reaches the end of the range', () => {
  const month = { series: [{ bucket: '2026-11-01T00:00:00+01:00', value: 1_664 }] };
  const headAndName = (to: string) => {
    const { columns, rows } = tableOf(rendered('bar', month, { to }), 'en');
    return [columns[0]!.label, rows[0]![0]];
  };
  assert.deepEqual(headAndName('2026-11-24T09:30:00.000Z'), ['Month', 'November 2026']);
  assert.deepEqual(headAndName('2026-11-05T09:30:00.000Z'), ['Week of', 'Nov 1, 2026']);
  assert.deepEqual(headAndName('2026-11-01T09:30:00.000Z'), ['Day', 'Nov 1, 2026']);
  assert.deepEqual(headAndName('2026-10-31T23:20:00.000Z')[0], 'Hour');
  assert.deepEqual(headAndName('2027-11-01T00:00:00.000Z'), ['Year', '2026']);
});

test('drawCard: bars that would be too narrow side by side are lines of all buckets', () => {
  const series = Array.from({ length: 10 * 92 }, (_, index) => ({
    bucket: new Date(Date.UTC(2026, 0, 1 + (index % 92))).toISOString(),
    group: `group ${Math.floor(index / 92)}`,
    value: (index * 7_919) % 211,
  }));
  const shapes = (data: typeof series) => {
    const { marks } = drawCard(rendered('bar', { series: data }, { aggregation: 'avg' }), OPTIONS);
    return marks.flatMap(([, { d, 'stroke-linejoin': isLine }]) => (isLine ? [String(d).split('L').length] : []));
  };
  assert.deepEqual(shapes(series), Array(10).fill(92));
  assert.deepEqual(shapes(series.filter(({ bucket }) => bucket < '2026-01-06')), []);
});

test('drawCard: annotations of a bucket share a point, a cell and a sentence', () => {
  const rendered: RenderedCard = {
    card: { title: 'Orders', cardType: 'line' },
    data: {
      series: [1, 2, 3].map((value) => ({ bucket: `2026-03-0${value}T00:00:00+00:00`, value })),
      annotations: [
        { at: '2026-03-02T23:00:00.000Z', text: 'Outage' },
        { at: '2026-03-02T01:00:00.000Z', text: 'Release\u202e 2' },
        { at: '2026-02-01T00:00:00.000Z', text: 'Before the range' },
      ],
    },
    basis: { from: null, to: null, timezone: 'UTC', matchedEvents: 6 },
  };
  const { points } = drawCard(rendered, { width: 400, height: 240, palette: PALETTES.light, locale: 'en' });
  assert.deepEqual(
    points.map(({ label }) => label),
    ['Mar 1, 2026: 1', 'Mar 2, 2026: Outage; Release 2', 'Mar 2, 2026: 2', 'Mar 3, 2026: 3'],
  );
  assert.match(summaryOf(rendered, 'en'), / Annotations: Mar 2, 2026: Outage; Release 2\.$/);
  const { columns, rows } = tableOf(rendered, 'en');
  assert.equal(columns.at(-1)?.label, 'Annotations');
  assert.deepEqual(
    rows.map((row) => row.at(-1)),
    ['', 'Outage; Release 2', ''],
  );
});

test('Charts: summary, table and foot are in the language of the reader', () => {
  provideTranslations('pt', charts);
  const line = rendered('line', byDay({ '': [1, 5, 3] }));
  assert.equal(summaryOf(line, 'pt-BR'), '3 pontos, mínimo 1, máximo 5 (2 de mar. de 2026), último 3.');
  assert.deepEqual(
    tableOf(line, 'pt-BR').columns.map(({ label }) => label),
    ['Dia', 'Valor'],
  );
  assert.match(cardSvg(line, { ...OPTIONS, locale: 'pt-BR' }), />12 eventos<|· 12 eventos</);
  const value = { value: 12, formatted: '12', previous: change(12, 10) };
  assert.match(summaryOf(rendered('number', value), 'pt-BR'), /▲ subiu 20%, de 10 no período anterior/);
  assert.equal(summaryOf(line, 'de'), '3 points, lowest 1, highest 5 (2. März 2026), last 3.');
});
