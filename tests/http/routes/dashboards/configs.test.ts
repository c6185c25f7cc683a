import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertError,
  assertNames,
  CARDS,
  type CardType,
  type Desk,
  FULL,
  MINIMAL,
  NUMBER,
  newDesk,
  SUM,
  TYPES,
} from './support.ts';

const DAY = 86_400_000;
/** POST, PATCH, GET and the list return the config exactly as sent; it renders. */
async function assertKept(desk: Desk, cardType: CardType, config: object): Promise<void> {
  const what = JSON.stringify(config).slice(0, 300);
  const made = await desk.request('POST', CARDS, { title: what.slice(0, 200), cardType, config, idempotencyKey: 'k' });
  assert.ok(made.status < 300, `${what}: ${JSON.stringify(made.body)}`);
  const path = `${CARDS}/${made.body.id}`;
  const answers = [
    made.body.card,
    (await desk.request('GET', path)).body.card,
    (await desk.cards()).cards[0],
    (await desk.request('PATCH', path, { cardType, config })).body.card,
  ];
  for (const card of answers) assert.deepEqual([card.cardType, card.config], [cardType, config]);
  const rendered = await desk.request('GET', `${path}/render`);
  assert.equal(rendered.status, 200, `${what}: ${JSON.stringify(rendered.body)}`);
}

for (const cardType of TYPES) {
  test(`POST cards: a ${cardType} card stores minimal and full configs exactly`, async () => {
    const desk = await newDesk();
    await assertKept(desk, cardType, MINIMAL[cardType]);
    for (const [type, config] of FULL) if (type === cardType) await assertKept(desk, type, config);
  });
}

test('POST cards: accepts every aggregation, grouping, date form and name', async () => {
  const desk = await newDesk();
  const { number, line, pie, funnel } = MINIMAL;
  for (const aggregation of ['sum', 'avg', 'min', 'max', 'distinct_count', 'median', 'p90', 'p95', 'p99', 'count']) {
    await assertKept(desk, 'number', { ...number, aggregation, propertyKey: 'amount' });
  }
  for (const dateGrouping of ['hour', 'day', 'week', 'month', 'quarter', 'year']) {
    await assertKept(desk, 'line', { ...line, dateGrouping });
  }
  const dates = ['-24h', '-7d', 'yesterday', 'mtd', 'qtd', 'ytd', '2026-03-01', '2026-03-01T12:30:00+02:00'];
  for (const dateFrom of [...dates, 'last_month', '2026-Q1', 'past 24 hours']) {
    await assertKept(desk, 'number', { ...number, dateFrom });
  }
  for (const key of [
    'a.b',
    'properties.amount',
    'q"\\$',
    '😀',
    '__proto__',
    'constructor',
    '$',
    "'; --",
    'ç'.repeat(300),
  ]) {
    await assertKept(desk, 'pie', { ...pie, ...SUM, propertyKey: key, groupBy: key });
  }
  for (const eventName of ['e'.repeat(200), 'runtime.chat_completed', '__proto__', 'Prêt à porter "x"']) {
    await assertKept(desk, 'funnel', { ...funnel, steps: [{ eventName }, { eventName }], by: 'executionId' });
  }
});

