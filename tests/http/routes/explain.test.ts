import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerOf } from '../../tools/support.ts';
import { METRICS, RESOLUTION_RATE, sharedApp, workspace } from './metrics/support.ts';

const EXPLAIN = '/api/v1/runtime/observability/explain';
const DAY = 86_400_000;
const noonOfYesterday = () => Math.floor(Date.now() / DAY) * DAY - DAY / 2;
const YESTERDAY = noonOfYesterday();

interface Sent {
  eventName: string;
  timestamp: string;
  properties: { plan: string; country: string; amount: number; order: string };
}

/** Two weeks; in the second one, plan "pro" buys half as often. Amounts are decimals that doubles cannot hold. */
function orders(): Sent[] {
  const events: Sent[] = [];
  for (let day = 13; day >= 0; day -= 1) {
    for (let index = 0; index < 60; index += 1) {
      const plan = index % 3 === 0 ? 'pro' : index % 3 === 1 ? 'free' : 'team';
      if (day < 7 && plan === 'pro' && index % 2 === 0) continue;
      events.push({
        eventName: index % 5 === 0 ? 'resolved' : 'started',
        timestamp: new Date(YESTERDAY - day * DAY + index * 1_000).toISOString(),
        properties: {
          plan,
          country: ['BR', 'PT', 'AO'][(index * 7 + day) % 3]!,
          amount: 0.1 + (index % 11) / 100,
          order: `${day}-${index}`,
        },
      });
    }
  }
  return events;
}

const EVENTS = orders();
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
/** In absolute days: a run across midnight asks the same. */
const RANGE = { dateFrom: dayOf(YESTERDAY - 6 * DAY), dateTo: dayOf(YESTERDAY) };

async function filled() {
  const space = await workspace();
  const app = await sharedApp();
  await app.ingest(EVENTS, space.key);
  return { ...space, explain: async (question: object) => space.request('POST', EXPLAIN, { ...RANGE, ...question }) };
}

function inPeriod({ timestamp }: Sent, period: 'current' | 'previous'): boolean {
  const isLater = Date.parse(timestamp) > YESTERDAY - 6.5 * DAY;
  return isLater === (period === 'current');
}

interface Contribution {
  property: string;
  group: unknown;
  current: number | null;
  previous: number | null;
  contribution: number;
  rateEffect?: number;
  mixEffect?: number;
}

test('POST explain: the groups of a count carry its change, the planted one first', async () => {
  const { explain } = await filled();
  const { status, body } = await explain({ eventName: 'started', aggregation: 'count' });
  assert.equal(status, 200, JSON.stringify(body));
  const started = EVENTS.filter(({ eventName }) => eventName === 'started');
  const countOf = (period: 'current' | 'previous', plan?: string) =>
    started.filter((event) => inPeriod(event, period) && (plan === undefined || event.properties.plan === plan)).length;
  assert.deepEqual([body.current, body.previous], [countOf('current'), countOf('previous')]);
  assert.equal(body.change, countOf('current') - countOf('previous'));
  assert.equal(body.confident, true);
  assert.deepEqual(body.contributions[0], {
    property: 'plan',
    group: 'pro',
    current: countOf('current', 'pro'),
    previous: countOf('previous', 'pro'),
    contribution: countOf('current', 'pro') - countOf('previous', 'pro'),
  });
  assert.equal(body.unexplained, 0);
  assert.deepEqual(body.lookedAt.properties.sort(), ['agentId', 'amount', 'country', 'plan']);
  assert.ok(body.notes.some((note: string) => note.includes('hardly repeat: "order"')));
  assert.equal(body.basis.previousTo, body.basis.from);
});

test('POST explain: contributions of each property add up to the change exactly', async () => {
  const { explain, request } = await filled();
  await request('POST', METRICS, RESOLUTION_RATE);
  const net = {
    name: 'net',
    title: 'Net',
    formula: {
      expression: '2 * started - resolved / 2',
      parts: {
        started: { eventName: 'started', aggregation: 'sum', propertyKey: 'amount' },
        resolved: { eventName: 'resolved', aggregation: 'sum', propertyKey: 'amount' },
      },
    },
  };
  await request('POST', METRICS, net);
  const numerator = { eventName: 'resolved' };
  const questions = [
    { eventName: 'started', aggregation: 'sum', propertyKey: 'amount' },
    { eventName: 'started', aggregation: 'avg', propertyKey: 'amount' },
    { eventName: 'started', aggregation: 'rate', numerator },
    { metric: 'resolution_rate' },
    { metric: 'net' },
    { eventName: 'started', aggregation: 'count', limit: 1 },
  ];
  for (const question of questions) {
    const { body } = await explain({ ...question, properties: ['plan', 'country'] });
    for (const property of ['plan', 'country']) {
      const own = (body.contributions as Contribution[]).filter((one) => one.property === property);
      assert.ok(own.length >= 2, JSON.stringify(question));
      const sum = own.reduce((total, { contribution }) => total + decimalUnits(contribution), 0n);
      assert.equal(sum, decimalUnits(body.change) - decimalUnits(body.unexplained), JSON.stringify({ question, body }));
      for (const { contribution, rateEffect, mixEffect } of own) {
        if (rateEffect === undefined) continue;
        assert.equal(decimalUnits(rateEffect) + decimalUnits(mixEffect!), decimalUnits(contribution));
      }
    }
    assert.equal(body.unexplained, 0);
  }
});

