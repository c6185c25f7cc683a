import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENTS } from '../../../support/app.ts';
import { answerOf } from '../../../tools/support.ts';
import { CARDS } from '../dashboards/support.ts';
import { sharedApp, type Workspace, workspace } from '../metrics/support.ts';

const OBSERVABILITY = '/api/v1/runtime/observability';
const SEGMENTS = `${OBSERVABILITY}/segments`;
const BUYERS = {
  name: 'repeat_buyers',
  title: 'Repeat buyers',
  by: 'customer',
  conditions: [{ eventName: 'order', atLeast: 2 }],
};

/** Two customers visit three times together; one of them has ordered twice. */
async function shop(): Promise<Workspace> {
  const one = await workspace();
  const of = (eventName: string, customer: string, at: string) => ({
    eventName,
    timestamp: `2026-03-0${at}T12:00:00Z`,
    threadId: `thread of ${customer}`,
    executionId: `run ${at}`,
    properties: { customer, amount: 10 },
  });
  await (await sharedApp()).ingest(
    [
      ...[of('order', 'ada', '1'), of('order', 'ada', '2'), of('order', 'bob', '2')],
      ...[of('visit', 'ada', '3'), of('visit', 'ada', '4'), of('visit', 'bob', '4')],
    ],
    one.key,
  );
  return one;
}

const VISITS = { eventName: 'visit', dateFrom: '2026-03-01', dateTo: '2026-03-07', segment: BUYERS.name };

test('Segments: are saved, listed, changed and removed, with lines in the audit log', async () => {
  const { request, as } = await workspace();
  const created = await request('POST', SEGMENTS, BUYERS);
  assert.equal(created.status, 201);
  const { createdAt, updatedAt, createdBy, ...shown } = created.body.segment;
  assert.deepEqual(shown, BUYERS);
  assert.ok(createdAt === updatedAt && createdBy.length > 0);
  const again = await request('POST', SEGMENTS, BUYERS);
  assert.deepEqual(
    [again.status, again.body.message],
    [409, 'There is a segment "repeat_buyers" already. PATCH it to change it.'],
  );
  assert.equal((await request('GET', `${SEGMENTS}?search=repeat b`)).body.total, 1);
  assert.equal((await request('GET', `${SEGMENTS}?search=seller`)).body.total, 0);
  const path = `${SEGMENTS}/${BUYERS.name}`;
  const conditions = [{ eventName: 'order', atLeast: 3, dateFrom: '-30d' }];
  const changed = await request('PATCH', path, { title: null, conditions });
  assert.equal(changed.status, 200);
  const { segment } = (await request('GET', path)).body;
  assert.deepEqual([segment.title, segment.conditions, segment.createdAt], [undefined, conditions, createdAt]);
  assert.equal((await request('DELETE', path)).status, 204);
  const gone = await request('GET', path);
  assert.deepEqual([gone.status, gone.body.message.startsWith('There is no segment "repeat_buyers"')], [404, true]);
  assert.equal((await request('DELETE', path)).status, 404);
  const { body } = await request('GET', '/api/v1/portal/audit-log', undefined, await as('ADMIN'));
  const actions = body.entries.map(({ action }: { action: string }) => action);
  assert.deepEqual(
    actions.filter((action: string) => action.startsWith('segment.')),
    ['segment.removed', 'segment.changed', 'segment.created'],
  );
});

test('Segments: a definition that no question could use is a 400 that names the member', async () => {
  const { request } = await workspace();
  const order = { eventName: 'order' };
  const wrong: [object, string][] = [
    [{ ...BUYERS, name: 'Repeat buyers' }, 'name: must be 1 to 100 of a-z, 0-9 and _, such as repeat_buyers'],
    [{ ...BUYERS, conditions: [] }, 'conditions: must hold at least one condition'],
    [{ ...BUYERS, conditions: [{ ...order, atLeast: 0 }] }, 'conditions[0].atLeast: must be at least 1'],
    [{ ...BUYERS, conditions: [{ ...order, count: 2 }] }, 'conditions[0].count: unknown member; did you mean atLeast?'],
    [{ ...BUYERS, conditions: [order, { ...order, dateFrom: '5m' }] }, 'conditions[1].dateFrom: "5m" '],
    [
      { ...BUYERS, conditions: [{ ...order, dateFrom: '2026-03-02', dateTo: '2026-03-01' }] },
      'conditions[0].dateTo: lies before dateFrom, which is 2026-03-02T00:00:00.000Z',
    ],
    [
      { ...BUYERS, conditions: [{ ...order, filters: [{ propertyKey: 'a', operator: 'gt', value: true }] }] },
      'conditions[0].filters[0].value: gt needs a number or a string',
    ],
  ];
  for (const [body, message] of wrong) {
    const answer = await request('POST', SEGMENTS, body);
    assert.equal(answer.status, 400, message);
    assert.ok(answer.body.message[0].startsWith(message), answer.body.message[0]);
  }
  assert.equal((await request('GET', SEGMENTS)).body.total, 0);
});

