import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { EVENTS } from '../support/app.ts';
import { post } from './readers.ts';
import { CARDS, COUNT_CARD, describedTenant } from './workspace-support.ts';

const SALE = { eventName: 'sale', properties: { plan: 'pro', amount: 5 } };

test('render: waitFor makes own writes visible, through REST and MCP', async () => {
  const { app, key, call, makeCard } = await describedTenant([]);
  const cardId = await makeCard({ title: 'Sales', ...COUNT_CARD });
  for (let sent = 1; sent <= 6; sent++) {
    const { body } = await app.request('POST', EVENTS, { events: [SALE] }, { 'x-api-key': key });
    const waitFor = body.receipt;
    if (sent % 2 === 0) {
      assert.equal((await call('render_dashboard_card', { cardId, waitFor })).data.data.value, sent);
    } else {
      const headers = { 'x-api-key': key, 'x-wait-for': waitFor };
      const answer = await app.request('GET', `${CARDS}/${cardId}/render`, undefined, headers);
      assert.equal(answer.body.data.value, sent);
    }
  }
  const refused = await call('render_dashboard_card', { cardId, waitFor: 'nonsense' });
  assert.equal(refused.isError, true);
  assert.match(refused.text, /- waitFor: /);
});

test('render: dashboards:read suffices for REST, mcp:read for MCP', async () => {
  const { app, tenant, makeCard } = await describedTenant([SALE]);
  const cardId = await makeCard({ title: 'Sales', ...COUNT_CARD });
  const forAgents = await app.newKey({ tenant, scopes: ['mcp:read'] });
  const forPeople = await app.newKey({ tenant, scopes: ['dashboards:read'] });
  const call = { name: 'render_dashboard_card', arguments: { cardId } };
  const throughTool = (key: string) => post(app, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }, key);
  const throughRest = (key: string) => app.request('GET', `${CARDS}/${cardId}/render`, undefined, { 'x-api-key': key });
  assert.match((await throughTool(forAgents)).text, /"value":1/);
  assert.equal((await throughRest(forPeople)).body.data.value, 1);
  const atRest = await throughRest(forAgents);
  assert.deepEqual([atRest.status, atRest.body.data], [403, undefined]);
  assert.match(atRest.headers.get('www-authenticate') ?? '', /scope="dashboards:read"/);
  const atTool = await throughTool(forPeople);
  assert.equal(atTool.status, 403);
  assert.match(atTool.challenge, /scope="mcp:read"/);
});

test("render_dashboard_card: another tenant's card is refused, an unknown one listed", async () => {
  const theirs = await describedTenant([{ eventName: 'secret_launch' }]);
  const secret = { cardType: 'number', config: { eventName: 'secret_launch', aggregation: 'count' } };
  const cardId = await theirs.makeCard({ title: 'Aurora', ...secret });
  const mine = await describedTenant([SALE]);
  for (const id of [cardId, 'Aurora', cardId.replace(/^./, 'f')]) {
    const { isError, text } = await mine.call('render_dashboard_card', { cardId: id });
    assert.equal(isError, true);
    assert.doesNotMatch(text.replaceAll(id, ''), /Aurora|secret_launch/);
    const { status } = await mine.app.request('GET', `${CARDS}/${encodeURIComponent(id)}/render`, undefined, {
      'x-api-key': mine.key,
    });
    assert.equal(status, id === cardId ? 403 : 404);
  }
  const known = await mine.makeCard({ title: 'Sales', ...COUNT_CARD });
  const { isError, text } = await mine.call('render_dashboard_card', { cardId: 'Sale' });
  assert.equal(isError, true);
  assert.ok(text.includes(known) && text.includes('"Sales"'), text);
  await mine.app.request('DELETE', `${CARDS}/${known}`, undefined, { 'x-api-key': mine.key });
  assert.equal((await mine.call('render_dashboard_card', { cardId: known })).isError, true);
});

