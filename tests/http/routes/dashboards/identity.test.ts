import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertError, CARDS, type Desk, MINIMAL, NUMBER, newDesk, SUM } from './support.ts';

const SALES = { title: 'Sales', cardType: 'number', config: { eventName: 'order', ...SUM } };

/** Posts the card; checks the status against `created`. */
async function put(desk: Desk, body: object): Promise<{ created: boolean; id: string }> {
  const { status, body: answer } = await desk.request('POST', CARDS, body);
  assert.equal(status, answer.created ? 201 : 200, JSON.stringify(answer));
  assert.equal(answer.id, answer.card.id);
  return { created: answer.created, id: answer.id };
}

/** Asserts that all of these are different cards, also when posted again. */
async function assertAllDiffer(desk: Desk, bodies: object[]): Promise<string[]> {
  const ids: string[] = [];
  for (const body of bodies) {
    const { created, id } = await put(desk, body);
    assert.ok(created, JSON.stringify(body));
    ids.push(id);
  }
  assert.equal(new Set(ids).size, ids.length);
  for (const [index, body] of bodies.entries()) {
    assert.deepEqual(await put(desk, body), { created: false, id: ids[index] }, JSON.stringify(body));
  }
  return ids;
}

test('card identity: agent, event, type, aggregation and property each matter', async () => {
  const [desk, other] = [await newDesk(), await newDesk()];
  const config = (members: object) => ({ ...SALES, config: { ...SALES.config, ...members } });
  await assertAllDiffer(desk, [
    SALES,
    { ...SALES, agentId: other.agentId },
    config({ eventName: 'refund' }),
    config({ eventName: 'Order' }),
    { ...SALES, cardType: 'line' },
    { ...SALES, cardType: 'bar' },
    { ...SALES, cardType: 'pie', config: { ...SALES.config, groupBy: 'plan' } },
    { ...SALES, cardType: 'gauge', config: { ...SALES.config, min: 0, max: 1 } },
    config({ aggregation: 'avg' }),
    config({ propertyKey: 'tax' }),
    config({ aggregation: 'count' }),
    config({ aggregation: 'count', propertyKey: undefined }),
    { ...SALES, cardType: 'rate', config: MINIMAL.rate },
    { ...SALES, cardType: 'table', config: MINIMAL.table },
    { ...SALES, cardType: 'table', config: { ...MINIMAL.table, mode: 'retention' } },
    {
      ...{ ...SALES, cardType: 'table' },
      config: { ...MINIMAL.table, mode: 'retention', returned: { eventName: 'refund' } },
    },
    { ...SALES, cardType: 'funnel', config: MINIMAL.funnel },
  ]);
  assert.deepEqual([(await desk.cards()).total, (await other.cards()).total], [16, 1]);
});

test('card identity: no other member matters', async () => {
  const desk = await newDesk();
  const { id: tabId } = await desk.tab({ name: 'Sales' });
  const { id } = await put(desk, SALES);
  const more = { filters: [{ propertyKey: 'plan', operator: 'eq', value: 'pro' }], dateFrom: 'ytd', dateTo: 'today' };
  for (const same of [
    { ...SALES, title: 'Another title', agentId: desk.agentId },
    { ...SALES, tabId, gridLayout: { x: 0, y: 0, w: 1, h: 1 }, sortOrder: 3 },
    { ...SALES, config: { ...SALES.config, ...more, timezone: 'Asia/Tokyo', compareTo: 'previous_period' } },
    { ...SALES, config: { ...SALES.config, format: { decimals: 2 } } },
  ]) {
    assert.deepEqual(await put(desk, same), { created: false, id });
  }
  const table = await put(desk, { ...NUMBER, cardType: 'table', config: MINIMAL.table });
  const metrics = [{ ...SUM, alias: 'sum' }];
  const grouped = { eventName: 'order', mode: 'aggregate', groupBy: 'plan', metrics };
  assert.equal((await put(desk, { ...NUMBER, cardType: 'table', config: grouped })).id, table.id);
  const line = await put(desk, { ...SALES, cardType: 'line' });
  const byPlan = { ...SALES.config, groupBy: 'plan', dateGrouping: 'week', limit: 3 };
  assert.equal((await put(desk, { ...SALES, cardType: 'line', config: byPlan })).id, line.id);
});