test('Segments: every question takes one, and says in its basis what it was', async () => {
  const { request, newKey } = await shop();
  assert.equal((await request('POST', SEGMENTS, BUYERS)).status, 201);
  const client = await (await sharedApp()).mcpClient(await newKey(['mcp:read']));
  const call = async (name: string, args: object) =>
    answerOf(await client.callTool({ name, arguments: args as Record<string, unknown> })).data;
  const basis = { name: 'repeat_buyers', by: 'customer', conditions: [{ eventName: 'order', atLeast: 2 }] };

  const counted = await call('aggregate_events', { ...VISITS, aggregation: 'count' });
  assert.deepEqual([counted.value, counted.basis.segment], [2, basis]);
  const listed = await call('query_events', VISITS);
  assert.deepEqual([listed.total, listed.basis.segment], [2, basis]);
  const explained = await call('explain_change', { ...VISITS, aggregation: 'count' });
  assert.deepEqual([explained.current, explained.basis.segment], [2, basis]);
  assert.equal((await request('POST', `${EVENTS}/query`, VISITS)).body.total, 2);
  assert.equal((await request('GET', `${EVENTS}/feed?eventName=visit&segment=repeat_buyers`)).body.total, 2);
  assert.equal(
    (await request('POST', `${OBSERVABILITY}/explain`, { ...VISITS, aggregation: 'count' })).body.current,
    2,
  );
  const counts = { ...VISITS, aggregation: 'count' };
  const { eventName: _, ...range } = VISITS;
  const steps = [{ eventName: 'order' }, { eventName: 'visit' }];
  const cards: [cardType: string, config: object, matched: number][] = [
    ['number', counts, 2],
    ['line', counts, 2],
    ['table', { ...VISITS, mode: 'raw' }, 2],
    ['funnel', { ...range, by: 'customer', steps }, 4],
  ];
  for (const [cardType, config, matched] of cards) {
    const card = await request('POST', `${CARDS}/preview`, { title: 'Visits', cardType, config });
    assert.equal(card.status, 200, JSON.stringify(card.body));
    assert.deepEqual([card.body.basis.matchedEvents, card.body.basis.segment], [matched, basis], cardType);
  }
  const { segments } = await call('describe_workspace', {});
  assert.deepEqual(segments, [{ name: 'repeat_buyers', by: 'customer', title: 'Repeat buyers' }]);
});

test('Segments: an unknown one is refused with the names that come near', async () => {
  const { request } = await shop();
  await request('POST', SEGMENTS, BUYERS);
  const message = 'segment: there is no segment "repeat_buyer"; nearest: "repeat_buyers"';
  const asked = { ...VISITS, segment: 'repeat_buyer' };
  const refused = await request('POST', `${EVENTS}/query`, asked);
  assert.deepEqual([refused.status, refused.body.message], [400, [message]]);
  const card = { title: 'Visits', cardType: 'number', config: { ...asked, aggregation: 'count' } };
  const preview = await request('POST', CARDS, card);
  assert.deepEqual([preview.status, preview.body.message], [400, [`config.${message}`]]);
});

test('Segments: a card whose segment was removed says so', async () => {
  const { request } = await shop();
  await request('POST', SEGMENTS, BUYERS);
  const card = { title: 'Visits', cardType: 'number', config: { ...VISITS, aggregation: 'count' } };
  const { body } = await request('POST', CARDS, card);
  await request('DELETE', `${SEGMENTS}/${BUYERS.name}`);
  const rendered = await request('GET', `${CARDS}/${body.id}/render`);
  assert.equal(rendered.status, 422);
  assert.match(rendered.body.message, /cannot be answered any more; change it\. config\.segment: there is no segment/);
});

test('Segments: a zero says whether the segment is empty or its subjects did nothing', async () => {
  const { request } = await shop();
  await request('POST', SEGMENTS, BUYERS);
  await request('POST', SEGMENTS, { ...BUYERS, name: 'nobody', conditions: [{ eventName: 'ordre' }] });
  const notesOf = async (segment: string, dateFrom: string) =>
    (await request('POST', `${EVENTS}/query`, { eventName: 'visit', dateFrom, segment })).body.notes.join(' ');
  assert.match(
    await notesOf('nobody', '2026-03-01'),
    /The segment "nobody" is empty: no value of "customer" meets its conditions\. No event named "ordre" was ever recorded\. Nearest known names: "order"/,
  );
  assert.match(
    await notesOf(BUYERS.name, '2026-03-06'),
    /The segment "repeat_buyers" has one value of "customer"; no matching event has it/,
  );
});

test('Segments: reading and writing need their scopes; another tenant sees none', async () => {
  const [one, other] = [await shop(), await shop()];
  await one.request('POST', SEGMENTS, BUYERS);
  const path = `${SEGMENTS}/${BUYERS.name}`;
  const reader = { 'x-api-key': await one.newKey(['metrics:read']) };
  assert.equal((await one.request('GET', path, undefined, reader)).status, 200);
  assert.equal((await one.request('PATCH', path, { title: 'X' }, reader)).status, 403);
  const events = { 'x-api-key': await one.newKey(['events:read']) };
  assert.equal((await one.request('GET', SEGMENTS, undefined, events)).status, 403);
  assert.equal((await one.request('POST', `${EVENTS}/query`, VISITS, events)).body.total, 2, 'asking needs no more');
  assert.equal((await other.request('GET', path)).status, 404);
  assert.equal((await other.request('PATCH', path, { title: 'X' })).status, 404);
  assert.equal((await other.request('DELETE', path)).status, 404);
  assert.equal((await other.request('POST', `${EVENTS}/query`, VISITS)).status, 400);
});
