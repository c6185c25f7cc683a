import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { UPDATES_GOLDEN } from '../../support/golden.ts';
import { assertSameAnswer } from '../same-answer.ts';
import { answerOf, sharedApp } from '../support.ts';

const CARDS = '/api/v1/runtime/observability/dashboard-cards';
/** Bytes of a text: the 40 KB of an answer, and the padding of columns. */
const MAX_BYTES = 45 * 1024;

const MARCH = { dateFrom: '2026-03-01', dateTo: '2026-03-04', timezone: 'America/Sao_Paulo' };
const RESOLVED = [{ propertyKey: 'resolved', operator: 'eq', value: true }];
const TICKETS = { eventName: 'ticket_opened', ...MARCH };
const MINUTES = { ...TICKETS, aggregation: 'avg', propertyKey: 'minutes' };

/** A few cards of each type, with edge cases: empty, null, negative, accents, line breaks. */
const GOLDEN: Record<string, [title: string, config: object][]> = {
  number: [
    ['Tickets', { ...TICKETS, aggregation: 'count' }],
    ['Minutos até a resposta ⏱', { ...MINUTES, compareTo: 'previous_period', format: { suffix: ' min', decimals: 1 } }],
    ['Balance', { ...TICKETS, aggregation: 'sum', propertyKey: 'balance', format: { prefix: 'R$ ', decimals: 2 } }],
    ['Nothing', { ...MINUTES, dateFrom: '2025-01-01', dateTo: '2025-01-31', compareTo: 'previous_period' }],
  ],
  rate: [
    ['Resolved', { ...TICKETS, numerator: { filters: RESOLVED }, compareTo: 'previous_period' }],
    ['Closed again', { ...TICKETS, numerator: { eventName: 'ticket_closed' }, format: { decimals: 3 } }],
    ['Of nothing', { ...TICKETS, numerator: { filters: RESOLVED }, dateFrom: '2025-01-01', dateTo: '2025-01-31' }],
  ],
  line: [
    ['By day', { ...TICKETS, aggregation: 'count' }],
    ['Minutes by plan', { ...MINUTES, dateGrouping: 'day', groupBy: 'plan', limit: 2 }],
    ['Empty', { ...TICKETS, aggregation: 'count', dateGrouping: 'day', groupBy: 'nothing', dateTo: '2026-03-01' }],
    ['No time at all', { ...TICKETS, aggregation: 'count', dateFrom: '2026-03-01T00:00', dateTo: '2026-03-01T00:00' }],
  ],
  bar: [
    ['By plan', { ...TICKETS, aggregation: 'count', groupBy: 'plan' }],
    ['Balance by plan', { ...TICKETS, aggregation: 'sum', propertyKey: 'balance', groupBy: ['plan', 'resolved'] }],
    ['By week', { ...TICKETS, aggregation: 'count', dateGrouping: 'week' }],
  ],
  pie: [
    ['Subjects', { ...TICKETS, aggregation: 'count', groupBy: 'subject' }],
    ['The largest and the rest', { ...TICKETS, aggregation: 'count', groupBy: 'plan', limit: 1 }],
    ['No pie', { ...TICKETS, aggregation: 'sum', propertyKey: 'balance', groupBy: 'plan' }],
    ['No groups', { ...TICKETS, aggregation: 'count', groupBy: 'plan', dateFrom: '2025-01-01', dateTo: '2025-01-31' }],
  ],
  table: [
    ['All of it', { ...TICKETS, mode: 'raw' }],
    ['Subjects', { ...TICKETS, mode: 'raw', columns: ['timestamp', 'subject', 'balance'], limit: 2 }],
    [
      'By plan',
      {
        ...{ ...TICKETS, mode: 'aggregate', groupBy: 'plan' },
        metrics: [
          { aggregation: 'count', alias: 'tickets' },
          { aggregation: 'avg', propertyKey: 'minutes', alias: 'avg minutes' },
        ],
      },
    ],
    ['No rows', { ...TICKETS, mode: 'raw', filters: [{ propertyKey: 'plan', operator: 'eq', value: 'gold' }] }],
  ],
  funnel: [
    ['Through', { ...MARCH, steps: [{ eventName: 'ticket_opened', label: 'opened' }, { eventName: 'ticket_closed' }] }],
    ['Nobody', { ...MARCH, steps: [{ eventName: 'ticket_closed' }, { eventName: 'ticket_opened' }], by: 'nothing' }],
  ],
  gauge: [
    ['Answer time', { ...MINUTES, min: 0, max: 60 }],
    [
      'Answer time with zones',
      {
        ...{ ...MINUTES, min: -10, max: 60, target: 15.5 },
        thresholds: [{ value: 0.25, label: 'fast', color: 'green' }, { value: 30 }],
      },
    ],
  ],
};