test('card identity: the events of all funnel steps, in order', async () => {
  const desk = await newDesk();
  const funnel = (...names: string[]) => ({
    title: 'Funnel',
    cardType: 'funnel',
    config: { steps: names.map((eventName) => ({ eventName })) },
  });
  const [first] = await assertAllDiffer(desk, [
    funnel('a', 'b'),
    funnel('b', 'a'),
    funnel('a', 'c'),
    funnel('a', 'a'),
    funnel('a', 'b', 'c'),
  ]);
  const steps = [
    { eventName: 'a', label: 'First' },
    { eventName: 'b', filters: [{ propertyKey: 'p', operator: 'exists' }] },
  ];
  const again = { title: 'Other', cardType: 'funnel', config: { steps, by: 'userId', windowSeconds: 60 } };
  assert.deepEqual(await put(desk, again), { created: false, id: first });
});

test("card identity: a rate's numerator matters only through an idempotencyKey", async () => {
  const desk = await newDesk();
  const rate = (eventName: string) => ({
    title: eventName,
    cardType: 'rate',
    config: { eventName: 'order', numerator: { eventName } },
  });
  const { id } = await put(desk, rate('paid'));
  assert.deepEqual(await put(desk, rate('refunded')), { created: false, id });
  assert.equal((await put(desk, { ...rate('paid'), idempotencyKey: 'paid' })).created, true);
  assert.equal((await put(desk, { ...rate('refunded'), idempotencyKey: 'refunded' })).created, true);
  const numerators = (await desk.cards()).cards.map((card: { config: typeof MINIMAL.rate }) => card.config.numerator);
  assert.deepEqual(numerators, [{ eventName: 'refunded' }, { eventName: 'paid' }, { eventName: 'refunded' }]);
});

test('card identity: an idempotencyKey replaces it, apart from cards without one', async () => {
  const desk = await newDesk();
  const keyed = (idempotencyKey: string) => ({ ...SALES, idempotencyKey });
  const { id } = await put(desk, keyed('one'));
  const changed = { title: 'Rate', cardType: 'rate', config: MINIMAL.rate, idempotencyKey: 'one' };
  assert.deepEqual(await put(desk, changed), { created: false, id });
  const [card] = (await desk.cards()).cards;
  assert.deepEqual([card.title, card.cardType, card.config], ['Rate', 'rate', MINIMAL.rate]);
  // Some look like the identity of a card without a key.
  const { aggregation, propertyKey } = SUM;
  const lookalikes = [
    JSON.stringify({ cardType: 'number', eventName: 'order', aggregation, propertyKey }),
    JSON.stringify({ idempotencyKey: 'one' }),
    `${desk.agentId},order,number,sum,amount`,
    id,
  ];
  await assertAllDiffer(desk, [SALES, ...['One', '1', ...lookalikes].map(keyed)]);
});

test("PATCH cards: taking another card's identity is 409 and changes neither", async () => {
  const desk = await newDesk();
  const [sum, count] = [await desk.card(SALES), await desk.card()];
  const keyed = await desk.card({ ...SALES, idempotencyKey: 'own' });
  const taking = { title: 'Taken', config: SALES.config };
  assertError(await desk.request('PATCH', `${CARDS}/${count.id}`, taking), 409, 'Conflict');
  assert.deepEqual((await desk.cards()).cards, [sum, count, keyed]);
  const path = `${CARDS}/${keyed.id}`;
  assert.equal((await desk.request('PATCH', path, { config: NUMBER.config })).status, 200, 'its key is its identity');
  assert.equal((await desk.request('PATCH', `${CARDS}/${sum.id}`, { config: SALES.config })).status, 200, 'its own');
  assert.equal((await (await newDesk()).card(SALES)).title, 'Sales', 'another agent may ask the same');
});

test('PATCH cards: a changed identity frees the old one', async () => {
  const desk = await newDesk();
  const { id } = await desk.card();
  const config = { eventName: 'refund', aggregation: 'count' };
  assert.equal((await desk.request('PATCH', `${CARDS}/${id}`, { cardType: 'bar', config })).status, 200);
  assert.deepEqual(await put(desk, { title: 'Refunds', cardType: 'bar', config }), { created: false, id });
  assert.equal((await put(desk, NUMBER)).created, true);
});