/** The number as a whole number of 1e-25, from its shortest text. */
function decimalUnits(value: number): bigint {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/.exec(String(value))!;
  return BigInt(sign! + whole + fraction) * 10n ** BigInt(25 - fraction.length + Number(exponent));
}

test('POST explain: its numbers are those of aggregate_events; MCP answers alike', async () => {
  const { explain, newKey, request, as } = await filled();
  const app = await sharedApp();
  const question = { eventName: 'started', aggregation: 'avg', propertyKey: 'amount', ...RANGE };
  const asked = { ...question, compareTo: 'previous_period' };
  const kpi = (await request('POST', '/api/v1/portal/aggregate', asked, await as('ADMIN'))).body;
  const { body } = await explain(question);
  assert.deepEqual([body.current, body.previous, body.change], [kpi.value, kpi.previous.value, kpi.previous.change]);
  const client = await app.mcpClient(await newKey(['mcp:read']));
  const answer = answerOf(await client.callTool({ name: 'explain_change', arguments: question }));
  assert.deepEqual(answer.data, body);
});

test('POST explain: another period to compare with, and one that overlaps', async () => {
  const { explain } = await filled();
  const day = (ago: number) => new Date(YESTERDAY - ago * DAY).toISOString().slice(0, 10);
  const compareTo = { dateFrom: day(13), dateTo: day(12) };
  const { body } = await explain({
    eventName: 'started',
    aggregation: 'count',
    compareTo,
    dateFrom: day(1),
    dateTo: day(0),
  });
  assert.equal(body.previous, 96);
  assert.ok(body.basis.previousFrom.startsWith(compareTo.dateFrom));
  const overlapping = await explain({
    eventName: 'started',
    aggregation: 'count',
    compareTo: { dateFrom: '-8d', dateTo: '-3d' },
  });
  assert.equal(overlapping.status, 400);
  assert.match(overlapping.body.message[0], /^compareTo: overlaps the period/);
});

test('POST explain: measures that cannot be split are 422, with what can', async () => {
  const { explain } = await filled();
  for (const aggregation of ['median', 'p95', 'min', 'distinct_count']) {
    const { status, body } = await explain({ eventName: 'started', aggregation, propertyKey: 'amount' });
    assert.equal(status, 422, aggregation);
    assert.match(body.message, /cannot be split among groups; explain a count, sum, avg or rate/);
  }
  assert.equal((await explain({ eventName: 'started', aggregation: 'count', dateFrom: undefined })).status, 400);
});

test('POST explain: nothing to compare and unknown events are said, not guessed', async () => {
  const { explain } = await filled();
  const none = await explain({ eventName: 'startd', aggregation: 'count' });
  assert.equal(none.status, 200);
  assert.deepEqual([none.body.change, none.body.contributions, none.body.confident], [0, [], false]);
  assert.ok(none.body.notes.some((note: string) => /Nearest known names: "started"/.test(note)));
  const average = await explain({ eventName: 'startd', aggregation: 'avg', propertyKey: 'amount' });
  assert.deepEqual([average.body.change, average.body.unexplained], [null, null]);
  assert.ok(average.body.notes.some((note: string) => /one of the periods has no value/.test(note)));
});

test('POST explain: an odd day is named against the same weekdays before', async () => {
  const { key, request } = await workspace();
  const app = await sharedApp();
  const events = Array.from({ length: 70 }, (_, day) => {
    const date = YESTERDAY - day * DAY;
    const usual = new Date(date).getUTCDay() === 0 ? 4 : 20 + (day % 3);
    return Array.from({ length: day === 2 ? 60 : usual }, () => ({
      eventName: 'visit',
      timestamp: new Date(date).toISOString(),
    }));
  }).flat();
  await app.ingest(events, key);
  const { body } = await request('POST', EXPLAIN, { eventName: 'visit', aggregation: 'count', ...RANGE });
  assert.equal(body.anomalies.length, 1);
  assert.ok(body.anomalies[0].bucket.startsWith(dayOf(YESTERDAY - 2 * DAY)));
  assert.equal(body.anomalies[0].value, 60);
});

test('POST explain: the running day is no anomaly, however the range ends', async () => {
  const { key, request } = await workspace();
  const app = await sharedApp();
  const yesterday = noonOfYesterday();
  const visits = Array.from({ length: 63 * 20 }, (_, index) => ({
    eventName: 'visit',
    timestamp: new Date(yesterday - Math.floor(index / 20) * DAY).toISOString(),
  }));
  await app.ingest([...visits, { eventName: 'visit', timestamp: new Date(Date.now() - 1_000).toISOString() }], key);
  const tomorrow = dayOf(Date.now() + DAY);
  for (const dateTo of [undefined, 'now', 'today', '-1min', tomorrow]) {
    const asked = { eventName: 'visit', aggregation: 'count', dateFrom: '-7d', dateTo };
    const { body } = await request('POST', EXPLAIN, asked);
    assert.ok(
      body.notes.some((note: string) => /The last day, .*, is incomplete/.test(note)),
      `${dateTo}: ${body.notes.join(' ')}`,
    );
    assert.equal(body.anomalies, undefined, String(dateTo));
  }
  const noon = new Date(yesterday - 6 * 3_600_000).toISOString();
  const cut = await request('POST', EXPLAIN, {
    eventName: 'visit',
    aggregation: 'count',
    dateFrom: '-7d',
    dateTo: noon,
  });
  assert.equal(cut.body.anomalies, undefined, 'a day that the range cuts off');
});