const EVENTS = [
  ticket('1', '2026-03-01T10:00:00Z', 't1', {
    plan: 'pro',
    minutes: 10,
    resolved: true,
    subject: 'Login',
    balance: -5,
  }),
  ticket('2', '2026-03-02T10:00:00Z', 't2', { plan: 'free', minutes: 20.25, resolved: false, subject: 'Ação 😀' }),
  ticket('3', '2026-03-02T11:00:00Z', 't3', { plan: 'pro', minutes: 30, resolved: true, subject: '請求書\nの件' }),
  ticket('4', '2026-03-04T10:00:00Z', 't4', { plan: 'team', minutes: 40, resolved: false, balance: -12.5 }),
  ticket('5', '2026-03-04T12:00:00Z', 't5', { minutes: 'long', resolved: null, subject: 'x'.repeat(100), balance: 1 }),
  ticket('0', '2026-02-27T12:00:00Z', 't6', { plan: 'pro', minutes: 20, resolved: false, tags: ['a', 2] }),
  { id: 'c1', eventName: 'ticket_closed', timestamp: '2026-03-02T09:00:00Z', threadId: 't1' },
  { id: 'c2', eventName: 'ticket_closed', timestamp: '2026-03-05T09:00:00Z', threadId: 't3' },
];

function ticket(id: string, timestamp: string, threadId: string, properties: object) {
  return { id, eventName: 'ticket_opened', timestamp, threadId, properties };
}

for (const [cardType, cards] of Object.entries(GOLDEN)) {
  test(`cardText: ${cardType} cards equal their golden texts (UPDATE_GOLDEN=1 writes)`, async () => {
    const { show } = await board(EVENTS);
    const texts: string[] = [];
    for (const [title, config] of cards) {
      const { text, data } = await show(cardType, config, title);
      assertSameAnswer(text, data);
      texts.push(text.replace(data.card.id, 'ID').replace(/; cases [\w-]+/, ''));
    }
    const file = fileURLToPath(new URL(`./golden/card-${cardType}.txt`, import.meta.url));
    const found = `${texts.join('\n\n')}\n`;
    if (UPDATES_GOLDEN) writeFileSync(file, found);
    assert.equal(found, readFileSync(file, 'utf8'));
  });
}

test('cardText: ends with the basis and the note', async () => {
  const { show } = await board(EVENTS);
  for (const [cardType, [[title, config]]] of Object.entries(GOLDEN) as [string, [[string, object]]][]) {
    const { text, data } = await show(cardType, config, title);
    const { basis, note } = data;
    const lines = text.split('\n');
    assert.ok(lines[0]!.includes(title) && lines[0]!.includes(cardType), text);
    const about = lines.find((line) => line.startsWith('Basis: ')) ?? '';
    for (const fact of [basis.from, basis.to, basis.timezone, basis.lastEventAt, basis.agentId, basis.eventName]) {
      assert.ok(about.includes(fact), `${fact} in ${about}`);
    }
    assert.match(about, new RegExp(`\\b${basis.matchedEvents} events`));
    if (note) assert.equal(lines.at(-1), `Note: ${note}`);
  }
});

test('cardText: large tables, groups and series stay within the size limit', async () => {
  const events = Array.from({ length: 500 }, (_, index) => ({
    ...{ id: `${index}`.padStart(3, '0'), eventName: 'wide', timestamp: new Date(Date.UTC(2026, 2, 1, index)) },
    // Each column has one cell so wide that aligning all 500 rows to it would take more than a hundred kilobytes.
    properties: Object.fromEntries(
      ['a', 'b', 'c', 'd'].map((key, at) => [key, index === at ? 'w'.repeat(900) : index]),
    ),
  }));
  const { show } = await board(events);
  const wide = { eventName: 'wide', dateFrom: '2026-03-01', dateTo: '2026-03-31' };
  const count = { ...wide, aggregation: 'count', groupBy: 'id' };
  const rows = await show('table', {
    ...wide,
    mode: 'raw',
    columns: ['a', 'b', 'c', 'd'],
    sortOrder: 'asc',
    limit: 500,
  });
  assert.equal(rows.data.data.rows.length, 500);
  assert.match(rows.text, /^a=w{900} \| b=0 /m);
  for (const row of rows.data.data.rows.slice(4)) {
    assert.match(rows.text, new RegExp(`^a=${row.a} .* d=${row.d}$`, 'm'));
  }
  const groups = await show('bar', { ...count, limit: 500 });
  assert.equal(groups.data.data.groups.length, 500);
  const series = await show('line', { ...count, dateGrouping: 'day', limit: 500 });
  assert.match(series.data.note, /Only the first \d+ of 15500 points fit/);
  for (const { text, data } of [rows, groups, series]) {
    assert.ok(Buffer.byteLength(text) <= MAX_BYTES, `${Buffer.byteLength(text)} bytes`);
    assert.ok(Buffer.byteLength(JSON.stringify(data)) <= MAX_BYTES);
  }
});

/** A tenant with these events, and a function that renders its cards through the tool. */
async function board(events: object[]) {
  const app = await sharedApp();
  const { name: tenant } = await app.runtime.tenants.create({ name: `board ${++boards}` });
  const key = await app.newKey({ tenant });
  for (let start = 0; start < events.length; start += 2_000) {
    await app.ingest(events.slice(start, start + 2_000), key);
  }
  const client = await app.mcpClient(key);
  let made = 0;
  return {
    show: async (cardType: string, config: object, title = 'A card') => {
      const idempotencyKey = `card ${++made}`;
      const card = { title, cardType, config, idempotencyKey };
      const { body } = await app.request('POST', CARDS, card, { 'x-api-key': key });
      assert.ok(body.id, JSON.stringify(body));
      const answer = answerOf(await client.callTool({ name: 'render_dashboard_card', arguments: { cardId: body.id } }));
      assert.equal(answer.isError, false, answer.text);
      return answer;
    },
  };
}

let boards = 0;