test('render_dashboard_card: the exact title of one card will do, that of two will not', async () => {
  const { call, makeCard } = await describedTenant([SALE]);
  const first = await makeCard({ title: 'Sales', ...COUNT_CARD });
  assert.equal((await call('render_dashboard_card', { cardId: 'sales' })).data.card.id, first);
  const second = await makeCard({ title: 'SALES', ...COUNT_CARD, idempotencyKey: 'another' });
  const { isError, text } = await call('render_dashboard_card', { cardId: 'Sales' });
  assert.equal(isError, true);
  assert.ok(text.includes(first) && text.includes(second), text);
});

test("render_dashboard_card: a card belongs to its agent, whatever the caller's agent", async () => {
  const { call, makeCard } = await describedTenant([SALE, { ...SALE, agentId: 'shop' }, { ...SALE, agentId: 'shop' }]);
  const cardId = await makeCard({ title: 'Shop', ...COUNT_CARD, agentId: 'shop' });
  const { data } = await call('render_dashboard_card', { cardId });
  assert.deepEqual([data.data.value, data.basis.agentId], [2, 'shop']);
});

test('render_dashboard_card: a card without matches explains itself, also as text', async () => {
  const { call, makeCard } = await describedTenant([SALE]);
  const show = async (cardType: string, config: object) => {
    const cardId = await makeCard({ title: 'A card', cardType, config, idempotencyKey: JSON.stringify(config) });
    const { data, text } = await call('render_dashboard_card', { cardId });
    assert.ok(text.includes(data.note), text);
    assert.equal(data.basis.matchedEvents, 0);
    return data.note;
  };
  assert.match(await show('number', { eventName: 'sales', aggregation: 'count' }), /"sales".*"sale"/);
  assert.match(await show('table', { eventName: 'sales', mode: 'raw' }), /"sales".*"sale"/);
  const steps = [{ eventName: 'sales' }, { eventName: 'refund' }];
  assert.match(await show('funnel', { steps }), /"sales".*"sale"/);
  const past = {
    eventName: 'sale',
    aggregation: 'sum',
    propertyKey: 'amount',
    dateTo: '2020-01-01',
    dateFrom: '2019-01-01',
  };
  assert.match(await show('number', past), /"sale" is known and was last seen at 20/);
  const known = [{ propertyKey: 'plan', operator: 'eq', value: 'gold' }];
  assert.match(
    await show('pie', { eventName: 'sale', aggregation: 'count', groupBy: 'plan', filters: known }),
    /last seen/,
  );
  const misread = [{ propertyKey: 'amount', operator: 'eq', value: '5' }];
  assert.match(
    await show('gauge', { eventName: 'sale', aggregation: 'count', min: 0, max: 9, filters: misread }),
    /number/,
  );
});

test('render_dashboard_card: answers of every card type fit the output schema', async () => {
  const { app, key, call, makeCard } = await describedTenant([SALE, { eventName: 'refund', threadId: 't' }]);
  const client = await app.mcpClient(key);
  const { tools } = await client.listTools();
  const { outputSchema } = tools.find((tool) => tool.name === 'render_dashboard_card')!;
  const validate = new AjvJsonSchemaValidator().getValidator(outputSchema as Record<string, unknown>);
  const sale = { eventName: 'sale', aggregation: 'count' };
  const configs: [string, object][] = [
    ['number', { ...sale, compareTo: 'previous_period' }],
    ['rate', { eventName: 'sale', numerator: { eventName: 'refund' } }],
    ['line', { ...sale, groupBy: ['plan', 'amount'] }],
    ['bar', { ...sale, groupBy: 'plan' }],
    ['pie', { ...sale, groupBy: 'nothing' }],
    ['table', { eventName: 'sale', mode: 'raw' }],
    ['funnel', { steps: [{ eventName: 'sale' }, { eventName: 'refund' }] }],
    ['gauge', { ...sale, min: 0, max: 10, thresholds: [{ value: 5 }] }],
  ];
  for (const [cardType, config] of configs) {
    const { data } = await call('render_dashboard_card', {
      cardId: await makeCard({ title: 'A card', cardType, config }),
    });
    assert.equal(validate(data).errorMessage, undefined, cardType);
    assert.deepEqual(
      Object.keys(data).filter((member) => member !== 'note'),
      ['card', 'data', 'basis'],
    );
  }
});