test('POST cards: a config is stored as it is read: without null, by the own names', async () => {
  const desk = await newDesk();
  const { number, line, rate, table } = MINIMAL;
  const filters = (members: object) => ({ filters: [{ propertyKey: 'plan', ...members }] });
  const rows: [cardType: CardType, given: object, stored: object][] = [
    [
      'number',
      { ...number, aggregation: 'COUNT', compareTo: 'previous', format: null, dateTo: [] },
      { ...number, compareTo: 'previous_period' },
    ],
    ['line', { ...line, dateGrouping: 'Daily', groupBy: [], limit: null }, { ...line, dateGrouping: 'day' }],
    [
      'number',
      { ...number, ...filters({ operator: 'not_in', value: ['a'] }) },
      { ...number, ...filters({ operator: 'notIn', value: ['a'] }) },
    ],
    [
      'number',
      { ...number, ...filters({ operator: 'exists', value: true }) },
      { ...number, ...filters({ operator: 'exists' }) },
    ],
    [
      'number',
      { ...number, ...filters({ operator: 'exists', value: false }) },
      { ...number, ...filters({ operator: 'notExists' }) },
    ],
    ['rate', { ...rate, numerator: { ...rate.numerator, filters: null } }, rate],
    [
      'table',
      { ...table, columns: [], limit: null, sortOrder: 'ascending', sortBy: 'plan' },
      { ...table, sortOrder: 'asc', sortBy: 'plan' },
    ],
    ['table', { ...table, mode: 'aggregate', metrics: [] }, { ...table, mode: 'aggregate' }],
  ];
  for (const [cardType, given, stored] of rows) {
    const { id, config } = await desk.card({ cardType, config: given });
    assert.deepEqual(config, stored, JSON.stringify(given));
    const path = `${CARDS}/${id}`;
    assert.deepEqual((await desk.request('GET', path)).body.card.config, stored);
    assert.deepEqual((await desk.request('PATCH', path, { config: given })).body.card.config, stored);
    assert.equal((await desk.request('GET', `${path}/render`)).status, 200);
  }
});

test('POST cards: without dateFrom a card of any type covers the last 30 days', async () => {
  const desk = await newDesk();
  const midnight = () => new Date(Math.floor(Date.now() / DAY) * DAY - 30 * DAY).toISOString();
  for (const cardType of TYPES) {
    const { id } = await desk.card({ cardType, config: MINIMAL[cardType] });
    const before = midnight();
    const { basis } = (await desk.request('GET', `${CARDS}/${id}/render`)).body;
    assert.ok([before, midnight()].includes(basis.from), `${cardType}: ${basis.from}`);
    assert.equal(basis.timezone, 'UTC');
  }
});

test('POST cards: a limit above the maximum is capped, not refused', async () => {
  const desk = await newDesk();
  for (const [cardType, limit] of [
    ['table', 1_001],
    ['table', 1e300],
    ['pie', 1_000_000],
    ['bar', Number.MAX_SAFE_INTEGER],
  ] as const) {
    const { config } = await desk.card({ cardType, config: { ...MINIMAL[cardType], limit }, idempotencyKey: 'k' });
    assert.ok(config.limit >= 1 && config.limit <= 1_000, `${cardType}: ${config.limit}`);
  }
});

test('POST cards: unusual but valid JSON is refused by member name', async () => {
  const desk = await newDesk();
  const text = (config: string, rest = '') => `{"title":"T","cardType":"gauge","config":${config}${rest}}`;
  const gauge = '"eventName":"a","aggregation":"count","min":0,"max":1';
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const objects = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
  const rows: [body: string, ...paths: string[]][] = [
    [text(`{${gauge},"max":1e999}`), 'config.max'],
    [text(`{${gauge},"__proto__":{"min":0}}`), 'config.__proto__'],
    [
      text('{"eventName":"a","min":0,"max":1,"__proto__":{"aggregation":"count"}}'),
      'config.aggregation',
      'config.__proto__',
    ],
    [text(`{${gauge}}`, ',"__proto__":{"tabId":"x"}'), '__proto__'],
    [text(`{${gauge}}`, ',"gridLayout":{"x":0,"y":0,"w":1,"h":1,"__proto__":[]}'), 'gridLayout.__proto__'],
    [text(`{${gauge},"filters":${deep}}`), 'config.filters[0]'],
    [text(`{${gauge},"filters":[{"propertyKey":"p","operator":"eq","value":${objects}}]}`), 'config.filters[0].value'],
    [text(deep), 'config'],
    [text(`{${gauge}}`, `,"title":${deep}`), 'title'],
    [text(`{${gauge}}`, ',"sortOrder":-1e999'), 'sortOrder'],
  ];
  for (const [body, ...paths] of rows) assertNames(await desk.request('POST', CARDS, body), ...paths);
  const values = Array.from({ length: 1_000 }, (_, index) => `${index}`.padEnd(300, 'x'));
  const large = { ...MINIMAL.number, filters: [{ propertyKey: 'p', operator: 'in', value: values }] };
  assertError(await desk.request('POST', CARDS, { ...NUMBER, config: large }), 413, 'Payload Too Large');
  assert.equal((await desk.cards()).total, 0);
});
